"""How well a game was played: what each turn lost, by an engine.

The rule is that of `hippolyta review` and of the page that `hippolyta serve` shows: a turn loses what the expected score
of its player fell by, nothing if it was the engine's choice. Where that is 3 % or more, the position after the best
turn is searched too, and the turn loses what the position after it is worse. `THRESHOLDS` tells from which loss on it is
an inaccuracy, a mistake or a blunder, by whole per cents. Accuracy is the share of a side's turns that were none of
these. Turns of an opening (`Thought.book`) are not judged.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

from . import records
from ._hippolyta import Board, Judged, kind_of, kinds
from .games import Game
from .info import Info
from .limit import Limit
from .outcome import Side

__all__ = ["KINDS", "THRESHOLDS", "Reason", "Review", "Summary", "Verdict", "kind_of", "review"]

Kind = Literal["inaccuracy", "mistake", "blunder"]

#: From which loss of expected score on (0 … 1) a turn is called so.
THRESHOLDS: dict[Kind, float] = {name: per_cent / 100 for name, per_cent, _ in kinds()}
KINDS: tuple[Kind, ...] = tuple(THRESHOLDS)
_GLYPHS: dict[Kind, str] = {name: sign for name, _, sign in kinds()}

#: The limit of a quick review, as the page calls it.
QUICK = Limit(nodes=20_000)


class Analyser(Protocol):
    """`hippolyta.Engine` and `hippolyta.uci.Engine` are such."""

    def analyse_many(
        self,
        boards: Iterable[Board],
        limit: Limit,
        jobs: int | None = None,
        multipv: int = 1,
        ownership: bool = False,
        territory: bool = False,
        stones: bool = False,
        *,
        progress: bool | None = None,
    ) -> Iterator[Info]: ...


@dataclass(frozen=True)
class Reason:
    """One reason why a turn was worse than the best one."""

    #: The subject: `thrown away`, `forced loss`, `missed win`, `territory`, `shut in`, `flips`, `captures`, `count`,
    #: `reach`, `mobility`, `pieces`, `promotion`, `end`.
    kind: str
    #: A sentence.
    text: str
    #: The squares that it speaks of.
    squares: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Verdict:
    """The judgement of one turn. Scores are White's expected scores, 0 … 1."""

    #: Its number in the game, from 0.
    ply: int
    side: Side
    move: str
    #: The engine's choice, and the line that begins with it.
    best: str
    line: tuple[str, ...]
    #: White's expected score with the best turn, which the loss is measured from, and after the turn played.
    before: float
    after: float
    #: The expected score that its player lost against the best turn, 0 … 1.
    loss: float
    kind: Kind | None
    #: Its number as people count: `12.` for White, `12…` for Black.
    number: str = ""
    #: Whether it came from an opening: then it is not judged.
    book: bool = False
    #: Of a mistake in the Amazons, by how many turns its player's margin is less than after the best turn, if that is
    #: known.
    turns_lost: float | None = None
    #: Why a mistake was one, the weightiest reason first.
    reasons: tuple[Reason, ...] = ()
    #: The turns expected after a mistake, the answer first.
    refutation: tuple[str, ...] = ()

    @property
    def glyph(self) -> str:
        """`?!`, `?`, `??`, or nothing."""
        return _GLYPHS[self.kind] if self.kind else ""


@dataclass(frozen=True)
class Summary:
    """How a side played."""

    #: The number of turns that were judged.
    turns: int
    #: Mean loss of expected score, 0 … 1; 0 without turns.
    average_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int
    #: The share of turns that were no mistake of any kind, 0 … 1; 1 without turns.
    accuracy: float


@dataclass(frozen=True)
class Review:
    """A game with a verdict on each turn. `print` shows it as a table."""

    game: Game
    verdicts: tuple[Verdict, ...]
    #: White's expected score in each position, 0 … 1, the first one before any turn.
    curve: tuple[float, ...]
    #: The engine's analysis of each position.
    infos: tuple[Info, ...]
    #: How much of each was searched.
    limit: Limit = QUICK
    #: The engine's analyses of the positions after best turns, by the number of turns before them, where turns had to
    #: be compared with those.
    after_best: Mapping[int, Info] = field(default_factory=dict, hash=False)

    @property
    def white(self) -> Summary:
        """How White played."""
        return self._summary(Side.WHITE)

    @property
    def black(self) -> Summary:
        """How Black played."""
        return self._summary(Side.BLACK)

    def mistakes(
        self, side: Side | str | None = None, by: Literal["turn", "cost"] = "turn"
    ) -> list[Verdict]:
        """The turns that were inaccuracies, mistakes or blunders, of one side or both, the earliest or the dearest
        first."""
        found = self._judged().mistakes(None if side is None else str(side), by == "cost")
        return [self.verdicts[ply] for ply in found]

    def phases(self, count: int = 3) -> list[tuple[range, Summary, Summary]]:
        """The game in `count` parts of as many turns as possible each: which plies, and how White and Black played."""
        if count < 1:
            raise ValueError(f"phases: {count} is less than 1")
        turns = len(self.verdicts)
        cuts = [turns * part // count for part in range(count + 1)]
        parts = [range(start, end) for start, end in itertools.pairwise(cuts)]
        return [
            (part, self._summary(Side.WHITE, part), self._summary(Side.BLACK, part))
            for part in parts
        ]

    def board(self, verdict: Verdict) -> Board:
        """The position before a turn."""
        return self.game.board(verdict.ply)

    def page(self) -> str:
        """The review as an HTML page that stands alone, as `hippolyta review --html` writes it."""
        return self._judged().page()

    def __str__(self) -> str:
        return self._judged().text().rstrip("\n")

    def _judged(self) -> Judged:
        return _judged(self.game, self.infos, self.after_best, self.limit)

    def _summary(self, side: Side, part: range | None = None) -> Summary:
        part = range(len(self.verdicts)) if part is None else part
        turns, good, loss, counts = self._judged().summary(side.value, part.start, part.stop)
        average, accuracy = (loss / turns, good / turns) if turns else (0.0, 1.0)
        inaccuracies, mistakes, blunders = counts
        return Summary(turns, average, inaccuracies, mistakes, blunders, accuracy)


def _said(info: Info) -> tuple[float, float, int | None, bool, list[str]]:
    score = info.score
    return score.expected, score.draw, score.plies, score.proven, list(info.pv)


def _judged(
    game: Game, infos: Iterable[Info], after_best: Mapping[int, Info], limit: Limit
) -> Judged:
    books = [thought.book for thought in game.thoughts] or [False] * len(game)
    tags = {"White": game.white, "Black": game.black, "Result": game.result}
    return Judged(
        game.variant,
        game.start_fen,
        list(zip(game.moves, books)),
        tags,
        [_said(info) for info in infos],
        {ply: _said(info) for ply, info in after_best.items()},
        nodes=limit.nodes,
        time=limit.time,
    )


def review(
    game: Game | Board | records.Game,
    engine: Analyser,
    limit: Limit = QUICK,
    *,
    jobs: int | None = None,
    ownership: bool = False,
    progress: bool | None = None,
) -> Review:
    """Searches every position of a game and judges every turn. Blocks until all is searched. The game may be one of
    `hippolyta.games`, a board with the turns that it has seen, or one of self-play from `hippolyta.records`.

    `limit` is for each position, those after best turns included; the page's quick review takes 20,000 nodes, its deep one 400,000. `jobs` positions are
    searched at once. `ownership` keeps who owns which squares in `Review.infos`. Raises what `analyse_many` raises.

    >>> from hippolyta import Board, Engine
    >>> board = Board.from_fen("q2/3/2Q w")
    >>> _ = board.push("c1b1,b1b2")
    >>> with Engine(hash=16) as engine:
    ...     found = review(board, engine, Limit(nodes=200))
    >>> len(found.curve), found.verdicts[0].move
    (2, 'c1b1,b1b2')
    """
    if isinstance(game, Board):
        game = Game.from_board(game)
    elif isinstance(game, records.Game):
        game = Game.from_record(game)
    elif not isinstance(game, Game):
        raise TypeError(f"game: a Game or a Board is expected, not {type(game).__name__}")
    boards = list(game.boards())
    infos = tuple(engine.analyse_many(boards, limit, jobs, ownership=ownership, progress=progress))
    wanted = _judged(game, infos, {}, limit).wanted()
    others = []
    for ply, turn in wanted:
        board = boards[ply].copy()
        board.push(turn)
        others.append(board)
    found = engine.analyse_many(others, limit, jobs, progress=progress) if others else ()
    after_best = dict(zip((ply for ply, _ in wanted), found))
    judged = _judged(game, infos, after_best, limit)
    verdicts = []
    for ply, (move, told) in enumerate(zip(boards[-1].move_stack, judged.verdicts())):
        number, book, best, before, after, loss, kind, turns_lost, reasons, refutation = told
        side, line = boards[ply].turn, infos[ply].pv
        verdict = Verdict(
            ply,
            side,
            move,
            best or move,
            line,
            before,
            after,
            loss,
            kind,
            number,
            book,
            turns_lost,
            tuple(Reason(about, text, tuple(squares)) for about, text, squares in reasons),
            tuple(refutation),
        )
        verdicts.append(verdict)
    return Review(game, tuple(verdicts), tuple(judged.curve()), infos, limit, after_best)
