"""Learning and self-play on a real Ray cluster, which begins slowly: other tests of clusters have a double."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from nodes import Driver, alive, drivers, ended, until
from test_cluster import SMALL, engine, engines, files, plain
from test_cluster_selfplay import QUICK, alone, net

# Ray reads it when it is imported first. Where this machine has a token, the head would want it and nobody show it.
os.environ["RAY_AUTH_MODE"] = "disabled"
pytestmark = [
    pytest.mark.skipif(find_spec("ray") is None, reason="there is no Ray"),
    pytest.mark.skipif(sys.platform != "linux", reason="clusters are tested on Linux"),
    pytest.mark.xdist_group("ray"),  # one cluster for all
]

from hippolyta import evaluators
from hippolyta.cluster import Cluster, ClusterError, Progress, selfplay, served
from hippolyta.cluster.driver import connected

__all__ = ["engine"]  # a fixture


def begun() -> Any:
    """A head with two slots, or why there is none."""
    from ray.cluster_utils import Cluster

    try:
        head = {"num_cpus": 2, "include_dashboard": False}
        return Cluster(initialize_head=True, head_node_args=head)
    except Exception as failed:  # noqa: BLE001 (Ray raises no other)
        return failed


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with two slots."""
    made = begun()
    # On a busy machine a node may take longer than the half minute that Ray waits for it.
    if "timed out during startup" in str(made):
        made = begun()
    if isinstance(made, Exception):
        raise made
    yield made
    made.shutdown()


@pytest.fixture
def driver(cluster: Any, engine: str, tmp_path: Path) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster`, on the cluster and with the double of the engine."""
    yield from drivers(cluster, tmp_path, "--engine", engine)


@pytest.mark.chore
def test_a_lost_node_a_killed_worker_and_a_killed_driver_cost_nothing_but_their_tasks(
    cluster: Any, driver: Driver, engine: str, tmp_path: Path
) -> None:
    hold = tmp_path / "hold"
    options = ("--generations", "2", "--games", "80", "--nodes", "10", "--hold", str(hold))
    expected = plain(engine, tmp_path / "one", *options)
    out = tmp_path / "run"
    second = cluster.add_node(num_cpus=2)

    # One shard is played, and the others wait.
    hold.write_text("1")
    process = driver("learn", "--out", str(out), *options)
    until(
        lambda: (out / "generation-1/shards/0000.dat").exists() and engines(engine) != [], process
    )
    pid, worker = engines(engine)[0]
    os.kill(worker, signal.SIGKILL)
    until(lambda: not alive(pid))  # the engine ends with its worker
    cluster.remove_node(second, allow_graceful=False)
    hold.unlink()
    until(lambda: (out / "generation-1/result.json").exists(), process)
    process.kill()
    process.wait()
    until(lambda: not engines(engine))

    # A file that is not what was written is made again.
    shard = out / "generation-1/shards/0002.dat"
    made = {path: path.stat().st_mtime_ns for path in shard.parent.iterdir()}
    shard.write_bytes(shard.read_bytes()[:100])
    stderr = ended(driver("learn", "--out", str(out), *options))
    assert files(out) == expected
    assert f"{out}: done; processor time of the engine by node:" in stderr
    assert stderr.count("processor seconds") >= 2  # the lost node's cost, too
    again = [path for path, when in made.items() if path.stat().st_mtime_ns != when]
    assert again == [shard]
    assert not list((out / "cluster").glob("*.tmp"))
    assert "done already" in ended(driver("learn", "--out", str(out), *options))


@pytest.mark.chore
def test_a_cluster_that_wants_a_token_gets_it(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("0123456789abcdef" * 4)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    ray = [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block"]
    ray += ["--node-ip-address=127.0.0.1", f"--port={address.partition(':')[2]}"]
    ray += ["--num-cpus=1", "--include-dashboard=false", "--disable-usage-stats"]
    ray += ["--include-log-monitor=false"]  # a process less to wait for
    learn = [sys.executable, "-m", "hippolyta.cluster", "learn", *SMALL, "--address", address]
    learn += ["--engine", engine]
    with subprocess.Popen(ray, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as head:
        try:
            until(lambda: answers(address), head)

            def run(name: str) -> subprocess.CompletedProcess[str]:
                words = [*learn, "--out", str(tmp_path / name)]
                return subprocess.run(words, check=False, capture_output=True, text=True)

            done = run("run")
            if "no Ray cluster" in done.stderr:  # a busy machine listens before it answers
                done = run("run")
            assert done.returncode == 0, done.stderr
            assert files(tmp_path / "run") == plain(engine, tmp_path / "one", *SMALL)
            # Without it the cluster would have refused.
            monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
            monkeypatch.setenv(
                "RAY_NUM_REDIS_GET_RETRIES", "1"
            )  # Ray would ask 20 times, a second apart
            refused = run("refused")
            assert refused.returncode == 1 and "token" in refused.stderr.lower(), refused.stderr
        finally:
            head.terminate()


def answers(address: str) -> bool:
    """Whether something listens there."""
    host, _, port = address.partition(":")
    with socket.socket() as probe:
        return probe.connect_ex((host, int(port))) == 0


@pytest.mark.chore
def test_a_gpu_is_used_if_the_cluster_says_that_there_is_one(cluster: Any, tmp_path: Path) -> None:
    expected = alone(tmp_path / "one.dat", net, 8)
    where, here = Cluster(address=cluster.address), str(Path(__file__).parent)

    def make() -> evaluators.Evaluator:
        import ray

        sys.path.append(here)
        from test_cluster_selfplay import net

        share = ray.get_runtime_context().get_assigned_resources().get("GPU", 0)
        (tmp_path / f"made-{os.getpid()}").write_text(f"{share:g} {ray.get_gpu_ids()}")
        return net

    def play(name: str, **options: Any) -> set[str]:
        """The shares and numbers of GPUs that makers of nets have seen."""
        out = tmp_path / name
        selfplay(
            str(out), make, games=8, games_at_once=4, part=2, cluster=where, **QUICK, **options
        )
        assert out.read_bytes() == expected
        made = list(tmp_path.glob("made-*"))
        seen = {path.read_text() for path in made}
        for path in made:
            path.unlink()
        return seen

    with pytest.raises(ClusterError, match="no node has a GPU, and --gpus 0.5 wants one"):
        play("none.dat", gpus=0.5)
    node = cluster.add_node(num_cpus=1, num_gpus=1)
    try:
        assert play("gpu.dat") in ({"1 [0]"}, {"1 ['0']"})
        assert {text.split()[0] for text in play("shared.dat", gpus=0.5)} == {"0.5"}
    finally:
        cluster.remove_node(node)


def test_one_net_serves_all_tasks_though_its_process_is_killed(
    cluster: Any, tmp_path: Path
) -> None:
    expected, here = alone(tmp_path / "one.dat", net, 8), str(Path(__file__).parent)

    def make() -> evaluators.Evaluator:
        sys.path.append(here)
        from test_cluster_selfplay import net

        asked = tmp_path / f"asked-{os.getpid()}"
        is_first = not list(tmp_path.glob("asked-*"))

        def counted(planes: Any) -> Any:
            with asked.open("ab") as count:
                count.write(b".")
            if is_first and asked.stat().st_size == 20:
                os.kill(os.getpid(), signal.SIGKILL)
            return net(planes)

        return counted

    with connected(cluster.address, Progress()):
        options = {"games": 8, "games_at_once": 4, "part": 4, "gpus": 0, "threads": 2, **QUICK}
        selfplay(str(tmp_path / "two.dat"), served(make, gpus=0), **options)
    assert (tmp_path / "two.dat").read_bytes() == expected
    assert len(list(tmp_path.glob("asked-*"))) == 2
