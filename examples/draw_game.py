#!/usr/bin/env python3
"""Draw a position of a game, who owns which squares, and the game's evaluation curve, as one SVG.

    python3 examples/draw_game.py results/games.jsonl --game 3 --move 20 > game.svg
"""

import argparse
import hippolyta

SQUARE = 40
CURVE = 120
MARGIN = 30
TOP = 10
GLYPHS = {"Q": "♕", "q": "♛", "S": "○", "s": "●", "*": "✕", "P": "○", "p": "●", "D": "⛁", "d": "⛃", "I": "♔", "i": "♚"}


def pieces(fen):
    """The board of a FEN as rows of characters, from the top; dots are empty squares."""
    rows = []
    for rank in fen.split()[0].split("/"):
        row, digits = "", ""
        for character in rank + "/":
            if character.isdigit():
                digits += character
                continue
            row += "." * int(digits or 0) + character
            digits = ""
        rows.append(row[:-1])
    return rows


def text(x, y, content, size, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="middle" dominant-baseline="central" {extra}>{content}</text>'


def board(answer):
    """The squares with their pieces, tinted by who owns them."""
    rows = pieces(answer["rootInfo"]["fen"])
    owners = answer.get("ownership")
    view = 1 if answer["rootInfo"]["currentPlayer"] == "white" else -1
    for down, row in enumerate(rows):
        for across, piece in enumerate(row):
            x, y = MARGIN + across * SQUARE, TOP + down * SQUARE
            colour = "#d8c8a8" if (down + across) % 2 else "#e8dcc4"
            yield f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'
            owner = owners[down * len(row) + across] if owners else None
            if owner:
                tint = "#ffffff" if owner * view > 0 else "#000000"
                yield f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{tint}" opacity="{0.35 * abs(owner):.2f}"/>'
            if piece != ".":
                yield text(x + SQUARE / 2, y + SQUARE / 2, GLYPHS[piece], 30)
        yield text(MARGIN / 2, TOP + down * SQUARE + SQUARE / 2, len(rows) - down, 14)
    for across in range(len(rows[0])):
        yield text(MARGIN + across * SQUARE + SQUARE / 2, TOP + len(rows) * SQUARE + MARGIN / 2, chr(ord("a") + across), 14)


def curve(scores, marked, left, top, width):
    """White's expected score from move to move."""
    scores = scores * 2 if len(scores) == 1 else scores
    step = width / (len(scores) - 1)
    points = [(left + index * step, top + CURVE * (1 - score)) for index, score in enumerate(scores)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    yield f'<rect x="{left}" y="{top}" width="{width}" height="{CURVE}" fill="#555555"/>'
    yield f'<polygon points="{left},{top + CURVE} {line} {left + width},{top + CURVE}" fill="#ffffff"/>'
    yield f'<line x1="{left}" y1="{top + CURVE / 2}" x2="{left + width}" y2="{top + CURVE / 2}" stroke="#999999" stroke-dasharray="4"/>'
    x, y = points[marked]
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#cc3333"/>'


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

    with hippolyta.Analysis() as engine:
        # In Damone nobody owns squares, and the engine would say so in a warning.
        owners = {} if game["variant"].startswith("damone") else {"includeOwnership": True}
        answers = engine.whole_game(game, nodes=arguments.nodes, **owners)

    rows = pieces(answers[move]["rootInfo"]["fen"])
    width, height = len(rows[0]) * SQUARE, TOP + len(rows) * SQUARE
    whole = (width + 2 * MARGIN, height + MARGIN + CURVE + MARGIN)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{whole[0]}" height="{whole[1]}" font-family="sans-serif">')
    print('<rect width="100%" height="100%" fill="#f5f2ea"/>')
    for element in board(answers[move]):
        print(element)
    for element in curve([hippolyta.white_view(answer) for answer in answers], move, MARGIN, height + MARGIN, width):
        print(element)
    score = 100 * hippolyta.white_view(answers[move])
    print(text(MARGIN + width / 2, height + MARGIN + CURVE + MARGIN / 2, f"after move {move}: White scores {score:.0f} %", 14))
    print("</svg>")


if __name__ == "__main__":
    main()
