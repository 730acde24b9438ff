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
    assert Score.won(3, Side.BLACK).white().mate == -3


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
        # What one board is worth does not depend on those before it, nor on the number of jobs.
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
    with pytest.raises(ValueError, match="multipv: at least 1"):
        engine.analyse(board, Limit(nodes=1), multipv=0)
    with pytest.raises(MoveError, match="illegal move 'a1a2,a2a3'"):
        engine.play(board, Limit(nodes=1), root_moves=["a1a2,a2a3"])
    with pytest.raises(ValueError, match="root_moves: there are none"):
        engine.play(board, Limit(nodes=1), root_moves=[])
    with pytest.raises(ValueError, match="the game is over, 1-0"):
        engine.play(Board.from_fen("Q**/***/**q b"), Limit(nodes=1))
    with pytest.raises(ValueError, match="hash: at least 1"):
        Engine(hash=0)
    with pytest.raises(ValueError, match="jobs: at least 1"):
        engine.analyse_many([board], Limit(nodes=1), jobs=0)


def test_bad_files_and_too_much_memory_are_errors(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"none\.bin"):
        Engine(eval_file=tmp_path / "none.bin")
    (tmp_path / "bad.bin").write_bytes(b"no weights")
    with pytest.raises(EngineError, match=r"bad\.bin"):
        Engine(eval_file=tmp_path / "bad.bin")
    with pytest.raises(EngineError, match="cannot allocate"):
        Engine(hash=2**40, variant="amazons")


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
    broken = engine._searcher.panic(Board())
    with pytest.raises(EngineError, match="a defect of the engine: asked for by a test"):
        broken.result()
    assert engine.play(Board(), Limit(nodes=10)).move


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_an_engine_does_not_hang_in_a_forked_process(engine: Engine) -> None:
    engine.play(Board(), Limit(nodes=10))
    child = os.fork()
    if child == 0:
        try:
            engine.play(Board(), Limit(nodes=10))
        except EngineError as error:
            with Engine(hash=8) as own:
                own.play(Board(), Limit(nodes=10))
            Board("amazons6").perft(2)
            os._exit(7 if "forked" in str(error) else 8)
        os._exit(9)
    for _ in range(300):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        pytest.fail("it hangs")
    assert os.waitstatus_to_exitcode(status) == 7


INTERRUPTED = """
import sys, time
from hippolyta import Board, Engine, Limit
engine = Engine(hash=16)
def play(): engine.play(Board(), Limit(time=600))
def stream():
    for info in engine.analysis(Board()): pass
def many(): list(engine.analyse_many([Board()] * 9, Limit(time=600), jobs=2))
def count(): Board().perft(9)
try:
    print("ready", flush=True)
    {what}()
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
print(engine.play(Board("amazons6"), Limit(nodes=10)).move)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
@pytest.mark.parametrize("what", ["play", "stream", "many", "count"])
def test_ctrl_c_stops_a_search(what: str) -> None:
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
        assert float(stopped) - sent < 2
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
