"""The work of a node on a task: fetch its inputs, run the program, publish its outputs.

Everything happens in a folder of the node's own, so that two nodes that run the same task (because
one was believed to be lost) never write the same file. Nothing here knows of Ray.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from .errors import ClusterError
from .net import Net
from .program import TRY_AGAIN, Finished, Program
from .store import Stamp, Store
from .task import Outcome, Task
from .wheels import Wheel

FETCHED_AT_ONCE = 8
"""Files that a task fetches at a time from an object store: a merge has thousands of them."""


@dataclass(frozen=True)
class Job:
    """The settings of a run that a node must know.

    `store` is the address of the files, `options` those of fsspec for it; without files a task
    answers with what its program prints. `build` is the build that all nodes must have (see
    `Program.build`). `here` is the folder in which the driver works, and in which such programs
    run where a node has it. `scratch` is a folder on the node, the system's one
    for temporary files if None. `cache` are the most bytes of fetched files that a node keeps
    there.
    """

    store: str | None
    build: str
    engine: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    scratch: str | None = None
    cache: int = 4 << 30
    here: str | None = None

    @property
    def folder(self) -> Path:
        """The folder on this node for everything temporary."""
        return scratch(self.scratch)


def scratch(chosen: str | None) -> Path:
    """The folder for temporary files: below `chosen`, or below that of the system."""
    return Path(chosen or tempfile.gettempdir()) / f"hippolyta-cluster-{os.getuid()}"


def perform(
    job: Job,
    task: Task,
    known: dict[str, Stamp],
    cores: int = 1,
    wheels: tuple[Wheel, ...] = (),
    net: Net | None = None,
) -> Outcome:
    """Runs a task on this node, and returns what became of it. `wheels` are engines that it needs; with a `net` this
    process plays in place of the program.

    `known` has what the inputs are known to hold; a file that differs was fetched in part, and the
    task is tried again. An error of the files or of the network is to be tried again as well:
    whether it passes is seen by trying.
    """
    begun = time.monotonic()
    try:
        outcome = _performed(job, task, known, cores, wheels, net)
    except ClusterError as error:
        return Outcome(task.name, 1, str(error))
    except Exception as error:  # noqa: BLE001 (file systems of fsspec raise what their libraries do)
        return Outcome(task.name, TRY_AGAIN, f"{type(error).__name__}: {error}")
    return replace(outcome, wall=time.monotonic() - begun)


def _performed(
    job: Job,
    task: Task,
    known: dict[str, Stamp],
    cores: int,
    wheels: tuple[Wheel, ...],
    net: Net | None,
) -> Outcome:
    build = _build(job)
    if build != job.build:
        message = f"runs {build}, the run began with {job.build}"
        raise ClusterError(f"{message}: install the same version on all nodes")
    if job.store is None:
        for wheel in wheels:
            wheel.unpack(job.folder)
        where = job.here if job.here and os.path.isdir(job.here) else None
        with _workplace(job.folder) as scratch:
            finished = Program(job.engine).run(list(task.arguments), task.stdin, where, scratch)
        return _outcome(task, finished)
    store = Store(job.store, job.options)
    _prune(job.folder / "cache", job.cache)
    with _workplace(job.folder) as here:
        if task.outputs and all(store.has(name) for name in task.outputs):
            # Done by a worker that was lost before it could say so.
            _fetch_all(job, store, task.outputs, {}, here)
            stamps = {name: Stamp.of(here / name) for name in task.outputs}
            return Outcome(task.name, 0, outputs=stamps)
        _fetch_all(job, store, task.inputs, known, here)
        words = {"{here}": str(here), "{cores}": str(cores)}
        arguments = [words.get(word, word) for word in task.arguments]
        if not net:
            finished = Program(job.engine).run(arguments, task.stdin)
        elif task.outputs:
            finished = net.play(arguments, here / task.outputs[0], job.here)
        else:
            finished = net.ask(here, job.here)
        outcome = _outcome(task, finished)
        if outcome.code:
            gone = tuple(name for name in task.inputs if not os.path.lexists(here / name))
            return replace(outcome, damaged=gone if outcome.code == TRY_AGAIN else ())
        if not task.outputs:
            return outcome
        if task.stdin:
            (here / task.outputs[0]).write_bytes(finished.stdout)
        for name in task.outputs:
            if not (here / name).is_file():
                raise ClusterError(f"the engine did not write {name}")
        stamps = {name: Stamp.of(here / name) for name in task.outputs}
        for name in task.outputs:
            store.publish(here / name, name)
        return replace(outcome, data=b"", outputs=stamps)


def _outcome(task: Task, finished: Finished) -> Outcome:
    code = _code(finished)
    said = finished.message if code else ""
    data, trace = finished.stdout, finished.trace
    return Outcome(task.name, code, said, cpu=finished.cpu, data=data, trace=trace)


def _code(finished: Finished) -> int:
    """The exit code of a task. A signal is the system's doing: it wanted the memory or the machine."""
    return TRY_AGAIN if finished.code < 0 else finished.code


def _build(job: Job) -> str:
    job.folder.mkdir(parents=True, exist_ok=True)
    with _locked(job.folder / "build.lock"):  # all workers of a node begin at once
        return Program(job.engine).build_known(job.folder)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def _workplace(folder: Path) -> Iterator[Path]:
    """A new folder for one task, and the end of those whose owners were killed: their locks are
    free.
    """
    works = folder / "work"
    works.mkdir(parents=True, exist_ok=True)
    for lock in works.glob("*.lock"):
        with contextlib.suppress(OSError), lock.open("a") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock.with_suffix(""), ignore_errors=True)
            lock.unlink(missing_ok=True)
    with _locked_folder(works) as here:
        yield here


@contextlib.contextmanager
def _locked_folder(works: Path) -> Iterator[Path]:
    while True:
        name = f"{os.getpid()}-{time.monotonic_ns()}"
        path = works / f"{name}.lock"
        with path.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():  # another worker took it for a dead one's before it was locked
                continue
            here = works / name
            here.mkdir()
            try:
                yield here
            finally:
                shutil.rmtree(here, ignore_errors=True)
                path.unlink(missing_ok=True)
            return


def _fetch_all(
    job: Job, store: Store, names: tuple[str, ...], known: dict[str, Stamp], here: Path
) -> None:
    def fetch(name: str) -> None:
        target = here / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if store.folder:
            store.fetch(name, target)
        else:
            _fetch_by_cache(job, store, name, known.get(name), target)

    if len(names) <= 1 or store.folder:
        for name in names:
            fetch(name)
        return
    with ThreadPoolExecutor(FETCHED_AT_ONCE) as pool:
        list(pool.map(fetch, names))


def _fetch_by_cache(job: Job, store: Store, name: str, stamp: Stamp | None, target: Path) -> None:
    """Fetches a file through the node's cache. Its key is name and content, so it cannot be out of
    date.
    """
    content = stamp.sha256 if stamp else store.version(name)
    key = hashlib.sha256(f"{job.store}\n{name}\n{content}".encode()).hexdigest()
    cache = job.folder / "cache"
    cache.mkdir(parents=True, exist_ok=True)
    kept = cache / key
    # One worker fetches, the others of this node wait for it.
    with _locked(cache / f"{key[:2]}.lock"):
        if not kept.exists():
            fresh = cache / f"{key}.{os.getpid()}.{time.monotonic_ns()}"
            try:
                store.fetch(name, fresh)
                if stamp and Stamp.of(fresh) != stamp:
                    raise OSError(f"{name}: not what was written")
                fresh.replace(kept)
            finally:
                fresh.unlink(missing_ok=True)
        os.utime(kept)
        os.link(kept, target)


def _prune(cache: Path, most: int) -> None:
    """Removes what was not used for longest, until there are `most` bytes. Tasks keep their own
    links.
    """
    files: list[tuple[float, int, Path]] = []
    for path in cache.iterdir() if cache.exists() else ():
        with contextlib.suppress(FileNotFoundError):
            stat = path.stat()
            # A minute for a file that is being fetched or linked.
            if path.suffix != ".lock" and stat.st_mtime < time.time() - 60:
                files.append((stat.st_mtime, stat.st_size, path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= most:
            return
        path.unlink(missing_ok=True)
        total -= size
