"""Nets of one's own in the engine's search."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from nets import Answer, Planes, Random, Uniform, onnx_net
from reference_search import Node, Reference

from hippolyta import (
    Board,
    Engine,
    EngineError,
    Info,
    Limit,
    Rules,
    Side,
    evaluators,
    records,
    training,
    uci,
)
from hippolyta.encoding import Encoding, State


def certain(board: Board) -> float | None:
    """White's score of a board whose result the rules make certain."""
    decided = board.decided()
    if decided is None:
        return None
    return 0.5 if decided.winner is None else float(decided.winner is Side.WHITE)


def visits_of(root: Node) -> dict[tuple[int, int], int]:
    """Visits of half-turns of the first turn, by the one before it and its own."""
    firsts = {(-1, child.action): child.visits for child in root.children}
    if not root.halves_follow:
        return firsts
    return firsts | {
        (child.action, last.action): last.visits
        for child in root.children
        for last in child.children
    }


def searched(info: Info) -> dict[tuple[int, int], int]:
    policy = info.policy
    assert policy is not None
    rows = zip(policy.begun.tolist(), policy.action.tolist(), policy.visits.tolist(), strict=True)
    return {(begun, action): visits for begun, action, visits in rows}


@pytest.mark.parametrize("net", [Uniform, Random])
@pytest.mark.parametrize(
    ("fen", "variant", "nodes", "ends"),
    [
        ("1q2/4/4/2Q1 w", "amazons", 900, None),
        (None, "amazons6", 400, None),
        ("q3/4/4/3Q w", "iago", 500, None),
        ("q2/sS1/2Q w", "iago", 300, 1.0),
        ("q2/3/2Q w", "cassio", 300, 0.5),
        (None, "damone", 300, None),
    ],
)
def test_the_tree_is_that_of_a_plain_search(
    net: type[Uniform], fen: str | None, variant: str, nodes: int, ends: float | None
) -> None:
    board = Board(variant) if fen is None else Board.from_fen(fen, variant)
    with Engine(evaluator=net(board), batch=1, hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=nodes), policy=True)
    reference = Reference(board, net(board), certain)
    reference.run(info.nodes)
    expected = visits_of(reference.root)
    assert searched(info) == expected
    # A search ends before its limit if the result is proven.
    assert (info.nodes == nodes) == (ends is None)
    assert reference.root.proof == ends and (info.score.expected == ends) == (ends is not None)


def test_the_policy_has_priors_and_values_of_the_side_to_move() -> None:
    board = Board("amazons6")
    board.push(board.legal_moves[0])
    net = Random(board)
    with Engine(evaluator=net, batch=1, hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=300), policy=True)
    assert info.policy is not None
    first = info.policy.after()
    state = State("amazons6", fen=board.fen())
    assert sorted(first.action) == state.legal_actions()
    logits = net(state.planes()[None])[0][0][first.action]
    priors = np.exp(logits - logits.max())
    assert np.allclose(first.prior, priors / priors.sum(), atol=2e-5)
    assert first.visits.sum() == 299 and np.isnan(first.value[first.visits == 0]).all()
    best = first.action[first.visits.argmax()]
    assert first.value[first.visits.argmax()] == pytest.approx(2 * info.score.expected - 1, abs=0.2)
    state.play(int(best))
    assert sorted(info.policy.after(best).action) == state.legal_actions()
    with Engine(evaluator=net, batch=1, hash=16) as engine:
        assert engine.analyse(board, Limit(nodes=50)).policy is None


def test_one_search_fills_batches_and_is_the_same_each_time() -> None:
    board = Board("amazons6")
    found = []
    for _ in range(2):
        net = Random(board)
        with Engine(evaluator=net, batch=32, hash=16) as engine:
            found.append(searched(engine.analyse(board, Limit(nodes=1_000), policy=True)))
        assert sum(net.sizes) == 1_000 and max(net.sizes) == 32
        assert len(net.sizes) < 50 and len(net.threads) == 1
    assert found[0] == found[1]


def test_many_searches_share_batches_and_each_is_the_same_as_alone() -> None:
    boards = [Board("amazons6") for _ in range(48)]
    for number, board in enumerate(boards):
        board.push(board.legal_moves[number])
    net = Random(boards[0])
    limit = Limit(nodes=120)
    with Engine(evaluator=net, batch=16, hash=16) as engine:
        together = list(engine.analyse_many(boards, limit, policy=True))
    assert sum(net.sizes) == 48 * 120 and max(net.sizes) == 16
    assert np.mean(net.sizes) > 8 and len(net.threads) == 1
    with Engine(evaluator=net, batch=1, hash=16) as engine:
        for board, info in zip(boards[:6], together, strict=False):
            alone = engine.analyse(board, limit, policy=True)
            assert searched(alone) == searched(info) and alone.move == info.move


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_selfplay_with_a_net_fills_its_batches_and_depends_on_the_seed_alone(
    variant: str, tmp_path: Path
) -> None:
    net = Random(Board(variant))
    files = []
    for number, at_once in enumerate([24, 1]):
        path = tmp_path / f"{number}.dat"
        training.selfplay(
            path,
            variant=variant,
            games=24,
            nodes=20,
            evaluator=net,
            games_at_once=at_once,
            longest=12,
            hash=1,
            progress=False,
        )
        files.append(path.read_bytes())
        if at_once > 1:
            sizes = net.sizes.copy()
    assert files[0] == files[1]
    half = sizes[: len(sizes) // 2]
    # One by one they would be 1.
    assert np.mean(half) > 0.5 * 24, half
    batch = next(iter(records.open(tmp_path / "0.dat").samples(batch_size=64)))
    assert batch.planes.shape[1:] == Encoding(variant).shape


def test_what_a_net_raises_comes_out_and_the_engine_goes_on(tmp_path: Path) -> None:
    board = Board("amazons6")
    net, calls = Uniform(board), 0

    def sometimes(planes: Planes) -> Answer:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise KeyError("mine")
        return net(planes)

    with Engine(evaluator=sometimes, batch=4, hash=16) as engine:
        with pytest.raises(KeyError, match="mine"):
            engine.analyse(board, Limit(nodes=500))
        assert calls == 5
        assert engine.analyse(board, Limit(nodes=100)).nodes == 100
        calls = 0
        with pytest.raises(KeyError, match="mine"):
            list(engine.analyse_many([board] * 8, Limit(nodes=50)))
        calls = 0
        with pytest.raises(KeyError, match="mine"):
            engine.play(board, Limit(nodes=50))
    calls, path = 0, tmp_path / "games.dat"

    def play(resume: bool) -> None:
        training.selfplay(
            path,
            variant="amazons6",
            games=6,
            nodes=10,
            hash=1,
            evaluator=sometimes,
            games_at_once=3,
            resume=resume,
            progress=False,
        )

    with pytest.raises(KeyError, match="mine"):
        play(resume=False)
    assert not path.exists()
    with pytest.warns(UserWarning, match="^evaluator: it has no attribute identity, so nobody can"):
        play(resume=True)
    assert len(records.open(path)) == 6


def answers(board: Board) -> dict[str, tuple[Callable[[int], Any], str]]:
    """Wrong answers of nets, and the message for each."""
    actions = Encoding(board.variant).actions

    def zeros(*shape: int) -> npt.NDArray[np.float32]:
        return np.zeros(shape, np.float32)

    def with_one(array: npt.NDArray[np.float32], number: float) -> npt.NDArray[np.float32]:
        array[:] = number
        return array

    return {
        "none": (
            lambda _: None,
            "evaluator: a pair is expected, logits and values, not .*NoneType",
        ),
        "few": (
            lambda n: (zeros(n, 7), zeros(n)),
            rf"logits of shape \(1, {actions}\) are expected, not \(1, 7\)",
        ),
        "flat": (lambda n: (zeros(n * actions), zeros(n)), r"logits of shape .* not \(\d+,\)"),
        "column": (
            lambda n: (zeros(n, actions), zeros(n, 2)),
            r"values of shape \(1,\), \(1, 1\) or \(1, 3\) are expected, not \(1, 2\)",
        ),
        "text": (
            lambda n: ("abc", zeros(n)),
            "the logits: an array of numbers is expected, not of str96",
        ),
        "complex": (
            lambda n: (zeros(n, actions).astype(complex), zeros(n)),
            "the logits: an array of numbers is expected, not of complex128",
        ),
        "bool": (
            lambda n: (zeros(n, actions), zeros(n).astype(bool)),
            "the values: an array of numbers is expected, not of bool",
        ),
        "ragged": (lambda n: ([[0], [0, 1]], zeros(n)), "the logits cannot be read as an array: "),
        "nan": (
            lambda n: (with_one(zeros(n, actions), np.nan), zeros(n)),
            r"the logit NaN of row 0 and legal action \d+",
        ),
        "large": (
            lambda n: (zeros(n, actions), with_one(zeros(n), 1.5)),
            "the value 1.5 of row 0 is not from -1 to 1",
        ),
        "shares": (
            lambda n: (zeros(n, actions), zeros(n, 3)),
            "the values 0, 0, 0 of row 0 are not the probabilities of a win, a draw and a loss",
        ),
        "unknown": (
            lambda n: (zeros(n, actions), with_one(zeros(n), np.nan)),
            "the value NaN of row 0",
        ),
    }


@pytest.mark.parametrize("name", list(answers(Board("amazons6"))))
def test_wrong_answers_are_named_in_a_line(name: str) -> None:
    board = Board("amazons6")
    answer, said = answers(board)[name]
    with (
        Engine(evaluator=lambda planes: answer(len(planes)), hash=1) as engine,
        pytest.raises((TypeError, ValueError), match=said) as caught,
    ):
        engine.analyse(board, Limit(nodes=10))
    assert "\n" not in str(caught.value) and str(caught.value).startswith("evaluator: ")


def test_values_may_be_a_column_or_the_probabilities_of_a_win_a_draw_and_a_loss() -> None:
    board, found = Board("damone"), []
    shares = np.array([[0.5, 0.3, 0.2]], np.float32)
    for values in (shares[:, 0] - shares[:, 2], shares[:, :1] - shares[:, 2:], shares):
        uniform = Uniform(board)

        def net(planes: Planes, values: Any = values, uniform: Uniform = uniform) -> Any:
            return uniform(planes)[0], np.repeat(values, len(planes), 0)

        with Engine(evaluator=net, batch=4, hash=16) as engine:
            found.append(engine.evaluate([board])[0].search_score)
    assert found[0] == found[1] and found[0].draw == 0
    assert found[2].expected == pytest.approx(0.65) == found[0].expected
    assert (found[2].win, found[2].draw) == (pytest.approx(0.5), pytest.approx(0.3))


RULES = Rules("[knights]\nlike = 'amazons6'\nmoves = 'N'\nfires = 'N'")


def test_a_net_plays_by_rules_of_ones_own(tmp_path: Path) -> None:
    board = Board(RULES)
    path = tmp_path / "net.onnx"
    onnx_net(path, board)
    for net in (Random(board), evaluators.Onnx(path)):
        with Engine(evaluator=net, batch=1, hash=16) as engine:
            info = engine.analyse(board, Limit(nodes=300), policy=True)
        reference = Reference(board, net, certain)
        reference.run(info.nodes)
        assert info.nodes == 300 and searched(info) == visits_of(reference.root)
    out = tmp_path / "games.dat"
    training.selfplay(
        out, variant=RULES, games=6, nodes=10, hash=1, evaluator=Random(board), progress=False
    )
    games = records.open(out)
    assert len(games) == 6 and games.variant == RULES
    batch = next(iter(games.samples(batch_size=64)))
    assert batch.planes.shape[1:] == Encoding(RULES).shape


@pytest.mark.parametrize("whole", [False, True])
def test_a_state_in_the_middle_of_a_turn_is_searched(whole: bool) -> None:
    state = State("amazons6")
    state.push("b1b4,b4c4")
    begun = "e6e5"
    state.play(state.action_of(begun))
    board = state.board()
    assert board.move_stack == ["b1b4,b4c4"]
    turns = [turn for turn in board.legal_moves if turn.startswith("e6e5,")]
    with Engine(hash=16) as engine:
        if whole:
            (info,) = engine.analyse_many([state], Limit(nodes=300), multipv=99)
        else:
            info = engine.analyse(state, Limit(nodes=300), multipv=99)
            assert engine.play(state, Limit(nodes=50)).move in turns
            with pytest.raises(ValueError, match="^root_moves: e6d6-d5 does not go on with e6e5$"):
                engine.analyse(state, Limit(nodes=5), root_moves=["e6d6-d5"])
    assert len(info.lines) > 2 and {line.move for line in info.lines} <= set(turns)


def test_arguments_that_are_no_evaluator_are_refused() -> None:
    with pytest.raises(TypeError, match="evaluator: a function of planes is expected, not 'net'"):
        Engine(evaluator="net")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="batch: 0 is not from 1 to 65536"):
        Engine(evaluator=Uniform(Board()), batch=0)
    with pytest.raises(ValueError, match="eval_file is another evaluation"):
        Engine(evaluator=Uniform(Board()), eval_file="weights.bin")


def test_arrays_may_come_by_dlpack_or_the_buffer_protocol() -> None:
    board = Board("amazons6")

    class Tensor:
        """An object with DLPack and nothing else, as tensors of other libraries."""

        def __init__(self, array: npt.NDArray[Any]) -> None:
            self._array = array

        def __dlpack__(self, **options: Any) -> Any:
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self) -> Any:
            return self._array.__dlpack_device__()

    found = []
    for wrap in (lambda array: array, Tensor, memoryview, lambda array: array.astype(np.float64)):
        net = Random(board)

        def wrapped(planes: Planes, wrap: Any = wrap, net: Random = net) -> Any:
            return tuple(map(wrap, net(planes)))

        with Engine(evaluator=wrapped, batch=8, hash=16) as engine:
            found.append(searched(engine.analyse(board, Limit(nodes=100), policy=True)))
    assert all(one == found[0] for one in found)


def test_tensors_that_numpy_cannot_read_become_such_that_it_can() -> None:
    """As tensors of PyTorch: of short floats, with gradients, on a GPU."""

    class Brief:
        dtype = "torch.bfloat16"

        def __init__(self, array: npt.NDArray[Any]) -> None:
            self._array = array

        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("no such numbers")

        def float(self) -> npt.NDArray[Any]:
            return self._array

    class Far(Brief):
        """On a GPU, with gradients."""

        dtype, requires_grad = "torch.float32", True

        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

        def detach(self) -> Any:
            here = Far(self._array)
            here.requires_grad = False
            return here

        def cpu(self) -> npt.NDArray[Any]:
            assert not self.requires_grad
            return self._array

    board = Board("amazons6")
    net = Random(board)
    with Engine(evaluator=net, hash=1) as engine:
        expected = engine.evaluate([board])
    for kind in (Brief, Far):
        with Engine(
            evaluator=lambda planes, kind=kind: tuple(map(kind, net(planes))), hash=1
        ) as engine:
            assert engine.evaluate([board]) == expected


def test_planes_are_the_nets_to_keep_and_answers_are_read_where_they_lie() -> None:
    board, kept = Board("amazons6"), []
    actions = Encoding("amazons6").actions
    logits, values = np.zeros((64, actions), np.float32), np.zeros(64, np.float32)

    def net(planes: Planes) -> Answer:
        kept.append((planes, planes.copy()))
        assert planes.flags.writeable and planes.flags.c_contiguous
        return logits[: len(planes)], np.from_dlpack(values[: len(planes)])  # type: ignore[arg-type]

    with Engine(evaluator=net, batch=64, hash=16) as engine:
        engine.analyse(board, Limit(nodes=600))
        assert len(kept) > 5 and all((one == copy).all() for one, copy in kept)
        kept.clear()
        # Arrays of NumPy are traced.
        tracemalloc.start()
        try:
            engine.analyse(Board("amazons6"), Limit(nodes=600))
            kept.clear()
            assert tracemalloc.get_traced_memory()[1] < logits.nbytes / 2
        finally:
            tracemalloc.stop()


def test_batches_are_under_way_beside_each_other_where_answers_are_promised(tmp_path: Path) -> None:
    board = Board("amazons6")
    net, both = Random(board), threading.Barrier(2)

    def computed(planes: Planes) -> Answer:
        with suppress(threading.BrokenBarrierError):
            both.wait(2)  # until there are two
            met.append(len(planes))
        return net(planes)

    met: list[int] = []
    options: dict[str, Any] = {"variant": "amazons6", "games": 8, "nodes": 6, "longest": 4}
    options |= {"games_at_once": 8, "progress": False}
    one, two = tmp_path / "one.dat", tmp_path / "two.dat"
    training.selfplay(one, evaluator=net, **options)
    with ThreadPoolExecutor(2) as pool:
        promised: Any = lambda planes: pool.submit(computed, planes)
        training.selfplay(two, evaluator=promised, threads=2, **options)
        assert len(met) >= 2 and one.read_bytes() == two.read_bytes()

        def failing(planes: Planes) -> Answer:
            raise LookupError("no weights")

        broken: Any = lambda planes: pool.submit(failing, planes)
        with Engine(evaluator=broken, hash=1) as engine, pytest.raises(LookupError, match="no w"):
            engine.analyse(board, Limit(nodes=9))


FOR_EVER = "^this would wait for ever: "


@pytest.mark.parametrize(
    "what", ["analyse", "analysis", "play", "evaluate", "close", "many", "team"]
)
def test_a_net_that_waits_for_its_own_engine_is_told(what: str) -> None:
    board = Board("amazons6")
    net = Uniform(board)
    uses: dict[str, Callable[[], object]] = {
        "analyse": lambda: engine.analyse(board, Limit(nodes=2)),
        "analysis": lambda: list(engine.analysis(board, Limit(nodes=2))),
        "play": lambda: engine.play(board, Limit(nodes=2)),
        "evaluate": lambda: engine.evaluate([board]),
        "close": lambda: engine.close(),
        "many": lambda: list(engine.analyse_many([board], Limit(nodes=2))),
        "team": lambda: training.selfplay("no.dat", games=1, evaluator=asks, progress=False),
    }

    def asks(planes: Planes) -> Answer:
        uses[what]()
        return net(planes)

    with Engine(evaluator=asks, hash=1) as engine:
        for use in (
            lambda: engine.analyse(board, Limit(nodes=9)),
            lambda: engine.evaluate([board]),
            lambda: list(engine.analyse_many([board] * 3, Limit(nodes=9))),
        ):
            with pytest.raises(EngineError, match=FOR_EVER):
                use()
        assert not engine.closed
        # It goes on.
        uses[what] = lambda: None
        assert engine.analyse(board, Limit(nodes=9)).nodes == 9
    assert not Path("no.dat").exists()


def test_engines_whose_nets_wait_for_each_other_are_told_and_one_may_ask_another() -> None:
    board = Board("amazons6")
    net, asked = Uniform(board), 0

    def first(planes: Planes) -> Answer:
        two.analyse(board, Limit(nodes=2))
        return net(planes)

    def second(planes: Planes) -> Answer:
        one.analyse(board, Limit(nodes=2))
        return net(planes)

    def third(planes: Planes) -> Answer:
        nonlocal asked
        asked += 1
        plain.evaluate([board])
        other.analyse(board, Limit(nodes=2))
        return net(planes)

    with (
        Engine(evaluator=first, hash=1) as one,
        Engine(evaluator=second, hash=1) as two,
        Engine(evaluator=third, hash=1) as three,
        Engine(evaluator=net, hash=1) as other,
        Engine(hash=1) as plain,
    ):
        with pytest.raises(EngineError, match=FOR_EVER):
            one.analyse(board, Limit(nodes=9))
        assert three.analyse(board, Limit(nodes=9)).nodes == 9 and asked > 1


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("what", ["analyse(board, Limit(nodes=9))", "evaluate([board])"])
def test_ctrl_c_is_heard_though_a_net_does_not_return(what: str) -> None:
    """It waits for its own engine in a way that nobody sees."""
    code = f"""
import threading, time
from hippolyta import Board, Engine, Limit
board = Board("amazons6")
def net(planes):
    print("called", flush=True)
    thread = threading.Thread(target=lambda: engine.evaluate([board]), daemon=True)
    thread.start()
    thread.join()
engine = Engine(evaluator=net, hash=1)
try:
    engine.{what}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stdout.readline() == "called\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == "interrupted\n"
        assert child.wait(60) == 0


def test_engines_and_nets_that_know_each_other_are_freed() -> None:
    class Agent:
        def __init__(self, fails: bool) -> None:
            self.net, self.fails = Uniform(Board("amazons6")), fails
            self.engine = Engine(evaluator=self, hash=1)

        def __call__(self, planes: Planes) -> Answer:
            if self.fails:
                raise KeyError("mine")
            return self.net(planes)

        def use(self) -> None:
            board = Board("amazons6")
            self.analysis = self.engine.analysis(board, Limit(nodes=5))
            try:
                self.analysis.result()
            except KeyError as error:
                self.error = error

    def agents() -> list[weakref.ref[Agent]]:
        found = []
        for number in range(20):
            agent = Agent(fails=number % 2 == 1)
            agent.use()
            asyncio.run(listened(agent))
            found.append(weakref.ref(agent))
        return found

    async def listened(agent: Agent) -> None:
        with suppress(KeyError):
            agent.analysis = agent.engine.analysis(Board("amazons6"), Limit(nodes=5))
            await agent.analysis.wait()

    gc.collect()
    before = threads()
    found = agents()
    gc.collect()
    assert not [agent for agent in found if agent() is not None]
    end = time.monotonic() + 60
    while threads() > before:
        assert time.monotonic() < end, (before, threads())
        time.sleep(0.02)


def threads() -> int:
    """The threads of this process, where the system tells."""
    tasks = Path("/proc/self/task")
    return len(list(tasks.iterdir())) if tasks.exists() else 0


def test_a_search_with_a_net_is_stopped_and_obeys_time() -> None:
    board = Board("amazons6")
    with Engine(evaluator=Uniform(board), batch=8, hash=16) as engine:
        with engine.analysis(board) as analysis:
            for info in analysis:
                if info.nodes > 200:
                    analysis.stop()
        assert analysis.result().last and analysis.result().nodes > 200
        assert engine.analyse(board, Limit(time=0.1)).time < 5
        assert len(engine.analyse(board, Limit(nodes=500), multipv=3).lines) == 3
        turn = board.legal_moves[7]
        assert engine.play(board, Limit(nodes=50), root_moves=[turn]).move == turn
        assert engine.play(board, Limit(elo=1200)).move in board.legal_moves


def test_what_is_certain_needs_no_evaluation() -> None:
    board = Board.from_fen("q1*/**1/2Q w")
    net = Uniform(board)
    with Engine(evaluator=net, batch=8, hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=1_000))
    assert info.score.mate == 1 and info.move == "c1c2,c2b3" and sum(net.sizes) < 100


def test_the_view_is_that_of_the_side_to_move() -> None:
    """A net that sees only that its own side is ahead is right for both."""
    board = Board("amazons6")
    actions = Encoding("amazons6").actions

    def hopeful(planes: Planes) -> Answer:
        return np.zeros((len(planes), actions), np.float32), np.full(len(planes), 0.5, np.float32)

    for side in (Side.WHITE, Side.BLACK):
        with Engine(evaluator=hopeful, batch=1, hash=16) as engine:
            assert board.turn is side
            assert engine.analyse(board, Limit(nodes=1)).score.expected == pytest.approx(0.75)
        board.push(board.legal_moves[0])


@pytest.mark.parametrize(("value", "odds"), [(1, (0.999, 0, 0.001)), (-1, (0.001, 0, 0.999))])
def test_only_what_is_proven_is_certain(value: float, odds: tuple[float, ...]) -> None:
    board = Board("amazons6")
    actions = Encoding("amazons6").actions

    def sure(planes: Planes) -> Answer:
        return np.zeros((len(planes), actions), np.float32), np.full(len(planes), value, np.float32)

    with Engine(evaluator=sure, batch=1, hash=16) as engine:
        score = engine.analyse(board, Limit(nodes=1)).score
    assert not score.proven and (score.win, score.draw, score.loss) == odds


def test_a_file_of_onnx_plays_here_and_over_uci(tmp_path: Path) -> None:
    board = Board("amazons6")
    path = tmp_path / "net.onnx"
    onnx_net(path, board)
    onnx = evaluators.Onnx(path)
    net = Random(board)

    def same(planes: Planes) -> Answer:
        hidden = np.maximum(planes.reshape(len(planes), -1).astype(np.float32) @ net.hidden, 0)
        return hidden @ net.policy, np.tanh(hidden @ net.value)

    found = []
    for evaluator in (onnx, same):
        with Engine(evaluator=evaluator, batch=1, hash=16) as engine:
            found.append(engine.analyse(board, Limit(nodes=300), policy=True))
    assert searched(found[0]) == searched(found[1])
    command = [sys.executable, "-m", "hippolyta.evaluators", str(path), "--batch", "1"]
    with uci.Engine(command, options={"Hash": 16}, timeout=60) as other:
        told = other.analyse(board, Limit(nodes=300))
        assert told.move == found[0].move and told.nodes == 300
    with pytest.raises(ValueError, match="ONNX Runtime refuses it"):
        (tmp_path / "none.onnx").write_bytes(b"none")
        evaluators.Onnx(tmp_path / "none.onnx")


def test_another_net_is_taken_by_an_option_of_uci(tmp_path: Path) -> None:
    board = Board("amazons6")
    path = tmp_path / "my net.onnx"
    onnx_net(path, board)
    limit = Limit(nodes=200)
    with Engine(evaluator=evaluators.Onnx(path), batch=1, hash=16) as engine:
        by_net = engine.analyse(board, limit)
    with Engine(hash=16) as engine:
        built_in = engine.analyse(board, limit)
    command = [sys.executable, "-m", "hippolyta.evaluators", "--batch", "1"]
    with uci.Engine(command, options={"Hash": 16}, timeout=60) as other:
        assert other.options["EvalNet"].default == "<built-in>"
        for net, expected in [("<built-in>", built_in), (str(path), by_net), ("", built_in)]:
            other.configure({"EvalNet": net})
            told = other.analyse(board, limit)
            assert (told.move, told.nodes) == (expected.move, expected.nodes)
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"none")
    done = subprocess.run(
        [*command, str(path)],
        check=True,
        input=f"setoption name EvalNet value {wrong}\nsetoption name EvalNet value net\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    errors = [line for line in done.stdout.splitlines() if "ERROR" in line]
    assert f"option EvalNet: {wrong}: ONNX Runtime refuses it" in errors[0]
    assert errors[1].endswith("option EvalNet: net is neither a file .onnx nor module:name")
    assert len(errors) == 2
    with uci.Engine([*command, str(path)], options={"Hash": 16}, timeout=60) as other:
        other.configure({"EvalNet": str(wrong)})
        # The net of the start plays on.
        assert other.analyse(board, limit).move == by_net.move


def test_a_function_of_python_speaks_uci_and_what_it_raises_is_said(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def bad(planes):\n    raise KeyError('mine')\n")
    done = subprocess.run(
        [sys.executable, "-m", "hippolyta.evaluators", "mine:bad"],
        check=False,
        cwd=tmp_path,
        input="position startpos\ngo nodes 10\n",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "info string ERROR: the evaluator failed: KeyError: 'mine'" in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize(
    "name", ["none.onnx", "nowhere:net", "mine:none", "mine:number", "mine", "--batch=0"]
)
def test_a_net_that_is_not_there_is_named_in_a_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("number = 1")
    command = [sys.executable, "-m", "hippolyta.evaluators", name]
    done = subprocess.run(
        command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    usage, *rest = done.stderr.splitlines()
    assert usage.startswith("usage: ") and done.returncode == 2
    said = "--batch: 0 is not from 1 to 65536" if "=" in name else "net: "
    assert len(rest) == 1 and name.partition(":")[2] in rest[0] and f": error: {said}" in rest[0]


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
def test_games_of_ones_own_become_a_data_file_that_is_learned_from(
    variant: str, tmp_path: Path
) -> None:
    path = tmp_path / "mine.dat"
    infos: list[list[Info]] = []
    with Engine(hash=16) as engine, records.create(path, variant, maker="test") as out:
        for number in range(12):
            board, searches = Board(variant), []
            board.push(board.legal_moves[number % 3])
            for _ in range(4):
                searches.append(engine.analyse(board, Limit(nodes=100), policy=True))
                board.push(searches[-1].move or "")
            assert out.add(board, searches, result="0-1") == number
            infos.append(searches)
        with pytest.raises(ValueError, match="result: the game is not over, so it must be given"):
            out.add(board, searches)
        with pytest.raises(ValueError, match="searches: number 0 is of"):
            out.add(board, searches[:-1], result="0-1")
        with pytest.raises(ValueError, match="^result: '2-0' is none of 1-0, 1/2-1/2, 0-1$"):
            out.add(board, searches, result="2-0")  # type: ignore[arg-type]
        elsewhere = Board.from_fen(board.fen(), variant)
        for other, what in ((Board("cassio"), "rule set"), (elsewhere, "start")):
            with pytest.raises(ValueError, match=f"^board: its {what} is .*, that of the file is "):
                out.add(other, [], result="0-1")
    found = records.open(path)
    assert [game.result for game in found] == ["0-1"] * 12 and found[0].opening == (
        Board(variant).legal_moves[0],
    )
    for game, searches in zip(found, infos, strict=True):
        for turn, info in zip(game.turns, searches, strict=True):
            assert turn.move == info.move
            assert turn.score == pytest.approx(info.score.expected, abs=1e-4)
            assert info.policy is not None
            first = info.policy.after()
            counts = sorted(first.visits[first.visits > 0].tolist(), reverse=True)
            assert sorted(turn.visits[0].values(), reverse=True) == counts
    assert sum(len(batch.planes) for batch in found.samples()) > 10
    with pytest.raises(FileExistsError):
        records.create(path, variant)
    losses = training.fit([path], tmp_path / "weights.bin", epochs=1, validation=4, progress=False)
    assert losses.losses
