"""Draw a position of a game as SVG.

    python3 examples/draw_game.py results/games.jsonl --game 3 --move 20 --out game.svg
    python3 examples/draw_game.py results/games.pgn > game.svg

The picture has the board with the last turn, who owns which squares, and the win rate of White
over the whole game. Every position of the game is searched for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from engine import Failure, Judgement, number_from, run
from games import Game, chosen_game, game_parser, search_game, squares

# The board is that of the page in web/: colours and rules are copied from web/src/styles (light
# theme), the figures from web/src/board/pieces.tsx, the marks from web/src/analysis/MarksLayer.tsx.
# A test compares them.
COLOURS = {
    "--page": "#f5f1e8",
    "--text": "#2a231b",
    "--square-light": "#f4e9d4",
    "--square-dark": "#e0cba8",
    "--frame": "#a78a63",
    "--coordinate": "#75644e",
    "--piece-white": "#fffdf5",
    "--piece-white-line": "#33261b",
    "--piece-black": "#2b2621",
    "--piece-black-line": "#f7efe0",
    "--piece-neutral": "#a39b91",
    "--piece-neutral-line": "#5a5249",
    "--burnt": "#7b6a5b",
    "--burnt-cross": "#e9dcc6",
    "--last": "rgb(232 196 66 / 42%)",
    "--last-edge": "#a37c10",
    "--last-fire": "rgb(226 106 52 / 32%)",
    "--last-fire-edge": "#b8481a",
    "--eval-white": "#fbf6ea",
    "--eval-black": "#3b342b",
}
RULES = """
.ground .frame { fill: var(--frame); }
.ground .light { fill: var(--square-light); }
.ground .dark { fill: var(--square-dark); }
.coordinates text { fill: var(--coordinate); font-family: inherit; letter-spacing: -0.03em; font-weight: 500; }
.last .tint { fill: var(--last); }
.last .edge, .chosen .edge { fill: none; stroke-width: 5; }
.last .to .edge { stroke: var(--last-edge); }
.last .from .tint, .last .between .tint { fill-opacity: 0.55; }
.last .from .edge, .last .between .edge { stroke: var(--last-edge); stroke-width: 4; stroke-dasharray: 15 8; }
.last .fire .tint { fill: var(--last-fire); }
.last .fire .edge { stroke: var(--last-fire-edge); stroke-width: 6; }
.piece .outline { stroke-width: 8; stroke-linejoin: round; }
.piece .body { stroke-width: 3; stroke-linejoin: round; }
.piece .line, .piece .shine, .piece .hatch { fill: none; stroke-width: 3; stroke-linecap: round; }
.piece.white .outline { fill: var(--piece-white-line); stroke: var(--piece-white-line); }
.piece.white .body { fill: var(--piece-white); stroke: var(--piece-white); stroke-width: 0.5; }
.piece.white .edge { fill: #ddd0b8; stroke: #ddd0b8; }
.piece.white .line { stroke: var(--piece-white-line); }
.piece.white .shine { stroke: #cdbd9f; }
.piece.black .outline { fill: var(--piece-black-line); stroke: var(--piece-black-line); }
.piece.black .body { fill: var(--piece-black); stroke: var(--piece-black); }
.piece.black .edge { fill: #120f0c; stroke: #120f0c; }
.piece.black .line { stroke: var(--piece-black-line); }
.piece.black .shine { stroke: #8b8074; }
.piece.neutral .outline { fill: var(--piece-neutral-line); stroke: var(--piece-neutral-line); }
.piece.neutral .body { fill: var(--piece-neutral); stroke: var(--piece-neutral); stroke-width: 0.5; }
.piece.neutral .hatch { stroke: #6c6358; stroke-width: 3.5; }
.burnt { fill: var(--burnt); }
.burnt-cross { fill: none; stroke: var(--burnt-cross); stroke-width: 8; stroke-linecap: round; }
.marks .hatch { fill: none; stroke-width: 2.5; }
#hatch-white .hatch { stroke: #1f6fb5; }
#hatch-black .hatch { stroke: #c2570c; }
.mark.settled .tint { fill-opacity: 0.28; }
.mark.settled.of-white .tint { fill: #4a9be0; }
.mark.settled.of-black .tint { fill: #ee8a34; }
.mark.estimate { stroke: #fff; stroke-width: 2; opacity: 0.8; }
.mark.estimate.of-white { fill: #1f6fb5; }
.mark.estimate.of-black { fill: #c2570c; }
.graph-white { fill: var(--eval-white); }
.graph-black { fill: var(--eval-black); }
.graph-line { fill: none; stroke: #8a7a5e; stroke-width: 2; stroke-linejoin: round; vector-effect: non-scaling-stroke; }
.graph-half { stroke: #c2570c; stroke-dasharray: 4 4; vector-effect: non-scaling-stroke; }
.graph-now { stroke: #1f8fd6; stroke-width: 2.5; vector-effect: non-scaling-stroke; }
"""

SQUARE = 100  # units of a side; ten of them are 500 pixels
HALF = SQUARE / 2
RIM = 7
CURVE = 240
LEAST = 0.08  # owned less than this is nobody's

# The figures, around the origin.
SKIRT = "M-9 -1C-10 10 -14 19 -21 27H21C14 19 10 10 9 -1Z"
PLINTH = "M-28 41V36Q-28 27 -19 27H19Q28 27 28 36V41Z"
CRESCENT = (
    "M-36 -27C-33 -9 -19 0 0 0C19 0 33 -9 36 -27C28 -17 17 -12 0 -12C-17 -12 -28 -17 -36 -27Z"
)
ARROWHEAD = "M0 -45L12 -23L4.5 -25.5V-12H-4.5V-25.5L-12 -23Z"
CROWN = "M-24 8L-31 -30L-14 -15L0 -42L14 -15L31 -30L24 8Q0 17 -24 8Z"
HATCHES = {
    "white": "M-2 16L16 -2M-2 2L2 -2M12 16L16 12",
    "black": "M-2 -2L16 16M12 -2L16 2M-2 12L2 16",
}


def path(kind: str, data: str) -> str:
    return f'<path class="{kind}" d="{data}"/>'


def outlined(data: str) -> str:
    return path("outline", data) + path("body", data)


def disc(y: int, thick: int, ring: bool) -> str:
    side = f"M-35 {y}V{y + thick}A35 22 0 0 0 35 {y + thick}V{y}Z"
    top = f"M-35 {y}A35 22 0 1 1 35 {y}A35 22 0 1 1 -35 {y}Z"
    drawing = path("outline", side + top) + path("body edge", side) + path("body", top)
    return drawing + (f'<ellipse class="line" cy="{y}" rx="22" ry="12.5"/>' if ring else "")


STONE = '<circle class="outline" r="35"/><circle class="body" r="35"/>'
NEUTRAL = STONE + path("hatch", "M-24 4L4 -24M-20.5 17.5L17.5 -20.5M-11 25L25 -11M4 27L27 4")
BURNT = '<rect class="burnt" x="-40" y="-40" width="80" height="80" rx="12"/>' + path(
    "burnt-cross", "M-15 -15L15 15M15 -15L-15 15"
)
FIGURES = {
    "q": '<g transform="translate(0 1) scale(0.98)">'
    + outlined(SKIRT + PLINTH + CRESCENT + ARROWHEAD)
    + path("line", "M-24 34H24M-11 9Q0 12 11 9")
    + "</g>",
    "s": STONE + path("shine", "M-24 -6A25 25 0 0 1 -6 -24"),
    "p": disc(-2, 13, ring=True),
    "d": disc(6, 14, ring=False) + disc(-14, 14, ring=True),
    "i": disc(10, 14, ring=False) + outlined(CROWN) + path("line", "M-25 -1Q0 8 25 -1"),
}


def style() -> str:
    """The rules with their colours: few programs but browsers know variables and opacities."""
    rules = re.sub(r"var\((--[a-z-]+)\)", lambda name: COLOURS[name[1]], RULES)
    return re.sub(r"rgb\((\d+) (\d+) (\d+) / (\d\d)%\)", r"rgb(\1, \2, \3); opacity: 0.\4", rules)


def text(x: float, y: float, content: object, size: float, anchor: str = "middle") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}"'
    return f"<text {place}>{escape(str(content))}</text>"


def box(kind: str, x: float, y: float, inset: int = 0, fill: str = "") -> str:
    """A square around its middle, with round corners if it is inset."""
    side = SQUARE - 2 * inset
    extra = (' rx="3"' if inset else "") + (f' fill="{fill}"' if fill else "")
    place = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}"'
    return f'<rect class="{kind}" {place}{extra}/>'


class Board:
    """Where things are on the drawing, and what stands on the squares. White sits at the bottom."""

    def __init__(self, variant: str, fen: str) -> None:
        self.damone = variant.lower().startswith("damone")
        self.amazons = variant.lower().startswith("amazons")
        ranks = [re.findall(r"\d+|.", rank) for rank in fen.split()[0].split("/")]
        rows = [
            "".join("." * int(token) if token.isdigit() else token for token in rank)
            for rank in ranks
        ]
        self.columns, self.rows = len(rows[0]), len(rows)
        self.width, self.height = self.columns * SQUARE, self.rows * SQUARE
        # As in a FEN: ranks from the top, each from the left.
        self.pieces = {
            chr(97 + file) + str(self.rows - down): piece
            for down, row in enumerate(rows)
            for file, piece in enumerate(row)
        }

    def at(self, square: str) -> tuple[float, float]:
        """The middle of a square."""
        return (ord(square[0]) - 97) * SQUARE + HALF, (self.rows - int(square[1:])) * SQUARE + HALF

    def ground(self) -> Iterator[str]:
        size = f'width="{self.width + 10}" height="{self.height + 10}"'
        yield f'<rect class="frame" x="-5" y="-5" {size} rx="5"/>'
        for square in self.pieces:
            # On Damone's board h1 is dark; on the others a1 is, as in chess.
            even = (ord(square[0]) + int(square[1:])) % 2 == 0
            yield box("light" if even == self.damone else "dark", *self.at(square))

    def coordinates(self, scale: float) -> Iterator[str]:
        size = 28 * scale
        for file in range(self.columns):
            x, y = file * SQUARE + HALF, self.height + 6 + 30 * scale
            yield text(x, y, chr(97 + file), size)
        for rank in range(self.rows):
            x, y = -6 - 21 * scale, self.height - rank * SQUARE - HALF + 9 * scale
            yield text(x, y, rank + 1, size)

    def last_turn(self, turn: str) -> Iterator[str]:
        """Dashed frames where it began, a filled one where it went, another where it fired."""
        named, kinds = squares(turn), ["from", "to", "fire"]
        if self.damone:
            kinds[1:] = ["between"] * (len(named) - 2) + ["to"]
        for square, kind in zip(named, kinds):
            x, y = self.at(square)
            yield f'<g class="{kind}">{box("tint", x, y)}{box("edge", x, y, 4)}</g>'

    def figures(self) -> Iterator[str]:
        for square, piece in self.pieces.items():
            if piece == ".":
                continue
            x, y = self.at(square)
            side = "neutral" if piece == "*" else "white" if piece.isupper() else "black"
            figure = FIGURES.get(piece.lower()) or (BURNT if self.amazons else NEUTRAL)
            yield f'<g class="piece {side}" transform="translate({x:g} {y:g})">{figure}</g>'

    def marks(self, judgement: Judgement) -> tuple[list[str], list[str]]:
        """Marks below and above pieces: round for White, square for Black, hatched if certain."""
        below: list[str] = []
        above: list[str] = []
        for square, value in zip(self.pieces, judgement.ownership):
            x, y = self.at(square)
            if value is None:
                continue
            if square in judgement.territory:
                below.append(territory(x, y, judgement.territory[square] == "white"))
            elif abs(value) >= LEAST and self.pieces[square] == ".":
                below.append(estimate(x, y, 5 + 11 * abs(value), value > 0))
            elif abs(value) >= LEAST:
                # In a corner, so that the piece is seen.
                above.append(estimate(x + 33, y - 33, 4 + 9 * abs(value), value > 0))
        return below, above


def territory(x: float, y: float, white: bool, inset: int = 0) -> str:
    side = "white" if white else "black"
    hatched = box("hatched", x, y, inset, f"url(#hatch-{side})")
    return f'<g class="mark settled of-{side}">{box("tint", x, y, inset)}{hatched}</g>'


def estimate(x: float, y: float, radius: float, white: bool) -> str:
    if white:
        return f'<circle class="mark estimate of-white" cx="{x:g}" cy="{y:g}" r="{radius:.1f}"/>'
    half = 0.9 * radius
    return (
        f'<rect class="mark estimate of-black" x="{x - half:.1f}" y="{y - half:.1f}" '
        f'width="{2 * half:.1f}" height="{2 * half:.1f}"/>'
    )


def legend(board: Board, y: float, width: float, scale: float) -> Iterator[str]:
    """What the marks mean, side by side."""
    kinds = [
        (estimate(0, 0, 13, True), "White’s"),
        (territory(0, 0, True, 35), "certain"),
        (estimate(0, 0, 13, False), "Black’s"),
        (territory(0, 0, False, 35), "certain"),
    ]
    kinds = [] if board.damone else kinds if board.amazons else kinds[::2]
    for index, (mark, meaning) in enumerate(kinds):
        x = board.width / 2 + (index - (len(kinds) - 1) / 2) * width / 4 - 50 * scale
        words = text(26, 9, meaning, 26, "start")
        yield f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{mark}{words}</g>'


def curve(
    scores: list[float], marked: int, top: float, width: float, height: float
) -> Iterator[str]:
    """White's expected score from turn to turn; White's part is below the line."""
    scores = scores * 2 if len(scores) == 1 else scores
    step = width / (len(scores) - 1)
    points = [(index * step, top + height * (1 - score)) for index, score in enumerate(scores)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<rect class="graph-black" y="{top:g}" width="{width}" height="{height:g}"/>'
    foot = f"{top + height:g}"
    yield f'<polygon class="graph-white" points="0,{foot} {line} {width},{foot}"/>'
    yield path("graph-half", f"M{width} {top + height / 2:g}H0")
    yield f'<polyline class="graph-line" points="{line}"/>'
    yield (
        f'<rect x="-2" y="{top - 2:g}" width="{width + 4}" height="{height + 4:g}" '
        f'fill="none" stroke="{COLOURS["--frame"]}" stroke-width="4"/>'
    )
    yield path("graph-now", f"M{points[marked][0]:.1f} {top:g}v{height:g}")


def draw(game: Game, move: int, judgements: list[Judgement]) -> Iterator[str]:
    """The lines of the picture of the position after `move` turns."""
    board = Board(game.variant, judgements[move].fen)
    below, above = board.marks(judgements[move])
    tile = 'width="14" height="14" patternUnits="userSpaceOnUse"'
    patterns = [
        f'<pattern id="hatch-{side}" {tile}>{path("hatch", data)}</pattern>'
        for side, data in HATCHES.items()
    ]
    scores = [judgement.white for judgement in judgements]
    # On small boards squares are drawn larger; all else stays as it is.
    scale = max(0.62, board.columns / 10, board.rows / 10)
    margin = 44 * scale + RIM
    key = board.height + margin + 20 * scale
    top = key if board.damone else key + 40 * scale
    bottom = top + CURVE * scale
    width, height = board.width + 2 * margin, bottom + (124 + 24) * scale
    caption = f"after turn {move} of {len(game.moves)}: White scores {100 * scores[move]:.0f} %"

    yield '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif"'
    yield f' width="{width / 2 / scale:.0f}" height="{height / 2 / scale:.0f}"'
    yield f' viewBox="{-margin:g} {-24 * scale:g} {width:g} {height:g}" fill="{COLOURS["--text"]}">'
    yield f"<style>{style()}</style>"
    corner = f'x="{-margin:g}" y="{-24 * scale:g}"'
    yield f'<rect {corner} width="100%" height="100%" fill="{COLOURS["--page"]}"/>'
    for layer, elements in [
        ("ground", board.ground()),
        ("coordinates", board.coordinates(scale)),
        ("marks", ["<defs>", *patterns, "</defs>", *below]),
        ("last", board.last_turn(game.moves[move - 1]) if move else []),
        ("pieces", board.figures()),
        ("marks", above),
        ("legend", legend(board, key, width, scale)),
        ("graph", curve(scores, move, top, board.width, CURVE * scale)),
    ]:
        yield f'<g class="{layer}">'
        yield from elements
        yield "</g>"
    yield text(board.width / 2, bottom + 60 * scale, game.title, 30 * scale)
    yield text(board.width / 2, bottom + 104 * scale, caption, 30 * scale)
    yield "</svg>"


def main() -> None:
    parser = game_parser(__doc__)
    parser.add_argument(
        "--move",
        type=number_from(0),
        metavar="N",
        help="the position after N turns, those of both sides counted [the last one]",
    )
    parser.add_argument("--out", metavar="FILE", help="where to write [standard output]")
    arguments = parser.parse_args()
    game = chosen_game(arguments)
    last = len(game.moves)
    move = last if arguments.move is None else arguments.move
    if move > last:
        raise Failure(f"--move {move}: {game.place} has {last} turns, those of both sides counted")

    # In Damone nobody owns squares, and only the Amazons have territories.
    variant = game.variant.lower()
    judgements = search_game(
        game,
        arguments.nodes,
        arguments.jobs,
        ownership=not variant.startswith("damone"),
        territory=variant.startswith("amazons"),
    )
    picture = "\n".join(draw(game, move, judgements)) + "\n"
    if arguments.out is None:
        print(picture, end="")
        return
    try:
        Path(arguments.out).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise Failure(f"{arguments.out}: {error.strerror or error}") from None


if __name__ == "__main__":
    run(main)
