"""Books, endgame tables and options of UCI, and the tree of a search."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hippolyta import Board, Branch, Engine, EngineError, Limit, variants

#: A draw by tables of three pieces.
THREE = "8/8/8/8/i7/8/2P5/5P2 w"


def program(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "hippolyta", *arguments], check=True, capture_output=True)


def book(folder: Path, turn: str) -> Path:
    path = folder / "amazons6.book"
    fields = " ".join(Board("amazons6").fen().split()[:4])
    path.write_text(f"# variant amazons6\n{fields} bm {turn}; ce -35; acn 1000;\n", "utf-8")
    return path


def test_play_takes_its_turns_from_the_book_and_analyses_do_not(tmp_path: Path) -> None:
    path, board = book(tmp_path, "a2a3,a3a4"), Board("amazons6")
    limit = Limit(nodes=100)
    with Engine(hash=16, book=path) as engine:
        played = engine.play(board, limit)
        assert (played.move, played.ponder, played.info.nodes) == ("a2a3,a3a4", None, 0)
        assert played.info.score.centipawns == -35 and 0.4 < played.info.score.expected < 0.5
        assert (played.info.pv, played.info.fen) == (("a2a3,a3a4",), board.fen())
        assert asyncio.run(engine.play_async(board, limit)) == played
        assert engine.analyse(board, limit).nodes >= 100
        chosen = engine.play(board, limit, root_moves=["b1b4,b4c4"])
        assert chosen.move == "b1b4,b4c4" and chosen.info.nodes >= 100
        assert engine.play(board, Limit(nodes=100, mate=2)).info.nodes >= 100
        board.push(played.move)
        assert engine.play(board, limit).info.nodes >= 100
        assert engine.play(Board("iago"), limit).info.nodes >= 100
        assert "book=" in repr(engine)
    with pytest.raises(EngineError, match="closed"):
        engine.play(Board("amazons6"), limit)
    path = book(tmp_path, "a1a2,a2a3")
    with pytest.raises(EngineError, match=rf"^{path}: line 2: illegal move"):
        Engine(book=path)


def test_tables_of_a_file_are_used(tmp_path: Path) -> None:
    pieces = {}
    for count in (2, 3):
        path = pieces[count] = tmp_path / f"{count}.tables"
        program("tables", "--pieces", str(count), "--out", str(path))
    board = Board.from_fen(THREE, "damone")
    proven = {}
    for count, path in pieces.items():
        with Engine(hash=16, tables=path) as engine:
            proven[count] = engine.evaluate([board])[0].score.proven
    # Without a file, the program has those of three pieces.
    assert proven == {2: False, 3: True}
    with Engine(hash=16, options={"DamoneTables": pieces[2]}) as engine:
        assert not engine.evaluate([board])[0].score.proven
    with pytest.raises(EngineError, match=r"^.*no\.tables: "):
        Engine(tables=tmp_path / "no.tables")
    with pytest.raises(ValueError, match="^tables: they help the built-in evaluation alone$"):
        Engine(tables=pieces[2], evaluator=lambda planes: planes)


def test_options_of_uci_count_as_settings(tmp_path: Path) -> None:
    path, board, limit = book(tmp_path, "a2a3,a3a4"), Board("amazons6"), Limit(nodes=200)
    options = {"Threads": 2, "hash": 8, "Seed": 7, "Ponder": True, "BookFile": str(path)}
    with Engine(hash=16, options=options) as engine:
        assert repr(engine) == "<Engine(threads=2, hash=8, seed=7)>"
        assert engine.play(board, limit).info.nodes >= 200
    with Engine(options={"OwnBook": True, "BookFile": path}) as engine:
        assert engine.play(board, limit).move == "a2a3,a3a4"

    def played(**options: Any) -> set[str]:
        found = set()
        for seed in range(12):
            with Engine(hash=4, seed=seed, options=options) as engine:
                found.add(str(engine.play(board, Limit(nodes=400)).move))
        return found

    assert len(played(Variety=50)) > len(played())
    weak = {"UCI_LimitStrength": True, "UCI_Elo": 800}
    with Engine(hash=4, options=weak) as engine, Engine(hash=4) as other:
        whole = Limit(nodes=50_000)
        assert engine.play(board, whole) != other.play(board, whole)
        expected = other.play(board, Limit(nodes=50_000, elo=800))
        assert engine.play(board, whole).move == expected.move


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"Hush": 3}, ValueError, "options: there is no option 'Hush'"),
        ({"Hash": 0}, ValueError, "options: Hash: 0 is not from 1 to 32768"),
        ({"Hash": "3"}, TypeError, "options: Hash: a whole number is expected, not '3'"),
        ({"OwnBook": 3}, TypeError, "options: OwnBook: True or False is expected, not 3"),
        ({"EvalFile": 3}, TypeError, "options: EvalFile: a path or None is expected, not 3"),
        ({"MultiPV": 3}, ValueError, "options: MultiPV is an argument, multipv of analyse"),
        ({"Clear Hash": None}, ValueError, "options: Clear Hash is no setting"),
        ({"UCI_Variant": "chess"}, ValueError, "unknown variant 'chess'"),
    ],
)
def test_options_that_cannot_be_are_refused_in_a_line(
    options: dict[str, Any], kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=f"^{text}"):
        Engine(options=options)


def turns_of(board: Board, branches: tuple[Branch, ...], least: int) -> int:
    """Plays what a tree has, and counts its whole turns."""
    found = 0
    for branch in branches:
        assert branch.side is board.turn and branch.visits >= least
        assert 0 <= branch.prior <= 1 and 0 <= branch.expected <= 1
        after = board.copy()
        if branch.complete:
            after.push(branch.text)
            found += 1
        found += turns_of(after, branch.children, least)
    return found


@pytest.mark.parametrize("variant", variants())
def test_the_tree_of_a_search_has_its_turns_and_visits(variant: str) -> None:
    board = Board(variant)
    with Engine(hash=16) as engine:
        assert engine.tree() == ()
        info = engine.analyse(board, Limit(nodes=1_000))
        tree = engine.tree(depth=4, min_visits=3)
        assert turns_of(board, tree, 3) > 2 and info.move is not None
        assert any(info.move.startswith(branch.text) for branch in tree)
        assert sum(branch.visits for branch in engine.tree(1)) <= info.visits
        assert engine.tree(0) == () == engine.tree(9, 2**32 - 1)


def test_a_tree_is_read_once_the_search_is_over() -> None:
    with Engine(hash=16) as engine:
        with engine.analysis(Board()) as analysis, pytest.raises(EngineError, match="goes on"):
            next(analysis)
            engine.tree()
        analysis.result()
        assert engine.tree()
        for wrong in ({"depth": -1}, {"min_visits": 0}):
            with pytest.raises(ValueError, match=r"is not from"):
                engine.tree(**wrong)
    with pytest.raises(EngineError, match="closed"):
        engine.tree()
