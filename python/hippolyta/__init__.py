"""The Game of the Amazons and its relatives: rules, a strong engine, analysis and learning.

>>> import hippolyta
>>> board = hippolyta.Board("amazons")
>>> board.push("d1-d7/g7")
'd1d7,d7g7'
>>> board.turn, len(board.legal_moves)
(<Side.BLACK: 'black'>, 1214)
"""

from collections.abc import Sequence

from ._hippolyta import (
    Board,
    EngineError,
    FenError,
    LegalMoves,
    MoveError,
    Stopped,
    __version__,
    variants,
)
from .engine import Analysis, Engine
from .info import (
    Branch,
    Counts,
    Evaluation,
    Info,
    Line,
    PlayResult,
    Policy,
    Region,
    Score,
    Stones,
    Territory,
)
from .limit import Limit
from .outcome import Decided, Effects, Move, Outcome, Side, Step
from .rules import Rules

__all__ = [
    "Analysis",
    "Board",
    "Branch",
    "Counts",
    "Decided",
    "Effects",
    "Engine",
    "EngineError",
    "Evaluation",
    "FenError",
    "Info",
    "LegalMoves",
    "Limit",
    "Line",
    "Move",
    "MoveError",
    "Outcome",
    "PlayResult",
    "Policy",
    "Region",
    "Rules",
    "Score",
    "Side",
    "Step",
    "Stones",
    "Stopped",
    "Territory",
    "__version__",
    "variants",
]

Sequence.register(LegalMoves)  # pyright: ignore[reportAttributeAccessIssue]
