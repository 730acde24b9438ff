#!/usr/bin/env python3
"""Draw a position of a game, its last turn, who owns which squares, and the game's evaluation curve, as one SVG.

    python3 examples/draw_game.py results/games.jsonl --game 3 --move 20 > game.svg
"""

import argparse
import re
import hippolyta

# The board is that of the page in web/: colours and rules are copied from web/src/styles (light theme), the figures
# from web/src/board/pieces.tsx, the marks from web/src/analysis/MarksLayer.tsx. A test compares them.
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
CRESCENT = "M-36 -27C-33 -9 -19 0 0 0C19 0 33 -9 36 -27C28 -17 17 -12 0 -12C-17 -12 -28 -17 -36 -27Z"
ARROWHEAD = "M0 -45L12 -23L4.5 -25.5V-12H-4.5V-25.5L-12 -23Z"
CROWN = "M-24 8L-31 -30L-14 -15L0 -42L14 -15L31 -30L24 8Q0 17 -24 8Z"
HATCHES = {"white": "M-2 16L16 -2M-2 2L2 -2M12 16L16 12", "black": "M-2 -2L16 16M12 -2L16 2M-2 12L2 16"}


def path(kind, data):
    return f'<path class="{kind}" d="{data}"/>'


def outlined(data):
    return path("outline", data) + path("body", data)


def disc(y, thick, ring):
    side = f"M-35 {y}V{y + thick}A35 22 0 0 0 35 {y + thick}V{y}Z"
    top = f"M-35 {y}A35 22 0 1 1 35 {y}A35 22 0 1 1 -35 {y}Z"
    drawing = path("outline", side + top) + path("body edge", side) + path("body", top)
    return drawing + (f'<ellipse class="line" cy="{y}" rx="22" ry="12.5"/>' if ring else "")


STONE = '<circle class="outline" r="35"/><circle class="body" r="35"/>'
NEUTRAL = STONE + path("hatch", "M-24 4L4 -24M-20.5 17.5L17.5 -20.5M-11 25L25 -11M4 27L27 4")
BURNT = '<rect class="burnt" x="-40" y="-40" width="80" height="80" rx="12"/>' + path(
    "burnt-cross", "M-15 -15L15 15M15 -15L-15 15")
FIGURES = {
    "q": '<g transform="translate(0 1) scale(0.98)">' + outlined(SKIRT + PLINTH + CRESCENT + ARROWHEAD)
         + path("line", "M-24 34H24M-11 9Q0 12 11 9") + "</g>",
    "s": STONE + path("shine", "M-24 -6A25 25 0 0 1 -6 -24"),
    "p": disc(-2, 13, ring=True),
    "d": disc(6, 14, ring=False) + disc(-14, 14, ring=True),
    "i": disc(10, 14, ring=False) + outlined(CROWN) + path("line", "M-25 -1Q0 8 25 -1"),
}


def style():
    """The rules with their colours. Few programs but browsers know variables, and colours with an opacity."""
    rules = re.sub(r"var\((--[a-z-]+)\)", lambda name: COLOURS[name[1]], RULES)
    return re.sub(r"rgb\((\d+) (\d+) (\d+) / (\d\d)%\)", r"rgb(\1, \2, \3); opacity: 0.\4", rules)


def text(x, y, content, size, anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}" text-anchor="{anchor}">{content}</text>'


def box(kind, x, y, inset=0, fill=None):
    """A square around its middle, with round corners if it is inset."""
    side = SQUARE - 2 * inset
    extra = (' rx="3"' if inset else "") + (f' fill="{fill}"' if fill else "")
    return f'<rect class="{kind}" x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side}" height="{side}"{extra}/>'


class Board:
    """Where things are on the drawing, and what stands on the squares. White sits at the bottom."""

    def __init__(self, variant, fen):
        self.damone = variant.startswith("damone")
        self.amazons = variant.startswith("amazons")
        ranks = [re.findall(r"\d+|.", rank) for rank in fen.split()[0].split("/")]
        rows = ["".join("." * int(token) if token.isdigit() else token for token in rank) for rank in ranks]
        self.columns, self.rows = len(rows[0]), len(rows)
        self.width, self.height = self.columns * SQUARE, self.rows * SQUARE
        # As in a FEN: ranks from the top, each from the left.
        self.pieces = {chr(97 + file) + str(self.rows - down): piece
                       for down, row in enumerate(rows) for file, piece in enumerate(row)}

    def at(self, square):
        """The middle of a square."""
        return (ord(square[0]) - 97) * SQUARE + HALF, (self.rows - int(square[1:])) * SQUARE + HALF

    def ground(self):
        yield f'<rect class="frame" x="-5" y="-5" width="{self.width + 10}" height="{self.height + 10}" rx="5"/>'
        for square in self.pieces:
            # On Damone's board h1 is dark; on the others a1 is, as in chess.
            even = (ord(square[0]) + int(square[1:])) % 2 == 0
            yield box("light" if even == self.damone else "dark", *self.at(square))

    def coordinates(self, scale):
        for file in range(self.columns):
            yield text(file * SQUARE + HALF, self.height + 6 + 30 * scale, chr(97 + file), 28 * scale)
        for rank in range(self.rows):
            yield text(-6 - 21 * scale, self.height - rank * SQUARE - HALF + 9 * scale, rank + 1, 28 * scale)

    def last_turn(self, turn):
        """Where it began is a hollow frame, where it went a filled one, where it fired a frame of another colour."""
        squares, kinds = re.findall(r"[a-k]\d+", turn), ["from", "to", "fire"]
        if self.damone:
            kinds[1:] = ["between"] * (len(squares) - 2) + ["to"]
        elif len(squares) == 4:
            del squares[2]  # `d1d7,d7g7` names the amazon's new square twice
        for square, kind in zip(squares, kinds):
            x, y = self.at(square)
            yield f'<g class="{kind}">{box("tint", x, y)}{box("edge", x, y, 4)}</g>'

    def figures(self):
        for square, piece in self.pieces.items():
            if piece == ".":
                continue
            x, y = self.at(square)
            side = "neutral" if piece == "*" else "white" if piece.isupper() else "black"
            figure = FIGURES.get(piece.lower()) or (BURNT if self.amazons else NEUTRAL)
            yield f'<g class="piece {side}" transform="translate({x:g} {y:g})">{figure}</g>'

    def marks(self, answer):
        """Marks under the pieces and above them. White's are round, Black's square; what is settled is hatched."""
        white_moves = answer["rootInfo"]["currentPlayer"] == "white"
        settled = {square: region["owner"] for region in answer.get("territory", {}).get("regions", [])
                   if region["owner"] != "contested" for square in region["squares"]}
        below, above = [], []
        for square, value in zip(self.pieces, answer.get("ownership", [])):
            x, y = self.at(square)
            if value is None:
                continue
            if square in settled:
                below.append(territory(x, y, settled[square] == "white"))
            elif abs(value) >= LEAST and self.pieces[square] == ".":
                below.append(estimate(x, y, 5 + 11 * abs(value), (value > 0) == white_moves))
            elif abs(value) >= LEAST:
                # In a corner, so that the piece is seen.
                above.append(estimate(x + 33, y - 33, 4 + 9 * abs(value), (value > 0) == white_moves))
        return below, above


def territory(x, y, white, inset=0):
    side = "white" if white else "black"
    hatched = box("hatched", x, y, inset, f"url(#hatch-{side})")
    return f'<g class="mark settled of-{side}">{box("tint", x, y, inset)}{hatched}</g>'


def estimate(x, y, radius, white):
    if white:
        return f'<circle class="mark estimate of-white" cx="{x:g}" cy="{y:g}" r="{radius:.1f}"/>'
    half = 0.9 * radius
    return (f'<rect class="mark estimate of-black" x="{x - half:.1f}" y="{y - half:.1f}" '
            f'width="{2 * half:.1f}" height="{2 * half:.1f}"/>')


def legend(board, y, width, scale):
    """What the marks mean, side by side."""
    kinds = [(estimate(0, 0, 13, True), "White’s"), (territory(0, 0, True, 35), "certain"),
             (estimate(0, 0, 13, False), "Black’s"), (territory(0, 0, False, 35), "certain")]
    kinds = [] if board.damone else kinds if board.amazons else kinds[::2]
    for index, (mark, meaning) in enumerate(kinds):
        x = board.width / 2 + (index - (len(kinds) - 1) / 2) * width / 4 - 50 * scale
        yield f'<g transform="translate({x:g} {y:g}) scale({scale:g})">{mark}{text(26, 9, meaning, 26, "start")}</g>'


def curve(scores, marked, top, width, height):
    """White's expected score from move to move; White's part is below the line."""
    scores = scores * 2 if len(scores) == 1 else scores
    step = width / (len(scores) - 1)
    points = [(index * step, top + height * (1 - score)) for index, score in enumerate(scores)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<rect class="graph-black" y="{top:g}" width="{width}" height="{height:g}"/>'
    yield f'<polygon class="graph-white" points="0,{top + height:g} {line} {width},{top + height:g}"/>'
    yield path("graph-half", f"M{width} {top + height / 2:g}H0")
    yield f'<polyline class="graph-line" points="{line}"/>'
    yield (f'<rect x="-2" y="{top - 2:g}" width="{width + 4}" height="{height + 4:g}" '
           f'fill="none" stroke="{COLOURS["--frame"]}" stroke-width="4"/>')
    yield path("graph-now", f"M{points[marked][0]:.1f} {top:g}v{height:g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="games.jsonl of a match, or text: `startpos moves …` or `FEN moves …`")
    parser.add_argument("--game", type=int, default=1, help="which of the file's games, from 1")
    parser.add_argument("--move", type=int, help="the position after so many moves [default: the last]")
    parser.add_argument("--variant", default="amazons", help="rule set, if the file does not say it")
    parser.add_argument("--nodes", type=int, default=20_000, help="for each position")
    arguments = parser.parse_args()
    games = hippolyta.read_games(arguments.file, arguments.variant)
    if not 1 <= arguments.game <= len(games):
        raise SystemExit(f"--game {arguments.game}: the file has {len(games)}")
    game = hippolyta.setup(games[arguments.game - 1])
    last = len(game["moves"])
    move = last if arguments.move is None else arguments.move
    if not 0 <= move <= last:
        raise SystemExit(f"--move {move}: the game has {last}")

    # The engine warns where it has nothing to say: nobody owns squares in Damone, only the Amazons have territories.
    owners = {} if game["variant"].startswith("damone") else {"includeOwnership": True}
    if game["variant"].startswith("amazons"):
        owners["includeTerritory"] = True
    with hippolyta.Analysis() as engine:
        answers = engine.whole_game(game, nodes=arguments.nodes, **owners)

    board = Board(game["variant"], answers[move]["rootInfo"]["fen"])
    below, above = board.marks(answers[move])
    tile = 'width="14" height="14" patternUnits="userSpaceOnUse"'
    patterns = [f'<pattern id="hatch-{side}" {tile}>{path("hatch", data)}</pattern>' for side, data in HATCHES.items()]
    scores = [hippolyta.white_view(answer) for answer in answers]
    # On small boards squares are drawn larger; all else stays as it is.
    scale = max(0.62, board.columns / 10, board.rows / 10)
    margin = 44 * scale + RIM
    key = board.height + margin + 20 * scale
    top = key if board.damone else key + 40 * scale
    bottom = top + CURVE * scale
    width, height = board.width + 2 * margin, bottom + (80 + 24) * scale
    caption = f"after move {move}: White scores {100 * scores[move]:.0f} %"

    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width / 2 / scale:.0f}" height="{height / 2 / scale:.0f}" '
          f'viewBox="{-margin:g} {-24 * scale:g} {width:g} {height:g}" font-family="system-ui, sans-serif" '
          f'fill="{COLOURS["--text"]}">')
    print(f"<style>{style()}</style>")
    print(f'<rect x="{-margin:g}" y="{-24 * scale:g}" width="100%" height="100%" fill="{COLOURS["--page"]}"/>')
    for layer, elements in [
        ("ground", board.ground()),
        ("coordinates", board.coordinates(scale)),
        ("marks", ["<defs>", *patterns, "</defs>", *below]),
        ("last", board.last_turn(game["moves"][move - 1]) if move else []),
        ("pieces", board.figures()),
        ("marks", above),
        ("legend", legend(board, key, width, scale)),
        ("graph", curve(scores, move, top, board.width, CURVE * scale)),
    ]:
        print(f'<g class="{layer}">', *elements, "</g>", sep="\n")
    print(text(board.width / 2, bottom + 60 * scale, caption, 30 * scale))
    print("</svg>")


if __name__ == "__main__":
    main()
