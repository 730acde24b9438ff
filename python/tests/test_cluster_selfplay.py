"""Self-play with a net of one's own on a cluster: the games are those of one process, whatever is killed meanwhile."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import fake_ray
import numpy as np
import pytest
from nets import Answer, Planes, onnx_net
from nodes import Command, Driver, alive, cluster, cluster_here, command, drivers, ended, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clusters are tested on Linux")

from hippolyta import Board, evaluators, nets, training
from hippolyta.cluster import Cluster, ClusterError, Progress, selfplay, served
from hippolyta.cluster import parts as parts_of_runs
from hippolyta.cluster.driver import connected
from hippolyta.encoding import Encoding

__all__ = ["cluster", "cluster_here", "command"]  # fixtures

ACTIONS = Encoding("amazons6").actions
QUICK: dict[str, Any] = {"variant": "amazons6", "nodes": 6, "seed": 5}
SMALL = ("--variant", "amazons6", "--nodes", "6", "--seed", "5", "--games-at-once", "4")
MODULE = f"""
import os, sys, time
from pathlib import Path
sys.path.append({str(Path(__file__).parent)!r})
import test_cluster_selfplay as test

HERE = Path(__file__).parent
with (HERE / "made").open("a") as made:
    print(os.getpid(), file=made)

def held():
    most, begun = HERE / "most", any(HERE.glob("*.parts/selfplay.json"))
    return begun and most.exists() and len(list(HERE.glob("*.parts/0*.dat"))) >= int(most.read_text())

def net(planes):
    # Games wait once so many parts are done.
    while held():
        time.sleep(0.02)
    return test.net(planes)

def learned(planes):
    # A net that has read its weights when it was made.
    logits, values = net(planes)
    return logits, values * float(WEIGHTS)

WEIGHTS = (HERE / "weights").read_text() if (HERE / "weights").exists() else "1"

def broken(planes):
    raise LookupError("no weights\\nand more")
"""


def net(planes: Planes) -> Answer:
    """Says something of each position, whatever is in its batch."""
    sums = planes.reshape(len(planes), -1).astype(np.int64) @ np.arange(planes[0].size) % 1009
    logits = (sums[:, None] * np.arange(1, ACTIONS + 1) % 97) / 64
    return logits.astype(np.float32), (sums % 129 / 64 - 1).astype(np.float32)


def alone(path: Path, evaluator: evaluators.Evaluator, games: int) -> bytes:
    """The file that one process writes."""
    training.selfplay(
        path, evaluator=evaluator, games=games, games_at_once=4, progress=False, **QUICK
    )
    return path.read_bytes()


@pytest.fixture
def driver(cluster: Any, tmp_path: Path) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster` on the cluster, in a folder that has the net."""
    (tmp_path / "toynet.py").write_text(MODULE)
    yield from drivers(cluster, tmp_path)


def workers(folder: Path) -> list[int]:
    """Workers that have a net."""
    made = folder / "made"
    pids = [int(pid) for pid in made.read_text().split()] if made.exists() else []
    return [pid for pid in pids if alive(pid)]


def test_games_are_those_of_one_process_though_a_node_a_worker_and_drivers_are_lost(
    cluster: Any, driver: Driver, tmp_path: Path
) -> None:
    expected = alone(tmp_path / "one.dat", net, 80)
    second = cluster.add_node(num_cpus=2)
    words = ("--net", "toynet:net", "--games", "80", "--part", "4", "--out", "two.dat", *SMALL)
    parts, most = tmp_path / "two.dat.parts", tmp_path / "most"

    def done() -> int:
        return len(list(parts.glob("0*.dat")))

    most.write_text("1")
    process = driver("selfplay", *words)
    until(lambda: done() > 0 and len(workers(tmp_path)) > 0, process)
    victim = workers(tmp_path)[0]
    os.kill(victim, signal.SIGKILL)
    until(lambda: not alive(victim))
    cluster.remove_node(second)
    kept = done()
    most.write_text(str(kept + 1))
    until(lambda: done() > kept, process)
    other = ended(driver("selfplay", *words), 1)
    assert other == (
        "hippolyta.cluster: another driver is at work on two.dat; wait for its end, "
        "or choose another --out\n"
    )
    process.kill()
    process.wait()
    until(lambda: not workers(tmp_path))
    kept = done()
    assert kept < 20

    most.write_text(str(kept + 1))
    process = driver("selfplay", *words)
    until(lambda: done() > kept, process)
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    assert "To go on: python -m hippolyta.cluster selfplay --net toynet:net" in stderr
    assert "Traceback" not in stderr
    until(lambda: not workers(tmp_path))
    assert not (tmp_path / "two.dat").exists()

    other = ended(driver("selfplay", *words, "--noise", "0.25"), 1)
    assert "two.dat.parts was begun with other options; remove it" in other
    other = ended(
        driver("selfplay", *("toynet:broken" if word == "toynet:net" else word for word in words)),
        1,
    )
    assert "two.dat.parts was begun with other nets; remove it" in other
    most.unlink()
    # Neither of these changes a game.
    stderr = ended(driver("selfplay", *words, "--threads", "2", "--games-at-once", "3"))
    assert "two.dat: 80 games; processor time by node:" in stderr
    assert (tmp_path / "two.dat").read_bytes() == expected
    assert not parts.exists()
    # Each worker has made its net once.
    made = (tmp_path / "made").read_text().split()
    assert len(made) == len(set(made)) < 20


def test_a_program_plays_on_its_own_connection_or_another_and_on_no_gpu_that_nobody_wants(
    cluster_here: Any, tmp_path: Path
) -> None:
    """From the main thread and from another one, as in an actor, where no signals are heard."""
    import ray

    expected, here = alone(tmp_path / "one.dat", net, 8), str(Path(__file__).parent)

    def make() -> evaluators.Evaluator:
        import ray

        sys.path.append(here)
        from test_cluster_selfplay import net

        share = ray.get_runtime_context().get_assigned_resources()["GPU"]
        (tmp_path / f"made-{os.getpid()}").write_text(str(share))
        return net

    def play(name: str, **options: Any) -> None:
        out = tmp_path / name
        options = {"part": 2, **QUICK, **options}
        selfplay(out, make, games=8, games_at_once=4, **options)
        assert out.read_bytes() == expected

    where = Cluster(address=cluster_here.address)
    play("none.dat", cluster=where)
    cluster_here.add_node(num_cpus=1, num_gpus=1)
    play("unwanted.dat", cluster=where, gpus=0, threads=2)
    ray.init(cluster_here.address)
    try:
        handler = signal.getsignal(signal.SIGTERM)
        play("main.dat", gpus=0)
        with ThreadPoolExecutor(1) as pool:
            pool.submit(play, "thread.dat", gpus=0, cluster=Cluster(address="local")).result()
        assert signal.getsignal(signal.SIGTERM) is handler and ray.is_initialized()
        with pytest.raises(
            ClusterError, match="is connected to the Ray cluster at '.*', not 'a:1'"
        ):
            play("other.dat", cluster=Cluster(address="a:1"))
    finally:
        ray.shutdown()
    assert {path.read_text() for path in tmp_path.glob("made-*")} == {"0"}
    with pytest.raises(ClusterError, match="^this process is not connected to Ray: call ray.init"):
        served(make)


def test_one_net_answers_all_who_ask_and_what_it_raises_is_raised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a double of an actor, in this process."""
    made: list[dict[str, Any]] = []

    class Tensor:
        """One of PyTorch on a GPU."""

        def __init__(self, array: Any) -> None:
            self._array = array

        def detach(self) -> Tensor:
            return self

        def cpu(self) -> Any:
            return self._array

    def answer(planes: Planes) -> Any:
        planes[0, 0, 0, 0] ^= 0  # it may write to them
        if len(made) > 1:
            raise LookupError("no weights")
        return tuple(map(Tensor, net(planes)))

    def get(ref: Any) -> Any:
        try:
            return ref.result()
        except (LookupError, OSError) as error:
            raise fake_ray.RayTaskError(error) from error

    def remote(kind: Any) -> Any:
        def begin(make: Any, options: dict[str, Any]) -> Any:
            made.append(options)
            host = kind(make)

            def ask(planes: Planes) -> Any:
                planes.flags.writeable = False  # as Ray's arrays are
                return pool.submit(host.answer, planes)

            return SimpleNamespace(answer=SimpleNamespace(remote=ask))

        return SimpleNamespace(
            options=lambda **given: SimpleNamespace(remote=lambda make: begin(make, given))
        )

    errors = SimpleNamespace(RayTaskError=fake_ray.RayTaskError)
    ray = SimpleNamespace(remote=remote, get=get, exceptions=errors)
    monkeypatch.setattr(sys.modules["hippolyta.cluster.served"], "connected_ray", lambda: ray)
    with ThreadPoolExecutor(1) as pool:
        factory = served(lambda: answer, gpus=0.5, cpus=2)
        assert alone(tmp_path / "two.dat", factory(), 8) == alone(tmp_path / "one.dat", net, 8)
        alone(tmp_path / "three.dat", factory(), 1)
        again = {"max_restarts": -1, "max_task_retries": -1}
        assert made == [{"num_gpus": 0.5, "num_cpus": 2, **again}]
        with pytest.raises(LookupError, match="no weights"):
            alone(tmp_path / "four.dat", served(lambda: answer)(), 1)
        nothing = served(lambda: Path("/none").read_bytes())()
        with pytest.raises(FileNotFoundError, match="/none"):
            alone(tmp_path / "five.dat", nothing, 1)


def test_a_driver_tells_which_cluster_it_has_joined_and_for_what_it_waits(
    cluster_here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = io.StringIO()
    with connected("auto", Progress(out)):
        pass
    assert out.getvalue() == "joined the Ray cluster at auto; --address chooses another\n"
    monkeypatch.setattr(sys.modules["hippolyta.cluster.progress"], "PATIENCE", 0.01)
    out, where = io.StringIO(), Cluster(address=cluster_here.address)
    options = {"games": 1, "cluster": where, "progress": Progress(out), **QUICK}
    selfplay(tmp_path / "made.dat", lambda: net, **options)
    assert "waiting for the net's first answer: it may lack a free core\n" in out.getvalue()
    assert "joined" not in out.getvalue()


def test_a_net_learns_on_a_cluster_as_on_one_machine(cluster_here: Any, tmp_path: Path) -> None:
    from test_nets import QUICK as quick
    from test_nets import Counting

    tests = str(Path(__file__).parent)

    def make() -> Counting:
        sys.path.append(tests)
        from test_nets import Counting

        return Counting()

    one, two = tmp_path / "one", tmp_path / "two"
    learning = {"generations": 2, "beside": True, **quick}
    nets.learn(one, make, **learning)
    nets.learn(two, make, cluster=Cluster(address=cluster_here.address), **learning)
    files = [{path.name: path.read_bytes() for path in run.iterdir()} for run in (one, two)]
    assert files[0] == files[1] and len(files[0]) == 8
    with pytest.raises(ValueError, match="^part: 0 is not from 1 to "):
        nets.learn(tmp_path / "none", make, cluster=Cluster(), part=0, **learning)
    assert not (tmp_path / "none").exists()


def test_a_file_of_onnx_is_sent_to_the_nodes(cluster_here: Any, tmp_path: Path) -> None:
    path = tmp_path / "net.onnx"
    onnx_net(path, Board("amazons6"))
    expected = alone(tmp_path / "one.dat", evaluators.Onnx(path), 8)
    where = Cluster(address=cluster_here.address)
    out = f"file://{tmp_path}/two.dat"
    selfplay(out, path, games=8, games_at_once=4, part=2, cluster=where, **QUICK)
    assert (tmp_path / "two.dat").read_bytes() == expected
    with pytest.raises(ClusterError, match="two.dat exists already"):
        selfplay(out, path, games=8, cluster=where)


def test_what_a_net_raises_stops_the_run_in_a_line(driver: Driver, tmp_path: Path) -> None:
    words = ("--net", "toynet:broken", "--games", "8", "--out", "made.dat", *SMALL)
    *before, last = ended(driver("selfplay", *words), 1).splitlines()
    assert re.fullmatch(r"hippolyta.cluster: the net on .*: LookupError: no weights", last), last
    # Where it was raised on the node.
    assert "Traceback (most recent call last):" in before and before[-2] == "and more"
    assert any(re.search(r'toynet.py", line \d+, in broken$', line) for line in before)
    words = ("--net", "toynet:nothing", *words[2:])
    last = ended(driver("selfplay", *words), 1).splitlines()[-1]
    assert "the net on" in last and "module 'toynet' has no attribute 'nothing'" in last
    # A slip of the pen leaves nothing behind.
    assert not list(tmp_path.glob("made.dat*"))


def test_another_net_behind_the_same_name_is_refused(driver: Driver, tmp_path: Path) -> None:
    expected = alone(tmp_path / "one.dat", net, 8)
    words = ("--net", "toynet:learned", "--games", "8", "--part", "4", "--out", "two.dat", *SMALL)
    parts = tmp_path / "two.dat.parts"
    # It is killed before its first part is done.
    (tmp_path / "most").write_text("0")
    process = driver("selfplay", *words)
    until(lambda: (parts / "selfplay.json").exists(), process)
    process.kill()
    process.wait()
    (tmp_path / "most").unlink()
    (tmp_path / "weights").write_text("0.5")
    last = ended(driver("selfplay", *words), 1).splitlines()[-1]
    assert last.startswith(
        "hippolyta.cluster: two.dat.parts was begun with another net by the name of toynet:learned"
    )
    (tmp_path / "weights").unlink()
    ended(driver("selfplay", *words))
    assert (tmp_path / "two.dat").read_bytes() == expected and not parts.exists()


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_two_drivers_never_hold_the_same_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    """In a folder by a lock; at an address, where there are no locks, by signs of life."""
    pytest.importorskip("fsspec")
    monkeypatch.setattr(parts_of_runs, "BEAT", 0.1)
    (tmp_path / "made").write_text("games")
    parts = parts_of_runs.Parts.of(f"{scheme}{tmp_path}/two.dat", {})
    with parts.held():
        with (
            pytest.raises(ClusterError, match="^another driver is at work on .*two.dat; "),
            parts.held(),
        ):
            pass
        parts.store.write(b"{}", "settings.json")
    assert (tmp_path / "two.dat.parts" / "settings.json").exists()
    # What a killed driver has left does not stop the next one.
    (tmp_path / "two.dat.parts" / "cluster").mkdir(exist_ok=True)
    (tmp_path / "two.dat.parts" / "cluster" / "lock").write_text("gone 7")
    if scheme:
        write = parts_of_runs.Store.write

        def overtaken(store: parts_of_runs.Store, content: bytes, name: str) -> None:
            """Another driver begins at the same moment, and writes last."""
            write(store, content, name)
            write(store, b"another 1", name)

        with monkeypatch.context() as patched:
            patched.setattr(parts_of_runs.Store, "write", overtaken)
            with pytest.raises(ClusterError, match="^another driver is at work"), parts.held():
                pass
    with parts.held():
        parts.join(tmp_path / "made")
    assert (tmp_path / "two.dat").read_text() == "games"
    assert not (tmp_path / "two.dat.parts").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--net", "no.onnx"), 1, "no.onnx: No such file or directory"),
        (("--net", "net"), 1, "net is neither a file .onnx nor module:name (--net)"),
        (("--net", "a:b", "--nodes", "0"), 2, "nodes: 0 is not from 1 to"),
        (("--net", "a:b", "--gpus", "2"), 2, "gpus: 2 is not from 0 to 1"),
        (("--net", "a:b", "--variant", "chess"), 2, "unknown variant 'chess'"),
        (("--net", "a:b", "--gaems", "5"), 2, "unrecognized arguments: --gaems 5"),
        (("--net", "a:b", "--out", "/proc/x/y"), 1, "/proc/x: No such file or directory"),
    ],
)
def test_wrong_options_are_told_before_there_is_a_cluster(
    command: Command, tmp_path: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    usual = ("selfplay", "--address", "127.0.0.1:1", "--games", "5", "--out", "made.dat")
    ended_with, stdout, stderr = command(*usual, *words)
    assert (ended_with, stdout) == (code, ""), stderr
    assert said in stderr
    assert "--gaems" in words or stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
