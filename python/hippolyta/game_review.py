"""What each turn of a game was worth."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from ._hippolyta import Board
from .games import Game
from .outcome import Side

if TYPE_CHECKING:
    from .info import Info
    from .limit import Limit

__all__ = ["THRESHOLDS", "GameReview", "Kind", "Summary", "TurnReview", "review"]

Kind = Literal["inaccuracy", "mistake", "blunder"]

#: From which loss of expected score on (0 … 1) a turn is called so. The page of `hippolyta serve` has the same rule.
THRESHOLDS: dict[Kind, float] = {"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.2}

#: Nodes for each position, unless a limit is given.
USUAL_NODES = 20_000


class Analyst(Protocol):
    """What a review needs of an engine: `hippolyta.Engine` and `hippolyta.uci.Engine` have it."""

    @property
    def analyse_many(self) -> "Callable[..., Iterator[Info]]": ...


def _kind(loss: float) -> Kind | None:
    """By whole per cents, as they are shown: what reads as 10 % is named as 10 %."""
    whole = math.floor(loss * 100 + 0.5) / 100
    found: Kind | None = None
    for kind, least in THRESHOLDS.items():
        if whole >= least:
            found = kind
    return found


@dataclass(frozen=True)
class TurnReview:
    """A turn of a game between the positions before and after it."""

    #: Its place in the game, from 0.
    ply: int
    #: Who played it.
    side: Side
    #: The turn that was played.
    move: str
    #: The engine's choice; `None` if it had none.
    best: str | None
    #: What the engine said of the position before the turn, and of the one after it.
    before: "Info"
    after: "Info"
    #: What the mover lost of its expected score, 0 … 1. Never negative: a search of the next position may see more than
    #: the one before.
    loss: float
    #: What that is called; `None` for a good turn, and for one of the opening.
    kind: Kind | None
    #: Whether it is of the opening that the players were given. Such turns are not judged.
    book: bool = False

    @property
    def is_best(self) -> bool:
        """Whether the engine would have played it."""
        return self.move == self.best

    @property
    def number(self) -> str:
        """As people number turns of games that White begins: `1.` for White's first, `1…` for Black's.

        >>> TurnReview(2, Side.WHITE, "", None, None, None, 0.0, None).number
        '2.'
        """
        return f"{self.ply // 2 + 1}{'.' if self.side is Side.WHITE else '…'}"


@dataclass(frozen=True)
class Summary:
    """How one side played. Turns of the opening do not count."""

    side: Side
    #: Number of turns.
    moves: int
    #: How many of them were the engine's choice.
    best: int
    #: Mean loss of expected score, 0 … 1; 0 without turns.
    average_loss: float
    #: Number of inaccuracies, mistakes and blunders.
    counts: dict[Kind, int]
    #: Share of turns that were none of these, 0 … 1; 1 without turns.
    accuracy: float


def _expected(info: "Info") -> float:
    """White's expected score."""
    return round(info.score.white().expected, 4)


@dataclass(frozen=True)
class GameReview:
    """A reviewed game. Print it, or ask for its parts."""

    game: Game
    #: What the engine said of every position, the start first: one more than there are turns.
    infos: tuple["Info", ...]
    turns: tuple[TurnReview, ...]

    @property
    def curve(self) -> list[float]:
        """White's expected score, 0 … 1, in every position, the start first."""
        return [_expected(info) for info in self.infos]

    def mistakes(
        self, side: Side | str | None = None, *, by_cost: bool = False
    ) -> list[TurnReview]:
        """The turns that were mistakes of any kind, of one side or of both, in the order of the game or the dearest
        first."""
        found = [turn for turn in self.turns if turn.kind and side in (None, turn.side)]
        return sorted(found, key=lambda turn: -turn.loss) if by_cost else found

    def summary(self, side: Side | str) -> Summary:
        """How a side played."""
        side = Side(side)
        own = [turn for turn in self.turns if turn.side is side and not turn.book]
        counts: dict[Kind, int] = {
            kind: sum(turn.kind == kind for turn in own) for kind in THRESHOLDS
        }
        return Summary(
            side=side,
            moves=len(own),
            best=sum(turn.is_best for turn in own),
            average_loss=sum(turn.loss for turn in own) / len(own) if own else 0.0,
            counts=counts,
            accuracy=sum(turn.kind is None for turn in own) / len(own) if own else 1.0,
        )

    def figure(self) -> Any:
        """The curve with the mistakes as a figure of matplotlib: `hippolyta.figures.curve`."""
        from .figures import curve

        return curve(self)

    def __str__(self) -> str:
        game = self.game
        lines = [
            f"{game.white} (White) against {game.black} (Black), {game.variant}: {game.result}",
            "",
        ]
        lines.append(f"{'':>5} {'turn':<14} {'best':<14} {'before':>6} {'after':>6} {'loss':>6}")
        for turn in self.turns:
            white = turn.side is Side.WHITE
            values = (
                _expected(info) if white else 1 - _expected(info)
                for info in (turn.before, turn.after)
            )
            before, after = (f"{100 * value:6.1f}" for value in values)
            note = "book" if turn.book else turn.kind or ""
            row = f"{turn.number:>5} {turn.move:<14} {turn.best or '-':<14} {before} {after} {100 * turn.loss:6.1f}"
            lines.append(f"{row}  {note}".rstrip())
        lines.append("")
        for side in Side:
            summary = self.summary(side)
            counts = ", ".join(
                f"{count} × {kind}" for kind, count in summary.counts.items() if count
            )
            lines.append(
                f"{side.capitalize()}: {summary.moves} turns, accuracy {100 * summary.accuracy:.0f} %, "
                f"mean loss {100 * summary.average_loss:.1f} %{': ' + counts if counts else ''}"
            )
        return "\n".join(lines)


def review(
    game: Game | Board,
    engine: Analyst | None = None,
    limit: "Limit | None" = None,
    **options: Any,
) -> GameReview:
    """Searches every position of a game and judges its turns. Blocks until that is done; Ctrl-C stops it.

    A turn loses what the expected score before it exceeds the one after it, from the view of the side that played it.
    From 5 % on it is an inaccuracy, from 10 % a mistake, from 20 % a blunder.

    `game` is a `Game`, or a board with its turns. `engine` is an open engine; without one an engine with one thread is
    made for this review. `limit` holds for each position: 20,000 nodes if none is given. Other options, as `jobs`
    and `progress`, go to the engine's `analyse_many`.

    Raises `MoveError` and `FenError` if the game is not one.

    >>> from hippolyta import Board, Limit, Side
    >>> board = Board.from_fen("q1*/**1/2Q w")
    >>> _ = board.push("c1b1,b1c1")
    >>> reviewed = review(board, limit=Limit(nodes=100))
    >>> [(turn.best, turn.kind) for turn in reviewed.turns]
    [('c1c2,c2b3', 'blunder')]
    >>> reviewed.summary("white").accuracy
    0.0
    """
    if isinstance(game, Board):
        game = Game.of(game)
    boards = list(game.boards())
    if engine is None:
        from .engine import Engine

        with Engine() as own:
            return _review(game, boards, own, limit, options)
    return _review(game, boards, engine, limit, options)


def _review(
    game: Game,
    boards: Sequence[Board],
    engine: Analyst,
    limit: "Limit | None",
    options: dict[str, Any],
) -> GameReview:
    from .limit import Limit

    infos = tuple(engine.analyse_many(boards, limit or Limit(nodes=USUAL_NODES), **options))
    moves = boards[-1].move_stack
    turns = []
    for ply, (move, before, after) in enumerate(zip(moves, infos, infos[1:], strict=False)):
        side = boards[ply].turn
        best = before.lines[0].moves[0] if before.lines else None
        lost = _expected(before) - _expected(after)
        loss = 0.0 if move == best else max(0.0, lost if side is Side.WHITE else -lost)
        book = ply < game.book
        turns.append(
            TurnReview(
                ply, side, move, best, before, after, loss, None if book else _kind(loss), book
            )
        )
    return GameReview(game, infos, tuple(turns))
