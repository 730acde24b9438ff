"""When a search ends."""

from dataclasses import dataclass

from ._hippolyta import bounds, is_unlimited, seconds, whole

__all__ = ["BOUNDS", "Limit"]

Seconds = float

#: The least and the greatest value of what engines and searches are told, as `BOUNDS["threads"]`; those of UCI.
BOUNDS = bounds()


@dataclass(frozen=True, kw_only=True)
class Limit:
    """When a search ends: at the first of these limits that is reached, and in any case when the result is proven.

    >>> Limit(time=0.5, nodes=10_000)
    Limit(time=0.5, nodes=10000)
    >>> Limit(clock=(60, 45), increment=1)
    Limit(clock=(60, 45), increment=1)
    >>> Limit(nodes=0)
    Traceback (most recent call last):
    ValueError: nodes: 0 is not from 1 to 18446744073709551615
    """

    #: Seconds for this turn, which are used up.
    time: Seconds | None = None
    #: Positions to evaluate, from 1. A few more may be evaluated.
    nodes: int | None = None
    #: Turns in the principal variation, from 1.
    depth: int | None = None
    #: A proven win of the side to move within this number of its own turns, from 1: as `Score.mate`, and as in UCI.
    mate: int | None = None
    #: Seconds left on White's and on Black's clock. The search takes its share of its own.
    clock: tuple[Seconds | None, Seconds | None] | None = None
    #: Seconds that each side gains with every turn, or White's and Black's.
    increment: Seconds | tuple[Seconds, Seconds] = 0
    #: Turns until the next time control, from 1.
    moves_to_go: int | None = None
    #: The rating to play at, 0 … 4000; without it, the engine plays as well as it can. For `Engine` it is a limit where
    #: it is below the highest level of the rule set; above, it is full strength, which ends no search.
    elo: int | None = None

    def __post_init__(self) -> None:
        for name in ("nodes", "depth", "mate", "moves_to_go", "elo"):
            value = getattr(self, name)
            if value is not None:
                whole(name, value, *BOUNDS[name])
        if self.time is not None:
            seconds("time", self.time)
        if self.clock is not None:
            for left in self._pair("clock"):
                if left is not None:
                    seconds("clock", left)
        if isinstance(self.increment, (tuple, list)):
            for gained in self._pair("increment"):
                seconds("increment", gained)
        else:
            seconds("increment", self.increment)

    def _pair(self, name: str) -> tuple[Seconds | None, ...]:
        """A field for White and Black, which becomes a tuple, so that a limit can be a key."""
        value = getattr(self, name)
        if not isinstance(value, (tuple, list)) or len(value) != 2:
            raise TypeError(f"{name}: two times are expected, White's and Black's, not {value!r}")
        object.__setattr__(self, name, tuple(value))
        return tuple(value)

    @property
    def increments(self) -> tuple[Seconds, Seconds]:
        """Seconds that White and Black gain with every turn."""
        if isinstance(self.increment, tuple):
            return self.increment
        return self.increment, self.increment

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing but a proven result, a stop or a rating ends the search.

        >>> Limit().is_unlimited, Limit(depth=4).is_unlimited, Limit(elo=1500).is_unlimited
        (True, False, True)
        """
        return is_unlimited(self)

    def __repr__(self) -> str:
        fields = [(name, getattr(self, name)) for name in self.__dataclass_fields__]
        given = [
            f"{name}={value!r}"
            for name, value in fields
            if value != self.__dataclass_fields__[name].default
        ]
        return f"Limit({', '.join(given)})"
