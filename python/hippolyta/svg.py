"""Boards as SVG, drawn as the page of `hippolyta serve` draws them.

`Board.svg` is the usual way in. `board_svg` needs only a FEN, so it draws what another program has played, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

from ._hippolyta import Board, picture, squares_of
from .info import Info

__all__ = ["Arrow", "board_svg", "of_board", "squares_of"]

Kind = Literal["best", "other", "threat", "hint", "played"]


@dataclass(frozen=True)
class Arrow:
    """A turn drawn over the board: a solid arrow for the move, a dashed line with a target for the shot.

    >>> Arrow("d1d7,d7g7", kind="hint")
    Arrow(turn='d1d7,d7g7', kind='hint', label='', weight=1.0)
    """

    turn: str
    #: Colour: `best` green, `other` blue, `threat` red, `hint` violet, `played` brown.
    kind: Kind = "best"
    #: A number or a few letters at the end of the turn.
    label: str = ""
    #: 0 … 1, how wide.
    weight: float = 1.0


#: Values for `arrows=`: turns as text, `Arrow`s, or the lines of an analysis.
Arrows = str | Arrow | Info | Iterable[Any] | None
#: Values for `ownership=`: one for each square as in a FEN, or for some squares by name.
Ownership = Sequence[float | None] | Mapping[str, float | None] | Info | None


def _field(thing: Any, name: str, default: Any = None) -> Any:
    """A field of a record or of a dictionary: answers of `hippolyta analyse` are drawn as they are."""
    if isinstance(thing, Mapping):
        return thing.get(name, default)
    return getattr(thing, name, default)


def _regions(territory: Any) -> list[tuple[Any, ...]] | None:
    """The regions to draw: owner, squares, turns of both sides, and worth."""
    if territory is None:
        return None
    found = []
    for region in _field(territory, "regions", ()):
        owner, squares = _field(region, "owner"), list(_field(region, "squares", ()))
        turns = _field(region, "turns") or {
            side: _field(region, f"{side}_turns") for side in ("white", "black")
        }
        # Unless it is known, all of it may go to either side.
        worth = _field(region, "worth") or (-len(squares), len(squares))
        name = None if owner is None else str(owner)
        found.append((name, squares, turns["white"], turns["black"], worth))
    return found


def _arrow_list(arrows: Any) -> list[Arrow]:
    """Whatever was given as arrows of the drawing, the one on top first."""
    if arrows is None:
        return []
    lines = _field(arrows, "lines", None)
    if lines is not None and not callable(lines):
        arrows = lines
    if isinstance(arrows, (str, Arrow)):
        arrows = [arrows]
    found = list(arrows)
    most = max(
        [
            1.0,
            *(
                float(_field(line, "visits", None) or 0)
                for line in found
                if not isinstance(line, str)
            ),
        ]
    )
    drawn = []
    for at, line in enumerate(found):
        kind: Kind = "best" if at == 0 else "other"
        label = str(at + 1) if len(found) > 1 else ""
        if isinstance(line, Arrow):
            drawn.append(line)
        elif isinstance(line, str):
            drawn.append(Arrow(line, kind, label))
        else:
            moves = _field(line, "moves", None) or [_field(line, "move", "")]
            visits = _field(line, "visits", None)
            # The square root keeps lines apart that the search hardly looked at; what is proven needed no visits.
            proven = _field(_field(line, "score", None), "mate", None) is not None
            weight = 1.0 if proven or visits is None else sqrt(visits / most)
            drawn.append(Arrow(str(moves[0]), kind, label, weight))
    return drawn


def board_svg(
    fen: str,
    variant: str = "amazons",
    *,
    size: float = 480,
    last_turn: str | None = None,
    arrows: Arrows = None,
    ownership: Ownership = None,
    territory: Any = None,
    course: Sequence[float] | None = None,
    at: int | None = None,
    caption: Sequence[str] = (),
    coordinates: bool = True,
    flipped: bool = False,
) -> str:
    """A position as an SVG document of its own, without style sheets or scripts. It takes milliseconds.

    `size` is the length of the longer side in pixels. `last_turn` is the turn that led here: its squares are marked.

    `arrows` are turns: one text or several (the best one first), `Arrow`s, or an analysis or its lines, whose first
    turns are drawn as wide as the search looked at them.

    `ownership` is that of an analysis: for each square as in a FEN, ranks from the top, -1 … 1 **from the view of the
    side to move**, `None` where it means nothing; or values of some squares by name. White's marks are round and blue,
    Black's square and orange. `territory` is that of an analysis: settled regions are hatched, with their turns.

    `course` is White's expected score, 0 … 1, in each position of the game, as `Review.curve`; it is drawn under the
    board, with a mark at the position of index `at`, the last one if not given. `caption` are lines under all of it; with
    them stands what the marks of owners mean. `flipped` puts Black at the bottom.

    Raises `ValueError` for a FEN that cannot be drawn, and for turns and squares off the board.

    >>> drawing = board_svg("q2/3/2Q w - - 0 1", arrows="c1b1,b1a1", size=200)
    >>> drawing[:29], drawing[-6:]
    ('<svg xmlns="http://www.w3.org', '</svg>')
    """
    if isinstance(ownership, Info):
        ownership = ownership.ownership
    if isinstance(territory, Info):
        territory = territory.territory
    if isinstance(ownership, Mapping):
        ownership = dict(ownership)
    elif ownership is not None:
        ownership = list(ownership)
    try:
        return picture(
            fen,
            variant,
            size=size,
            last_turn=last_turn,
            arrows=[
                (arrow.turn, arrow.kind, arrow.label, arrow.weight) for arrow in _arrow_list(arrows)
            ],
            ownership=ownership,
            regions=_regions(territory),
            course=course,
            at=at,
            caption=[caption] if isinstance(caption, str) else list(caption),
            coordinates=coordinates,
            flipped=flipped,
        )
    except OverflowError as error:  # a number that no machine has
        raise ValueError(str(error)) from None


def of_board(
    board: Board,
    *,
    size: float = 480,
    last_turn: bool = True,
    arrows: Arrows = None,
    ownership: Ownership = None,
    territory: Any = None,
    course: Sequence[float] | None = None,
    caption: Sequence[str] = (),
    coordinates: bool = True,
    flipped: bool = False,
) -> str:
    """The position of a board as an SVG document, as `Board.svg` returns it, with its last turn unless `last_turn` is
    false. Other options are those of `board_svg`; an `Info` is taken for `arrows`, `ownership` and `territory`, too.

    >>> from hippolyta import Board
    >>> board = Board("amazons6")
    >>> board.push("b1b4,b4c4")
    'b1b4,b4c4'
    >>> "after b1b4,b4c4" in board.svg(size=200, flipped=True)
    True
    """
    moves = board.move_stack
    return board_svg(
        board.fen(),
        board.variant,
        size=size,
        last_turn=moves[-1] if last_turn and moves else None,
        arrows=arrows,
        ownership=ownership,
        territory=territory,
        course=course,
        at=len(moves),
        caption=caption,
        coordinates=coordinates,
        flipped=flipped,
    )
