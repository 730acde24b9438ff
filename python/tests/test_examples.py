"""The scripts in examples/ say the same with the package as with the program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

hippolyta = pytest.importorskip("hippolyta")
if not hasattr(hippolyta, "Engine"):
    pytest.skip("this package has no engine", allow_module_level=True)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAME = "startpos moves b1b4,b4c4 e6-e5/d5 e1e4,e4e2 a5a4,a4a3\n"
AMAZONS = ["--variant", "amazons6", "--nodes", "300"]


def program() -> str:
    """The command that the wheel installs, or any other in the path."""
    folder = str(Path(sys.executable).parent)
    found = shutil.which("hippolyta", path=folder + os.pathsep + os.environ.get("PATH", ""))
    if found is None:
        pytest.skip("the program is not installed")
    return found


def run(
    script: str, arguments: list[str], text: str, use_program: bool, folder: Path = EXAMPLES
) -> tuple[int, str, str]:
    """Exit code, output and errors of a script."""
    environment = {name: value for name, value in os.environ.items() if name != "HIPPOLYTA"}
    if use_program:
        environment["HIPPOLYTA"] = program()
    done = subprocess.run(
        [sys.executable, "-B", str(folder / script), *arguments],
        check=False,
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        timeout=300,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("script", "arguments", "text"),
    [
        ("analyse_game.py", ["-", *AMAZONS, "--threads", "2"], GAME),
        ("play.py", AMAZONS, "moves b1b4\nhint\nb1b4c4\nback\nquit\n"),
        ("play.py", ["--variant", "amazons6", "--elo", "900", "--side", "black"], "quit\n"),
    ],
)
def test_both_ways_say_the_same(
    tmp_path: Path, script: str, arguments: list[str], text: str
) -> None:
    # In the repository the scripts would find a program that was built, perhaps an old one.
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("*.rs"))
    by_package = run(script, arguments, text, use_program=False, folder=folder)
    assert by_package[0] == 0 and by_package[2] == ""
    assert by_package == run(script, arguments, text, use_program=True)


@pytest.mark.parametrize(
    ("arguments", "text", "turn"),
    [
        ([*AMAZONS, "--move", "2"], GAME, "2 of 4"),
        (["--variant", "iago", "--nodes", "50"], "startpos\n", "0 of 0"),
        (["--variant", "damone", "--nodes", "50"], "startpos moves f1g2\n", "1 of 1"),
    ],
)
def test_a_game_is_drawn_with_its_curve(
    tmp_path: Path, arguments: list[str], text: str, turn: str
) -> None:
    file, out = tmp_path / "game.txt", tmp_path / "game.svg"
    file.write_text(text, encoding="utf-8")
    told = run("draw_game.py", [str(file), *arguments, "--out", str(out)], "", use_program=False)
    assert told == (0, "", "")
    drawn = out.read_text(encoding="utf-8")
    assert drawn.startswith("<svg") and drawn.count("<polyline") == 1
    assert f">after turn {turn}: White scores " in drawn
    nowhere = str(tmp_path / "no" / "folder.svg")
    for wrong, expected in (
        (["--move", "5"], "--move 5: "),
        (["--game", "2"], "--game 2: "),
        (["--out", nowhere], "folder.svg: "),
    ):
        code, _, errors = run("draw_game.py", [str(file), *arguments, *wrong], "", False)
        assert code == 1 and expected in errors and errors.count("\n") == 1, errors


@pytest.mark.parametrize(
    ("variant", "turns", "lines"), [("amazons", 3, 3), ("iago", 2, 3), ("amazons6", 99, 1)]
)
def test_python_chess_plays_and_analyses(variant: str, turns: int, lines: int) -> None:
    """Squares that no chess board has are read, and the end of a game is one."""
    pytest.importorskip("chess")
    arguments = ["--variant", variant, "--turns", str(turns), "--nodes", "100"]
    code, output, errors = run("python_chess.py", arguments, "", use_program=True)
    assert (code, errors) == (0, "")
    played, *found = output.splitlines()
    board = hippolyta.Board(variant)
    for turn in played.removeprefix("Played: ").split():
        board.push(turn)
    assert board.is_game_over() == (turns == 99) and len(found) == lines
    for line in found:
        score, _, turns_after = line.strip().partition(" for White: ")
        if turns == 99:
            assert turns_after == "the game is over" and score.startswith("#")
        else:
            after = board.copy()
            for turn in turns_after.split():
                after.push(turn)
            assert len(after.move_stack) > len(board.move_stack)


def test_the_table_of_long_games_is_that_of_the_document() -> None:
    files = sorted(str(path) for path in (EXAMPLES.parent / "docs/games/long").iterdir())
    code, table, errors = run("starts.py", ["--games", *files], "", use_program=False)
    assert (code, errors) == (0, "")
    document = (EXAMPLES.parent / "docs/starts.md").read_text(encoding="utf-8").splitlines()
    rows = table.splitlines()
    assert len(rows) == 2 + len(files) and set(rows) <= set(document)
