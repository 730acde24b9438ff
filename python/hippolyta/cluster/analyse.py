"""Many positions, spread over the nodes: the queries of `hippolyta analyse`, answered in order.

The queries are cut into parts. A part is a task; its answers are a file in a folder beside the
answers, so that a run that is started again goes on. In the end they are joined.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from .._hippolyta import whole
from ..limit import BOUNDS
from .driver import begun
from .errors import ClusterError
from .parts import InParts, make
from .program import Program
from .progress import Progress
from .run import Cluster
from .task import Task

PART = 3_000_000
"""Nodes of one task: some ten seconds of a core, so that starting the engine costs next to nothing.
"""
COMMAND = ("analyse", "--jobs", "1", "--threads", "1")
"""The words of a task, before the options that were given."""
ANSWER = re.compile(rb'\{"id":"(\d+)"(?=[,}])')


@dataclass(frozen=True)
class Query:
    """A line of the input: the query with the number of its line for an id, and the id it came
    with.
    """

    line: bytes
    id: bytes


def read_queries(lines: Sequence[str], where: str) -> list[Query]:
    """The queries of JSON lines. Without an `id` a query has the number of its line, from 1.

    Raises ClusterError with the number of the line that is not a query.

    >>> read_queries(['{"fen": "…"}', "", '{"id": "b"}'], "positions.jsonl")[1].id
    b'"b"'
    """
    queries: list[Query] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            query: Any = json.loads(line)
        except ValueError as error:
            raise ClusterError(f"{where}, line {number}: not JSON: {error}") from error
        if not isinstance(query, dict):
            raise ClusterError(f"{where}, line {number}: a query is an object in braces")
        if str(query.get("action")).startswith("terminate"):
            raise ClusterError(f"{where}, line {number}: there is nothing to terminate")
        id = query.get("id", str(number))
        if not isinstance(id, str):
            raise ClusterError(f"{where}, line {number}: the id is not a string")
        named = {**query, "id": str(len(queries))}
        text = json.dumps(named, ensure_ascii=False, separators=(",", ":"))
        queries.append(Query(text.encode(), json.dumps(id, ensure_ascii=False).encode()))
    if not queries:
        raise ClusterError(f"{where} has no positions")
    return queries


def in_order(queries: Sequence[Query], first: int, answers: bytes) -> Iterator[bytes]:
    """The answers to `queries`, in their order and with their own ids. `first` is the number of the
    first query.

    Raises ClusterError if one has no answer.
    """
    found: list[list[bytes]] = [[] for _ in queries]
    for line in answers.splitlines():
        match = ANSWER.match(line)
        index = int(match[1]) - first if match else -1
        if not match or not 0 <= index < len(queries):
            raise ClusterError(f"not an answer: {line[:200].decode(errors='replace')}")
        found[index].append(b'{"id":' + queries[index].id + line[match.end() :])
    for query, lines in zip(queries, found, strict=True):
        if not lines:
            raise ClusterError(f"query {query.id.decode()} has no answer")
        yield from lines


@dataclass
class Analysing(InParts):
    """A run of `analyse` as the driver sees it."""

    FILE = "analyse.json"
    WORDS: ClassVar = {"positions": "positions", "arguments": "options"}

    queries: list[Query]

    def parts_by_name(self) -> Iterator[tuple[str, int, list[Query]]]:
        """The files with the answers, and the queries of each with the number of the first."""
        step = int(self.settings["part"])
        for first in range(0, len(self.queries), step):
            yield f"{first:09}.jsonl", first, self.queries[first : first + step]

    def left(self) -> list[Task]:
        return [
            Task(
                name=f"queries {first + 1} to {first + len(queries)}",
                kind="part",
                generation=0,
                inputs=(),
                outputs=(name,),
                units=len(queries),
                arguments=(*COMMAND, *map(str, self.settings["arguments"])),
                stdin=b"".join(query.line + b"\n" for query in queries),
            )
            for name, first, queries in self.parts_by_name()
            if name not in self.there
        ]

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        total = len(self.queries)
        return "analysis", "positions", total - sum(task.units for task in waiting), total

    def joined(self, into: Path) -> str:
        with into.open("wb") as file:
            for name, first, queries in self.parts_by_name():
                answers = self.local / name
                self.store.fetch(name, answers)
                for line in in_order(queries, first, answers.read_bytes()):
                    file.write(line + b"\n")
                answers.unlink()
        return f"{len(self.queries):,} queries answered"


def analyse(
    positions: str | os.PathLike[str],
    out: str | os.PathLike[str],
    *,
    nodes: int = 100_000,
    arguments: Sequence[str] = (),
    part: int | None = None,
    cluster: Cluster | None = None,
    progress: Progress | None = None,
) -> None:
    """Answers the queries in `positions`, JSON lines as `hippolyta analyse` reads them, and writes
    `out`.

    The answers are in the order of the queries. `nodes` is the limit of queries that have none,
    `arguments` are further options of `hippolyta analyse`, `part` is the number of queries of one
    task (None: some ten seconds of work). The parts are kept in the folder `OUT.parts` until all
    are there, so that a run that is started again goes on. In the main
    thread Ctrl-C and SIGTERM end it with `Interrupted`; others hear of no signals.

    Raises ClusterError if the positions cannot be read, `out` exists, or the run cannot go on; OptionError if the engine
    does not understand `arguments`.
    """
    cluster = cluster or Cluster()
    whole("nodes", nodes, *BOUNDS["nodes"])
    if part is not None:
        whole("part", part, 1, 2**31 - 1)
    try:
        text = Path(positions).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        raise ClusterError(f"{positions}: {reason}") from error
    queries = read_queries(text.splitlines(), str(positions))
    given = ["--nodes", str(nodes), *arguments]
    Program(cluster.engine).check_options([*COMMAND, *given])
    settings = {
        "positions": hashlib.sha256(text.encode()).hexdigest(),
        "arguments": given,
        "part": part or max(1, min(1000, PART // nodes)),
    }
    out = os.fspath(out)
    with begun(out, cluster) as local:
        make(out, Analysing(settings, queries), local, cluster, progress or Progress())
