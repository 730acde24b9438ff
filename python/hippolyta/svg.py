"""Boards as SVG, drawn as the page of `hippolyta serve` draws them.

`Board.svg` is the usual way in. `board_svg` needs only a FEN, so it draws what another program has played, too.
"""

import itertools
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, isnan, sqrt
from typing import Any, Literal
from xml.sax.saxutils import escape, quoteattr

from ._hippolyta import Board
from ._look import AMAZON_PLACE, BURNT, COLOURS, FIGURES, HATCHES, NEUTRAL, paint
from .info import Info

__all__ = ["Arrow", "board_svg", "of_board", "squares_of"]

Kind = Literal["best", "other", "threat", "hint", "played"]

_SQUARE = 100  # units of a side
_HALF = 50
_RIM = 7
_MARGIN = 44
_LEAST = 0.08  # owned less than this is nobody's


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


#: What `arrows=` takes: turns as text, `Arrow`s, or the lines of an analysis.
Arrows = str | Arrow | Info | Iterable[Any] | None
#: What `ownership=` takes: a value for each square as in a FEN, or for some squares by name.
Ownership = Sequence[float | None] | Mapping[str, float | None] | Info | None


def squares_of(turn: str) -> list[str]:
    """The squares of a turn in the order in which a person names them.

    >>> squares_of("d1d7,d7g7"), squares_of("c2xe4xg6")
    (['d1', 'd7', 'g7'], ['c2', 'e4', 'g6'])
    """
    found = re.findall(r"[a-k](?:1[01]|[1-9])", turn.lower())
    # `d1d7,d7g7` names the amazon's new square twice.
    return [square for at, square in enumerate(found) if at == 0 or square != found[at - 1]]


@dataclass(frozen=True)
class _Position:
    """What stands on the squares, and where they are on the drawing."""

    family: str
    columns: int
    rows: int
    #: Every square as in a FEN, ranks from the top, each from the left; `.` if it is empty.
    pieces: dict[str, str]
    white_to_move: bool
    flipped: bool

    @staticmethod
    def read(fen: str, variant: str, flipped: bool) -> "_Position":
        words = fen.split()
        rows = []
        for rank in (words[0] if words else "").split("/"):
            tokens = re.findall(r"\d+|.", rank)
            rows.append("".join("." * int(token) if token.isdigit() else token for token in tokens))
        columns = len(rows[0])
        if not 1 <= columns <= 11 or len(rows) > 11 or any(len(row) != columns for row in rows):
            raise ValueError(f"no board of 1 to 11 equal ranks: {fen!r}")
        unknown = sorted({piece for row in rows for piece in row} - set(".*QqSsPpDdIi"))
        if unknown:
            raise ValueError(f"FEN: {unknown[0]!r} is not a piece")
        name = variant.lower()
        family = next(
            (known for known in ("damone", "amazons") if name.startswith(known)), "desdemona"
        )
        pieces = {
            chr(97 + file) + str(len(rows) - down): piece
            for down, row in enumerate(rows)
            for file, piece in enumerate(row)
        }
        return _Position(family, columns, len(rows), pieces, words[1:2] != ["b"], flipped)

    def at(self, square: str) -> tuple[float, float]:
        """The middle of a square."""
        column, row = ord(square[0]) - 97, self.rows - int(square[1:])
        if self.flipped:
            column, row = self.columns - 1 - column, self.rows - 1 - row
        return column * _SQUARE + _HALF, row * _SQUARE + _HALF

    def squares(self, turn: str) -> list[str]:
        found = squares_of(turn)
        off = [square for square in found if square not in self.pieces]
        if len(found) < 2 or off:
            raise ValueError(f"{turn!r} is no turn on this board")
        return found


def _number(value: float) -> str:
    return f"{round(value, 1):g}"


def _box(path: str, x: float, y: float, inset: float = 0, rx: float = 0) -> str:
    side = _SQUARE - 2 * inset
    corner = f' rx="{rx:g}"' if rx else ""
    place = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}"'
    return f"<rect {place}{corner}{paint(path)}/>"


def _text(path: str, x: float, y: float, content: str, size: float) -> str:
    place = f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(size)}" text-anchor="middle"'
    return f"<text {place}{paint(path)}>{escape(content)}</text>"


def _ground(board: _Position) -> Iterator[str]:
    width, height = board.columns * _SQUARE, board.rows * _SQUARE
    yield f'<rect x="-5" y="-5" width="{width + 10}" height="{height + 10}" rx="5"{paint(".ground .frame")}/>'
    # One path for each colour keeps the drawing small.
    for shade in ("light", "dark"):
        data = []
        for square in board.pieces:
            # On Damone's board h1 is dark; on the others a1 is, as in chess.
            even = (ord(square[0]) + int(square[1:])) % 2 == 0
            if (shade == "light") == (even == (board.family == "damone")):
                x, y = board.at(square)
                data.append(f"M{x - _HALF:g} {y - _HALF:g}h100v100h-100z")
        yield f'<path d="{"".join(data)}"{paint(f".ground .{shade}")}/>'


def _coordinates(board: _Position, scale: float) -> Iterator[str]:
    for column in range(board.columns):
        name = chr(97 + (board.columns - 1 - column if board.flipped else column))
        x, y = float(column * _SQUARE + _HALF), board.rows * _SQUARE + 6 + 30 * scale
        yield _text(".coordinates text", x, y, name, 28 * scale)
    for row in range(board.rows):
        name = str(row + 1 if board.flipped else board.rows - row)
        x, y = -6 - 21 * scale, row * _SQUARE + _HALF + 9 * scale
        yield _text(".coordinates text", x, y, name, 28 * scale)


def _last_turn(board: _Position, turn: str) -> Iterator[str]:
    """Where it began is a hollow frame, where it went a filled one, where it fired one of another colour."""
    squares = board.squares(turn)
    kinds = ["from", *["between"] * (len(squares) - 2), "to"]
    if board.family != "damone" and len(squares) > 2:
        kinds[-2:] = ["to", "fire"]
    for square, kind in zip(squares, kinds):
        x, y = board.at(square)
        yield _box(f".last .{kind} .tint", x, y) + _box(f".last .{kind} .edge", x, y, 4, rx=3)


def _piece(letter: str, family: str) -> str:
    side = "neutral" if letter == "*" else "white" if letter.isupper() else "black"
    shapes = FIGURES.get(letter.lower()) or (BURNT if family == "amazons" else NEUTRAL)
    drawn = []
    for tag, kind, geometry in shapes:
        path = f".piece.{side} .{kind.replace(' ', '.')}"
        drawn.append(f"<{tag} {geometry}{paint(path)}/>")
    inside = "".join(drawn)
    return f'<g transform="{AMAZON_PLACE}">{inside}</g>' if letter.lower() == "q" else inside


def _pieces(board: _Position) -> Iterator[str]:
    for square, letter in board.pieces.items():
        if letter != ".":
            x, y = board.at(square)
            yield f'<g transform="translate({x:g} {y:g})">{_piece(letter, board.family)}</g>'


def _estimate(x: float, y: float, radius: float, white: bool) -> str:
    look = paint(f".mark.estimate.of-{'white' if white else 'black'}")
    if white:
        return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}"{look}/>'
    half = 0.9 * radius
    place = f'x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}"'
    return f"<rect {place}{look}/>"


def _field(thing: Any, name: str, default: Any = None) -> Any:
    """A field of a record or of a dictionary: answers of `hippolyta analyse` are drawn as they are."""
    if isinstance(thing, Mapping):
        return thing.get(name, default)
    return getattr(thing, name, default)


def _regions(territory: Any) -> list[Any]:
    return list(_field(territory, "regions", None) or []) if territory is not None else []


def _settled(territory: Any) -> dict[str, str]:
    return {
        str(square): owner
        for region in _regions(territory)
        if (owner := _owner(region)) != "contested"
        for square in _field(region, "squares", ())
    }


def _owner(region: Any) -> str:
    """`white`, `black`, or `contested` if it is neither's."""
    return str(_field(region, "owner", None) or "contested")


def _turns(region: Any, side: str) -> Any:
    turns = _field(region, "turns", None)
    return _field(region, f"{side}_turns", None) if turns is None else _field(turns, side, None)


def _values(board: _Position, ownership: Any) -> dict[str, float]:
    """What White owns of each square, -1 … 1."""
    if ownership is None:
        return {}
    sign = 1 if board.white_to_move else -1
    if isinstance(ownership, Mapping):
        unknown = [square for square in ownership if square not in board.pieces]
        if unknown:
            raise ValueError(f"ownership: {unknown[0]!r} is no square of this board")
        pairs: Iterable[tuple[str, Any]] = ownership.items()
    else:
        values = list(ownership)
        if len(values) != len(board.pieces):
            raise ValueError(f"ownership: {len(values)} values for {len(board.pieces)} squares")
        pairs = zip(board.pieces, values)
    found = {square: float(value) for square, value in pairs if value is not None}
    return {
        square: sign * max(-1.0, min(1.0, value))
        for square, value in found.items()
        if not isnan(value)
    }


def _marks(
    board: _Position, ownership: Any, territory: Any, hatch: str
) -> tuple[list[str], list[str]]:
    """Marks under the pieces and above them. White's are round, Black's square; what is settled is hatched."""
    below, above = [], []
    settled = _settled(territory)
    values = _values(board, ownership)
    for square in board.pieces:
        x, y = board.at(square)
        empty = board.pieces[square] == "."
        value = values.get(square, 0.0)
        if square in settled and (empty or board.pieces[square].lower() == "q"):
            side = settled[square]
            below.append(_box(f".mark.settled.of-{side} .tint", x, y))
            below.append(
                f'<rect x="{x - _HALF:g}" y="{y - _HALF:g}" width="100" height="100" fill="url(#{hatch}-{side})"/>'
            )
        elif abs(value) >= _LEAST and empty:
            below.append(_estimate(x, y, 5 + 11 * abs(value), value > 0))
        elif abs(value) >= _LEAST:
            # In a corner, so that the piece is seen.
            above.append(_estimate(x + 33, y - 33, 4 + 9 * abs(value), value > 0))
    return below, above


def _patterns(hatch: str) -> str:
    size = 'width="14" height="14" patternUnits="userSpaceOnUse"'
    drawn = (
        f'<pattern id="{hatch}-{side}" {size}><path d="{data}"{paint(f".marks #hatch-{side} .hatch")}/></pattern>'
        for side, data in HATCHES.items()
    )
    return f"<defs>{''.join(drawn)}</defs>"


def _range(pair: Sequence[int], plus: bool = False) -> str:
    def signed(value: int) -> str:
        return (f"{value:+d}" if plus and value else str(value)).replace("-", "−")

    least, most = pair
    return signed(least) if least == most else f"{signed(least)} to {signed(most)}"


def _labels(board: _Position, territory: Any) -> Iterator[str]:
    """The turns of each region, written on its middlemost empty square."""
    for region in _regions(territory):
        empty = [
            square for square in _field(region, "squares", ()) if board.pieces.get(square) == "."
        ]
        owner = _owner(region)
        worth = _field(region, "worth", None)
        if owner == "contested":
            # As long as all of it may go to either side, nothing is counted.
            counted = worth is not None and worth[1] - worth[0] < 2 * len(empty)
            text = _range(worth, plus=True) if counted else ""
        else:
            own = _turns(region, owner)
            text = "" if own is None else _range(own)
        if not text or not empty:
            continue
        points = [board.at(square) for square in empty]
        middle_x = sum(x for x, _ in points) / len(points)
        middle_y = sum(y for _, y in points) / len(points)
        x, y = min(
            points, key=lambda point: (point[0] - middle_x) ** 2 + (point[1] - middle_y) ** 2
        )
        size = 22 if len(text) > 6 else 28 if len(text) > 2 else 36
        width = max(52, len(text) * size * 0.56 + 22)
        side = "nobody" if owner == "contested" else owner
        # Round for White, square for Black, as the shapes of estimates.
        corner = {"white": 26, "black": 4}.get(side, 12)
        place = f'x="{x - width / 2:g}" y="{y - 26:g}" width="{width:g}" height="52" rx="{corner}"'
        yield f"<rect {place}{paint(f'.region-label.of-{side} rect')}/>"
        yield _text(f".region-label.of-{side} text", x, y + 0.35 * size, text, size)


Point = tuple[float, float]


def _shorten(start: Point, end: Point, by: float) -> Point:
    """The point that lies `by` before `end` on the way from `start`; never behind the middle."""
    length = hypot(end[0] - start[0], end[1] - start[1])
    if length == 0:
        return end
    rest = max(length / 2, length - by) / length
    return start[0] + (end[0] - start[0]) * rest, start[1] + (end[1] - start[1]) * rest


def _arrow_shape(start: Point, end: Point, width: float) -> str:
    """The outline of an arrow: a shaft that widens a little, and a head."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    if length == 0:
        return ""
    ux, uy = dx / length, dy / length
    head = min(length * 0.6, width * 2 + 10)
    thin, thick, wide = width * 0.38, width / 2, width * 1.15 + 4
    neck = length - head
    points = [
        (0, -thin),
        (neck, -thick),
        (neck, -wide),
        (length, 0),
        (neck, wide),
        (neck, thick),
        (0, thin),
    ]
    return (
        "M"
        + "L".join(
            f"{_number(start[0] + ux * along - uy * across)} {_number(start[1] + uy * along + ux * across)}"
            for along, across in points
        )
        + "Z"
    )


def _arrow_list(arrows: Any) -> list[Arrow]:
    """Whatever was given as arrows of the drawing, the one on top last."""
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
    return drawn[::-1]


def _arrows(board: _Position, arrows: Any) -> Iterator[str]:
    drawn = _arrow_list(arrows)
    ways = [board.squares(arrow.turn) for arrow in drawn]
    for at, (arrow, squares) in enumerate(zip(drawn, ways)):
        weight = max(0.0, min(1.0, arrow.weight))
        fires = board.family != "damone" and len(squares) > 2
        points = [board.at(square) for square in squares]
        moves = points[:-1] if fires else points
        width = 9 + 13 * weight
        path = f".turn-arrow.{arrow.kind}"
        yield f'<g opacity="{0.7 + 0.25 * weight:.2f}">'
        for start, end in itertools.pairwise(moves):
            # The head ends before the middle, so that a piece or a label there can be seen.
            shape = _arrow_shape(_shorten(end, start, 22), _shorten(start, end, 14), width)
            yield f'<path d="{shape}"{paint(f"{path} .move")}/>'
        if fires:
            yield _shot(path, moves[-1], points[-1], width)
        if arrow.label:
            # Lines often share a move and differ in the shot: the number stands where the turn ends, or before it
            # where one that lies further up ends, too.
            (x, y) = points[-1]
            if any(way[-1] == squares[-1] for way in ways[at + 1 :]):
                x, y = (points[-2][0] + x) / 2, (points[-2][1] + y) / 2
            yield f'<circle cx="{x:g}" cy="{y:g}" r="19"{paint(f"{path} .number circle")}/>'
            yield _text(f"{path} .number text", x, y + 9, arrow.label, 26)
        yield "</g>"


def _shot(path: str, start: Point, end: Point, width: float) -> str:
    (x1, y1), (x2, y2) = _shorten(end, start, 18), _shorten(start, end, 24)
    way = f"M{_number(x1)} {_number(y1)}L{_number(x2)} {_number(y2)}"
    x, y = end
    return (
        f'<path d="{way}" stroke-width="{width * 0.55 + 5:.1f}"{paint(f"{path} .halo")}/>'
        f'<path d="{way}" stroke-width="{width * 0.55:.1f}"{paint(f"{path} .dashes")}/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="26"{paint(f"{path} .target")}/>'
        f'<path d="M{x - 9:g} {y - 9:g}l18 18m0 -18l-18 18"{paint(f"{path} .cross")}/>'
    )


_GAMES = {"amazons": "Game of the Amazons", "desdemona": "Desdemona", "damone": "Damone"}


def board_svg(
    fen: str,
    variant: str = "amazons",
    *,
    size: float = 480,
    last_turn: str | None = None,
    arrows: Arrows = None,
    ownership: Ownership = None,
    territory: Any = None,
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

    `flipped` puts Black at the bottom.

    Raises `ValueError` for a FEN that cannot be drawn, and for turns and squares off the board.

    >>> drawing = board_svg("q2/3/2Q w - - 0 1", arrows="c1b1,b1a1", size=200)
    >>> drawing[:29], drawing[-6:]
    ('<svg xmlns="http://www.w3.org', '</svg>')
    """
    if not 0 < size <= 100_000:
        raise ValueError(f"size: {size!r} is no number of pixels")
    board = _Position.read(fen, variant, flipped)
    given = (fen, variant, last_turn, flipped, repr(ownership), repr(_settled(territory)))
    # Drawings on one page share their names, so each has a name of its own, the same whenever it is drawn.
    hatch = f"hatch-{zlib.crc32(repr(given).encode()):08x}"
    below, above = _marks(board, ownership, territory, hatch)

    # On small boards squares are drawn larger; coordinates stay as they are.
    scale = max(0.62, board.columns / 10, board.rows / 10)
    low = _MARGIN * scale + _RIM if coordinates else _RIM
    high = 22 * scale if coordinates else _RIM
    width, height = board.columns * _SQUARE + low + high, board.rows * _SQUARE + low + high
    unit = size / max(width, height)
    side = "White" if board.white_to_move else "Black"
    label = f"{_GAMES[board.family]}, {side} to move" + (f" after {last_turn}" if last_turn else "")
    place = f'viewBox="{-low:g} {-high:g} {width:g} {height:g}" role="img"'
    extent = f'width="{width * unit:.0f}" height="{height * unit:.0f}"'
    names = f'aria-label={quoteattr(label)} font-family="system-ui, sans-serif"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {extent} {place} {names}>']
    if coordinates:
        # A card under the letters, which else were unreadable on a dark page.
        parts.append(
            f'<rect x="{-low:g}" y="{-high:g}" width="{width:g}" height="{height:g}" rx="14" '
            f'fill="{COLOURS["--page"]}"/>'
        )
    parts.extend(_ground(board))
    if coordinates:
        parts.extend(_coordinates(board, scale))
    if any("url(" in mark for mark in below):
        parts.append(_patterns(hatch))
    parts.extend(below)
    if last_turn:
        parts.extend(_last_turn(board, last_turn))
    parts.extend(_pieces(board))
    parts.extend(above)
    parts.extend(_arrows(board, arrows))
    parts.extend(_labels(board, territory))
    parts.append("</svg>")
    return "".join(parts)


def of_board(
    board: Board,
    *,
    size: float = 480,
    last_turn: bool = True,
    arrows: Arrows = None,
    ownership: Ownership = None,
    territory: Any = None,
    coordinates: bool = True,
    flipped: bool = False,
) -> str:
    """What `Board.svg` returns: the position of a board as an SVG document, with its last turn unless `last_turn` is
    false. The other options are those of `board_svg`; an `Info` is taken for `arrows`, `ownership` and `territory`, too.

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
        ownership=ownership.ownership if isinstance(ownership, Info) else ownership,
        territory=territory.territory if isinstance(territory, Info) else territory,
        coordinates=coordinates,
        flipped=flipped,
    )
