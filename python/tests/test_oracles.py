"""Rules and records of the Amazons against other programs: every legal move of 50 games, turns, histories."""

import json
import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from test_command import run

from hippolyta import Board
from hippolyta.games import Game, read

GAMES = 20
SQUARES = [f"{file}{rank}" for rank in range(10, 0, -1) for file in "abcdefghij"]


def positions(seed: int) -> Iterator[tuple[Board, str]]:
    """Every position of a random game with the turn that is played next."""
    board, draw = Board("amazons"), random.Random(seed)
    while board.legal_moves:
        turn = draw.choice(board.legal_moves)
        yield board, turn
        board.push(turn)
    yield board, ""


def test_pyffish() -> None:
    pyffish = pytest.importorskip("pyffish")
    count = 0
    for seed in range(GAMES):
        for board, _ in positions(seed):
            expected = pyffish.legal_moves("amazons", board.fen(), [])
            assert sorted(board.legal_moves) == sorted(expected), board.fen()
            count += len(expected)
    assert count > 500_000


def test_turns_are_written_and_read_as_by_pyffish(tmp_path: Path) -> None:
    pyffish = pytest.importorskip("pyffish")
    start, file, out = Board("amazons").fen(), tmp_path / "a.pgn", tmp_path / "b.pgn"
    for seed in range(5):
        moves = [turn for _, turn in positions(2_000 + seed) if turn]
        for name, number in (("san", pyffish.NOTATION_SAN), ("lan", pyffish.NOTATION_LAN)):
            spelled = pyffish.get_san_moves("amazons", start, moves, False, number)
            numbered = [
                f"{i // 2 + 1}. {text}" if i % 2 == 0 else text for i, text in enumerate(spelled)
            ]
            file.write_text('[Variant "Amazons"]\n\n' + " ".join(numbered) + " *\n")
            assert [list(game.moves) for game in read(file)] == [moves]
            converted = run("convert", str(file), "--out", str(out), "--notation", name, "--force")
            assert converted.returncode == 0, converted.stderr
            words = out.read_text().split("\n\n")[1].split()
            assert [word for word in words if word.startswith("Q")] == spelled


def test_ffish_reads_what_is_written(tmp_path: Path) -> None:
    folder = os.environ.get("HIPPOLYTA_FFISH")
    if not folder:
        pytest.skip("HIPPOLYTA_FFISH is no folder of the npm package ffish")
    file, out = tmp_path / "a.txt", tmp_path / "b.pgn"
    for seed in range(3):
        moves = [turn for _, turn in positions(4_000 + seed) if turn]
        file.write_text(" ".join(moves))
        texts, words = {}, {}
        for name in ("san", "lan"):
            converted = run("convert", str(file), "--out", str(out), "--notation", name, "--force")
            assert converted.returncode == 0, converted.stderr
            texts[name] = out.read_text()
            words[name] = [word for word in texts[name].split() if word.startswith("Q")]
        asked = json.dumps({"pgn": texts["san"], **words})
        script = Path(__file__).with_name("ffish.cjs")
        command = ["node", str(script), folder]
        said = subprocess.run(command, input=asked, capture_output=True, check=True, text=True)
        assert json.loads(said.stdout) == [" ".join(moves)] * 3


def test_openspiel_plays_the_histories_that_are_written(tmp_path: Path) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, file = pyspiel.load_game("amazons"), tmp_path / "history.txt"
    for seed in range(5):
        board = Board("amazons")
        for _, turn in positions(3_000 + seed):
            if turn:
                board.push(turn)
        state = game.new_initial_state()
        for action in Game.from_board(board).text("replay").split(", "):
            state.apply_action(int(action))
        assert state.is_terminal() and (state.returns()[0] > 0) == (board.result() == "1-0")
        for text in (state.history_str(), pyspiel.serialize_game_and_state(game, state)):
            file.write_text(text)
            assert [list(game.moves) for game in read(file)] == [board.move_stack]


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("amazons")
    count = 0
    for seed in range(GAMES):
        state = game.new_initial_state()
        for board, turn in positions(1_000 + seed):
            expected = []
            if not state.is_terminal():
                for start in state.legal_actions():
                    chosen = state.child(start)
                    for end in chosen.legal_actions():
                        move = f"{SQUARES[start]}{SQUARES[end]},{SQUARES[end]}"
                        expected += [
                            move + SQUARES[fire] for fire in chosen.child(end).legal_actions()
                        ]
            assert sorted(board.legal_moves) == sorted(expected), board.fen()
            count += len(expected)
            if turn:
                move, fire = turn.split(",")
                at = next(i for i in range(2, len(move)) if move[i].isalpha())
                for square in (move[:at], move[at:], fire[len(move[at:]) :]):
                    state.apply_action(SQUARES.index(square))
    assert count > 500_000
