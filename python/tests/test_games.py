"""Games from files and from boards."""

import json
from pathlib import Path

import pytest

import hippolyta
from hippolyta.games import Game, GameFileError, read_games

RECORD = {
    "game": 0,
    "variant": "amazons6",
    "fen": hippolyta.Board("amazons6").fen(),
    "white": "Ann",
    "black": "Bob",
    "moves": [{"move": "b1b4,b4c4", "book": True}, {"move": "b6c5,c5b6", "time_us": 7}],
    "result": "1-0",
    "reason": "resignation",
}


def test_a_record_of_a_match_is_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(RECORD) + "\n\n" + json.dumps({"moves": []}) + "\n")
    first, second = read_games(path)
    assert first == Game(
        "amazons6", RECORD["fen"], ("b1b4,b4c4", "b6c5,c5b6"), "Ann", "Bob", "1-0", "resignation", 1
    )
    assert second == Game()
    boards = list(first.boards())
    assert [len(board.move_stack) for board in boards] == [0, 1, 2]
    assert boards[-1] == first.board()


def test_files_are_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(RECORD) + "\nnonsense\n")
    games = read_games(path)
    assert next(games).white == "Ann"
    with pytest.raises(GameFileError, match=r"games\.jsonl: line 2: no game"):
        next(games)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "no game"),
        ("[]", "no game"),
        ("{}", "'moves' is missing"),
        ('{"moves": [1]}', "no game"),
        ('{"moves": [{"text": "a"}]}', "'move' is missing"),
        ('{"moves": 5}', "no game"),
        ("\ud800".encode("utf-8", "surrogatepass").decode("latin-1"), "no game"),
    ],
)
def test_damaged_lines_are_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(GameFileError, match=said):
        list(read_games(path))


def test_a_game_of_a_board() -> None:
    board = hippolyta.Board.from_fen("q1*/**1/2Q w")
    board.push("c1c2,c2b3")
    game = Game.of(board)
    assert (game.result, game.reason, game.moves) == ("1-0", "rules", ("c1c2,c2b3",))
    assert game.board() == board


def test_an_illegal_turn_of_a_game_is_named() -> None:
    with pytest.raises(hippolyta.MoveError, match="a1a2,a2a1"):
        Game(moves=("a1a2,a2a1",)).board()
