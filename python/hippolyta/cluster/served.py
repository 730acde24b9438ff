"""A net in one place, an actor of Ray that all tasks of self-play ask."""

from __future__ import annotations

from functools import cache
from typing import Any

from .driver import connected_ray
from .net import Factory


def served(make: Factory, *, gpus: float = 1, cpus: int = 0) -> Factory:
    """Makes one evaluator, by `make`, in an actor of Ray with a share `gpus` of a GPU, and returns what
    `hippolyta.cluster.selfplay` takes for a net: a function that makes evaluators which ask it. So tasks on cores share
    a net on a GPU, where its tensors may be. Answers are promised: with `threads=2` a task has two batches under way.

    The process must be connected to Ray. The actor lives as long as what is returned; if it is lost, Ray begins
    another, which makes the net anew. `cpus` cores are kept for it; without any it need not wait for a core that tasks
    have taken meanwhile. Raises ClusterError without a connection; what `make` or the net raises ends the run.

        ray.init()
        selfplay("games.dat", served(make), games=20_000, gpus=0, threads=2, variant="amazons6")
    """
    ray = connected_ray()
    again = {"max_restarts": -1, "max_task_retries": -1}
    host: Any = ray.remote(_Host).options(num_gpus=gpus, num_cpus=cpus, **again).remote(make)
    return lambda: _Asking(host)


class _Host:
    """The actor."""

    def __init__(self, make: Factory) -> None:
        # Made for the first who asks: an actor that does not begin hides why.
        self._net = cache(make)

    def answer(self, planes: Any) -> tuple[Any, Any]:
        logits, values = self._net()(planes.copy())  # Ray's arrays cannot be written to
        return _here(logits), _here(values)


def _here(tensor: Any) -> Any:
    """A tensor of PyTorch as it can be sent: without gradients, in the processor's memory."""
    for method in ("detach", "cpu"):
        tensor = getattr(tensor, method)() if hasattr(tensor, method) else tensor
    return tensor


class _Asking:
    """An evaluator that asks the actor."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def __call__(self, planes: Any, /) -> Any:
        return _Promise(self._host.answer.remote(planes))


class _Promise:
    """An answer that is on its way."""

    def __init__(self, ref: Any) -> None:
        self._ref = ref

    def result(self) -> tuple[Any, Any]:
        """The logits and values."""
        ray = connected_ray()
        try:
            answer: tuple[Any, Any] = ray.get(self._ref)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from error
        return answer
