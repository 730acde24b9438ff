"""The engine's program: how it is called, which build it is, and what a run of it cost."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from . import leash
from .errors import ClusterError, OptionError

TRY_AGAIN = 75
"""The exit code of a task that failed for a reason that may pass (`EX_TEMPFAIL` of sysexits.h)."""


@dataclass(frozen=True)
class Finished:
    """A run of the program that has ended.

    `code` is the exit code, or minus the number of the signal that ended it. `cpu` are the
    processor seconds of the program and its children, `stdout` and `stderr` what it wrote. `trace` is the traceback of
    what a net raised.
    """

    code: int
    cpu: float
    stdout: bytes
    stderr: bytes
    trace: str = ""

    @property
    def message(self) -> str:
        """Why the program ended, in one line that it wrote to standard error, or else what ended it."""
        return message_of(self.stderr.decode(errors="replace"), self.code)


def message_of(stderr: str, code: int) -> str:
    """Why a program ended that has written this to standard error, in one line."""
    lines = stderr.strip().splitlines()
    if lines and lines[0].startswith("error: "):  # of wrong options, with advice below it
        return lines[0].removeprefix("error: ").strip()
    if lines:
        return lines[-1].strip()
    if code < 0:
        return f"ended by signal {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


WRONG_OPTIONS = 2
"""The exit code for a wrong command line."""


@dataclass(frozen=True)
class Program:
    """The command `hippolyta`: the one at `engine`, or that of the package this Python imports."""

    engine: str | None = None

    @property
    def command(self) -> list[str]:
        """The words that start the program, after those that start `leash.py`."""
        return [self.engine] if self.engine else ["--module", str(_extension())]

    def _leashed(self, arguments: list[str]) -> list[str]:
        """The command line of a program that ends if this process dies (on Linux)."""
        leashed = [sys.executable, "-I", "-S", leash.__file__, str(os.getpid())]
        return [*leashed, *self.command, *arguments]

    def start(self, arguments: list[str]) -> subprocess.Popen[bytes]:
        """Starts the program, to talk to it. If this process dies, the program is ended."""
        pipe = subprocess.PIPE
        return subprocess.Popen(self._leashed(arguments), stdin=pipe, stdout=pipe, stderr=pipe)

    def run(
        self,
        arguments: list[str],
        stdin: bytes = b"",
        here: str | None = None,
        scratch: Path | None = None,
    ) -> Finished:
        """Runs the program, in the folder `here` or that of this process, and waits for its end. If
        this process dies meanwhile, the program is ended. `scratch` is its folder for temporary files, if not the
        system's.
        """
        environment = {**os.environ, "TMPDIR": str(scratch.absolute())} if scratch else None
        with (
            tempfile.TemporaryFile() as given,
            tempfile.TemporaryFile() as out,
            tempfile.TemporaryFile() as err,
        ):
            given.write(stdin)
            given.seek(0)
            child = subprocess.Popen(
                self._leashed(arguments),
                stdin=given,
                stdout=out,
                stderr=err,
                cwd=here,
                env=environment,
            )
            try:
                # `wait` does not tell what the program cost.
                _, status, usage = os.wait4(child.pid, 0)
            except BaseException:
                child.kill()
                child.wait()
                raise
            child.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            err.seek(0)
            cpu = usage.ru_utime + usage.ru_stime
            return Finished(child.returncode, cpu, out.read(), err.read())

    def check_options(self, arguments: list[str]) -> None:
        """Raises OptionError if the program does not understand these words. Whatever else it says of them is no matter
        here."""
        finished = self.run(arguments)
        if finished.code == WRONG_OPTIONS:
            raise OptionError(finished.message, finished.stderr.decode(errors="replace").rstrip())

    def build(self) -> str:
        """Which build this is: its version, and how many positions a short `bench` searches, in one
        line.

        The count changes with anything that changes play, and is the same on every kind of machine.
        Takes a second or two of processor time. Raises ClusterError if the program does not start.
        """
        version = self.run(["--version"])
        if version.code != 0:
            raise ClusterError(f"the engine does not work: {version.message}")
        bench = self.run(["bench", "--depth", "1"])
        lines = bench.stdout.decode(errors="replace").strip().splitlines()
        if bench.code != 0 or not lines:
            raise ClusterError(f"the engine does not work: bench: {bench.message}")
        nodes = lines[-1].split()[0]
        return f"{version.stdout.decode(errors='replace').strip()} (bench {nodes})"

    def build_known(self, folder: Path) -> str:
        """The result of `build`, remembered in `folder` until the program's file changes."""
        found = shutil.which(self.engine) if self.engine else _extension()
        stat = Path(found).stat() if found else None
        key = json.dumps([self.command, stat and [stat.st_size, stat.st_mtime_ns, stat.st_ino]])
        memory = folder / f"build-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
        if stat and memory.exists():
            return memory.read_text()
        build = self.build()
        if stat:
            folder.mkdir(parents=True, exist_ok=True)
            fresh = folder / f"{memory.name}.{os.getpid()}"
            fresh.write_text(build)
            fresh.replace(memory)
        return build


def _extension() -> Path:
    """The file of the compiled part of the package, which has the whole program."""
    spec = find_spec("hippolyta._hippolyta")
    if spec is None or spec.origin is None:
        raise ClusterError("hippolyta is not installed whole: its compiled part is missing")
    return Path(spec.origin)
