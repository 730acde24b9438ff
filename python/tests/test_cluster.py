"""Learning and analysis on a cluster: nothing is lost, and the bytes are those of one process.

`fake_hippolyta.py` stands for the engine, so that the tests are about the cluster and take seconds.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import fake_ray
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
    processes,
    until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="clusters are tested on Linux")

from hippolyta.cluster import Cluster, ClusterError, Fit, Interrupted, analyse, learn, work
from hippolyta.cluster import driver as driving
from hippolyta.cluster.analyse import in_order, read_queries
from hippolyta.cluster.driver import interruptible, undisturbed
from hippolyta.cluster.journal import Journal
from hippolyta.cluster.program import Program
from hippolyta.cluster.progress import Count, Progress
from hippolyta.cluster.run import Run
from hippolyta.cluster.store import Stamp, Store
from hippolyta.cluster.task import Outcome, Task
from hippolyta.cluster.work import Job, perform

__all__ = ["cluster", "cluster_here", "command"]  # fixtures

FAKE = Path(__file__).with_name("fake_hippolyta.py")


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of the double, as a program."""
    path = tmp_path_factory.mktemp("engine") / "hippolyta"
    path.write_text(f"#!{sys.executable}\n{FAKE.read_text()}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def plain(engine: str, out: Path, *options: str) -> dict[str, bytes]:
    """The files of a run in one process."""
    subprocess.run([engine, "learn", "--out", str(out), *options], check=True)
    return files(out)


def files(folder: Path) -> dict[str, bytes]:
    """The files of a run, without those of the cluster."""
    return {name: (folder / name).read_bytes() for name in Store(str(folder)).sizes()}


@pytest.mark.parametrize(
    ("variables", "mode"),
    [
        ({}, "none"),
        ({"HOME": "{folder}"}, "token"),
        ({"RAY_AUTH_TOKEN_PATH": "{folder}/.ray/auth_token"}, "token"),
        ({"RAY_AUTH_TOKEN_PATH": "{folder}/missing", "HOME": "{folder}"}, "none"),
        ({"RAY_AUTH_TOKEN": "0123"}, "token"),
        ({"RAY_AUTH_TOKEN": "0123", "RAY_AUTH_MODE": "disabled"}, "disabled"),
    ],
)
def test_ray_is_told_to_show_a_token_before_it_is_imported(
    variables: dict[str, str], mode: str, tmp_path: Path
) -> None:
    """That Ray then shows it is tested on a real cluster."""
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("0123")
    (tmp_path / "ray.py").write_text("import os\nMODE = os.environ.get('RAY_AUTH_MODE', 'none')\n")
    script = "from hippolyta.cluster import driver; print(driver._ray().MODE)"
    environment = {
        **{name: text for name, text in os.environ.items() if not name.startswith("RAY_")},
        "HOME": str(tmp_path / "nobody"),
        "PYTHONPATH": str(tmp_path),
        **{name: text.format(folder=tmp_path) for name, text in variables.items()},
    }
    said = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, env=environment
    )
    assert said.stdout.strip() == mode


# One node, without Ray


def job(engine: str, run: Path, tmp_path: Path) -> Job:
    return Job(str(run), Program(engine).build(), engine, scratch=str(tmp_path / "scratch"))


def listed(engine: str, run: Path, *options: str) -> list[Task]:
    command = [engine, "learn", "--out", str(run), *options, "--tasks"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [Task.listed(line) for line in lines]


SMALL = ("--generations", "1", "--games", "80", "--nodes", "10")


def test_a_task_writes_what_one_process_writes_and_leaves_nothing_behind(
    engine: str, tmp_path: Path
) -> None:
    expected = plain(engine, tmp_path / "one", *SMALL)
    run = tmp_path / "run"
    tasks = listed(engine, run, *SMALL)
    assert [task.units for task in tasks] == [10] * 8
    here = job(engine, run, tmp_path)
    while tasks:
        for task in tasks:
            outcome = perform(here, task, {})
            assert (outcome.code, outcome.message) == (0, "")
            assert outcome.cpu > 0
            assert outcome.outputs == {name: Stamp.of(run / name) for name in task.outputs}
        tasks = listed(engine, run)
    assert expected.items() <= files(run).items()  # the driver removes what nobody needs
    assert not list((here.folder / "work").iterdir())
    assert not list((run / "cluster").iterdir())


def test_exit_codes_say_what_happens_next(engine: str, tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    marks.mkdir()
    run = tmp_path / "run"
    tasks = listed(engine, run, *SMALL, "--flaky", str(marks), "--broken", "play 1 3")
    here = job(engine, run, tmp_path)
    first = perform(here, tasks[0], {})
    assert (first.code, first.message) == (75, "hippolyta: no memory for play 1 0")
    assert perform(here, tasks[0], {}).code == 0
    broken = perform(here, tasks[3], {})
    assert (broken.code, broken.message) == (2, "hippolyta: play 1 3 cannot be done")
    # A file that is not there yet may come: network file systems show it late.
    (run / "generation-1/start.bin").unlink()
    assert perform(here, tasks[1], {}).code == 75


def test_a_task_that_is_done_is_not_done_again(engine: str, tmp_path: Path) -> None:
    """As where a worker was lost between writing and saying so: Ray starts its task again."""
    pytest.importorskip("fsspec")
    run = tmp_path / "run"
    task = listed(engine, run, *SMALL)[0]
    build = Program(engine).build()
    for store in (str(run), f"file://{run}"):
        here = Job(store, build, engine, scratch=str(tmp_path / "scratch"))
        first = perform(here, task, {})
        written = (run / task.outputs[0]).stat().st_mtime_ns
        again = perform(here, task, {})
        assert (again.code, again.cpu, again.outputs) == (0, 0.0, first.outputs)
        assert (run / task.outputs[0]).stat().st_mtime_ns == written


def test_an_engine_that_is_killed_is_tried_again(engine: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    task = listed(engine, run, *SMALL)[0]
    killed = tmp_path / "killed"
    killed.write_text("#!/bin/sh\nkill -9 $$\n")
    killed.chmod(0o755)
    here = job(engine, run, tmp_path)
    here.folder.mkdir(parents=True)
    other = Job(here.store, "any", str(killed), scratch=here.scratch)
    outcome = work.Program(str(killed)).run(["learn"])
    assert (outcome.code, outcome.message) == (-9, "ended by signal SIGKILL")
    # Its build is known from before, when it still worked.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "_build", lambda _: "any")
        assert perform(other, task, {}).code == 75
    assert "generation-1/shards/0000.dat" not in files(run)


def test_another_build_is_refused(engine: str, tmp_path: Path) -> None:
    run = tmp_path / "run"
    task = listed(engine, run, *SMALL)[0]
    here = Job(str(run), "hippolyta 9 (bench 5)", engine, scratch=str(tmp_path / "scratch"))
    outcome = perform(here, task, {})
    assert outcome.code == 1
    assert outcome.message == (
        "runs hippolyta 0.0.0-fake (bench 1234), the run began with hippolyta 9 (bench 5): "
        "install the same version on all nodes"
    )


def test_a_build_is_looked_at_again_when_the_program_changes(engine: str, tmp_path: Path) -> None:
    program = tmp_path / "hippolyta"
    shutil.copy(engine, program)
    memory = tmp_path / "memory"
    assert Program(str(program)).build_known(memory) == "hippolyta 0.0.0-fake (bench 1234)"
    program.write_text(program.read_text().replace("1234 nodes", "77 nodes"))
    assert Program(str(program)).build_known(memory) == "hippolyta 0.0.0-fake (bench 77)"


def test_the_engine_dies_with_its_worker(tmp_path: Path) -> None:
    script = tmp_path / "sleeper"
    script.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/pid\nexec sleep 600\n")
    script.chmod(0o755)
    code = f"from hippolyta.cluster.program import Program; Program({str(script)!r}).run([])"
    worker = subprocess.Popen([sys.executable, "-c", code])
    file = tmp_path / "pid"
    until(lambda: file.exists() and file.read_text().endswith("\n"), worker)
    worker.kill()
    worker.wait()
    until(lambda: not alive(int(file.read_text())))


def test_what_dead_workers_left_is_removed_and_what_living_ones_use_is_kept(
    engine: str, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    task = listed(engine, run, *SMALL)[0]
    here = job(engine, run, tmp_path)
    works = here.folder / "work"
    dead, living = works / "1-1", works / "1-2"
    for folder in (dead, living):
        folder.mkdir(parents=True)
        (works / f"{folder.name}.lock").touch()
        (folder / "learn.json").touch()
    with work._locked(works / "1-2.lock"):
        assert perform(here, task, {}).code == 0
    assert not dead.exists()
    assert living.exists()


# Stores


@pytest.fixture(params=["folder", "file", "memory"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for files of each kind: a folder, a file system that must rename, and one that need
    not.
    """
    if request.param == "folder":
        return str(tmp_path / "store")
    pytest.importorskip("fsspec")
    return f"file://{tmp_path}/store" if request.param == "file" else f"memory:/{tmp_path}/store"


def test_stores_keep_files(address: str, tmp_path: Path) -> None:
    store = Store(address)
    source = tmp_path / "source"
    source.write_bytes(b"one")
    assert store.sizes() == {}
    store.publish(source, "a/b.dat")
    store.publish(source, "cluster/journal-1.jsonl")
    assert store.sizes() == {"a/b.dat": 3}
    assert store.own() == ["cluster/journal-1.jsonl"]
    before = store.version("a/b.dat")
    source.write_bytes(b"three")
    store.publish(source, "a/b.dat")
    assert store.version("a/b.dat") != before
    store.fetch("a/b.dat", tmp_path / "back")
    assert (tmp_path / "back").read_bytes() == b"three"
    store.remove("a/b.dat")
    store.remove("a/b.dat")
    assert store.sizes() == {}
    with pytest.raises(FileNotFoundError):
        store.fetch("a/b.dat", tmp_path / "none")
    with pytest.raises(FileNotFoundError):
        store.version("a/b.dat")


def test_a_file_that_is_being_written_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(str(tmp_path / "store"))
    source = tmp_path / "source"
    source.write_bytes(b"content")

    def half(read: str, write: str) -> None:
        Path(write).write_bytes(Path(read).read_bytes()[:3])
        assert store.sizes() == {}
        raise OSError("the disk is full")

    monkeypatch.setattr(shutil, "copyfile", half)
    with pytest.raises(OSError, match="full"):
        store.publish(source, "a.dat")
    assert store.sizes() == {}
    assert store.own() == []


def test_inputs_are_fetched_once_and_checked(engine: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    run = tmp_path / "run"
    first, second, third = listed(engine, run, *SMALL)[:3]
    known = {name: Stamp.of(run / name) for name in ("learn.json", "generation-1/start.bin")}
    build = Program(engine).build()
    here = Job(f"file://{run}", build, engine, scratch=str(tmp_path / "scratch"))
    assert perform(here, first, known).code == 0
    (run / "generation-1/start.bin").write_bytes(b"damaged")
    assert perform(here, second, known).code == 0  # from the cache
    elsewhere = Job(f"file://{run}", build, engine, scratch=str(tmp_path / "elsewhere"))
    outcome = perform(elsewhere, third, known)
    assert (outcome.code, outcome.message) == (
        75,
        "OSError: generation-1/start.bin: not what was written",
    )


def test_the_cache_keeps_what_was_used_last(tmp_path: Path) -> None:
    for age, name in ((300, "old"), (200, "middle"), (100, "new"), (0, "now")):
        (tmp_path / name).write_bytes(b"x" * 10)
        when = time.time() - age
        os.utime(tmp_path / name, (when, when))
    work._prune(tmp_path, 20)
    assert {path.name for path in tmp_path.iterdir()} == {"middle", "new", "now"}


def test_an_interruption_within_compiled_parts_of_ray_is_one() -> None:
    with pytest.raises(Interrupted), interruptible():
        raise SystemError("returned a result with an exception set") from Interrupted()
    with pytest.raises(SystemError, match="another"), interruptible():
        raise SystemError("another")


def test_an_interruption_waits_where_ray_would_take_it_for_a_fault() -> None:
    passed = []
    with pytest.raises(Interrupted), interruptible():
        with undisturbed():
            os.kill(os.getpid(), signal.SIGTERM)
            passed.append("within")
        passed.append("behind")
    assert passed == ["within"]
    with interruptible(), undisturbed():
        pass


def test_journals_are_read_up_to_where_a_driver_was_killed(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    done = {"what": "done", "node": "a", "cpu": 1.5, "outputs": {"x": {"size": 3, "sha256": "00"}}}
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster/journal-1.jsonl").write_text(json.dumps(done) + '\n{"what":"done","no')
    journal = Journal(store, tmp_path)
    journal.close()
    assert journal.stamps == {"x": Stamp(3, "00")}
    assert journal.cpu == {"a": 1.5}


# The command, before there is a cluster


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("learn", "--gaems", "5"), "unexpected argument '--gaems'"),
        (("learn", "--games", "0"), "invalid value '0' for '--games <N>'"),
        (("learn", "--games", "many"), "invalid value 'many'"),
        (("learn", "further"), "unexpected argument 'further'"),
        (("analyse", "p.jsonl", "--jobs", "4"), "'--jobs <JOBS>' cannot be used multiple times"),
        (("analyse", "p.jsonl", "--hahs", "4"), "unexpected argument '--hahs'"),
        (("learn", "--retries", "0"), "--retries: '0' is not a whole number from 1 to 2147483647"),
        (
            ("learn", "--retries", str(2**31)),
            f"'{2**31}' is not a whole number from 1 to {2**31 - 1}",
        ),
    ],
)
def test_wrong_options_get_the_words_of_the_program_and_code_2(
    tmp_path: Path, command: Command, words: tuple[str, ...], said: str
) -> None:
    Path("p.jsonl").write_text('{"fen":"q2/3/2Q w"}')
    code, _, stderr = command(*words, "--out", "made")
    assert code == 2 and said in stderr
    if "--retries" not in words:
        program = [sys.executable, "-m", "hippolyta", words[0], *words[1:]]
        program = [word for word in program if word != "p.jsonl"]
        if "--jobs" in words:
            program += ["--jobs", "1"]
        alone = subprocess.run(
            [*program, *(["--out", "made"] if words[0] == "learn" else [])],
            check=False,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert (alone.returncode, stderr.partition("\n")[0]) == (2, alone.stderr.partition("\n")[0])
        assert "For more information, try '--help'." in stderr
    assert not list(tmp_path.glob("made*")), "nothing is begun with wrong options"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("learn", "--out", "/proc/x"), "/proc/x: No such file or directory"),
        (("learn", "--out", "file/run"), "file/run: Not a directory"),
        (("learn", "--out", "run", "--scratch", "/proc/y"), "/proc/y: No such file or directory"),
        (("analyse", "p.jsonl", "--out", "/proc/x/y"), "/proc/x: No such file or directory"),
        (("analyse", "p.jsonl", "--out", "/proc/x"), "/proc/x.parts: No such file or directory"),
        (("analyse", "no.jsonl", "--out", "a"), "no.jsonl: No such file or directory"),
        (
            ("learn", "--out", "run", "--address", "127.0.0.1:1"),
            "no Ray cluster at '127.0.0.1:1': ",
        ),
        (("learn", "--out", "run", "--address", "::1:99999"), "no Ray cluster at '::1:99999': "),
    ],
)
def test_what_the_system_refuses_is_one_line(
    tmp_path: Path, command: Command, words: tuple[str, ...], said: str
) -> None:
    Path("p.jsonl").write_text('{"fen":"q2/3/2Q w"}')
    Path("file").touch()
    options = ("--generations", "1", "--games", "9", "--nodes", "1") if words[0] == "learn" else ()
    code, _, stderr = command(*words, *options)
    assert code == 1 and stderr.count("\n") == 1
    assert stderr.startswith("hippolyta.cluster: ") and said in stderr


def test_other_options_than_those_of_the_folder_say_what_to_do(
    tmp_path: Path, command: Command
) -> None:
    words = ("learn", "--generations", "1", "--nodes", "1", "--out")
    for name in ("run", "other"):
        begin = [sys.executable, "-m", "hippolyta", *words, name, "--games", "100", "--tasks"]
        subprocess.run(begin, check=True, cwd=tmp_path, stdout=subprocess.DEVNULL)
    words = ("learn", "--address", "127.0.0.1:1", *words[1:])
    code, _, stderr = command(*words, "run", "--games", "9")
    assert code == 1 and "run holds a run with other options: --games 100 → 9; " in stderr
    assert "to go on with it, repeat its own; else name another folder" in stderr
    # An object store is named, not the copy that the driver keeps of it.
    other = f"file://{tmp_path}/other"
    code, _, stderr = command(*words, other, "--games", "9")
    assert code == 1 and f"{other} holds a run with other options" in stderr


def test_numbers_out_of_bounds_are_named() -> None:
    for make, name in (
        (lambda: Cluster(cache=0), "cache"),
        (lambda: Cluster(retries=-1), "retries"),
        (lambda: Fit(cpus=0), "cpus"),
        (lambda: analyse(Path("none"), "out", nodes=0), "nodes"),
        (lambda: analyse(Path("none"), "out", part=-5), "part"),
    ):
        with pytest.raises(ValueError, match=f"^{name}: -?[0-9] is not from [01] to "):
            make()


# The driver, without Ray


class Stage(Run):
    """A run and a cluster in one: three games of a match, the first of which decides it."""

    exceptions = SimpleNamespace(RayTaskError=ZeroDivisionError, RayError=ArithmeticError)

    def __init__(self, resource: str | None = None) -> None:
        self.out: list[str] = []
        self.submitted: list[str] = []
        self.resource = resource
        self.now = 0.0

    def tasks(self) -> list[Task]:
        names = ["gate 0", "gate 1", "gate 2"]
        if "gate 0" in self.out:
            names = ["judge"] if "judge" not in self.out else []
            names += [f"gate {i}" for i in (1, 2) if f"gate {i}" not in self.out and names]
        names = [name for name in names if name not in self.out]
        return [Task(name, name.split()[0], 1, (), (name,), 1, ()) for name in names]

    def here(self, task: Task) -> Outcome | None:
        if task.kind != "judge":
            return None
        assert task.name not in self.out, "it was done already"
        self.out.append(task.name)
        return Outcome(task.name, 0)

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return "judge" in self.out

    def done(self, task: Task, outcome: Outcome) -> None:
        self.out.append(task.name)

    def resources(self, task: Task, largest: int) -> dict[str, Any]:
        return {"num_cpus": 1, **({"resources": {self.resource: 1}} if self.resource else {})}

    def far(self, waiting: list[Task]) -> tuple[str, str, int, int]:
        return "", "games", 0, 0

    # Ray

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": {"CPU": 4, "node:10.0.0.1": 1}}]

    def options(self, **options: Any) -> Stage:
        return self

    def remote(self, job: Job, task: Task, known: Any, cores: int = 1) -> str:
        self.submitted.append(task.name)
        return task.name

    def wait(self, refs: list[str], **options: Any) -> tuple[list[str], list[str]]:
        self.now += 1.5
        return refs[:1], refs[1:]

    def get(self, ref: str) -> Outcome:
        return Outcome(ref, 0)

    def cancel(self, ref: str, force: bool) -> None:
        pass


def driven(stage: Stage, monkeypatch: pytest.MonkeyPatch, said: io.StringIO) -> driving.Driver:
    """A driver of a run, which says what it says."""
    monkeypatch.setattr(driving, "_ray", lambda: stage)
    monkeypatch.setattr(driving, "_remote", lambda: stage)
    monkeypatch.setattr(time, "monotonic", lambda: stage.now)
    journal: Any = SimpleNamespace(
        stamps={}, cpu={}, done=lambda *_: None, note=lambda *_, **__: None
    )
    return driving.Driver(stage, Job("", ""), journal, Progress(said), Cluster())


def staged(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> str:
    """Drives a run, and returns what was said."""
    said = io.StringIO()
    driven(stage, monkeypatch, said).run()
    return said.getvalue()


def test_what_the_driver_has_done_itself_is_not_given_to_a_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = Stage()
    staged(stage, monkeypatch)
    assert stage.out[:2] == ["gate 0", "judge"]
    assert stage.submitted == ["gate 0", "gate 1", "gate 2"]


def test_a_node_with_another_build_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other(Stage):
        util = SimpleNamespace()

        def nodes(self) -> list[dict[str, Any]]:
            return [{**node, "NodeID": "1", "NodeManagerAddress": "a"} for node in super().nodes()]

        def get(self, ref: str) -> Outcome:
            return Outcome(ref, 1, "runs hippolyta 9, the run began with 8", node="a/1")

    strategies: Any = ModuleType("ray.util.scheduling_strategies")
    strategies.NodeAffinitySchedulingStrategy = lambda node, soft: node
    monkeypatch.setitem(sys.modules, strategies.__name__, strategies)
    driver = driven(Other(), monkeypatch, io.StringIO())
    with pytest.raises(ClusterError, match="^node a/1: runs hippolyta 9, the run began with 8$"):
        driver.check_nodes("learn.json")


def test_what_a_task_was_sent_is_sent_anew_if_it_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray tells of it as of an exception of the task."""

    class Failed(ArithmeticError):
        def __init__(self, cause: Exception) -> None:
            super().__init__(str(cause))
            self.cause = cause

    class Losing(Stage):
        exceptions = SimpleNamespace(RayTaskError=Failed, RayError=ArithmeticError)
        lost: Exception = ArithmeticError("the owner of the object has died")

        def get(self, ref: str) -> Outcome:
            if self.submitted.count(ref) == 1 and ref == "gate 0":
                raise Failed(self.lost)
            return super().get(ref)

    stage = Losing()
    said = staged(stage, monkeypatch)
    assert said.startswith("gate 0: the owner of the object has died; again in 1 s")
    assert stage.submitted.count("gate 0") == 2 and "gate 0" in stage.out
    stage = Losing()
    stage.lost = LookupError("its own")
    with pytest.raises(ClusterError, match="^gate 0: its own$"):
        staged(stage, monkeypatch)


def test_what_no_node_has_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert staged(Stage("node:10.0.0.1"), monkeypatch) == ""
    assert staged(Stage("fitter"), monkeypatch).splitlines() == [
        "waiting for a node with the resource 'fitter'"
    ]
    monkeypatch.setattr(driving, "_ray", Stage)
    driver: Any = SimpleNamespace()
    with pytest.raises(
        ClusterError, match=r"^no node has the resource 'fitter' .*node:10\.0\.0\.1$"
    ):
        driving.Driver.check_resource(driver, "fitter")


# Queries and progress


def test_queries_are_checked_before_anything_runs() -> None:
    queries = read_queries(['{"fen":"x","id":"é"}', "", '{"nodes":5}'], "p.jsonl")
    assert [query.id.decode() for query in queries] == ['"é"', '"3"']
    assert [json.loads(query.line)["id"] for query in queries] == ["0", "1"]
    for line, message in (
        ("{", "p.jsonl, line 1: not JSON"),
        ("[]", "p.jsonl, line 1: a query is an object"),
        ('{"id":1}', "p.jsonl, line 1: the id is not a string"),
        ('{"action":"terminate_all"}', "p.jsonl, line 1: there is nothing to terminate"),
        ("", "p.jsonl has no positions"),
    ):
        with pytest.raises(ClusterError, match=message):
            read_queries([line], "p.jsonl")


def test_answers_are_put_in_order() -> None:
    queries = read_queries(['{"id":"a"}', '{"id":"b"}'], "")
    answers = b'{"id":"1","x":1}\n{"id":"0","w":0}\n{"id":"0","x":0}\n'
    expected = [b'{"id":"a","w":0}', b'{"id":"a","x":0}', b'{"id":"b","x":1}']
    assert list(in_order(queries, 0, answers)) == expected
    with pytest.raises(ClusterError, match='query "b" has no answer'):
        list(in_order(queries, 0, b'{"id":"0","x":0}'))
    with pytest.raises(ClusterError, match="not an answer: panic"):
        list(in_order(queries, 0, b"panic"))


def test_progress_tells_speed_and_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    progress = Progress()
    for done in (0, 50, 100):
        progress.finished(done)
        now[0] += 10.0
    count = Count("generation 1 of 2, self-play", "games", 100, 400, 4, 1, 2)
    assert progress.line(count, {"a": 60.0, "b": 1.0}) == (
        "generation 1 of 2, self-play: 100 of 400 games, 3.33 games/s, 90 s left, "
        "4 tasks on 1 node, 2 cores, processor time 61 s"
    ).replace("90 s", "2 min")
    progress.show(count, {})
    assert capsys.readouterr().err == ""  # at most a line a minute
    now[0] += 31.0
    progress.show(count, {})
    assert capsys.readouterr().err.count("\n") == 1


# Two nodes


def engines(engine: str) -> list[tuple[int, int]]:
    """The engines that run a task: their process ids and those of their workers."""
    return processes(
        lambda words: engine.encode() in words and (b"--run" in words or b"analyse" in words)
    )


@pytest.fixture
def driver(cluster: Any, engine: str, tmp_path: Path) -> Iterator[Driver]:
    """Starts `python -m hippolyta.cluster`, on the cluster and with the double."""
    yield from drivers(cluster, tmp_path, "--engine", engine)


def test_what_fails_for_now_is_tried_again(driver: Driver, engine: str, tmp_path: Path) -> None:
    expected = plain(engine, tmp_path / "one", *SMALL)
    marks = tmp_path / "marks"
    marks.mkdir()
    flaky = (*SMALL, "--flaky", str(marks))
    stderr = ended(driver("learn", "--out", "run", *flaky))
    assert "merge 1 on 1" in stderr
    assert "no memory for merge 1; again in 1 s" in stderr
    got = files(tmp_path / "run")
    assert got.pop("learn.json") != expected.pop("learn.json")
    assert got.keys() == expected.keys()
    assert len(list(marks.iterdir())) == 8 + 1 + 1 + 4 + 1 + 1


def test_a_damaged_input_is_made_again(driver: Driver, engine: str, tmp_path: Path) -> None:
    expected = plain(engine, tmp_path / "one", *SMALL)
    run = tmp_path / "run"
    here = job(engine, run, tmp_path)
    for task in listed(engine, run, *SMALL):
        assert perform(here, task, {}).code == 0
    shard = run / "generation-1/shards/0003.dat"
    shard.write_bytes(b"?" + shard.read_bytes()[1:])
    stderr = ended(driver("learn", "--out", "run", *SMALL))
    assert "hippolyta: generation-1/shards/0003.dat: damaged; removed" in stderr
    assert files(run) == expected


def test_what_fails_for_good_stops_the_run(driver: Driver, tmp_path: Path) -> None:
    broken = (*SMALL, "--broken", "merge 1")
    stderr = ended(driver("learn", "--out", "run", *broken), 1)
    assert stderr.splitlines()[-1].startswith("hippolyta.cluster: merge 1 on ")
    assert stderr.splitlines()[-1].endswith(": hippolyta: merge 1 cannot be done")
    assert len(list((tmp_path / "run/generation-1/shards").iterdir())) == 8
    other = ended(driver("learn", "--out", "run", *SMALL), 1)
    assert other == "hippolyta.cluster: the run was begun with other settings\n"


def test_a_resource_that_no_node_has_is_named_before_anything_is_played(
    driver: Driver, tmp_path: Path
) -> None:
    stderr = ended(driver("learn", "--out", "run", "--fit-on", "NOPE", *SMALL), 1)
    assert stderr.startswith("hippolyta.cluster: no node has the resource 'NOPE'")
    assert stderr.count("\n") == 1 and not (tmp_path / "run").exists()


def test_nothing_is_begun_where_a_node_is_refused(
    cluster_here: fake_ray.Cluster, engine: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*_: Any) -> None:
        raise ClusterError("node a/1: runs hippolyta 9")

    monkeypatch.setattr(driving.Driver, "check_nodes", refuse)
    where = Cluster(cluster_here.address, engine)
    positions = tmp_path / "positions.jsonl"
    positions.write_text('{"fen": "1"}\n')
    for address in (str(tmp_path / "out"), "memory://refused/out"):
        with pytest.raises(ClusterError, match="^node a/1: runs hippolyta 9$"):
            learn(address, SMALL, cluster=where)
        with pytest.raises(ClusterError, match="^node a/1: runs hippolyta 9$"):
            analyse(positions, address, cluster=where)
        for store in (Store(address), Store(f"{address}.parts")):
            assert not store.sizes() and not store.own()
    assert list(tmp_path.iterdir()) == [positions]


def test_answers_come_in_order_and_an_interrupted_run_goes_on(
    driver: Driver, engine: str, tmp_path: Path
) -> None:
    hold = tmp_path / "hold"
    hold.write_text("20")
    lines = [
        json.dumps({"id": f"q{n}", "fen": str(n), "warn": n % 3 == 0, "hold": str(hold)})
        for n in range(60)
    ]
    (tmp_path / "positions.jsonl").write_text("\n".join(lines) + "\n")
    given = ("positions.jsonl", "--nodes", "10", "--part", "5", "--out", "answers.jsonl")

    process = driver("analyse", *given)
    parts = tmp_path / "answers.jsonl.parts"
    until(lambda: len(list(parts.glob("0*.jsonl"))) >= 2, process)
    # Another driver of the same answers is refused.
    other = ended(driver("analyse", *given), 1)
    assert other.startswith("hippolyta.cluster: another driver is at work on answers.jsonl; ")
    process.send_signal(signal.SIGINT)
    stderr = ended(process, 130)
    hold.unlink()
    again = "To go on: python -m hippolyta.cluster analyse positions.jsonl --nodes 10 --part 5"
    assert again in stderr
    assert "Traceback" not in stderr
    until(lambda: not engines(engine))
    assert 2 <= len(list(parts.glob("0*.jsonl"))) < 12
    assert not (tmp_path / "answers.jsonl").exists()

    other = ended(
        driver("analyse", "positions.jsonl", "--nodes", "11", "--out", "answers.jsonl"), 1
    )
    assert "was begun with other options" in other
    ended(driver("analyse", *given))
    answers = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    expected = [f"q{n}" for n in range(60) for _ in range(1 + (n % 3 == 0))]
    assert [answer["id"] for answer in answers] == expected
    alone = subprocess.run(
        [engine, "analyse"], check=True, input="\n".join(lines), capture_output=True, text=True
    )
    assert (tmp_path / "answers.jsonl").read_text() == alone.stdout
    assert not parts.exists()
    with pytest.raises(ClusterError, match="exists already"):
        analyse(tmp_path / "positions.jsonl", tmp_path / "answers.jsonl")


def test_an_object_store_gets_the_same_bytes(
    driver: Driver, command: Command, engine: str, tmp_path: Path
) -> None:
    pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    hold = tmp_path / "hold"
    options = (*SMALL, "--hold", str(hold))
    expected = plain(engine, tmp_path / "one", *options)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, server)
        # The nodes of this cluster have no keys in their environment.
        where = {"endpoint_url": f"http://127.0.0.1:{port}", "key": "key", "secret": "secret"}
        files_of = s3fs.S3FileSystem(**where, use_listings_cache=False, skip_instance_cache=True)
        files_of.mkdir("bucket")
        words = ("--out", "s3://bucket/run", *options, "--storage-options", json.dumps(where))

        hold.write_text("3")
        process = driver("learn", *words)
        until(lambda: len(files_of.find("bucket/run/generation-1/shards")) >= 3, process)
        process.terminate()
        assert "To go on: python -m hippolyta.cluster learn --out s3" in ended(process, 130)
        hold.unlink()
        until(lambda: not engines(engine))
        ended(driver("learn", *words))
        got = {
            path.removeprefix("bucket/run/"): files_of.cat_file(path)
            for path in files_of.find("bucket/run")
            if "/cluster/" not in path
        }
        assert got == expected
        # A mistyped bucket is not made.
        words = ("--out", "s3://bukket/run", *SMALL, "--storage-options", json.dumps(where))
        wrong = command("learn", *words, "--engine", engine, "--address", "127.0.0.1:1")
        text = "s3://bukket/run: there is no bucket 'bukket': correct --out, or make it first"
        assert wrong == (1, "", f"hippolyta.cluster: {text}\n")
        assert files_of.ls("") == ["bucket"]
    finally:
        server.kill()
        server.wait()
