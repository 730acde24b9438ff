"""Reflected boards have reflected planes and half-turns."""

import re
from pathlib import Path

import numpy as np
import pytest

from hippolyta import Board, records, training
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


@pytest.mark.parametrize(
    ("variant", "fen", "size"),
    [
        ("amazons", "1q3/2*2/5/3Q1/Q4 w - - 0 1", None),
        ("amazons", "1q3/2*2/Q3Q w - - 0 1", None),
        ("amazons", "1q3/2*2/5/3Q1/Q4 w - - 0 1", 7),
        ("amazons6", None, None),
    ],
)
def test_the_image_of_a_position_has_the_images_of_its_planes_and_actions(
    variant: str, fen: str | None, size: int | None
) -> None:
    start = Board(variant) if fen is None else Board.from_fen(fen, variant)
    encoding = Encoding(variant, fen=start.fen(), size=size)
    images = symmetries(encoding)
    assert (
        len({image.name for image in images})
        == len(images)
        == (4 if encoding.board == (3, 5) else 8)
    )
    random = np.random.default_rng(1)
    for image in images:
        actions = image.actions()
        assert sorted(actions) == list(range(encoding.actions)) or size is not None
        state = State(variant, fen=start.fen(), size=size)
        other = State(variant, fen=image_of(start.fen(), image), size=size)
        # White's turn, its move and its fire: the view of Black is turned, too.
        for _ in range(2):
            assert (other.planes() == image.planes(state.planes())).all(), image.name
            assert other.legal_actions() == sorted(actions[state.legal_actions()]), image.name
            action = random.choice(state.legal_actions())
            state.play(int(action))
            other.play(int(actions[action]))


def test_the_image_of_a_batch_has_the_same_targets(tmp_path: Path) -> None:
    path = tmp_path / "games.dat"
    training.selfplay(path, variant="iago", games=2, nodes=20, progress=False)
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
