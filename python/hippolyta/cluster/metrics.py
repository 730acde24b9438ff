"""How far a run is and what it has cost, as metrics of Ray: its agents serve them to Prometheus."""

from __future__ import annotations

from typing import Any

from .progress import Count

METRICS = {
    "hippolyta_done": "Units of the run that are done: games, positions.",
    "hippolyta_total": "Units that the run has in all; 0 if nobody knows.",
    "hippolyta_tasks": "Tasks that run or are about to.",
    "hippolyta_cpu_seconds": "Processor time of the engine so far, in seconds.",
}
"""The names, to which Ray prepends `ray_`, and what they mean."""


class Metrics:
    """The metrics of one run. It must be connected to Ray as long as they are set."""

    def __init__(self, run: str) -> None:
        """`run` is the label `run` of all of them."""
        from ray.util.metrics import Gauge

        self._gauges: dict[str, Any] = {}
        for name, meaning in METRICS.items():
            gauge = Gauge(name, description=meaning, tag_keys=("run",))
            gauge.set_default_tags({"run": run})
            self._gauges[name] = gauge

    def show(self, count: Count, cpu: dict[str, float]) -> None:
        """Sets them."""
        numbers = (count.done, count.total, count.flying, sum(cpu.values()))
        for name, number in zip(METRICS, numbers, strict=True):
            self._gauges[name].set(float(number))
