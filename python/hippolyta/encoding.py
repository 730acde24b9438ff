"""Positions and half-turns as numbers, for learning.

A *half-turn* is one decision: an amazon moves, then it fires. A turn of Damone is one half-turn, captures included.
A `State` stands between two half-turns and numbers those that are legal; an `Encoding` tells the shapes. `Boards` are
many of them: one call plays on all of them, on several threads.

**The view** is that of the side to move, before and after it has moved its amazon. White sees the board as it is:
row 0 of a plane is rank 1, column 0 is file a. Black sees it turned by half a circle: row 0 is the last rank,
column 0 the last file. So each side has its own camp in the first rows, and with colours swapped as well the rules
are the same for both.

**Planes** are numbers of 8 bits without sign, shape (channels, height, width). All channels are 0 or 1 but the
count of quiet plies.

| family | channels |
| --- | --- |
| Amazons | own amazons, enemy amazons, arrows, about to fire, board |
| Desdemona | own amazons, enemy amazons, own stones, enemy stones, neutral stones, about to fire, turn without a shot, \
board |
| rule sets of your own | those of Desdemona, and where squares are protected, "protected from own shots" and \
"protected from enemy shots", and where the sides differ, "black to move" before "board" |
| Damone | own pedine, own dame, own damoni, enemy pedine, enemy dame, enemy damoni, quiet plies, has repeated, board |

"About to fire" marks the amazon that has just moved. "Board" marks the squares that exist, in Damone the dark ones.
"Turn without a shot", "black to move", "quiet plies" (0 to 80) and "has repeated" (some board occurred twice since the
last ply that cannot be taken back) have the same number on all squares of the board.

**Size.** Planes are as large as the board. With `size=` they have that width and height; the board is then in the
first rows and columns, and "board" tells where it ends. So one net can learn from boards of several sizes.

**Actions** are half-turns as numbers: `plane * height * width + row * width + column`, where row and column are those
of the square on which a half-turn begins, as the side to move sees it. So a policy may be a convolution with
`action_shape` as its output.

| family | planes of the actions |
| --- | --- |
| Amazons, Desdemona | `direction * (S - 1) + distance - 1` for a move by 1 to S - 1 squares, where S is the longer \
side of a plane; directions 0 to 7 are clockwise from straight ahead. The last plane, `8 * (S - 1)`, is a fire, and its \
square the one that is fired at. |
| rule sets of your own | the same, and behind the fires eight planes of a knight's leaps, clockwise from ahead on the \
right. |
| Damone | 0 to 3: a quiet step, clockwise from ahead on the right. From 4 on: \
`4 + 4 * (((dy + 3) * 7 + dx + 3) // 2) + n` for a capture that ends dx columns and dy rows of jumps away; n, 0 to 3, \
counts the sets of pieces that captures between these squares can take. Captures that differ only in their path share \
a number. |

    >>> from hippolyta.encoding import Encoding, State
    >>> Encoding("amazons")
    Encoding('amazons', shape=(5, 10, 10), actions=7300)
    >>> state = State("amazons")
    >>> len(state.legal_actions())
    80
    >>> move = state.action_of("d1d7")
    >>> divmod(move, 100)  # straight ahead by 6 squares, from the square in row 0, column 3
    (5, 3)
    >>> state.play(move)
    >>> state.at_turn_start, state.begun
    (False, 'd1d7')
    >>> state.play(state.action_of("d1d7,d7g7"))
    >>> state.turn
    <Side.BLACK: 'black'>
    >>> Encoding("amazons6", size=10).shape
    (5, 10, 10)

**Symmetries.** The rules of the Amazons, of Desdemona and of rule sets of your own are the same after a reflection of the
board, so each sample is worth up to eight: `symmetries` gives them. Damone has none: its pieces know ahead from behind,
and the one reflection that its rules keep does not keep the numbers of captures.

    >>> from hippolyta.encoding import symmetries
    >>> [image.name for image in symmetries(Encoding("amazons", fen="q3/4/3Q w"))]
    ['same', 'mirrored', 'flipped', 'turned']
    >>> len(symmetries(Encoding("amazons"))), len(symmetries(Encoding("damone")))
    (8, 1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._hippolyta import Boards, Encoding, State

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Boards", "Encoding", "State", "Symmetry", "symmetries"]


@dataclass(frozen=True)
class Symmetry:
    """A way to reflect the board: columns are mirrored, rows are flipped, then both may be swapped."""

    encoding: Encoding
    #: Whether the first column becomes the last.
    mirrors: bool
    #: Whether the first row becomes the last.
    flips: bool
    #: Whether rows become columns, last of all.
    swaps: bool

    @property
    def name(self) -> str:
        """The reflection in words."""
        words = {
            (False, False): ("same", "swapped"),
            (True, False): ("mirrored", "mirrored and swapped"),
            (False, True): ("flipped", "flipped and swapped"),
            (True, True): ("turned", "turned and swapped"),
        }
        return words[self.mirrors, self.flips][self.swaps]

    def planes(self, planes: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The planes of the images of positions, which stand in the last three dimensions of `planes`."""
        _, height, width = self.encoding.shape
        if planes.shape[-2:] != (height, width):
            raise ValueError(
                f"planes: shape {planes.shape}, expected is one that ends in {height}, {width}"
            )
        squares, _ = self.encoding._images((self.mirrors, self.flips, self.swaps))
        flat = planes.reshape(*planes.shape[:-2], height * width)
        image: npt.NDArray[Any] = flat.copy()
        image[..., squares] = flat
        return image.reshape(planes.shape)

    def actions(self) -> npt.NDArray[np.int64]:
        """The image of each action, by its number: `actions()[action]`."""
        _, actions = self.encoding._images((self.mirrors, self.flips, self.swaps))
        return actions


def symmetries(encoding: Encoding) -> list[Symmetry]:
    """All ways to reflect the board under which the rules stay the same; the first changes nothing."""
    return [Symmetry(encoding, *reflection) for reflection in encoding._reflections()]
