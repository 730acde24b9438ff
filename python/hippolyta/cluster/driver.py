"""The driver: keeps the nodes of a Ray cluster busy with the tasks of a run until none is left.

Ray starts a task again if its node is lost or its worker is killed. Tasks that Ray gives up, or
that failed for a reason that may pass, the driver submits again after a pause.
"""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TextIO

from .errors import ClusterError, NodeTraceback, reason_of, told_in_one_line
from .journal import Journal
from .metrics import Metrics
from .net import Net
from .program import TRY_AGAIN
from .progress import Count, Progress
from .run import Cluster, Handing, Run
from .store import Stamp
from .task import Outcome, Task
from .wheels import Wheel
from .work import Job

INTERRUPTS = (signal.SIGINT, signal.SIGTERM)
"""The signals that ask the driver to end."""

SUBMITTED = 2
"""Tasks submitted for each slot: one that runs, and one that waits, so that no slot is idle between
two.
"""

RAY_RETRIES = 3
"""How often Ray itself starts a task again whose worker or node is lost."""

PAUSES = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0)
"""Seconds before a task is tried again: after the first failure, the second, …"""


NAMES = ("auto", "local")
"""Addresses that are that of any cluster to which this process is connected."""

PATIENCE = 10.0
"""Seconds for a cluster to answer at its address."""

LISTEN = 0.05
"""Seconds between two looks at what an owner hands out."""

SHOWN = 0.5
"""Seconds between two looks at how far the run is."""

MADE = 3
"""How often a task may be done again because what it wrote could not be read."""

ORDINARY = {"CPU", "GPU", "memory", "object_store_memory", "node:__internal_head__"}
"""Resources that nodes have by themselves, and that say nothing of where the fit should run."""

LASTING = ("play", "part")
"""Kinds of tasks that must be done whatever else is done: they need not be listed again."""


def _ray() -> Any:
    """Ray, of which not everything is typed, and which is needed only here. Raises ClusterError."""
    _show_token()
    try:
        import ray
    except ImportError as error:
        raise ClusterError("a cluster needs Ray: it comes with hippolyta[cluster]") from error
    return ray


def connected_ray() -> Any:
    """Ray, to which this process must be connected. Raises ClusterError."""
    ray = _ray()
    if not ray.is_initialized():
        raise ClusterError("this process is not connected to Ray: call ray.init() first")
    return ray


def _show_token() -> None:
    """Makes Ray show its token to any cluster, if it has one and RAY_AUTH_MODE does not say
    otherwise. `ray start` makes clusters that want it under the same condition; by itself Ray
    shows it to the cluster of this machine only. Ray reads the variable when it is imported first.
    """
    file = os.environ.get("RAY_AUTH_TOKEN_PATH") or os.path.expanduser("~/.ray/auth_token")
    if os.environ.get("RAY_AUTH_TOKEN") or os.path.isfile(file):
        os.environ.setdefault("RAY_AUTH_MODE", "token")


class Interrupted(Exception):
    """Somebody wants the run to end now; it can go on later."""


@dataclass
class _Signals:
    """Whether somebody wants the run to end, and whether it may not hear of that yet."""

    asked: bool = False
    held: bool = False


_signals = _Signals()


def _in_main_thread() -> bool:
    """Whether this thread is the one that hears signals."""
    return threading.current_thread() is threading.main_thread()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Interrupted is raised at the end of the block, not within it: Ray takes it for a fault of what it unpacks."""
    if not _in_main_thread():
        yield
        return
    _signals.held = True
    try:
        yield
    finally:
        _signals.held = False
        if _signals.asked:
            raise Interrupted


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C and SIGTERM raise Interrupted in the main thread. Other threads hear of no signals."""
    if not _in_main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        _signals.asked = True
        if not _signals.held:
            raise Interrupted

    _signals.asked = False
    before = {number: signal.signal(number, interrupt) for number in INTERRUPTS}
    try:
        yield
    except SystemError as error:
        # Compiled parts of Ray make this of an exception if they have a result already.
        if isinstance(error.__cause__, Interrupted):
            raise Interrupted from error
        raise
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def begun(where: str, cluster: Cluster) -> Iterator[Path]:
    """A run from its first look at its options to its end, with a folder of the driver's own. Refusals of
    the system are ClusterErrors that name a file, or else `where`.
    """
    with told_in_one_line(where), interruptible(), cluster.folder() as local:
        yield local


def check_address(address: str) -> None:
    """Raises ClusterError if nothing listens at `HOST:PORT`: Ray would try for ten minutes. Nothing is begun at OUT
    because of a wrong address. A connection that there is has its own.
    """
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        return
    host, _, port = address.rpartition(":")
    if not host or "/" in host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ClusterError(f"no Ray cluster at {address!r}: {reason}") from error


@contextmanager
def connected(address: str, progress: Progress) -> Iterator[None]:
    """A connection to the Ray cluster at `address`; `local` starts one on this machine. One that this process has
    already is used, and left as it is. Raises ClusterError.
    """
    ray = _ray()
    if ray.is_initialized():
        there = ray.get_runtime_context().gcs_address
        if address not in (there, *NAMES):
            raise ClusterError(
                f"this process is connected to the Ray cluster at {there!r}, not {address!r}"
            )
        yield
        return
    check_address(address)
    handlers = {number: signal.getsignal(number) for number in INTERRUPTS}
    try:
        with progress.waiting(f"waiting for the Ray cluster at {address!r}"):
            ray.init(
                address=address,
                log_to_driver=False,
                logging_level=logging.ERROR,
                namespace="hippolyta",
            )
    except Interrupted:
        raise
    except Exception as error:  # Ray has no common class for what goes wrong here
        raise ClusterError(f"no Ray cluster at {address!r}: {reason_of(error)}") from error
    if _in_main_thread():
        for number, handler in handlers.items():
            signal.signal(number, handler)  # Ray has taken SIGTERM for itself
    if address == "auto":
        where = ray.get_runtime_context().gcs_address
        progress.say(f"joined the Ray cluster at {where}; --address chooses another")
    try:
        with redirect_stderr(_Brief(sys.stderr)):  # pyright: ignore[reportArgumentType]
            yield
    finally:
        ray.shutdown()


class _Brief(io.TextIOBase):
    """Standard error for Ray, which may tell twenty lines of a log about a lost node, and more than
    once: one line.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._told: set[str] = set()

    def write(self, text: str) -> int:
        line = text.strip().partition("\n")[0][:200]
        if line and line not in self._told:
            self._told.add(line)
            self._out.write(line + "\n")
        return len(text)

    def flush(self) -> None:
        self._out.flush()


@dataclass
class _Flight:
    task: Task
    cores: int


@dataclass
class Driver:
    """Runs the tasks of `source` on the cluster that is connected. `name` is what metrics call it; without one
    there are none. `wheels` are engines that they need, `net` is what plays in place of the program.
    """

    source: Run
    job: Job
    journal: Journal
    progress: Progress
    cluster: Cluster
    name: str = ""
    wheels: tuple[Wheel, ...] = ()
    net: Net | None = None
    _flights: dict[Any, _Flight] = field(default_factory=dict)
    _failures: dict[str, int] = field(default_factory=dict)
    _pauses: dict[str, float] = field(default_factory=dict)
    _made: Counter[str] = field(default_factory=Counter)
    _missing: set[str] = field(default_factory=set)
    _shown: float = 0.0
    _metrics: Metrics | None = None
    _sent: list[Any] = field(default_factory=list)

    def use(self, net: Net) -> None:
        """What plays from now on."""
        self.net = net
        self._sent.clear()

    def cores(self) -> int:
        """The cores of the cluster as it is now."""
        seen = _Nodes()
        seen.look()
        return seen.slots

    def gpus(self) -> float:
        """The GPUs of the cluster as it is now, as Ray counts them."""
        return float(_ray().cluster_resources().get("GPU", 0))

    def check_resource(self, name: str) -> None:
        """Raises ClusterError if no node has this resource."""
        seen = _Nodes()
        seen.look()
        if name not in seen.resources:
            known = sorted(seen.resources - ORDINARY)
            raise ClusterError(
                f"no node has the resource {name!r} on which the fit shall run (--fit-on); "
                f"`ray start --resources '{json.dumps({name: 1})}'` gives it to one; "
                f"there are {', '.join(known) or 'none'}"
            )

    def check_nodes(self, file: str | None) -> None:
        """Checks that each node has the driver's engine and reads `file` of the run, if it has
        files.

        Raises ClusterError with a line that names the node.
        """
        ray = _ray()
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        inputs = (file,) if file else ()
        probe = Task("look at the node", "probe", 0, inputs, (), 0, ("--version",))

        def ask(node: str) -> Any:
            where = NodeAffinitySchedulingStrategy(node, soft=True)
            return (
                _remote().options(num_cpus=0, scheduling_strategy=where).remote(self.job, probe, {})
            )

        alive = [node for node in ray.nodes() if node["Alive"]]
        addresses = {node["NodeID"]: node["NodeManagerAddress"] for node in alive}
        asked = {node: ask(node) for node in addresses}
        for node, ref in asked.items():
            for pause in (*PAUSES[:3], None):
                try:
                    with self.progress.waiting(f"waiting for an answer of node {addresses[node]}"):
                        outcome: Outcome = ray.get(ref)
                except ray.exceptions.RayTaskError as error:
                    raise ClusterError(_unpacked(error)) from error
                except ray.exceptions.RayError:
                    break  # the node went away; those that come are checked with their first task
                if outcome.code == 0:
                    break
                if outcome.code != TRY_AGAIN or pause is None:
                    raise ClusterError(f"node {outcome.node}: {outcome.message}")
                time.sleep(pause)  # a network file system may show a new file late
                ref = ask(node)

    def run(self) -> None:
        """Works until no task is left. Raises ClusterError if the run cannot go on."""
        ray = _ray()
        waiting: deque[Task] = deque()
        fresh = True  # something was done since the tasks were listed
        listed = 0.0
        seen = _Nodes()
        while True:
            # Waiting tasks need not be listed anew if all are play or parts, which nothing makes
            # needless.
            old = not all(task.kind in LASTING for task in waiting) or not waiting
            if fresh and old and (not self._flights or time.monotonic() - listed > 1.0):
                flying = {flight.task.name for flight in self._flights.values()}
                tasks = self.source.tasks()
                listed = time.monotonic()
                fresh = False
                waiting = deque(task for task in tasks if task.name not in flying)
                for task in waiting:
                    if self._made[task.name] > MADE:
                        raise ClusterError(f"{task.name} was done {MADE + 1} times, and in vain")
                self._forget(tasks)
                if any(self._do_here(task) for task in tasks):
                    # The waiting tasks are out of date: the task that was done here is among them.
                    fresh, listed = True, float("-inf")
                    continue
                if not waiting and not self._flights:
                    return
            self._go_on(waiting, seen)
            for ref, flight in self._flights.items():
                if 1 < flight.cores > seen.largest > 0:
                    ray.cancel(ref, force=True)  # the node that was large enough is gone
            if not self._flights:
                time.sleep(0.1)  # all that waits pauses
                continue
            again, landed = self._land_those_that_are_done(0.5)
            waiting.extend(again)
            fresh = fresh or landed > len(again)

    def serve(self, source: Handing) -> None:
        """Works until a run is over that hands out its tasks. Raises ClusterError if it cannot go
        on.
        """
        each = SUBMITTED if source.ahead else 1
        waiting: deque[Task] = deque()
        seen = _Nodes()
        while not source.is_over():
            seen.look()
            source.want(each * max(seen.slots, 1))
            waiting.extend(source.tasks())
            self._go_on(waiting, seen)
            if self._flights:
                again, _ = self._land_those_that_are_done(LISTEN)
                waiting.extend(again)
            else:
                time.sleep(LISTEN)

    def _go_on(self, waiting: deque[Task], seen: _Nodes) -> None:
        """Submits what there is room for, and tells how far the run is."""
        seen.look()
        self._submit(waiting, seen)
        self._tell_what_is_missing(seen)
        self._show(waiting, seen)

    def _land_those_that_are_done(self, patience: float) -> tuple[list[Task], int]:
        """The tasks that must be tried again, and how many have come back. Waits for one, but no
        longer than `patience` seconds.
        """
        ray = _ray()
        ready, _ = ray.wait(list(self._flights), num_returns=1, timeout=patience)
        if ready:  # and those that are done by now as well
            ready, _ = ray.wait(list(self._flights), num_returns=len(self._flights), timeout=0)
        flights = [(ref, self._flights.pop(ref)) for ref in ready]
        return [flight.task for ref, flight in flights if self._land(ref, flight)], len(flights)

    def _submit(self, waiting: deque[Task], seen: _Nodes) -> None:
        now = time.monotonic()
        for _ in range(len(waiting)):
            if len(self._flights) >= SUBMITTED * max(seen.slots, 1):
                return
            task = waiting.popleft()
            if self._pauses.get(task.name, 0.0) > now:
                waiting.append(task)
                continue
            known = {
                name: self.journal.stamps[name]
                for name in task.inputs
                if name in self.journal.stamps
            }
            needs = self.source.resources(task, seen.largest)
            remote = _remote().options(name=task.name, max_retries=RAY_RETRIES, **needs)
            flight = _Flight(task, int(needs["num_cpus"]))
            ref = remote.remote(self.job, task, known, flight.cores, *self._sent_once())
            self._flights[ref] = flight

    def _sent_once(self) -> list[Any]:
        """The wheels and the net, sent to each node once; nothing without any."""
        if (self.wheels or self.net) and not self._sent:
            self._sent += [_ray().put(self.wheels), _ray().put(self.net)]
        return self._sent

    def _land(self, ref: Any, flight: _Flight) -> bool:
        """Whether the task must be tried again. Otherwise the tasks are to be listed."""
        ray = _ray()
        task = flight.task
        try:
            with undisturbed():
                outcome: Outcome = ray.get(ref)  # it is there
        except ray.exceptions.RayTaskError as error:
            if not isinstance(getattr(error, "cause", None), ray.exceptions.RayError):
                raise ClusterError(f"{task.name}: {_unpacked(error)}") from error
            # What it was sent is gone, with a node or with who sent it: it is sent anew.
            self._sent.clear()
            outcome = Outcome(task.name, TRY_AGAIN, _unpacked(error))
        except ray.exceptions.RayError as error:
            outcome = Outcome(task.name, TRY_AGAIN, reason_of(error))
        if outcome.code == 0:
            self._failures.pop(task.name, None)
            self._made[task.name] += 1
            self.journal.done(task, outcome)
            self.source.done(task, outcome)
            return False
        where = f" on {outcome.node}" if outcome.node else ""
        if outcome.code != TRY_AGAIN:
            trace = NodeTraceback(outcome.trace) if outcome.trace else None
            raise ClusterError(f"{task.name}{where}: {outcome.message}") from trace
        if outcome.damaged:
            self.journal.note("damaged", task=task.name, files=outcome.damaged)
            self.progress.say(f"{task.name}{where}: {outcome.message}")
            self.source.damaged(outcome.damaged)
            return False
        failures = self._failures[task.name] = self._failures.get(task.name, 0) + 1
        self.journal.note("failed", task=task.name, node=outcome.node, message=outcome.message)
        if failures > self.cluster.retries:
            raise ClusterError(
                f"{task.name} failed {failures} times, last{where}: {outcome.message}"
            )
        pause = PAUSES[min(failures, len(PAUSES)) - 1]
        self._pauses[task.name] = time.monotonic() + pause
        self.progress.say(f"{task.name}{where}: {outcome.message}; again in {pause:.0f} s")
        return True

    def _do_here(self, task: Task) -> bool:
        """Whether the driver did the task itself, or saw why it must wait: the tasks are to be
        listed.
        """
        outcome = self.source.here(task)
        if outcome is None:
            return False
        if outcome.code == 0:
            self.journal.done(task, outcome)
        elif outcome.code == TRY_AGAIN and self._made[task.name] <= MADE:
            self._made[task.name] += 1
            self.progress.say(f"{task.name}: {outcome.message}")
        else:
            raise ClusterError(f"{task.name}: {outcome.message}")
        return True

    def _forget(self, listed: list[Task]) -> None:
        """Takes back what nobody needs any more: games of a match that is decided."""
        ray = _ray()
        for ref, flight in list(self._flights.items()):
            if self.source.needless(flight.task, listed):
                ray.cancel(ref, force=True)
                ray.wait([ref], timeout=5)  # it may be publishing what it wrote
                self.source.damaged(flight.task.outputs)
                del self._flights[ref]

    def _tell_what_is_missing(self, seen: _Nodes) -> None:
        """Names what no node has, once, as long as tasks wait for it."""
        missing = set()
        if self._flights and not seen.slots:
            missing.add("a node that has a core for tasks")
        for flight in self._flights.values():
            options = self.source.resources(flight.task, seen.largest)
            needs = options.get("resources", {})
            if options.get("num_gpus") and "GPU" not in seen.resources:
                missing.add("a node with a GPU")
            if flight.task.cores > seen.largest > 0:
                missing.add(f"a node with {flight.task.cores} cores")
            missing |= {
                f"a node with the resource {name!r}" for name in needs if name not in seen.resources
            }
        for what in sorted(missing - self._missing):
            self.progress.say(f"waiting for {what}")
        self._missing = missing

    def _show(self, waiting: deque[Task], seen: _Nodes) -> None:
        if time.monotonic() - self._shown < SHOWN:
            return
        self._shown = time.monotonic()
        tasks = [*waiting, *(flight.task for flight in self._flights.values())]
        count = Count(*self.source.far(tasks), len(self._flights), seen.nodes, seen.slots)
        self.progress.finished(count.done)
        self.progress.show(count, self.journal.cpu)
        if self.name:
            self._metrics = self._metrics or Metrics(self.name)
            self._metrics.show(count, self.journal.cpu)

    @contextmanager
    def connected(self) -> Iterator[Driver]:
        """A connection to the cluster. What was submitted ends with it, and the engines with their workers."""
        ray = _ray()
        stays = ray.is_initialized()
        with connected(self.cluster.address, self.progress):
            try:
                yield self
            finally:
                # Not if the connection ends: Ray 2.60 may die of it where a task is done at that moment. By force, as
                # a worker that waits for its program hears of nothing else.
                for ref in self._flights if stays else ():
                    ray.cancel(ref, force=True)
                self._flights.clear()


class _Nodes:
    """The nodes of the cluster, looked at every two seconds."""

    def __init__(self) -> None:
        self.nodes = self.slots = self.largest = 0
        self.resources: set[str] = set()
        self._looked = float("-inf")

    def look(self) -> None:
        ray = _ray()
        if time.monotonic() - self._looked < 2.0:
            return
        self._looked = time.monotonic()
        alive = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        self.resources = {name for resources in alive for name in resources}
        cores = [int(resources.get("CPU", 0)) for resources in alive]
        self.nodes, self.slots, self.largest = len(cores), sum(cores), max(cores, default=1)


def _perform(
    job: Job,
    task: Task,
    known: dict[str, Stamp],
    cores: int = 1,
    wheels: tuple[Wheel, ...] = (),
    net: Net | None = None,
) -> Outcome:
    """`perform`, and where."""
    from dataclasses import replace

    ray = _ray()
    from .work import perform

    node = f"{ray.util.get_node_ip_address()}/{ray.get_runtime_context().get_node_id()[:6]}"
    return replace(perform(job, task, known, cores, wheels, net), node=node)


@cache
def _remote() -> Any:
    return _ray().remote(_perform)


def _unpacked(error: Exception) -> str:
    """The exception of a task, in one line."""
    cause = getattr(error, "cause", None) or error
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    if isinstance(cause, ModuleNotFoundError):
        return f"{lines[-1]} on a node: install hippolyta[cluster] on all of them"
    return lines[-1]
