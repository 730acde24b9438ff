"""Self-play with a net of one's own, spread over the nodes: the games of `hippolyta.training.selfplay` with
`evaluator=`, on GPUs if the cluster has any.

The run is cut into shards. A shard is a task; its games are a file in a folder beside the result, so that a run that is
started again goes on. In the end they are merged.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from .._hippolyta import whole
from ..training import NO_GAME, merge
from ..training import selfplay as play
from .driver import Driver, begun
from .errors import ClusterError
from .net import Factory, Net
from .parts import InParts, make
from .progress import Progress
from .run import Cluster
from .task import Outcome, Task

AT_ONCE = 256
"""Games that share the batches of a net."""
PART = 4
"""Times as many games has a task: at its end, when the last games are played, batches are not full."""
OWN = ("evaluator", "eval_file", "shard", "resume", "progress")
"""Options of `hippolyta.training.selfplay` that a cluster chooses itself."""


@dataclass
class Playing(InParts):
    """A run of `selfplay` as the driver sees it. First the net is asked what it says; once it `plays`, the parts are
    played. `gpus` are those that a task shall have.
    """

    FILE = "selfplay.json"
    WORDS: ClassVar = {"net": "nets", "options": "options"}

    net: Net
    games: int
    gpus: float | None
    asked: bytes = b""
    plays: bool = False

    @property
    def count(self) -> int:
        """The number of parts."""
        return -(-self.games // int(self.settings["part"]))

    def name(self, part: int) -> str:
        """The file with the games of a part, from 0."""
        return f"{part:09}.dat"

    def tasks(self) -> list[Task]:
        if self.plays:
            return self.left()
        ask = Task("the net", "ask", 0, (), (), 0, (), cores=self.net.cpus)
        return [] if self.asked else [ask]

    def left(self) -> list[Task]:
        return [
            Task(
                name=f"part {part + 1} of {self.count}",
                kind="part",
                generation=0,
                inputs=(),
                outputs=(self.name(part),),
                units=(self.games - part + self.count - 1) // self.count,
                arguments=(str(part), str(self.count)),
                cores=self.net.cpus,
            )
            for part in range(self.count)
            if self.name(part) not in self.there
        ]

    def prepare(self, driver: Driver) -> None:
        """Nothing is kept before the net has answered, and one that says something else than where the run was begun is
        refused.
        """
        self.net = driver.net = replace(self.net, gpus=_share(self.gpus, driver.gpus()))
        with driver.progress.waiting("waiting for the net's first answer: it may lack a free core"):
            driver.run()
        says = json.loads(self.asked)
        said = self.settings.setdefault("says", says)
        super().prepare(driver)
        self.net = replace(self.net, said=tuple(said))
        if not self.net.is_that_of(says):
            raise self.parts.differs(f"another net by the name of {self.net.name}")
        driver.use(self.net)
        self.plays = True

    def done(self, task: Task, outcome: Outcome) -> None:
        super().done(task, outcome)
        self.asked = self.asked or outcome.data

    def resources(self, task: Task, largest: int) -> dict[str, Any]:
        # Ray leases a worker with its GPU for as long as tasks wait, so its evaluator stays where it was made.
        gpus = {"num_gpus": self.net.gpus} if self.net.gpus else {}
        return super().resources(task, largest) | gpus

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        done = self.games - sum(task.units for task in self.left())
        return "self-play", "games", done, self.games

    def joined(self, into: Path) -> str:
        files = [self.local / self.name(number) for number in range(self.count)]
        for file in files:
            self.store.fetch(file.name, file)
        return f"{merge(files, into):,} games"


def selfplay(
    out: str | os.PathLike[str],
    net: str | os.PathLike[str] | Factory,
    *,
    games: int,
    games_at_once: int = AT_ONCE,
    part: int | None = None,
    cpus: int = 1,
    gpus: float | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> None:
    """Plays games with a net of your own on a Ray cluster, and writes `out`: the bytes that
    `hippolyta.training.selfplay(out, evaluator=…, games=…, games_at_once=…)` writes with the same `options`, if the net
    says the same on every node and in batches of every size.

    `net` is a file of ONNX, which is sent to the nodes; or `"module:name"`, an evaluator in a module that the nodes
    can import, installed or in the folder in which this is called; or a function without arguments that makes an
    evaluator, which is called once in each worker (`served` makes one for all of them). `part` are the games of a task,
    `games_at_once` of which share its batches (None: four times as many). A task has `cpus` cores and a share `gpus` of
    a GPU, from 0 to 1: a GPU of its own if Ray says that the cluster has any, else none (None). With `gpus=0.25` four
    tasks share one.

    `out` is a file in a folder that all nodes see, or an address of fsspec. The parts are kept in the folder
    `OUT.parts` until all are there, so that a run that is started again goes on, with the same net: one that says
    something else of a few positions is refused, whatever its name. Nothing is kept before it has answered. In the main
    thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

    Raises ClusterError if `out` exists or another driver is at work on it, no node has a GPU that is asked for, the net
    raises something, or the run cannot go on; ValueError and TypeError for options that `hippolyta.training.selfplay`
    refuses, or a cluster chooses itself.
    """
    cluster = cluster or Cluster()
    part = checked(games, games_at_once, part, cpus, gpus, **options)
    cluster = replace(cluster, engine=None)  # the package itself plays
    out = os.fspath(out)
    with begun(out, cluster) as local:
        options["games"] = games
        chosen = Net.of(net, {"games_at_once": games_at_once, **options}, cpus)
        settings = {"net": chosen.name, "options": _plain(options), "part": part}
        run = Playing(settings, chosen, games, gpus)
        make(out, run, local, cluster, progress or Progress(), os.getcwd())


def checked(
    games: int,
    games_at_once: int = AT_ONCE,
    part: int | None = None,
    cpus: int = 1,
    gpus: float | None = None,
    **options: Any,
) -> int:
    """The games of a part. Raises what `selfplay` raises for wrong options, before anything is begun with them."""
    whole("games_at_once", games_at_once, 1, 4096)
    part = whole("part", PART * games_at_once if part is None else part, 1, 2**31 - 1)
    whole("cpus", cpus, 1, 2**31 - 1)
    if gpus is not None and not 0 <= gpus <= 1:
        raise ValueError(f"gpus: {gpus:g} is not from 0 to 1")
    for name in OWN:
        if name in options:
            raise TypeError(f"{name}: a cluster chooses it itself")
    with tempfile.TemporaryDirectory() as aside:
        play(Path(aside, "none"), games=games, shard=NO_GAME, progress=False, **options)
    return part


def _share(wanted: float | None, there: float) -> float:
    """The share of a GPU that a task gets, if the cluster has so many."""
    if wanted and not there:
        raise ClusterError(f"no node has a GPU, and --gpus {wanted:g} wants one; 0 plays without")
    return (1.0 if there else 0.0) if wanted is None else float(wanted)


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    """The options as they are written and read again, but for threads, which change no game."""
    return {
        name: value if isinstance(value, (int, float, str)) else str(value)
        for name, value in options.items()
        if name != "threads"
    }
