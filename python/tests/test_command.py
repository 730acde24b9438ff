"""The command of the wheel behaves as the binary."""

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest


def command() -> list[str]:
    """The installed command, or the module where nothing is installed."""
    script = shutil.which("hippolyta", path=sysconfig.get_path("scripts"))
    return [script] if script else [sys.executable, "-m", "hippolyta"]


def run(*arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*command(), *arguments],
        check=False,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_session_by_pipe() -> None:
    said = run(stdin="uci\nisready\nposition startpos\ngo nodes 50\nquit\n")
    lines = said.stdout.splitlines()
    assert said.returncode == 0, said.stderr
    assert lines[0].startswith("id name Hippolyta") or "uciok" in lines
    assert "uciok" in lines and "readyok" in lines
    assert sum(line.startswith("bestmove ") for line in lines) == 1


def test_a_dialogue() -> None:
    with subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None

        def until(word: str) -> str:
            assert engine.stdout is not None
            for line in engine.stdout:
                if line.startswith(word):
                    return line.strip()
            raise AssertionError(f"no {word}")

        engine.stdin.write("uci\n")
        until("uciok")
        engine.stdin.write("position startpos moves d1d7,d7g7\ngo infinite\n")
        until("info")
        engine.stdin.write("stop\n")
        assert until("bestmove").split()[1]
        engine.stdin.write("quit\n")
        assert engine.wait(20) == 0


def test_version_help_and_errors() -> None:
    version = run("--version")
    assert (version.returncode, version.stdout.split()[0]) == (0, "hippolyta")
    assert run("--help").returncode == 0
    unknown = run("frobnicate")
    assert unknown.returncode == 2 and "frobnicate" in unknown.stderr
    failed = run("perft", "1", "--fen", "rubbish")
    assert failed.returncode == 1 and failed.stderr.startswith("hippolyta: ")
    assert "Traceback" not in failed.stderr


def test_a_subcommand(tmp_path: Path) -> None:
    out = tmp_path / "games.dat"
    made = run(
        "selfplay", "--variant", "amazons6", "--games", "1", "--nodes", "2", "--out", str(out)
    )
    assert made.returncode == 0, made.stderr
    assert out.stat().st_size > 0


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ctrl_c_ends_it() -> None:
    with subprocess.Popen(
        command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write("uci\nposition startpos\ngo infinite\n")
        for line in engine.stdout:
            if line.startswith("info"):
                break
        time.sleep(0.1)
        engine.send_signal(signal.SIGINT)
        assert engine.wait(10) == -signal.SIGINT
