"""Results that are made in parts: the folder `OUT.parts` has those that are done until all are there and `OUT` is
written. So a run that is started again goes on.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from .driver import Driver
from .errors import ClusterError
from .journal import Journal
from .program import Program
from .progress import Progress
from .run import Cluster, Run
from .store import OWN, Store
from .task import Outcome, Task

LOCK = f"{OWN}/lock"
"""The file by which drivers know of each other."""

BEAT = 5.0
"""Seconds between two signs of life of a driver, where files have no locks."""


@dataclass(frozen=True)
class Parts:
    """The parts of the file `out`, which is at `name` in the store `beside`; they are in `store`."""

    out: str
    name: str
    beside: Store
    store: Store

    @staticmethod
    def of(out: str, storage: dict[str, Any]) -> Parts:
        """Those of `out`, a file in a folder that all nodes see or an address of fsspec. Raises ClusterError if it
        exists, or if nothing can be kept there.
        """
        parent, _, name = out.rpartition("/")
        beside = Store(parent or ("/" if out.startswith("/") else "."), storage)
        beside.check()
        parts = Parts(out, name, beside, Store(out + ".parts", storage))
        parts._check_new()
        return parts

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """This driver alone makes the parts meanwhile. In the end they are removed if the result is there, or if nothing
        was begun. Raises ClusterError if another driver is at work.
        """
        with self._locked() if self.store.folder else self._alive():
            try:
                self._check_new()  # another driver may have ended just now
                yield
            finally:
                if self.beside.has(self.name) or not self.store.sizes():
                    self.store.clear()

    def _check_new(self) -> None:
        if self.beside.has(self.name):
            raise ClusterError(f"{self.out} exists already; remove it, or choose another --out")

    def _busy(self) -> ClusterError:
        return ClusterError(
            f"another driver is at work on {self.out}; wait for its end, or choose another --out"
        )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """The lock of a folder. It ends with the process, however that ends."""
        assert self.store.folder
        path = self.store.folder / LOCK
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self._busy() from None
            yield

    @contextlib.contextmanager
    def _alive(self) -> Iterator[None]:
        """Signs of life at an address, where nothing can be locked: another driver that changes them is alive."""
        mine, before = uuid.uuid4().hex, self._sign()
        if before:
            time.sleep(3 * BEAT)
            if self._sign() != before:
                raise self._busy()
        over = threading.Event()

        def beat(count: int) -> None:
            self.store.write(f"{mine} {count}".encode(), LOCK)

        def go_on() -> None:
            count = 1
            while not over.wait(BEAT):
                count += 1
                with contextlib.suppress(Exception):  # what a store refuses now, it may take later
                    beat(count)

        beat(1)
        time.sleep(BEAT / 5)  # of drivers that begin at once, the one that wrote last goes on
        if not self._sign().startswith(mine.encode()):
            raise self._busy()
        beating = threading.Thread(target=go_on, daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()
            self.store.remove(LOCK)

    def _sign(self) -> bytes:
        """The last sign of life of a driver; empty if there is none."""
        try:
            return self.store.read(LOCK)
        except FileNotFoundError:
            return b""

    def begun(self, file: str, wanted: dict[str, Any], **words: str) -> dict[str, Any] | None:
        """The settings of the run that was begun, in `file`, if one was. `words` are the settings that must be those
        that are `wanted`, and what people call them. Raises ClusterError.
        """
        if not self.store.has(file):
            return None
        begun: dict[str, Any] = json.loads(self.store.read(file))
        for key, what in words.items():
            if begun.get(key) != wanted[key]:
                raise self.differs(f"other {what}")
        return begun

    def differs(self, what: str) -> ClusterError:
        """The error that the parts there are those of a run with something else."""
        return ClusterError(
            f"{self.out}.parts was begun with {what}; remove it, or choose another --out"
        )

    def join(self, joined: Path) -> None:
        """Makes the local file `joined` the result."""
        if self.store.folder:
            self.store.publish(joined, f"../{self.name}")
        else:
            self.beside.publish(joined, self.name)


@dataclass
class InParts(Run):
    """A result that is made in parts, as the driver sees it. `settings` are those that are wanted, then
    those of the run that was begun. They are kept in the file `FILE` beside the parts; those that
    `WORDS` names, with what people call them, cannot change. `local` is a folder for copies.
    """

    FILE: ClassVar[str]
    WORDS: ClassVar[dict[str, str]]

    settings: dict[str, Any]
    parts: Parts = field(init=False)
    store: Store = field(init=False)
    local: Path = field(init=False)
    there: set[str] = field(init=False)

    def open(self, parts: Parts, local: Path) -> None:
        """Goes on with the run that was begun, if one was."""
        self.parts, self.store, self.local = parts, parts.store, local
        self.settings = parts.begun(self.FILE, self.settings, **self.WORDS) or self.settings
        self.there = set(self.store.sizes()) - {self.FILE}

    def left(self) -> list[Task]:
        """The tasks of the parts that are not there."""
        raise NotImplementedError

    def tasks(self) -> list[Task]:
        return self.left()

    def prepare(self, driver: Driver) -> None:
        """The run is about to begin, or to go on."""
        if not self.store.has(self.FILE):
            self.store.write(json.dumps(self.settings).encode(), self.FILE)

    def joined(self, into: Path) -> str:
        """Writes the parts into one file, and says what there is in it."""
        raise NotImplementedError

    def done(self, task: Task, outcome: Outcome) -> None:
        self.there |= set(outcome.outputs)

    def damaged(self, names: tuple[str, ...]) -> None:
        self.there -= set(names)


def make(
    out: str,
    run: InParts,
    local: Path,
    cluster: Cluster,
    progress: Progress,
    here: str | None = None,
) -> None:
    """Makes `out` from the parts of a run, which is begun or goes on. `here` is the folder in which nodes look for
    modules.
    """
    parts = Parts.of(out, cluster.storage)
    with parts.held():
        is_new = not parts.store.sizes()
        run.open(parts, local)
        job = cluster.job(out + ".parts", Program(cluster.engine), here)
        journal = Journal(parts.store, local)
        try:
            if run.left():
                with Driver(run, job, journal, progress, cluster, out).connected() as driver:
                    journal.note("begun", build=job.build, arguments=run.settings)
                    run.prepare(driver)
                    driver.check_nodes(run.FILE)
                    is_new = False
                    driver.run()
        except ClusterError:
            if is_new:  # it is refused, and not begun
                parts.store.remove(run.FILE)
            raise
        finally:
            journal.close()
        said = run.joined(local / "joined")
        parts.join(local / "joined")
    progress.say(f"{out}: {said}; processor time by node:")
    progress.end(journal.cpu)
