"""When a search ends."""

import math
from dataclasses import dataclass

__all__ = ["Limit"]

Seconds = float


@dataclass(frozen=True, kw_only=True)
class Limit:
    """When a search ends: at the first of these limits that is reached, and in any case when the result is proven.

    >>> Limit(time=0.5, nodes=10_000)
    Limit(time=0.5, nodes=10000)
    >>> Limit(clock=(60, 45), increment=1)
    Limit(clock=(60, 45), increment=1)
    >>> Limit(nodes=0)
    Traceback (most recent call last):
    ValueError: nodes: 0 is less than 1
    """

    #: Seconds for this turn, which are used up.
    time: Seconds | None = None
    #: Positions to evaluate, from 1. A few more may be evaluated.
    nodes: int | None = None
    #: Turns in the principal variation, from 1.
    depth: int | None = None
    #: A proven win of the side to move within this number of its own turns, from 1.
    mate: int | None = None
    #: Seconds left on White's and on Black's clock. The search takes its share of its own.
    clock: tuple[Seconds | None, Seconds | None] | None = None
    #: Seconds that each side gains with every turn, or White's and Black's.
    increment: Seconds | tuple[Seconds, Seconds] = 0
    #: Turns until the next time control, from 1.
    moves_to_go: int | None = None
    #: The rating to play at, 0 … 4000; without it, the engine plays as well as it can.
    elo: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "depth", "mate", "moves_to_go"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise ValueError(f"{name}: {value} is less than 1")
        times = {"time": [self.time], "clock": self.clock or (), "increment": self.increments}
        for name, values in times.items():
            for seconds in values:
                if seconds is not None and not (seconds >= 0 and math.isfinite(seconds)):
                    raise ValueError(f"{name}: {seconds} is not a time")
        if self.elo is not None and not 0 <= self.elo <= 4000:
            raise ValueError(f"elo: {self.elo} is not within 0 … 4000")

    @property
    def increments(self) -> tuple[Seconds, Seconds]:
        """What White and Black gain with every turn, in seconds."""
        if isinstance(self.increment, tuple):
            return self.increment
        return self.increment, self.increment

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing but a proven result or a stop ends the search.

        >>> Limit().is_unlimited, Limit(depth=4).is_unlimited, Limit(elo=1500).is_unlimited
        (True, False, True)
        """
        limits = (self.time, self.nodes, self.depth, self.mate, self.clock)
        return all(limit is None for limit in limits) and self.increments == (0, 0)

    def __repr__(self) -> str:
        fields = [(name, getattr(self, name)) for name in self.__dataclass_fields__]
        given = [
            f"{name}={value!r}"
            for name, value in fields
            if value != self.__dataclass_fields__[name].default
        ]
        return f"Limit({', '.join(given)})"
