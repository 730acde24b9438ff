"""Figures of games with matplotlib, each in one call: the extra `hippolyta[figures]`.

Each function draws into `axes` if they are given, else into a figure of its own, and returns the figure. Nothing is
shown or saved: a notebook shows what a cell returns, elsewhere there is `figure.savefig`.
"""

from typing import TYPE_CHECKING, Any

from ._extra import needs
from ._hippolyta import Board, colours
from .info import Info
from .outcome import Side
from .review import KINDS, Review

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["accuracy", "curve", "overview", "ownership"]

_COLOURS = colours()
_INK, _SOFT = _COLOURS["--text"], _COLOURS["--soft"]
_WHITE, _BLACK = _COLOURS["--eval-white"], _COLOURS["--eval-black"]
_KINDS = {"inaccuracy": "#c9971c", "mistake": "#d9661f", "blunder": "#b3202c"}
_SIDES = {"white": "#4a9be0", "black": "#c2570c"}


def _axes(axes: "Axes | None", width: float, height: float) -> "Axes":
    if axes is not None:
        return axes
    with needs("a figure", "figures"):
        from matplotlib.figure import Figure
    # Without pyplot, so that nothing has to be closed and no window system is asked for.
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure.subplots()


def _frame(axes: "Axes") -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(_SOFT)
    axes.tick_params(colors=_SOFT)
    axes.xaxis.label.set_color(_INK)
    axes.yaxis.label.set_color(_INK)


def _figure(axes: "Axes") -> "Figure":
    figure: Any = axes.get_figure()
    return figure  # type: ignore[no-any-return]


def curve(review: Review, axes: "Axes | None" = None) -> "Figure":
    """White's expected score in per cent from turn to turn, with the mistakes of both sides."""
    axes = _axes(axes, 8, 3.6)
    from matplotlib.ticker import MaxNLocator

    plies = list(range(len(review.curve)))
    scores = [100 * score for score in review.curve]
    axes.fill_between(plies, scores, 100, color=_BLACK, linewidth=0)
    axes.fill_between(plies, 0, scores, color=_WHITE, linewidth=0)
    axes.plot(plies, scores, color="#8a7a5e", linewidth=1.6)
    axes.axhline(50, color="#c2570c", linewidth=1, linestyle=(0, (4, 4)))
    markers = {Side.WHITE: "o", Side.BLACK: "s"}
    for kind in KINDS:
        for side, marker in markers.items():
            found = [verdict for verdict in review.mistakes(side) if verdict.kind == kind]
            if found:
                axes.scatter(
                    [verdict.ply + 1 for verdict in found],
                    [scores[verdict.ply + 1] for verdict in found],
                    s=46,
                    color=_KINDS[kind],
                    edgecolor="#ffffff",
                    linewidth=1.2,
                    marker=marker,
                    zorder=3,
                    label=f"{kind}, {side.value.capitalize()}",
                    clip_on=False,
                )
    axes.set_xlim(0, max(1, len(plies) - 1))
    axes.set_ylim(0, 100)
    axes.set_xlabel("turns played by both sides")
    axes.set_ylabel("White’s expected score (%)")
    game = review.game
    axes.set_title(
        f"{game.white} – {game.black}, {game.variant}: {game.result}",
        color=_INK,
        loc="left",
        fontsize=11,
    )
    if review.mistakes():
        axes.legend(
            loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9, labelcolor=_INK
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _frame(axes)
    return _figure(axes)


def accuracy(review: Review, phases: int = 3, axes: "Axes | None" = None) -> "Figure":
    """Accuracy of both sides in per cent, in as many phases of equal length: turns that were no mistakes."""
    axes = _axes(axes, 6, 3.4)
    parts = [part for part in review.phases(phases) if len(part[0])]
    for at, (name, colour) in enumerate((("White", _WHITE), ("Black", _BLACK))):
        summaries = [(white, black)[at] for _, white, black in parts]
        places = [place + (at - 0.5) * 0.38 for place in range(len(parts))]
        heights = [100 * summary.accuracy if summary.turns else 0 for summary in summaries]
        bars = axes.bar(
            places, heights, 0.36, color=colour, edgecolor=_SOFT, linewidth=1, label=name
        )
        texts = [
            f"{height:.0f} %" if summary.turns else "no turns"
            for height, summary in zip(heights, summaries)
        ]
        axes.bar_label(bars, texts, padding=2, fontsize=9, color=_INK)
    axes.set_xticks(range(len(parts)), [f"{part.start + 1}–{part.stop}" for part, _, _ in parts])
    axes.set_ylim(0, 112)
    axes.set_yticks(range(0, 101, 25))
    axes.set_xlabel("turns of both sides")
    axes.set_ylabel("accuracy (% of turns)")
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, labelcolor=_INK)
    _frame(axes)
    return _figure(axes)


def ownership(board: Board, info: Info, axes: "Axes | None" = None) -> "Figure":
    """Who owns which squares, as colours with a scale: White's blue, Black's orange. `info` is an analysis of `board`
    with `ownership=True`. Raises `ValueError` if it has none."""
    if info.ownership is None:
        raise ValueError("this analysis has no ownership: ask for it with ownership=True")
    columns, rows = board.size
    if len(info.ownership) != columns * rows or info.fen != board.fen():
        raise ValueError("this analysis is of another position")
    with needs("a figure", "figures"):
        from matplotlib.colors import LinearSegmentedColormap

    axes = _axes(axes, 5.6, 4.6)
    sign = 1 if info.side == Side.WHITE else -1
    values = [float("nan") if value is None else sign * value for value in info.ownership]
    grid = [values[row * columns : (row + 1) * columns] for row in range(rows)]
    colours = LinearSegmentedColormap.from_list(
        "owner", [_SIDES["black"], _COLOURS["--square-light"], _SIDES["white"]]
    ).with_extremes(bad=_COLOURS["--square-dark"])
    edges = (0.5, columns + 0.5, 0.5, rows + 0.5)
    picture = axes.imshow(
        grid, cmap=colours, vmin=-1, vmax=1, extent=edges, interpolation="nearest"
    )
    axes.set_xticks([column + 0.5 for column in range(columns + 1)], minor=True)
    axes.set_yticks([row + 0.5 for row in range(rows + 1)], minor=True)
    axes.grid(which="minor", color=_COLOURS["--frame"], linewidth=0.7)
    axes.tick_params(which="both", length=0, colors=_SOFT)
    for square, piece in board.pieces().items():
        x, y = ord(square[0]) - 96, int(square[1:])
        if piece == "*":
            shape, width, face, line = "X", 1.0, _COLOURS["--burnt"], "#ffffff"
        else:
            side = "white" if piece.isupper() else "black"
            shape = {"q": "^", "s": "o", "p": "o", "d": "D", "i": "*"}[piece.lower()]
            width, face, line = 1.4, _COLOURS[f"--piece-{side}"], _COLOURS[f"--piece-{side}-line"]
        axes.plot(
            x,
            y,
            marker=shape,
            markersize=11 if piece == "*" else 13,
            color=face,
            markeredgecolor=line,
            markeredgewidth=width,
        )
    axes.set_xticks(range(1, columns + 1), [chr(96 + column) for column in range(1, columns + 1)])
    axes.set_yticks(range(1, rows + 1))
    axes.set_xlabel("file")
    axes.set_ylabel("rank")
    engine: Any = _figure(axes).get_layout_engine()
    if engine is not None:
        # A square picture is made narrower after its labels were placed; this is room for them.
        engine.set(w_pad=0.12)
    bar = _figure(axes).colorbar(picture, ax=axes, ticks=[-1, 0, 1])
    bar.ax.set_yticklabels(["Black’s", "open", "White’s"])
    bar.set_label("owner of the square")
    outline: Any = bar.outline
    outline.set_visible(False)
    return _figure(axes)


def overview(review: Review) -> "Figure":
    """The curve of a game above the accuracy by phase."""
    with needs("a figure", "figures"):
        from matplotlib.figure import Figure
    figure = Figure(figsize=(8, 6.6), layout="constrained")
    above, below = figure.subplots(2, 1)
    curve(review, above)
    accuracy(review, axes=below)
    return figure
