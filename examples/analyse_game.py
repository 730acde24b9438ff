"""Review a game: what every turn was worth, the mistakes, and how well both sides played.

    python3 examples/analyse_game.py results/games.jsonl --game 3 --nodes 50000
    python3 examples/analyse_game.py results/games.pgn --side black --by cost
    echo startpos moves d1d7,d7g7 a7a6,a6b5 > game.txt; python3 examples/analyse_game.py game.txt

Every position of the game is searched. A turn loses what the best turn's win rate exceeds its own,
from the view of the side that played it; a draw counts as half a win. From 5 % on it is an
inaccuracy, from 10 % a mistake, from 20 % a blunder. Accuracy is the share of a side's turns that
were none of these. Turns of an opening (`book` in the file) were not the player's: they are shown,
and not judged.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import NamedTuple

from engine import Judgement, run
from games import Game, chosen_game, game_parser, numbers, search_game, squares

# The rule is that of the page in web/, src/review/classify.ts. A test compares them.
THRESHOLDS = {"inaccuracy": 0.05, "mistake": 0.1, "blunder": 0.2}
PLURAL = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "blunder": "blunders"}
ARTICLE = {"inaccuracy": "an inaccuracy", "mistake": "a mistake", "blunder": "a blunder"}


class Turn(NamedTuple):
    """A turn of the game between the positions before and after it."""

    number: str
    side: str
    played: str
    book: bool
    before: Judgement
    after: Judgement
    # Of win rate, 0 to 1.
    loss: float
    # None if it was no mistake, or not the player's own.
    kind: str | None


def rounded(value: float) -> int:
    """Halves go up."""
    return math.floor(value + 0.5)


def loss_of(before: float, after: float, side: str) -> float:
    """Loss of the mover's win rate, from White's expected scores. Never negative: a search of the
    next position may see more than the one before."""
    before, after = rounded(before * 10_000) / 10_000, rounded(after * 10_000) / 10_000
    return max(0.0, before - after if side == "white" else after - before)


def kind_of(loss: float) -> str | None:
    """By whole per cents, as they are shown: what reads as 10 % is named as 10 %."""
    whole = rounded(loss * 100) / 100
    return next((kind for kind in reversed(THRESHOLDS) if whole >= THRESHOLDS[kind]), None)


def per_cent(share: float) -> str:
    return f"{'under 1' if 0 < share < 0.005 else rounded(share * 100)} %"


def value_for(side: str, judgement: Judgement) -> str:
    """The win rate of a side, or what is proven, in words."""
    if not judgement.proven:
        return per_cent(judgement.white if side == "white" else 1 - judgement.white)
    outcome, plies = outcome_for(side, judgement), judgement.proven[1]
    if plies == 0:
        return f"the game is over, a {outcome}"
    if outcome == "draw" or plies is None:
        return f"a {outcome}, proven"
    turns = (plies + 1) // 2
    return f"a {outcome} in {turns} {'turn' if turns == 1 else 'turns'}, proven"


def short_value_for(side: str, judgement: Judgement) -> str:
    """The same for a table."""
    if judgement.proven:
        return outcome_for(side, judgement)
    return f"{100 * (judgement.white if side == 'white' else 1 - judgement.white):.1f}"


def outcome_for(side: str, judgement: Judgement) -> str:
    winner = judgement.proven[0] if judgement.proven else "draw"
    return "draw" if winner == "draw" else "win" if winner == side else "loss"


def is_best(played: str, before: Judgement) -> bool:
    return bool(before.line) and squares(before.line[0]) == squares(played)


def review(game: Game, judgements: list[Judgement]) -> list[Turn]:
    """What each turn of a game was worth."""
    turns = []
    names = numbers(judgements[0].fen, len(game.moves))
    for ply, (before, after) in enumerate(itertools.pairwise(judgements)):
        played, side = game.moves[ply], before.side
        best = is_best(played, before)
        loss = 0.0 if best else loss_of(before.white, after.white, side)
        book = ply in game.book
        kind = None if book else kind_of(loss)
        turns.append(Turn(names[ply], side, played, book, before, after, loss, kind))
    return turns


def print_turns(turns: Iterable[Turn]) -> None:
    """Every turn with the best one, the mover's win rate before and after it, and the loss."""
    print(f"{'':>5} {'turn':<14} {'best':<14} {'before':>6} {'after':>6} {'loss':>6}")
    for turn in turns:
        before, after = (short_value_for(turn.side, at) for at in (turn.before, turn.after))
        best = turn.before.line[0] if turn.before.line else "-"
        note = "book" if turn.book else turn.kind or ""
        row = f"{turn.number:>5} {turn.played:<14} {best:<14} {before:>6} {after:>6}"
        print(f"{row} {100 * turn.loss:6.1f}  {note}".rstrip())


def print_mistakes(turns: list[Turn], sides: str, by_cost: bool) -> None:
    """The mistakes, each with the position that it was made in and what was better."""
    found = [turn for turn in turns if turn.kind and sides in ("both", turn.side)]
    if by_cost:
        found.sort(key=lambda turn: -turn.loss)
    whose = "" if sides == "both" else f" of {sides.capitalize()}"
    print(f"\nMistakes{whose}: {len(found) or 'none'}")
    for turn in found:
        side, best = turn.side.capitalize(), turn.before.line
        print(f"\n{turn.number} {side} played {turn.played}, ", end="")
        print(f"{ARTICLE[turn.kind or '']} that lost {per_cent(turn.loss)}.")
        print(f"    Before it: {turn.before.fen}")
        if best:
            print(f"    Best was {best[0]}: {value_for(turn.side, turn.before)} for {side}.")
        print(f"    After the turn in the game: {value_for(turn.side, turn.after)}.")
        if len(best) > 1:
            print(f"    Expected after the best: {' '.join(best[1:5])}")


def print_summary(turns: list[Turn]) -> None:
    """How both sides played."""
    columns = []
    for side in ("white", "black"):
        own = [turn for turn in turns if turn.side == side and not turn.book]
        counts = [str(sum(turn.kind == kind for turn in own)) for kind in THRESHOLDS]
        if own:
            accuracy = per_cent(sum(turn.kind is None for turn in own) / len(own))
            loss = f"{100 * sum(turn.loss for turn in own) / len(own):.1f} %"
            best = per_cent(sum(is_best(turn.played, turn.before) for turn in own) / len(own))
        else:
            accuracy = loss = best = "-"
        columns.append([str(len(own)), accuracy, loss, best, *counts])
    names = ["Turns judged", "Accuracy", "Average loss", "Best turn found"]
    names += [word.capitalize() for word in PLURAL.values()]
    print(f"\n{'':<16} {'White':>8} {'Black':>8}")
    for name, white, black in zip(names, *columns):
        print(f"{name:<16} {white:>8} {black:>8}")
    if any(turn.book for turn in turns):
        print("\nTurns of the opening (book) are not judged.")


def main() -> None:
    parser = game_parser(__doc__)
    parser.add_argument(
        "--side", choices=["white", "black", "both"], default="both", help="whose mistakes [both]"
    )
    parser.add_argument(
        "--by", choices=["turn", "cost"], default="turn", help="order of the mistakes [turn]"
    )
    arguments = parser.parse_args()
    game = chosen_game(arguments)
    judgements = search_game(game, arguments.nodes, arguments.jobs)

    turns = review(game, judgements)
    count = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
    print(game.title)
    print(f"{count}; {arguments.nodes:,} nodes for each position\n")
    if turns:
        print_turns(turns)
        print_mistakes(turns, arguments.side, arguments.by == "cost")
        print_summary(turns)
    else:
        last = judgements[-1]
        print(
            f"No turn was played. {last.side.capitalize()} to move: {value_for(last.side, last)}."
        )


if __name__ == "__main__":
    run(main)
