"""The common part of the scripts beside this file: the engine as a child process.

The program is the one that HIPPOLYTA names, else target/release/hippolyta of this checkout, else
`hippolyta` in the path, else that of the Python package `hippolyta`.

`Analysis` and `Player` speak the two protocols of the program: JSON lines for many positions, and
UCI, which other engines speak as well. Whatever goes wrong is a `Failure`, whose text is one line.

Python 3.10 or newer, nothing but its standard library.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import functools
import importlib.util
import itertools
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

WINDOWS = os.name == "nt"
# Seconds that an engine may take to start and to say that it is ready.
PATIENCE = 30.0
# Seconds that it may take to end once it was told to.
FAREWELL = 2.0
# Longest time to wait without looking up: on Windows, Ctrl-C does not wake who waits for a queue.
SLICE = 0.2

# Words, or, on Windows, one line.
Command = str | Sequence[str]
# When a line came, by time.monotonic(), and the line.
Line = tuple[float, str]


class Failure(Exception):
    """Something that a person should read; one line."""


class Late(Failure):
    """An engine has not answered in time."""


class QueryError(Failure):
    """The engine refused a query. `field` is the part that is to blame, if one is."""

    def __init__(self, field: str | None, text: str) -> None:
        # Errors of these name them.
        named = field is None or field in ("fen", "variant")
        super().__init__(text if named else f"{_in_words(field or '')}: {text}")
        self.field = field


def _in_words(field: str) -> str:
    """`moves[3]` is the fourth move."""
    if field.startswith("moves[") and field[6:-1].isdigit():
        return f"move {int(field[6:-1]) + 1}"
    return field


class Position(NamedTuple):
    """A position as the rules see it."""

    fen: str
    # Whose turn it is: "white" or "black".
    side: str
    # None, or "white", "black" or "draw" if the game is over.
    outcome: str | None
    # The legal moves in their usual spelling.
    moves: list[str]


def other(side: str) -> str:
    return "black" if side == "white" else "white"


# The program and its two protocols.


def command() -> list[str]:
    """The program as a command line. An installed package is a program, too."""
    named = os.environ.get("HIPPOLYTA")
    if named:
        found = shutil.which(named)
        if not found:
            raise Failure(f"HIPPOLYTA names '{named}', which is no program")
        return [found]
    release = Path(__file__).resolve().parent.parent / "target" / "release"
    built = release / ("hippolyta.exe" if WINDOWS else "hippolyta")
    found = str(built) if built.is_file() else shutil.which("hippolyta")
    if found:
        return [found]
    if importlib.util.find_spec("hippolyta"):
        return [sys.executable, "-m", "hippolyta"]
    raise Failure(
        "no engine was found: run `cargo build --release`, install the Python package hippolyta, "
        "or name the program in HIPPOLYTA"
    )


class Child:
    """A child process that reads and writes lines.

    Threads read at all times what it writes, so that it never waits for its reader: however much
    is sent to it at once, the two sides do not end up waiting for each other. The child ends when
    this object is closed or the script ends, whatever the reason.
    """

    def __init__(self, command: Command, name: str | None = None) -> None:
        words = command.split() if isinstance(command, str) else list(command)
        if not words:
            raise Failure("an engine's command is empty")
        self.name = name or Path(words[0].strip('"')).name
        # With a session or group of its own Ctrl-C only reaches the script, and what the child has
        # started itself can be ended with it.
        group = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        session: dict[str, Any] = (
            {"creationflags": group} if WINDOWS else {"start_new_session": True}
        )
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                **session,
            )
        except OSError as error:
            raise Failure(f"{words[0]}: {error.strerror or error}") from None
        self._lines: queue.SimpleQueue[Line | None] = queue.SimpleQueue()
        self._complaints: collections.deque[str] = collections.deque(maxlen=20)
        keep = functools.partial(_keep, self._complaints)
        streams = [(self.process.stdout, self._lines.put), (self.process.stderr, keep)]
        self._readers = [threading.Thread(target=_read, args=pair, daemon=True) for pair in streams]
        for reader in self._readers:
            reader.start()
        # At the end of the script as well.
        self._finalizer = weakref.finalize(self, _kill, self.process)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write(self, line: str) -> None:
        """Sends a line. Blocks while the child does not read."""
        assert self.process.stdin
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except (OSError, ValueError):
            raise Failure(self._ending()) from None

    def timed_line(self, timeout: float | None = None) -> Line:
        """The next line and when it came. Waits up to `timeout` seconds for it."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = SLICE if deadline is None else max(0.0, min(SLICE, deadline - time.monotonic()))
            try:
                line = self._lines.get(timeout=left)
            except queue.Empty:
                if deadline is not None and time.monotonic() >= deadline:
                    raise Late(f"{self.name} has not answered for {timeout:g} s") from None
                continue
            if line is None:
                # For whoever asks again.
                self._lines.put(None)
                raise Failure(self._ending())
            return line

    def line(self, timeout: float | None = None) -> str:
        """The next line. Waits up to `timeout` seconds for it."""
        return self.timed_line(timeout)[1]

    def _ending(self) -> str:
        """How the child ended."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)
        self._readers[1].join(SLICE)
        code = self.process.returncode
        if code is None:
            how = "does not listen any more"
        elif code < 0:
            how = f"was ended by signal {-code}"
        else:
            how = f"has ended with exit code {code}"
        # Advice follows on most errors; a program in Python names its error last.
        complaints = list(self._complaints) or [""]
        reason = complaints[-1 if complaints[0].startswith("Traceback") else 0]
        reason = reason.removeprefix("error: ")
        return f"{self.name} {how}: {reason}" if reason else f"{self.name} {how}"

    def close(self, farewell: str | None = None, patience: float = FAREWELL) -> None:
        """Ends the child: politely, and by force if it does not end within `patience` seconds."""
        if not self._finalizer.alive:
            return
        if patience > 0:
            # Threads, as an engine that does not read would block the one that writes.
            polite = threading.Thread(
                target=_say_goodbye, args=(self.process, farewell), daemon=True
            )
            polite.start()
            polite.join(patience)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        self._finalizer()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)
        for reader, stream in zip(self._readers, (self.process.stdout, self.process.stderr)):
            # A stream that something else still holds open is left to the end of this process.
            reader.join(SLICE)
            if stream and not reader.is_alive():
                stream.close()
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin
            self.process.stdin.close()


def _read(stream: Any, put: Callable[[Line | None], None]) -> None:
    with contextlib.suppress(OSError, ValueError):
        for line in stream:
            put((time.monotonic(), line.rstrip("\r\n")))
    put(None)


def _keep(complaints: collections.deque[str], line: Line | None) -> None:
    if line and line[1].strip():
        complaints.append(line[1].strip())


def _say_goodbye(process: subprocess.Popen[str], farewell: str | None) -> None:
    with contextlib.suppress(OSError, ValueError):
        assert process.stdin
        if farewell:
            process.stdin.write(farewell + "\n")
        process.stdin.close()


def _kill(process: subprocess.Popen[str]) -> None:
    """Ends a child, and where the system can also what the child has started."""
    if process.poll() is not None:
        return
    with contextlib.suppress(OSError):
        if WINDOWS:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


class Analysis(Child):
    """`hippolyta analyse`: many positions at once, answers in any order.

    Thousands of queries may be sent before the first answer is received.
    """

    def __init__(self, *arguments: object, program: Sequence[str] | None = None) -> None:
        super().__init__([*(program or command()), "analyse", *map(str, arguments)])
        # Answers that were read while another was looked for.
        self._kept: collections.deque[dict[str, Any]] = collections.deque()
        # How many answers are still to come, by the queries' names.
        self._open: dict[Any, int] = {}
        self._numbers = itertools.count()
        self._warned: set[str] = set()

    def send(self, **query: Any) -> None:
        """Sends one query, which needs an `id` of its own."""
        name = query.get("id")
        self._open[name] = self._open.get(name, 0) + len(query.get("analyseTurns", [None]))
        self.write(json.dumps(query))

    def receive(self, timeout: float | None = None) -> dict[str, Any]:
        """The next answer, interim ones included. Waits up to `timeout` seconds for it.

        A query that was refused is a QueryError, after which the answers to others can be received.
        Warnings are not answers: each is printed once, on standard error.
        """
        return _checked(self._kept.popleft() if self._kept else self._read_answer(timeout))

    def ask(self, timeout: float | None = None, **query: Any) -> dict[str, Any]:
        """The final answer to one query. Answers to others that come meanwhile are kept for `receive`."""
        name = f"ask {next(self._numbers)}"
        self.send(id=name, **query)
        return self._answer_to(name, timeout)

    def position(self, variant: str, fen: str | None = None, moves: Iterable[str] = ()) -> Position:
        """The position after `moves` from `fen`, or from the start position."""
        state = self.ask(action="legal_moves", **_setup(variant, fen, moves))
        return Position(state["fen"], state["currentPlayer"], state["outcome"], state["moves"])

    def best_move(
        self, variant: str, fen: str | None, moves: Iterable[str], **limits: int | None
    ) -> str | None:
        """The engine's move within `limits`, as `nodes` and `elo`, or None if the game is over."""
        given = {name: value for name, value in limits.items() if value is not None}
        answer = self.ask(**_setup(variant, fen, moves), **given)
        return answer["moveInfos"][0]["move"] if answer["moveInfos"] else None

    def close(self, farewell: str | None = None, patience: float = FAREWELL) -> None:
        """Ends the process. Answers that were not received yet are not waited for."""
        super().close(farewell, 0.0 if self._open else patience)

    def _answer_to(self, name: str, timeout: float | None = None) -> dict[str, Any]:
        while True:
            answer = self._read_answer(timeout)
            if answer.get("id") != name:
                self._kept.append(answer)
            elif not answer.get("isDuringSearch"):
                return _checked(answer)

    def _read_answer(self, timeout: float | None) -> dict[str, Any]:
        while True:
            line = self.line(timeout)
            try:
                answer: dict[str, Any] = json.loads(line)
            except ValueError:
                raise Failure(f"{self.name} wrote what is not JSON: '{line[:60]}'") from None
            if "warning" in answer:
                self._warn(answer)
                continue
            if not answer.get("isDuringSearch"):
                self._count(answer)
            return answer

    def _count(self, answer: dict[str, Any]) -> None:
        name = answer.get("id")
        left = self._open.pop(name, 0) - 1
        # An error without a position is the only answer to its query.
        if left > 0 and not ("error" in answer and "turnNumber" not in answer):
            self._open[name] = left

    def _warn(self, answer: dict[str, Any]) -> None:
        field = f"{answer['field']}: " if "field" in answer else ""
        text = f"warning: {field}{answer['warning']}"
        if text not in self._warned:
            self._warned.add(text)
            print(text, file=sys.stderr)


def _setup(variant: str, fen: str | None, moves: Iterable[str]) -> dict[str, Any]:
    setup = {"variant": variant, "moves": list(moves)}
    return {**setup, "fen": fen} if fen else setup


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    if "error" in answer:
        raise QueryError(answer.get("field"), answer["error"])
    return answer


class Player(Child):
    """An engine that speaks UCI; without `command`, Hippolyta."""

    def __init__(
        self,
        command_line: Command | None = None,
        variant: str = "amazons",
        options: dict[str, Any] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(command_line or command(), name)
        try:
            self.ask("uci", "uciok")
            for option, value in {"UCI_Variant": variant, **(options or {})}.items():
                self.send(f"setoption name {option} value {value}")
            self.ask("isready", "readyok")
        except BaseException:
            self.close()
            raise

    def send(self, line: str) -> None:
        """Sends a line."""
        self.write(line)

    def ask(self, line: str, end: str, timeout: float | None = PATIENCE) -> list[str]:
        """Sends a line and returns all lines up to the one that begins with the word `end`.

        Waits up to `timeout` seconds for it.
        """
        self.send(line)
        deadline = None if timeout is None else time.monotonic() + timeout
        lines: list[str] = []
        while not lines or lines[-1].split()[:1] != [end]:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                lines.append(self.line(left))
            except Late:
                raise Late(f"{self.name} has not answered '{line}' within {timeout:g} s") from None
            if lines[-1].startswith("info string ERROR: "):
                raise Failure(f"{self.name}: {lines[-1][19:]}")
        return lines

    def until_best_move(self) -> float:
        """Waits for the end of a search; when it came, by time.monotonic()."""
        while True:
            when, line = self.timed_line()
            if line.split()[:1] == ["bestmove"]:
                return when

    def best_move(
        self, fen: str | None, moves: Iterable[str], limits: str, timeout: float | None = None
    ) -> str | None:
        """The move that it plays after `moves` from `fen`, or from the start position.

        None if the game is over. `limits` are the words after `go`. Waits up to `timeout` seconds.
        """
        self.send(f"position {f'fen {fen}' if fen else 'startpos'} moves {' '.join(moves)}")
        words = self.ask(f"go {limits}", "bestmove", timeout)[-1].split()
        if len(words) < 2:
            raise Failure(f"{self.name} wrote 'bestmove' without a move")
        return None if words[1] == "(none)" else words[1]

    def close(self, farewell: str | None = "quit", patience: float = FAREWELL) -> None:
        """Ends the engine."""
        super().close(farewell, patience)


# Helpers that every script needs around its own work.


def number_from(least: int) -> Callable[[str], int]:
    """For argparse: a whole number from `least` up."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"'{text}' is not a whole number from {least} up")
        return int(text)

    return read


def run(main: Callable[[], object]) -> None:
    """Runs a script. A failure is one line, exit code 1; Ctrl-C is a quiet end, exit code 130."""
    for stream in (sys.stdout, sys.stderr):
        # Else a Windows console has a code page without most of the signs.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    for name in ("SIGTERM", "SIGHUP"):
        # An end that closes the engines.
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda number, _: sys.exit(128 + number))
    try:
        main()
        sys.stdout.flush()
    except Failure as failure:
        _flush()
        print(failure, file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        _flush()
        if sys.stderr.isatty():
            print(file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # Nobody reads on, as after `| head`. Python would complain about it once more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(1)


def _flush() -> None:
    with contextlib.suppress(OSError):
        sys.stdout.flush()
