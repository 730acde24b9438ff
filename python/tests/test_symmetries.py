"""Reflected boards have reflected planes and half-turns."""

import re
from pathlib import Path

import numpy as np
import pytest

from hippolyta import Board, Rules, records, training, variants
from hippolyta.encoding import Encoding, State, Symmetry, symmetries


def image_of(fen: str, image: Symmetry) -> str:
    """The FEN of the reflected board, whose squares are written out."""
    board, *rest = fen.split(" ")
    rows = [re.sub(r"\d+", lambda run: "1" * int(run[0]), row) for row in board.split("/")]
    # As on planes: the first row is the last rank of a FEN.
    squares = [re.findall(r"[a-zA-Z*]|1", row) for row in rows][::-1]
    squares = [row[::-1] for row in squares] if image.mirrors else squares
    squares = squares[::-1] if image.flips else squares
    squares = [list(column) for column in zip(*squares, strict=True)] if image.swaps else squares
    ranks = ["".join(row) for row in squares[::-1]]
    return " ".join(["/".join(re.sub("1+", lambda run: str(len(run[0])), r) for r in ranks), *rest])


OWN = {
    "knights": "like = 'amazons6', moves = 'N', fires = 'N'",
    "kings": "like = 'amazons6', moves = 'K', fires = 'Q'",
    "short": "like = 'amazons6', moves = 'Q3', fires = 'K'",
    "rooks": "like = 'amazons6', moves = 'RN', fires = 'R'",
    "bishops": "like = 'amazons8', moves = 'B2N', fires = 'B2'",
    "stones": "like = 'iago', moves = 'QN'",
    "protected": "like = 'amazons6', protect = 'a1 f1', protect-from-white = 'd*'",
    "mirrored": "like = 'amazons6', protect = 'a1 f1', protect-from-black = '*6'",
    "edge": "like = 'amazons6', fire-at = 'edge'",
    "either": "like = 'amazons6', move-or-fire = true",
}
#: How many symmetries are kept where that is not all of them.
KEPT = {"damone": 1, "damone-three": 1, "damone-imperatore": 1, "protected": 1, "mirrored": 2}
SMALL = "1q3/2*2/5/3Q1/Q4 w - - 0 1"
OBLONG = "1q3/2*2/Q3Q w - - 0 1"


def rules(name: str) -> str:
    """The rule set of this name, built in or among `OWN`."""
    return Rules(f"{name} = {{ {OWN[name]} }}") if name in OWN else name


@pytest.mark.parametrize(
    ("name", "fen", "size"),
    [
        *((name, None, None) for name in (*variants(), *OWN)),
        *(
            (name, fen, size)
            for name in ("amazons", "knights")
            for fen in (SMALL, OBLONG)
            for size in (None, 7)
        ),
    ],
)
def test_the_image_of_a_position_has_the_images_of_its_planes_and_actions(
    name: str, fen: str | None, size: int | None
) -> None:
    variant = rules(name)
    start = Board(variant) if fen is None else Board.from_fen(fen, variant)
    encoding = Encoding(variant, fen=start.fen(), size=size)
    images = symmetries(encoding)
    expected = 4 if fen == OBLONG else KEPT.get(name, 8)
    assert len({image.name for image in images}) == len(images) == expected
    assert images[0].name == "same" and (images[0].actions() == np.arange(encoding.actions)).all()
    for image in images:
        actions = image.actions()
        assert sorted(actions) == list(range(encoding.actions)), image.name
        # Another image leads back.
        assert any((actions[back.actions()] == images[0].actions()).all() for back in images)
        random = np.random.default_rng(1)
        state = State(variant, fen=start.fen(), size=size)
        other = State(variant, fen=image_of(start.fen(), image), size=size)
        # Several turns of both sides: the view of Black is turned, too.
        for _ in range(9):
            if state.is_over:
                break
            assert (other.planes() == image.planes(state.planes())).all(), image.name
            assert other.legal_actions() == sorted(actions[state.legal_actions()]), image.name
            action = random.choice(state.legal_actions())
            state.play(int(action))
            other.play(int(actions[action]))


def test_planes_of_another_board_and_reflections_that_the_rules_do_not_keep_are_refused() -> None:
    image = symmetries(Encoding("amazons6"))[1]
    with pytest.raises(
        ValueError, match=r"planes: shape \(5, 7, 6\), expected is one that ends in 6, 6"
    ):
        image.planes(np.zeros((5, 7, 6), np.uint8))
    for wrong in (
        Symmetry(Encoding("damone"), True, False, False),
        Symmetry(Encoding("amazons", fen=OBLONG), True, False, True),
    ):
        with pytest.raises(
            ValueError, match="^the rules do not stay the same under this reflection$"
        ):
            wrong.actions()


@pytest.mark.parametrize("name", ["iago", "knights"])
def test_the_image_of_a_batch_has_the_same_targets(name: str, tmp_path: Path) -> None:
    path = tmp_path / "games.dat"
    training.selfplay(path, variant=rules(name), games=2, nodes=20, progress=False)
    found = records.open(path)
    batch = next(found.samples(batch_size=64, legal=True))
    for image in symmetries(found.encoding()):
        there, actions = batch.image(image), image.actions()
        assert (there.row == batch.row).all()
        table, expected = there.policy(len(actions)), np.zeros((len(batch), len(actions)))
        expected[:, actions] = batch.policy(len(actions))
        assert np.allclose(table, expected)
        assert (there.planes == image.planes(batch.planes)).all()
        assert there.legal is not None and there.legal[there.row, there.action].all()
