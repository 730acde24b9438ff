"""Positions as pictures of pixels, for environments: `render_mode="rgb_array"`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._extra import needs

with needs("this environment", "envs"):
    import numpy as np

from .._hippolyta import colours
from ..encoding import Encoding
from ..outcome import Side

if TYPE_CHECKING:
    import numpy.typing as npt

    from ..encoding import State

__all__ = ["MODES", "checked_mode", "rendered"]

#: Modes in which environments of one board render.
MODES = ["ansi", "rgb_array"]

#: Pixels of a square's side.
_SQUARE = 48
#: Circles of each kind of piece, by their radii in squares: its edge, its body, and rings within, outer and inner.
_CIRCLES: dict[str, tuple[float, ...]] = {
    "amazons": (0.40, 0.36, 0.14, 0.0),
    "stones": (0.32, 0.29),
    "pedine": (0.32, 0.29),
    "dame": (0.36, 0.33, 0.22, 0.18),
    "damoni": (0.40, 0.37, 0.28, 0.24, 0.15, 0.11),
}


def checked_mode(mode: str | None) -> str | None:
    """A mode in which something is rendered; `ValueError` if there is no such."""
    if mode is not None and mode not in MODES:
        modes = " or ".join(map(repr, [*MODES, None]))
        raise ValueError(f"render_mode: {modes} is expected, not {mode!r}")
    return mode


def rendered(
    state: State, encoding: Encoding, mode: str | None
) -> str | npt.NDArray[np.uint8] | None:
    """The position as text, as pixels of shape (height, width, 3), or not at all."""
    if mode == "rgb_array":
        return _pixels(state, encoding)
    return str(state) if mode == "ansi" else None


def _rgb(name: str) -> npt.NDArray[np.float64]:
    code = colours()[f"--{name}"].removeprefix("#")
    return np.array([int(code[at : at + 2], 16) for at in (0, 2, 4)], dtype=np.float64)


def _pixels(state: State, encoding: Encoding) -> npt.NDArray[np.uint8]:
    ranks, files = encoding.board
    black = state.turn is Side.BLACK
    planes = state.planes()[:, :ranks, :files]
    # White's view, with the last rank on top.
    planes = planes[:, :, ::-1] if black else planes[:, ::-1]
    picture = np.zeros((ranks, files, _SQUARE, _SQUARE, 3))
    exists = planes[encoding.channels.index("board")].astype(bool)
    rank, file = np.indices((ranks, files))
    # As in chess, or the squares that Damone is played on.
    is_dark = (ranks - 1 - rank + file) % 2 == 0 if exists.all() else exists
    picture[is_dark], picture[~is_dark] = _rgb("square-dark"), _rgb("square-light")
    own, enemy = ("black", "white") if black else ("white", "black")
    for plane, channel in zip(planes, encoding.channels, strict=True):
        owner, _, kind = channel.partition(" ")
        places = np.argwhere(plane) if channel != "board" else ()
        for place in map(tuple, places):
            if channel == "arrows":
                _fill(picture[place], "burnt", "burnt-cross")
            elif channel == "about to fire":
                _ring(picture[place], 0.48, 0.44, _rgb("focus"))
            elif kind in _CIRCLES:
                side = {"own": own, "enemy": enemy}.get(owner, owner)
                _draw(picture[place], kind, side)
    whole = picture.swapaxes(1, 2).reshape(ranks * _SQUARE, files * _SQUARE, 3)
    pixels: npt.NDArray[np.uint8] = whole.round().astype(np.uint8)
    return pixels


def _fill(square: npt.NDArray[Any], colour: str, cross: str) -> None:
    """A square of one colour, with a cross."""
    square[:] = _rgb(colour)
    at = (np.arange(_SQUARE) + 0.5) / _SQUARE - 0.5
    x, y = np.meshgrid(at, at)
    is_near = (np.abs(np.abs(x) - np.abs(y)) < 0.05) & (np.abs(x) < 0.28)
    square[is_near] = _rgb(cross)


def _ring(
    square: npt.NDArray[Any], outer: float, inner: float, colour: npt.NDArray[np.float64]
) -> None:
    """A ring in the middle of a square, or a disc if `inner` is 0, with soft edges."""
    at = (np.arange(_SQUARE) + 0.5) / _SQUARE - 0.5
    distance = np.hypot(*np.meshgrid(at, at))
    share = np.clip((outer - distance) * _SQUARE + 0.5, 0, 1)
    if inner:
        share *= np.clip((distance - inner) * _SQUARE + 0.5, 0, 1)
    square += share[..., None] * (colour - square)


def _draw(square: npt.NDArray[Any], kind: str, side: str) -> None:
    edge, body, *rings = _CIRCLES[kind]
    line = _rgb(f"piece-{side}-line")
    _ring(square, edge, 0, line)
    _ring(square, body, 0, _rgb(f"piece-{side}"))
    for outer, inner in zip(rings[::2], rings[1::2], strict=True):
        _ring(square, outer, inner, line)
