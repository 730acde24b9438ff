"""Where a run keeps its files: a folder that all nodes see, or an address of fsspec
(`s3://bucket/run`).

A file appears under its name whole or not at all. In a folder it is written under another name and
renamed. Object stores make an object visible only when it is complete; on other file systems of
fsspec it is moved to its name.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .errors import ClusterError, told_in_one_line

OWN = "cluster"
"""The folder of a run for what only the cluster needs: journals, and files that are being written.
"""

OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl"}
"""Protocols of stores that keep objects in buckets and have no folders."""

WHOLE_AT_ONCE = OBJECT_STORES | {"memory"}
"""Protocols whose objects are visible only when they are complete."""


@dataclass(frozen=True)
class Stamp:
    """The mark of a file's content: its length in bytes, and its SHA-256 in hexadecimal digits."""

    size: int
    sha256: str

    @staticmethod
    def of(path: Path) -> Stamp:
        """That of the file at `path`."""
        with path.open("rb") as file:
            digest = hashlib.sha256()
            while block := file.read(1 << 20):
                digest.update(block)
            return Stamp(file.tell(), digest.hexdigest())


class Store(Protocol):
    """The files of a run. Names are relative, with `/` between folders."""

    def check(self) -> None:
        """Raises ClusterError if nothing can be kept here. Makes a folder if there is none, but no bucket."""

    def sizes(self) -> dict[str, int]:
        """The names of all files but those in the folder `cluster`, and their lengths in bytes."""
        ...

    def version(self, name: str) -> str:
        """A text that changes when the file changes. Raises FileNotFoundError."""
        ...

    def fetch(self, name: str, target: Path) -> None:
        """Makes the file readable at `target`: as a copy, or as a link to it. Raises
        FileNotFoundError.
        """

    def publish(self, source: Path, name: str) -> None:
        """Puts a copy of the file at `source` under `name`: all of it or nothing."""

    def remove(self, name: str) -> None:
        """Removes the file, if it is there."""

    def own(self) -> list[str]:
        """The names of the files in the folder `cluster`, in order."""
        ...

    def clear(self) -> None:
        """Removes all files, and the folder."""

    @property
    def links(self) -> bool:
        """Whether `fetch` makes links, so that nothing is gained by keeping what was fetched."""
        ...


@dataclass(frozen=True)
class Folder:
    """A folder that all nodes see under the same path."""

    root: Path

    @property
    def links(self) -> bool:
        return True

    def check(self) -> None:
        with told_in_one_line(str(self.root)):
            self.root.mkdir(parents=True, exist_ok=True)

    def sizes(self) -> dict[str, int]:
        return dict(self._walk(self.root))

    def _walk(self, folder: Path, prefix: str = "") -> list[tuple[str, int]]:
        found: list[tuple[str, int]] = []
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except FileNotFoundError:
            return found
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if name != OWN:
                    found += self._walk(Path(entry.path), name + "/")
            elif entry.is_file():
                found.append((name, entry.stat().st_size))
        return found

    def version(self, name: str) -> str:
        stat = (self.root / name).stat()
        return f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ino}"

    def fetch(self, name: str, target: Path) -> None:
        source = (self.root / name).absolute()
        if not source.exists():
            raise FileNotFoundError(f"{source} does not exist")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(source)

    def publish(self, source: Path, name: str) -> None:
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        # In the same file system as the target, and where no listing of the run sees it.
        fresh = self.root / OWN / f"{uuid.uuid4().hex}.tmp"
        fresh.parent.mkdir(parents=True, exist_ok=True)
        try:
            with source.open("rb") as read, fresh.open("xb") as write:
                shutil.copyfileobj(read, write, 1 << 20)
                write.flush()
                os.fsync(write.fileno())
            fresh.replace(target)
        finally:
            fresh.unlink(missing_ok=True)

    def remove(self, name: str) -> None:
        (self.root / name).unlink(missing_ok=True)

    def own(self) -> list[str]:
        return [name for name, _ in sorted(self._walk(self.root / OWN, OWN + "/"))]

    def clear(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


class Remote:
    """An address of fsspec. `options` go to the file system: `{"endpoint_url": …}`; keys are better
    in the environment.
    """

    def __init__(self, address: str, options: dict[str, Any]) -> None:
        try:
            import fsspec
        except ImportError as error:
            raise ClusterError(
                f"{address} needs fsspec: pip install 'hippolyta[cluster]'"
            ) from error
        options = {"use_listings_cache": False, **options}
        try:
            self._files, root = fsspec.core.url_to_fs(address, **options)
        except (ImportError, ValueError) as error:
            raise ClusterError(f"{address}: {error}") from error
        self._address = address
        self._root = str(root).rstrip("/")
        protocol = self._files.protocol
        names = {protocol} if isinstance(protocol, str) else set(protocol)
        self._whole_at_once = bool(names & WHOLE_AT_ONCE)
        self._has_buckets = bool(names & OBJECT_STORES)

    @property
    def links(self) -> bool:
        return False

    def check(self) -> None:
        bucket = self._root.partition("/")[0]
        try:
            if not self._has_buckets or self._files.exists(bucket):
                return
            self._files.ls(bucket)  # says why not
        except FileNotFoundError:
            text = f"there is no bucket {bucket!r}: correct --out, or make it first"
            raise ClusterError(f"{self._address}: {text}") from None
        except PermissionError:
            pass  # these keys may be good for a part of the bucket alone
        except Exception as error:  # file systems of fsspec raise what their libraries do
            reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
            raise ClusterError(f"{self._address}: {reason}") from error

    def _at(self, name: str) -> str:
        return f"{self._root}/{name}"

    def _find(self, folder: str) -> dict[str, int]:
        self._files.invalidate_cache()
        try:
            found = self._files.find(folder, detail=True)
        except FileNotFoundError:
            return {}
        start = len(self._root) + 1
        return {str(path)[start:]: int(entry["size"]) for path, entry in sorted(found.items())}

    def sizes(self) -> dict[str, int]:
        found = self._find(self._root)
        return {name: size for name, size in found.items() if not name.startswith(OWN + "/")}

    def version(self, name: str) -> str:
        self._files.invalidate_cache()
        return str(self._files.checksum(self._at(name)))

    def fetch(self, name: str, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        self._files.get_file(self._at(name), str(target))

    def publish(self, source: Path, name: str) -> None:
        target = self._at(name)
        if not self._has_buckets:  # to make a folder there would be to make its bucket
            self._files.makedirs(target.rsplit("/", 1)[0], exist_ok=True)
        if self._whole_at_once:
            self._files.put_file(str(source), target)
            return
        fresh = self._at(f"{OWN}/{uuid.uuid4().hex}.tmp")
        self._files.makedirs(self._at(OWN), exist_ok=True)
        try:
            self._files.put_file(str(source), fresh)
            self._files.mv(fresh, target)
        except BaseException:
            if self._files.exists(fresh):
                self._files.rm_file(fresh)
            raise

    def remove(self, name: str) -> None:
        self._files.invalidate_cache()
        if self._files.exists(self._at(name)):
            self._files.rm_file(self._at(name))

    def own(self) -> list[str]:
        return list(self._find(self._at(OWN)))

    def clear(self) -> None:
        self._files.invalidate_cache()
        if self._files.exists(self._root):
            self._files.rm(self._root, recursive=True)


def open_store(address: str, options: dict[str, Any] | None = None) -> Store:
    """The files at `address`: an address of fsspec if it has `://`, else a folder. Raises
    ClusterError.
    """
    if "://" in address:
        return Remote(address, options or {})
    return Folder(Path(address).absolute())


def has(store: Store, name: str) -> bool:
    """Whether the file is there."""
    try:
        store.version(name)
    except FileNotFoundError:
        return False
    return True


def clean(store: Store) -> None:
    """Removes what killed workers were writing. Only for a run that has ended: others may be
    writing still.
    """
    for name in store.own():
        if name.endswith(".tmp"):
            store.remove(name)
