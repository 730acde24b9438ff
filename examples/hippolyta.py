"""What the scripts beside this file share: the engine as a child process. Python 3.8 or newer, nothing but its standard library.

The engine is the program that HIPPOLYTA names, else target/release/hippolyta of this checkout, else `hippolyta` in the path.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path


def program():
    """Path of the engine."""
    built = Path(__file__).resolve().parent.parent / "target" / "release" / "hippolyta"
    found = os.environ.get("HIPPOLYTA") or (built if built.exists() else shutil.which("hippolyta"))
    if not found:
        raise SystemExit("no engine: run `cargo build --release`, or name it in HIPPOLYTA")
    return str(found)


class Analysis:
    """`hippolyta analyse`: many positions at once, answers in any order."""

    def __init__(self, *arguments):
        command = [program(), "analyse", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()

    def send(self, **query):
        """Sends one query."""
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()

    def receive(self):
        """The next answer. Errors end the script."""
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("the engine has ended")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"{answer.get('field', 'query')}: {answer['error']}")
        return answer

    def ask(self, **query):
        """The one answer to one query."""
        self.send(id="ask", **query)
        return self.receive()

    def whole_game(self, game, **limits):
        """An answer for every position of a game, the start first. `game` has variant, fen and moves."""
        turns = list(range(len(game["moves"]) + 1))
        self.send(id="game", **game, analyseTurns=turns, **limits)
        answers = [self.receive() for _ in turns]
        return sorted(answers, key=lambda answer: answer["turnNumber"])


class Player:
    """An engine that speaks UCI."""

    def __init__(self, command=None, variant="amazons", options=None):
        self.process = subprocess.Popen(
            command or [program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("uci", "uciok")
        for name, value in {"UCI_Variant": variant, **(options or {})}.items():
            self.send(f"setoption name {name} value {value}")
        self.ask("isready", "readyok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, line, end):
        """Sends a line and returns all lines up to the one that begins with `end`."""
        self.send(line)
        lines = []
        while not lines or not lines[-1].startswith(end):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("an engine has ended")
            lines.append(line.rstrip("\n"))
        return lines

    def best_move(self, fen, moves, limits):
        """The move that it plays after `moves` from `fen`, or None if the game is over."""
        self.send(f"position fen {fen} moves {' '.join(moves)}")
        move = self.ask(f"go {limits}", "bestmove")[-1].split()[1]
        return None if move == "(none)" else move

    def close(self):
        self.send("quit")
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def white_view(answer):
    """The expected score of White in a position that was analysed."""
    root = answer["rootInfo"]
    return root["winrate"] if root["currentPlayer"] == "white" else 1 - root["winrate"]


def read_games(path, variant):
    """The games of a file: those that `hippolyta match --out` kept (games.jsonl), or lines like `startpos moves M M …` and `FEN moves M M …`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SystemExit(f"{path}: {error}") from None
    games = []
    for line in lines:
        if line.startswith("{"):
            record = json.loads(line)
            moves = [move["move"] for move in record["moves"]]
            games.append({"variant": record["variant"], "fen": record["fen"], "moves": moves,
                          "white": record["white"], "black": record["black"], "result": record["result"]})
        elif line.strip():
            start, _, moves = line.partition("moves")
            game = {"variant": variant, "moves": moves.split(), "white": "White", "black": "Black", "result": "*"}
            if start.strip() != "startpos":
                game["fen"] = start.strip()
            games.append(game)
    if not games:
        raise SystemExit(f"{path}: no game")
    return games


def setup(game):
    """What the engine wants to know of a game."""
    return {name: game[name] for name in ("variant", "fen", "moves") if name in game}
