"""The common ground of tests on a Ray cluster: the cluster, and drivers that run on it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


def until(condition: Callable[[], bool], seconds: float = 600.0) -> None:
    """Waits for a condition; fails only on a hang."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.02)


def alive(pid: int) -> bool:
    """Whether the process runs."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def processes(matches: Callable[[list[bytes]], bool]) -> list[tuple[int, int]]:
    """Processes by their command lines: their ids, and those of their parents."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if matches((entry / "cmdline").read_bytes().split(b"\0")):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found.append((int(entry.name), parent))
        except (OSError, ValueError):
            continue
    return found


Driver = Callable[..., "subprocess.Popen[str]"]


def drivers(cluster: Any, folder: Path, *options: str) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster COMMAND WORDS` in a folder, on the cluster and with these options. In the end
    all of them are killed."""
    started: list[subprocess.Popen[str]] = []

    def start(command: str, *words: str) -> subprocess.Popen[str]:
        line = [sys.executable, "-m", "hippolyta.cluster", command, *words]
        line += ["--address", cluster.address, *options]
        process = subprocess.Popen(
            line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with two slots."""
    from ray.cluster_utils import Cluster

    def begun() -> Any:
        head = {"num_cpus": 2, "include_dashboard": False}
        return Cluster(initialize_head=True, head_node_args=head)

    try:
        made = begun()
    except Exception as failed:  # Ray raises no other
        # On a busy machine a node may take longer than the half minute that Ray waits for it.
        if "timed out during startup" not in str(failed):
            raise
        made = begun()
    yield made
    made.shutdown()


def ended(process: subprocess.Popen[str], code: int = 0) -> str:
    """Standard error of a driver until it ended with this code."""
    _, stderr = process.communicate(timeout=600)
    assert process.returncode == code, stderr
    return stderr
