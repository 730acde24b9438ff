"""Searches of JAX on many boards, by a callback."""

import runpy
from pathlib import Path

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("mctx")

from hippolyta.encoding import Boards

FEN = "4*1/**4/*1Q***/**1*2/q1**2/***3 w"
SEARCH = Path(__file__).parents[1] / "examples" / "mctx_search.py"


def test_the_search_of_mctx_wins_where_a_turn_wins() -> None:
    script = runpy.run_path(str(SEARCH))
    # One of 31 turns shuts Black in.
    boards = Boards("amazons6", 2, fen=FEN, auto_reset=False)
    found = script["search"](boards, script["even"], 128, jax.random.key(1))
    assert [boards[row].action_text(found.action[row].item()) for row in range(2)] == ["c4c3"] * 2
    assert found.action_weights.shape == (2, boards.encoding.actions)


def test_states_after_paths_are_those_of_boards() -> None:
    after = runpy.run_path(str(SEARCH))["after"]
    boards = Boards("amazons6", 3, seed=4, auto_reset=False)
    played, paths = boards.copy(), np.zeros((3, 4), np.int32)
    for half in range(3):
        paths[:, half] = played.sample()
        if half < 2:
            played.step(paths[:, half])
    state = after(boards, paths, np.array([2, 2, 3]))
    assert (state.observation[:2] == played.observe()[:2]).all()
    assert (state.legal_action_mask[:2] == played.mask()[:2]).all()
    assert state.current_player.tolist() == [1, 1, 1] and not state.terminated.any()
    played.step(paths[:, 2])
    assert (state.observation[2] == played.observe()[2]).all()
    won = Boards("amazons6", 1, fen=FEN, auto_reset=False)
    halves = []
    for text in ("c4c3", "c4c3,c3b2"):
        halves.append(won[0].action_of(text))
        won.step([halves[-1]])
    # What is behind the end changes nothing.
    state = after(Boards("amazons6", 1, fen=FEN, auto_reset=False), np.array([[*halves, 5]]), [3])
    assert (
        state.terminated.all()
        and state.rewards.tolist() == [0]
        and not state.legal_action_mask.any()
    )
