"""Games that were kept: files of `hippolyta match`, lists of turns, boards."""

import itertools
import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hippolyta import Board, FenError, Move, MoveError
from hippolyta.games import Game, GameWarning, Line, Thought, read, write

RECORD = {
    "game": 0,
    "opening": 0,
    "variant": "amazons6",
    "fen": "1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1",
    "white": "a",
    "black": "b",
    "moves": [
        {"move": "b1b4,b4c4", "book": True},
        {
            "move": "e6e5,e5d5",
            "time_us": 1500,
            "clock_ms": 2500,
            "score": {"mate": -2},
            "depth": 3,
            "nodes": 9,
        },
    ],
    "result": "0-1",
    "reason": "time",
    "detail": "",
    "final_fen": "",
}


def test_what_a_match_keeps_is_read(tmp_path: Path) -> None:
    out = tmp_path / "match"
    command = [
        sys.executable,
        "-m",
        "hippolyta",
        "match",
        "--variant",
        "amazons6",
        "--games",
        "2",
        "--out",
        str(out),
    ]
    command += [
        "--engine",
        "cmd=self",
        "name=one",
        "nodes=20",
        "--engine",
        "cmd=self",
        "name=two",
        "nodes=20",
    ]
    subprocess.run(command, check=True, capture_output=True)
    games = list(read(out))
    assert [(game.white, game.black) for game in games] == [("one", "two"), ("two", "one")]
    for game in games:
        outcome = game.board().outcome()
        assert outcome is not None and outcome.result == game.result and game.reason == "rules"
        assert len(game.thoughts) == len(game) > 10
        assert all(thought.book or (thought.nodes or 0) >= 1 for thought in game.thoughts)
        boards = list(game.boards())
        assert (
            len(boards) == len(game) + 1
            and boards[-1] == game.board()
            and boards[3] == game.board(3)
        )
    assert list(read(out / "games.jsonl")) == games


def test_all_that_is_known_of_a_turn_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(RECORD) + "\n")
    (game,) = read(file)
    assert game.thoughts == (Thought(book=True), Thought(False, 0.0015, 2.5, None, -2, 3, 9))
    assert (game.result, game.reason, game.moves) == ("0-1", "time", ("b1b4,b4c4", "e6e5,e5d5"))


@pytest.mark.parametrize("ending", ["pgn", "sgf", "jsonl"])
@pytest.mark.parametrize(
    "known",
    [{"book": True}, {"book": True, "centipawns": 20}, {"mate": -3}, {"depth": 3}, {"nodes": 7}],
)
def test_what_is_known_of_a_turn_is_kept_whatever_is_not(
    tmp_path: Path, ending: str, known: dict[str, int]
) -> None:
    game = Game("amazons6", ("b1b4,b4c4",), thoughts=(Thought(**known),))  # type: ignore[arg-type]
    file = tmp_path / f"game.{ending}"
    write(file, [game])
    (again,) = read(file)
    assert again.thoughts == game.thoughts
    # Texts become turns, wherever a game comes from.
    assert [type(move) for one in (game, again) for move in one.moves] == [Move, Move]


def test_lines_of_turns_are_read_with_and_without_a_position(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("startpos moves b1b4,b4c4\n\nq2/3/2Q w - - 0 1 moves c1b1,b1b2\r\nq2/3/2Q w\n")
    games = list(read(file, "amazons6"))
    assert [len(game) for game in games] == [1, 1, 0]
    assert games[0].board().variant == "amazons6" and games[1].board().fen().startswith(
        "q2/1*1/1Q1 b"
    )


def test_a_file_is_read_one_game_at_a_time(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    line = json.dumps(RECORD) + "\n"
    file.write_text(line * 1000 + "nonsense\n")
    assert len(list(itertools.islice(read(file), 1000))) == 1000
    with pytest.warns(GameWarning, match=r"games.jsonl:1001:1: 'nonsense' is not JSON of a game"):
        assert len(list(read(file))) == 1000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"white": "a"}', "with neither variant nor fen nor moves"),
        ('{"variant"', "EOF while parsing"),
        ('{"variant": "amazons", "moves": 3}', "an array is expected"),
    ],
)
def test_what_is_no_game_is_named_with_its_line_and_left_out(
    tmp_path: Path, line: str, message: str
) -> None:
    file = tmp_path / "games.jsonl"
    good = json.dumps(RECORD)
    file.write_text(f"{good}\n{line}\n{good}\n")
    said = rf"games.jsonl:2:\d+: game 2: .*{message}.*; the game is left out"
    with pytest.warns(GameWarning, match=said):
        assert len(list(read(file))) == 2


def test_a_line_that_is_still_written_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps(RECORD) + "\n" + json.dumps(RECORD)[:50])
    with pytest.warns(GameWarning, match=r"games.jsonl:2:50: game 2: .*; the game is left out"):
        assert len(list(read(file))) == 1


def test_nothing_behind_an_unknown_word_is_played_and_what_has_no_turn_is_no_game(
    tmp_path: Path,
) -> None:
    file = tmp_path / "games.pgn"
    chess = '[Event "x"]\n\n1. e4 e5 2. Nf3 1-0\n\n'
    cut = '[Event "y"]\n\n1. d1d7,d7g7 a7d4,d4a7 2. Xc4,c10 Qb8,h2 3. g1g2,g2g3 1-0\n'
    file.write_text(chess + cut)
    with pytest.warns(GameWarning) as said:
        (game,) = read(file)
    assert game.moves == ("d1d7,d7g7", "a7d4,d4a7")
    messages = [str(warning.message).removeprefix(str(file)) for warning in said]
    assert messages == [
        ":1:1: game 1: this is chess, which is none of the games here; the game is left out",
        ":7:27: game 2: 'Xc4,c10' is not a turn; it and what follows it are left out",
    ]
    file.write_text(chess)
    with (
        pytest.warns(GameWarning, match="game 1: this is chess, which is none of the games"),
        pytest.raises(ValueError, match=r"games.pgn: there is no game"),
    ):
        list(read(file))


def test_files_that_cannot_be_read_say_so_at_once(tmp_path: Path) -> None:
    with pytest.raises(
        FileNotFoundError, match=r"^\[Errno 2\] No such file or directory: .*nothing'$"
    ):
        read(tmp_path / "nothing")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ValueError, match="binary: this is no PGN, SGF, JSON of games"):
        list(read(binary))


def test_a_board_is_a_game() -> None:
    board = Board.from_fen("q**/***/*1Q w")
    assert Game.from_board(board).result == "*"
    board.push("c1b1,b1c1")
    game = Game.from_board(board, "me", "you")
    assert (game.result, game.reason, game.white) == ("1-0", "rules", "me")
    assert game.board() == board
    with pytest.raises(MoveError):
        Game("amazons", ("a1a2,a2a3",)).board()
    with pytest.raises(FenError):
        Game("amazons", (), "nonsense").board()


PGN = """[Event "Café"]
[White "Ada"]
[Variant "amazons6"]
[Result "1-0"]

{Start} 1. b1b4,b4c4 {+0.35/12 1.500s, n=5000} {bold} (1. e1e4,e4e2 {calm} e6e5,e5d5
(1... a5a4,a4a3)) e6e5/d5 2. a1a2,a2a3 1-0
"""


def test_variations_comments_and_notes_are_read_and_illegal_turns_are_named(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(PGN, encoding="utf-8")
    with pytest.warns(GameWarning, match=r"game.pgn:7:\d+: game 1: illegal move 'a1a2,a2a3'"):
        (game,) = read(file)
    assert (game.variant, game.white, game.black, game.result) == (
        "amazons6",
        "Ada",
        "Black",
        "1-0",
    )
    assert game.moves == ("b1b4,b4c4", "e6e5,e5d5") and game.tags["Event"] == "Café"
    assert game.comment == "Start" and game.comments[1] == "" and "bold" in game.comments[0]
    assert game.thoughts[0].centipawns == 35 and game.thoughts[0].nodes == 5000
    inner = Line(1, ("a5a4,a4a3",))
    outer = Line(0, ("e1e4,e4e2", "e6e5,e5d5"), (), ("calm", ""), (inner,))
    assert game.variations == (outer,)


@pytest.mark.parametrize("ending", ["pgn", "jsonl", "sgf"])
def test_games_come_back_as_they_were_written(tmp_path: Path, ending: str) -> None:
    inner = Line(2, ("f2f3,f3f4",), (), ("why",))
    outer = Line(1, ("e6e4,e4e3", "e1e2,e2e1"), (), (), (inner,))
    game = Game(
        "amazons6",
        ("b1b4,b4c4", "e6e5,e5d5"),
        Board("amazons6").start_fen,
        "Ada",
        "Bob",
        "0-1",
        comments=("a {brace}", ""),
        comment="Start",
        variations=(outer,),
        reason="proven",
        tags={"Event": "Cup", "Game": "7", "Opening": "2", "Margin": "+3", "Detail": "long"},
    )
    file = tmp_path / f"game.{ending}"
    write(file, [game, Game("amazons6")])
    found, empty = read(file)
    if ending == "sgf":
        assert found.comments[0] == game.comments[0] and found.variations == game.variations
    else:
        assert found.tags.items() >= game.tags.items() and len(empty) == 0
        assert replace(found, tags=game.tags, comments=game.comments) == game
        write(file, [found])
        assert list(read(file)) == [found]
    assert "Ada" in game.text(ending)  # type: ignore[arg-type]


def test_what_cannot_be_written_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    write(file, [Game("amazons6")])
    before = file.read_bytes()
    with pytest.raises(ValueError, match="game 2: .*illegal move"):
        write(file, [Game("amazons6"), Game("amazons6", ("a1a2,a2a3",))])
    for name in ("my tag", "", "Café"):
        with pytest.raises(ValueError, match=f"^tags: '{name}' is no name of a tag"):
            write(file, [Game("amazons6", tags={name: "x"})])
    with pytest.raises(ValueError, match="^tags: White is a field of the game$"):
        write(file, [Game("amazons6", tags={"White": "x"})])
    game = Game("amazons6", ("b1b4,b4c4", "e6e5,e5d5"))
    for name, given in (("thoughts", (Thought(),)), ("comments", ("a", "b", "c"))):
        said = f"^{name}: {len(given)} for 2 turns; one for each is expected, or none$"
        with pytest.raises(ValueError, match=said):
            replace(game, **{name: given})
    for ply in (-1, 2):
        with pytest.raises(ValueError, match=f"^ply: {ply} is not from 0 to 1$"):
            write(file, [replace(game, variations=(Line(ply, ("e1e4,e4e2",)),))])
    for known in (
        {"time": math.nan},
        {"clock": -1},
        {"depth": -1},
        {"nodes": 2**64},
        {"mate": 2**31},
    ):
        (name,) = known
        with pytest.raises(ValueError, match=f"^{name}: .* is not "):
            write(file, [replace(game, thoughts=(Thought(), Thought(**known)))])  # type: ignore[arg-type]
    write(tmp_path / "tags.pgn", [Game("amazons6", tags={"my-tag_2": "x"})])
    assert next(read(tmp_path / "tags.pgn")).tags["my-tag_2"] == "x"
    assert file.read_bytes() == before
    with pytest.raises(ValueError, match="does not end in .pgn"):
        write(tmp_path / "game.txt", [])
