"""Boards: the rules from Python, and what Python expects of an object."""

import copy
import json
import pickle
import random
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hippolyta import (
    Board,
    Decided,
    Effects,
    FenError,
    Move,
    MoveError,
    Outcome,
    Side,
    Step,
    variants,
)


def play_at_random(variant: str, seed: int, most: int = 400) -> Board:
    board, draw = Board(variant), random.Random(seed)
    while board.legal_moves and len(board.move_stack) < most:
        board.push(draw.choice(board.legal_moves))
    return board


@pytest.mark.parametrize("family", ["amazons", "desdemona", "damone"])
def test_the_positions_of_the_vectors_are_read_and_written(family: str) -> None:
    vectors = Path(__file__).resolve().parents[2] / "tests" / "vectors"
    for line in (vectors / f"{family}.positions.jsonl").read_text(encoding="utf-8").splitlines():
        found = json.loads(line)
        board = Board.from_fen(found["fen"], found["variant"])
        assert board.fen() == found["fen"]
        assert len(board.legal_moves) == found.get("legal", len(board.legal_moves))


def test_a_turn_is_played_and_taken_back() -> None:
    board = Board()
    start, key = board.fen(), board.key
    assert board.push("d1-d7/g7") == "d1d7,d7g7"
    assert (board.turn, board.peek(), board.move_stack) == (Side.BLACK, "d1d7,d7g7", ["d1d7,d7g7"])
    assert board.key != key and 0 <= board.key < 2**64
    assert board.start_fen == start
    assert board.pop() == "d1d7,d7g7"
    assert (board.fen(), board.key, board.turn, board.move_stack) == (start, key, "white", [])
    for nothing_to_take_back in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no turn has been played"):
            nothing_to_take_back()


def test_errors_name_the_move_and_why() -> None:
    board = Board()
    with pytest.raises(
        MoveError, match="^illegal move 'a1a2,a2a3': white is to move and has no amazon on a1$"
    ):
        board.push("a1a2,a2a3")
    with pytest.raises(MoveError, match="^'castle' is not a move"):
        board.spell("castle")
    assert board == Board()
    with pytest.raises(FenError, match="rank 1 '2Q3' has 6 files"):
        Board.from_fen("q2/3/2Q3 w")
    with pytest.raises(MoveError, match="^move 2 of 2: illegal move 'd1d2,d2d3'"):
        Board.from_fen(board.fen(), moves=["d1d7,d7g7", "d1d2,d2d3"])
    with pytest.raises(ValueError, match="unknown variant 'chess': known are amazons"):
        Board("chess")
    assert issubclass(MoveError, ValueError) and issubclass(FenError, ValueError)
    with pytest.raises(TypeError):
        board.push(7)  # type: ignore[arg-type]


def test_legal_moves_are_a_sequence() -> None:
    board = Board()
    legal = board.legal_moves
    every = list(legal)
    assert len(legal) == len(every) == len(set(every)) == 2176
    assert (legal[0], legal[-1], legal[2:4]) == (every[0], every[-1], every[2:4])
    assert list(reversed(legal)) == every[::-1]
    assert legal == every and legal == Board().legal_moves and legal != every[1:]
    assert "d1d7,d7g7" in legal and "d1-d7/g7" in legal
    assert "d1d2,d2c4" not in legal and 7 not in legal
    assert every[legal.index("d1-d7/g7")] == "d1d7,d7g7"
    assert (legal.count("d1d7,d7g7"), legal.count("d1d2,d2c4")) == (1, 0)
    with pytest.raises(ValueError):
        legal.index("d1d2,d2c4")
    for outside in (2176, -2177):
        with pytest.raises(IndexError):
            legal[outside]
    board.push(every[0])
    assert list(legal) == every, "it stays as it is when the board goes on"
    assert board.legal_moves != legal


def test_what_is_decided_is_known_before_the_end() -> None:
    assert Board("damone").decided() is None
    # Both sides can fill five squares, and White must begin.
    closed = Board.from_fen("Q1*1q/2*2/2*2 w")
    assert closed.decided() == Decided(Side.BLACK, -0.5, "turns", "count")
    assert closed.outcome() is None
    over = Board.from_fen("8/8/8/8/8/8/2D5/8 b - - 0 1", "damone")
    assert over.decided() == Decided(Side.WHITE, None, None, "rules")


def test_the_end_of_a_game() -> None:
    board = Board.from_fen("Q**/***/**q b")
    assert board.outcome() == Outcome(Side.WHITE)
    assert (board.is_game_over(), len(board.legal_moves), board.steps()) == (True, 0, [])
    assert Board().outcome() is None and not Board().is_game_over()
    assert [Outcome(winner).result for winner in (Side.WHITE, Side.BLACK, None)] == [
        "1-0",
        "0-1",
        "1/2-1/2",
    ]


@pytest.mark.parametrize("variant", variants())
def test_steps_lead_to_all_turns(variant: str) -> None:
    board = Board(variant)
    turns: list[str] = []
    for text, complete in board.steps():
        turns += [text] if complete else [step.text for step in board.steps(text)]
    assert turns == list(board.legal_moves)
    assert board.steps("nonsense") == []
    assert isinstance(board.steps()[0], Step)


def test_perft() -> None:
    board = Board("amazons6")
    assert (board.perft(0), board.perft(1), board.perft(2)) == (1, 544, 238532)
    divide = board.perft_divide(2)
    assert list(divide) == list(board.legal_moves) and sum(divide.values()) == 238532


@pytest.mark.parametrize("variant", variants())
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32), most=st.integers(0, 200))
def test_round_trips(variant: str, seed: int, most: int) -> None:
    board = play_at_random(variant, seed, most)
    assert pickle.loads(pickle.dumps(board)) == board
    assert Board.from_fen(board.start_fen, board.variant, board.move_stack) == board
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert twin == board and twin is not board
    fen = board.fen()
    again = Board.from_fen(fen, variant)
    assert again.fen() == fen
    # A FEN does not tell of positions that have come back, by which Damone is drawn.
    if not board.is_game_over():
        assert again.legal_moves == board.legal_moves
    names = {"Board": Board}
    assert eval(repr(board), names).fen() == fen
    positions = [fen]
    moves = board.move_stack
    while board.move_stack:
        board.pop()
        positions.append(board.fen())
    assert board == Board(variant)
    for move, expected in zip(moves, positions[-2::-1], strict=True):
        assert board.push(move) == move
        assert board.fen() == expected


def test_equality_is_that_of_games() -> None:
    one, other = Board(), Board()
    one.push("d1d7,d7g7")
    assert one != other and one != Board("amazons8") and one != "a board"
    other.push("d1-d7(g7)")
    assert one == other
    twin = one.copy()
    twin.pop()
    assert one.move_stack == ["d1d7,d7g7"] and twin == Board()
    assert Board.from_fen(one.fen()) != one, "the way to it counts"
    assert Board.from_fen(one.fen()).key == one.key
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_board_prints_as_text() -> None:
    rows = str(Board("amazons6")).splitlines()
    assert rows[0] == " 6 . q . . q ." and rows[-1].split() == list("abcdef")
    assert (
        repr(Board("amazons6")) == "Board.from_fen('1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', 'amazons6')"
    )


def test_threads_share_a_board() -> None:
    board = Board("amazons6")
    start = board.fen()
    errors: list[RuntimeError] = []

    def play(seed: int) -> None:
        draw = random.Random(seed)
        for _ in range(300):
            try:
                board.push(draw.choice(list(board.legal_moves)))
                board.fen(), board.outcome(), len(board.legal_moves), board.copy()
            except (MoveError, IndexError):
                pass  # another thread was quicker
            except RuntimeError as error:
                errors.append(error)
            try:
                board.pop()
            except IndexError:
                pass

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    while board.move_stack:
        board.pop()
    assert board.fen() == start


@pytest.mark.parametrize("variant", variants())
def test_turns_know_their_squares_and_are_texts_still(variant: str) -> None:
    board, draw = Board(variant), random.Random(5)
    while board.legal_moves and len(board.move_stack) < 60:
        move = draw.choice(board.legal_moves)
        assert type(move) is Move and move == str(move) and {move: 1}[str(move)] == 1
        assert pickle.loads(pickle.dumps(move)) == move
        before = board.pieces()
        assert board.piece_at(move.from_square) == before[move.from_square]
        assert board.piece_at(move.to_square) in (None, before[move.from_square])
        effects, mover = board.effects(move), before[move.from_square]
        assert type(board.push(move)) is Move
        after = board.pieces()
        assert after[move.to_square] == (effects.promoted or mover)
        assert (move.fire is None) == ("," not in move)
        assert all(square not in after for square in effects.captured)
        assert all(after[square] == before[square].swapcase() for square in effects.flipped)
    assert type(board.move_stack[0]) is Move and type(board.peek()) is Move
    with pytest.raises(ValueError, match="no turn 'd1': a square is expected at character 3"):
        _ = Move("d1").path


def test_what_a_turn_does_is_told_before_it_is_played() -> None:
    board = Board.from_fen("8/8/8/8/8/3p4/2P5/8 w", "damone")
    assert board.effects("c2e4") == Effects(("d3",), (), None)
    with pytest.raises(MoveError):
        board.effects("c2b3")


def test_a_board_tells_its_squares_ply_and_result() -> None:
    board = Board.from_fen("q2/3/*1Q w")
    assert (board.piece_at("a3"), board.piece_at("b3")) == ("q", None)
    for wrong in ("d1", "a4", "", "a", "A1", "a01"):
        with pytest.raises(ValueError, match="one from a1 to c3 is expected"):
            board.piece_at(wrong)
    grid = board.grid()
    assert grid.shape == (3, 3) and (grid[0, 0], grid[2, 0], grid[1, 1]) == ("*", "q", ".")
    assert Board.from_fen("q3Q/5/5 b").grid().shape == (3, 5)
    assert Board().result() == "*" and Board.from_fen("Q**/***/**q b").result() == "1-0"
    board = Board("amazons6")
    assert board.ply == 0
    board.push(board.legal_moves[0])
    assert board.ply == 1
    board.push(board.legal_moves[0])
    assert board.ply == 2
    assert Board.from_fen("q2/3/2Q b - - 0 7").ply == 13
