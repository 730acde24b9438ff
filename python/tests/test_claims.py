"""Claims of an engine are true at every strength, with some turns only, many lines and few nodes; and searches that are
told to stop or to go on in any order all end. The truth is brute force by the rules of `Board`."""

import random
import re

import pytest

from hippolyta import Analysis, Board, Engine, EngineError, Limit, Score, Stopped

RATINGS = (None, 0, 1, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000)

Value = tuple[int, int]
"""1, 0 or -1 for the side to move, and the turns until the game is over if it is decided."""


def best(values: list[Value]) -> Value:
    """The value of a position by those of its turns."""
    value = max(value for value, _ in values)
    lengths = [plies for one, plies in values if one == value]
    return value, min(lengths) if value > 0 else max(lengths)


def after_turn(board: Board, turn: str, known: dict[str, Value]) -> Value:
    """The value of a turn for the side that plays it."""
    after = board.copy()
    after.push(turn)
    value, plies = true_value(after, known)
    return -value, plies + 1


def true_value(board: Board, known: dict[str, Value]) -> Value:
    fen = board.fen()
    if fen not in known:
        over = board.outcome()
        if over is None:
            found = best([after_turn(board, turn, known) for turn in board.legal_moves])
        else:
            found = (0 if over.winner is None else 1 if over.winner is board.turn else -1, 0)
        known[fen] = found
    return known[fen]


def positions(variant: str, count: int, chance: random.Random) -> list[Board]:
    """Boards of 3 x 4 with few empty squares."""
    found: list[Board] = []
    while len(found) < count:
        others = "****" if variant == "amazons" else "SsSs"
        cells = list("Qq" + others + "." * 6)
        chance.shuffle(cells)
        rows = "/".join("".join(cells[row : row + 3]) for row in range(0, 12, 3))
        placed = re.sub(r"\.+", lambda empty: str(len(empty.group())), rows)
        board = Board.from_fen(f"{placed} {chance.choice('wb')} - - 0 1", variant)
        if board.outcome() is None:
            found.append(board)
    return found


def is_true(score: Score, truth: Value) -> bool:
    if not score.proven:
        return True
    value, plies = truth
    claimed = (score.win > score.loss) - (score.win < score.loss)
    return claimed == value and (score.plies is None or plies <= score.plies)


@pytest.mark.parametrize("variant", ["amazons", "iago"])
def test_claims_are_true_at_every_strength(variant: str) -> None:
    chance = random.Random(5)
    claims = 0
    with Engine(hash=1) as engine:
        for board in positions(variant, 12, chance):
            known: dict[str, Value] = {}
            turns = list(board.legal_moves)
            values = {turn: after_turn(board, turn, known) for turn in turns}
            for elo in RATINGS:
                some = chance.sample(turns, min(len(turns), chance.choice((1, 2, len(turns)))))
                limit = Limit(nodes=chance.choice((1, 2, 5, 40, 1_000)), elo=elo)
                lines = chance.choice((1, 3, 500))
                info = engine.analyse(board, limit, multipv=lines, root_moves=some)
                asked = (board.fen(), limit, some, info)
                assert is_true(info.score, best([values[turn] for turn in some])), asked
                for line in info.lines:
                    assert line.move in some, asked
                    assert is_true(line.score, values[line.move]), asked
                claims += info.score.proven + sum(line.score.proven for line in info.lines)
                assert engine.play(board, limit, root_moves=some).move in some
    assert claims > 30, claims


@pytest.mark.parametrize("elo", [-1, 4_001, 10**30])
def test_ratings_out_of_range_are_refused(elo: int) -> None:
    with pytest.raises(ValueError, match=f"^elo: {elo} is not from 0 to 4000$"):
        Limit(elo=elo)


def test_every_search_ends_whatever_is_told_in_whatever_order() -> None:
    for seed in range(4):
        chance = random.Random(seed)
        with Engine(hash=1) as engine:
            begun: list[Analysis] = []
            for _ in range(40):
                done = chance.randrange(6)
                if done == 0 or not begun:
                    board = Board(chance.choice(("amazons6", "iago", "damone")))
                    limit = chance.choice(
                        (None, Limit(nodes=20), Limit(time=0.001), Limit(mate=2, nodes=50))
                    )
                    begun.append(engine.analysis(board, limit, ponder=chance.random() < 0.5))
                elif done < 3:
                    chance.choice(begun).ponder_hit()
                elif done < 5:
                    chance.choice(begun).stop()
                else:
                    assert chance.choice(begun).done in (True, False)
            for analysis in begun:
                analysis.ponder_hit()
                analysis.stop()
            for analysis in begun:
                # One that waited for its turn when it was stopped has nothing to tell.
                try:
                    assert analysis.result().move
                except Stopped as error:
                    assert "before it began" in str(error)
            with pytest.raises(EngineError):
                engine.close()
                engine.analysis(Board())
