"""How well a game was played: what each turn lost, by an engine.

The rules are those of the page that `hippolyta serve` shows, `web/src/review/classify.ts`: a turn loses what the
expected score of its player fell by, nothing if it was the engine's choice. From 5 % on it is an inaccuracy, from 10 % a
mistake, from 20 % a blunder, by whole per cents. Accuracy is the share of a side's turns that were none of these.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import floor
from typing import Literal, Protocol

from . import records
from ._hippolyta import Board
from .games import Game
from .info import Info
from .limit import Limit
from .outcome import Side

__all__ = ["KINDS", "THRESHOLDS", "Review", "Summary", "Verdict", "kind_of", "review"]

Kind = Literal["inaccuracy", "mistake", "blunder"]

#: From which loss of expected score on (0 … 1) a turn is called so.
THRESHOLDS: dict[Kind, float] = {"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.2}
KINDS: tuple[Kind, ...] = ("inaccuracy", "mistake", "blunder")
_PLURALS: dict[Kind, str] = {
    "inaccuracy": "inaccuracies",
    "mistake": "mistakes",
    "blunder": "blunders",
}
_GLYPHS: dict[Kind, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


#: What the page calls a quick review.
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


def kind_of(loss: float) -> Kind | None:
    """What a loss of expected score, 0 … 1, is called, by whole per cents: what reads as 10 % is named as 10 %.

    >>> [kind_of(loss) for loss in (0.044, 0.045, 0.095, 0.2)]
    [None, 'inaccuracy', 'mistake', 'blunder']
    """
    whole = floor(loss * 100 + 0.5) / 100
    for kind in reversed(KINDS):
        if whole >= THRESHOLDS[kind]:
            return kind
    return None


@dataclass(frozen=True)
class Verdict:
    """What is said of one turn. Scores are White's expected scores, 0 … 1."""

    #: Its number in the game, from 0.
    ply: int
    side: Side
    move: str
    #: The engine's choice, and the line that begins with it.
    best: str
    line: tuple[str, ...]
    #: White's expected score before and after it.
    before: float
    after: float
    #: What its player's expected score fell by, 0 … 1.
    loss: float
    kind: Kind | None

    @property
    def glyph(self) -> str:
        """`?!`, `?`, `??`, or nothing."""
        return _GLYPHS[self.kind] if self.kind else ""


@dataclass(frozen=True)
class Summary:
    """How a side played."""

    turns: int
    #: Mean loss of expected score, 0 … 1; 0 without turns.
    average_loss: float
    inaccuracies: int
    mistakes: int
    blunders: int
    #: The share of turns that were no mistake of any kind, 0 … 1; 1 without turns.
    accuracy: float


def _summarise(verdicts: Iterable[Verdict], side: Side) -> Summary:
    own = [verdict for verdict in verdicts if verdict.side is side]
    count = {kind: sum(verdict.kind == kind for verdict in own) for kind in KINDS}
    turns = len(own)
    good = turns - sum(count.values())
    return Summary(
        turns,
        sum(verdict.loss for verdict in own) / turns if turns else 0.0,
        count["inaccuracy"],
        count["mistake"],
        count["blunder"],
        good / turns if turns else 1.0,
    )


@dataclass(frozen=True)
class Review:
    """A game with a verdict on each turn. `print` shows it as a table."""

    game: Game
    verdicts: tuple[Verdict, ...]
    #: White's expected score in each position, 0 … 1, the first one before any turn.
    curve: tuple[float, ...]
    #: What the engine said of each position.
    infos: tuple[Info, ...]

    @property
    def white(self) -> Summary:
        """How White played."""
        return _summarise(self.verdicts, Side.WHITE)

    @property
    def black(self) -> Summary:
        """How Black played."""
        return _summarise(self.verdicts, Side.BLACK)

    def mistakes(
        self, side: Side | str | None = None, by: Literal["turn", "cost"] = "turn"
    ) -> list[Verdict]:
        """The turns that were inaccuracies, mistakes or blunders, of one side or both, the earliest or the dearest
        first."""
        found = [
            verdict for verdict in self.verdicts if verdict.kind and side in (None, verdict.side)
        ]
        return (
            sorted(found, key=lambda verdict: (-verdict.loss, verdict.ply))
            if by == "cost"
            else found
        )

    def phases(self, count: int = 3) -> list[tuple[range, Summary, Summary]]:
        """The game in `count` parts of as many turns as possible each: which plies, and how White and Black played."""
        if count < 1:
            raise ValueError(f"phases: {count} is less than 1")
        turns = len(self.verdicts)
        cuts = [turns * part // count for part in range(count + 1)]
        parts = [range(start, end) for start, end in itertools.pairwise(cuts)]
        return [
            (part, _summarise(own, Side.WHITE), _summarise(own, Side.BLACK))
            for part in parts
            for own in [self.verdicts[part.start : part.stop]]
        ]

    def board(self, verdict: Verdict) -> Board:
        """The position before a turn."""
        return self.game.board(verdict.ply)

    def __str__(self) -> str:
        game = self.game
        lines = [
            f"{game.white} (White) against {game.black} (Black), {game.variant}: {game.result}",
            "",
        ]
        lines.append(f"{'':>5} {'turn':<16} {'best':<16} {'before':>6} {'after':>6} {'loss':>6}")
        first = 1 if self.verdicts and self.verdicts[0].side is Side.BLACK else 0
        for verdict in self.verdicts:
            number = f"{(verdict.ply + first) // 2 + 1}{'.' if verdict.side is Side.WHITE else '…'}"
            scores = [
                score if verdict.side is Side.WHITE else 1 - score
                for score in (verdict.before, verdict.after)
            ]
            figures = " ".join(f"{100 * value:6.1f}" for value in (*scores, verdict.loss))
            lines.append(
                f"{number:>5} {verdict.move:<16} {verdict.best:<16} {figures}  {verdict.kind or ''}".rstrip()
            )
        names = [_PLURALS[kind] for kind in KINDS]
        lines += [
            "",
            f"{'':<6}{'turns':>6}{'accuracy':>10}{'average loss':>14}"
            + "".join(f"{n:>14}" for n in names),
        ]
        for side, summary in ((Side.WHITE, self.white), (Side.BLACK, self.black)):
            counts = (summary.inaccuracies, summary.mistakes, summary.blunders)
            lines.append(
                f"{side!s:<6}{summary.turns:>6}{100 * summary.accuracy:>8.0f} %{100 * summary.average_loss:>12.1f} %"
                + "".join(f"{count:>14}" for count in counts)
            )
        return "\n".join(lines)


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

    `limit` is for each position; the page's quick review takes 20,000 nodes, its deep one 400,000. `jobs` positions are
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
    # As the page keeps them.
    curve = tuple(floor(info.score.white().expected * 10_000 + 0.5) / 10_000 for info in infos)
    verdicts = []
    for ply, (board, move) in enumerate(zip(boards, boards[-1].move_stack)):
        side = board.turn
        before, after = curve[ply : ply + 2]
        line = infos[ply].pv
        best = line[0] if line else move
        fall = before - after if side is Side.WHITE else after - before
        # Never negative: a search of the next position may see more than the one before.
        loss = 0.0 if move == best else max(0.0, fall)
        verdicts.append(Verdict(ply, side, move, best, line, before, after, loss, kind_of(loss)))
    return Review(game, tuple(verdicts), curve, infos)
