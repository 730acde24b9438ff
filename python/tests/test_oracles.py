"""The rules of the Amazons against two other programs: every legal move of 50 games."""

import random
from collections.abc import Iterator

import pytest

from hippolyta import Board

GAMES = 50
SQUARES = [f"{file}{rank}" for rank in range(10, 0, -1) for file in "abcdefghij"]


def positions(seed: int) -> Iterator[tuple[Board, str]]:
    """Every position of a random game with the turn that is played next."""
    board, draw = Board("amazons"), random.Random(seed)
    while board.legal_moves:
        turn = draw.choice(board.legal_moves)
        yield board, turn
        board.push(turn)
    yield board, ""


def test_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")
    count = 0
    for seed in range(GAMES):
        for board, _ in positions(seed):
            expected = pyffish.legal_moves("amazons", board.fen(), [])
            assert sorted(board.legal_moves) == sorted(expected), board.fen()
            count += len(expected)
    assert count > 1_250_000


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("amazons")
    count = 0
    for seed in range(GAMES):
        state = game.new_initial_state()
        for board, turn in positions(1_000 + seed):
            expected = []
            if not state.is_terminal():
                for start in state.legal_actions():
                    chosen = state.child(start)
                    for end in chosen.legal_actions():
                        move = f"{SQUARES[start]}{SQUARES[end]},{SQUARES[end]}"
                        expected += [
                            move + SQUARES[fire] for fire in chosen.child(end).legal_actions()
                        ]
            assert sorted(board.legal_moves) == sorted(expected), board.fen()
            count += len(expected)
            if turn:
                move, fire = turn.split(",")
                at = next(i for i in range(2, len(move)) if move[i].isalpha())
                for square in (move[:at], move[at:], fire[len(move[at:]) :]):
                    state.apply_action(SQUARES.index(square))
    assert count > 1_250_000
