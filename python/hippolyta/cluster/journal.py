"""The record of a run so far: files of JSON lines in the folder `cluster`, one for each driver
there was.

The files of a run say what is done; the journal says what they should hold, where they were made
and what that cost. So a driver that is started again finds files that are not what was written, and
goes on counting.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .store import OWN, Stamp, Store
from .task import Outcome, Task

EVERY = 10.0
"""Seconds between two copies of the journal to an object store, which cannot append."""


class Journal:
    """Reads the journals of the drivers before, and writes one of its own.

    `stamps` has what the files hold that were made so far, `cpu` the processor seconds by node.
    """

    def __init__(self, store: Store | None, folder: Path) -> None:
        """`folder` is a local one, for the journal as long as it is not copied to the store. A run without files has
        nothing to go on from: it is counted here alone.
        """
        self.stamps: dict[str, Stamp] = {}
        self.cpu: dict[str, float] = {}
        self._games: set[str] = set()
        self._store = store
        for name in store.own() if store else ():
            if store and name.startswith(f"{OWN}/journal-"):
                self._read(store.read(name))
        name = f"{OWN}/journal-{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}-{os.getpid()}.jsonl"
        self._name = name
        path = store.folder / name if store and store.folder else folder / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._file = path.open("a", encoding="utf-8")
        self._copied = time.monotonic()
        self._fresh = False

    def _read(self, lines: bytes) -> None:
        for line in lines.splitlines():
            try:
                entry: dict[str, Any] = json.loads(line)
            except ValueError:  # the driver was killed while it wrote this line
                continue
            if entry.get("what") == "done":
                if entry.get("kind") == "play":
                    self._games |= set(entry["outputs"])
                self.stamps |= {file: Stamp(**stamp) for file, stamp in entry["outputs"].items()}
                self._count(entry["node"], entry["cpu"])

    def games(self, name: str) -> bool:
        """Whether the file was made by self-play."""
        return name in self._games

    def _count(self, node: str, cpu: float) -> None:
        self.cpu[node] = self.cpu.get(node, 0.0) + cpu

    def note(self, what: str, **entry: Any) -> None:
        """Adds a line."""
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        line = json.dumps({"what": what, "time": when, **entry}, separators=(",", ":"))
        self._file.write(line + "\n")
        self._file.flush()
        self._fresh = True
        if time.monotonic() - self._copied > EVERY:
            self.copy()

    def done(self, task: Task, outcome: Outcome) -> None:
        """Adds a task that is done."""
        self.stamps |= outcome.outputs
        self._count(outcome.node, outcome.cpu)
        entry = asdict(outcome)
        del entry["data"]
        self.note("done", kind=task.kind, units=task.units, **entry)

    def copy(self) -> None:
        """Makes the journal safe now: on the disk, or in the object store."""
        if not self._fresh:
            return
        os.fsync(self._file.fileno())
        if self._store and not self._store.folder:
            self._store.publish(self._path, self._name)
        self._copied = time.monotonic()
        self._fresh = False

    def close(self) -> None:
        """Copies what is new, and closes the file."""
        self.copy()
        self._file.close()
