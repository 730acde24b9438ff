"""Games as trees: turns, and the variations that people or engines have added, to walk through and to change.

>>> from hippolyta.games import Game
>>> tree = Node.of(Game("amazons6", moves=("b1b4,b4c4", "e6e5,e5d5")))
>>> first = tree.children[0]
>>> other = first.add("a5a4,a4a3", comment="why not?")
>>> other.board().turn, [child.move for child in first.children]
(<Side.WHITE: 'white'>, ['e6e5,e5d5', 'a5a4,a4a3'])
>>> print(tree.game().text().strip().splitlines()[-1])
1. b1b4,b4c4 e6e5,e5d5 (1... a5a4,a4a3 {why not?}) *

`hippolyta.games` reads and writes the games, as PGN, SGF and other formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ._hippolyta import Board
from .games import Game, Line, Thought
from .outcome import Move

__all__ = ["Node"]


class Node:
    """A place in a tree of turns: the start of a game, or what stands after a turn.

    The first of its children goes on with the line that it is on, the others are variations; `children` is a list that
    can be changed and put in another order.
    """

    def __init__(
        self,
        head: Game,
        move: Move | None = None,
        parent: Node | None = None,
        comment: str = "",
        thought: Thought = Thought(),  # noqa: B008  it is frozen
    ) -> None:
        self._head = head
        #: The turn that leads here; `None` at the start.
        self.move = move
        #: The node before the turn; `None` at the start.
        self.parent = parent
        #: The comment on the turn; at the start, on the game.
        self.comment = comment
        #: Clock, score and other data recorded with the turn.
        self.thought = thought
        self.children: list[Node] = []

    @staticmethod
    def of(game: Game) -> Node:
        """The start of a game, with all its turns and variations. Raises `FenError` and `MoveError`."""
        root = Node(replace(game, moves=(), thoughts=(), comments=(), variations=()))
        root.comment = game.comment
        _grow(
            root, Line(0, game.moves, game.thoughts, game.comments, game.variations), game.board(0)
        )
        return root

    def add(self, move: str, comment: str = "", thought: Thought = Thought()) -> Node:  # noqa: B008
        """The child with this turn, a new one behind the others if there is none. Raises `MoveError` if the turn is not
        legal."""
        return self._child(self.board(), move, comment, thought)

    def _child(self, board: Board, move: str, comment: str, thought: Thought) -> Node:
        spelled = board.spell(move)
        for child in self.children:
            if child.move == spelled:
                return child
        child = Node(self._head, spelled, self, comment, thought)
        self.children.append(child)
        return child

    @property
    def root(self) -> Node:
        """The start of the game."""
        return self if self.parent is None else self.parent.root

    @property
    def moves(self) -> tuple[Move, ...]:
        """The turns from the start of the game to here."""
        before = () if self.parent is None else self.parent.moves
        return before if self.move is None else (*before, self.move)

    def board(self) -> Board:
        """The position, with the turns that led to it."""
        board = self._head.board(0)
        for move in self.moves:
            board.push(move)
        return board

    def line(self) -> Iterator[Node]:
        """The nodes that follow here, by the first child each time."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def __iter__(self) -> Iterator[Node]:
        """This node and all below it, each before its children, main lines first."""
        yield self
        for child in self.children:
            yield from child

    def game(self) -> Game:
        """The whole game, wherever this node stands in it: with the names, the result and the tags of the game that it
        was made of."""
        root = self.root
        main = _line_of(list(root.line()), 0, is_main=True)
        return replace(
            self._head,
            moves=main.moves,
            thoughts=main.thoughts,
            comments=main.comments,
            comment=root.comment,
            variations=main.variations,
        )

    def __repr__(self) -> str:
        return f"<Node {self.move or 'start'}, {len(self.children)} children>"


def _grow(node: Node, line: Line, board: Board) -> None:
    """Adds the turns of a line, and of its variations, to the node before them, whose position `board` is."""
    before, boards = [node], [board.copy()]
    for number, move in enumerate(line.moves):
        thought = line.thoughts[number] if line.thoughts else Thought()
        comment = line.comments[number] if line.comments else ""
        before.append(before[-1]._child(boards[-1], move, comment, thought))
        after = boards[-1].copy()
        after.push(move)
        boards.append(after)
    for variation in line.variations:
        at = variation.ply - line.ply
        _grow(before[at], variation, boards[at])


def _line_of(nodes: list[Node], ply: int, *, is_main: bool) -> Line:
    """Turns one after another, with the variations beside them. Those beside the first are of the main line alone: a
    variation is one of them itself."""
    thoughts = tuple(node.thought for node in nodes)
    comments = tuple(node.comment for node in nodes)
    beside = (
        (number, other)
        for number, node in enumerate(nodes, ply)
        if node.parent is not None and (number > ply or is_main)
        for other in node.parent.children[1:]
    )
    return Line(
        ply,
        tuple(node.move for node in nodes if node.move is not None),
        thoughts if any(thought != Thought() for thought in thoughts) else (),
        comments if any(comments) else (),
        tuple(_line_of([other, *other.line()], number, is_main=False) for number, other in beside),
    )
