"""The loop of `hippolyta learn` on a cluster: the same tasks, the same bytes, more hands."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._hippolyta import whole
from .driver import Driver, begun, check_address
from .errors import ClusterError
from .generation import Generation
from .journal import Journal
from .program import Program
from .progress import Progress, duration
from .run import Cluster, Run
from .store import Stamp, Store
from .task import Outcome, Task

SETTINGS = "learn.json"
"""The file in which `hippolyta learn` keeps the settings of a run."""

LOCKS = ("lock", "settings.lock")
"""The files by which engines that share a folder know of each other."""

SMALL = 16 << 20
"""Files of an object store with at most so many bytes are copied to the driver, if they are not
games.
"""

SAMPLE_NODES = 200
"""The most nodes a turn in games that are played to know what a game costs."""

SAMPLES = (1, 9)
"""Numbers of such games, in two runs of the engine."""

PHASES = {"play": "self-play", "gate": "match", "calibrate": "percentages"}


@dataclass(frozen=True)
class Fit:
    """Where the fit runs. `on` is a resource of Ray that the node must have: one named at `ray
    start`, or `node:10.0.0.7`. `cpus` are the cores it uses; None: all of the largest node.
    """

    on: str | None = None
    cpus: int | None = None

    def __post_init__(self) -> None:
        if self.cpus is not None:
            whole("cpus", self.cpus, 1, 2**31 - 1)


@dataclass
class Learning(Run):
    """A run of `hippolyta learn` as the driver sees it.

    `folder` is what the engine lists tasks from: the run itself if it is a folder, else a copy of
    it in which files that only nodes read have the right length and no content.
    """

    program: Program
    store: Store
    address: str
    folder: Path
    arguments: Sequence[str]
    fit: Fit
    hook: Callable[[Generation], None] | None = None
    _known: set[str] = field(default_factory=set)
    _generation: int = 1
    _cpu: float = 0.0

    def prepare(self, journal: Journal) -> None:
        """Makes the folder ready, and removes files that are not what was written."""
        self._cpu = sum(journal.cpu.values())
        sizes = self.store.sizes()
        for name, size in sizes.items():
            stamp = journal.stamps.get(name)
            if stamp and stamp.size != size:
                journal.note("removed", file=name, size=size, expected=stamp.size)
                self.store.remove(name)
            elif not self.store.folder:
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
            message = finished.message.removeprefix("hippolyta: ")
            raise ClusterError(message.replace(str(self.folder), self.address))
        if not self.store.folder:
            self._publish_new()
        lines = finished.stdout.decode(errors="replace").splitlines()
        tasks = [Task.listed(line) for line in lines if line.strip()]
        if tasks:
            self._generation = max(self._generation, min(task.generation for task in tasks))
        return tasks

    def _files(self) -> set[str]:
        """The names of all files in the folder."""
        return set(Store(str(self.folder)).sizes())

    def _publish_new(self) -> None:
        """Publishes what the engine itself has written: the settings, and what the first generation
        begins with.
        """
        for name in sorted(self._files()):
            if name not in self._known and name not in LOCKS:
                self.store.publish(self.folder / name, name)
                self._known.add(name)

    def done(self, task: Task, outcome: Outcome) -> None:
        self._cpu += outcome.cpu
        if not self.store.folder:
            for name, stamp in outcome.outputs.items():
                (self.folder / name).unlink(missing_ok=True)
                self._copy(name, stamp.size, games=task.kind == "play")

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return task.kind == "gate" and any(
            other.kind in ("judge", "calibrate")
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
        if not self.store.folder:
            self._publish_new()
            gone = self._known - self._files()
            for name in sorted(gone):
                self.store.remove(name)
            self._known -= gone
        outputs = {}
        if finished.code == 0:
            outputs = {name: Stamp.of(self.folder / name) for name in task.outputs}
        if finished.code == 0 and task.kind == "judge" and self.hook:
            self.hook(Generation.read(self.folder, task.generation, self._cpu + finished.cpu))
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

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        games, generations = self._plan()
        kinds = Counter(task.kind for task in waiting)
        kind = kinds.most_common(1)[0][0] if kinds else ""
        of = f" of {generations}" if generations else ""
        what = f"generation {self._generation}{of}, {PHASES.get(kind, kind or 'next step')}"
        left = sum(task.units for task in waiting if task.kind == "play")
        done = self._generation * games - left if games else 0
        return what, "games", max(done, 0), games * generations

    def _settings(self) -> dict[str, Any]:
        """The settings of the run as the engine has written them; none if they cannot be read."""
        try:
            settings = json.loads((self.folder / SETTINGS).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return settings if isinstance(settings, dict) else {}

    def _plan(self) -> tuple[int, int]:
        """Games of a generation, and generations; 0 if the settings do not say."""
        settings = self._settings()
        try:
            return int(settings.get("games", 0)), int(settings.get("generations", 0))
        except (ValueError, TypeError):
            return 0, 0

    def expected(self, tasks: list[Task], cores: int, folder: Path) -> str:
        """How much work is left, in a line for people: by some games that are played now, which takes a second or two
        at most. `folder` is for their files. Empty if the engine cannot tell."""
        settings, (games, generations) = self._settings(), self._plan()
        try:
            nodes = int(settings["nodes"])
            cost = self._seconds_of_a_game(settings, min(nodes, SAMPLE_NODES), folder)
            cost *= nodes / min(nodes, SAMPLE_NODES)
            matches = 2 * int(settings["gate-games"]) * int(settings["gate-nodes"]) / nodes * cost
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            return ""
        playing = sum(task.units for task in tasks if task.kind == "play")
        later = max(0, generations - self._generation)
        left = playing + later * games
        seconds = left * cost
        words = f"to do: {left:,} games, about {duration(seconds)} of one core"
        if cores > 1:
            words += f" or {duration(seconds / cores)} of the {cores} that there are"
        matches *= later + 1
        return f"{words}; besides, matches of at most {duration(matches)} of one core, and the fits"

    def _seconds_of_a_game(self, settings: dict[str, Any], nodes: int, folder: Path) -> float:
        """Processor time of a game of self-play. ValueError if the engine plays none."""
        words = [
            "selfplay",
            "--variant",
            str(settings["variant"]),
            "--nodes",
            str(nodes),
            "--threads",
            "1",
        ]
        if settings.get("fen"):
            words += ["--fen", str(settings["fen"])]
        costs = []
        for games in SAMPLES:
            sample = [*words, "--games", str(games), "--out", str(folder / f"sample-{games}.dat")]
            finished = self.program.run(sample)
            if finished.code != 0:
                raise ValueError(finished.message)
            costs.append(finished.cpu)
        # The difference is without what it costs to start the engine.
        return max(0.0001, (costs[1] - costs[0]) / (SAMPLES[1] - SAMPLES[0]))


def learn(
    out: str | os.PathLike[str],
    arguments: Sequence[str] = (),
    *,
    cluster: Cluster | None = None,
    fit: Fit | None = None,
    progress: Progress | None = None,
    on_generation: Callable[[Generation], None] | None = None,
) -> None:
    """Runs `hippolyta learn ARGUMENTS --out OUT` on a Ray cluster, and returns when it is done.

    `out` is a folder that all nodes see under the same path, or an address of fsspec. A run that
    was begun goes on. The files have the same bytes as those of `hippolyta learn` on one machine;
    those in the folder `cluster` are only the cluster's. `on_generation` is called with each
    generation once its match is over, between two tasks: nodes meanwhile go on with what they have,
    and what it raises ends the run, which can go on later. In the main
    thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

    Raises ClusterError if the run cannot go on, OptionError if the engine does not understand `arguments`.
    """
    cluster = cluster or Cluster()
    progress = progress or Progress()
    program = Program(cluster.engine)
    fit = fit or Fit()
    out = os.fspath(out)
    with begun(out, cluster) as local:
        # In a folder of no matter, so that nothing is begun with wrong options.
        program.check_options(["learn", *arguments, "--out", str(local / "options"), "--tasks"])
        store = Store(out, cluster.storage)
        store.check()
        if not store.has(SETTINGS):
            check_address(cluster.address)
        # What is refused before its first task leaves nothing behind.
        is_new = not store.sizes() and not store.own()
        job = cluster.job(out, program)
        folder = store.folder or local / "run"
        source = Learning(program, store, out, folder, arguments, fit, on_generation)
        if store.folder and not (folder / SETTINGS).exists():
            source.tasks()  # a new run: the engine wants an empty folder
        try:
            with closing(Journal(store, local)) as journal:
                source.prepare(journal)
                tasks = source.tasks()
                if not tasks:
                    progress.say(f"{out}: done already")
                    return
                with Driver(source, job, journal, progress, cluster, out).connected() as driver:
                    if fit.on:
                        driver.check_resource(fit.on)
                    expected = source.expected(tasks, driver.cores(), local)
                    if expected:
                        progress.say(expected)
                    journal.note("begun", build=job.build, arguments=list(arguments))
                    driver.check_nodes(SETTINGS)
                    is_new = False
                    driver.run()
                store.clean()
                journal.note("finished")
                progress.say(f"{out}: done; processor time of the engine by node:")
                progress.end(journal.cpu)
        except ClusterError:
            if is_new:
                store.clear()
            raise
