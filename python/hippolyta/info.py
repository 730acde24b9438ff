"""Results of searches. All of them are frozen, compare by value and can be pickled."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from .outcome import Move, Side

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "Branch",
    "Counts",
    "Evaluation",
    "Info",
    "Line",
    "PlayResult",
    "Policy",
    "Region",
    "Score",
    "Stones",
    "Territory",
]


@dataclass(frozen=True)
class Score:
    """The worth of a position to `side`.

    >>> score = Score(expected=0.75, win=0.75, draw=0.0, loss=0.25, side=Side.BLACK)
    >>> score.white().expected
    0.25
    >>> won = Score.won(plies=3, side=Side.WHITE)
    >>> won.plies, won.mate, won.black().mate
    (3, 2, -2)
    """

    #: The expected score, 0 … 1. A draw counts one half.
    expected: float
    #: Probabilities, 0 … 1; together 1.
    win: float
    draw: float
    loss: float
    #: Turns of both sides until the game is over, at most, if a win or a loss is proven; 0: it is over.
    plies: int | None = None
    #: Whether the result is proven: a win, a loss or a draw.
    proven: bool = False
    #: Centipawns within ±3000; a proven win is 100,000, a proven loss minus that.
    centipawns: int = 0
    #: Whose score it is.
    side: Side = Side.WHITE

    @property
    def mate(self) -> int | None:
        """Turns of the winner until the game is over, at most, if a win or a loss is proven; negative if `side` loses,
        and 0 if it has lost already. It is UCI's `score mate`, and in the unit of `Limit(mate=…)`."""
        if self.plies is None:
            return None
        return max(1, (self.plies + 1) // 2) if self.win > self.loss else -((self.plies + 1) // 2)

    @staticmethod
    def won(plies: int, side: Side) -> Score:
        """A win of `side` that is proven."""
        return Score(1.0, 1.0, 0.0, 0.0, plies, True, 100_000, side)

    @staticmethod
    def of_centipawns(centipawns: int, side: Side) -> Score:
        """An estimate of `centipawns`, without draws.

        >>> Score.of_centipawns(100, Side.WHITE).expected
        0.6400649998028851
        """
        win = 1 / (1 + 10 ** (-max(-3000, min(3000, centipawns)) / 400))
        return Score(win, win, 0.0, 1 - win, centipawns=centipawns, side=side)

    def pov(self, side: Side) -> Score:
        """The score from the view of `side`."""
        if side is self.side:
            return self
        return replace(
            self,
            expected=1.0 - self.expected,
            win=self.loss,
            loss=self.win,
            centipawns=-self.centipawns,
            side=side,
        )

    def white(self) -> Score:
        """The score from White's view."""
        return self.pov(Side.WHITE)

    def black(self) -> Score:
        """The score from Black's view."""
        return self.pov(Side.BLACK)


@dataclass(frozen=True)
class Line:
    """A line of play: best play of both sides as the search sees it."""

    #: The turns, at least one.
    moves: tuple[Move, ...]
    #: The worth of the first of them to the side to move.
    score: Score
    #: Simulations that went through it; `None` if that is not known.
    visits: int | None = None
    #: The policy's probability of it, 0 … 1; `None` if nothing was searched.
    prior: float | None = None
    #: The score that the search compares: `score` before it was calibrated; `None` if that is not known.
    search_score: Score | None = None
    #: Whether there is too little search behind it to trust the score: its standard error is above 5 points.
    uncertain: bool = False

    @property
    def move(self) -> Move:
        """The first turn."""
        return self.moves[0]


@dataclass(frozen=True)
class Region:
    """A part of a board of the Amazons that is cut off from the others."""

    #: `None` if both sides can reach it.
    owner: Side | None
    #: Its squares, those of amazons included.
    squares: tuple[str, ...]
    #: The number of its empty squares.
    empty: int
    #: The number of turns that a side can make in it: at least, at most.
    white_turns: tuple[int, int]
    black_turns: tuple[int, int]
    #: White's turns minus Black's with best play: at least, at most.
    worth: tuple[int, int]


@dataclass(frozen=True)
class Territory:
    """The regions of a board of the Amazons, and what they are worth."""

    regions: tuple[Region, ...]
    #: The number of turns that a side has left in its own territories: at least, at most.
    white_turns: tuple[int, int]
    black_turns: tuple[int, int]
    #: The number of turns by which the side to move is ahead, negative if it is behind; `None` if it is not known.
    margin: float | None
    #: Who wins, if that is proven.
    winner: Side | None


@dataclass(frozen=True)
class Counts:
    """A number for each kind of stones."""

    white: float
    black: float
    neutral: float


@dataclass(frozen=True)
class Stones:
    """The stones of Desdemona and its relatives: now, and the mean over many games at their end."""

    now: Counts
    at_end: Counts
    #: Own minus opposing stones at the end, from the view of the side to move.
    expected_margin: float


@dataclass(frozen=True, eq=False)
class Policy:
    """Half-turns and the numbers that a search has for them, as arrays: those that begin the turn, then those that
    follow one of them, by falling prior. `hippolyta.encoding` numbers the actions. Empty if the result needed no
    search. In an `Evaluation` there are only those that begin the turn, without visits and values.
    """

    #: The action before it in the same turn; -1 if it begins the turn.
    begun: npt.NDArray[np.int64]
    action: npt.NDArray[np.int64]
    #: Simulations that went through it.
    visits: npt.NDArray[np.uint32]
    #: Its probability by the evaluation, among those of its position.
    prior: npt.NDArray[np.float32]
    #: Its worth to the side to move, from -1 to 1: the mean, or a proven result; not a number if neither is known.
    value: npt.NDArray[np.float32]

    def after(self, action: int = -1) -> Policy:
        """The half-turns that follow `action`; without it those that begin the turn."""
        rows = self.begun == action
        return Policy(
            self.begun[rows],
            self.action[rows],
            self.visits[rows],
            self.prior[rows],
            self.value[rows],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Policy):
            return NotImplemented
        # By bytes, so that what is not known equals itself.
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return all(one.tobytes() == two.tobytes() for one, two in pairs)


@dataclass(frozen=True)
class Info:
    """The result of a search so far. Scores are those of the side to move."""

    #: The worth of the position; with `root_moves`, that of the best of those turns.
    score: Score
    #: The lines, as many as asked for and as there are: the turn to play first, then those with the most visits, by the
    #: lower bounds of what they are worth. Empty if the game is over.
    lines: tuple[Line, ...]
    #: Positions evaluated.
    nodes: int
    #: Simulations from the position, those of earlier searches of the same game included.
    visits: int
    #: Seconds since the search began.
    time: float
    #: Turns in the first line, and in the longest path searched.
    depth: int
    selective_depth: int
    #: The side to move, and the position.
    side: Side
    fen: str
    #: The score that the search compares: `score` before it was calibrated; `None` if that is not known.
    search_score: Score | None = None
    #: The standard deviation of the difference to the expected score that ten times as many positions will show, 0 … 1;
    #: `None` after short searches, once the result is proven, and from other engines.
    spread: float | None = None
    #: The share of the tree's memory that is in use, 0 … 1.
    hash_full: float = 0.0
    #: Simulations that ended in exact knowledge.
    exact_hits: int = 0
    #: Who owns each square in the end, ranks from the top and files from the left: 1 if the side to move certainly
    #: does, −1 if the opponent does; in between the difference of both probabilities. `None` where nobody can own it.
    #: Only if asked for.
    ownership: tuple[float | None, ...] | None = None
    #: The number of turns by which the side to move will be ahead at the end: exact, or expected from what was
    #: searched. In the Amazons, with the ownership.
    lead: float | None = None
    #: The regions of the Amazons. Only if asked for.
    territory: Territory | None = None
    #: The stones of Desdemona and its relatives. Only if asked for.
    stones: Stones | None = None
    #: The half-turns of the first turn as arrays. Only if asked for.
    policy: Policy | None = field(default=None, compare=False, repr=False)
    #: Whether the search is over.
    last: bool = True

    @property
    def move(self) -> Move | None:
        """The best turn; `None` if the game is over."""
        return self.lines[0].moves[0] if self.lines else None

    @property
    def pv(self) -> tuple[Move, ...]:
        """The best line."""
        return self.lines[0].moves if self.lines else ()

    @property
    def nodes_per_second(self) -> float:
        """Positions evaluated in a second."""
        return self.nodes / max(self.time, 1e-6)


@dataclass(frozen=True)
class Evaluation:
    """The evaluation of a position, without a search: see `Engine.evaluate`. Scores are those of the side to move."""

    #: The worth of the position, on the scale of `Info.score`.
    score: Score
    #: The score that a search uses: `score` before it was calibrated.
    search_score: Score
    #: The side to move.
    side: Side
    #: As in `Info`. Only if asked for.
    ownership: tuple[float | None, ...] | None = None
    lead: float | None = None
    territory: Territory | None = None
    stones: Stones | None = None
    #: The half-turns that begin a turn, with their priors. Only if asked for.
    policy: Policy | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Branch:
    """A half-turn in the tree of a search, with those after it: see `Engine.tree`."""

    #: The turn as far as it goes with this half-turn: `d1d7`, and `d1d7,d7g7` for the fire after it.
    text: str
    #: Whether the turn is whole.
    complete: bool
    #: Whose turn it is.
    side: Side
    #: Simulations that went through it.
    visits: int
    #: Its probability by the evaluation, among those of its position.
    prior: float
    #: The mean score of `side`, 0 … 1, before it was calibrated; or that of a proven result.
    expected: float
    #: Whether that is a proven result.
    proven: bool
    #: The half-turns after it, those with the most visits first.
    children: tuple[Branch, ...]


@dataclass(frozen=True)
class PlayResult:
    """The turn that an engine plays."""

    #: The turn.
    move: Move
    #: The reply that it expects, if it knows.
    ponder: Move | None
    #: The analysis behind it.
    info: Info


def _pair(values: list[int]) -> tuple[int, int]:
    return values[0], values[1]


def _side(name: str | None) -> Side | None:
    return Side(name) if name in ("white", "black") else None


def _territory(found: dict[str, Any]) -> Territory:
    def region(one: dict[str, Any]) -> Region:
        return Region(
            owner=_side(one["owner"]),
            squares=tuple(one["squares"]),
            empty=one["empty"],
            white_turns=_pair(one["turns"]["white"]),
            black_turns=_pair(one["turns"]["black"]),
            worth=_pair(one["worth"]),
        )

    return Territory(
        regions=tuple(region(one) for one in found["regions"]),
        white_turns=_pair(found["turnsLeft"]["white"]),
        black_turns=_pair(found["turnsLeft"]["black"]),
        margin=found["margin"],
        winner=_side(found["winner"]),
    )


def owned(found: dict[str, Any]) -> dict[str, Any]:
    """The fields `ownership`, `lead`, `territory` and `stones` of an `Info`, from those of the same names in JSON."""
    fields: dict[str, Any] = {}
    if found.get("ownership") is not None:
        fields["ownership"] = tuple(found["ownership"])
    if found.get("lead") is not None:
        fields["lead"] = found["lead"]
    if found.get("territory") is not None:
        fields["territory"] = _territory(found["territory"])
    if found.get("stones") is not None:
        stones = found["stones"]
        fields["stones"] = Stones(
            Counts(**stones["now"]), Counts(**stones["final"]), stones["expectedMargin"]
        )
    return fields


def _fields(found: dict[str, Any]) -> dict[str, Any]:
    """The fields that `Info` and `Evaluation` have in common, from those of `_hippolyta`."""
    fields = dict(found)
    fields["score"] = Score(*fields["score"])
    fields["search_score"] = Score(*fields["search_score"])
    if "policy" in fields:
        fields["policy"] = Policy(*fields["policy"])
    text = fields.pop("owned")
    return {**fields, **(owned(json.loads(text)) if text != "{}" else {})}


def made(found: dict[str, Any]) -> Info:
    """An `Info` from what `_hippolyta` says."""
    fields = _fields(found)
    fields["lines"] = tuple(
        Line(tuple(moves), Score(*score), visits, prior, Score(*search_score), uncertain)
        for moves, score, visits, prior, search_score, uncertain in fields["lines"]
    )
    return Info(**fields)


def evaluated(found: dict[str, Any]) -> Evaluation:
    """An `Evaluation` from what `_hippolyta` says."""
    return Evaluation(**_fields(found))


def branches(found: list[tuple[Any, ...]]) -> tuple[Branch, ...]:
    """The branches of a tree from what `_hippolyta` says."""

    def branch(fields: tuple[Any, ...]) -> Branch:
        text, complete, side, visits, prior, expected, proven, children = fields
        below = branches(children)
        return Branch(text, complete, side, visits, prior, expected, proven, below)

    return tuple(map(branch, found))
