"""States follow boards: through their history, back again, and as copies elsewhere."""

import pickle
import random

import pytest

from hippolyta import Board, Side, variants
from hippolyta.encoding import State


def played(variant: str, seed: int, most: int = 60) -> Board:
    """A game of random turns."""
    board, choose = Board(variant), random.Random(seed)
    while len(board.move_stack) < most and not board.is_game_over():
        board.push(choose.choice(board.legal_moves))
    return board


@pytest.mark.parametrize("variant", variants())
def test_a_state_goes_back_through_the_whole_history_of_its_board(variant: str) -> None:
    board = played(variant, 3)
    state, forwards = State(board), State(variant)
    assert state != forwards
    halves = []
    for turn in board.move_stack:
        moves = turn.split(",")[0]
        for text in dict.fromkeys((moves, turn) if "," in turn else (turn,)):
            halves.append(forwards.copy())
            forwards.play(forwards.action_of(text))
    assert forwards == state and forwards.fen() == board.fen()
    for earlier in reversed(halves):
        state.undo()
        assert state == earlier and state.key == earlier.key
        assert (state.begun, state.turn) == (earlier.begun, earlier.turn)
        assert state.legal_actions() == earlier.legal_actions()
        if state.at_turn_start:
            board.pop()
            assert (state.fen(), state.key) == (board.fen(), board.key)
            assert pickle.loads(pickle.dumps(state)) == State(board) == state
    assert state == State(variant) and not board.move_stack
    with pytest.raises(IndexError, match=r"^no half-turn has been played$"):
        state.undo()
    # Turns that were taken back can be played again.
    again = played(variant, 3).move_stack
    assert [state.push(turn) for turn in again] == again and state == forwards


def test_a_state_knows_what_has_repeated_on_its_board() -> None:
    board = Board.from_fen("d7/8/8/8/8/8/8/7D w", "damone")
    for turn in ("h1g2", "a8b7", "g2h1", "b7a8"):
        board.push(turn)
    planes = State(board).planes()
    assert planes[7].all() and not State("damone", fen=board.fen()).planes()[7].any()
    back = State(board)
    back.undo()
    assert not back.planes()[7].any()


def test_a_state_of_a_board_begins_where_the_board_began() -> None:
    fen = "q2/3/2Q w - - 0 1"
    board = Board.from_fen(fen, "amazons", ["c1b1,b1a1"])
    state, start = State(board, size=5), State("amazons", fen=fen, size=5)
    assert state.planes().shape == (5, 5, 5) and state.fen() == board.fen()
    assert state != State(board) and state != start
    state.undo()
    assert not state.at_turn_start and state.begun == "c1b1"
    state.undo()
    assert state == start and state.fen() == fen
    with pytest.raises(ValueError, match=r"^fen: the board tells where the game began$"):
        State(board, fen=fen)
    with pytest.raises(TypeError, match=r"^variant: .* a Board is expected, not int$"):
        State(7)  # type: ignore[arg-type]


def test_returns_are_those_of_white_and_black() -> None:
    black = Board.from_fen("q**/***/**Q w")
    white = Board.from_fen("Q**/***/**q b")
    for board, winner, returns in (
        (black, Side.BLACK, (-1.0, 1.0)),
        (white, Side.WHITE, (1.0, -1.0)),
    ):
        outcome = board.outcome()
        assert outcome is not None and outcome.winner is winner
        assert State(board).returns() == returns
    games = (played("damone", seed, 2_000) for seed in range(100))
    drawn = next(game for game in games if game.result() == "1/2-1/2")
    assert State(drawn).is_over and State(drawn).returns() == (0.0, 0.0)
    assert State().returns() == (0.0, 0.0)
