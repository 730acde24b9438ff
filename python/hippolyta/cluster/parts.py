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
from typing import Any

from .errors import ClusterError
from .store import OWN, Folder, Store, has, open_store
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
        beside = open_store(parent or ("/" if out.startswith("/") else "."), storage)
        beside.check()
        parts = Parts(out, name, beside, open_store(out + ".parts", storage))
        parts._check_new()
        return parts

    @contextlib.contextmanager
    def held(self, local: Path) -> Iterator[None]:
        """This driver alone makes the parts meanwhile. In the end they are removed if the result is there, or if nothing
        was begun. `local` is a folder for a copy. Raises ClusterError if another driver is at work.
        """
        with self._locked() if isinstance(self.store, Folder) else self._alive(local):
            try:
                self._check_new()  # another driver may have ended just now
                yield
            finally:
                if has(self.beside, self.name) or not self.store.sizes():
                    self.store.clear()

    def _check_new(self) -> None:
        if has(self.beside, self.name):
            raise ClusterError(f"{self.out} exists already; remove it, or choose another --out")

    def _busy(self) -> ClusterError:
        return ClusterError(
            f"another driver is at work on {self.out}; wait for its end, or choose another --out"
        )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """The lock of a folder. It ends with the process, however that ends."""
        assert isinstance(self.store, Folder)
        path = self.store.root / LOCK
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise self._busy() from None
            yield

    @contextlib.contextmanager
    def _alive(self, local: Path) -> Iterator[None]:
        """Signs of life at an address, where nothing can be locked: another driver that changes them is alive."""
        mine, before = uuid.uuid4().hex, self._sign(local)
        if before:
            time.sleep(3 * BEAT)
            if self._sign(local) != before:
                raise self._busy()
        sign, over = local / f"sign-{mine}", threading.Event()

        def beat(count: int) -> None:
            sign.write_text(f"{mine} {count}")
            self.store.publish(sign, LOCK)

        def go_on() -> None:
            count = 1
            while not over.wait(BEAT):
                count += 1
                with contextlib.suppress(Exception):  # what a store refuses now, it may take later
                    beat(count)

        beat(1)
        beating = threading.Thread(target=go_on, daemon=True)
        beating.start()
        try:
            yield
        finally:
            over.set()
            beating.join()
            self.store.remove(LOCK)

    def _sign(self, local: Path) -> str:
        """The last sign of life of a driver; empty if there is none."""
        found = local / f"sign-{uuid.uuid4().hex}"
        try:
            self.store.fetch(LOCK, found)
        except FileNotFoundError:
            return ""
        return found.read_text()

    def begun(
        self, file: str, wanted: dict[str, Any], local: Path, **words: str
    ) -> dict[str, Any] | None:
        """The settings of the run that was begun, in `file`, if one was. `words` are the settings that must be those
        that are `wanted`, and what people call them; `local` is a folder for a copy. Raises ClusterError.
        """
        if not has(self.store, file):
            return None
        path = local / f"{uuid.uuid4().hex}.json"
        self.store.fetch(file, path)
        begun: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        for key, what in words.items():
            if begun.get(key) != wanted[key]:
                raise self.differs(f"other {what}")
        return begun

    def differs(self, what: str) -> ClusterError:
        """The error that the parts there are those of a run with something else."""
        return ClusterError(
            f"{self.out}.parts was begun with {what}; remove it, or choose another --out"
        )

    def agree(self, file: str, wanted: dict[str, Any], local: Path, **words: str) -> dict[str, Any]:
        """The settings of the run that was begun, or else those that are wanted, which are kept: see `begun`."""
        begun = self.begun(file, wanted, local, **words)
        if begun is not None:
            return begun
        path = local / file
        path.write_text(json.dumps(wanted), encoding="utf-8")
        self.store.publish(path, file)
        return wanted

    def join(self, joined: Path) -> None:
        """Makes the local file `joined` the result."""
        if isinstance(self.store, Folder):
            self.store.publish(joined, f"../{self.name}")
        else:
            self.beside.publish(joined, self.name)


@dataclass
class InParts:
    """The common base of runs in parts, as the driver sees them (see `driver.Source`): the files of their parts, and
    which of them are there. `settings` is the file in the store that is no part.
    """

    store: Store
    settings: str
    there: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.there = set(self.store.sizes()) - {self.settings}

    def done(self, task: Task, outcome: Outcome) -> None:
        self.there |= set(outcome.outputs)

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return False

    def damaged(self, names: tuple[str, ...]) -> None:
        self.there -= set(names)

    def here(self, task: Task) -> Outcome | None:
        return None
