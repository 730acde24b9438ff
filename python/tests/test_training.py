"""Self-play, merge, fit, match, learn and solve as functions."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from hippolyta import Board, training
from hippolyta.training import Openings, Player, Progress, Sprt

QUICK: dict[str, Any] = {
    "variant": "amazons6",
    "nodes": 20,
    "hash": 1,
    "seed": 3,
    "progress": False,
}


class Enough(Exception):
    """Raised by a listener."""


def same(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes: pytest would take minutes to show where they differ."""
    return one.read_bytes() == other.read_bytes()


def command(*words: str) -> str:
    """Runs the command."""
    done = subprocess.run(
        [sys.executable, "-m", "hippolyta", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_selfplay_writes_what_the_command_writes(tmp_path: Path) -> None:
    heard: list[Progress] = []
    training.selfplay(tmp_path / "a.dat", games=5, **{**QUICK, "progress": heard.append})
    words = [
        "--games",
        "5",
        "--variant",
        "amazons6",
        "--nodes",
        "20",
        "--hash",
        "1",
        "--seed",
        "3",
    ]
    command("selfplay", *words, "--out", str(tmp_path / "b.dat"))
    assert same(tmp_path / "a.dat", tmp_path / "b.dat")
    assert [progress.done for progress in heard] == [1, 2, 3, 4, 5]
    assert all(progress.total == 5 and "turns, White" in progress.message for progress in heard)


def test_shards_merge_to_one_run(tmp_path: Path) -> None:
    training.selfplay(tmp_path / "whole.dat", games=5, **QUICK)
    for i in range(2):
        training.selfplay(tmp_path / f"{i}.dat", games=5, shard=(i, 2), **QUICK)
    shards = [tmp_path / "0.dat", tmp_path / "1.dat"]
    with pytest.raises(ValueError, match="2 of 5 games are missing, the first is game 1"):
        training.merge(shards[:1], tmp_path / "merged.dat")
    assert training.merge(shards[:1], tmp_path / "part.dat", partial=True) == 3
    assert training.merge(shards, tmp_path / "merged.dat") == 5
    assert same(tmp_path / "merged.dat", tmp_path / "whole.dat")
    with pytest.raises(ValueError, match="^inputs: there is no file$"):
        training.merge([], tmp_path / "none.dat")
    with pytest.raises(FileExistsError, match="exists already; replace it by force=True"):
        training.merge(shards, tmp_path / "merged.dat")
    assert training.merge(shards, tmp_path / "merged.dat", force=True) == 5


def test_what_a_listener_raises_stops_the_run_and_resume_goes_on(
    tmp_path: Path,
) -> None:
    training.selfplay(tmp_path / "whole.dat", games=12, **QUICK)
    cut = tmp_path / "cut.dat"

    def stop(progress: Progress) -> None:
        if progress.done == 3:
            raise Enough

    with pytest.raises(Enough) as raised:
        training.selfplay(cut, games=12, threads=1, **{**QUICK, "progress": stop})
    cause = str(raised.value.__cause__)
    assert cause.startswith("interrupted; ") and "cut.dat.partial" in cause, cause
    assert not cut.exists()
    with pytest.raises(RuntimeError, match="go on with the run by resume=True"):
        training.selfplay(cut, games=12, **QUICK)
    heard: list[Progress] = []
    training.selfplay(cut, games=12, resume=True, **{**QUICK, "progress": heard.append})
    assert 0 < len(heard) <= 9
    assert same(cut, tmp_path / "whole.dat")


def test_bad_arguments_are_told(tmp_path: Path) -> None:
    out = tmp_path / "games.dat"
    cases: list[tuple[dict[str, Any], str]] = [
        ({"games": -1}, "games: -1 is not from 1 to 1000000000"),
        ({"games": 2**70}, f"games: {2**70} is not from 1 to 1000000000"),
        ({"threads": -1}, "threads: -1 is not from 1 to 1024"),
        ({"inner_visits": 2**63}, f"inner_visits: {2**63} is not from 0 to 4294967295"),
        ({"nodes": 0}, "nodes: 0 is not"),
        ({"threads": 0}, "threads: 0 is not"),
        ({"temperature": -1.0}, "temperature: a number from 0 to 100 is expected, not -1"),
        ({"longest": 10_001}, "longest: 10001 is not from 1 to 10000"),
        ({"shard": (2, 2)}, "shard: 2 is not from 0 to 1"),
        ({"variant": "chess"}, "unknown variant 'chess': known are amazons"),
        ({"fen": "nonsense"}, "fen: "),
        ({"eval_file": tmp_path / "none"}, "eval_file: .*none"),
        ({"tables": tmp_path / "none"}, "tables: .*none"),
    ]
    for options, message in cases:
        with pytest.raises(ValueError, match=message):
            training.selfplay(out, **{**QUICK, "games": 1, **options})
    assert not any(tmp_path.iterdir())
    with pytest.raises(ValueError, match="a match needs two engines at least: give engines twice"):
        training.match([Player()], each="nodes=1")
    with pytest.raises(ValueError, match="tell them apart by name"):
        training.match([Player(), Player()], each="nodes=1")
    with pytest.raises(ValueError, match="^sprt: elo0 must be less than elo1"):
        training.match(["cmd=self name=a", "cmd=self name=b"], each="nodes=1", sprt=Sprt(1, 0))
    with pytest.raises(RuntimeError, match="engine 'a': cannot start 'no/such/engine'"):
        training.match(["cmd=no/such/engine name=a", "cmd=self"], each="nodes=1", book_plies=0)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fit") / "games.dat"
    training.selfplay(path, games=40, **{**QUICK, "nodes": 30})
    return path


def test_fit_gives_the_weights_of_the_command(games: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"start": "bootstrap", "epochs": 2, "validation": 4}
    heard: list[Progress] = []
    curves = tmp_path / "curves.svg"
    found = training.fit(
        [games], tmp_path / "a.bin", progress=heard.append, curves=curves, **options
    )
    words = ["--start", "bootstrap", "--epochs", "2", "--validation", "4"]
    text = command("fit", str(games), *words, "--out", str(tmp_path / "b.bin"))
    assert same(tmp_path / "a.bin", tmp_path / "b.bin")
    assert [(losses.what, losses.epoch) for losses in found.losses] == [
        (what, epoch) for what in ("value", "policy", "ownership") for epoch in range(3)
    ]
    assert [progress.losses for progress in heard] == list(found.losses)
    assert f"{found.losses[-1].validation:.5f}" in text and found.note in text
    assert found.losses[-1].training < found.losses[3].training
    assert curves.read_text(encoding="utf-8").startswith("<svg")
    assert not (tmp_path / "a.bin.partial").exists()
    with pytest.raises(FileExistsError, match="replace it by force=True"):
        training.fit([games], tmp_path / "a.bin", progress=False)


def test_a_fit_that_was_stopped_goes_on(games: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"epochs": 3, "validation": 4, "start": "bootstrap"}
    training.fit([games], tmp_path / "whole.bin", progress=False, **options)

    def stop(progress: Progress) -> None:
        if progress.done == 3:
            raise Enough

    cut = tmp_path / "cut.bin"
    with pytest.raises(Enough):
        training.fit([games], cut, progress=stop, **options)
    assert not cut.exists()
    if (tmp_path / "cut.bin.partial").exists():
        with pytest.raises(FileExistsError, match="is of an interrupted fit"):
            training.fit([games], cut, progress=False, **options)
    training.fit([games], cut, progress=False, resume=True, **options)
    assert same(cut, tmp_path / "whole.bin")


def test_check_and_calibrate(games: Path, tmp_path: Path) -> None:
    table = training.check([games], validation=4)
    assert table.strip() == command("fit", str(games), "--check", "--validation", "4").strip()
    found = training.calibrate([games], tmp_path / "c.bin", validation=4)
    assert found.after[0] <= found.before[0] and found.scale > 0
    assert (tmp_path / "c.bin").exists()


def test_a_match_tells_wins_draws_losses_elo_and_the_test(tmp_path: Path) -> None:
    heard: list[Progress] = []
    players = [Player(name="strong", nodes=100), Player(name="weak", nodes=1)]
    found = training.match(
        players,
        variant="amazons6",
        each=["option.Hash=1"],
        games=20,
        book_plies=2,
        concurrency=2,
        sprt=Sprt(elo0=0, elo1=50, alpha=0.1, beta=0.1),
        out=tmp_path / "match",
        progress=heard.append,
    )
    (pairing,) = found.pairings
    assert (pairing.first, pairing.second) == ("strong", "weak")
    assert pairing.wins > pairing.losses and pairing.draws == 0
    assert pairing.games == pairing.wins + pairing.losses <= 20
    assert sum(pairing.pairs) <= pairing.games // 2
    assert pairing.elo is not None and pairing.elo > 0
    assert pairing.superiority is not None and pairing.superiority > 0.9
    assert found.sprt is not None and found.sprt.lower < 0 < found.sprt.upper
    assert (found.sprt.verdict == "H1") == (found.sprt.llr >= found.sprt.upper)
    assert "Score of strong vs weak" in found.text
    records = [progress.game for progress in heard if progress.game is not None]
    assert len(records) == pairing.games and all(record["moves"] for record in records)
    # The command knows the folder.
    assert command("match", "--results", str(tmp_path / "match")).splitlines()[1:] == (
        found.text.splitlines()
    )


def test_tournaments_of_engines_from_a_file(tmp_path: Path) -> None:
    names = ["a", "b", "c", "d"]
    text = "".join(f'[{name}]\ncmd = "self"\nnodes = {3 * i + 1}\n' for i, name in enumerate(names))
    (tmp_path / "engines.toml").write_text("[each]\noption.Hash = 1\n" + text, encoding="utf-8")
    options: dict[str, Any] = {
        "engines_file": tmp_path / "engines.toml",
        "variant": "amazons6",
        "openings": Openings(order="random"),
        "progress": False,
    }
    swiss = training.match(tournament="swiss", rounds=2, adjudicate="count", **options)
    assert sum(pairing.games for pairing in swiss.pairings) == 8
    assert all(pairing.margin is not None for pairing in swiss.pairings)
    # Two rounds of two pairs each: nobody meets the same engine twice.
    assert len(swiss.pairings) == 4
    knockout = training.match(["conf=a", "conf=d nodes=20"], tournament="knockout", **options)
    (pairing,) = knockout.pairings
    assert {pairing.first, pairing.second} == {"a", "d"} and pairing.games >= 2
    with pytest.raises(ValueError, match="conf=e"):
        training.match(["conf=a", "conf=e"], **options)
    with pytest.raises(
        ValueError, match="adjudicate: exact, count or proof is expected, not 'guess'"
    ):
        training.match(adjudicate="guess", **options)  # type: ignore[arg-type]


def test_a_match_that_was_stopped_goes_on_also_by_the_command(tmp_path: Path) -> None:
    players = ["cmd=self name=a nodes=30", "cmd=self name=b nodes=30"]
    options: dict[str, Any] = {
        "variant": "amazons6",
        "each": "option.Hash=1",
        "games": 6,
        "book_plies": 2,
        "out": tmp_path / "match",
    }

    def stop(progress: Progress) -> None:
        if progress.done == 2:
            raise Enough

    with pytest.raises(Enough) as raised:
        training.match(players, progress=stop, **options)
    assert "go on by resume=True" in str(raised.value.__cause__)
    lines = (tmp_path / "match" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert 2 <= len(lines) < 6
    with pytest.raises(RuntimeError, match="holds a run already"):
        training.match(players, progress=False, **options)
    words = "--engine cmd=self name=a nodes=30 --engine cmd=self name=b nodes=30 --variant amazons6"
    words += " --each option.Hash=1 --games 6 --book-plies 2 --resume"
    command("match", *words.split(), "--out", str(tmp_path / "match"))
    found = training.match(players, progress=False, resume=True, **options)
    assert found.pairings[0].games == 6
    result = json.loads((tmp_path / "match" / "result.json").read_text(encoding="utf-8"))
    assert result


def test_an_engine_of_another_process_plays(tmp_path: Path) -> None:
    other = Player(command=sys.executable, arguments=["-m", "hippolyta"], name="other", proto="uci")
    found = training.match(
        [other, Player(name="own")],
        each="nodes=5 option.Hash=1",
        variant="amazons6",
        tournament="gauntlet",
        progress=False,
    )
    assert found.pairings[0].games == 2 and found.sprt is None


def test_other_threads_run_meanwhile(tmp_path: Path) -> None:
    ticks = 0
    over = threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.wait(0.002):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.monotonic()
    training.selfplay(tmp_path / "games.dat", games=10, **{**QUICK, "nodes": 100})
    took = time.monotonic() - began
    over.set()
    thread.join()
    assert ticks > took / 0.1, (ticks, took)


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_is_an_exception_and_leaves_what_can_be_resumed(tmp_path: Path) -> None:
    code = f"""
from hippolyta import training
try:
    training.selfplay({str(tmp_path / "games.dat")!r}, games=100000, variant="amazons6", nodes=50,
                      progress=lambda p: print(p.done, flush=True))
except KeyboardInterrupt as error:
    print("interrupted:", error.__cause__, flush=True)
"""
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "1\n"
    child.send_signal(signal.SIGINT)
    text, _ = child.communicate(timeout=60)
    assert "interrupted: interrupted; " in text and "games.dat.partial" in text
    assert child.returncode == 0
    assert (tmp_path / "games.dat.partial").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize(("plies", "sign"), [(4, "ready\n"), (0, "1\n")])
def test_ctrl_c_ends_a_match_in_all_its_stages_and_for_no_other_reason(
    plies: int, sign: str
) -> None:
    """As a terminal sends it: to the engines as well. At first openings are made, if they are to have plies."""
    code = f"""
from hippolyta import training
from hippolyta.training import Player
try:
    print("ready", flush=True)
    training.match([Player(name="a"), Player(name="b")], each="nodes=1", games=100000,
                   book_plies={plies}, concurrency=1, progress=lambda told: print(told.done, flush=True))
except KeyboardInterrupt as error:
    print("interrupted:", error.__cause__, flush=True)
"""
    child = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert child.stdout is not None
    try:
        while (line := child.stdout.readline()) != sign:
            assert line, "it ended before"
        os.killpg(child.pid, signal.SIGINT)
        text, _ = child.communicate(timeout=60)
    finally:
        child.kill()
    last = text.splitlines()[-1]
    expected = r"interrupted: (None|\d+ games were played; without out= they were not kept)"
    assert re.fullmatch(expected, last), text


def test_learn_goes_on_after_an_interruption_with_the_same_bytes(
    tmp_path: Path,
) -> None:
    options: dict[str, Any] = {
        "fen": "1q1q1/q3q/5/Q3Q/1Q1Q1 w",
        "generations": 1,
        "games": 24,
        "nodes": 8,
        "start": "bootstrap",
        "epochs": 1,
        "validation": 4,
        "gate_games": 4,
        "shard_size": 8,
    }
    training.learn(tmp_path / "whole", progress=False, **options)
    heard: list[Progress] = []

    def stop(progress: Progress) -> None:
        heard.append(progress)
        if progress.done == 5:
            raise Enough

    with pytest.raises(Enough):
        training.learn(tmp_path / "cut", progress=stop, **options)
    assert not (tmp_path / "cut" / "report.html").exists()
    training.learn(tmp_path / "cut", progress=False)
    assert same(tmp_path / "cut" / "weights.bin", tmp_path / "whole" / "weights.bin")
    assert heard[0].message.startswith("generation 1: play")
    with pytest.raises(ValueError, match="a run begins with generations, games and nodes"):
        training.learn(tmp_path / "other", games=3)


def test_solve_proves_who_wins() -> None:
    heard: list[Progress] = []
    won = Board.from_fen("q1*/**1/2Q w")
    found = training.solve(won, time=20, hash=16, progress=heard.append)
    assert found is not None and found.winner == "white"
    assert found.line[0] == "c1c2,c2b3"
    assert found.plies is not None and found.plies >= 1
    lost = Board.from_fen("Q**/***/**q b")
    over = training.solve(lost, time=20, hash=16, progress=False)
    assert over is not None and over.winner == "white"
    start = Board()
    assert training.solve(start, nodes=50, time=2, hash=16, progress=False) is None
