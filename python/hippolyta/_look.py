"""How a board looks: the colours, rules and figures of the page that `hippolyta serve` shows, in its light theme.

Colours are copied from `web/src/styles/tokens.css`, rules from `board.css` and `analysis.css` there, figures from
`web/src/board/pieces.tsx`. `python/tests/test_svg.py` compares them.
"""

import re
from functools import cache

COLOURS = {
    "--page": "#f5f1e8",
    "--edge": "#e0d6c5",
    "--square-light": "#f4e9d4",
    "--square-dark": "#e0cba8",
    "--frame": "#a78a63",
    "--coordinate": "#75644e",
    "--piece-white": "#fffdf5",
    "--piece-white-line": "#33261b",
    "--piece-black": "#2b2621",
    "--piece-black-line": "#f7efe0",
    "--piece-neutral": "#a39b91",
    "--piece-neutral-line": "#5a5249",
    "--burnt": "#7b6a5b",
    "--burnt-cross": "#e9dcc6",
    "--last": "rgb(232 196 66 / 42%)",
    "--last-edge": "#a37c10",
    "--last-fire": "rgb(226 106 52 / 32%)",
    "--last-fire-edge": "#b8481a",
    "--eval-white": "#fbf6ea",
    "--eval-black": "#3b342b",
}

RULES = """
.ground .frame { fill: var(--frame); }
.ground .light { fill: var(--square-light); }
.ground .dark { fill: var(--square-dark); }
.coordinates text { fill: var(--coordinate); font-family: inherit; letter-spacing: -0.03em; font-weight: 500; }
.last .tint { fill: var(--last); }
.last .edge, .chosen .edge { fill: none; stroke-width: 5; }
.last .to .edge { stroke: var(--last-edge); }
.last .from .tint, .last .between .tint { fill-opacity: 0.55; }
.last .from .edge, .last .between .edge { stroke: var(--last-edge); stroke-width: 4; stroke-dasharray: 15 8; }
.last .fire .tint { fill: var(--last-fire); }
.last .fire .edge { stroke: var(--last-fire-edge); stroke-width: 6; }
.piece .outline { stroke-width: 8; stroke-linejoin: round; }
.piece .body { stroke-width: 3; stroke-linejoin: round; }
.piece .line, .piece .shine, .piece .hatch { fill: none; stroke-width: 3; stroke-linecap: round; }
.piece.white .outline { fill: var(--piece-white-line); stroke: var(--piece-white-line); }
.piece.white .body { fill: var(--piece-white); stroke: var(--piece-white); stroke-width: 0.5; }
.piece.white .edge { fill: #ddd0b8; stroke: #ddd0b8; }
.piece.white .line { stroke: var(--piece-white-line); }
.piece.white .shine { stroke: #cdbd9f; }
.piece.black .outline { fill: var(--piece-black-line); stroke: var(--piece-black-line); }
.piece.black .body { fill: var(--piece-black); stroke: var(--piece-black); }
.piece.black .edge { fill: #120f0c; stroke: #120f0c; }
.piece.black .line { stroke: var(--piece-black-line); }
.piece.black .shine { stroke: #8b8074; }
.piece.neutral .outline { fill: var(--piece-neutral-line); stroke: var(--piece-neutral-line); }
.piece.neutral .body { fill: var(--piece-neutral); stroke: var(--piece-neutral); stroke-width: 0.5; }
.piece.neutral .hatch { stroke: #6c6358; stroke-width: 3.5; }
.burnt { fill: var(--burnt); }
.burnt-cross { fill: none; stroke: var(--burnt-cross); stroke-width: 8; stroke-linecap: round; }
.marks .hatch { fill: none; stroke-width: 2.5; }
#hatch-white .hatch { stroke: #1f6fb5; }
#hatch-black .hatch { stroke: #c2570c; }
.mark.settled .tint { fill-opacity: 0.28; }
.mark.settled.of-white .tint { fill: #4a9be0; }
.mark.settled.of-black .tint { fill: #ee8a34; }
.mark.estimate { stroke: #fff; stroke-width: 2; opacity: 0.8; }
.mark.estimate.of-white { fill: #1f6fb5; }
.mark.estimate.of-black { fill: #c2570c; }
.region-label rect { stroke: #fff; stroke-width: 2.5; }
.region-label text { fill: #fff; font-weight: 700; font-variant-numeric: tabular-nums; }
.region-label.of-white rect { fill: #17578f; }
.region-label.of-black rect { fill: #9d4408; }
.region-label.of-nobody rect { fill: #4b4640; }
.turn-arrow .move { stroke: #fff; stroke-width: 2.5; paint-order: stroke; }
.turn-arrow .halo, .turn-arrow .dashes { fill: none; stroke-linecap: round; }
.turn-arrow .halo { stroke: #fff; }
.turn-arrow .dashes { stroke-dasharray: 3 17; }
.turn-arrow .target { fill: #fff; stroke-width: 6; }
.turn-arrow .cross { fill: none; stroke-width: 6; stroke-linecap: round; }
.turn-arrow .number circle { stroke: #fff; stroke-width: 2.5; }
.turn-arrow .number text { fill: #fff; font-weight: 700; }
.turn-arrow .move, .turn-arrow .number circle { fill: var(--arrow); }
.turn-arrow :is(.dashes, .target, .cross) { stroke: var(--arrow); }
.turn-arrow.best { --arrow: #0b6e4f; }
.turn-arrow.other { --arrow: #3d5a80; }
.turn-arrow.threat { --arrow: #a4133c; }
.turn-arrow.threat .move { stroke: #fff; stroke-dasharray: 10 6; }
.turn-arrow.hint { --arrow: #5b3a94; }
.turn-arrow.played { --arrow: #6b4f1d; }
"""

# The figures, around the origin, in a square of 100 units.
SKIRT = "M-9 -1C-10 10 -14 19 -21 27H21C14 19 10 10 9 -1Z"
PLINTH = "M-28 41V36Q-28 27 -19 27H19Q28 27 28 36V41Z"
CRESCENT = (
    "M-36 -27C-33 -9 -19 0 0 0C19 0 33 -9 36 -27C28 -17 17 -12 0 -12C-17 -12 -28 -17 -36 -27Z"
)
ARROWHEAD = "M0 -45L12 -23L4.5 -25.5V-12H-4.5V-25.5L-12 -23Z"
CROWN = "M-24 8L-31 -30L-14 -15L0 -42L14 -15L31 -30L24 8Q0 17 -24 8Z"
HATCHES = {
    "white": "M-2 16L16 -2M-2 2L2 -2M12 16L16 12",
    "black": "M-2 -2L16 16M12 -2L16 2M-2 12L2 16",
}

# Elements of a piece: tag, class, geometry. Their colours depend on the side.
Shape = tuple[str, str, str]


def _path(kind: str, data: str) -> Shape:
    return "path", kind, f'd="{data}"'


def _outlined(data: str) -> list[Shape]:
    return [_path("outline", data), _path("body", data)]


def _disc(y: int, thick: int, ring: bool) -> list[Shape]:
    side = f"M-35 {y}V{y + thick}A35 22 0 0 0 35 {y + thick}V{y}Z"
    top = f"M-35 {y}A35 22 0 1 1 35 {y}A35 22 0 1 1 -35 {y}Z"
    shapes = [_path("outline", side + top), _path("body edge", side), _path("body", top)]
    if ring:
        shapes.append(("ellipse", "line", f'cy="{y}" rx="22" ry="12.5"'))
    return shapes


_ROUND: list[Shape] = [("circle", "outline", 'r="35"'), ("circle", "body", 'r="35"')]
NEUTRAL = [*_ROUND, _path("hatch", "M-24 4L4 -24M-20.5 17.5L17.5 -20.5M-11 25L25 -11M4 27L27 4")]
BURNT: list[Shape] = [
    ("rect", "burnt", 'x="-40" y="-40" width="80" height="80" rx="12"'),
    _path("burnt-cross", "M-15 -15L15 15M15 -15L-15 15"),
]
FIGURES: dict[str, list[Shape]] = {
    "q": [
        *_outlined(SKIRT + PLINTH + CRESCENT + ARROWHEAD),
        _path("line", "M-24 34H24M-11 9Q0 12 11 9"),
    ],
    "s": [*_ROUND, _path("shine", "M-24 -6A25 25 0 0 1 -6 -24")],
    "p": _disc(-2, 13, ring=True),
    "d": [*_disc(6, 14, ring=False), *_disc(-14, 14, ring=True)],
    "i": [*_disc(10, 14, ring=False), *_outlined(CROWN), _path("line", "M-25 -1Q0 8 25 -1")],
}
AMAZON_PLACE = "translate(0 1) scale(0.98)"

# What an element inherits anyway, or no program but a browser reads.
_LEFT_OUT = {"font-family", "font-variant-numeric", "letter-spacing"}


@cache
def _rules() -> list[tuple[list[set[str]], dict[str, str]]]:
    """Each selector as the names that it wants of an element and of those around it, the innermost last."""
    rules = []
    for selectors, body in re.findall(r"([^{}]+)\{([^}]*)\}", RULES):
        pairs = (
            declaration.split(":", 1) for declaration in body.split(";") if declaration.strip()
        )
        declarations = {name.strip(): value.strip() for name, value in pairs}
        grouped = re.fullmatch(r"(.*):is\((.*)\)\s*", selectors.strip())
        if grouped:
            selectors = ",".join(grouped[1] + part.strip() for part in grouped[2].split(","))
        for selector in selectors.split(","):
            chain = [set(re.findall(r"[.#]?[a-z-]+", part)) for part in selector.split()]
            rules.append((chain, declarations))
    return rules


def _matches(chain: list[set[str]], around: list[set[str]]) -> bool:
    if not chain[-1] <= around[-1]:
        return False
    wanted = chain[:-1]
    for names in reversed(around[:-1]):
        if wanted and wanted[-1] <= names:
            wanted = wanted[:-1]
    return not wanted


@cache
def paint(path: str) -> str:
    """The attributes that colour an element, written ` fill="#…"` and so on, with a blank before each.

    `path` names the element and those around it, outermost first, as in CSS: `.piece.white .outline`. Attributes are
    used, as style sheets inside a picture are dropped by many programs, and in a notebook would reach beyond it.

    >>> paint(".ground .dark")
    ' fill="#e0cba8"'
    """
    around = [set(re.findall(r"[.#]?[a-z-]+", part)) for part in path.split()]
    found: dict[str, str] = {}
    variables = dict(COLOURS)
    for chain, declarations in _rules():
        if _matches(chain, around):
            found.update(declarations)
        elif any(_matches(chain, around[:end]) for end in range(1, len(around))):
            variables.update(
                {name: value for name, value in declarations.items() if name.startswith("--")}
            )
    words = []
    for name, value in found.items():
        if name in _LEFT_OUT:
            continue
        value = re.sub(r"var\((--[a-z-]+)\)", lambda match: variables[match[1]], value)
        # Few programs but browsers know colours with an opacity.
        seen = re.fullmatch(r"rgb\((\d+) (\d+) (\d+) / (\d+)%\)", value)
        if seen:
            red, green, blue, share = map(int, seen.groups())
            value = f"#{red:02x}{green:02x}{blue:02x}"
            words.append(f' opacity="{share / 100:g}"')
        words.append(f' {name}="{value}"')
    return "".join(words)
