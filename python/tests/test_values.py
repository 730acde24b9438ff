"""Values can be copied, pickled and compared; those that do not change can be keys; legal moves are a sequence."""

import copy
import pickle
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import hippolyta
from hippolyta import (
    Board,
    Engine,
    EngineError,
    FenError,
    LegalMoves,
    Limit,
    MoveError,
    Outcome,
    PlayResult,
    Score,
    Side,
    Step,
    Stopped,
    games,
    records,
    training,
    uci,
    variants,
)
from hippolyta.encoding import Encoding, State
from hippolyta.review import review


def copies(value: Any) -> list[Any]:
    """Copies of each kind."""
    pickled = [
        pickle.loads(pickle.dumps(value, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    return [copy.copy(value), copy.deepcopy(value), *pickled]


def test_results_are_values_and_keys(tmp_path: Path) -> None:
    board = Board("amazons6")
    with Engine(hash=4) as engine:
        played = engine.play(board, Limit(nodes=30))
        info = engine.analyse(board, Limit(nodes=30), policy=True, ownership=True, territory=True)
        stones = engine.analyse(Board("iago"), Limit(nodes=3), stones=True)
        board.push(played.move)
        judged = review(board, engine, Limit(nodes=5))
    assert info.policy is not None and all(info.policy == one for one in copies(info.policy))
    assert info.policy != info.policy.after() != "x"
    training.selfplay(tmp_path / "games.dat", variant="amazons6", games=1, nodes=4, progress=False)
    values = [
        *(played, info, stones, info.score, info.lines[0], info.territory, stones.stones),
        *(
            Limit(time=1, clock=(1, None), increment=(1, 2), elo=5),
            Outcome(Side.BLACK),
            Outcome(None),
        ),
        *(Side.WHITE, Step("d1d7", False), judged.verdicts[0], judged.white, judged),
        *(
            games.Game.from_board(board),
            games.Thought(time=0.5),
            uci.Option("Hash", "spin", "1", 1, 9),
        ),
        *(training.Sprt(0, 5), training.Openings(), training.Resign(5), training.Draw(5)),
        *(training.Losses("value", 1, 0.5, 0.5), training.Solution(Side.WHITE, 3, ("a1a2,a2a1",))),
        *(Encoding("amazons6"), Encoding("iago", size=12), Encoding(fen="Q2/3/2q w", size=5)),
    ]
    assert isinstance(played, PlayResult)
    for value in values:
        for other in copies(value):
            assert other == value and hash(other) == hash(value) and type(other) is type(value)
            assert repr(other) == repr(value)
    (game,) = records.open(tmp_path / "games.dat")
    assert all(other == game for other in copies(game))


@pytest.mark.parametrize("variant", variants())
def test_boards_and_states_are_values_at_every_step(variant: str) -> None:
    choose = random.Random(variant)
    board, state = Board(variant), State(variant)
    for _ in range(12):
        if state.is_over:
            break
        if state.at_turn_start and choose.random() < 0.3:
            state.push(board.push(choose.choice(board.legal_moves)))
        else:
            action = choose.choice(state.legal_actions())
            text = state.action_text(action)
            state.play(action)
            if state.at_turn_start:
                board.push(text)
        for other in copies(state):
            assert other == state and other is not state
            told = (other.key, other.begun, other.turn, other.legal_actions(), str(other))
            assert told == (state.key, state.begun, state.turn, state.legal_actions(), str(state))
        for same in copies(board):
            assert same == board and same.legal_moves == board.legal_moves
    other = state.copy()
    assert not state.is_over
    other.play(other.legal_actions()[0])
    assert other != state and state != State(variant) and state != 5 and state is not None
    for changing in (board, state):
        with pytest.raises(TypeError, match="unhashable"):
            hash(changing)


def test_states_and_encodings_differ_by_rule_set_board_and_size() -> None:
    fen = "q2q/4/4/Q2Q w"
    for kind in (Encoding, State):
        made: list[Any] = [
            *(kind("amazons"), kind("amazons6"), kind("iago"), kind("cassio")),
            *(kind("amazons", size=11), kind("amazons", fen=fen), kind("amazons", fen=fen, size=9)),
        ]
        assert [[a == b for a in made] for b in made] == [[a is b for a in made] for b in made]
    assert len({Encoding("amazons"), Encoding("amazons"), Encoding("amazons", size=11)}) == 2
    # Of an encoding only the shape counts.
    assert Encoding("amazons", fen=fen) == Encoding("amazons", fen="Q2q/4/4/Q2q b")
    assert State("amazons", fen=fen) != State("amazons", fen="Q2q/4/4/Q2q b")
    assert State("amazons", fen=fen) == State("amazons", fen=f"{fen} - - 0 1")


def test_what_has_repeated_is_kept_by_a_pickle() -> None:
    """A FEN does not know how often a position has occurred."""
    numpy = pytest.importorskip("numpy")
    repeats = Encoding("damone").channels.index("has repeated")
    fen = "d7/8/8/8/8/8/8/7D w"
    state = State("damone", fen=fen)
    for turn in ("h1g2", "a8b7", "g2h1", "b7a8"):
        state.push(turn)
    assert (
        state.planes()[repeats].any()
        and not State("damone", fen=state.fen()).planes().any(axis=(1, 2))[repeats]
    )
    for other in copies(state):
        assert numpy.array_equal(other.planes(), state.planes())


def test_a_damaged_pickle_is_an_error() -> None:
    state = State("amazons6")
    with pytest.raises(ValueError, match="the half-turns of this state are not legal"):
        state.__setstate__([65535])


def test_sides_have_one_type() -> None:
    board, state = Board("amazons6"), State("amazons6")
    assert board.turn is state.turn is Side.WHITE
    over = State("amazons", fen="Q**/***/**q b")
    assert over.winner is Side.WHITE and over.turn is Side.BLACK
    assert state.turn == "white" and {"white": 1}[state.turn] == 1


def test_errors_can_be_pickled() -> None:
    for kind in (MoveError, FenError, EngineError, Stopped, records.DataError):
        for other in copies(kind("why")):
            assert type(other) is kind and str(other) == "why"


# Sequences


def test_legal_moves_are_a_sequence() -> None:
    legal = Board("amazons6").legal_moves
    texts = list(legal)
    assert isinstance(legal, Sequence) and isinstance(legal, LegalMoves)
    assert random.Random(5).sample(legal, 7) == random.Random(5).sample(texts, 7)
    assert random.Random(5).choice(legal) == random.Random(5).choice(texts)
    assert list(reversed(legal)) == texts[::-1]
    for at in (0, 5, -1, -len(texts), len(texts) - 1):
        assert legal[at] == texts[at]
    for part in (slice(None), slice(3, 9), slice(-5, None), slice(None, None, -7), slice(9, 3)):
        assert legal[part] == texts[part]
    for at in (len(texts), -len(texts) - 1, 2**31, 2**63, -(2**70)):
        with pytest.raises(IndexError, match=f"there are {len(texts)} legal moves"):
            legal[at]
    for wrong in ("a", 1.5, None):
        with pytest.raises(TypeError, match="index: a whole number is expected"):
            legal[wrong]  # type: ignore[index]
    for ends in ((), (0,), (3,), (3, 9), (-900,), (-5, None), (0, -1), (0, 2**80), (-(2**80), 7)):
        for turn in (texts[0], texts[5], texts[-1], "d1d7", "\ud800", 5, None):
            given = [end for end in ends if end is not None]
            try:
                expected: object = texts.index(turn, *given)  # type: ignore[arg-type]
            except ValueError:
                expected = None
            if expected is None:
                with pytest.raises(ValueError, match="is not among the legal moves"):
                    legal.index(turn, *given)
            else:
                assert legal.index(turn, *given) == expected
    for turn in (texts[0], "d1d7", "", 5, None, "\ud800"):
        assert legal.count(turn) == texts.count(turn) and (turn in legal) == (turn in texts)  # type: ignore[arg-type]
    match legal:
        case [first, *rest]:
            assert first == texts[0] and len(rest) == len(texts) - 1
        case _:
            pytest.fail("it is not matched as a sequence")


def test_legal_moves_are_values_and_stay_as_they_are() -> None:
    board = Board("amazons6")
    legal = board.legal_moves
    board.push(legal[3])
    for other in copies(legal):
        assert isinstance(other, LegalMoves) and other == legal == list(legal)
    assert board.legal_moves != legal
    with pytest.raises(TypeError, match="unhashable"):
        hash(legal)


def test_scores_are_made_of_what_they_are() -> None:
    assert Score.won(3, Side.WHITE) == Score(1, 1, 0, 0, plies=3, proven=True, centipawns=100_000)
    assert hippolyta.__version__.count(".") == 2
