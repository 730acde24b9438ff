"""Drawings are well-formed, show what they are asked to show, and look as the page does."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import hippolyta
from hippolyta import _look
from hippolyta.svg import Arrow, board_svg, squares_of

PAGE = Path(__file__).resolve().parents[2] / "web" / "src"
START = {name: hippolyta.Board(name).fen() for name in hippolyta.variants()}


def elements(drawing: str, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}" + tag))


@pytest.mark.parametrize("variant", START)
def test_every_rule_set_is_drawn_with_all_its_pieces(variant: str) -> None:
    drawing = board_svg(START[variant], variant)
    pieces = [
        group
        for group in elements(drawing, "g")
        if group.get("transform", "").startswith("translate(")
    ]
    pieces = [group for group in pieces if "scale" not in group.get("transform", "")]
    assert len(pieces) == sum(
        letter.isalpha() or letter == "*" for letter in START[variant].split()[0]
    )
    assert "None" not in drawing and "var(" not in drawing and "nan" not in drawing


def test_a_board_draws_itself_with_its_last_turn() -> None:
    board = hippolyta.Board()
    plain = board._repr_svg_()
    board.push("d1d7,d7g7")
    drawn = board._repr_svg_()
    assert drawn == board.svg() != plain
    assert "after d1d7,d7g7" in drawn and "Black to move" in drawn
    # From, to and fire have a tint and an edge each.
    assert len(elements(drawn, "rect")) - len(elements(board.svg(last_turn=False), "rect")) == 6


def test_arrows_are_drawn_as_wide_as_the_search_looked_at_them() -> None:
    def widths(arrows: object) -> list[float]:
        paths = elements(board_svg(START["amazons"], arrows=arrows), "path")
        return [
            float(path.get("stroke-width", 0))
            for path in paths
            if path.get("stroke-dasharray") == "3 17"
        ]

    wide, narrow = Arrow("d1d7,d7g7", weight=1.0), Arrow("g1g7,g7d7", weight=0.1)
    assert widths([wide])[0] > widths([narrow])[0]
    with hippolyta.Engine(hash=8) as engine:
        info = engine.analyse(hippolyta.Board(), hippolyta.Limit(nodes=2_000), multipv=3)
    # The best line is drawn last, over the others.
    found = widths(info)
    assert len(found) == 3 and found[-1] == max(found)


def test_marks_are_those_of_white_whoever_is_to_move() -> None:
    fen = "q2/3/2Q {} - - 0 1"
    for side, sign in (("w", 1), ("b", -1)):
        drawing = board_svg(
            fen.format(side), ownership={"a1": sign * 0.9, "b2": -sign * 0.5}, coordinates=False
        )
        blue = [mark for mark in elements(drawing, "circle") if mark.get("fill") == "#1f6fb5"]
        orange = [mark for mark in elements(drawing, "rect") if mark.get("fill") == "#c2570c"]
        # a1 lies at the lower left, b2 in the middle.
        assert [(mark.get("cx"), mark.get("cy")) for mark in blue] == [("50", "250")]
        assert len(orange) == 1


def test_what_cannot_be_drawn_is_refused() -> None:
    for call, said in [
        (lambda: board_svg("q2/3/2"), "equal ranks"),
        (lambda: board_svg("q2/3/2x"), "'x' is not a piece"),
        (lambda: board_svg(START["amazons"], arrows="d1d12"), "is no turn"),
        (lambda: board_svg(START["amazons"], arrows="hello"), "is no turn"),
        (lambda: board_svg(START["amazons"], ownership=[0.5]), "1 values for 100 squares"),
        (lambda: board_svg(START["amazons"], ownership={"z9": 1}), "'z9'"),
        (lambda: board_svg(START["amazons"], size=0), "size"),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            call()


def test_texts_in_a_drawing_are_escaped() -> None:
    drawing = board_svg(START["amazons"], arrows=Arrow("d1d7,d7g7", label="<&>"))
    assert "&lt;&amp;&gt;" in drawing
    ElementTree.fromstring(drawing)


def test_squares_of_turns_in_many_spellings() -> None:
    for text in ("d1d7,d7g7", "d1-d7/g7", "D1-D7(G7)"):
        assert squares_of(text) == ["d1", "d7", "g7"]
    assert squares_of("a10a4,a4j4") == ["a10", "a4", "j4"]


def test_a_board_prints_as_text() -> None:
    board = hippolyta.Board("amazons6")
    lines = str(board).splitlines()
    assert len(lines) == 7 and lines[-1].split() == list("abcdef")
    assert "".join(lines).count("Q") == 4


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.skipif(not PAGE.is_dir(), reason="the page's sources are not here")
def test_colours_rules_and_figures_are_those_of_the_page() -> None:
    tokens = squeezed((PAGE / "styles" / "tokens.css").read_text())
    for name, value in _look.COLOURS.items():
        light = re.search(re.escape(name) + r":(?:light-dark\((.*?),(?=#|rgb)|(.*?);)", tokens)
        assert light is not None and squeezed(value) in (light[1], light[2]), name
    styles = "".join(
        squeezed((PAGE / "styles" / f"{name}.css").read_text()) for name in ("board", "analysis")
    )
    for selector, body in re.findall(r"([^{}]+)\{([^}]*)\}", _look.RULES):
        assert squeezed(selector).split(",")[0] in styles, selector
        for declaration in body.split(";"):
            assert squeezed(declaration) in styles, (selector, declaration)
    figures = (PAGE / "board" / "pieces.tsx").read_text()
    for data in (
        _look.SKIRT,
        _look.PLINTH,
        _look.CRESCENT,
        _look.ARROWHEAD,
        _look.CROWN,
        _look.AMAZON_PLACE,
    ):
        assert data in figures, data
