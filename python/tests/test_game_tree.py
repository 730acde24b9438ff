"""Trees of turns: games, and back."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from hippolyta import Board, MoveError
from hippolyta.game_tree import Node
from hippolyta.games import Game, Line, Thought, read, write


def grown(variant: str, seed: int, nodes: int = 25) -> Node:
    """A tree of random turns."""
    choose = random.Random(seed)
    tree = Node.of(Game(variant, white="a", black="b", tags={"Event": "x"}))
    while nodes > 0:
        node = choose.choice(list(tree))
        board = node.board()
        if not board.is_game_over():
            move = choose.choice(board.legal_moves)
            node.add(move, comment=choose.choice(["", f"number {nodes}"]))
            nodes -= 1
    return tree


def look(node: Node) -> tuple[object, ...]:
    """All that a tree has."""
    return (node.move, node.comment, node.thought, [look(child) for child in node.children])


@pytest.mark.parametrize("variant", ["amazons6", "iago", "damone"])
@pytest.mark.parametrize("format", ["pgn", "sgf", "jsonl"])
def test_a_tree_is_a_game_with_variations_and_goes_through_files(
    variant: str, format: str, tmp_path: Path
) -> None:
    for seed in range(5):
        tree = grown(variant, seed)
        game = tree.game()
        assert look(Node.of(game)) == look(tree) and Node.of(game).game() == game
        path = tmp_path / f"{seed}.{format}"
        write(path, [game])
        [again] = read(path)
        assert look(Node.of(again)) == look(tree)


def test_turns_of_a_game_become_a_line_and_variations_stand_beside_it() -> None:
    fen = "q2/3/2Q w - - 0 1"
    thoughts = (Thought(nodes=9), Thought())
    line = Line(1, ("a3a2,a2a3",), comments=("other",))
    game = Game("amazons", ("c1b1,b1a1", "a3b3,b3a3"), fen, thoughts=thoughts, variations=(line,))
    tree = Node.of(replace(game, comment="begins"))
    first, second = tree.line()
    assert tree.comment == "begins" and first.thought == Thought(nodes=9)
    assert [child.comment for child in first.children] == ["", "other"]
    assert (
        first.children[1].board().fen()
        == Board.from_fen(fen, moves=[*first.moves, "a3a2,a2a3"]).fen()
    )
    assert second.root is tree and second.moves == game.moves and second.parent is first
    # The other turn becomes the main line.
    first.children.reverse()
    turned = second.game()
    assert turned.moves == ("c1b1,b1a1", "a3a2,a2a3") and turned.comment == "begins"
    assert turned.variations[0].moves == ("a3b3,b3a3",)
    del first.children[1]
    assert tree.game().variations == ()


def test_a_turn_is_added_once_and_must_be_legal() -> None:
    tree = Node.of(Game("amazons6"))
    node = tree.add("b1-b4/c4", comment="first")
    assert tree.add("b1b4,b4c4") is node and node.move == "b1b4,b4c4" and node.comment == "first"
    with pytest.raises(MoveError, match="illegal move"):
        node.add("b1b4,b4c4")
    assert repr(tree) == "<Node start, 1 children>" and list(node.line()) == []
    with pytest.raises(MoveError):
        Node.of(Game("amazons6", moves=("a1a2,a2a3",)))
