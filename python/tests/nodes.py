"""The common ground of tests on a Ray cluster: the cluster, and drivers that run on it."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest


def until(
    condition: Callable[[], bool], *processes: subprocess.Popen[Any], seconds: float = 600.0
) -> None:
    """Waits for a condition. Fails once one of the processes that should bring it about has ended without it, and on a
    hang."""
    end = time.monotonic() + seconds
    while True:
        over = [process for process in processes if process.poll() is not None]
        if condition():
            return
        for process in over:
            said = process.communicate()[1]
            pytest.fail(f"it ended with code {process.returncode} before that: {said}")
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
def clusters() -> Iterator[list[Any]]:
    """The cluster that tests have one after the other, or why there is none."""
    there: list[Any] = []
    yield there
    for one in there:
        if not isinstance(one, Exception):
            one.shutdown()


def begun() -> Any:
    """A head with two slots, or why there is none."""
    from ray.cluster_utils import Cluster

    try:
        head = {"num_cpus": 2, "include_dashboard": False}
        return Cluster(initialize_head=True, head_node_args=head)
    except Exception as failed:  # noqa: BLE001 (Ray raises no other)
        return failed


@pytest.fixture
def cluster(clusters: list[Any], request: pytest.FixtureRequest) -> Iterator[Any]:
    """A head with two slots. After a test that has failed it is another one: who knows what it has left behind."""
    if not clusters:
        clusters.append(begun())
        # On a busy machine a node may take longer than the half minute that Ray waits for it.
        if "timed out during startup" in str(clusters[0]):
            clusters[0] = begun()
    if isinstance(clusters[0], Exception):
        raise clusters[0]
    failed_before = request.session.testsfailed
    yield clusters[0]
    if request.session.testsfailed > failed_before:
        clusters.pop().shutdown()


def ended(process: subprocess.Popen[str], code: int = 0) -> str:
    """Standard error of a driver until it ended with this code."""
    _, stderr = process.communicate(timeout=600)
    assert process.returncode == code, stderr
    return stderr
