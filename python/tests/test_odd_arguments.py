"""Odd arguments end in exceptions that anybody catches: never in a panic, nor in an error without words."""

import inspect
import itertools
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hippolyta import Board, Engine, Limit, Score, Side, games, records, svg, training
from hippolyta import _hippolyta as compiled
from hippolyta.encoding import Encoding, State

pytestmark = pytest.mark.filterwarnings("ignore")

ODD: list[Any] = [
    *(None, True, 0, 1, -1, 2**31, 2**32, 2**63, -(2**63) - 1, 2**64, 2**200, -(2**200), 10**5000),
    *(0.0, -0.5, 1.5, 1e300, -1e300, float("nan"), float("inf")),
    *("", "x", " ", "\0", "\ud800", "é", "a1a2,a2a3", "d1d7", "8/8 w", "x" * 5000, "startpos"),
    *(b"", b"\xff", [], (), {}, [None], ["x"], [[]], (1, 2), {"a": 1}, object(), int, Side.WHITE),
    *(Path("/no/such/place"), slice(None), range(3), iter([])),
]


@pytest.fixture(autouse=True)
def hangs_are_failures() -> Iterator[None]:
    """Where a call does not end, the test does."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(number: int, frame: object) -> None:
        raise BaseException("a call hangs")  # noqa: TRY002  Nothing here catches it.

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(120)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def hammered(what: str, call: Callable[..., object], *arguments: object, **named: object) -> None:
    """Calls something. An error must be an ordinary one, and say something."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            call(*arguments, **named)
    except Exception as error:  # noqa: BLE001
        try:
            shown = f"{what}({arguments!r:.80}, {named!r:.80})"
        except ValueError:  # a number with more digits than Python likes to show
            shown = what
        assert type(error).__name__ != "PanicException", shown
        assert not isinstance(error, (OverflowError, SystemError, RecursionError)), (shown, error)
        assert "a defect of the engine" not in str(error), (shown, error)
        assert "orrowed" not in str(error), (shown, error)
        assert str(error), (shown, type(error))


def methods(kind: type, skipped: tuple[str, ...] = ()) -> list[str]:
    """The names of the methods and properties of a class, also those of operators."""
    basic = set(dir(object)) - {"__eq__"}
    return [name for name in dir(kind) if name not in basic and name not in skipped]


MAKERS: dict[type, Callable[[], Any]] = {
    Board: lambda: Board("amazons6"),
    compiled.LegalMoves: lambda: Board("amazons6").legal_moves,
    State: lambda: State("amazons6"),
    Encoding: lambda: Encoding("iago"),
    Score: lambda: Score.won(3, Side.WHITE),
    games.Game: lambda: games.Game("amazons6", ("b1b4,b4c4",)),
}


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_methods_of_values(kind: type) -> None:
    # To count with a depth of 2³¹ takes for ever, as it should.
    for name in methods(kind, ("perft", "perft_divide")):
        if not callable(getattr(kind, name)):
            continue
        hammered(f"{kind.__name__}.{name}", getattr(MAKERS[kind](), name))
        for odd in ODD:
            hammered(f"{kind.__name__}.{name}", getattr(MAKERS[kind](), name), odd)
        for first, second in itertools.product(ODD[:14] + ["a1a2,a2a3"], repeat=2):
            hammered(f"{kind.__name__}.{name}", getattr(MAKERS[kind](), name), first, second)


def test_counts_of_moves() -> None:
    board = Board("amazons6")
    for name, odd in itertools.product(("perft", "perft_divide"), ODD):
        if not isinstance(odd, int) or not 1 < odd < 2**32:
            hammered(name, getattr(board, name), odd)
    for wrong in (-1, 2**32, 2**200):
        with pytest.raises(ValueError, match=f"^depth: {wrong} is not from 0 to 4294967295$"):
            board.perft(wrong)


def test_makers_and_functions(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    calls: list[tuple[Callable[..., object], tuple[str, ...]]] = [
        (Board, ("variant",)),
        (Board.from_fen, ("fen", "variant", "moves")),
        (State, ("variant", "fen", "size")),
        (Encoding, ("variant", "fen", "size")),
        (Limit, tuple(Limit.__dataclass_fields__)),
        (records.open, ("paths", "partial")),
        (games.read, ("path", "variant")),
        (compiled.Searcher, ("threads", "hash", "seed", "jobs", "eval_file")),
        (compiled.DataFiles, ("paths", "partial")),
        (compiled.merge_files, ("inputs", "out", "partial", "force")),
        (compiled.solve_position, ("variant", "fen", "turns", "options", "listener")),
        (compiled.learn_folder, ("options", "listener")),
    ]
    sound: dict[str, Any] = {"fen": "q2/3/2Q w", "out": out, "threads": 1, "hash": 1, "seed": 0}
    for call, names in calls:
        for name, odd in itertools.product(names, ODD):
            hammered(call.__name__, call, **{name: odd})
            needed = {key: value for key, value in sound.items() if key in names}
            hammered(call.__name__, call, **{**needed, name: odd})
    quiet: dict[str, Any] = {"progress": False}
    won = Board.from_fen("q2/3/2Q w")
    functions: list[tuple[Callable[..., object], dict[str, Any]]] = [
        (training.selfplay, {"games": 1, "nodes": 1, "variant": "amazons6", **quiet}),
        (training.solve, {"board": won, "nodes": 1, "hash": 1, **quiet}),
        (training.fit, {"inputs": [], **quiet}),
        (training.match, {"engines": ["cmd=self", "cmd=x"], "each": "nodes=1", **quiet}),
        (training.learn, {"generations": 0, "games": 1, "nodes": 1, **quiet}),
        (training.merge, {"inputs": []}),
        (training.calibrate, {"inputs": []}),
        (training.check, {"inputs": []}),
    ]
    # Values that would do a lot of work are left out.
    huge = {"games", "nodes", "longest", "rounds", "concurrency", "threads", "hash", "time"}
    for function, given in functions:
        for name, odd in itertools.product(inspect.signature(function).parameters, ODD):
            if name in huge and isinstance(odd, (int, float)) and 1 < odd < 2**64:
                continue
            if Path(out).is_dir():
                shutil.rmtree(out)
            Path(out).unlink(missing_ok=True)
            if name not in ("progress", "out"):
                needed = {"out": out} if "out" in inspect.signature(function).parameters else {}
                hammered(function.__name__, function, **{**needed, **given, name: odd})


def test_engines() -> None:
    board = Board.from_fen("q2/3/2Q w")
    with Engine(hash=1) as engine:

        def many(**named: Any) -> None:
            list(engine.analyse_many(**{"boards": [board], "limit": Limit(nodes=1), **named}))

        for odd in ODD:
            for name in ("threads", "hash", "seed", "eval_file", "variant"):
                if name != "hash" or not isinstance(odd, int) or not 1 < odd < 2**16:
                    hammered("Engine", Engine, **{"hash": 1, name: odd})
            hammered("play", engine.play, odd, Limit(nodes=1))
            hammered("play", engine.play, board, odd)
            hammered("play", engine.play, board, Limit(nodes=1), root_moves=odd)
            for name in ("multipv", "ownership", "territory", "stones", "root_moves"):
                hammered("analyse", engine.analyse, board, Limit(nodes=1), **{name: odd})
            for name in ("every", "ponder", "multipv"):
                hammered(
                    "analysis",
                    lambda **named: engine.analysis(board, **named).stop(),
                    **{name: odd},
                )
            for name in ("boards", "jobs", "multipv"):
                hammered("analyse_many", many, **{name: odd})
        # It plays on.
        assert engine.play(board, Limit(nodes=5)).move in board.legal_moves


def test_data_files_and_batches(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    training.selfplay(tmp_path / "games.dat", variant="amazons6", games=2, nodes=4, progress=False)
    found = records.open(tmp_path / "games.dat")
    names = ["batch_size", "shuffle_seed", "mix", "games", "half_turns", "legal", "size", "dtype"]
    for odd in ODD:
        hammered("Records[]", found.__getitem__, odd)
        for name in names:
            hammered("samples", lambda **named: list(found.samples(**named)), **{name: odd})
    for at in (2, -3, 2**63, 2**64, -(2**80)):
        with pytest.raises(IndexError, match="there are fewer games"):
            found[at]
    for wrong in (-1, 2**63):
        with pytest.raises(ValueError, match=f"^games: {wrong} is not from 0 to "):
            found.samples(games=[wrong])


def test_pictures() -> None:
    board = Board("amazons6")
    names = [name for name in svg.of_board.__annotations__ if name not in ("board", "return")]
    for name, odd in itertools.product(names, ODD):
        hammered("svg", board.svg, **{name: odd})
