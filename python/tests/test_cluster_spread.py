"""Matches, proofs and searches for rules on a cluster: they are those of one process, whatever is killed meanwhile. The
engine is the real one, as games and proofs are compared with its own.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import pytest
from nodes import (
    Command,
    Driver,
    alive,
    cluster,
    cluster_here,
    command,
    drivers,
    ended,
    listening,
    processes,
    until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clusters are tested on Linux")

from hippolyta import cluster as on_cluster
from hippolyta.cluster import mirror

__all__ = ["cluster", "cluster_here", "command"]  # fixtures

CHECKER = Path(__file__).resolve().parents[2] / "examples" / "check_proof.py"
MATCH = (
    *("--engine", "cmd=self", "name=new", "nodes=2000"),
    *("--engine", "cmd=self", "name=old", "nodes=700"),
    *("--variant", "amazons6", "--date", "2026.11.26", "--seed", "7"),
)
SIX_BY_THREE = "q4q/6/Q5 w"


@pytest.fixture
def driver(cluster: Any, tmp_path: Path) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster` on the cluster."""
    yield from drivers(cluster, tmp_path)


def alone(tmp_path: Path, *words: str) -> str:
    """The output of the program itself."""
    line = [sys.executable, "-m", "hippolyta", *words]
    return subprocess.run(line, cwd=tmp_path, check=True, capture_output=True, text=True).stdout


def tasks() -> list[tuple[int, int]]:
    """The engines that do a task: their process ids and those of their workers."""
    return processes(lambda words: b"--task" in words)


def owners() -> list[tuple[int, int]]:
    """The processes that hand out tasks."""
    return processes(lambda words: b"--hand-out" in words and b"--module" in words)


def kill_a_worker(process: subprocess.Popen[str]) -> None:
    """Kills a worker that has a task of this driver."""
    killed: list[int] = []

    def kill() -> bool:
        for pid, worker in tasks():
            with suppress(ProcessLookupError):  # it may end by itself between two looks
                os.kill(worker, signal.SIGKILL)
                killed.append(pid)
                break
        return killed != []

    until(kill, process)
    until(lambda: not alive(killed[0]))  # the engine ends with its worker


def files(folder: Path) -> dict[str, str]:
    """The files of a match, without the times and without the command line in them."""
    found = {}
    for path in sorted(folder.iterdir()):
        text = path.read_text()
        text = re.sub(r'"time_us":\d+', '"time_us":0', text)
        text = re.sub(r" \d+\.\d{3}s}", " 0s}", text)
        if path.name == "match.json":
            text = re.sub(r'"command": ".*"', '"command": ""', text)
        if path.name != "lock":
            found[path.name] = text
    return found


def lines(path: Path) -> int:
    """The number of lines of a file, 0 if there is none."""
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_match_is_that_of_one_process_though_a_node_a_worker_and_drivers_are_lost(
    cluster: Any, driver: Driver, tmp_path: Path
) -> None:
    words = (*MATCH, "--games", "20")
    said = alone(tmp_path, "match", *words, "--out", "one")
    games = tmp_path / "two" / "games.jsonl"
    second = cluster.add_node(num_cpus=2)

    process = driver("match", *words, "--out", "two", "--resume")
    until(lambda: lines(games) > 0, process)
    kill_a_worker(process)
    cluster.remove_node(second)
    kept = lines(games)
    until(lambda: lines(games) > kept, process)
    process.kill()
    process.wait()
    until(lambda: not tasks() and not owners())
    kept = lines(games)
    assert kept < 20

    process = driver("match", *words, "--out", "two", "--resume")
    until(lambda: lines(games) > kept, process)
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    assert "stopped; what is done is kept. To go on: python -m hippolyta.cluster match" in stderr
    assert "Traceback" not in stderr
    until(lambda: not tasks() and not owners())

    process = driver("match", *words, "--out", "two", "--resume")
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 0, stderr
    assert files(tmp_path / "two") == files(tmp_path / "one")
    # The last lines are those that one process prints.
    assert said.endswith("\n" + "\n".join(stdout.splitlines()[-3:]) + "\n")
    assert "processor time by node:" in stderr
    command = json.loads((tmp_path / "two" / "match.json").read_text())["command"]
    assert command.startswith("python -m hippolyta.cluster match --engine cmd=self name=new")
    assert "--hand-out" not in command and "--resume" not in command


def test_a_test_ends_the_match_after_the_same_game_and_everywhere(
    driver: Driver, tmp_path: Path
) -> None:
    fewer = {"nodes=2000": "nodes=100", "nodes=700": "nodes=2"}
    weak = tuple(fewer.get(word, word) for word in MATCH)
    words = (*weak, "--games", "40", "--sprt", "elo0=0", "elo1=300")
    said = alone(tmp_path, "match", *words, "--out", "one")
    assert "H1 was accepted" in said
    stderr = ended(driver("match", *words, "--out", "two"))
    assert not tasks() and not owners(), stderr
    assert files(tmp_path / "two") == files(tmp_path / "one")


def test_an_engine_that_a_node_lacks_loses_no_game(driver: Driver, tmp_path: Path) -> None:
    """It is there when the driver tries it, and gone when it is to play."""
    engine = tmp_path / "engine"
    engine.write_text(
        f"#!/bin/sh\n[ -e {tmp_path}/tried ] && exit 1\ntouch {tmp_path}/tried\n"
        f"exec {sys.executable} -m hippolyta\n"
    )
    engine.chmod(0o755)
    words = ("--engine", "cmd=./engine", "name=new", *MATCH[4:], "--each", "nodes=1")
    stderr = ended(driver("match", *words, "--retries", "1", "--out", "made"), 1)
    last = stderr.splitlines()[-1]
    assert re.match(r"hippolyta.cluster: game \d failed 2 times, last on .*: engine 'new': ", last)
    assert lines(tmp_path / "made" / "games.jsonl") == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("match", *MATCH, "--gaems", "5"), 2, "unexpected argument '--gaems'"),
        (("match", *MATCH, "--concurrency", "2"), 1, "--concurrency is for one machine: on many"),
        (("match", "--engine", "cmd=self", "nodes=1"), 1, "a match needs two engines at least"),
        (("match", *MATCH, "--engine", "cmd=./no", "nodes=1"), 1, "engine 'no': cannot start"),
        (("match", *MATCH, "--out", "/proc/x"), 1, "/proc/x: No such file or directory"),
        (("solve", "--fen", SIX_BY_THREE), 2, "--out <DIR>"),
        (("solve", "--fen", "q2/3/2Q", "--out", "x", "--variant", "iago"), 1, "iago cannot be"),
        (("design", "--variant", "iago"), 2, "--out <FILE>"),
        (("design", "--variant", "damone", "--out", "x.json"), 1, "damone is no game of move"),
        (("design", "--threads", "2", "--out", "x.json"), 1, "--threads is for one machine: on"),
        (("design", "--out", "s3://bucket/x.json"), 1, "are kept on this machine"),
    ],
)
def test_wrong_options_get_the_words_of_the_program_before_there_is_a_cluster(
    command: Command, words: tuple[str, ...], code: int, said: str
) -> None:
    with listening() as address:
        ended_with, stdout, stderr = command(*words, "--address", address)
    assert (ended_with, stdout) == (code, ""), stderr
    assert said in stderr
    assert code == 2 or stderr.startswith("hippolyta.cluster: ")
    assert code == 2 or stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("match", *MATCH),
        ("solve", "--fen", SIX_BY_THREE),
        ("design", "--variant", "amazons6"),
        ("learn", "--variant", "amazons6", "--generations", "1", "--games", "20", "--nodes", "5"),
    ],
)
def test_at_a_wrong_address_nothing_is_begun(
    command: Command, tmp_path: Path, words: tuple[str, ...]
) -> None:
    code, _, stderr = command(*words, "--out", "made", "--address", "127.0.0.1:1")
    assert code == 1
    assert stderr == "hippolyta.cluster: no Ray cluster at '127.0.0.1:1': Connection refused\n"
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_proof_comes_to_its_result_though_a_node_a_worker_and_drivers_are_lost(
    cluster: Any, driver: Driver, tmp_path: Path
) -> None:
    words = ("--fen", SIX_BY_THREE, "--slice", "40000", "--hash", "16", "--out", "proof")
    log = tmp_path / "proof" / "log.jsonl"
    second = cluster.add_node(num_cpus=2)

    process = driver("solve", *words)
    until(lambda: lines(log) > 4, process)
    kill_a_worker(process)
    cluster.remove_node(second)
    kept = lines(log)
    until(lambda: lines(log) > kept + 4, process)
    process.kill()
    process.wait()
    until(lambda: not tasks() and not owners())
    kept = lines(log)
    status = json.loads(alone(tmp_path, "solve", "--out", "proof", "--status", "--json"))
    assert status["wins"] is None and status["positions"] > 0

    process = driver("solve", "--slice", "40000", "--hash", "16", "--out", "proof")
    until(lambda: lines(log) > kept, process)
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    assert "To go on: python -m hippolyta.cluster solve --slice 40000" in stderr
    assert "Traceback" not in stderr
    until(lambda: not tasks() and not owners())

    process = driver("solve", *words, "--proof", "6x3.proof")
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 0, stderr
    assert stdout.startswith("the side to move loses"), stdout
    check = [sys.executable, str(CHECKER), "6x3.proof"]
    checked = subprocess.run(check, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert SIX_BY_THREE in checked.stdout, checked.stdout
    # A folder like any other.
    status = json.loads(alone(tmp_path, "solve", "--out", "proof", "--status", "--json"))
    assert status["wins"] is False
    assert "is finished: nothing was left to do" in ended(driver("solve", *words))


def test_each_generation_is_told_and_written_for_tensorboard(
    cluster_here: Any, tmp_path: Path
) -> None:
    pytest.importorskip("tensorboardX")
    told: list[on_cluster.Generation] = []
    board = on_cluster.TensorBoard(tmp_path / "board")

    def hook(generation: on_cluster.Generation) -> None:
        told.append(generation)
        board(generation)

    options = ["--variant=amazons6", "--generations=2", "--games=20", "--nodes=5", "--epochs=1"]
    options += ["--gate-games=2", "--calibration-games=0", "--validation=4"]
    where = on_cluster.Cluster(address=cluster_here.address)
    on_cluster.learn(tmp_path / "run", options, cluster=where, on_generation=hook)
    board.close()
    assert [generation.number for generation in told] == [1, 2]
    for generation in told:
        result = json.loads((generation.folder / "result.json").read_text())
        assert (generation.accepted, generation.elo) == (result["accepted"], result["elo"])
        assert generation.games == 20 and 0 < generation.losses["value"].validation < 2
        assert generation.numbers()["loss/policy/training"] == generation.losses["policy"].training
    assert 0 < told[0].cpu < told[1].cpu
    events = next((tmp_path / "board").iterdir()).read_bytes()
    assert events.count(b"loss/value/validation") == 2


def test_what_a_hook_raises_ends_the_run_which_goes_on(cluster_here: Any, tmp_path: Path) -> None:
    options = ["--variant=amazons6", "--generations=1", "--games=20", "--nodes=5", "--epochs=1"]
    options += ["--gate-games=1", "--calibration-games=0", "--validation=4"]
    where = on_cluster.Cluster(address=cluster_here.address)

    def hook(generation: on_cluster.Generation) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        on_cluster.learn(tmp_path / "run", options, cluster=where, on_generation=hook)
    on_cluster.learn(tmp_path / "run", options, cluster=where)
    assert (tmp_path / "run" / "weights.bin").exists()


def test_a_wheel_plays_on_nodes_that_do_not_have_it(driver: Driver, tmp_path: Path) -> None:
    environ = "os.environ.pop('PYTHONPATH')"
    program = (
        f"import os, sys; {environ}; os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
    )
    with zipfile.ZipFile(tmp_path / "hippolyta-9.whl", "w") as file:
        file.writestr("hippolyta/__init__.py", "")
        file.writestr("hippolyta/__main__.py", program)
    words = ("--engine", "cmd=hippolyta-9.whl", "arg=-m", "arg=hippolyta", *MATCH[4:])
    words = (*words, "--each", "nodes=5", "--games", "4", "--out", "made")
    for scratch in ("here", "here"):  # the second time it is unpacked already
        process = driver("match", *words, "--resume", "--scratch", str(tmp_path / scratch))
        stdout, stderr = process.communicate(timeout=600)
        assert process.returncode == 0, stderr
    assert "Score of hippolyta-9 vs old: " in stdout and lines(tmp_path / "made/games.jsonl") == 4
    unpacked = list((tmp_path / "here").glob("*/wheels/*/hippolyta/__main__.py"))
    assert len(unpacked) == 1
    (tmp_path / "text.whl").write_text("no zip file")
    stderr = ended(driver("match", "--engine", "cmd=text.whl", *MATCH[4:]), 1)
    assert stderr == "hippolyta.cluster: text.whl is not a wheel: it is no zip file\n"


def test_a_match_is_kept_at_an_address_and_goes_on_there(
    cluster: Any, driver: Driver, tmp_path: Path
) -> None:
    words = (*MATCH, "--games", "16")
    alone(tmp_path, "match", *words, "--out", "one")
    kept = tmp_path / "two"
    words = (*words, "--out", f"file://{kept}", "--scratch", str(tmp_path / "scratch"))

    def played() -> int:
        """Games in the copy in which the owner works."""
        found = (tmp_path / "scratch").glob("*/run-*/run/games.jsonl")
        return max((lines(path) for path in found), default=0)

    process = driver("match", *words)
    until(lambda: played() > 0, process)
    process.kill()  # what was not copied yet is lost
    process.wait()
    until(lambda: not tasks() and not owners())
    assert (kept / "match.json").exists() and lines(kept / "games.jsonl") < 16
    shutil.rmtree(tmp_path / "scratch")
    last = ended(driver("match", *words), 1).splitlines()[-1]
    assert last.startswith(f"hippolyta.cluster: file://{kept} holds a run already"), last

    process = driver("match", *words, "--resume")
    until(lambda: played() > 0, process)
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    assert "To go on: python -m hippolyta.cluster match" in stderr
    assert 0 < lines(kept / "games.jsonl") < 16

    ended(driver("match", *words, "--resume"))
    shutil.rmtree(kept / "cluster", ignore_errors=True)  # names of files that were being written
    assert files(kept) == files(tmp_path / "one")
    command = json.loads((kept / "match.json").read_text())["command"]
    assert f"--out file://{kept}" in command and "scratch/" not in command
    assert not list((tmp_path / "scratch").glob("*/run-*"))


def test_a_proof_is_kept_at_an_address(cluster_here: Any, tmp_path: Path) -> None:
    """One that is in this process alone: nodes need no access to it."""
    import fsspec

    words = ["--fen", "q2q/4/Q2Q w", "--slice", "2000", "--hash", "16"]
    where = on_cluster.Cluster(address=cluster_here.address, scratch=str(tmp_path))
    on_cluster.solve([*words, "--out", "memory://proofs/4x3"], cluster=where)
    store = fsspec.filesystem("memory")
    found = {path.rpartition("/")[2] for path in store.find("/proofs/4x3")}
    assert {"solve.json", "log.jsonl"} <= found and "lock" not in found
    store.get("/proofs/4x3", str(tmp_path / "proof"), recursive=True)
    status = json.loads(alone(tmp_path, "solve", "--out", "proof", "--status", "--json"))
    assert status["wins"] is not None


def test_an_address_at_which_nothing_can_be_kept_is_told_before_anything_is_played(
    command: Command, tmp_path: Path
) -> None:
    for out, said in (
        ("file:///proc/x", "file:///proc/x: "),
        ("nowhere://bucket/run", "nowhere://bucket/run: Protocol not known: nowhere"),
    ):
        with listening() as address:
            where = ("--out", out, "--address", address, "--scratch", str(tmp_path))
            code, _, stderr = command("match", *MATCH, *where)
        assert code == 1 and stderr.splitlines()[-1].startswith(f"hippolyta.cluster: {said}"), (
            stderr
        )
    assert not list(tmp_path.glob("*/run-*"))


def test_what_a_copy_could_not_write_is_written_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = mirror.Mirror.of(f"file://{tmp_path}/kept", {}, tmp_path / "scratch")
    (made.folder / "settings.json").write_text("{}")
    made.begin(nullcontext)
    (made.folder / "log").write_text("1")
    (made.folder / "lock").write_text("me")
    publish = made.store.publish

    def refuse(source: Path, name: str) -> None:
        raise PermissionError("not now")

    monkeypatch.setattr(made.store, "publish", refuse)
    monkeypatch.setattr(mirror, "EVERY", 0.0)
    made._next = 0.0
    told: list[str] = []

    def look() -> bool:
        told.extend(filter(None, [made.look(nullcontext)]))
        return bool(told)

    until(look)
    assert told[0].endswith("kept: not now; again in a while")
    monkeypatch.setattr(mirror, "PAUSES", (0.0,))
    with pytest.raises(on_cluster.ClusterError, match=f"not now; the files are in {tmp_path}"):
        made.end(nullcontext)
    monkeypatch.setattr(made.store, "publish", publish)
    (made.folder / "settings.json").unlink()
    made.end(nullcontext)
    assert [path.name for path in (tmp_path / "kept").glob("[ls]*")] == ["log"]
    assert not made.folder.exists()


def test_variations_of_rules_are_those_of_one_process_though_a_worker_and_a_driver_are_lost(
    driver: Driver, tmp_path: Path
) -> None:
    words = ("--fen", "1qq1/4/4/1QQ1 w", "--vary", "stuck,moves", "--nodes", "6", "--games", "18")
    words = (*words, "--learn", "40", "--rounds", "2", "--list", "7")
    said = alone(tmp_path, "design", *words, "--out", "one.json")
    partial = tmp_path / "two.json.partial"
    words = (*words, "--out", "two.json", "--scratch", str(tmp_path / "scratch"))

    process = driver("design", *words)
    until(lambda: any((tmp_path / "two" / "learned").glob("*.bin")), process)
    kill_a_worker(process)
    until(lambda: lines(partial) > 1, process)
    process.kill()
    process.wait()
    until(lambda: not tasks() and not owners())
    kept = lines(partial)

    process = driver("design", *words, "--resume")
    until(lambda: lines(partial) > kept, process)
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    assert "To go on: python -m hippolyta.cluster design" in stderr and "Traceback" not in stderr

    process = driver("design", *words, "--resume")
    stdout, stderr = process.communicate(timeout=600)
    assert process.returncode == 0, stderr
    assert stdout == said
    one, two = (
        {path.name: path.read_bytes() for path in [*tmp_path.glob(f"{name}.*"), *folder.iterdir()]}
        for name, folder in (("one", tmp_path / "one"), ("two", tmp_path / "two"))
    )
    assert two == {name.replace("one.", "two."): content for name, content in one.items()}
    assert not [path for path in (tmp_path / "scratch").glob("*/work/*") if path.is_dir()]
