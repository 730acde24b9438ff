"""Results that are made in parts: the folder `OUT.parts` has those that are done until all are there and `OUT` is
written. So a run that is started again goes on.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import ClusterError
from .store import Folder, Store, has, open_store
from .task import Outcome, Task


@dataclass(frozen=True)
class Parts:
    """The parts of the file `out`, which is at `name` in the store `beside`; they are in `store`."""

    out: str
    name: str
    beside: Store
    store: Store

    @staticmethod
    def of(out: str, storage: dict[str, Any]) -> Parts:
        """Those of `out`, a file in a folder that all nodes see or an address of fsspec. Raises ClusterError if it
        exists, or if nothing can be kept there.
        """
        parent, _, name = out.rpartition("/")
        beside = open_store(parent or ("/" if out.startswith("/") else "."), storage)
        beside.check()
        if has(beside, name):
            raise ClusterError(f"{out} exists already; remove it, or choose another --out")
        return Parts(out, name, beside, open_store(out + ".parts", storage))

    def agree(self, file: str, wanted: dict[str, Any], local: Path, **words: str) -> dict[str, Any]:
        """The settings of the run that was begun, in `file`, or else those that are wanted. `words` are the settings
        that must not differ, and what people call them; `local` is a folder for a copy. Raises ClusterError.
        """
        path = local / file
        if has(self.store, file):
            self.store.fetch(file, path)
            begun: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            for key, what in words.items():
                if begun.get(key) != wanted[key]:
                    raise ClusterError(
                        f"{self.out}.parts was begun with other {what}; remove it, or choose another --out"
                    )
            return begun
        path.write_text(json.dumps(wanted), encoding="utf-8")
        self.store.publish(path, file)
        return wanted

    def join(self, joined: Path) -> None:
        """Makes the local file `joined` the result, and removes the parts."""
        if isinstance(self.store, Folder):
            self.store.publish(joined, f"../{self.name}")
            shutil.rmtree(self.store.root, ignore_errors=True)
            return
        self.beside.publish(joined, self.name)
        for file in [*self.store.sizes(), *self.store.own()]:
            self.store.remove(file)


@dataclass
class InParts:
    """The common base of runs in parts, as the driver sees them (see `driver.Source`): the files of their parts, and
    which of them are there. `settings` is the file in the store that is no part.
    """

    store: Store
    settings: str
    there: set[str] = field(init=False)

    def __post_init__(self) -> None:
        self.there = set(self.store.sizes()) - {self.settings}

    def done(self, task: Task, outcome: Outcome) -> None:
        self.there |= set(outcome.outputs)

    def needless(self, task: Task, listed: list[Task]) -> bool:
        return False

    def damaged(self, names: tuple[str, ...]) -> None:
        self.there -= set(names)

    def here(self, task: Task) -> Outcome | None:
        return None
