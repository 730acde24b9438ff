"""Many boards at once do what as many states do, whatever the number of threads."""

import copy
import os
import pickle
import select
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hippolyta import Rules, variants
from hippolyta.encoding import Boards, State

SETS = ["amazons6", "desdemona", "iago", "damone-imperatore"]


@pytest.mark.parametrize("variant", SETS)
def test_boards_are_as_many_states(variant: str) -> None:
    boards = Boards(variant, 5, seed=3)
    states = [State(variant) for _ in range(5)]
    finished = 0
    for _ in range(400):
        rows, actions = boards.legal()
        planes, mask = boards.observe(), boards.mask()
        for number, state in enumerate(states):
            assert actions[rows == number].tolist() == state.legal_actions()
            assert (planes[number] == state.planes()).all()
            assert (mask[number] == state.mask()).all()
            assert boards.turns[number] == (state.turn == "black")
            assert boards.at_turn_start[number] == state.at_turn_start
            assert boards[number] == state
        chosen = boards.sample()
        movers = [state.turn for state in states]
        rewards, done = boards.step(chosen)
        for number, state in enumerate(states):
            state.play(int(chosen[number]))
            assert done[number] == state.is_over
            won = {None: 0, movers[number]: 1}.get(state.winner, -1)
            assert rewards[number] == won
            if state.is_over:
                states[number] = State(variant)
                finished += 1
    assert finished > 0 or variant.startswith("damone")


@pytest.mark.parametrize("whole_turns", [False, True])
def test_threads_change_nothing(whole_turns: bool) -> None:
    for variant in variants():
        one = Boards(variant, 7, seed=5)
        three = Boards(variant, 7, seed=5, threads=3)
        other = Boards(variant, 7, seed=6)
        differs = False
        for _ in range(30):
            actions = one.sample(whole_turns=whole_turns)
            assert (actions == three.sample(whole_turns=whole_turns)).all()
            differs = differs or (actions != other.sample(whole_turns=whole_turns)).any()
            told, same = one.step(actions), three.step(actions)
            assert (told[0] == same[0]).all() and (told[1] == same[1]).all()
            assert (one.observe() == three.observe()).all()
            assert (one.mask() == three.mask()).all()
            other.reset()
        assert differs
        assert not whole_turns or one.at_turn_start.all()


def test_a_whole_turn_is_its_half_turns() -> None:
    whole, halves = Boards("amazons6", 4, seed=1), Boards("amazons6", 4, seed=2)
    for _ in range(20):
        turns = whole.sample(whole_turns=True)
        assert turns.shape == (4, 2)
        whole.step(turns)
        halves.step(turns[:, 0])
        halves.step(turns[:, 1])
        assert whole.fens() == halves.fens()
    # In Damone a turn is one half-turn.
    damone = Boards("damone", 2)
    turns = damone.sample(whole_turns=True)
    assert (turns[:, 1] == -1).all()
    damone.step(turns)
    assert (damone.turns == 1).all()


def test_a_wrong_action_is_named_and_nothing_is_played() -> None:
    boards = Boards("amazons6", 3)
    before = boards.fens()
    actions = boards.sample()
    for wrong in (-1, 10**15, int(boards.encoding.actions)):
        spoiled = actions.copy()
        spoiled[1] = wrong
        with pytest.raises(IndexError, match=f"board 1: action {wrong} is not legal there"):
            boards.step(spoiled)
    turns = boards.sample(whole_turns=True)
    turns[2, 1] = turns[2, 0]
    with pytest.raises(IndexError, match="board 2: action"):
        boards.step(turns)
    for shape in ((2,), (3, 3), (3, 1), ()):
        with pytest.raises(ValueError, match="actions: shape"):
            boards.step(np.zeros(shape, dtype=np.int64))
    assert boards.fens() == before
    boards.step(actions)
    with pytest.raises(IndexError, match="not legal"):
        boards.step(np.stack([actions, actions], 1))
    with pytest.raises(ValueError, match="board 0: in the middle of a turn"):
        boards.fens()


def test_boards_begin_where_they_are_told() -> None:
    fens = ["1q2q1/q4q/6/6/Q4Q/1Q2Q1 b - - 0 1", "q**3/**4/6/6/6/5Q w - - 0 1"]
    boards = Boards.from_fens(fens, "amazons6")
    assert boards.fens() == [State("amazons6", fen=fen).fen() for fen in fens]
    boards.step(boards.sample(whole_turns=True))
    boards.reset([1])
    assert boards.fens()[1] == fens[1] and boards.fens()[0] != fens[0]
    boards.reset()
    assert boards.fens() == fens
    with pytest.raises(ValueError, match="board 1"):
        Boards.from_fens([fens[0], "x"], "amazons6")
    with pytest.raises(ValueError, match="board 1: its board"):
        Boards.from_fens([fens[0], "q2/3/2Q w - - 0 1"], "amazons")
    with pytest.raises(IndexError, match="board 2: there are 2"):
        boards.reset([2])
    with pytest.raises(IndexError, match="board -3"):
        boards[-3]
    assert boards[-1].fen() == fens[1]
    assert len(Boards("iago", 12)) == 12
    for wrong in ({"count": 0}, {"count": 2**21}, {"threads": 0}, {"seed": -1}, {"size": 5}):
        with pytest.raises(ValueError):
            Boards("amazons", **wrong)  # type: ignore[arg-type]


def test_without_auto_reset_a_game_that_is_over_stays() -> None:
    start = "q1*/**1/2Q w"
    boards = Boards.from_fens([start, "q2/3/2Q w"], "amazons", auto_reset=False)
    state = State("amazons", fen=start)
    for text in ("c1c2", "c1c2,c2b3"):
        actions = [state.action_of(text), boards.sample()[1]]
        state.play(actions[0])
        rewards, done = boards.step(actions)
    assert done[0] and rewards[0] == 1
    assert boards[0].is_over and not boards.mask()[0].any()
    assert boards.sample()[0] == -1
    for _ in range(2):
        rewards, done = boards.step(boards.sample())
        assert done[0] and rewards[0] == 0
    boards.reset([0])
    assert boards.fens()[0] == State("amazons", fen=start).fen()


def test_arrays_are_filled_where_they_are() -> None:
    boards = Boards("cassio", 6, size=10)
    planes = np.full((6, 8, 10, 10), 9, dtype=np.uint8)
    mask = np.full((6, boards.encoding.actions), 9, dtype=np.int8)
    many = Boards("amazons", 4000)
    out = many.observe()
    assert boards.observe(out=planes) is planes and planes.max() == 1
    assert boards.mask(out=mask) is mask and mask.max() == 1
    assert mask.sum() == len(boards.legal()[0])
    with pytest.raises(ValueError, match=r"out: shape \[5, 8, 10, 10\]"):
        boards.observe(out=planes[:5])
    apart: npt.NDArray[np.uint8] = np.zeros((6, 8, 10, 20), dtype=np.uint8)[..., ::2]
    with pytest.raises(ValueError, match="without gaps"):
        boards.observe(out=apart)
    with ThreadPoolExecutor(4) as pool:
        for told in [pool.submit(many.observe, out) for _ in range(8)]:
            if (refused := told.exception()) is not None:
                assert str(refused) == "out: another thread is at work on it"
    planes.flags.writeable = False
    with pytest.raises(ValueError, match="^out: an array that can be written is expected$"):
        boards.observe(out=planes)
    for wrong, found in ((planes, "of uint8"), (mask.astype(float), "of float64"), ([0], "list")):
        with pytest.raises(TypeError, match=f"^out: an array of int8 is expected, not {found}$"):
            boards.mask(out=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0, 1.7], r"not float64: 1.7 at \[1\]"),
        ([0.0, 1.0], r"not float64: 0.0 at \[0\]"),
        (np.array([[0, 1], [2, np.nan]]), r"not float64: nan at \[1, 1\]"),
        (np.array([1 + 2j, 3]), r"not complex128: \(1\+2j\) at \[0\]"),
        ([True, False], r"not bool: True at \[0\]"),
        (["1", "2"], r"not str\d+: '1' at \[0\]"),
        ([0, 2**64], r"not object: 18446744073709551616 at \[1\]"),
        (np.array([0, 2**64 - 1], np.uint64), r"not uint64: 18446744073709551615 at \[1\]"),
        ([0, None], r"not object: None at \[1\]"),
    ],
)
def test_actions_that_are_no_whole_numbers_are_named(actions: Any, said: str) -> None:
    boards = Boards("amazons6", 2, seed=1)
    before = boards.legal()[1]
    with pytest.raises(
        TypeError, match=f"^actions: whole numbers of 64 bits are expected, {said}$"
    ):
        boards.step(actions)
    assert (boards.legal()[1] == before).all()


def test_whole_numbers_of_every_kind_are_actions() -> None:
    actions = Boards("amazons6", 2, seed=1).sample()
    for kind in (np.int16, np.int32, np.uint16, np.uint64, list, tuple, memoryview):
        boards = Boards("amazons6", 2, seed=1)
        given = kind(actions) if kind in (list, tuple, memoryview) else actions.astype(kind)
        boards.step(given)
        assert not boards.at_turn_start.any()
    for wrong in ([[0], [0, 1]], object(), {1: 2}):
        with pytest.raises((TypeError, ValueError), match="^actions"):
            boards.step(wrong)  # type: ignore[arg-type]
    for odd in ([True, False], 1):
        with pytest.raises(TypeError, match="^boards: .*numbers.* are expected, not "):
            boards.reset(odd)  # type: ignore[arg-type]
    boards.reset(memoryview(np.array([1])))  # type: ignore[arg-type]
    assert boards.at_turn_start.tolist() == [False, True]


@pytest.mark.parametrize(
    "copied",
    [Boards.copy, copy.copy, copy.deepcopy, lambda boards: pickle.loads(pickle.dumps(boards))],
)
def test_copies_are_equal_and_go_on_alike(copied: Callable[[Boards], Boards]) -> None:
    two = ["q2/3/2Q w", "Q2/3/2q b"]
    for boards in [
        *(Boards(variant, 5, seed=7, threads=2) for variant in SETS),
        Boards.from_fens(two, size=5, auto_reset=False),
        Boards("amazons", 2, fen="q4/5/5/5/4Q w"),
    ]:
        for _ in range(25):
            boards.step(boards.sample())
        other = copied(boards)
        assert other == boards and other is not boards
        assert (other.observe() == boards.observe()).all()
        assert other.encoding == boards.encoding and other.auto_reset == boards.auto_reset
        actions = boards.sample()
        assert (other.sample() == actions).all()
        boards.step(actions)
        assert (other == boards) == (actions == -1).all()
        other.step(actions)
        assert other == boards
    assert Boards("iago", 2) != Boards("iago", 3) and Boards("iago", 2) != "iago"
    with pytest.raises(TypeError, match="unhashable"):
        hash(Boards())


def test_some_boards_are_copies_of_those_with_their_numbers() -> None:
    boards = Boards("amazons6", 6, seed=1)
    boards.step(boards.sample())
    for asked, numbers in [
        (slice(1, 4), [1, 2, 3]),
        (slice(None, None, -2), [5, 3, 1]),
        ([0, -1, 0], [0, 5, 0]),
        (np.array([2, 4]), [2, 4]),
    ]:
        some = boards[asked]
        assert len(some) == len(numbers)
        assert [some[at].key for at in range(len(some))] == [boards[at].key for at in numbers]
    before = boards.copy()
    boards[:3].step(boards[:3].sample())
    assert boards == before
    starts = Boards.from_fens(["q2/3/2Q w", "Q2/3/2q b", "1q1/3/1Q1 w"])
    some = starts[[2, 0]]
    assert some.fens() == [starts.fens()[2], starts.fens()[0]]
    some.step(some.sample())
    some.reset()
    assert some.fens() == [starts.fens()[2], starts.fens()[0]]
    for wrong in ([6], [0, -7]):
        with pytest.raises(IndexError, match=r"^board -?\d: there are 6$"):
            boards[wrong]
    with pytest.raises(IndexError, match="^boards: none is asked for$"):
        boards[3:3]
    with pytest.raises(TypeError, match="^boards: whole numbers"):
        boards[[True, False]]
    with pytest.raises(ValueError, match=r"^boards: shape \[1, 2\], a row of numbers is expected$"):
        boards[np.array([[0, 1]])]
    with pytest.raises(IndexError, match=f"^board {2**70}: there are 6$"):
        boards[2**70]
    assert boards[np.array(2)] == boards[2]


def test_many_threads_read_while_one_plays() -> None:
    boards, wrong = Boards("amazons6", 50, seed=4, threads=2), []

    def read() -> None:
        try:
            for _ in range(60):
                assert boards.mask().sum() > 0 and boards.observe().any()
                assert len(boards.legal()[0]) > 0 and len(boards[:2]) == 2
        except BaseException as error:  # noqa: BLE001 (a thread raises to nobody)
            wrong.append(error)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for _ in range(60):
        boards.step(boards.sample())
    for reader in readers:
        reader.join()
    assert not wrong


@pytest.mark.parametrize(
    ("variant", "fen", "count"),
    [
        ("amazons", "q2/3/2Q w", 20_000),
        # More fires than a queen has squares on two ranks and two files.
        (Rules("both = { moves = 'K', fires = 'QN' }"), "5/5/5/2Q2/4q w", 60_000),
    ],
)
def test_each_whole_turn_is_drawn_as_often(variant: str, fen: str, count: int) -> None:
    boards = Boards(variant, count, fen=fen, seed=3)
    drawn = boards.sample(whole_turns=True)
    state, expected = State(variant, fen=fen), {}
    for first in state.legal_actions():
        after = state.copy()
        after.play(first)
        expected[first] = len(after.legal_actions())
    share = count / sum(expected.values())
    found = Counter(map(tuple, drawn.tolist()))
    assert len(found) == sum(expected.values())
    # Five standard deviations.
    assert all(abs(times - share) < 5 * share**0.5 for times in found.values())
    for first, times in Counter(drawn[:, 0].tolist()).items():
        assert abs(times - share * expected[first]) < 5 * (share * expected[first]) ** 0.5


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_boards_go_on_in_a_forked_process() -> None:
    boards = Boards("amazons6", 64, seed=2, threads=2)
    boards.step(boards.sample())
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        boards.step(boards.sample())
        os.write(write, repr(boards.legal()[1].sum()).encode())
        os._exit(0)
    boards.step(boards.sample())
    assert select.select([read], [], [], 30)[0], "the child waits for threads that it has not"
    assert os.read(read, 100).decode() == repr(boards.legal()[1].sum())
    assert os.waitpid(child, 0)[1] == 0
    os.close(read)
    os.close(write)
