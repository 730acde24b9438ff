"""The common ground of tests on a Ray cluster: the cluster, and drivers that run on it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fake_ray
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
    """Processes by their command lines: their ids, and those of their parents. Tests that run beside this one, in another
    worker of pytest-xdist, have processes of the kind too; these are left out.
    """
    beside = f"PYTEST_XDIST_WORKER={os.environ.get('PYTEST_XDIST_WORKER')}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if not matches((entry / "cmdline").read_bytes().split(b"\0")):
                continue
            variables = (entry / "environ").read_bytes().split(b"\0")
            if beside in variables or "PYTEST_XDIST_WORKER" not in os.environ:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found.append((int(entry.name), parent))
        except (OSError, ValueError):
            continue
    return found


Driver = Callable[..., "subprocess.Popen[str]"]


def drivers(
    cluster: Any,
    folder: Path,
    *options: str,
    command: tuple[str, ...] = ("-m", "hippolyta.cluster"),
) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster COMMAND WORDS` in a folder, on the cluster and with these options. In the end
    all of them are killed."""
    started: list[subprocess.Popen[str]] = []
    if isinstance(cluster, fake_ray.Cluster):
        command = (fake_ray.__file__,)

    def start(name: str, *words: str) -> subprocess.Popen[str]:
        line = [sys.executable, *command, name, *words, "--address", cluster.address, *options]
        process = subprocess.Popen(
            line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> fake_ray.Cluster:
    """A head with two slots, of the double of Ray. For drivers in processes of their own."""
    return fake_ray.Cluster(tmp_path_factory.mktemp("cluster"))


@pytest.fixture
def cluster_here(
    cluster: fake_ray.Cluster, monkeypatch: pytest.MonkeyPatch
) -> Iterator[fake_ray.Cluster]:
    """The same, for drivers in this process."""
    from hippolyta.cluster import driver

    for name in [name for name in sys.modules if name.partition(".")[0] == "ray"]:
        monkeypatch.delitem(sys.modules, name)
    modules: dict[str, Any] = {}
    fake_ray.install(modules)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    driver._remote.cache_clear()
    yield cluster
    driver._remote.cache_clear()


@contextmanager
def listening() -> Iterator[str]:
    """An address at which somebody listens who is no cluster."""
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        yield f"127.0.0.1:{nobody.getsockname()[1]}"


Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """Does what `python -m hippolyta.cluster WORDS` does in this process and in a folder of no matter: the exit code,
    output and errors. No process has to begin for it."""
    from hippolyta.cluster.__main__ import main

    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        try:
            code: Any = main(list(words))
        except SystemExit as ended:  # of wrong options
            code = ended.code
        return code, *capsys.readouterr()

    return run


def ended(process: subprocess.Popen[str], code: int = 0) -> str:
    """Standard error of a driver until it ended with this code."""
    _, stderr = process.communicate(timeout=600)
    assert process.returncode == code, stderr
    return stderr
