"""The folder of a run that is kept at an address of fsspec: its owner works in a local copy, and what changes there is
copied to the address.

A copy is what an owner leaves that is killed at that moment, so any other can go on with it. A driver that is killed
costs what was found since the last one. Nothing here knows of Ray.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ClusterError, reason_of
from .store import Store

EVERY = 10.0
"""Seconds between two copies, if copying takes no longer than a second; else ten times as long as it takes."""

PAUSES = (1.0, 2.0, 5.0)
"""Seconds before the last copy is tried again."""

LEFT_OUT = ("lock", ".hippolyta-tmp")
"""The ends of the names of files by which owners on one machine know of each other, and of those half written."""

COMMAND = "match.json"
"""The file in which the command line is told."""

Halted = Callable[[], AbstractContextManager[None]]
"""Keeps the owner from writing meanwhile."""


@dataclass
class Mirror:
    """The local folder `folder` for the files at `address`."""

    address: str
    store: Store
    folder: Path
    _copied: dict[str, tuple[int, int]] = field(default_factory=dict)
    _copier: threading.Thread | None = None
    _failure: Exception | None = None
    _next: float = 0.0
    _is_over: bool = False

    @staticmethod
    def of(address: str, storage: dict[str, Any], scratch: Path) -> Mirror:
        """Fetches what is there into a new folder below `scratch`. Raises ClusterError."""
        store = Store(address, storage)
        store.check()
        scratch.mkdir(parents=True, exist_ok=True)
        mirror = Mirror(address, store, Path(tempfile.mkdtemp(prefix="run-", dir=scratch), "run"))
        mirror.folder.mkdir()
        try:
            for name in store.sizes():
                store.fetch(name, mirror.folder / name)
                mirror._copied[name] = _state(mirror.folder / name)
        except Exception as error:  # file systems of fsspec raise what their libraries do
            mirror._remove()
            raise ClusterError(f"{address}: {reason_of(error)}") from error
        return mirror

    def named(self, text: str) -> str:
        """A text on the folder, with the address in its place."""
        return text.replace(str(self.folder), self.address)

    def begin(self, halted: Halted) -> None:
        """Copies what is there now, and raises ClusterError if that is impossible: better now than after hours."""
        self._publish(self._changed(halted))
        if self._failure:
            self._is_over = True
            raise ClusterError(f"{self.address}: {reason_of(self._failure)}") from self._failure

    def look(self, halted: Halted) -> str | None:
        """Begins to copy what has changed, if it is time to. Returns why the last copy has failed, if it has."""
        is_busy = self._copier is not None and self._copier.is_alive()
        if is_busy or self._is_over or time.monotonic() < self._next:
            return None
        failure, self._failure = self._failure, None
        self._copier = threading.Thread(
            target=self._publish, args=[self._changed(halted)], daemon=True
        )
        self._copier.start()
        return f"{self.address}: {reason_of(failure)}; again in a while" if failure else None

    def end(self, halted: Halted) -> None:
        """Copies what is left, and removes the folder. If that is impossible, it stays: raises ClusterError."""
        if self._copier:
            self._copier.join()
        for pause in () if self._is_over else (*PAUSES, None):
            self._failure = None
            self._publish(self._changed(halted))
            if not self._failure:
                break
            if not pause:
                text = f"{self.address}: {reason_of(self._failure)}; the files are in {self.folder.parent}"
                raise ClusterError(text) from self._failure
            time.sleep(pause)
        self._is_over = True
        self._remove()

    def _remove(self) -> None:
        shutil.rmtree(self.folder.parent, ignore_errors=True)

    def _changed(self, halted: Halted) -> list[tuple[str, Path, tuple[int, int]]]:
        """Copies of the files that have changed, those first that were not written for longest: a folder without its
        settings is nobody's. They are removed when they are published.
        """
        copies = self.folder.parent / "copies"
        copies.mkdir(exist_ok=True)
        with halted():
            paths = [path for path in self.folder.iterdir() if path.is_file()]
            paths = [path for path in paths if not path.name.endswith(LEFT_OUT)]
            states = {path: _state(path) for path in paths}
            paths.sort(key=lambda path: states[path][1])
            changed = [path for path in paths if self._copied.get(path.name) != states[path]]
            for path in changed:
                shutil.copyfile(path, copies / path.name)
            for name in set(self._copied) - {path.name for path in paths}:
                self._copied[name] = GONE
        return [(path.name, copies / path.name, states[path]) for path in changed]

    def _publish(self, changed: Sequence[tuple[str, Path, tuple[int, int]]]) -> None:
        begun = time.monotonic()
        try:
            for name, copy, state in changed:
                if name == COMMAND:
                    copy.write_text(self.named(copy.read_text(encoding="utf-8")), encoding="utf-8")
                self.store.publish(copy, name)
                copy.unlink()
                self._copied[name] = state
            for name in [name for name, state in self._copied.items() if state == GONE]:
                self.store.remove(name)
                del self._copied[name]
        except Exception as error:  # noqa: BLE001 (file systems of fsspec raise what their libraries do)
            self._failure = error
        now = time.monotonic()
        self._next = now + max(EVERY, 10 * (now - begun))


GONE = (-1, -1)
"""The state of a file that was removed from the folder."""


def _state(path: Path) -> tuple[int, int]:
    """Size and time of a file's last change, by which changes are found."""
    stat = os.stat(path)
    return stat.st_size, stat.st_mtime_ns


def taken_out(arguments: Sequence[str]) -> tuple[list[str], str | None]:
    """The options without `--out ADDRESS`, and the address; no address if it is a folder, or there is none.

    >>> taken_out(["--games", "2", "--out", "s3://bucket/run"])
    (['--games', '2'], 's3://bucket/run')
    >>> taken_out(["--out=here"])
    (['--out=here'], None)
    """
    words = list(arguments)
    for place, word in enumerate(words):
        if word.startswith("--out=") and "://" in word:
            return words[:place] + words[place + 1 :], word.removeprefix("--out=")
        if word == "--out" and "://" in "".join(words[place + 1 : place + 2]):
            return words[:place] + words[place + 2 :], words[place + 1]
    return words, None
