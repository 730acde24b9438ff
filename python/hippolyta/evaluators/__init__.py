"""Nets of your own in the engine's search, called with many positions at once.

An *evaluator* is a function. It gets planes as `hippolyta.encoding` draws them, an array of 8-bit numbers of shape
(positions, channels, height, width), and returns logits of shape (positions, actions) and values of shape (positions,)
or (positions, 1): how good each half-turn is and how the game will end, from -1 to 1, both for the side to move. Values
of shape (positions, 3) are the probabilities of a win, a draw and a loss. They may be NumPy arrays, or whatever has
DLPack (`__dlpack__`) or the buffer protocol: arrays of 32-bit floats are read where they lie. Tensors of PyTorch may be
on a GPU, have gradients, or be of bfloat16. A rule set of your own has evaluators like any other.

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

**The calls.** They are made one at a time, by a thread of the engine's own, or by as many as `threads` says, never by
the one that has called `analyse`: what is set for a thread, as by `torch.no_grad()`, belongs into the function. The
interpreter's lock is held only there. A call has as many positions as there are, up to `batch`. The array of planes
belongs to the function, which may keep it or write to it. Nothing is copied on the way: `torch.from_dlpack(planes)` is
the same memory, and 32-bit floats in C order are read where they lie. Small nets of NumPy want one thread of OpenBLAS
(`OPENBLAS_NUM_THREADS=1` before NumPy is imported): on a busy machine its threads spin while they wait, and self-play
with a net of 128 units took up to seven times the processor time. What the function calls must not wait for its own
engine, nor for one whose evaluator waits for it: such calls raise `EngineError`. Exceptions of the function come out of
`Engine.analyse`, `Engine.play` and the others; so does a `ValueError` that says in a line which shape or which number
is wrong.

**The search** is that of AlphaZero over half-turns. A turn of the Amazons or Desdemona is two half-turns, a move and a
fire, and each is a step in the tree. The position after a move is a leaf like any other, with the mover still to decide:
the net sees the amazon that is about to fire, its logits are those of the fires, and its value counts. So a turn takes
two evaluations, and `Limit(nodes=)` counts evaluations. Priors are the softmax of the logits of legal half-turns.
Results that the rules make certain, by a finished game or counted territories, need no evaluation and are proven.

**Batches.** One search (`analyse`, `play`) collects up to `batch` positions before it asks: the visits of those that wait
count at once, so that it looks elsewhere. That costs some strength at few nodes: with `batch=1` each position is chosen
with all earlier ones known. `analyse_many` searches as many boards at once as a batch has positions, one position each,
and so does `hippolyta.training.selfplay` with `games_at_once`: all go on in turn on one thread, each until it needs an
evaluation. So these batches are full, and each search is the same as alone. With `threads` of self-play, each has an
equal part of the games and batches of its own; while one is evaluated, the others go on. So with `threads=2` two batches
are under way, one on its way through the net and one that is filled. The function may also return a promise, as a
`concurrent.futures.Future`, whose `result()` is the pair: while that is waited for, it is called for other batches.

**Files of ONNX** are evaluators, too, by ONNX Runtime: `Engine(evaluator=Onnx("net.onnx"))`. And evaluators speak UCI,
for GUIs, matches and whoever else plays against them: `python -m hippolyta.evaluators net.onnx`, or `module:name` for a
function of Python. `setoption name EvalNet value other.onnx` takes another one between two searches, by a path as this
process sees it, and `<built-in>` the one that it began with: without a net the built-in evaluation.
"""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Sequence
from typing import Any, Protocol

from .._extra import needs

__all__ = ["Evaluator", "Onnx"]


class Evaluator(Protocol):
    """A function that evaluates many positions at once: see the top of this module.

    If it has an attribute `identity`, bytes, files of self-play name the evaluator by them, and `resume` refuses
    another one. Without it `resume` warns that nobody can tell.
    """

    def __call__(self, planes: Any, /) -> tuple[Any, Any]: ...


class Onnx:
    """The net of an ONNX file, run by ONNX Runtime: the extra `hippolyta[onnx]`.

    It has one input, planes of 8-bit numbers or 32-bit floats with any number of positions, and two outputs, logits and
    values, in this order; what follows the positions is flattened. `providers` says where it runs, as
    `["CUDAExecutionProvider"]`; by default on the processor. `threads` are those of the processor that a call may take.

    Raises `ValueError` if the file is no such net.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        providers: Sequence[str] = ("CPUExecutionProvider",),
        threads: int = 1,
    ) -> None:
        with needs("a net of ONNX", "onnx"):
            import numpy as np
            import onnxruntime
        self._path = os.fspath(path)
        with open(self._path, "rb") as file:
            data = file.read()
        #: The hash by which files of self-play name the net.
        self.identity = hashlib.sha256(data).digest()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=list(providers))
        except Exception as error:
            raise ValueError(f"{self._path}: ONNX Runtime refuses it: {error}") from error
        inputs, outputs = self._session.get_inputs(), self._session.get_outputs()
        types = {"tensor(uint8)": np.uint8, "tensor(float)": np.float32}
        kinds = [kind.type for kind in inputs]
        if len(inputs) != 1 or kinds[0] not in types or len(outputs) != 2:
            raise ValueError(
                f"{self._path}: a net with one input, of uint8 or float, and two outputs is expected; "
                f"it has {len(inputs)} ({', '.join(kinds)}) and {len(outputs)}"
            )
        self._input, self._type = inputs[0].name, types[kinds[0]]

    def __call__(self, planes: Any, /) -> tuple[Any, Any]:
        given = {self._input: planes.astype(self._type, copy=False)}
        logits: Any
        values: Any
        logits, values = self._session.run(None, given)
        values = values.reshape(len(planes), -1)
        return logits.reshape(len(planes), -1), values[:, 0] if values.shape[1] == 1 else values

    @property
    def providers(self) -> tuple[str, ...]:
        """Where it runs: those of `providers` that ONNX Runtime has found to work here."""
        return tuple(self._session.get_providers())

    def __repr__(self) -> str:
        return f"Onnx({self._path!r})"


def named(name: str) -> Evaluator:
    """The evaluator of a name: a file of ONNX, or `module:name`."""
    if name.endswith(".onnx"):
        return Onnx(name)
    module, colon, function = name.rpartition(":")
    if not colon:
        raise ValueError(f"{name} is neither a file .onnx nor module:name")
    evaluator: Evaluator = getattr(importlib.import_module(module), function)
    if not callable(evaluator):
        raise TypeError(f"{name} is no function of planes")
    return evaluator
