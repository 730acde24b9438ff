"""Engines: results, streams, many boards, threads, Ctrl-C, errors, memory."""

import asyncio
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hippolyta import (
    Board,
    Engine,
    EngineError,
    Info,
    Limit,
    MoveError,
    Rules,
    Score,
    Side,
    Stopped,
    variants,
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(hash=16) as engine:
        yield engine


def without_time(info: Info) -> tuple[object, ...]:
    return (info.score, info.lines, info.nodes, info.visits, info.fen)


@pytest.mark.parametrize("variant", variants())
def test_it_plays_every_rule_set(variant: str, engine: Engine) -> None:
    board = Board(variant)
    result = engine.play(board, Limit(nodes=100))
    assert result.move in board.legal_moves
    assert 100 <= result.info.nodes < 200 and result.info.last
    line = board.copy()
    for move in result.info.pv:
        line.push(move)
    if result.ponder is not None:
        assert result.info.pv[:2] == (result.move, result.ponder)


def test_an_analysis_is_typed_and_frozen(engine: Engine) -> None:
    board = Board("amazons6")
    info = engine.analyse(board, Limit(nodes=400), multipv=3)
    assert len(info.lines) == 3 and info.move == info.lines[0].move
    assert (info.side, info.fen) == (Side.WHITE, board.fen())
    score = info.score
    assert 0 < score.expected < 1 and score.win + score.draw + score.loss == pytest.approx(1)
    assert score.white() == score and score.black().expected == pytest.approx(1 - score.expected)
    assert pickle.loads(pickle.dumps(info)) == info
    with pytest.raises(AttributeError):
        info.nodes = 7  # type: ignore[misc]
    chosen = ["b1b4,b4c4", "e1e4/d4"]
    restricted = engine.analyse(board, Limit(nodes=100), multipv=5, root_moves=chosen)
    assert {line.move for line in restricted.lines} == {"b1b4,b4c4", "e1e4,e4d4"}


def test_lines_that_are_images_of_each_other_are_told_once_if_asked() -> None:
    def firsts(merge_mirrored: bool) -> list[str]:
        with Engine(hash=16) as engine:
            limit = Limit(nodes=3000)
            info = engine.analyse(
                Board("amazons6"), limit, multipv=6, merge_mirrored=merge_mirrored
            )
            many = engine.analyse_many(
                [Board("amazons6")], limit, multipv=6, merge_mirrored=merge_mirrored
            )
            found = [line.move for line in info.lines]
            assert [line.move for line in next(many).lines] == found
            return list(map(str, found))

    mirror = str.maketrans("abcdef", "fedcba")
    both, merged = firsts(False), firsts(True)
    assert len(merged) == 6 and not any(move.translate(mirror) in merged for move in merged)
    assert any(move.translate(mirror) in both for move in both)


def test_what_is_proven_and_what_is_owned(engine: Engine) -> None:
    win = engine.analyse(Board.from_fen("q1*/**1/2Q w"), Limit(nodes=100))
    assert (win.score.mate, win.score.proven, win.pv) == (1, True, ("c1c2,c2b3",))
    cut = engine.analyse(
        Board.from_fen("Q1*1q/2*2/2*2 w"), Limit(nodes=10), ownership=True, territory=True
    )
    assert cut.ownership is not None and cut.territory is not None and cut.stones is None
    assert cut.ownership[5:10] == (1.0, 1.0, None, -1.0, -1.0)
    assert cut.lead == -0.5
    assert (cut.territory.margin, cut.territory.winner) == (-0.5, Side.BLACK)
    assert cut.territory.white_turns == cut.territory.black_turns == (5, 5)
    stones = engine.analyse(Board("iago"), Limit(nodes=10), stones=True, territory=True).stones
    assert stones is not None and stones.now.white > 0
    over = engine.analyse(Board.from_fen("Q**/***/**q b"), Limit(nodes=10))
    assert (over.move, over.score.mate, over.pv) == (None, 0, ())
    # In turns of the winner, as in UCI and in a limit; 0 has lost, and nobody can have won in 0.
    mates = [(Score.won(plies, Side.BLACK).mate, plies) for plies in range(5)]
    assert mates == [(1, 0), (1, 1), (1, 2), (2, 3), (2, 4)]
    assert [Score.won(plies, Side.BLACK).white().mate for plies in (0, 1, 3)] == [0, -1, -2]
    lost = Score(0.0, 0.0, 0.0, 1.0, plies=4, proven=True)
    assert (lost.mate, lost.black().mate, lost.black().plies) == (-2, 2, 4)
    assert Score(0.5, 0.0, 1.0, 0.0, proven=True).mate is None
    with Engine(hash=16) as own:
        board = Board.from_fen("q1*/**1/2Q w")
        assert own.analyse(board, Limit(mate=win.score.mate)).score.proven


def test_the_same_seed_gives_the_same_results() -> None:
    def results() -> list[tuple[object, ...]]:
        with Engine(hash=16, seed=5) as engine:
            board = Board()
            found = []
            for _ in range(3):
                info = engine.play(board, Limit(nodes=300)).info
                found.append(without_time(info))
                board.push(info.pv[0])
            return found

    assert results() == results()


def test_a_rating_ends_a_search_or_is_refused(engine: Engine) -> None:
    knights = Rules("[knights]\nlike = 'amazons6'\nmoves = 'N'\n")
    for board in (Board("damone"), Board(knights)):
        assert engine.play(board, Limit(elo=1500)).move in board.legal_moves
        with pytest.raises(
            ValueError, match="nothing limits this search.*4000 is full strength in"
        ):
            engine.play(board, Limit(elo=4000))
        many = engine.analyse_many([board], Limit(elo=4000))
        with pytest.raises(ValueError, match="nothing limits this search"):
            next(many)
    assert Limit(clock=(None, None)).is_unlimited
    with pytest.raises(ValueError, match="nothing limits this search"):
        engine.play(Board(), Limit(clock=(None, None)))


def test_levels_and_clocks(engine: Engine) -> None:
    board = Board()
    assert engine.play(board, Limit(elo=0)).move in board.legal_moves
    began = time.monotonic()
    engine.play(board, Limit(clock=(2.0, 900.0), increment=0.0))
    assert time.monotonic() - began < 2
    began = time.monotonic()
    info = engine.analyse(board, Limit(time=0.2))
    assert 0.15 < info.time and time.monotonic() - began < 5


def test_results_come_while_the_search_goes_on(engine: Engine) -> None:
    with engine.analysis(Board(), multipv=2, every=0.05) as analysis:
        told = []
        for info in analysis:
            told.append(info)
            if len(told) == 5:
                analysis.stop()
    assert analysis.done and len(told) >= 6
    assert [info.last for info in told] == [False] * (len(told) - 1) + [True]
    assert [info.nodes for info in told] == sorted(info.nodes for info in told)
    assert list(analysis) == []
    assert analysis.result() == told[-1]


def test_the_end_of_the_block_stops_a_search(engine: Engine) -> None:
    with engine.analysis(Board()) as analysis:
        next(analysis)
        assert not analysis.done
    assert analysis.result().last
    # And the engine is free again.
    assert engine.play(Board(), Limit(nodes=10)).move


def test_pondering(engine: Engine) -> None:
    with engine.analysis(Board(), Limit(nodes=50), ponder=True) as analysis:
        time.sleep(0.2)
        assert not analysis.done
        analysis.ponder_hit()
        assert analysis.result().nodes >= 50


def test_asyncio(engine: Engine) -> None:
    async def main() -> None:
        board = Board("amazons6")
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.005)
                ticks += 1

        clock = asyncio.create_task(tick())
        count = 0
        async with engine.analysis(board, Limit(time=0.4), every=0.05) as analysis:
            async for info in analysis:
                count += 1
        assert count >= 4 and info.last and ticks > 10
        clock.cancel()
        assert (await engine.play_async(board, Limit(nodes=50))).move in board.legal_moves
        searches = [engine.analyse_async(board, Limit(nodes=5)) for _ in range(200)]
        assert len(await asyncio.gather(*searches)) == 200
        # To cancel stops the search; else the next one would wait for ever.
        endless = asyncio.create_task(engine.analysis(board).wait())
        await asyncio.sleep(0.1)
        endless.cancel()
        with pytest.raises(asyncio.CancelledError):
            await endless
        await asyncio.wait_for(engine.play_async(board, Limit(nodes=50)), 20)

    asyncio.run(main())


def test_3000_boards_at_once() -> None:
    boards = []
    board = Board("amazons6")
    for turn in board.legal_moves[:500]:
        after = board.copy()
        after.push(turn)
        boards += [after] * 6
    with Engine(hash=16) as engine:
        results = list(engine.analyse_many(boards, Limit(nodes=3), jobs=4))
        assert len(results) == 3000
        assert [info.fen for info in results] == [board.fen() for board in boards]
        # The worth of a board does not depend on those before it, nor on the number of jobs.
        few = boards[::100]
        alone = [without_time(info) for info in engine.analyse_many(few, Limit(nodes=200), jobs=1)]
        together = [
            without_time(info) for info in engine.analyse_many(few, Limit(nodes=200), jobs=3)
        ]
        assert alone == together


def test_boards_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[Board]:
        nonlocal taken
        while True:
            taken += 1
            yield Board("amazons6")

    with Engine(hash=16) as engine:
        results = engine.analyse_many(endless(), Limit(nodes=5), jobs=2)
        for _ in range(10):
            next(results)
        assert taken < 100
        assert isinstance(results, Iterator)
        results.close()  # type: ignore[attr-defined]
    assert taken < 100


def test_threads_that_share_an_engine_wait_their_turn(engine: Engine) -> None:
    board = Board("amazons6")
    moves: list[str] = []

    def play() -> None:
        for _ in range(20):
            moves.append(engine.play(board, Limit(nodes=20)).move)

    threads = [threading.Thread(target=play) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len(moves) == 160 and set(moves) <= set(board.legal_moves)


def test_engines_run_beside_each_other_and_python_goes_on() -> None:
    engines = [Engine(hash=8) for _ in range(4)]
    analyses = [engine.analysis(Board()) for engine in engines]
    for analysis in analyses:
        next(analysis)
    assert not any(analysis.done for analysis in analyses)
    counted = 0
    other = threading.Thread(target=lambda: engines[0].analyse(Board(), Limit(time=0.3)))
    analyses[0].stop()
    other.start()
    while other.is_alive():
        counted += 1
        time.sleep(0.001)
    assert counted > 20, "Python stood still during a search"
    for engine in engines:
        engine.close()
    assert all(analysis.done for analysis in analyses)


def test_what_waits_can_be_stopped(engine: Engine) -> None:
    running = engine.analysis(Board())
    next(running)
    waiting = engine.analysis(Board(), Limit(nodes=10))
    waiting.stop()
    with pytest.raises(Stopped, match="before it began"):
        waiting.result()
    running.stop()
    assert running.result().last


def test_bad_arguments_are_refused(engine: Engine) -> None:
    board = Board()
    for nothing in (
        {"nodes": 0},
        {"depth": -1},
        {"time": -1.0},
        {"time": float("nan")},
        {"elo": 9999},
    ):
        with pytest.raises(ValueError):
            Limit(**nothing)
    with pytest.raises(ValueError, match="nothing limits this search"):
        engine.play(board, Limit())
    with pytest.raises(ValueError, match="multipv: 0 is not from 1 to 500"):
        engine.analyse(board, Limit(nodes=1), multipv=0)
    with pytest.raises(MoveError, match="illegal move 'a1a2,a2a3'"):
        engine.play(board, Limit(nodes=1), root_moves=["a1a2,a2a3"])
    with pytest.raises(ValueError, match="root_moves: there are none"):
        engine.play(board, Limit(nodes=1), root_moves=[])
    with pytest.raises(ValueError, match="the game is over, 1-0"):
        engine.play(Board.from_fen("Q**/***/**q b"), Limit(nodes=1))
    with pytest.raises(TypeError, match="root_moves: several turns are expected"):
        engine.play(board, Limit(nodes=1), root_moves="d1d7,d7g7")
    with pytest.raises(ValueError, match="jobs: 0 is not from 1 to 1024"):
        engine.analyse_many([board], Limit(nodes=1), jobs=0)


def declared(name: str) -> tuple[int, int]:
    """The bounds of an option, as the engine tells them to its clients."""
    command = [sys.executable, "-m", "hippolyta"]
    said = subprocess.run(command, input="uci\n", capture_output=True, check=True, text=True).stdout
    line = next(line for line in said.splitlines() if line.startswith(f"option name {name} "))
    words = line.split()
    return int(words[words.index("min") + 1]), int(words[words.index("max") + 1])


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("threads", "Threads"),
        ("hash", "Hash"),
        ("seed", "Seed"),
        ("jobs", "Threads"),
        ("multipv", "MultiPV"),
        ("elo", "UCI_Elo"),
    ],
)
def test_bounds_are_those_of_uci(name: str, option: str) -> None:
    least, most = declared(option)
    board = Board("amazons6")

    def use(value: int) -> None:
        if name == "elo":
            Limit(elo=value)
        elif name == "multipv":
            Engine(hash=1).analyse(board, Limit(nodes=1), multipv=value)
        elif name == "jobs":
            Engine(hash=1).analyse_many([], Limit(nodes=1), jobs=value)
        else:
            Engine(**{name: value})

    use(least)
    use(most)
    for wrong in (least - 1, most + 1, -(2**63), 2**63, 2**64, 10**30):
        with pytest.raises(ValueError, match=f"^{name}: {wrong} is not from {least} to {most}$"):
            use(wrong)
    for text in ("5", 1.5, float("nan"), [1]):
        with pytest.raises(TypeError, match=f"^{name}: a whole number is expected, not "):
            use(text)  # type: ignore[arg-type]


def test_limits_have_bounds_and_say_which_of_them_is_wrong() -> None:
    for name in ("nodes", "depth", "mate", "moves_to_go"):
        for wrong in (0, -1, 2**64):
            with pytest.raises(ValueError, match=f"^{name}: {wrong} is not from 1 to "):
                Limit(**{name: wrong})  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=f"^{name}: a whole number is expected, not 1.5$"):
            Limit(**{name: 1.5})  # type: ignore[arg-type]
    for value in (-1, float("nan"), float("inf"), 1e300, 10**400):
        for limit in ({"time": value}, {"clock": (value, 1)}, {"increment": value}):
            with pytest.raises(
                ValueError, match=f"^{next(iter(limit))}: .* is not a time in seconds"
            ):
                Limit(**limit)  # type: ignore[arg-type]
    for clock in (5, (1,), (1, 2, 3), "ab"):
        with pytest.raises(TypeError, match="^clock: two times are expected|^clock: seconds are"):
            Limit(clock=clock)  # type: ignore[arg-type]
    # A list does as well, and the limit is a key all the same.
    assert hash(Limit(clock=[1, 2])) == hash(Limit(clock=(1, 2)))  # type: ignore[arg-type]
    # The longest time is one that a search can be told.
    with (
        Engine(hash=1) as engine,
        engine.analysis(Board(), Limit(clock=(1.8e16, 1e16))) as analysis,
    ):
        next(analysis)


def test_bad_files_and_too_much_memory_are_errors(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"none\.bin"):
        Engine(eval_file=tmp_path / "none.bin")
    (tmp_path / "bad.bin").write_bytes(b"no weights")
    with pytest.raises(EngineError, match=r"bad\.bin"):
        Engine(eval_file=tmp_path / "bad.bin")


@pytest.mark.skipif(os.name == "nt", reason="limits of Unix")
def test_too_little_memory_is_an_error() -> None:
    code = """
import resource
from hippolyta import Engine, EngineError
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
try:
    Engine(hash=32768, variant="amazons")
except EngineError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert "cannot allocate" in done.stdout


def test_a_closed_engine_says_so() -> None:
    engine = Engine(hash=8)
    running, waiting = engine.analysis(Board()), engine.analysis(Board())
    next(running)
    engine.close()
    engine.close()
    assert engine.closed and running.result().last
    with pytest.raises(EngineError, match="the engine is closed"):
        waiting.result()
    for use in (
        lambda: engine.play(Board(), Limit(nodes=1)),
        lambda: engine.analysis(Board()),
        lambda: next(iter(engine.analyse_many([Board()], Limit(nodes=1)))),
    ):
        with pytest.raises(EngineError, match="the engine is closed"):
            use()


def test_a_panic_is_an_exception_and_the_engine_goes_on(engine: Engine) -> None:
    broken = engine._searcher._panic(Board())  # type: ignore[attr-defined]
    with pytest.raises(EngineError, match="a defect of the engine: asked for by a test"):
        broken.result()
    assert engine.play(Board(), Limit(nodes=10)).move


def test_an_analysis_keeps_its_engine() -> None:
    analysis = Engine(hash=16).analysis(Board("amazons6"), Limit(nodes=300))
    gc.collect()
    assert analysis.result().nodes >= 300
    assert Engine(hash=16).analysis(Board("amazons6"), Limit(nodes=3)).result().last
    # The search alone is enough.
    search = Engine(hash=16).analysis(Board("amazons6"), Limit(nodes=300))._search
    gc.collect()
    assert search.result()["nodes"] >= 300


FORKED = """
import asyncio, gc, os, signal, sys, threading, time, warnings
from hippolyta import Board, Engine, EngineError, Limit, uci
warnings.simplefilter("ignore")

if sys.argv[1] == "own":
    engine = Engine(hash=16)
else:
    engine = uci.Engine([sys.executable, "-m", "hippolyta"], options={"Hash": 16})
analysis = engine.analysis(Board(), every=0.001)
next(analysis)

def in_child():
    def refuses(use):
        try:
            use()
        except EngineError as error:
            return "forked" in str(error)
        return False
    async def last():
        async for info in analysis: pass
    uses = [
        lambda: next(analysis), analysis.result, lambda: analysis.done, analysis.ponder_hit,
        lambda: asyncio.run(analysis.wait()), lambda: asyncio.run(last()),
        lambda: engine.play(Board(), Limit(nodes=1)), lambda: engine.analysis(Board()),
    ]
    if sys.argv[1] == "uci":  # the other makes engines anew for many boards
        uses.append(lambda: list(engine.analyse_many([Board()], Limit(nodes=1))))
    if not all(refuses(use) for use in uses):
        return 3
    with analysis:
        pass
    analysis.stop()
    engine.close()
    return 0

children = []
for number in range(30):
    child = os.fork()
    if child == 0:
        what = sys.argv[2]
        if what == "use":
            code = in_child()
        elif what == "forget":
            del analysis, engine
            gc.collect()
            code = 0
        elif what == "own":
            with Engine(hash=1) as own:
                own.play(Board("amazons6"), Limit(nodes=10))
            Board("amazons6").perft(1)
            code = 0
        else:
            code = 0
        # By the interpreter's usual end, which collects what is left.
        sys.exit(code)
    children.append(child)
    time.sleep(0.002)
codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
# And nothing has become of the parent's search.
analysis.stop()
print(set(codes), analysis.result().nodes > 0, engine.play(Board("amazons6"), Limit(nodes=5)).move)
engine.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("what", ["use", "forget", "own", "end"])
@pytest.mark.parametrize("kind", ["own", "uci"])
def test_a_forked_process_gets_an_error_where_it_would_wait_for_ever(kind: str, what: str) -> None:
    command = [sys.executable, "-c", FORKED, kind, what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.startswith("{0} True "), (done.stdout, done.stderr)


FORKED_WHILE_LOADING = """
import os, signal, sys, threading, time, warnings
from hippolyta import Board, Engine, Limit
warnings.simplefilter("ignore")

def use(variant):
    with Engine(hash=1) as engine:
        return engine.play(Board(variant), Limit(nodes=1)).move

children = []
for variant in ("damone", "amazons", "iago", "damone-imperatore"):
    thread = threading.Thread(target=use, args=(variant,))
    thread.start()
    for number in range(8):
        child = os.fork()
        if child == 0:
            # Without a handler it ends the process.
            signal.alarm(30)
            use(variant)
            os._exit(0)
        children.append(child)
        time.sleep(0.001 * number)
    thread.join()
print({os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children}, len(children))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_process_forked_while_weights_are_read_works() -> None:
    command = [sys.executable, "-c", FORKED_WHILE_LOADING]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "{0} 32\n", (done.stdout, done.stderr)


INTERRUPTED = """
import os, sys, tempfile, threading, time
from hippolyta import Board, Engine, Limit, games, training
engine, path = Engine(hash=16), os.path.join(tempfile.mkdtemp(), "path")
def play(): engine.play(Board(), Limit(time=600))
def stream():
    for info in engine.analysis(Board()): pass
def many(): list(engine.analyse_many([Board()] * 9, Limit(time=600), jobs=2))
def count(): Board().perft(9)
def solve(): training.solve(Board(), hash=16, threads=1, progress=False)
def learn(): training.learn(path, generations=99, games=99, nodes=400, threads=1, progress=False)
def read():
    # A file that is never read to its end.
    os.mkfifo(path)
    held = os.open(path, os.O_RDWR)
    threading.Thread(target=os.write, args=(held, b"1. d1d7,d7g7 *\\n\\n" * 5000), daemon=True).start()
    for game in games.read(path): pass
try:
    print("ready", flush=True)
    {what}()
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
print(engine.play(Board("amazons6"), Limit(nodes=10)).move)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("what", ["play", "stream", "many", "count", "solve", "learn", "read"])
def test_ctrl_c_ends_what_takes_long(what: str) -> None:
    code = INTERRUPTED.replace("{what}", what)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.7)
        sent = time.time()
        child.send_signal(signal.SIGINT)
        word, stopped = child.stdout.readline().split()
        assert word == "interrupted"
        # Milliseconds on a free machine; here other work may be in the way.
        assert float(stopped) - sent < 5
        assert child.stdout.readline().strip() in Board("amazons6").legal_moves
        assert child.wait(60) == 0


def resident() -> int:
    """This process's memory, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="Linux tells the memory so")
def test_nothing_leaks() -> None:
    """Fewer searches than the 10,000 that `benches/leaks.py` makes."""
    board = Board("amazons6")
    # So little memory is in use from the first searches on.
    engine = Engine(hash=1)

    def use() -> None:
        for _ in range(500):
            engine.analyse(board, Limit(nodes=3), multipv=2)
        for _ in range(5):
            with Engine(hash=4) as short:
                list(short.analyse_many([board] * 3, Limit(nodes=3), jobs=2))
        with pytest.raises(MoveError):
            engine.play(board, Limit(nodes=1), root_moves=["a1a1,a1a1"])
        gc.collect()

    use()
    threads, memory, files = threading.active_count(), resident(), len(os.listdir("/proc/self/fd"))
    native = len(os.listdir("/proc/self/task"))
    use()
    use()
    assert resident() - memory < 8 << 20
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == files
    assert len(os.listdir("/proc/self/task")) <= native
