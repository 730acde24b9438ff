"""The loop of `hippolyta learn` on a cluster: the same tasks, the same bytes, more hands."""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .driver import Driver, Settings, connected, interruptible
from .errors import ClusterError
from .journal import Journal
from .program import Program
from .progress import Count, Progress
from .store import Folder, Stamp, Store, clean, open_store
from .task import Outcome, Task
from .work import Job, scratch

SETTINGS = "learn.json"
"""The file in which `hippolyta learn` keeps the settings of a run."""

LOCK = "lock"
"""The file by which engines that share a folder know of each other."""

SMALL = 16 << 20
"""Files of an object store with at most so many bytes are copied to the driver, if they are not
games.
"""

PHASES = {"play": "self-play", "gate": "match"}


@dataclass(frozen=True)
class Fit:
    """Where the fit runs. `on` is a resource of Ray that the node must have: one named at `ray
    start`, or `node:10.0.0.7`. `cpus` are the cores it uses; None: all of the largest node.
    """

    on: str | None = None
    cpus: int | None = None


@dataclass
class Learning:
    """A run of `hippolyta learn` as the driver sees it (see `driver.Source`).

    `folder` is what the engine lists tasks from: the run itself if it is a folder, else a copy of
    it in which files that only nodes read have the right length and no content.
    """

    program: Program
    store: Store
    folder: Path
    arguments: Sequence[str]
    fit: Fit
    _known: set[str] = field(default_factory=set)
    _generation: int = 1

    def prepare(self, journal: Journal) -> None:
        """Makes the folder ready, and removes files that are not what was written."""
        sizes = self.store.sizes()
        for name, size in sizes.items():
            stamp = journal.stamps.get(name)
            if stamp and stamp.size != size:
                journal.note("removed", file=name, size=size, expected=stamp.size)
                self.store.remove(name)
            elif not isinstance(self.store, Folder):
                self._copy(name, size, games=stamp is not None and journal.games(name))

    def _copy(self, name: str, size: int, games: bool) -> None:
        local = self.folder / name
        local.parent.mkdir(parents=True, exist_ok=True)
        if size <= SMALL and not games:
            self.store.fetch(name, local)
        else:
            with local.open("wb") as file:
                file.truncate(size)
        self._known.add(name)

    def tasks(self) -> list[Task]:
        listing = ["learn", *self.arguments, "--out", str(self.folder), "--tasks"]
        self.folder.mkdir(parents=True, exist_ok=True)
        finished = self.program.run(listing)
        if finished.code != 0:
            raise ClusterError(finished.message.removeprefix("hippolyta: "))
        if not isinstance(self.store, Folder):
            self._publish_new(self.store)
        lines = finished.stdout.decode(errors="replace").splitlines()
        tasks = [Task.listed(line) for line in lines if line.strip()]
        if tasks:
            self._generation = max(self._generation, min(task.generation for task in tasks))
        return tasks

    def _publish_new(self, store: Store) -> None:
        """Publishes what the engine itself has written: the settings, and what the first generation
        begins with.
        """
        for name in sorted(Folder(self.folder).sizes()):
            if name not in self._known and name != LOCK:
                store.publish(self.folder / name, name)
                self._known.add(name)

    def done(self, task: Task, outcome: Outcome) -> None:
        if not isinstance(self.store, Folder):
            for name, stamp in outcome.outputs.items():
                (self.folder / name).unlink(missing_ok=True)
                self._copy(name, stamp.size, games=task.kind == "play")

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return task.kind == "gate" and any(
            other.kind == "judge"
            and other.generation == task.generation
            and not set(task.outputs) & set(other.inputs)
            for other in listed
        )

    def damaged(self, names: tuple[str, ...]) -> None:
        for name in names:
            self.store.remove(name)
            (self.folder / name).unlink(missing_ok=True)
            self._known.discard(name)

    def here(self, task: Task) -> Outcome | None:
        """Does a verdict or a report. They take no time, and after a verdict the engine removes
        what nobody needs any more, which only the driver sees whole.
        """
        if task.kind not in ("judge", "report"):
            return None
        begun = time.monotonic()
        words = ["learn", "--out", str(self.folder), "--threads", "1", "--run", task.name]
        finished = self.program.run(words)
        if not isinstance(self.store, Folder):
            self._publish_new(self.store)
            gone = self._known - set(Folder(self.folder).sizes())
            for name in sorted(gone):
                self.store.remove(name)
            self._known -= gone
        outputs = {}
        if finished.code == 0:
            outputs = {name: Stamp.of(self.folder / name) for name in task.outputs}
        message = finished.message if finished.code else ""
        wall = time.monotonic() - begun
        return Outcome(task.name, finished.code, message, "driver", finished.cpu, wall, outputs)

    def resources(self, task: Task, largest: int) -> dict[str, Any]:
        options: dict[str, Any] = {"num_cpus": 1}
        if task.kind == "fit":
            options["num_cpus"] = min(self.fit.cpus or largest, largest) or 1
        if task.kind in ("fit", "merge") and self.fit.on:
            options["resources"] = {self.fit.on: 0.001}
        return options

    def count(self, waiting: list[Task], flying: int, nodes: int, slots: int) -> Count:
        games, generations = self._plan()
        kinds = Counter(task.kind for task in waiting)
        kind = kinds.most_common(1)[0][0] if kinds else ""
        of = f" of {generations}" if generations else ""
        what = f"generation {self._generation}{of}, {PHASES.get(kind, kind or 'next step')}"
        left = sum(task.units for task in waiting if task.kind == "play")
        done = self._generation * games - left if games else 0
        return Count(what, "games", max(done, 0), games * generations, flying, nodes, slots)

    def _plan(self) -> tuple[int, int]:
        """Games of a generation, and generations; 0 if the settings do not say."""
        try:
            settings = json.loads((self.folder / SETTINGS).read_text(encoding="utf-8"))
            return int(settings.get("games", 0)), int(settings.get("generations", 0))
        except (OSError, ValueError, AttributeError, TypeError):
            return 0, 0


@dataclass(frozen=True)
class Cluster:
    """Where a run works and keeps its files.

    `address` is that of the Ray cluster: `auto`, `host:port`, or `local` for one on this machine.
    `engine` is the path of the program on every node; None: that of the package. `storage` are
    options for fsspec. `scratch` is a folder for temporary files on every node, `cache` the most
    bytes a node keeps there of files that it fetched. `retries` is how often a task may fail in a
    row.
    """

    address: str = "auto"
    engine: str | None = None
    storage: dict[str, Any] = field(default_factory=dict)
    scratch: str | None = None
    cache: int = 4 << 30
    retries: int = 10

    def job(self, store: str, program: Program) -> Job:
        """What the nodes are told. Takes a second, for the engine's build."""
        where = store if "://" in store else str(Path(store).absolute())
        build = program.build_known(scratch(self.scratch))
        return Job(where, build, self.engine, self.storage, self.scratch, self.cache)


@contextmanager
def local_folder(cluster: Cluster) -> Iterator[Path]:
    """A folder of the driver's own for as long as it runs."""
    base = scratch(cluster.scratch)
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="driver-", dir=base) as folder:
        yield Path(folder)


def learn(
    out: str,
    arguments: Sequence[str] = (),
    *,
    cluster: Cluster | None = None,
    fit: Fit | None = None,
    progress: Progress | None = None,
) -> None:
    """Runs `hippolyta learn ARGUMENTS --out OUT` on a Ray cluster, and returns when it is done.

    `out` is a folder that all nodes see under the same path, or an address of fsspec. A run that
    was begun goes on. The files have the same bytes as those of `hippolyta learn` on one machine;
    those in the folder `cluster` are only the cluster's. Call it from the main thread: Ctrl-C and
    SIGTERM end it with `Interrupted`.

    Raises ClusterError if the run cannot go on.
    """
    cluster = cluster or Cluster()
    progress = progress or Progress()
    program = Program(cluster.engine)
    with interruptible(), local_folder(cluster) as local:
        store = open_store(out, cluster.storage)
        job = cluster.job(out, program)
        folder = store.root if isinstance(store, Folder) else local / "run"
        source = Learning(program, store, folder, arguments, fit or Fit())
        if not (folder / SETTINGS).exists() and isinstance(store, Folder):
            source.tasks()  # a new run: the engine wants an empty folder
        journal = Journal(store, local)
        try:
            source.prepare(journal)
            if not source.tasks():
                progress.say(f"{out}: done already")
                return
            with connected(cluster.address):
                driver = Driver(
                    source, job, journal, progress, Settings(cluster.address, cluster.retries)
                )
                journal.note("begun", build=job.build, arguments=list(arguments))
                try:
                    driver.check_nodes(SETTINGS)
                    driver.run()
                finally:
                    driver.cancel()
            clean(store)
            journal.note("finished")
            progress.say(f"{out}: done; processor time of the engine by node:")
            progress.end(journal.cpu)
        finally:
            journal.close()
