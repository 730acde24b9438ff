"""Sides, turns, results and half-turns."""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from ._hippolyta import turn_squares

__all__ = ["Decided", "Effects", "Move", "Outcome", "Side", "Step"]


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


class Move(str):
    """A turn: its text, which knows its squares.

    >>> move = Move("d1d7,d7g7")
    >>> move.from_square, move.to_square, move.fire
    ('d1', 'd7', 'g7')
    >>> Move("c2e4g6").path  # a capture in Damone
    ('c2', 'e4', 'g6')
    >>> move == "d1d7,d7g7"
    True
    """

    __slots__ = ()

    @property
    def path(self) -> tuple[str, ...]:
        """The squares on which the piece stands, first to last: two or more. `ValueError` if this is no turn."""
        return tuple(turn_squares(self)[0])

    @property
    def from_square(self) -> str:
        """The square that the piece leaves."""
        return self.path[0]

    @property
    def to_square(self) -> str:
        """The square on which the piece comes to stand."""
        return self.path[-1]

    @property
    def fire(self) -> str | None:
        """The square that is fired at; `None` if the turn does not fire."""
        return turn_squares(self)[1]


class Effects(NamedTuple):
    """Effects of a turn beside moving and firing: see `Board.effects`."""

    #: The squares of the pieces that it captures, in the order in which it jumps over them.
    captured: tuple[str, ...]
    #: The squares of the stones that change sides.
    flipped: tuple[str, ...]
    #: The letter of what the piece becomes, if it becomes another.
    promoted: str | None


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
    #: The unit of the margin: `turns` or `stones`; `None` in Damone.
    unit: str | None
    #: How it is known: `rules` if the game is over, `count`, `settledStones` or `tables`.
    by: str
    #: Bounds of the margin where it is not exactly known: at least, at most.
    between: tuple[float, float] | None = None


class Step(NamedTuple):
    """A turn as far as it is chosen: `d1d7`, or all of `d1d7,d7g7`."""

    #: The steps so far.
    text: str
    #: Whether this is a whole turn.
    complete: bool
