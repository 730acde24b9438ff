"""Evaluations without a search: of the engine, and of nets of one's own."""

import copy
import pickle
import random
import threading
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hippolyta import Board, Engine, EngineError, Limit, Side, variants
from hippolyta.encoding import Boards, Encoding, State


def played(variant: str, seed: int, most: int) -> Board:
    """A game of random turns."""
    board, choose = Board(variant), random.Random(seed)
    while len(board.move_stack) < most and not board.is_game_over():
        board.push(choose.choice(board.legal_moves))
    return board


@pytest.mark.parametrize("variant", variants())
def test_an_evaluation_is_what_a_search_begins_with(variant: str) -> None:
    boards = [played(variant, seed, 2 + seed) for seed in range(4)]
    with Engine(hash=16) as engine:
        found = engine.evaluate(boards, policy=True)
        for board, one in zip(boards, found, strict=True):
            assert one.side is board.turn and one.ownership is one.lead is one.stones is None
            assert one.score.side is board.turn and 0 <= one.score.expected <= 1
            policy = one.policy
            assert policy is not None and (policy.begun == -1).all() and not policy.visits.any()
            assert np.isnan(policy.value).all() and (np.diff(policy.prior) <= 0).all()
            assert policy.prior.sum() == pytest.approx(1, abs=1e-4)
            assert sorted({int(action) for action in policy.action}) == State(board).legal_actions()
            searched = engine.analyse(board, Limit(nodes=1), policy=True).policy
            assert searched is not None
            if "," in board.legal_moves[0] and len(searched.action):
                priors = dict(zip(policy.action.tolist(), policy.prior.tolist(), strict=True))
                first = searched.after()
                expected = [priors[action] for action in first.action.tolist()]
                assert first.prior == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("variant", ["amazons6", "desdemona", "damone"])
def test_a_state_in_the_middle_of_a_turn_is_evaluated(variant: str) -> None:
    with Engine(hash=16) as engine:
        state = State(variant)
        at_start, board = engine.evaluate([state, Board(variant)], policy=True)
        assert at_start.score == board.score and at_start.policy is not None
        action = int(at_start.policy.action[0])
        mover = state.turn
        state.play(action)
        (moved,) = engine.evaluate([state], policy=True)
        assert (moved.side, moved.score.side) == (state.turn, state.turn)
        assert (state.turn is mover) is not state.at_turn_start
        assert moved.policy is not None and moved.policy.prior.sum() == pytest.approx(1, abs=1e-3)
        assert sorted(moved.policy.action.tolist()) == state.legal_actions()
        assert set(moved.policy.begun.tolist()) == {-1 if state.at_turn_start else action}
        if not state.at_turn_start:
            for what in ("ownership", "territory", "stones"):
                with pytest.raises(ValueError, match="are told of the start of a turn alone"):
                    engine.evaluate([state], **{what: True})


def test_a_state_knows_what_was_played_before() -> None:
    """In Damone a position that has occurred twice is another one: a third time is a draw."""
    start = "i7/8/8/8/4I3/8/8/8 w - - 0 1"
    around = ["e4f5", "a8b7", "f5e4", "b7a8"]
    state = State("damone", fen=start)
    for turn in around:
        state.push(turn)
    board = Board.from_fen(start, "damone", around)
    again = pickle.loads(pickle.dumps(state))
    boards = Boards("damone", fen=start)
    walked = State("damone", fen=start)
    for turn in around:
        action = walked.action_of(turn)
        walked.play(action)
        boards.step([action])
    states = [state, state.copy(), copy.deepcopy(state), again, State(board), boards[0]]
    seen: list[npt.NDArray[np.uint8]] = []

    def net(planes: npt.NDArray[np.uint8]) -> tuple[Any, Any]:
        seen.extend(planes.copy())
        actions = Encoding("damone").actions
        return np.zeros((len(planes), actions), np.float32), np.zeros(len(planes), np.float32)

    with Engine(evaluator=net, hash=1) as engine:
        engine.evaluate([board, *states, State("damone", fen=state.fen())])
    assert [bool(planes[7].any()) for planes in seen] == [True] * 7 + [False]
    assert (seen[1] == state.planes()).all()
    # The same once more: the game is over, by history alone.
    for turn in around:
        state.push(turn)
    assert state.is_over and state.winner is None
    with Engine(hash=1) as engine:
        (told,) = engine.evaluate([state], policy=True)
    assert told.score.proven and told.score.draw == 1 and told.policy is not None
    assert len(told.policy.action) == 0


def test_a_net_sees_the_state_after_a_move() -> None:
    state, actions = State("amazons6"), Encoding("amazons6").actions
    state.play(state.legal_actions()[7])
    seen: list[npt.NDArray[np.uint8]] = []

    def net(planes: npt.NDArray[np.uint8]) -> tuple[Any, Any]:
        seen.append(planes.copy())
        return np.zeros((len(planes), actions), np.float32), np.full(len(planes), 0.5, np.float32)

    with Engine(evaluator=net, batch=1, hash=16) as engine:
        (told,) = engine.evaluate([state])
    assert (seen[0][0] == state.planes()).all() and told.score.expected == pytest.approx(0.75)


def test_what_is_asked_for_is_told_and_nothing_else() -> None:
    closed, iago = Board.from_fen("Q1*1q/2*2/2*2 w"), Board("iago")
    over = Board.from_fen("Q**/***/**q b")
    with Engine(hash=16) as engine:
        found = engine.evaluate(
            (board for board in (closed, iago, over)), ownership=True, territory=True, stones=True
        )
        plain = engine.evaluate([closed])
        assert engine.evaluate([]) == []
    territory, stones = found[0].territory, found[1].stones
    assert territory is not None and territory.winner is Side.BLACK and found[0].lead == -0.5
    assert stones is not None and found[1].territory is None
    assert found[1].ownership is not None and len(found[1].ownership) == 100
    assert (found[2].score.mate, found[2].score.proven) == (0, True)
    assert plain[0].score == found[0].score and plain[0].ownership is plain[0].policy is None
    assert pickle.loads(pickle.dumps(found)) == found


class Net:
    """Values and logits of random weights. It counts its calls."""

    def __init__(self, variant: str) -> None:
        shapes = Encoding(variant)
        weights = np.random.default_rng(1).normal(0, 0.1, (int(np.prod(shapes.shape)), 4))
        self.weights = weights.astype(np.float32)
        self.policy = np.random.default_rng(2).normal(0, 1, (4, shapes.actions))
        self.sizes: list[int] = []

    def __call__(self, planes: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        self.sizes.append(len(planes))
        hidden = planes.reshape(len(planes), -1).astype(np.float32) @ self.weights
        return (hidden @ self.policy).astype(np.float32), np.tanh(hidden[:, 0])


def test_a_net_gets_full_batches_and_its_answers_are_told() -> None:
    boards = [played("amazons6", seed, seed % 9) for seed in range(100)]
    net = Net("amazons6")
    with Engine(evaluator=net, batch=32, hash=16) as engine:
        found = engine.evaluate(boards, policy=True)
    certain = sum(one.score.proven for one in found)
    assert net.sizes[:3] == [32] * 3 and sum(net.sizes) == 100
    logits, values = net(np.stack([State(board).planes() for board in boards]))
    for board, one, row, value in zip(boards, found, logits, values, strict=True):
        if not one.score.proven:
            assert one.score == one.search_score
            assert 2 * one.score.expected - 1 == pytest.approx(float(value), abs=1e-5)
        policy = one.policy
        assert policy is not None
        legal = np.array(State(board).legal_actions())
        expected = np.exp(row[legal] - row[legal].max())
        order = np.argsort(policy.action)
        assert policy.action[order].tolist() == legal.tolist()
        assert np.allclose(policy.prior[order], expected / expected.sum(), atol=1e-5)
    assert certain < 50


def test_what_a_net_raises_comes_out_and_it_is_asked_again() -> None:
    net, fails = Net("amazons6"), True

    def sometimes(planes: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        if fails:
            raise KeyError("mine")
        return net(planes)

    with Engine(evaluator=sometimes, hash=16) as engine:
        with pytest.raises(KeyError, match="mine"):
            engine.evaluate([Board("amazons6")])
        fails = False
        assert len(engine.evaluate([Board("amazons6")])) == 1


def test_it_does_not_wait_for_a_search_and_a_closed_engine_says_so() -> None:
    engine = Engine(hash=16)
    board = Board()
    with engine.analysis(board) as analysis:
        told = engine.evaluate([board] * 3)
        assert not analysis.done and told[0] == told[2]
    engine.close()
    with pytest.raises(EngineError, match=r"^the engine is closed$"):
        engine.evaluate([board])
    with Engine(hash=16) as other, pytest.raises(TypeError, match="not str"):
        other.evaluate(["q2/3/2Q w"])  # type: ignore[list-item]


def test_threads_of_python_evaluate_at_once() -> None:
    boards = [played("amazons", seed, 10) for seed in range(50)]
    with Engine(hash=16) as engine:
        expected = engine.evaluate(boards, ownership=True)
        found: list[bool] = []
        threads = [
            threading.Thread(
                target=lambda: found.append(engine.evaluate(boards, ownership=True) == expected)
            )
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == [True] * 4
