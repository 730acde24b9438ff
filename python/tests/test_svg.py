"""Drawings of boards: well-formed and complete."""

import re
from xml.etree import ElementTree

import pytest

from hippolyta import Board, Engine, Limit, variants
from hippolyta.svg import Arrow, board_svg, squares_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    return root


def fills(text: str, tag: str, colour: str) -> int:
    return sum(element.get("fill") == colour for element in drawn(text).iter(f"{SVG}{tag}"))


def played(variant: str, turns: int) -> Board:
    board = Board(variant)
    for turn in range(turns):
        board.push(board.legal_moves[(turn * 37) % len(board.legal_moves)])
    return board


@pytest.mark.parametrize("variant", variants())
def test_every_rule_set_is_drawn_with_all_its_pieces(variant: str) -> None:
    board = played(variant, 6)
    root = drawn(board.svg())
    pieces = sum(letter in "QqSsPpDdIi*" for letter in board.fen().split()[0])
    placed = [
        group
        for group in root.iter(f"{SVG}g")
        if (group.get("transform") or "").startswith("translate(")
    ]
    amazons = sum(letter in "Qq" for letter in board.fen().split()[0])
    # The figure of an amazon has a place of its own inside.
    assert len(placed) == pieces + amazons
    assert board._repr_svg_() == board.svg()
    assert "style" not in {element.tag for element in root.iter()} and "<style" not in board.svg()


def test_a_drawing_has_the_size_that_was_asked_for() -> None:
    root = drawn(Board("amazons").svg(size=300))
    assert (root.get("width"), root.get("height")) == ("300", "300")
    wide = drawn(board_svg("q9/10/9Q w", size=1000))
    assert wide.get("width") == "1000" and 0 < int(wide.get("height") or 0) < 500
    for size in (0, -1, float("nan")):
        with pytest.raises(ValueError, match="size"):
            Board().svg(size=size)


def places(text: str) -> dict[str, tuple[float, float]]:
    return {
        str(element.text): (float(element.get("x") or 0), float(element.get("y") or 0))
        for element in drawn(text).iter(f"{SVG}text")
    }


def test_coordinates_stand_where_the_squares_are_and_turn_round_with_them() -> None:
    board = Board("amazons6")
    usual, flipped = places(board.svg()), places(board.svg(flipped=True))
    assert set(usual) == set(flipped) == set("abcdef123456")
    assert usual["a"][0] < usual["f"][0] and usual["1"][1] > usual["6"][1]
    assert flipped["a"][0] > flipped["f"][0] and flipped["1"][1] < flipped["6"][1]
    assert places(board.svg(coordinates=False)) == {}


def test_the_last_turn_is_marked_unless_not_wanted() -> None:
    board = Board("amazons6")
    edges = "#a37c10", "#b8481a"  # of squares that it moved between, of the one that it fired at

    def marks(text: str) -> tuple[int, ...]:
        strokes = [element.get("stroke") for element in drawn(text).iter(f"{SVG}rect")]
        return tuple(strokes.count(edge) for edge in edges)

    assert marks(board.svg()) == (0, 0)
    board.push("b1b4,b4c4")
    assert marks(board.svg()) == (2, 1) and marks(board.svg(last_turn=False)) == (0, 0)
    at = "".join(board.svg().split('stroke="#b8481a"')[0].rsplit("<rect", 1)[1:])
    assert 'x="204" y="204"' in at, "c4 is the third square of the third rank from above"
    # A capture over several squares has no fire.
    assert marks(board_svg("8/8/8/8/8/8/8/8 w", "damone", last_turn="c2e4g6")) == (3, 0)
    assert marks(board_svg("10/10/10 b", "iago", last_turn="a1b2")) == (2, 0)


def test_arrows_come_from_turns_from_arrows_and_from_an_analysis() -> None:
    board = Board("amazons6")
    one = board.svg(arrows="b1b4,b4c4")
    assert fills(one, "path", "#0b6e4f") == 1 and 'stroke-dasharray="3 17"' in one
    two = board.svg(arrows=["b1b4,b4c4", "b1b5,b5c5"])
    assert fills(two, "path", "#3d5a80") == 1 and {"1", "2"} <= set(
        places(board.svg(coordinates=False, arrows=["b1b4", "e1e2"]))
    )
    other = board.svg(arrows=[Arrow("b1b4,b4c4", "hint", "!", 0.5)])
    assert fills(other, "path", "#5b3a94") == 1 and "!" in places(other)
    with Engine(hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=100), multipv=3, ownership=True, territory=True)
    assert fills(board.svg(arrows=info), "path", "#3d5a80") == 2
    assert board.svg(arrows=info) == board.svg(arrows=info.lines)
    assert board.svg(ownership=info, territory=info) == board.svg(
        ownership=info.ownership, territory=info.territory
    )
    for turn in ("z9", "b1", "b1b9,b9c9"):
        with pytest.raises(ValueError, match="is no turn on this board"):
            board.svg(arrows=turn)


def test_ownership_is_drawn_from_whites_view_whoever_is_to_move() -> None:
    def marks(text: str) -> tuple[int, int]:
        return fills(text, "circle", "#1f6fb5"), fills(text, "rect", "#c2570c")

    values = [1.0, -0.5, 0.05, None, float("nan"), 0.0, 1, 1, 1]
    assert marks(board_svg("9/9/9 w", ownership=values + [None] * 18)) == (4, 1)
    assert marks(board_svg("9/9/9 b", ownership=values + [None] * 18)) == (1, 4)
    assert marks(board_svg("q2/3/2Q w", ownership={"b2": 1, "b1": -1})) == (1, 1)
    with pytest.raises(ValueError, match="5 values for 9 squares"):
        board_svg("q2/3/2Q w", ownership=[0.0] * 5)
    with pytest.raises(ValueError, match="'d4' is no square"):
        board_svg("q2/3/2Q w", ownership={"d4": 1.0})


def test_territories_are_hatched_and_counted() -> None:
    board = Board.from_fen("Q1*1q/1**2/**3/5/5 w")
    with Engine(hash=16) as engine:
        info = engine.analyse(board, Limit(nodes=50), ownership=True, territory=True)
    assert info.territory is not None
    text = board.svg(territory=info, ownership=info, coordinates=False)
    owners = {region.owner: region for region in info.territory.regions}
    for owner, region in owners.items():
        if owner is not None:
            assert len(re.findall(rf'fill="url\(#hatch-[0-9a-f]+-{owner}\)"', text)) == len(
                region.squares
            )
    assert set(places(text)) == {
        str(owners[side].__getattribute__(f"{side}_turns")[0]) for side in owners if side
    }
    # Two drawings on one page do not share the names of their patterns.
    names = [
        re.findall(r'id="([^"]+)"', board.svg(territory=info, flipped=flip))
        for flip in (False, True)
    ]
    assert names[0] and not set(names[0]) & set(names[1])


@pytest.mark.parametrize(
    "fen", ["", "x2/3/3 w", "3/2 w", "12 w", "/".join(["3"] * 12), "<script>/3 w"]
)
def test_what_is_no_board_is_refused(fen: str) -> None:
    with pytest.raises(ValueError):
        board_svg(fen)


def test_texts_of_others_cannot_break_out() -> None:
    text = board_svg("q2/3/2Q w", arrows=[Arrow("a1b1", label='<script>"&')], last_turn="a1b1")
    assert "<script" not in text and '<script>"&' in places(text)


def test_a_turn_is_read_in_every_spelling() -> None:
    for text in ("d1d7,d7g7", "d1-d7/g7", "D1-D7(G7)", "d1d7g7"):
        assert squares_of(text) == ["d1", "d7", "g7"]
    assert squares_of("a1a11,a11k11") == ["a1", "a11", "k11"]
    assert squares_of("c1b1,b1c1") == ["c1", "b1", "c1"]


def test_the_course_of_the_game_and_a_caption_stand_under_the_board() -> None:
    board = Board("amazons6")
    board.push("b1b4,b4c4")
    plain = drawn(board.svg(size=600))
    text = board.svg(size=600, course=[0.5, 0.25, 1.0], caption=["A <b> against B", "after turn 1"])
    whole = drawn(text)
    assert [plain.get("width"), plain.get("height")] == ["600", "600"]
    assert whole.get("height") == "600" and int(whole.get("width") or 0) < 500
    assert {"A <b> against B", "after turn 1"} <= set(places(text))
    # Of three positions this is the second.
    (graph,) = [element.get("points") or "" for element in whole.iter(f"{SVG}polyline")]
    assert [point.split(",")[0] for point in graph.split()] == ["0.0", "300.0", "600.0"]
    assert any(
        (element.get("d") or "").startswith("M300.0 0v") for element in whole.iter(f"{SVG}path")
    )
    assert "White’s" not in places(text)
    marked = board.svg(ownership={"a1": 1.0}, caption="x")
    assert {"White’s", "Black’s"} <= set(places(marked))


def test_an_unknown_rule_set_and_an_unknown_kind_of_arrow_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown variant 'chess'"):
        board_svg("q2/3/2Q w", "chess")
    with pytest.raises(ValueError, match="'bold' is no kind of arrow"):
        Board().svg(arrows=Arrow("d1d7,d7g7", "bold"))  # type: ignore[arg-type]
