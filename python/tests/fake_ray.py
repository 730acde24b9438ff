"""A double of Ray for the tests of `hippolyta.cluster`, which starts in no time.

The cluster is a folder, and a node of it a file with its resources. Each driver starts workers of its own for the
slots of the nodes; they end with it, with their node, or when somebody kills them. `python fake_ray.py COMMAND…` is
`python -m hippolyta.cluster COMMAND…` with this in place of Ray.
"""

from __future__ import annotations

import ctypes
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import traceback
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future
from concurrent.futures import TimeoutError as NotYet
from concurrent.futures import wait as wait_for
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = "127.0.0.1"


class Cluster:
    """A cluster of this machine, which begins with a head of two slots."""

    def __init__(self, folder: Path) -> None:
        self.address = str(folder)
        self.add_node(num_cpus=2)

    def add_node(self, num_cpus: int, num_gpus: int = 0) -> Path:
        node = Path(self.address, f"{uuid.uuid4().hex}.json")
        resources = {"CPU": num_cpus, f"node:{HERE}": 1, **({"GPU": 1} if num_gpus else {})}
        fresh = node.with_suffix(".new")
        fresh.write_text(json.dumps(resources))
        fresh.rename(node)
        return node

    def remove_node(self, node: Path) -> None:
        node.unlink()


class RayError(Exception):
    pass


class RayTaskError(RayError):
    def __init__(self, cause: Exception) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Connection:
    """A driver's connection: what it has submitted, and a thread for each slot."""

    def __init__(self, address: str) -> None:
        self.folder = Path(address)
        self.tasks: deque[tuple[Future[Any], bytes, dict[str, Any]]] = deque()
        self.changed = threading.Condition()
        self.is_over = False
        self.threads: list[threading.Thread] = []
        self.known: set[str] = set()

    def nodes(self) -> list[dict[str, Any]]:
        found = []
        for file in sorted(self.folder.glob("*.json")):
            with suppress(FileNotFoundError):
                resources = json.loads(file.read_text())
                found.append((file, resources))
            if file.stem not in self.known:
                self.known.add(file.stem)
                for _ in range(resources["CPU"]):
                    thread = threading.Thread(target=self.slot, args=[file, resources], daemon=True)
                    thread.start()
                    self.threads.append(thread)
        return [
            {"NodeID": f.stem, "NodeManagerAddress": HERE, "Alive": True, "Resources": resources}
            for f, resources in found
        ]

    def take(self, node: Path, resources: dict[str, Any]) -> Any:
        """A task that this node can do; None if the node or the connection is gone."""
        with self.changed:
            while not self.is_over and node.exists():
                for task in self.tasks:
                    needs = {**task[2].get("resources", {}), "GPU": task[2].get("num_gpus", 0)}
                    wanted = task[2].get("scheduling_strategy")
                    if all(name in resources for name, much in needs.items() if much) and (
                        wanted is None or wanted.node == node.stem
                    ):
                        self.tasks.remove(task)
                        return task
                self.changed.wait(0.05)
        return None

    def slot(self, node: Path, resources: dict[str, Any]) -> None:
        worker: subprocess.Popen[bytes] | None = None
        while task := self.take(node, resources):
            future, call, options = task
            if worker is None:
                pipe = subprocess.PIPE
                worker = subprocess.Popen([sys.executable, __file__], stdin=pipe, stdout=pipe)
            answered = threading.Event()

            def watch(worker: Any = worker, answered: threading.Event = answered) -> None:
                while not answered.wait(0.05):
                    if self.is_over or not node.exists():
                        worker.kill()
                        return

            threading.Thread(target=watch, daemon=True).start()
            try:
                assert worker.stdin and worker.stdout
                where = {"node": node.stem, "gpus": options.get("num_gpus", 0)}
                pickle.dump((where, call), worker.stdin)
                worker.stdin.flush()
                is_good, result = pickle.load(worker.stdout)
                result = result if is_good else RayTaskError(result)
            except (OSError, EOFError, pickle.UnpicklingError):
                worker.kill()
                worker.wait()
                worker = None
                is_good, result = False, RayError("The worker died unexpectedly")
            answered.set()
            if not future.cancelled():
                future.set_result(result) if is_good else future.set_exception(result)
        if worker is not None:
            worker.kill()
            worker.wait()


class Remote:
    def __init__(self, function: Any, options: dict[str, Any]) -> None:
        self._function, self._options = function, options

    def options(self, **options: Any) -> Remote:
        return Remote(self._function, options)

    def remote(self, *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        given = [a.result() if isinstance(a, Future) else a for a in arguments]
        with connection().changed:
            call = pickle.dumps((self._function, given))
            connection().tasks.append((future, call, self._options))
            connection().changed.notify_all()
        return future


_here: list[Connection] = []
_at: dict[str, Any] = {}


def connection() -> Connection:
    return _here[0]


def init(address: str, **_: Any) -> None:
    _here.append(Connection(address))
    nodes()


def is_initialized() -> bool:
    return bool(_here)


def shutdown() -> None:
    gone = _here.pop()
    with gone.changed:
        gone.is_over = True
        gone.changed.notify_all()
    for thread in gone.threads:
        thread.join()


def nodes() -> list[dict[str, Any]]:
    return connection().nodes()


def cluster_resources() -> dict[str, float]:
    return {"GPU": sum(node["Resources"].get("GPU", 0) for node in nodes())}


def remote(function: Any) -> Remote:
    return Remote(function, {})


def put(thing: Any) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_result(thing)
    return future


def get(ref: Future[Any]) -> Any:
    while True:  # as a signal is heard only between two waits
        with suppress(NotYet):
            return ref.result(0.05)


def wait(refs: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
    end = time.monotonic() + timeout
    while True:
        done = wait_for(refs, 0.02 if timeout else 0, FIRST_COMPLETED).done
        if done or time.monotonic() >= end:
            return [ref for ref in refs if ref in done], [ref for ref in refs if ref not in done]


def cancel(ref: Future[Any], force: bool = False) -> None:
    ref.cancel()


class Affinity:
    def __init__(self, node: str, soft: bool) -> None:
        self.node = node


class Gauge:
    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    set = set_default_tags = __init__


class Context:
    @property
    def gcs_address(self) -> str:
        return str(connection().folder)

    def get_node_id(self) -> str:
        return str(_at["node"])

    def get_assigned_resources(self) -> dict[str, Any]:
        return {"GPU": _at["gpus"]}


def install(modules: dict[str, Any]) -> None:
    """From now on this is Ray."""
    import cloudpickle

    def module(name: str, **contents: Any) -> Any:
        made: Any = ModuleType(name)
        modules[name] = made
        made.__dict__.update(contents)
        return made

    here = {name: thing for name, thing in globals().items() if not name.startswith("__")}
    util = module("ray.util", get_node_ip_address=lambda: HERE)
    util.metrics = module("ray.util.metrics", Gauge=Gauge)
    util.scheduling_strategies = module(
        "ray.util.scheduling_strategies", NodeAffinitySchedulingStrategy=Affinity
    )
    modules["ray.cloudpickle"] = cloudpickle
    exceptions = module("ray.exceptions", RayError=RayError, RayTaskError=RayTaskError)
    more = {"util": util, "exceptions": exceptions, "cloudpickle": cloudpickle}
    module("ray", **here, **more, get_runtime_context=Context)


def work() -> None:
    """A worker: does what it is told, until it is told no more."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # it ends with the driver, and its engine with it
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    told, tell = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while True:
        try:
            where, call = pickle.load(told)
        except EOFError:
            return
        _at.update(where)
        try:
            function: Callable[..., Any]
            function, arguments = pickle.loads(call)
            answer = (True, function(*arguments))
        except Exception as error:  # noqa: BLE001
            traceback.print_exc()
            answer = (False, error)
        pickle.dump(answer, tell)
        tell.flush()


if __name__ == "__main__":
    install(sys.modules)
    if sys.argv[1:]:
        from hippolyta.cluster.__main__ import main

        sys.exit(main())
    work()
