"""Figures for reports and papers, by matplotlib: `pip install hippolyta[figures]`.

Each function makes a figure of its own and returns it: `figure.savefig("curve.svg")`. In a notebook it is shown. Nothing
of matplotlib's state is changed.
"""

from typing import TYPE_CHECKING, Any

from ._hippolyta import Board

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .game_review import GameReview, Kind

__all__ = ["curve", "ownership"]

_INK = "#33261b"
_WHITE = "#f3e9d4"
_BLACK = "#4b4238"
# Told apart by shape as well as by colour.
_MARKS: "dict[Kind, tuple[str, str, str]]" = {
    "inaccuracy": ("o", "#c9971c", "inaccuracy (5 % lost)"),
    "mistake": ("s", "#c2570c", "mistake (10 %)"),
    "blunder": ("X", "#a4133c", "blunder (20 %)"),
}


def _figure(width: float, height: float) -> "Figure":
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("figures need matplotlib: pip install hippolyta[figures]") from error
    return Figure(figsize=(width, height), layout="constrained")


def curve(review: "GameReview") -> "Figure":
    """White's expected score after each turn of a reviewed game, with the mistakes.

    The lower part is White's share, the upper one Black's.
    """
    figure = _figure(8, 3.4)
    axes = figure.subplots()
    values = [100 * value for value in review.curve]
    turns = [ply / 2 for ply in range(len(values))]
    axes.fill_between(turns, values, 0, color=_WHITE, linewidth=0)
    axes.fill_between(turns, values, 100, color=_BLACK, linewidth=0)
    axes.plot(turns, values, color="#8a6d3b", linewidth=1.8)
    axes.axhline(50, color="#8c8378", linewidth=0.8, linestyle=(0, (4, 4)))
    for kind, (marker, colour, label) in _MARKS.items():
        at = [turn.ply + 1 for turn in review.turns if turn.kind == kind]
        if at:
            axes.scatter(
                [turns[ply] for ply in at],
                [values[ply] for ply in at],
                marker=marker,
                s=46,
                color=colour,
                edgecolors="white",
                linewidths=0.9,
                zorder=3,
                clip_on=False,
                label=label,
            )
    axes.set_xlim(0, max(turns[-1], 0.5))
    axes.set_ylim(0, 100)
    axes.set_xlabel("move number")
    axes.set_ylabel("White's expected score in %")
    game = review.game
    axes.set_title(
        f"{game.white} – {game.black}, {game.variant}, {game.result}", fontsize=11, color=_INK
    )
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    for spine in ("top", "right"):
        axes.spines[spine].set_visible(False)
    return figure


def ownership(board: Board, info: Any) -> "Figure":
    """Who owns each square: of an analysis with `ownership=True`, which `info` is.

    Blue is White's and orange Black's; the scale goes from −1 (Black's for certain) to 1 (White's).
    """
    from matplotlib.colors import LinearSegmentedColormap

    if info.ownership is None:
        raise ValueError("the analysis has no ownership: ask for it by ownership=True")
    files, ranks = board.size
    sign = 1 if info.side == "white" else -1
    values = [
        [sign * (info.ownership[row * files + file] or 0.0) for file in range(files)]
        for row in range(ranks)
    ]
    figure = _figure(1.3 + 0.42 * files, 0.7 + 0.42 * ranks)
    axes = figure.subplots()
    colours = LinearSegmentedColormap.from_list("owners", ["#c2570c", "#f7f4ee", "#1f6fb5"])
    image = axes.imshow(values, cmap=colours, vmin=-1, vmax=1)
    axes.set_xticks(range(files), [chr(97 + file) for file in range(files)])
    axes.set_yticks(range(ranks), [str(ranks - row) for row in range(ranks)])
    axes.tick_params(length=0)
    for at, piece in _pieces(board):
        file, row = at
        if piece == "*":
            axes.plot(file, row, marker="x", color="#5f554a", markersize=9, markeredgewidth=2)
        else:
            face, edge = ("#fffdf5", _INK) if piece.isupper() else (_INK, "#f7efe0")
            shape = "^" if piece in "Qq" else "o"
            axes.plot(file, row, marker=shape, color=face, markeredgecolor=edge, markersize=11)
    bar = figure.colorbar(image, ax=axes, shrink=0.85, ticks=[-1, 0, 1])
    bar.ax.set_yticklabels(["Black's", "nobody's", "White's"])
    bar.outline.set_visible(False)
    axes.spines[:].set_color("#a78a63")
    return figure


def _pieces(board: Board) -> "list[tuple[tuple[int, int], str]]":
    found = []
    for row, rank in enumerate(board.fen().split()[0].split("/")):
        file, number = 0, ""
        for letter in rank + " ":
            if letter.isdigit():
                number += letter
                continue
            file += int(number or 0)
            number = ""
            if letter != " ":
                found.append(((file, row), letter))
                file += 1
    return found
