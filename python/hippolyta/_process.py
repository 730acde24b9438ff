"""Child processes that are read, written and ended without ever blocking their owner."""

import os
import queue
import signal
import subprocess
import sys
import threading
import weakref
from collections import deque
from collections.abc import Callable
from typing import Any

from ._hippolyta import EngineError

__all__ = ["Process", "start_thread"]

# A line beyond this is no protocol any more; what is over it is dropped.
_LONGEST_LINE = 1 << 20
_WINDOWS = sys.platform == "win32"


class Process:
    """A child process that is read, written and ended without ever blocking its owner."""

    def __init__(
        self, command: list[str], on_line: Callable[[str], None], on_end: Callable[[], None]
    ) -> None:
        try:
            self.child = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                # Ctrl-C is for this process alone, which then tells the engine to stop.
                start_new_session=not _WINDOWS,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0)
                | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start '{command[0]}': {error}") from None
        self.errors: deque[str] = deque(maxlen=20)
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        stdout, stderr = self.child.stdout, self.child.stderr
        assert stdout is not None and stderr is not None
        # No process outlives the interpreter, nor an engine that nobody has closed.
        self.finalizer = weakref.finalize(self, _end, self.child, self._outbox, os.getpid())
        self._threads = [
            start_thread(_read, stdout, on_line, on_end),
            start_thread(_read, stderr, self.errors.append, _nothing),
            start_thread(_write, self.child, self._outbox),
        ]

    def send(self, line: str) -> None:
        """Writes a line as soon as the process reads it. Returns at once."""
        self._outbox.put(f"{line}\n".encode())

    def last_words(self) -> str:
        """The last line that the process, which has ended, wrote as an error; empty if there is none."""
        # Its last lines may still be on their way. Its own children may keep the stream open, so this is no promise.
        self._threads[1].join(1)
        return next((line.strip() for line in reversed(self.errors) if line.strip()), "")

    def end(self, patience: float = 0.0) -> None:
        """Ends the process: waits `patience` seconds for it to go by itself. Takes at most two seconds more."""
        if patience > 0:
            try:
                self.child.wait(patience)
            except subprocess.TimeoutExpired:
                pass
        self.finalizer()
        if threading.current_thread() not in self._threads:
            for thread in self._threads:
                thread.join(1)


def _nothing() -> None:
    pass


def start_thread(target: Callable[..., None], *arguments: Any) -> threading.Thread:
    """A thread that does not keep the interpreter from ending."""
    thread = threading.Thread(target=target, args=arguments, daemon=True, name="engine process")
    thread.start()
    return thread


def _end(
    child: "subprocess.Popen[bytes]", outbox: "queue.SimpleQueue[bytes | None]", owner: int
) -> None:
    """Kills the process with all that it has started, and takes its exit code, so that no zombie stays. Not in a
    process that was forked from the `owner`: the engine is not its own."""
    if os.getpid() != owner:
        return
    try:
        if sys.platform == "win32":
            child.kill()
        elif child.poll() is None:  # else its number may be somebody else's by now
            os.killpg(child.pid, signal.SIGKILL)
    except OSError:
        pass
    try:
        child.wait(2)
    except subprocess.TimeoutExpired:
        pass
    outbox.put(None)


def _read(stream: Any, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
    """Cuts what comes into lines. Memory stays bounded whatever comes."""
    buffer = b""
    skipping = False
    while True:
        try:
            chunk = stream.read(1 << 16)
        except (OSError, ValueError):
            chunk = b""
        if not chunk:
            break
        *lines, rest = (buffer + chunk).split(b"\n")
        for line in lines:
            if skipping:
                skipping = False
            else:
                on_line(line.decode("utf-8", "replace").rstrip("\r"))
        buffer = rest
        if skipping or len(buffer) > _LONGEST_LINE:
            buffer, skipping = b"", True
    if buffer and not skipping:
        on_line(buffer.decode("utf-8", "replace").rstrip("\r"))
    stream.close()
    on_end()


def _write(child: "subprocess.Popen[bytes]", outbox: "queue.SimpleQueue[bytes | None]") -> None:
    stdin = child.stdin
    assert stdin is not None
    while (text := outbox.get()) is not None:
        try:
            while text:
                written = stdin.write(text)
                text = text[written or 0 :]
        except (OSError, ValueError):
            # The reader notices that the engine has ended.
            break
    try:
        stdin.close()
    except OSError:
        pass
