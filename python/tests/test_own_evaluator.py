"""An engine in Rust with an evaluator of its own: the example of the library."""

import os

import pytest

from hippolyta import Board, EngineError, Limit, uci

OWN = os.environ.get("HIPPOLYTA_OWN_EVALUATOR")


@pytest.mark.skipif(OWN is None, reason="HIPPOLYTA_OWN_EVALUATOR names no program")
def test_an_engine_with_an_evaluator_of_its_own_is_driven_like_any_other() -> None:
    assert OWN is not None
    with uci.Engine([OWN], options={"hash": 1}, timeout=60) as engine:
        board = Board("amazons6")
        while not board.is_game_over() and len(board.move_stack) < 4:
            result = engine.play(board, Limit(nodes=200))
            assert result.move in board.legal_moves
            board.push(result.move)
        assert len(engine.analyse(board, Limit(nodes=200), multipv=3).lines) == 3
        # For other games it has no evaluator.
        with pytest.raises(EngineError, match="gave no move"):
            engine.play(Board("damone"), Limit(nodes=200))
