"""A plain search over half-turns with an evaluator, to compare the engine's with: slow, and obviously right.

It knows nothing of batches, threads, chunks of children or memory. Numbers are 32-bit floats where the engine's are, and
priors are rounded as it keeps them, so that near ties fall the same way.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hippolyta import Board, Side
from hippolyta.encoding import State

F = np.float32
#: The unit of sums of scores, and of priors.
ONE, PRIOR = 1 << 20, F(65_535)
C_PUCT, GROWTH, BASE = F(0.6), F(0.2), F(1_000)


@dataclass
class Node:
    action: int = -1
    prior: float = 1.0
    visits: int = 0
    #: White's scores, in units.
    sum: int = 0
    #: White's score if it is proven.
    proof: float | None = None
    draw_in_hand: bool = False
    children: list["Node"] = field(default_factory=list)
    #: Whether the children are followed by another half-turn of the same turn.
    halves_follow: bool = False


def log2(x: Any) -> Any:
    """The engine's logarithm: linear between powers of two."""
    exponent = int(np.floor(np.log2(x)))
    return F(exponent) + F(x / F(2) ** exponent) - F(1)


class Reference:
    def __init__(
        self,
        board: Board,
        evaluator: Callable[[Any], tuple[Any, Any]],
        certain: Callable[[Board], float | None],
    ) -> None:
        """`certain` tells White's score of a board whose result is certain, and else `None`."""
        self.state = State(board.variant, fen=board.fen())
        self.evaluator, self.certain = evaluator, certain
        self.root = Node()
        #: White's score of positions at the start of a turn that were proven below, wherever they occur again.
        self.proven: dict[int, float] = {}

    def run(self, nodes: int) -> Node:
        for _ in range(nodes):
            self.simulate()
        return self.root

    def simulate(self) -> None:
        state, node = self.state.copy(), self.root
        path: list[tuple[Node, State]] = []
        while True:
            path.append((node, state.copy()))
            if node.proof is not None and len(path) > 1:
                score = node.proof
                break
            if node.visits == 0:
                score = self.leaf(node, state, len(path) == 1)
                break
            chosen = self.choose(node, state.turn)
            if chosen is None:
                node.proof = self.proof_of(node, state.turn)
                assert node.proof is not None and len(path) > 1
                score = node.proof
                break
            node = chosen
            state.play(node.action)
        self.back_up(path, score)

    def leaf(self, node: Node, state: State, is_root: bool) -> float:
        if state.at_turn_start and not is_root:
            if state.is_over:
                winner = state.winner
                node.proof = 0.5 if winner is None else float(winner is Side.WHITE)
            else:
                known = self.proven.get(state.key)
                board = Board.from_fen(state.fen(), state.variant)
                node.proof = self.certain(board) if known is None else known
            if node.proof is not None:
                return node.proof
        logits, values = self.evaluator(state.planes()[None])
        actions = in_order(state)
        chosen = logits[0][actions].astype(F)
        weights = np.exp(chosen - chosen.max(), dtype=F)
        priors = np.maximum(np.trunc(weights / weights.sum(dtype=F) * PRIOR), 1) / PRIOR
        order = np.argsort(-chosen, kind="stable")
        node.halves_follow = state.at_turn_start and state.variant != "damone"
        node.children = [Node(actions[place], F(priors[place])) for place in order]
        own = F(values[0] + F(1)) / F(2)
        return float(own if state.turn is Side.WHITE else F(1) - own)

    def choose(self, node: Node, side: Side) -> Node | None:
        visits = F(node.visits)
        weight = C_PUCT + GROWTH * log2(F(1) + visits / BASE)
        exploration = weight * np.sqrt(visits)
        mean = F(node.sum) / (visits * F(ONE))
        unvisited = mean if side is Side.WHITE else F(1) - mean
        best, most = None, -np.inf
        for child in node.children:
            if child.proof is not None:
                if child.proof == float(side is Side.WHITE):
                    return child
                continue
            value = F(child.sum) / F(max(child.visits, 1)) / F(ONE)
            value = value if side is Side.WHITE else F(1) - value
            value = value if child.visits > 0 else unvisited
            score = value + exploration * child.prior / F(1 + child.visits)
            if score > most:
                best, most = child, score
        return best

    def proof_of(self, node: Node, side: Side) -> float | None:
        win = float(side is Side.WHITE)
        proofs = [child.proof for child in node.children]
        if win in proofs:
            return win
        if None in proofs or not proofs:
            return None
        return 0.5 if 0.5 in proofs else 1.0 - win

    def back_up(self, path: list[tuple[Node, State]], score: float) -> None:
        added, below = int(score * ONE), None
        while path:
            node, state = path.pop()
            if below is not None:
                proof = self.proof_of(node, state.turn)
                if proof is not None:
                    node.proof, added = proof, int(proof * ONE)
                    if state.at_turn_start:
                        self.proven[state.key] = proof
                elif below == 0.5:
                    node.draw_in_hand = True
            below = node.proof
            node.visits += 1
            node.sum += added
            if path and path[-1][0].draw_in_hand:
                # The side above has a draw at least.
                is_white = path[-1][1].turn is Side.WHITE
                added = max(added, ONE // 2) if is_white else min(added, ONE // 2)


def in_order(state: State) -> list[int]:
    """The legal half-turns in the order in which the rules list them, which breaks ties."""
    if state.variant == "damone":
        turns = Board.from_fen(state.fen(), state.variant).legal_moves
        return sorted(
            state.legal_actions(), key=lambda action: turns.index(state.action_text(action))
        )

    def squares(action: int) -> list[tuple[int, str]]:
        """They are listed by their squares, rank by rank."""
        last = state.action_text(action).split(",")[-1]
        return [(int(rank), file) for file, rank in re.findall(r"([a-z])(\d+)", last)]

    return sorted(state.legal_actions(), key=squares)
