"""Errors of runs on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class ClusterError(RuntimeError):
    """A run that cannot go on. The message is one line that says why, for people."""


class OptionError(ClusterError):
    """The program does not understand its options. `text` is all that it says, in several lines."""

    def __init__(self, message: str, text: str) -> None:
        super().__init__(message)
        self.text = text

    def __reduce__(self) -> tuple[type[OptionError], tuple[str, str]]:
        return OptionError, (str(self), self.text)


class NodeTraceback(Exception):
    """The traceback of what was raised on a node, as text: the cause of a ClusterError."""


@contextmanager
def told_in_one_line(where: str) -> Iterator[None]:
    """A refusal of the system is a ClusterError that names the file, or else `where`."""
    try:
        yield
    except OSError as error:
        raise ClusterError(f"{error.filename or where}: {error.strerror or error}") from error


def reason_of(error: Exception) -> str:
    """Why something failed, in one line."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
