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
| Damone | own pedine, own dame, own damoni, enemy pedine, enemy dame, enemy damoni, quiet plies, has repeated, board |

"About to fire" marks the amazon that has just moved. "Board" marks the squares that exist, in Damone the dark ones.
"Turn without a shot", "quiet plies" (0 to 80) and "has repeated" (some board occurred twice since the last ply that
cannot be taken back) have the same number on all squares of the board.

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
"""

from ._hippolyta import Boards, Encoding, State

__all__ = ["Boards", "Encoding", "State"]
