"""Progress on standard error: one line that changes on a terminal, else a line a minute."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TextIO

PATIENCE = 5.0
"""Seconds after which somebody who waits is told for what."""

WINDOW = 120.0
"""Seconds over which the speed is measured."""


@dataclass(frozen=True)
class Count:
    """How far a run is. `units` are what is counted (`games`), of `total` (0: not known); `flying`
    are tasks on nodes.
    """

    what: str
    units: str
    done: int
    total: int
    flying: int
    nodes: int
    slots: int


class Progress:
    """Shows how far a run is."""

    def __init__(self, out: TextIO | None = None, every: float = 60.0) -> None:
        """`every` are the seconds between two lines if `out` (standard error) is not a terminal."""
        self._out = out or sys.stderr
        self._terminal = self._out.isatty()
        self._every = 0.5 if self._terminal else every
        self._shown = time.monotonic()
        self._width = 0
        self._marks: deque[tuple[float, int]] = deque()
        self._first: tuple[float, int] | None = None

    def finished(self, done: int) -> None:
        """Notes that so many units are done now, for the speed."""
        now = time.monotonic()
        self._first = self._first or (now, done)
        self._marks.append((now, done))
        while len(self._marks) > 2 and self._marks[0][0] < now - WINDOW:
            self._marks.popleft()

    def speed(self) -> float | None:
        """Units a second lately, or None as long as that is not known."""
        if len(self._marks) < 2:
            return None
        (begun, first), (_, last) = self._marks[0], self._marks[-1]
        seconds = time.monotonic() - begun
        return (last - first) / seconds if last > first and seconds > 0 else None

    def show(self, count: Count, cpu: dict[str, float]) -> None:
        """Shows the state, if it is time to. `cpu` are processor seconds by node."""
        now = time.monotonic()
        if now - self._shown >= self._every:
            self._shown = now
            self._write(self.line(count, cpu))

    def line(self, count: Count, cpu: dict[str, float]) -> str:
        """The state as one line."""
        of = f" of {count.total:,}" if count.total else ""
        words = [f"{count.what}: {count.done:,}{of} {count.units}"]
        speed = self.speed()
        if speed:
            words.append(f"{_figures(speed)} {count.units}/s")
            if count.total > count.done and self._first and count.done > self._first[1]:
                # By the mean since the driver began: it contains what is done between two
                # generations.
                mean = (time.monotonic() - self._first[0]) / (count.done - self._first[1])
                words.append(f"{duration((count.total - count.done) * mean)} left")
        nodes = f"{_plural(count.nodes, 'node')}, {_plural(count.slots, 'core')}"
        words.append(f"{count.flying} tasks on {nodes}")
        if cpu:
            words.append(f"processor time {duration(sum(cpu.values()))}")
        return ", ".join(words)

    def say(self, text: str) -> None:
        """Writes a line that stays."""
        self._clear()
        self._out.write(text + "\n")
        self._out.flush()

    def print(self, text: str) -> None:
        """Writes a line of results to standard output."""
        self._clear()
        print(text, flush=True)

    def _clear(self) -> None:
        if self._terminal and self._width:
            self._out.write("\r" + " " * self._width + "\r")
            self._out.flush()
            self._width = 0

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Tells what is waited for if the block takes long."""
        timer = threading.Timer(PATIENCE, self.say, [text])
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _write(self, line: str) -> None:
        if not self._terminal:
            self.say(line)
            return
        line = line[: shutil.get_terminal_size().columns - 1]
        self._out.write("\r" + line.ljust(self._width))
        self._width = len(line)
        self._out.flush()

    def end(self, cpu: dict[str, float]) -> None:
        """Writes what the run cost on each node."""
        for node, seconds in sorted(cpu.items(), key=lambda pair: -pair[1]):
            self.say(f"  {node}: {seconds:,.1f} processor seconds")


def _figures(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def duration(seconds: float) -> str:
    """A duration for people: `45 s`, `12 min`, `3 h 20 min`, `5 d 2 h`.

    >>> duration(12_000)
    '3 h 20 min'
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min"
    return f"{hours // 24} d {hours % 24} h"
