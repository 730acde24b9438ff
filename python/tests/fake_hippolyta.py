"""A small double of the program `hippolyta`: the same tasks, files and exit codes as `learn`,
without games.

Every file is a hash of what the task reads, so that a task that read something else, or nothing, is
noticed. Options that the program does not have make games wait (--hold FILE, only with --run; see `held`), tasks
fail once with code 75 (--flaky FOLDER, where it notes that), or end with code 2 (--broken TASK).
"""

import argparse
import hashlib
import json
import os
import sys
import time
from pathlib import Path

VERSION = "hippolyta 0.0.0-fake"
SHARDS = 8
GATES = 4


def digest(*parts: bytes) -> bytes:
    return hashlib.sha256(b"\0".join(parts)).hexdigest().encode()


class Run:
    def __init__(self, out: Path, settings: dict) -> None:
        self.out, self.settings = out, settings

    def read(self, name: str) -> bytes:
        return (self.out / name).read_bytes()

    def write(self, name: str, content: bytes) -> None:
        path = self.out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".partial")
        fresh.write_bytes(content)
        fresh.replace(path)

    def tasks(self) -> list[dict]:
        """All tasks of the run, whether or not they are done."""
        found = []
        for g in range(1, self.settings["generations"] + 1):
            start, here = f"generation-{g}/start.bin", f"generation-{g}"
            shards = [f"{here}/shards/{i:04}.dat" for i in range(SHARDS)]
            gates = [f"{here}/gate/{i:04}.dat" for i in range(GATES)]
            games = self.settings["games"] // SHARDS

            def add(
                task: str, inputs: list[str], outputs: list[str], units: int = 0, g: int = g
            ) -> None:
                kind = task.split()[0]
                found.append(
                    {
                        "task": task,
                        "kind": kind,
                        "generation": g,
                        "inputs": inputs,
                        "outputs": outputs,
                        "units": units,
                    }
                )

            for i, shard in enumerate(shards):
                add(f"play {g} {i}", [start], [shard], games)
            add(f"merge {g}", shards, [f"{here}/games.dat"])
            add(
                f"fit {g}",
                [start, f"{here}/games.dat"],
                [f"{here}/candidate.bin", f"{here}/curve.json"],
            )
            for i, gate in enumerate(gates):
                add(f"gate {g} {i}", [start, f"{here}/candidate.bin"], [gate], 2)
            add(
                f"judge {g}",
                [start, f"{here}/candidate.bin", *gates],
                [f"{here}/result.json", f"generation-{g + 1}/start.bin"],
            )
            add(f"report {g}", [f"{here}/result.json"], [f"{here}/report.html"])
        return found

    def possible(self) -> list[dict]:

        def there(names: list[str]) -> bool:
            return all((self.out / name).exists() for name in names)

        def needed(task: dict) -> bool:
            g = task["generation"]
            judged = [f"generation-{g}/result.json", f"generation-{g + 1}/start.bin"]
            return task["kind"] != "gate" or not there(judged)

        tasks = [task for task in self.tasks() if there(task["inputs"]) and needed(task)]
        return [task for task in tasks if not there(task["outputs"])]

    def tidy(self) -> None:
        """Removes the games of matches that are decided, as far as this folder shows it."""
        for g in range(1, self.settings["generations"] + 1):
            judged = [f"generation-{g}/result.json", f"generation-{g + 1}/start.bin"]
            if all((self.out / name).exists() for name in judged):
                for gate in (self.out / f"generation-{g}/gate").glob("*.dat"):
                    gate.unlink()

    def do(self, name: str) -> int:
        if name == self.settings["broken"]:
            print(f"hippolyta: {name} cannot be done", file=sys.stderr)
            return 2
        if self.settings["flaky"]:
            mark = Path(self.settings["flaky"]) / name.replace(" ", "-")
            if not mark.exists():
                mark.touch()
                print(f"hippolyta: no memory for {name}", file=sys.stderr)
                return 75
        task = next(task for task in self.tasks() if task["task"] == name)
        if all((self.out / file).exists() for file in task["outputs"]):
            return 0
        inputs = []
        for file in task["inputs"]:
            content = self.read(file)
            if len(content) % 64 or content != content[:64] * (len(content) // 64):
                (self.out / file).unlink()
                print(f"hippolyta: {file}: damaged; removed", file=sys.stderr)
                return 75
            inputs.append(content)
        content = digest(name.encode(), self.read("learn.json"), *inputs)
        size = 4000 if task["kind"] == "play" else 100
        for output in task["outputs"]:
            self.write(output, digest(output.encode(), content) * size)
        if task["kind"] == "judge":
            self.tidy()
        return 0


def learn(words: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--variant", default="amazons")
    for option in ("--generations", "--games", "--nodes"):
        parser.add_argument(option, type=int)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tasks", action="store_true")
    parser.add_argument("--run")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--flaky", default="")
    parser.add_argument("--hold", default="")
    parser.add_argument("--broken", default="")
    given = parser.parse_args(words)
    settings = {
        key: getattr(given, key)
        for key in (
            *("variant", "generations", "games", "nodes"),
            *("flaky", "broken", "hold"),
        )
    }
    file = given.out / "learn.json"
    if file.exists():
        begun = json.loads(file.read_text())
        if given.games is not None and begun != settings:
            print("hippolyta: the run was begun with other settings", file=sys.stderr)
            return 1
        settings = begun
    run = Run(given.out, settings)
    if not file.exists():
        run.write("learn.json", json.dumps(settings).encode())
    if not (given.out / "generation-1/start.bin").exists() and not given.run:
        run.write("generation-1/start.bin", digest(settings["variant"].encode()))
    if given.run:
        if given.run.startswith("play "):
            held(settings["hold"], int(given.run.split()[-1]))
        return run.do(given.run)
    if given.tasks:
        for task in run.possible():
            print(json.dumps(task))
        return 0
    while tasks := run.possible():
        for task in tasks:
            while code := run.do(task["task"]):
                if code != 75:
                    return code
    run.tidy()
    return 0


def held(hold: str, number: int) -> None:
    """Waits as long as the file `hold` is there, unless it has a larger number."""
    while True:
        try:
            if number < int(Path(hold).read_text()):
                return
        except OSError:
            return
        time.sleep(0.02)


def analyse() -> int:
    """Answers with a hash of the query, and with a warning before the answer to each third one."""
    for line in sys.stdin.buffer:
        query = json.loads(line)
        id = json.dumps(query.pop("id"))
        held(query.pop("hold", ""), int(id.strip('"q')))
        content = json.dumps(query, sort_keys=True).encode()
        if query.get("warn"):
            print(f'{{"id":{id},"field":"warn","warning":"unknown or unused field"}}')
        print(f'{{"id":{id},"turnNumber":0,"hash":"{digest(content).decode()}"}}')
    return 0


def main() -> int:
    words = sys.argv[1:]
    if words == ["--version"]:
        print(VERSION + os.environ.get("FAKE_VERSION", ""))
        return 0
    if words[:1] == ["bench"]:
        print("1234 nodes 1000 nps")
        return 0
    if words[:1] == ["learn"]:
        return learn(words[1:])
    if words[:1] == ["analyse"]:
        return analyse()
    print(f"hippolyta: unknown: {words}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
