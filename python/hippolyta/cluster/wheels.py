"""Engines that come as wheels of this package: other builds, which play a match without being
installed on any node.

Each node unpacks a wheel once, in its folder for temporary files. Nothing here knows of Ray.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import shlex
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import ClusterError, told_in_one_line

PROGRAM = "engine"
"""The name of the program beside the unpacked package."""


@dataclass(frozen=True)
class Wheel:
    """A wheel: what its file holds, and what that is known by."""

    key: str
    content: bytes

    @staticmethod
    def read(path: Path) -> Wheel:
        """The wheel at `path`. Raises ClusterError."""
        with told_in_one_line(str(path)):
            content = path.read_bytes()
        if not zipfile.is_zipfile(io.BytesIO(content)):
            raise ClusterError(f"{path} is not a wheel: it is no zip file")
        return Wheel(hashlib.sha256(content).hexdigest()[:16], content)

    def program(self, folder: Path) -> Path:
        """The path of its program, if it is unpacked below `folder`."""
        return folder / "wheels" / self.key / PROGRAM

    def unpack(self, folder: Path) -> None:
        """Unpacks it below `folder`, if nobody has: a folder appears whole or not at all."""
        program = self.program(folder)
        target = program.parent
        target.parent.mkdir(parents=True, exist_ok=True)
        with (target.parent / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # all workers of a node begin at once
            if target.exists():
                return
            with tempfile.TemporaryDirectory(dir=target.parent) as fresh:
                made = Path(fresh, self.key)
                with zipfile.ZipFile(io.BytesIO(self.content)) as file:
                    file.extractall(made)
                path, python = shlex.quote(str(target)), shlex.quote(sys.executable)
                script = made / PROGRAM
                script.write_text(f'#!/bin/sh\nPYTHONPATH={path} exec {python} -m hippolyta "$@"\n')
                script.chmod(0o755)
                made.rename(target)


def taken_from(arguments: Sequence[str], folder: Path) -> tuple[list[str], tuple[Wheel, ...]]:
    """The options of a match with the path of a program in place of each wheel, unpacked below
    `folder`: `cmd=FILE.whl`. An engine that is given no name has that of its file. Raises
    ClusterError.
    """
    words: list[str] = []
    wheels: dict[str, Wheel] = {}
    begun = 0  # where the words of the last option begin
    for word in arguments:
        if word.startswith("--"):
            begun = len(words) + 1
        if word.startswith("cmd=") and word.endswith(".whl"):
            path = Path(word.removeprefix("cmd="))
            wheel = Wheel.read(path)
            wheels[wheel.key] = wheel
            words.insert(begun, f"name={path.stem}")
            word = f"cmd={wheel.program(folder)}"
        words.append(word)
    return words, tuple(wheels.values())
