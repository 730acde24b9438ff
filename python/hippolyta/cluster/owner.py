"""The owner of a run: a process of the engine's program that hands out tasks and takes back what
was found, line by line, as `hippolyta match --hand-out` does, and `solve` and `design` with this option.

It keeps the folder and knows when the run is over. Nothing here knows of Ray.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from .errors import ClusterError, OptionError
from .program import WRONG_OPTIONS, Program, message_of
from .task import Task

STOPPED = {128 + signal.SIGINT, 128 + signal.SIGTERM, -signal.SIGINT, -signal.SIGTERM}
"""Exit codes of an owner that somebody has stopped."""

GRACE = 60.0
"""Seconds that an owner has to write what is left, once it is to end."""


@dataclass(frozen=True)
class Message:
    """A message of the owner: a task with its number, how far it is, or a line for people.

    `line` goes to standard output, `remark` to standard error.
    """

    number: int = 0
    task: Task | None = None
    count: dict[str, Any] | None = None
    line: str | None = None
    remark: str | None = None


@dataclass
class Owner:
    """`hippolyta COMMAND ARGUMENTS --hand-out` as long as it runs."""

    program: Program
    command: str
    arguments: list[str]
    _messages: queue.SimpleQueue[Message] = field(default_factory=queue.SimpleQueue)
    _errors: list[str] = field(default_factory=list)
    _begun: bool = False
    _want: int = 0

    def __post_init__(self) -> None:
        self._child = self.program.start([self.command, *self.arguments, "--hand-out"])
        assert self._child.stdin and self._child.stdout and self._child.stderr
        self._stdin: IO[bytes] = self._child.stdin
        readers = (self._read_lines, self._child.stdout), (self._read_errors, self._child.stderr)
        self._readers = [
            threading.Thread(target=read, args=(file,), daemon=True) for read, file in readers
        ]
        for reader in self._readers:
            reader.start()

    def _read_lines(self, file: IO[bytes]) -> None:
        for line in file:
            try:
                said: dict[str, Any] = json.loads(line)
            except ValueError:
                continue  # it was killed while it wrote this line
            self._begun = True
            if "task" in said:
                task = Task(
                    name=said["name"],
                    kind=self.command,
                    generation=0,
                    inputs=(),
                    outputs=(),
                    units=1,
                    arguments=(self.command, "--task"),
                    stdin=json.dumps(said["order"]).encode(),
                    cores=said["cores"],
                )
                self._messages.put(Message(number=said["task"], task=task))
            elif "count" in said:
                self._messages.put(Message(count=said["count"]))
            else:
                self._messages.put(Message(line=said["say"]))

    def _read_errors(self, file: IO[bytes]) -> None:
        for line in file:
            text = line.decode(errors="replace").rstrip()
            self._errors.append(text)
            if self._begun:
                self._messages.put(Message(remark=text))

    def wait_until_begun(self) -> None:
        """Returns once the owner has said something, or has ended."""
        while not self._begun and self._child.poll() is None:
            time.sleep(0.02)
        for text in list(self._errors) if self._begun else ():
            self._messages.put(Message(remark=text))

    def messages(self) -> Iterator[Message]:
        """The owner's messages since the last call."""
        with_end = self.has_ended()
        if with_end:
            for reader in self._readers:
                reader.join()
        while True:
            try:
                yield self._messages.get_nowait()
            except queue.Empty:
                return

    def want(self, number: int) -> None:
        """Asks for `number` tasks at a time."""
        if number != self._want:
            self._want = number
            self._say({"want": number})

    def done(self, number: int, result: bytes, worker: str) -> None:
        """Gives back what a task has found, and where: a worker that tells what is false is left out."""
        self._say({"done": number, "result": json.loads(result), "worker": worker})

    def _say(self, line: dict[str, Any]) -> None:
        try:
            self._stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            self._stdin.flush()
        except BrokenPipeError:
            pass  # it has ended, and says why

    @contextmanager
    def halted(self) -> Iterator[None]:
        """Its process stands still meanwhile, if it has not ended: its files do not change."""
        self._child.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._child.send_signal(signal.SIGCONT)

    def has_ended(self) -> bool:
        """Whether its process is gone."""
        return self._child.poll() is not None

    def stopped(self) -> bool:
        """Whether it was stopped from outside. Raises ClusterError or OptionError if it failed."""
        code = self._child.wait()
        for reader in self._readers:
            reader.join()
        if code == 0:
            return False
        if code in STOPPED:
            return True
        text = "\n".join(self._errors)
        if code == WRONG_OPTIONS:
            raise OptionError(message_of(text, code), text)
        raise ClusterError(message_of(text, code).removeprefix("hippolyta: "))

    def close(self) -> None:
        """Has it end: it writes what is left."""
        try:
            self._stdin.close()
        except BrokenPipeError:
            pass
        try:
            self._child.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()
