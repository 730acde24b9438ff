"""The same interface over a process: Hippolyta itself, and engines that behave badly."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import hippolyta
from hippolyta import Board, EngineError, Limit, uci

# The command of the package that is tested.
HIPPOLYTA = [sys.executable, "-m", "hippolyta"]

FAKE = """
import sys, time, threading
how = sys.argv[1]
def say(line):
    sys.stdout.write(line + "\\n"); sys.stdout.flush()
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        if how == "no handshake":
            time.sleep(60)
        say("id name Fake of Tests"); say("option name Level type spin default 1 min 0 max 9"); say("uciok")
    elif words == ["isready"]:
        say("readyok")
    elif words[:1] == ["go"]:
        if how == "dies":
            sys.exit(3)
        if how == "no newline":
            while True:
                sys.stdout.write("x" * 65536)
        if how == "flood":
            for at in range(200_000):
                say(f"info depth {at} score cp 5 nodes {at} pv d1d7,d7g7")
        if how == "illegal":
            say("bestmove a1a9,a9a1")
            continue
        if how == "bytes":
            sys.stdout.buffer.write(b"info string \\xff\\xfe\\n"); sys.stdout.buffer.flush()
        if how in ("deaf", "patient"):
            continue
        say("info depth 3 seldepth 5 multipv 1 score cp 100 wdl 600 100 300 nodes 77 time 12 pv d1d7,d7g7 a7a6,a6b5")
        say("bestmove d1d7,d7g7 ponder a7a6,a6b5")
    elif words == ["stop"] and how == "patient":
        say("info depth 1 score mate -2 pv d1d7,d7g7")
        say("bestmove d1d7,d7g7")
    elif words == ["quit"] and how != "deaf":
        break
"""


@pytest.fixture
def fake(tmp_path: Path):  # type: ignore[no-untyped-def]
    script = tmp_path / "fake.py"
    script.write_text(FAKE)
    return lambda how, **more: uci.Engine([sys.executable, script, how], **{"timeout": 20, **more})


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # A zombie that nobody has waited for would be found here.
    return False


def test_the_process_finds_what_the_engine_inside_finds() -> None:
    board = Board("amazons6")
    board.push("b1b4,b4c4")
    with uci.Engine(HIPPOLYTA, {"Hash": 16}) as process, hippolyta.Engine(hash=16) as inside:
        assert process.id["name"].startswith("Hippolyta") and "MultiPV" in process.options
        theirs = process.analyse(board, Limit(nodes=1_000), multipv=3)
        ours = inside.analyse(board, Limit(nodes=1_000), multipv=3)
        assert [line.move for line in theirs.lines] == [line.move for line in ours.lines]
        assert abs(theirs.score.centipawns - ours.score.centipawns) <= 1
        assert (theirs.side, theirs.fen, theirs.last) == (ours.side, ours.fen, True)
        # A rating, and another rule set, by the same process.
        weak = process.play(board, Limit(elo=500, nodes=1_000))
        assert weak.info.nodes < 100
        with pytest.raises(ValueError, match="elo"):
            process.play(board, Limit(elo=500))
        iago = Board("iago")
        assert process.play(iago, Limit(nodes=50)).move in iago.legal_moves
        won = process.analyse(Board.from_fen("q1*/**1/2Q w"), Limit(nodes=100))
        assert won.score.mate == 1 and won.score.proven
        lost = process.analyse(
            Board.from_fen("q1*/**1/2Q w", moves=["c1c2,c2b3"]), Limit(nodes=100)
        )
        assert lost.score.mate == 0 and lost.lines == () and lost.score.white().expected == 1.0


def test_streams_and_stops() -> None:
    with uci.Engine(HIPPOLYTA, {"Hash": 16}) as engine:
        with engine.analysis(Board()) as analysis:
            first = next(analysis)
            assert not first.last and not analysis.done
            analysis.stop()
            last = analysis.result()
        assert last.last and last.nodes >= first.nodes
        # The engine is free again, and only one search runs at a time.
        answers = []
        threads = [
            threading.Thread(
                target=lambda: answers.append(engine.play(Board(), Limit(nodes=200)).move)
            )
            for _ in "123"
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert len(answers) == 3


def test_asyncio() -> None:
    async def games() -> list[str]:
        with uci.Engine(HIPPOLYTA, {"Hash": 16}) as one, uci.Engine(HIPPOLYTA, {"Hash": 16}) as two:
            played = await asyncio.gather(
                *(engine.play_async(Board(), Limit(nodes=300)) for engine in (one, two))
            )
            count = 0
            async for info in one.analysis(Board(), Limit(nodes=2_000)):
                count += 1
            assert info.last and count > 1
            search = asyncio.ensure_future(one.analyse_async(Board(), Limit(time=600)))
            await asyncio.sleep(0.2)
            search.cancel()
            with pytest.raises(asyncio.CancelledError):
                await search
            return [result.move for result in played]

    moves = asyncio.run(games())
    assert moves[0] == moves[1]


def test_many_boards_keep_their_order() -> None:
    boards = [Board("amazons6"), Board.from_fen("q1*/**1/2Q w")] * 6
    with uci.Engine(HIPPOLYTA, {"Hash": 8}) as engine:
        infos = list(engine.analyse_many(boards, Limit(nodes=50), jobs=2))
    assert [info.score.proven for info in infos] == [False, True] * 6


def test_scores_are_read(fake) -> None:  # type: ignore[no-untyped-def]
    with fake("good") as engine:
        result = engine.play(Board(), Limit(nodes=1))
        score = result.info.score
        assert (score.win, score.draw, score.loss, score.centipawns) == (0.6, 0.1, 0.3, 100)
        assert abs(score.expected - 0.65) < 1e-9 and (result.ponder, result.info.time) == (
            "a7a6,a6b5",
            0.012,
        )
        with pytest.raises(EngineError, match="no option 'Depth'"):
            engine.configure({"Depth": 3})
        with pytest.raises(ValueError, match="ownership"):
            engine.analyse(Board(), Limit(nodes=1), ownership=True)
    with fake("patient") as engine, engine.analysis(Board()) as analysis:
        analysis.stop()
        assert analysis.result().score.mate == -4


@pytest.mark.parametrize(
    ("how", "said"),
    [("dies", "exit code 3"), ("no newline", "line of more than 1 MiB"), ("illegal", "a1a9,a9a1")],
)
def test_bad_engines_end_in_one_clear_error(fake, how: str, said: str) -> None:  # type: ignore[no-untyped-def]
    engine = fake(how)
    with pytest.raises(EngineError, match=said):
        engine.play(Board(), Limit(nodes=1))
    engine.close()
    assert gone(engine._talk.process.pid)


def test_an_engine_that_does_not_answer_is_given_up(fake) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(EngineError, match="uciok"):
        fake("no handshake", timeout=0.5)
    engine = fake("deaf")
    engine.timeout = 0.5
    analysis = engine.analysis(Board())
    analysis.stop()
    with pytest.raises(EngineError, match="bestmove"):
        analysis.result()
    with pytest.raises(EngineError):
        engine.play(Board(), Limit(nodes=1))
    engine.close(patience=0.1)
    assert gone(engine._talk.process.pid)


def test_a_flood_of_lines_does_not_fill_memory(fake) -> None:  # type: ignore[no-untyped-def]
    with fake("flood", timeout=60) as engine:
        analysis = engine.analysis(Board(), Limit(nodes=1))
        assert analysis.result().depth == 3
        assert len(analysis._told) <= 1_000


def test_bytes_that_are_no_text_do_no_harm(fake) -> None:  # type: ignore[no-untyped-def]
    with fake("bytes") as engine:
        assert engine.play(Board(), Limit(nodes=1)).move == "d1d7,d7g7"


def test_a_program_that_cannot_be_started_is_named() -> None:
    with pytest.raises(EngineError, match="no-such-engine"):
        uci.Engine("no-such-engine")
    engine = uci.Engine(HIPPOLYTA)
    engine.close()
    with pytest.raises(EngineError, match="closed"):
        engine.play(Board(), Limit(nodes=1))


def test_an_engine_that_nobody_closes_ends_with_its_object(fake) -> None:  # type: ignore[no-untyped-def]
    engine = fake("deaf")
    pid = engine._talk.process.pid
    del engine
    import gc

    gc.collect()
    assert gone(pid)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_ctrl_c_stops_the_search_and_leaves_no_process() -> None:
    script = (
        "import sys, hippolyta\n"
        "from hippolyta import uci\n"
        f"with uci.Engine({HIPPOLYTA!r}) as engine:\n"
        "    print(engine._talk.process.pid, flush=True)\n"
        "    try:\n"
        "        engine.analyse(hippolyta.Board(), hippolyta.Limit(time=600))\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted', engine.play(hippolyta.Board(), hippolyta.Limit(nodes=10)).move, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    pid = int(child.stdout.readline())
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=60)
    assert rest.startswith("interrupted") and child.returncode == 0
    assert gone(pid)
