"""Self-play with a net of one's own, as a task: what a node is told of the net, and how it plays.

The evaluator is made once in each worker, which plays one task after another with it.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import resource
import sys
import traceback
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .._extra import needs
from .._hippolyta import EngineError, State
from ..engine import Engine
from ..evaluators import Evaluator, Onnx, named
from ..training import selfplay
from .errors import ClusterError
from .program import TRY_AGAIN, Finished

Factory = Callable[[], Evaluator]
"""Makes an evaluator, in the process that calls it."""

GPU, PROCESSOR = "CUDAExecutionProvider", "CPUExecutionProvider"
"""ONNX Runtime's names of the processors that a net may run on."""

PROBES = 4
"""Positions by which it is seen whether two nets are the same."""
ROUNDING = 0.02
"""The share by which a net may say something else on another processor."""

_made: dict[str, Evaluator] = {}
"""The evaluators of this worker."""


@dataclass(frozen=True)
class Net:
    """A net and the options of `hippolyta.training.selfplay` to play with.

    `name` tells nets apart in the settings of a run, `key` in a worker. It comes as a file of ONNX (`content`), as a
    function that makes it (`make`, pickled), or by its name, `module:name`. A task has `cpus` cores for it, and a
    share `gpus` of a GPU, if any.
    """

    name: str
    key: str
    content: bytes = b""
    make: bytes = b""
    options: dict[str, Any] = field(default_factory=dict)
    cpus: int = 1
    gpus: float = 0.0
    said: tuple[float, ...] = ()
    """What it says of some positions where the run was begun: see `ask`."""

    @staticmethod
    def of(net: str | os.PathLike[str] | Factory, options: dict[str, Any], cpus: int) -> Net:
        """The net of a path, a name or a function. Raises ClusterError if a file cannot be read."""
        if callable(net):
            with needs("a cluster", "cluster"):
                from ray import cloudpickle
            name = f"{net.__module__}:{getattr(net, '__qualname__', type(net).__qualname__)}"
            pickler: Any = cloudpickle  # it declares no types
            make = pickler.dumps(net)
            return Net(name, uuid.uuid4().hex, make=make, options=options, cpus=cpus)
        text = os.fspath(net)
        if text.endswith(".onnx"):
            try:
                content = Path(text).read_bytes()
            except OSError as error:
                raise ClusterError(f"{text}: {error.strerror}") from error
            name = hashlib.sha256(content).hexdigest()
            return Net(name, name, content, options=options, cpus=cpus)
        if ":" not in text:
            raise ClusterError(f"{text} is neither a file .onnx nor module:name (--net)")
        return Net(text, text, options=options, cpus=cpus)

    def play(self, shard: Sequence[str], out: Path, modules: str | None) -> Finished:
        """Plays a shard, two numbers, into the file `out`. `modules` is a folder in which they are looked for, if it is
        there. An exception of the net ends the run; if files cannot be written, somebody else may.
        """
        remainder, divisor = map(int, shard)

        def play() -> bytes:
            evaluator, numbers = self._ready(out, modules), (remainder, divisor)
            selfplay(out, evaluator=evaluator, shard=numbers, progress=False, **self.options)
            return b""

        return self._tried(play)

    def ask(self, here: Path, modules: str | None) -> Finished:
        """What the net says of some positions of the games that it is to play, as JSON: another net says something else,
        whatever its name. `here` is a folder for its files.
        """
        return self._tried(
            lambda: json.dumps(self._says(self._ready(here / "net", modules))).encode()
        )

    def is_that_of(self, said: Sequence[float]) -> bool:
        """Whether a net that has said this may be this one."""
        same = (
            abs(one - other) <= ROUNDING * max(one, other) for one, other in zip(self.said, said)
        )
        return len(self.said) == len(said) and all(same)

    def _says(self, evaluator: Evaluator) -> list[float]:
        state = State(self.options.get("variant", "amazons"), fen=self.options.get("fen"))
        states = []
        for number in range(1, PROBES + 1):
            states.append(state.copy())
            if actions := state.legal_actions():
                state.play(actions[number * (len(actions) - 1) // PROBES])
        with Engine(hash=1, evaluator=evaluator, batch=PROBES) as engine:
            found = engine.evaluate(states, policy=True)
        said = []
        for one in found:
            assert one.policy is not None
            priors = dict(zip(one.policy.action.tolist(), one.policy.prior.tolist(), strict=True))
            said += [one.score.expected, *(prior for _, prior in sorted(priors.items()))]
        return said

    def _ready(self, out: Path, modules: str | None) -> Evaluator:
        """The evaluator of this worker. Raises ClusterError if it is not the one of the run."""
        if self.key not in _made:
            evaluator = self._evaluator(out, modules)
            if self.said and not self.is_that_of(self._says(evaluator)):
                raise ClusterError(
                    f"the net {self.name} says something else here than where the run was begun"
                )
            _made[self.key] = evaluator
        return _made[self.key]

    def _tried(self, work: Callable[[], bytes]) -> Finished:
        """Does work with the net: what it says, what that costs, and how it ended."""
        before, data, trace = _processor_time(), b"", ""
        try:
            data = work()
        except EngineError as error:
            code, said = TRY_AGAIN, str(error)
        except ClusterError as error:
            code, said = 1, str(error)
        except Exception as error:  # noqa: BLE001 (a net raises what it likes)
            first = next(iter(str(error).strip().splitlines()), "")
            code, said, trace = 1, f"{type(error).__name__}: {first}", traceback.format_exc()
        else:
            code, said = 0, ""
        return Finished(code, _processor_time() - before, data, said.encode(), trace)

    def _evaluator(self, out: Path, modules: str | None) -> Evaluator:
        if modules and modules not in sys.path and os.path.isdir(modules):
            sys.path.insert(0, modules)
        if self.make:
            make: Factory = pickle.loads(self.make)
            return make()
        if not self.content:
            return named(self.name)
        file = out.with_suffix(".onnx")
        file.write_bytes(self.content)
        try:
            if not self.gpus:
                return Onnx(file, threads=self.cpus)
            made = Onnx(file, providers=(GPU, PROCESSOR), threads=self.cpus)
        finally:
            file.unlink()
        if GPU not in made.providers:
            raise ClusterError(
                "ONNX Runtime does not work on the GPU here: install onnxruntime-gpu, or say --gpus 0"
            )
        return made


def _processor_time() -> float:
    """The processor seconds of this process so far."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
