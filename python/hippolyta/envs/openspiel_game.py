"""Every rule set as a game of OpenSpiel, whose algorithms then play and learn it.

    import pyspiel
    import hippolyta.envs.openspiel_game

    game = pyspiel.load_game("hippolyta(variant=iago)")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    print(state.returns())

To import this module registers the game `hippolyta`. Its parameters are `variant`, the rule set, and `fen`, where games
begin; without it they begin at the start position. OpenSpiel has the Amazons itself, as `amazons`, with actions of its
own; `hippolyta.envs.openspiel.Bot` plays both. Rules of your own are a `hippolyta.Rules`, quoted by `quoted`, as
OpenSpiel reads games from texts and takes commas apart: `pyspiel.load_game("hippolyta", {"variant": quoted(rules)})`.

**Players** are 0, White, and 1, Black. **Actions** are half-turns as numbers, and the tensor of an observation has the
planes, both of `hippolyta.encoding` and from the view of the side to move. **Returns** are 1 for a win, -1 for a loss
and 0 for a draw.

**Algorithms** are those in Python, `open_spiel.python.algorithms`. OpenSpiel's search in C++, `pyspiel.MCTSBot`, ends
the process by a fault with every game that is written in Python (open_spiel 2.0.1). They take longer here than on
`amazons`, which is C++; `hippolyta.encoding.Boards` and `hippolyta.Engine` do not go through OpenSpiel.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, unquote

from .._extra import needs

with needs("this game", "envs"):
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .. import Board
from ..encoding import Encoding
from ..encoding import State as Position
from ..outcome import Side

__all__ = ["Game", "State", "board_of", "quoted"]

_TYPE = pyspiel.GameType(
    short_name="hippolyta",
    long_name="The Game of the Amazons and its relatives",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"variant": "amazons", "fen": ""},
)

_TERMINAL, _WHITE = int(pyspiel.PlayerId.TERMINAL), Side.WHITE
#: Quiet plies after which a game is drawn, and the pieces of Damone.
_QUIET, _PIECES = 80, 24


def _longest(start: Position, encoding: Encoding) -> int:
    """A bound on the half-turns of a game."""
    if "quiet plies" not in encoding.channels:
        # Each turn but one without a shot fills a square, before which the other side may pass; where shots may be left
        # out, so many in a row are a draw.
        quiet = ("fire-optional = true", "move-or-fire = true")
        passes = 2 if "stuck-passes = true" in start.variant else 1
        each = _QUIET if any(key in start.variant for key in quiet) else passes
        return 2 * each * (int(np.prod(encoding.board)) + 1)
    # Nothing but captures and steps of pedine, each at most from the first rank to the last, is not quiet.
    return (_QUIET + 1) * (_PIECES + _PIECES * encoding.board[0] + 1)


def quoted(variant: str) -> str:
    """A rule set as a parameter of the game: as in an address, where it is not a plain name."""
    return quote(variant, safe="")


class Game(pyspiel.Game):  # type: ignore[misc]
    """A rule set. `pyspiel.load_game` makes it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        variant, fen = unquote(given.get("variant", "amazons")), given.get("fen", "") or None
        self.start = Position(variant, fen=fen)
        """The position in which games begin."""
        self.encoding = Encoding(variant, fen=fen)
        """The shapes of observations and actions."""
        info = pyspiel.GameInfo(
            num_distinct_actions=self.encoding.actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_longest(self.start, self.encoding),
        )
        super().__init__(_TYPE, info, given)

    def new_initial_state(self) -> State:
        """The position in which games begin."""
        return State(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Any:
        """The observer by which OpenSpiel sees positions."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.encoding, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class State(pyspiel.State):  # type: ignore[misc]
    """A position between two half-turns."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.position = game.start.copy()
        """The position."""

    def current_player(self) -> int:
        """The player to act, or that the game is over."""
        position = self.position
        if position.is_over:
            return _TERMINAL
        return 0 if position.turn is _WHITE else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    # OpenSpiel's own methods of these names ask the methods above through C++, which takes longer than to answer.

    def is_chance_node(self) -> bool:
        """Nothing is left to chance."""
        return False

    def is_simultaneous_node(self) -> bool:
        """The players act in turn."""
        return False

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The actions of a player, by default of the one to act."""
        return self.position.legal_actions() if player in (None, self.current_player()) else []

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The planes, whichever player asks."""
        tensor: list[float] = self.position.planes().ravel().astype(np.float64).tolist()
        return tensor

    def _apply_action(self, action: int) -> None:
        self.position.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if action in self.position.legal_actions():
            return self.position.action_text(action)
        return f"action {action}"

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.position.is_over

    def returns(self) -> list[float]:
        """The returns of both players."""
        return list(self.position.returns())

    def __str__(self) -> str:
        begun = f" {self.position.begun}" if self.position.begun else ""
        return f"{self.position}{begun}"


class _Observer:
    """Planes and text of positions, as OpenSpiel wants them."""

    def __init__(self, encoding: Encoding, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"observations have no parameters, and {params} are given")
        self.tensor = np.zeros(int(np.prod(encoding.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(encoding.shape)}

    def set_from(self, state: State, player: int) -> None:
        """Draws a position."""
        self.dict["observation"][:] = state.position.planes()

    def string_from(self, state: State, player: int) -> str:
        """A position as text."""
        return str(state)


pyspiel.register_game(_TYPE, Game)


def board_of(state: State) -> tuple[Board, str]:
    """The game of a state: the board at the start of the turn, and the turn so far."""
    start: Position = state.get_game().start
    board, position = Board.from_fen(start.fen(), start.variant), start.copy()
    for action in state.history():
        text = position.action_text(action)
        position.play(action)
        if position.at_turn_start:
            board.push(text)
    return board, position.begun
