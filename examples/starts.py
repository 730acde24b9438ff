"""Scores of the start of each rule set and of its ten best first turns, by searches with several seeds.

    python3 examples/starts.py starts.jsonl --seeds 6 --seconds 600 amazons iago
    python3 examples/starts.py starts.jsonl --seeds 6 --nodes 30000000 amazons iago
    python3 examples/starts.py starts.jsonl --table
    python3 examples/starts.py --games docs/games/long/*.pgn.gz

The first command searches each start with each seed, and adds a line to the file as soon as a search is done. Searches
that are there already are not made again, so a run can be broken off. The second one counts nodes in place of seconds:
it finds the same on every machine. The third one prints the file as tables; turns that are each other's images on the
board count as one. The last one counts the results of games from the start, a row for each file of `hippolyta match`;
it needs the package `hippolyta`, the others only the standard library.
"""

import argparse
import gzip
import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

TURNS = 10


def read(path: Path) -> list[dict]:
    """The searches of the file."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def search(engine: str, queries: list[dict], jobs: int, memory: int) -> Iterator[dict]:
    """The answers, as soon as each is there."""
    options = ["--threads", "1", "--jobs", str(jobs), "--hash", str(memory * jobs)]
    command = [engine, "analyse", *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin and process.stdout
        process.stdin.writelines(json.dumps(query) + "\n" for query in queries)
        process.stdin.close()
        for line in process.stdout:
            answer = json.loads(line)
            if "error" in answer:
                sys.exit(f"{answer['id']}: {answer['error']}")
            yield answer


def run(arguments: argparse.Namespace) -> None:
    """Searches what is not in the file."""
    done = {(known["variant"], known["seed"]) for known in read(arguments.file)}
    wanted = [
        (variant, seed) for seed in range(1, arguments.seeds + 1) for variant in arguments.variants
    ]
    limit = (
        {"nodes": arguments.nodes}
        if arguments.nodes
        else {"movetime": round(1000 * arguments.seconds)}
    )
    queries = [
        {"id": f"{variant} {seed}", "variant": variant, "seed": seed, "multipv": 500} | limit
        for variant, seed in wanted
        if (variant, seed) not in done
    ]
    if not queries:
        return
    for answer in search(arguments.engine, queries, arguments.jobs, arguments.hash):
        variant, seed = answer["id"].split()
        root = answer["rootInfo"]
        turns = [
            {key: turn[key] for key in ("move", "visits", "winrate")}
            for turn in answer["moveInfos"][:40]
        ]
        found = {"variant": variant, "seed": int(seed), "fen": root["fen"], "nodes": root["nodes"]}
        found |= {
            "seconds": root["timeMs"] / 1000,
            "winrate": root["winrate"],
            "wdl": root["wdl"],
            "turns": turns,
        }
        with arguments.file.open("a") as file:
            file.write(json.dumps(found) + "\n")
        if sys.stderr.isatty():
            print(
                f"{variant}, seed {seed}: {100 * root['winrate']:.1f} % {turns[0]['move']}",
                file=sys.stderr,
            )


Square = tuple[int, int]


def symmetries(fen: str) -> list[Callable[[Square], Square]]:
    """The turns and mirrorings of a square board that leave its pieces where they are."""
    pieces: dict[Square, str] = {}
    ranks = fen.split()[0].split("/")
    for rank, text in enumerate(reversed(ranks)):
        file = 0
        for run in re.findall(r"\d+|.", text):
            if run.isdigit():
                file += int(run)
            else:
                pieces[file, rank] = run
                file += 1
    last = len(ranks) - 1
    turned = [
        lambda at: at,
        lambda at: (last - at[1], at[0]),
        lambda at: (last - at[0], last - at[1]),
        lambda at: (at[1], last - at[0]),
    ]
    mirrored = [lambda at, turn=turn: turn((at[1], at[0])) for turn in turned]
    return [
        image
        for image in turned + mirrored
        if {image(at): piece for at, piece in pieces.items()} == pieces
    ]


def first_of_images(turn: str, images: list[Callable[[Square], Square]]) -> str:
    """One name for all turns that are each other's images."""

    def name(image: Callable[[Square], Square]) -> str:
        def square(found: re.Match[str]) -> str:
            file, rank = image((ord(found[1]) - ord("a"), int(found[2]) - 1))
            return f"{chr(ord('a') + file)}{rank + 1}"

        return re.sub(r"([a-k])(\d+)", square, turn)

    return min(map(name, images))


def spread(numbers: list[float]) -> str:
    """The mean, and the deviation from it of a single search."""
    deviation = statistics.stdev(numbers) if len(numbers) > 1 else 0.0
    return f"{statistics.mean(numbers):.1f} ± {deviation:.1f}"


def tables(searches: list[dict]) -> None:
    """A table of all starts, and one of the first turns for each."""
    by_variant: dict[str, list[dict]] = {}
    for found in searches:
        by_variant.setdefault(found["variant"], []).append(found)
    print("| rule set | searches | nodes each | expected score | win | draw | loss |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for variant, of_seeds in by_variant.items():
        score = spread([100 * found["winrate"] for found in of_seeds])
        odds = " | ".join(
            spread([found["wdl"][part] / 10 for found in of_seeds]) for part in range(3)
        )
        nodes = statistics.mean(found["nodes"] for found in of_seeds) / 1e6
        print(f"| `{variant}` | {len(of_seeds)} | {nodes:.0f} M | {score} | {odds} |")
    for variant, of_seeds in by_variant.items():
        turns: dict[str, list[tuple[float, float]]] = {}
        images = symmetries(of_seeds[0]["fen"])
        for found in of_seeds:
            visits = sum(turn["visits"] for turn in found["turns"])
            of_search: dict[str, list[tuple[float, float]]] = {}
            for turn in found["turns"]:
                seen = (100 * turn["visits"] / visits, 100 * turn["winrate"])
                of_search.setdefault(first_of_images(turn["move"], images), []).append(seen)
            for turn, of_images in of_search.items():
                best = max(score for _, score in of_images)
                turns.setdefault(turn, []).append((sum(share for share, _ in of_images), best))
        count = len(of_seeds)
        total = {turn: sum(share for share, _ in seen) / count for turn, seen in turns.items()}
        print(f"\n`{variant}`\n\n| first turn | share of the search | expected score |")
        print("| --- | ---: | ---: |")
        for turn in sorted(total, key=total.__getitem__, reverse=True)[:TURNS]:
            score = spread([score for _, score in turns[turn]])
            print(f"| `{turn}` | {total[turn]:.1f} % | {score} |")


# A game of a file: its result follows its tags, its turns with their remarks follow an empty line.
GAME = re.compile(r'^\[Result "(.*)"\]\n(?:\[.*\n)*\n((?:.+\n)+)', re.MULTILINE)
POINTS = {"1-0": 100.0, "0-1": 0.0, "1/2-1/2": 50.0}


def results(files: list[Path]) -> None:
    """A row for each file of games: who won, and how sure one can be of it."""
    from hippolyta.training import interval

    print(
        "| rule set | games | White won | drawn | Black won | White's points, % | different games |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for path in files:
        reader = gzip.open if path.suffix == ".gz" else open
        with reader(path, "rt", encoding="utf-8") as file:
            text = file.read()
        games = GAME.findall(text)
        turns = {" ".join(re.sub(r"\{[^}]*\}", "", body).split()) for _, body in games}
        points = [POINTS[result] for result, _ in games]
        won, lost = points.count(100.0), points.count(0.0)
        mean = statistics.mean(points)
        # Games that are alike count as one.
        low, high = interval(mean / 100 * len(turns), len(turns))
        print(
            f"| `{variants(text)}` | {len(games)} | {won} | {len(games) - won - lost} | {lost} "
            f"| {mean:.1f} ({100 * low:.0f}–{100 * high:.0f}) | {len(turns)} |"
        )


def variants(text: str) -> str:
    """The rule sets of the games in a file."""
    return " ".join(sorted(set(re.findall(r'^\[Variant "(.*)"\]$', text, re.MULTILINE))))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", help="file of the searches, JSON lines")
    parser.add_argument("variants", nargs="*", help="rule sets")
    parser.add_argument("--seeds", type=int, default=6, help="searches of each start")
    parser.add_argument("--seconds", type=float, default=600.0, help="time of each")
    parser.add_argument("--nodes", type=int, help="nodes of each, in place of a time")
    parser.add_argument("--jobs", type=int, default=1, help="searches at a time")
    parser.add_argument("--hash", type=int, default=2048, help="memory of each, MiB")
    parser.add_argument("--engine", default="hippolyta")
    parser.add_argument("--table", action="store_true", help="print the file")
    parser.add_argument("--games", type=Path, nargs="+", help="count the results of these files")
    arguments = parser.parse_intermixed_args()
    if not (arguments.file or arguments.games):
        parser.error("a file of searches or --games is needed")
    if arguments.file:
        run(arguments)
    if arguments.table or arguments.games:
        # Tables are for documents, whatever the terminal speaks.
        sys.stdout.reconfigure(encoding="utf-8")
        try:
            if arguments.games:
                results(arguments.games)
            else:
                tables(read(arguments.file))
            sys.stdout.flush()
        except BrokenPipeError:
            # Who reads has seen enough; Python writes once more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
