"""The command `python -m hippolyta.cluster`."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..limit import BOUNDS
from . import (
    Cluster,
    ClusterError,
    Fit,
    Interrupted,
    OptionError,
    TensorBoard,
    analyse,
    design,
    learn,
    match,
    selfplay,
    solve,
)
from .errors import NodeTraceback


def options(text: str) -> dict[str, Any]:
    """The value of --storage-options."""
    try:
        value: Any = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("not an object in braces")
    return value


def count(most: int = 2**31 - 1) -> Callable[[str], int]:
    """A whole number from 1."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = 0
        if not 1 <= number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 to {most}")
        return number

    return read


PLAYED: dict[str, type] = {
    "variant": str,
    "fen": str,
    "nodes": int,
    "seed": int,
    "opening_turns": int,
    "sampled_turns": int,
    "temperature": float,
    "noise": float,
    "inner_visits": int,
    "inner_most": int,
    "longest": int,
    "tables": str,
    "hash": int,
    "games_at_once": int,
    "threads": int,
}
"""Options of `selfplay` that are those of `hippolyta.training.selfplay`, which has their defaults, and their types."""


SPREAD = {"design": design, "match": match, "solve": solve}
"""Commands that take the options of the program's own."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    shared = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    shared.add_argument(
        "--address",
        default="auto",
        help="the Ray cluster: HOST:PORT, 'auto' for the one this machine belongs to, "
        "'local' to start one here [default: auto]",
    )
    program = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    program.add_argument(
        "--engine",
        metavar="PATH",
        help="the program hippolyta, at the same path on every node [default: that of the package]",
    )
    store = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    store.add_argument(
        "--storage-options",
        metavar="JSON",
        type=options,
        default={},
        help='options of fsspec for --out, such as \'{"endpoint_url": "https://…"}\'',
    )
    files = argparse.ArgumentParser(add_help=False, allow_abbrev=False, parents=[store])
    shared.add_argument(
        "--scratch",
        metavar="DIR",
        help="for temporary files, on every node [default: the system's]",
    )
    files.add_argument(
        "--cache",
        metavar="MIB",
        type=count(2**43 - 1),
        default=4096,
        help="the most that a node keeps of files it fetched [default: 4096]",
    )
    shared.add_argument(
        "--retries",
        metavar="N",
        type=count(),
        default=10,
        help="how often a task may fail in a row before the run stops [default: 10]",
    )
    whole = argparse.ArgumentParser(
        prog="python -m hippolyta.cluster",
        description="Learning, self-play, analysis, matches, proofs and searches for rules on a Ray cluster",
        allow_abbrev=False,
    )
    commands = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    learning = commands.add_parser(
        "learn",
        parents=[shared, program, files],
        allow_abbrev=False,
        help="self-play, fit and match, generation after generation",
        description="Does what `hippolyta learn` does, on a cluster, and takes its options too. "
        "The same command goes on with a run that ended before it was done.",
        usage="%(prog)s --out OUT [options] [options of `hippolyta learn`]",
    )
    learning.add_argument(
        "--out",
        required=True,
        help="a folder that all nodes see, or an address such as s3://bucket/run",
    )
    learning.add_argument(
        "--fit-on",
        metavar="RESOURCE",
        help="fit on a node with this resource: one of `ray start --resources`, or node:ADDRESS",
    )
    learning.add_argument(
        "--fit-cpus",
        metavar="N",
        type=count(),
        help="cores of the fit [default: all of the largest node]",
    )
    learning.add_argument(
        "--tensorboard",
        metavar="DIR",
        help="write losses and matches of each generation for TensorBoard",
    )
    analysing = commands.add_parser(
        "analyse",
        parents=[shared, program, files],
        allow_abbrev=False,
        help="answer queries on many positions, in order",
        description="Does what `hippolyta analyse` does, on a cluster, and takes its options too. "
        "The answers are in the order of the queries. "
        "The same command goes on with a run that ended before it was done.",
        usage="%(prog)s POSITIONS --out OUT [options] [options of `hippolyta analyse`]",
    )
    analysing.add_argument("positions", type=Path, help="queries, a JSON object a line")
    analysing.add_argument(
        "--out",
        required=True,
        help="the answers: a file in a folder that all nodes see, or an address",
    )
    analysing.add_argument(
        "--nodes",
        type=count(BOUNDS["nodes"][1]),
        default=100_000,
        help="limit of queries that have none: positions evaluated [default: 100000]",
    )
    analysing.add_argument(
        "--part",
        metavar="N",
        type=count(),
        help="queries of one task [default: some ten seconds of work]",
    )
    playing = commands.add_parser(
        "selfplay",
        parents=[shared, files],
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
        help="games of a net of your own with itself, to learn from",
        description="Does what hippolyta.training.selfplay(evaluator=…) does, on a cluster, and takes its options: a "
        "task plays on a GPU if Ray says that there are any, else on a core. "
        "The same command goes on with a run that ended before it was done.",
        usage="%(prog)s --net NET --games N --out OUT [options]",
    )
    playing.add_argument(
        "--net",
        required=True,
        help="a file of ONNX, or module:name for an evaluator in Python that every node can import",
    )
    playing.add_argument(
        "--games", metavar="N", type=count(10**9), required=True, help="games in all"
    )
    playing.add_argument(
        "--out",
        required=True,
        help="the data file, in a folder that all nodes see, or an address",
    )
    playing.add_argument(
        "--gpus",
        metavar="SHARE",
        type=float,
        help="of a GPU, for a task: with 0.25 four share one, with 0 none is used "
        "[default: 1 if there is a GPU, else 0]",
    )
    playing.add_argument(
        "--cpus", metavar="N", type=count(), help="cores of a task, for its net [default: 1]"
    )
    playing.add_argument(
        "--part",
        metavar="N",
        type=count(),
        help="games of one task [default: four times --games-at-once]",
    )
    as_there = playing.add_argument_group("as in hippolyta.training.selfplay")
    for name, kind in PLAYED.items():
        metavar = {int: "N", float: "X", str: name.upper()}[kind]
        as_there.add_argument(f"--{name.replace('_', '-')}", metavar=metavar, type=kind)
    as_there.add_argument("--play-on", action="store_true")
    commands.add_parser(
        "match",
        parents=[shared, store],
        allow_abbrev=False,
        help="engine against engine, a game on a core",
        description="Does what `hippolyta match` does, on a cluster, and takes its options: but for "
        "--concurrency, as all cores play. Programs of engines are at the same path on every node, or a wheel of "
        "this package: cmd=FILE.whl. "
        "With --resume the same command goes on with a match that ended before it was done.",
        usage="%(prog)s [options] OPTIONS OF `hippolyta match`",
    )
    commands.add_parser(
        "solve",
        parents=[shared, program, store],
        allow_abbrev=False,
        help="prove who wins a small board of the Amazons",
        description="Does what `hippolyta solve` does, on a cluster, and takes its options: --out "
        "must be one of them; --threads are those that make a proof file. "
        "The same command goes on with a proof that ended before it was done.",
        usage="%(prog)s [options] --out DIR OPTIONS OF `hippolyta solve`",
    )
    commands.add_parser(
        "design",
        parents=[shared, program],
        allow_abbrev=False,
        help="search variations of a rule set for good games",
        description="Does what `hippolyta design` does, on a cluster, and takes its options: but for --threads, as all "
        "cores learn and play. "
        "With --resume the same command goes on with a search that ended before it was done.",
        usage="%(prog)s [options] --out FILE OPTIONS OF `hippolyta design`",
    )
    return whole


def again(command: str, words: list[str]) -> str:
    """The command line that goes on with a run."""
    resume = ["--resume"] if command in ("match", "design") and "--resume" not in words else []
    return shlex.join(["python", "-m", "hippolyta.cluster", *words, *resume])


def main(words: list[str] | None = None) -> int:
    """Does what a command line says. Returns the exit code: 0, 1 for an error, 2 for a wrong
    command line, 130 if it was interrupted.
    """
    words = sys.argv[1:] if words is None else words
    given, rest = parser().parse_known_args(words)
    if given.command == "selfplay" and rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    cluster = Cluster(
        address=given.address,
        engine=getattr(given, "engine", None),
        storage=getattr(given, "storage_options", {}),
        scratch=given.scratch,
        cache=getattr(given, "cache", 4096) << 20,
        retries=given.retries,
    )
    try:
        if given.command == "learn":
            fit = Fit(given.fit_on, given.fit_cpus)
            hook = TensorBoard(given.tensorboard) if given.tensorboard else None
            learn(given.out, rest, cluster=cluster, fit=fit, on_generation=hook)
        elif given.command in SPREAD:
            SPREAD[given.command](rest, cluster=cluster)
        elif given.command == "selfplay":
            own = (*PLAYED, "play_on", "games", "part", "cpus", "gpus")
            chosen = {name: getattr(given, name) for name in own if hasattr(given, name)}
            try:
                selfplay(given.out, given.net, cluster=cluster, **chosen)
            except ValueError as error:
                print(f"hippolyta.cluster: {error}", file=sys.stderr)
                return 2
        else:
            analyse(
                given.positions,
                given.out,
                nodes=given.nodes,
                arguments=rest,
                part=given.part,
                cluster=cluster,
            )
    except OptionError as error:
        print(error.text, file=sys.stderr)
        return 2
    except (ClusterError, ImportError) as error:
        if isinstance(error.__cause__, NodeTraceback):
            print(error.__cause__, file=sys.stderr)
        print(f"hippolyta.cluster: {error}", file=sys.stderr)
        return 1
    except (Interrupted, KeyboardInterrupt):
        print(
            f"\nstopped; what is done is kept. To go on: {again(given.command, words)}",
            file=sys.stderr,
        )
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
