"""Engines as child processes: Hippolyta itself, and one that misbehaves."""

import asyncio
import gc
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hippolyta import Board, EngineError, Limit, MoveError, Score, Side, Stopped, uci

FAKE = Path(__file__).with_name("fake_engine.py")
POSIX = os.name == "posix"


def fake(how: str, timeout: float = 20.0) -> uci.Engine:
    return uci.Engine([sys.executable, str(FAKE), how], timeout=timeout)


def own_command() -> list[str]:
    return [sys.executable, "-m", "hippolyta"]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    if sys.platform == "linux":
        # A zombie counts as gone only once somebody has taken its exit code.
        return Path(f"/proc/{pid}").exists()
    return True


def comes_true(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.01)
    return False


@pytest.fixture(scope="module")
def engine() -> Iterator[uci.Engine]:
    with uci.Engine(own_command(), options={"hash": 16}, timeout=60) as engine:
        yield engine


def test_it_plays_a_legal_turn_and_leaves_the_board_alone(engine: uci.Engine) -> None:
    board = Board("amazons6")
    result = engine.play(board, Limit(nodes=200))
    assert result.move in board.legal_moves and board.move_stack == []
    after = board.copy()
    after.push(result.move)
    assert result.ponder in after.legal_moves
    assert engine.name.startswith("Hippolyta ") and engine.options["MultiPV"].max == 500
    assert result.info.nodes >= 200 and result.info.last and result.info.move == result.move


@pytest.mark.parametrize("variant", ["amazons", "iago", "damone"])
def test_every_family_is_analysed_with_several_lines(engine: uci.Engine, variant: str) -> None:
    board = Board(variant)
    board.push(board.legal_moves[0])
    info = engine.analyse(board, Limit(nodes=300), multipv=3)
    assert [line.move in board.legal_moves for line in info.lines] == [True] * 3
    assert info.side is Side.BLACK and info.fen == board.fen()
    for line in info.lines:
        score = line.score
        assert math.isclose(score.win + score.draw + score.loss, 1, abs_tol=0.002)
        assert math.isclose(score.expected, score.win + score.draw / 2)
    assert info.ownership is None and info.lines[0].prior is None


def test_images_of_a_line_are_left_out_while_that_is_asked_for(engine: uci.Engine) -> None:
    mirror = str.maketrans("abcdef", "fedcba")
    for merge_mirrored in (True, False, True):
        info = engine.analyse(
            Board("amazons6"), Limit(nodes=3000), multipv=6, merge_mirrored=merge_mirrored
        )
        first = [line.move for line in info.lines]
        assert any(move.translate(mirror) in first for move in first) != merge_mirrored


def test_mates_are_counted_in_turns_of_the_winner(engine: uci.Engine) -> None:
    won = engine.analyse(Board.from_fen("q1*/**1/2Q w"), Limit(nodes=500))
    assert won.score == Score.won(1, Side.WHITE)
    for ugi, number, plies, mate in (
        *((False, 2, 3, 2), (False, -2, 4, -2), (False, 0, 0, 0)),
        *((True, 3, 3, 2), (True, -4, 4, -2), (True, 0, 0, 0)),
    ):
        score = uci._score(["score", "mate", str(number)], 1, Side.WHITE, ugi)
        assert score is not None and (score.plies, score.mate) == (plies, mate)
    over = engine.analyse(Board.from_fen("q**/***/**Q w"), Limit(nodes=500))
    assert (over.score.mate, over.score.expected, over.lines) == (0, 0.0, ())


def test_only_the_root_moves_are_searched(engine: uci.Engine) -> None:
    board = Board("amazons6")
    assert engine.play(board, Limit(nodes=50), root_moves=["b1b4/c4"]).move == "b1b4,b4c4"
    with pytest.raises(MoveError):
        engine.play(board, Limit(nodes=50), root_moves=["b1b4,b4b6"])
    with pytest.raises(ValueError, match="there are none"):
        engine.play(board, Limit(nodes=50), root_moves=[])


def test_results_come_while_the_search_goes_on(engine: uci.Engine) -> None:
    with engine.analysis(Board(), multipv=2) as analysis:
        seen = []
        for info in analysis:
            seen.append(info)
            if len(seen) == 4:
                analysis.stop()
        assert not any(info.last for info in seen[:4]) and seen[-1].last
    nodes = [info.nodes for info in seen]
    assert nodes == sorted(nodes) and analysis.done


def test_clocks_ratings_and_pondering(engine: uci.Engine) -> None:
    board = Board("amazons6")
    assert (
        engine.play(board, Limit(clock=(0.5, 300), increment=(0.0, 1.0))).move in board.legal_moves
    )
    assert engine.play(board, Limit(elo=500, nodes=100)).info.nodes < 100
    assert engine.play(board, Limit(nodes=100)).info.nodes >= 100
    with pytest.raises(ValueError, match="a rating alone"):
        engine.play(board, Limit(elo=500))
    analysis = engine.analysis(board, Limit(nodes=20), ponder=True)
    time.sleep(0.1)
    assert not analysis.done
    analysis.ponder_hit()
    assert analysis.result().nodes >= 20


def test_many_boards_have_the_answers_of_each_alone(engine: uci.Engine) -> None:
    boards = []
    board = Board("amazons6")
    for _ in range(6):
        boards.append(board.copy())
        board.push(board.legal_moves[7])
    boards.append(Board.from_fen("q**/***/**Q w"))
    one = list(engine.analyse_many(boards, Limit(nodes=200)))
    three = list(engine.analyse_many(iter(boards), Limit(nodes=200), jobs=3))
    assert [info.lines for info in one] == [info.lines for info in three]
    assert [info.fen for info in one] == [board.fen() for board in boards]
    for _ in engine.analyse_many(boards, Limit(nodes=10), jobs=2):
        break  # what is begun ends, too


def test_tasks_take_turns_and_are_cancelled(engine: uci.Engine) -> None:
    async def run() -> None:
        board = Board("amazons6")
        results = await asyncio.gather(
            *(engine.play_async(board, Limit(nodes=100)) for _ in range(5))
        )
        assert all(result.move in board.legal_moves for result in results)
        assert (await engine.analyse_async(board, Limit(nodes=100), multipv=2)).lines
        task = asyncio.create_task(engine.play_async(board, Limit(time=600)))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await engine.play_async(board, Limit(nodes=10))).move
        count = 0
        async with engine.analysis(board, Limit(nodes=2000)) as analysis:
            async for _ in analysis:
                count += 1
        assert count > 1

    asyncio.run(asyncio.wait_for(run(), 120))


def test_a_search_without_end_makes_room_and_one_that_waits_can_be_stopped(
    engine: uci.Engine,
) -> None:
    board = Board("amazons6")
    endless = engine.analysis(board)
    assert engine.play(board, Limit(nodes=10)).move
    assert endless.result().last
    long = engine.analysis(board, Limit(time=600))
    waits = engine.analysis(board, Limit(nodes=10))
    waits.stop()
    with pytest.raises(Stopped):
        waits.result()
    long.stop()
    assert long.result().last


def test_threads_share_an_engine(engine: uci.Engine) -> None:
    moves = []
    board = Board("amazons6")
    work = [
        threading.Thread(target=lambda: moves.append(engine.play(board, Limit(nodes=50)).move))
        for _ in range(6)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join(60)
    assert len(moves) == 6 and all(move in board.legal_moves for move in moves)


def test_what_makes_no_sense_is_refused(engine: uci.Engine) -> None:
    with pytest.raises(ValueError, match="nothing limits"):
        engine.analyse(Board(), Limit())
    with pytest.raises(ValueError, match="the game is over, 0-1"):
        engine.play(Board.from_fen("q**/***/**Q w"), Limit(nodes=1))
    with pytest.raises(EngineError, match="has no option 'Contempt': it has .*Threads, Hash"):
        engine.configure({"Contempt": 3})
    with pytest.raises(ValueError, match="option Threads: 0 is not from 1 to 1024"):
        engine.configure({"threads": 0})
    with pytest.raises(EngineError, match="cannot start 'no-such-engine'"):
        uci.Engine("no-such-engine")
    with pytest.raises(EngineError, match="cannot start"):
        uci.Engine(os.curdir)
    with pytest.raises(ValueError, match="line breaks"):
        engine.configure({"EvalFile": "a\nquit"})
    # The bounds are those that the engine declares, whatever others allow.
    for name, wrong in (("multipv", 0), ("multipv", 501), ("jobs", 0), ("jobs", 1025)):
        with pytest.raises(ValueError, match=f"^{name}: {wrong} is not from 1 to (500|1024)$"):
            engine.analyse_many([Board()], Limit(nodes=1), **{name: wrong})
    with pytest.raises(ValueError, match="^multipv: -1 is not from 1 to 500$"):
        engine.analyse(Board(), Limit(nodes=1), multipv=-1)
    for timeout in (0, -1, float("nan"), 1e300):
        with pytest.raises(ValueError, match="^timeout: "):
            uci.Engine(own_command(), timeout=timeout)
    with pytest.raises(TypeError, match="^timeout: seconds are expected, not '5'$"):
        uci.Engine(own_command(), timeout="5")  # type: ignore[arg-type]
    assert engine.play(Board(), Limit(nodes=1)).move


def test_ugi_is_spoken(engine: uci.Engine) -> None:
    with uci.Engine(own_command(), options={"hash": 16}, protocol="ugi", timeout=60) as other:
        board = Board("damone")
        assert other.play(board, Limit(nodes=100)).move in board.legal_moves
        info = other.analyse(Board.from_fen("q1*/**1/2Q w"), Limit(nodes=500))
        assert info.score.mate == 1


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("dies", "Fake é has ended with code 7: segmentation fault"),
        ("illegal", "played an illegal move: .*a1a2,a2a3"),
        ("no-move", "gave no move"),
    ],
)
def test_a_bad_answer_is_an_error(how: str, message: str) -> None:
    with fake(how) as engine, pytest.raises(EngineError, match=message):
        engine.play(Board("amazons6"), Limit(nodes=1))


def test_an_engine_that_was_lost_stays_lost_and_says_why() -> None:
    with fake("dies") as engine:
        for _ in range(2):
            with pytest.raises(EngineError, match="segmentation fault"):
                engine.play(Board("amazons6"), Limit(nodes=1))
        assert "lost" in repr(engine)
        assert comes_true(lambda: not is_alive(engine.pid))


def test_an_engine_that_never_greets_is_given_up() -> None:
    began = time.monotonic()
    with pytest.raises(EngineError, match="did not answer 'uci' within 0.5 s"):
        fake("silent", timeout=0.5)
    assert time.monotonic() - began < 10
    with pytest.raises(EngineError, match="has ended with code 3: no licence"):
        fake("dies-at-once")


@pytest.mark.parametrize("how", ["ignores-stop", "no-newline", "closes-output"])
def test_an_engine_that_never_answers_is_killed(how: str) -> None:
    engine = fake(how)
    engine._timeout = 0.5
    with pytest.raises(EngineError):
        engine.play(Board("amazons6"), Limit(time=0.1))
    assert comes_true(lambda: not is_alive(engine.pid))
    engine.close()


def test_a_late_answer_belongs_to_the_search_that_was_stopped() -> None:
    with fake("late") as engine:
        board = Board("amazons6")
        first = engine.analysis(board, Limit(time=60))
        second = engine.analysis(board, Limit(time=60))
        first.stop()
        first.result()
        assert not second.done
        second.stop()
        assert math.isnan(second.result().score.expected)


@pytest.mark.skipif(not POSIX, reason="resource")
@pytest.mark.parametrize("how", ["floods", "floods-errors"])
def test_gigabytes_are_thrown_away(how: str) -> None:
    import resource

    with fake(how, timeout=60) as engine:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert engine.play(Board("amazons6"), Limit(nodes=1)).move == "b1b4,b4c4"
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 50_000 * (1 if sys.platform == "linux" else 1024)


def test_lines_that_are_not_understood_are_passed_over() -> None:
    with fake("odd-lines") as engine:
        result = engine.play(Board("amazons6"), Limit(nodes=1))
        info = result.info
        assert (result.move, result.ponder) == ("b1b4,b4c4", None)
        assert (info.depth, info.selective_depth, info.nodes, info.time, info.hash_full) == (
            4,
            6,
            77,
            1.5,
            0.25,
        )
        assert info.score == Score.won(3, Side.WHITE) and len(info.lines) == 1
    with fake("greets-badly") as engine:
        assert engine.analyse(Board("amazons6"), Limit(nodes=1)).score.centipawns == 100
        expected = engine.analyse(Board("amazons6"), Limit(nodes=1)).score.expected
        assert math.isclose(expected, 0.640, abs_tol=0.001)


def test_limits_and_options_are_written_as_uci_wants_them() -> None:
    with fake("echo") as engine:
        assert engine.options["Style of play"].values == ("calm", "very wild")
        engine.configure({"style of play": "Very Wild", "clear hash": None, "hash": 32})
        with pytest.raises(ValueError, match="'mild' is none of calm, very wild"):
            engine.configure({"Style of play": "mild"})
        board = Board("amazons6")
        info = engine.analyse(board, Limit(nodes=5, depth=3, clock=(1.5, 2), increment=0.25))
        assert (info.score.win, info.score.draw, info.score.expected) == (0.5, 0.3, 0.65)
        limit = Limit(time=0.0001, mate=2, clock=(None, 2), increment=(0, 1), moves_to_go=4)
        engine.analyse(board, limit, root_moves=["b1b4,b4c4"])
        engine.analysis(board).stop()
        errors = engine._process.errors
        assert comes_true(lambda: "go infinite" in errors)
        assert list(errors) == [
            "go wtime 1500 btime 2000 winc 250 binc 250 nodes 5 depth 3",
            "go movetime 1 btime 2000 binc 1000 movestogo 4 mate 2 searchmoves b1b4,b4c4",
            "go infinite",
        ]
        with pytest.raises(EngineError, match="has no option 'MultiPV'"):
            engine.analyse(board, Limit(nodes=1), multipv=2)
        with pytest.raises(EngineError, match="has no option 'MergeMirrored'"):
            engine.analyse(board, Limit(nodes=1), merge_mirrored=True)
        with pytest.raises(EngineError, match="has no option 'UCI_Elo'"):
            engine.play(board, Limit(nodes=1, elo=900))


@pytest.mark.skipif(not POSIX, reason="process groups")
def test_nothing_is_left_behind() -> None:
    engine = fake("has-child")
    analysis = engine.analysis(Board("amazons6"), Limit(time=60))
    child = next(analysis).nodes
    assert is_alive(child)
    engine._fail("enough")
    # The grandchild belongs to init; it is gone or its exit code waits there.
    assert comes_true(lambda: not is_alive(engine.pid))

    def is_running() -> bool:
        try:
            return Path(f"/proc/{child}/stat").read_text().rsplit(")")[1].split()[0] != "Z"
        except OSError:
            return False

    if sys.platform == "linux":
        assert comes_true(lambda: not is_running())
    pid = fake("good").pid
    gc.collect()
    assert comes_true(lambda: not is_alive(pid)), "an engine that nobody holds goes away"


def test_a_closed_engine_is_gone_and_says_so() -> None:
    engine = fake("late")
    analysis = engine.analysis(Board("amazons6"), Limit(time=60))
    engine.close()
    engine.close()
    assert engine.closed and not is_alive(engine.pid)
    with pytest.raises(EngineError, match="the engine is closed"):
        analysis.result()
    with pytest.raises(EngineError, match="the engine is closed"):
        engine.play(Board("amazons6"), Limit(nodes=1))


@pytest.mark.skipif(not POSIX, reason="signals")
def test_ctrl_c_stops_the_search_and_leaves_a_good_engine() -> None:
    code = f"""
import sys
from hippolyta import Board, Limit, uci
with uci.Engine({own_command()!r}, options={{"Hash": 16}}, timeout=60) as engine:
    try:
        print("begins", flush=True)
        engine.play(Board(), Limit(time=600))
    except KeyboardInterrupt:
        print(engine.play(Board("amazons6"), Limit(nodes=10)).move)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "begins\n"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert child.returncode == 0 and rest.strip() in Board("amazons6").legal_moves


def test_fairy_stockfish_plays_the_amazons() -> None:
    folder = os.environ.get("HIPPOLYTA_FAIRY_STOCKFISH")
    if folder is None:
        pytest.skip("HIPPOLYTA_FAIRY_STOCKFISH does not name the folder of the npm package")
    wrapper = Path(__file__).with_name("fairy_stockfish.cjs")
    with uci.Engine(["node", str(wrapper), folder], timeout=60) as engine:
        board = Board("amazons")
        while len(board.move_stack) < 10:
            board.push(engine.play(board, Limit(nodes=1000)).move)  # refuses what is not legal
