"""Nets of your own in the engine's search, called with many positions at once.

An *evaluator* is a function. It gets planes as `hippolyta.encoding` draws them, an array of 8-bit numbers of shape
(positions, channels, height, width), and returns logits of shape (positions, actions) and values of shape (positions,):
how good each half-turn is and how the game will end, from -1 to 1, both for the side to move. They may be NumPy arrays
or whatever has DLPack (`__dlpack__`), as PyTorch's tensors on the processor, or the buffer protocol.

    >>> import numpy as np
    >>> from hippolyta import Board, Engine, Limit
    >>> from hippolyta.encoding import Encoding
    >>> actions = Encoding("amazons6").actions
    >>> def uniform(planes):
    ...     count = len(planes)
    ...     return np.zeros((count, actions), np.float32), np.zeros(count, np.float32)
    >>> with Engine(evaluator=uniform, batch=8, hash=16) as engine:
    ...     info = engine.analyse(Board("amazons6"), Limit(nodes=200))
    >>> info.nodes, info.score.expected
    (200, 0.5)

**The calls.** One thread makes them, one at a time; the interpreter's lock is held only there. A call has as many
positions as there are, up to `batch`. The array of planes is used again for the next call: what is to be kept must be
copied. What the function raises comes out of `Engine.analyse`, `Engine.play` and the others; so does a `ValueError` that
says in a line which shape or which number is wrong.

**The search** is that of AlphaZero over half-turns. A turn of the Amazons or Desdemona is two half-turns, a move and a
fire, and each is a step in the tree. The position after a move is a leaf like any other, with the mover still to decide:
the net sees the amazon that is about to fire, its logits are those of the fires, and its value counts. So a turn takes
two evaluations, and `Limit(nodes=)` counts evaluations. Priors are the softmax of the logits of legal half-turns. What
the rules make certain, finished games and counted territories, needs no evaluation and is proven as ever.

**Batches.** One search (`analyse`, `play`) collects up to `batch` positions before it asks: the visits of those that wait
count at once, so that it looks elsewhere. That costs some strength at few nodes: with `batch=1` each position is chosen
with all earlier ones known. `analyse_many` searches as many boards at once as a batch has positions, one position each,
and so does `hippolyta.training.selfplay` with `games_at_once`: these batches are full, and each search is the same as
alone.
"""

from typing import Any, Protocol

__all__ = ["Evaluator"]


class Evaluator(Protocol):
    """A function that evaluates many positions at once: see the top of this module.

    If it has an attribute `identity`, bytes, files of self-play name the evaluation by them, and `resume` refuses
    another one.
    """

    def __call__(self, planes: Any, /) -> tuple[Any, Any]: ...
