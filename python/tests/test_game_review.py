"""Reviews: what turns lost, and what that is called."""

import re
from pathlib import Path

import pytest

import hippolyta
from hippolyta.game_review import THRESHOLDS, _kind, review
from hippolyta.games import Game

CLASSIFY = Path(__file__).resolve().parents[2] / "web" / "src" / "review" / "classify.ts"


def game() -> Game:
    """White throws its win away, and Black gives it back."""
    board = hippolyta.Board.from_fen("q1*/**1/2Q w")
    board.push("c1b1,b1c1")
    while not board.is_game_over():
        board.push(board.legal_moves[0])
    return Game.of(board)


def test_a_turn_that_throws_a_win_away_is_a_blunder() -> None:
    reviewed = review(game(), limit=hippolyta.Limit(nodes=200))
    first = reviewed.turns[0]
    assert (first.best, first.kind, first.loss, first.number) == ("c1c2,c2b3", "blunder", 1.0, "1.")
    assert reviewed.curve[0] == 1.0 and reviewed.curve[1] == 0.0
    assert len(reviewed.infos) == len(reviewed.turns) + 1 == len(reviewed.game.moves) + 1
    assert reviewed.mistakes("white") == [first] == reviewed.mistakes(by_cost=True)[:1]
    summary = reviewed.summary("white")
    own = len([turn for turn in reviewed.turns if turn.side == "white"])
    assert summary.moves == own and summary.counts["blunder"] == 1
    assert summary.accuracy == 1 - 1 / own and summary.average_loss == 1 / own
    text = str(reviewed)
    assert "1. c1b1,b1c1" in text and "blunder" in text and "Black: " in text


def test_the_best_turn_loses_nothing_and_book_turns_are_not_judged() -> None:
    moves = game().moves
    reviewed = review(
        Game(fen="q1*/**1/2Q w", moves=moves, book=1), limit=hippolyta.Limit(nodes=200)
    )
    assert reviewed.turns[0].book and reviewed.turns[0].kind is None
    assert reviewed.summary("white").counts == {"inaccuracy": 0, "mistake": 0, "blunder": 0}
    best = review(Game(fen="q1*/**1/2Q w", moves=("c1c2,c2b3",)), limit=hippolyta.Limit(nodes=200))
    assert best.turns[0].is_best and best.turns[0].loss == 0


def test_losses_are_named_by_whole_per_cents() -> None:
    names = [_kind(loss) for loss in (0, 0.0449, 0.0451, 0.094, 0.095, 0.194, 0.195, 1)]
    assert names == [
        None,
        None,
        "inaccuracy",
        "inaccuracy",
        "mistake",
        "mistake",
        "blunder",
        "blunder",
    ]


@pytest.mark.skipif(not CLASSIFY.is_file(), reason="the page's sources are not here")
def test_the_rule_is_that_of_the_page() -> None:
    line = re.search(r"THRESHOLDS: .*?= \{(.*?)\}", CLASSIFY.read_text())
    assert line is not None
    stated = {name: float(value) for name, value in re.findall(r"(\w+): ([\d.]+)", line[1])}
    assert stated == THRESHOLDS


def test_reviews_do_not_depend_on_the_number_of_jobs() -> None:
    board = hippolyta.Board("amazons6")
    for move in ("b1b4,b4c4", "b6c5,c5b6", "c1c3,c3d3"):
        board.push(move) if move in board.legal_moves else board.push(board.legal_moves[7])
    with hippolyta.Engine(hash=16) as engine:
        one, two = (review(board, engine, hippolyta.Limit(nodes=300), jobs=jobs) for jobs in (1, 2))
    assert one.curve == two.curve and [t.best for t in one.turns] == [t.best for t in two.turns]


def test_figures_have_axes_and_a_legend() -> None:
    pytest.importorskip("matplotlib")
    from hippolyta.figures import ownership

    figure = review(game(), limit=hippolyta.Limit(nodes=200)).figure()
    axes = figure.axes[0]
    assert axes.get_xlabel() == "move number" and "White" in axes.get_ylabel()
    assert [text.get_text() for text in figure.legends[0].get_texts()][-1].startswith("blunder")
    board = hippolyta.Board.from_fen("q1*/**1/2Q w")
    with hippolyta.Engine(hash=8) as engine:
        info = engine.analyse(board, hippolyta.Limit(nodes=100), ownership=True)
        plain = engine.analyse(board, hippolyta.Limit(nodes=100))
    assert len(ownership(board, info).axes) == 2
    with pytest.raises(ValueError, match="no ownership"):
        ownership(board, plain)
