"""Sides, results and half-turns."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

__all__ = ["Decided", "Outcome", "Side", "Step"]


class Side(str, Enum):
    """One of the two sides. A member is its name as a string, too.

    >>> Side.WHITE == "white", Side.WHITE.other
    (True, <Side.BLACK: 'black'>)
    """

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Outcome:
    """How a finished game ended.

    >>> Outcome(Side.BLACK).result, Outcome(None).result
    ('0-1', '1/2-1/2')
    """

    #: Who has won; `None` after a draw.
    winner: Side | None

    @property
    def result(self) -> str:
        """`1-0`, `0-1` or `1/2-1/2`."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Side.WHITE else "0-1"


@dataclass(frozen=True)
class Decided(Outcome):
    """A result that is certain, with best play of both sides: see `Board.decided`.

    >>> Decided(Side.WHITE, 3.5, "turns", "count").result
    '1-0'
    """

    #: By how much White wins, negative if Black does; `None` where it is not exactly known.
    margin: float | None
    #: What the margin counts: `turns` or `stones`; `None` in Damone.
    unit: str | None
    #: How it is known: `rules` if the game is over, `count`, `settledStones` or `tables`.
    by: str


class Step(NamedTuple):
    """A turn as far as it is chosen: `d1d7`, or all of `d1d7,d7g7`."""

    #: The steps so far.
    text: str
    #: Whether this is a whole turn.
    complete: bool
