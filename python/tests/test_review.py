"""Reviews of games, and their figures."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from hippolyta import Board, Engine, Info, Limit, Line, Score, Side, records, training, uci
from hippolyta.games import Game, Thought
from hippolyta.review import KINDS, THRESHOLDS, Review, kind_of, review

MOVES = ("b1b4,b4c4", "e6e5,e5d5", "e1e4,e4e2", "a5a4,a4a3")


class Told:
    """An engine that says what it was told to: White's expected score and the best turn of each position. After a best
    turn it expects what it did before, unless it was told otherwise by the number of turns before it."""

    def __init__(
        self,
        scores: list[float],
        best: list[str | None],
        after_best: dict[int, float] | None = None,
    ) -> None:
        self.scores, self.best, self.after_best = scores, best, after_best or {}

    def analyse_many(self, boards: Iterable[Board], *_: object, **__: object) -> Iterator[Info]:
        boards = list(boards)
        scores, best_turns = self.scores, self.best
        if len(boards) < len(scores):
            plies = [len(board.move_stack) - 1 for board in boards]
            scores = [self.after_best.get(ply, self.scores[ply]) for ply in plies]
            best_turns = [None] * len(boards)
        for board, white, best in zip(boards, scores, best_turns, strict=True):
            own = white if board.turn is Side.WHITE else 1 - white
            score = Score(own, own, 0.0, 1 - own, side=Side(board.turn))
            move = best or board.legal_moves[0]
            yield Info(
                score, (Line((move,), score),), 1, 1, 0.0, 1, 1, Side(board.turn), board.fen()
            )


def told(scores: list[float], best: list[str | None] | None = None) -> Review:
    return review(Game("amazons6", MOVES), Told(scores, best or [None] * 5))


def test_a_turn_loses_what_its_player_expected_before() -> None:
    found = told([0.5, 0.38, 0.30, 0.1, 0.16])
    assert [round(verdict.loss, 4) for verdict in found.verdicts] == [0.12, 0.0, 0.2, 0.06]
    assert [verdict.kind for verdict in found.verdicts] == [
        "mistake",
        None,
        "blunder",
        "inaccuracy",
    ]
    assert [verdict.glyph for verdict in found.verdicts] == ["?", "", "??", "?!"]
    assert [verdict.side for verdict in found.verdicts] == [Side.WHITE, Side.BLACK] * 2
    assert found.curve == (0.5, 0.38, 0.3, 0.1, 0.16)
    white, black = found.white, found.black
    assert (white.turns, white.accuracy, white.mistakes, white.blunders, white.inaccuracies) == (
        2,
        0.0,
        1,
        1,
        0,
    )
    assert round(white.average_loss, 4) == 0.16
    assert (black.accuracy, black.inaccuracies, round(black.average_loss, 4)) == (0.5, 1, 0.03)


def test_a_turn_loses_no_more_than_the_position_after_the_best_one_is_better() -> None:
    engine = Told([0.5, 0.38, 0.30, 0.1, 0.16], [None] * 5, {0: 0.39, 2: 0.22})
    found = review(Game("amazons6", MOVES), engine)
    # The first turn is as good as the best, whatever was expected before.
    assert [round(verdict.loss, 4) for verdict in found.verdicts] == [0.01, 0.0, 0.12, 0.06]
    assert [verdict.kind for verdict in found.verdicts] == [None, None, "mistake", "inaccuracy"]
    # What is shown is what was compared.
    shown = [(verdict.before, verdict.after) for verdict in found.verdicts]
    assert shown == [(0.39, 0.38), (0.38, 0.3), (0.22, 0.1), (0.1, 0.16)]
    assert ": 22 % for White." in str(found)
    assert sorted(found.after_best) == [0, 2, 3]
    assert all(verdict.refutation for verdict in found.verdicts if verdict.kind)
    assert not found.verdicts[0].refutation
    for verdict in found.verdicts:
        assert all(reason.kind and str(reason).endswith(".") for reason in verdict.reasons)


def test_the_best_turn_loses_nothing_whatever_the_next_search_says() -> None:
    found = told([0.9, 0.1, 0.9, 0.1, 0.9], [*MOVES, None])
    assert all(verdict.loss == 0 and verdict.kind is None for verdict in found.verdicts)


def test_mistakes_are_listed_by_turn_or_by_cost_for_one_side_or_both() -> None:
    found = told([0.5, 0.4, 0.5, 0.2, 0.9])
    assert [verdict.ply for verdict in found.mistakes()] == [0, 1, 2, 3]
    assert [verdict.ply for verdict in found.mistakes(by="cost")] == [3, 2, 0, 1]
    assert [verdict.ply for verdict in found.mistakes("white")] == [0, 2]
    assert [verdict.ply for verdict in found.mistakes(Side.BLACK)] == [1, 3]
    assert found.board(found.verdicts[2]).move_stack == list(MOVES[:2])


def test_phases_hold_every_turn_once() -> None:
    found = told([0.5, 0.4, 0.5, 0.2, 0.9])
    for count in range(1, 8):
        parts = found.phases(count)
        assert len(parts) == count
        assert [ply for part, _, _ in parts for ply in part] == [0, 1, 2, 3]
        assert sum(white.turns + black.turns for _, white, black in parts) == 4
    with pytest.raises(ValueError):
        found.phases(0)


def test_a_review_prints_as_the_command_does() -> None:
    found = told([0.5, 0.38, 0.30, 0.1, 0.16])
    text = str(found)
    assert text.startswith(
        "White against Black, amazons6: *\n4 turns; 20,000 nodes for each position\n"
    )
    assert re.search(r"1\. b1b4,b4c4 +\S+ +50\.0 +38\.0 +12\.0  mistake\n", text)
    assert re.search(r"Turns judged +2 +2\n", text) and "White played b1b4,b4c4, a mistake" in text
    assert found.page().startswith("<!doctype html>") and "b1b4,b4c4" in found.page()
    # A game that Black begins.
    board = Board.from_fen("q2/3/2Q b")
    board.push(board.legal_moves[0])
    assert "   1… " in str(review(board, Told([0.5, 0.5], [None, None])))


def test_turns_of_an_opening_are_not_judged() -> None:
    game = Game("amazons6", MOVES, thoughts=(Thought(book=True), *[Thought()] * 3))
    found = review(game, Told([0.5, 0.1, 0.1, 0.1, 0.1], [None] * 5))
    first = found.verdicts[0]
    assert (first.book, first.kind, first.number) == (True, None, "1.") and first.loss > 0.3
    assert (found.white.turns, found.black.turns, found.white.accuracy) == (1, 2, 1.0)


def test_thresholds_are_those_of_the_library() -> None:
    assert list(KINDS) == list(THRESHOLDS) == ["inaccuracy", "mistake", "blunder"]
    for kind, least in THRESHOLDS.items():
        assert (kind_of(least), kind_of(least - 0.01)) != (kind, kind) and kind_of(least) == kind


def test_a_real_game_is_reviewed_by_both_kinds_of_engines() -> None:
    board = Board("amazons6")
    for move in MOVES:
        board.push(move)
    limit = Limit(nodes=150)
    with Engine(hash=16) as engine:
        own = review(board, engine, limit, jobs=2)
    with uci.Engine(
        [sys.executable, "-m", "hippolyta"], options={"Hash": 16}, timeout=60
    ) as engine:
        other = review(Game.from_board(board), engine, limit)
    assert [verdict.best for verdict in own.verdicts] == [
        verdict.best for verdict in other.verdicts
    ]
    # UCI has whole centipawns and thousandths.
    assert all(abs(a - b) < 0.002 for a, b in zip(own.curve, other.curve, strict=True))


def test_a_game_of_self_play_is_reviewed(tmp_path: Path) -> None:
    training.selfplay(tmp_path / "g.dat", variant="amazons6", games=1, nodes=4, progress=False)
    (game,) = records.open(tmp_path / "g.dat")
    with Engine(hash=1) as engine:
        found = review(game, engine, Limit(nodes=2))
        assert [verdict.move for verdict in found.verdicts] == list(game.moves)
        assert (found.game.result, found.game.reason) == (game.result, game.ending)
        with pytest.raises(TypeError, match="game: a Game or a Board is expected, not str"):
            review("b1b4,b4c4", engine)  # type: ignore[arg-type]


def test_a_game_without_turns_has_nothing_to_judge() -> None:
    found = review(Board("amazons6"), Told([0.5], [None]))
    assert found.verdicts == () and found.white.accuracy == 1.0 and str(found)


def test_kinds_go_by_whole_per_cents() -> None:
    assert [kind_of(loss) for loss in (0, 0.0449, 0.045, 0.0949, 0.095, 0.1949, 0.195, 1)] == [
        None,
        None,
        "inaccuracy",
        "inaccuracy",
        "mistake",
        "mistake",
        "blunder",
        "blunder",
    ]


def test_figures_have_axes_with_names_and_a_legend() -> None:
    pytest.importorskip("matplotlib")
    import numpy

    from hippolyta import figures

    found = told([0.5, 0.38, 0.30, 0.1, 0.16])
    (axes,) = figures.curve(found).axes
    assert axes.get_xlabel() and "%" in axes.get_ylabel()
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [
        "inaccuracy, Black",
        "mistake, White",
        "blunder, White",
    ]
    assert numpy.asarray(axes.lines[0].get_ydata()).tolist() == pytest.approx([50, 38, 30, 10, 16])
    (axes,) = figures.accuracy(found, phases=2).axes
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1–2", "3–4"]
    heights = [getattr(bar, "get_height")() for bar in axes.patches]  # noqa: B009
    assert heights == [0, 0, 100, 0]
    assert len(figures.overview(found).axes) == 2


def test_ownership_is_a_figure_from_whites_view() -> None:
    pytest.importorskip("matplotlib")
    import numpy

    from hippolyta import figures

    board = Board("amazons6")
    board.push(MOVES[0])
    with Engine(hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=20), ownership=True)
        axes = figures.ownership(board, info).axes[0]
        drawn = axes.images[0].get_array()
        assert info.ownership is not None and drawn is not None
        pairs = zip(numpy.ma.getmaskarray(drawn).flat, numpy.ma.getdata(drawn).flat, strict=True)
        shown = [None if hidden else value for hidden, value in pairs]
        assert shown == [None if value is None else -value for value in info.ownership]
        with pytest.raises(ValueError, match="another position"):
            figures.ownership(Board("amazons6"), info)
        with pytest.raises(ValueError, match="ask for it"):
            figures.ownership(board, engine.analyse(board, Limit(nodes=20)))
