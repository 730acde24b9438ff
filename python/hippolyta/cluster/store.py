"""Where a run keeps its files: a folder that all nodes see, or an address of fsspec
(`s3://bucket/run`).

A file appears under its name whole or not at all. In a folder it is written under another name and
renamed. Object stores make an object visible only when it is complete; on other file systems of
fsspec it is moved to its name.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ClusterError, reason_of, told_in_one_line

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


class Store:
    """The files of a run, in a folder or, if `address` has `://`, in a file system of fsspec. `options` go to that:
    `{"endpoint_url": …}`; keys are better in the environment. Names are relative, with `/` between folders.
    """

    folder: Path | None
    """The folder that all nodes see under the same path, if it is one."""

    def __init__(self, address: str, options: dict[str, Any] | None = None) -> None:
        """Raises ClusterError if nobody knows how to get there."""
        try:
            import fsspec
        except ImportError as error:
            raise ClusterError(
                f"{address} needs fsspec: it comes with hippolyta[cluster]"
            ) from error
        self.folder = None if "://" in address else Path(address).absolute()
        self._address = address
        try:
            if self.folder:
                self._files, root = fsspec.filesystem("file"), str(self.folder)
            else:
                options = {"use_listings_cache": False, **(options or {})}
                self._files, root = fsspec.core.url_to_fs(address, **options)
        except (ImportError, ValueError) as error:
            raise ClusterError(f"{address}: {error}") from error
        self._root = str(root).rstrip("/")
        protocol = self._files.protocol
        names = {protocol} if isinstance(protocol, str) else set(protocol)
        self._whole_at_once = bool(names & WHOLE_AT_ONCE)
        self._has_buckets = bool(names & OBJECT_STORES)

    def check(self) -> None:
        """Raises ClusterError if nothing can be kept here. Makes a folder if there is none, but no bucket."""
        if self.folder:
            with told_in_one_line(str(self.folder)):
                self.folder.mkdir(parents=True, exist_ok=True)
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
            raise ClusterError(f"{self._address}: {reason_of(error)}") from error

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
        """The names of all files but those in the folder `cluster`, and their lengths in bytes."""
        found = self._find(self._root)
        return {name: size for name, size in found.items() if not name.startswith(OWN + "/")}

    def own(self) -> list[str]:
        """The names of the files in the folder `cluster`, in order."""
        return list(self._find(self._at(OWN)))

    def version(self, name: str) -> str:
        """A text that changes when the file changes. Raises FileNotFoundError."""
        self._files.invalidate_cache()
        return str(self._files.checksum(self._at(name)))

    def has(self, name: str) -> bool:
        """Whether the file is there."""
        try:
            self.version(name)
        except FileNotFoundError:
            return False
        return True

    def fetch(self, name: str, target: Path) -> None:
        """Makes the file readable at `target`: as a copy, or from a folder as a link to it. Raises
        FileNotFoundError.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        if not self.folder:
            self._files.get_file(self._at(name), str(target))
        elif not self.has(name):
            raise FileNotFoundError(f"{self._at(name)} does not exist")
        else:
            target.symlink_to(self._at(name))

    def read(self, name: str) -> bytes:
        """What is in the file. Raises FileNotFoundError."""
        content: bytes = self._files.cat_file(self._at(name))
        return content

    def publish(self, source: Path, name: str) -> None:
        """Puts a copy of the file at `source` under `name`: all of it or nothing."""
        self._put(name, lambda target: self._files.put_file(str(source), target))

    def write(self, content: bytes, name: str) -> None:
        """Puts a file with this content under `name`: all of it or nothing."""
        self._put(name, lambda target: self._files.pipe_file(target, content))

    def _put(self, name: str, put: Callable[[str], Any]) -> None:
        target = self._at(name)
        if not self._has_buckets:  # to make a folder there would be to make its bucket
            self._files.makedirs(target.rsplit("/", 1)[0], exist_ok=True)
        if self._whole_at_once:
            put(target)
            return
        # In the same file system as the target, and where no listing of the run sees it.
        fresh = self._at(f"{OWN}/{uuid.uuid4().hex}.tmp")
        self._files.makedirs(self._at(OWN), exist_ok=True)
        try:
            put(fresh)
            if self.folder:
                with open(fresh, "rb") as written:
                    os.fsync(written.fileno())
            self._files.mv(fresh, target)
        except BaseException:
            if self._files.exists(fresh):
                self._files.rm_file(fresh)
            raise

    def remove(self, name: str) -> None:
        """Removes the file, if it is there."""
        if self.has(name):
            self._files.rm_file(self._at(name))

    def clear(self) -> None:
        """Removes all files, and the folder, but no bucket."""
        self._files.invalidate_cache()
        if self._has_buckets and "/" not in self._root:
            for name in self._find(self._root):
                self.remove(name)
        elif self._files.exists(self._root):
            self._files.rm(self._root, recursive=True)

    def clean(self) -> None:
        """Removes what killed workers were writing. Only for a run that has ended: others may be
        writing still.
        """
        for name in self.own():
            if name.endswith(".tmp"):
                self.remove(name)
