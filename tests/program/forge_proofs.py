"""Forges a proof file in many ways: `examples/check_proof.py` must refuse each with one line and exit code 1.

    python forge_proofs.py EXAMPLES PROOF

A forgery that it accepts must be a proof after all: of what it prints, which a plain search of all turns finds true.
The board must be small.
"""

import contextlib
import io
import json
import random
import struct
import sys
import tempfile
import zlib
from pathlib import Path

sys.path.insert(0, sys.argv[1])
import check_proof  # noqa: E402

GENUINE = Path(sys.argv[2]).read_bytes()
FORGED = Path(tempfile.mkdtemp()) / "forged.proof"
counts = {"refused": 0, "true": 0}


def checked(data):
    """Exit code, standard output and standard error of the checker."""
    FORGED.write_bytes(data)
    sys.argv = ["check_proof.py", str(FORGED)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            check_proof.main()
        except SystemExit as end:
            return end.code, out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


def wins(rows, side, known):
    """Whether the side to move wins, by all its turns."""
    key = ("".join(rows), side)
    if key not in known:
        known[key] = any(not wins(after, "wb"[side == "w"], known) for after in turns(rows, side))
    return known[key]


def rays(cells, x, y):
    for dx, dy in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]:
        i, j = x + dx, y + dy
        while 0 <= j < len(cells) and 0 <= i < len(cells[j]) and cells[j][i] == ".":
            yield i, j
            i, j = i + dx, j + dy


def turns(rows, side):
    own = "Q" if side == "w" else "q"
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            if letter != own:
                continue
            cells = [list(row) for row in rows]
            cells[y][x] = "."
            for i, j in rays([list(row) for row in rows], x, y):
                cells[j][i] = own
                for k, m in rays(cells, i, j):
                    cells[m][k] = "*"
                    yield ["".join(row) for row in cells]
                    cells[m][k] = "."
                cells[j][i] = "."


def is_true(printed):
    """Whether what the checker printed is so. Its FEN is read in a plain way."""
    fen, said = printed.split(": ", 1)[1].split(": ")
    board, side = fen.split(" ")
    rows = ["".join("." * int(c) if c in "123456789" else c for c in row) for row in board.split("/")]
    assert side in ("w", "b") and all(set(row) <= set(".Qq*") for row in rows), printed
    assert len({len(row) for row in rows}) == 1, printed
    assert said.startswith("the side to move "), printed
    return wins(rows, side, {}) == said.startswith("the side to move wins")


def forged(data, name, may_be_true=False):
    if data == GENUINE:
        return
    code, out, err = checked(data)
    if code == 0 and may_be_true:
        assert out.count("\n") == 1 and not err and is_true(out.rstrip("\n")), (name, out, err)
        counts["true"] += 1
        return
    lines = [line for line in err.splitlines() if ": refused: " in line and line.isprintable()]
    assert code == 1 and not out and len(lines) == err.count("\n") == 1, (name, code, out, err)
    counts["refused"] += 1


def frame(body):
    return struct.pack("<II", len(body), zlib.crc32(body)) + body


def file_of(bodies, count=None, sum_of=None, after=b""):
    """A file with right checksums, or with these."""
    data = b"HIPPOPRF\1\0\0\0" + b"".join(map(frame, bodies))
    count = max(0, len(bodies) - 1) if count is None else count
    sum_of = data if sum_of is None else sum_of
    return data + frame(struct.pack("<QI", count, zlib.crc32(sum_of))) + after


def packed(numbers):
    return zlib.compress(bytes(n & 255 for n in numbers) + bytes(n >> 8 for n in numbers), 9)


def spelled(header):
    return json.dumps(header, separators=(",", ":")).encode()


header, numbers = check_proof.read(sys.argv[2])
numbers = list(numbers)
stream = packed(numbers)
code, out, err = checked(file_of([spelled(header), stream]))
assert code == 0 and is_true(out.rstrip("\n")), err

# Bytes.
for place in range(len(GENUINE)):
    for bit in range(8):
        forged(GENUINE[:place] + bytes([GENUINE[place] ^ 1 << bit]) + GENUINE[place + 1 :], f"bit {bit} of {place}")
    forged(GENUINE[:place], f"cut at {place}")
for more in (b"\0", b"\n", GENUINE, frame(b""), bytes(8), frame(bytes(12))):
    forged(GENUINE + more, f"with {more[:20]!r} at its end")

# Frames, with right checksums unless said.
bodies = [spelled(header), stream]
for name, data in {
    "no end": b"HIPPOPRF\1\0\0\0" + b"".join(map(frame, bodies)),
    "wrong count": file_of(bodies, count=2),
    "huge count": file_of(bodies, count=1 << 63),
    "wrong sum": file_of(bodies, sum_of=b""),
    "a frame twice": file_of([*bodies, stream]),
    "the header twice": file_of([bodies[0], *bodies]),
    "no header": file_of([stream]),
    "nothing": file_of([]),
    "no turns": file_of([bodies[0]]),
    "an early end": file_of(bodies, after=file_of(bodies)[12:]),
    "another version": GENUINE[:8] + b"\2" + GENUINE[9:],
}.items():
    forged(data, name)

# The stream of turns.
low_then_high = zlib.decompress(stream)
raw = zlib.compressobj(9, zlib.DEFLATED, -15)
with_dictionary = zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_DEFAULT_STRATEGY, b"abc")
for name, data in {
    "data after the stream": stream + b"x",
    "two streams": stream + stream,
    "half a stream": stream[: len(stream) // 2],
    "no checksum": stream[:-4],
    "a wrong checksum": stream[:-1] + bytes([stream[-1] ^ 1]),
    "an odd number of bytes": zlib.compress(low_then_high + b"\0"),
    "a bomb": zlib.compress(bytes(1 << 24)),
    "no stream": low_then_high,
    "an empty stream": zlib.compress(b""),
    "deflate alone": raw.compress(low_then_high) + raw.flush(),
    "a dictionary": with_dictionary.compress(low_then_high) + with_dictionary.flush(),
}.items():
    forged(file_of([spelled(header), data]), name)


# The header.
def with_header(body, name, may_be_true=False):
    forged(file_of([body, stream]), f"header {name} {body[:200]!r}", may_be_true)


values = [None, True, False, 0, 1, -1, 1.0, 10**40, 1e300, "", "w", "amazons", [], [1], {}, float("nan"), float("inf")]
for field in header:
    with_header(spelled({name: value for name, value in header.items() if name != field}), "without a field")
    with_header(spelled(header)[:-1] + b"," + spelled({field: header[field]})[1:], "with a field twice")
    with_header(spelled({**header, field + " ": 1}), "with one more")
    for value in [*values, [header[field]], str(header[field]) + " ", str(header[field])]:
        if type(value) is not type(header[field]) or value != header[field]:
            with_header(spelled({**header, field: value}), "of another value")
for variant in ("desdemona", "Amazons", "amazons10", "amazons ", "am\u0430zons", "chess"):
    with_header(spelled({**header, "variant": variant}), "of another variant")
for turns_said in (len(numbers) - 1, len(numbers) + 1, -len(numbers), 1 << 31, 1 << 32, 1 << 62, 1 << 63, 1 << 64):
    with_header(spelled({**header, "turns": turns_said}), "with other turns")
with_header(spelled({**header, "wins": not header["wins"]}), "with the other winner")
with_header(spelled(dict(reversed(header.items()))), "in another order")
text = spelled(header).decode()
for body in (
    "[]", "{}", "1", "null", "true", '""', "", " ", "NaN", "{", "[" * 900, '{"a":' * 150, "1" * 900, text[:-1],
    text + " ", " " + text, text + "{}", text + "\0", "\ufeff" + text, text.replace(":", ": "),
    text.replace('"fen"', '"fe\\u006e"'),
    text.replace("true", "1").replace("false", "0"), text.replace("true", "True").replace("false", "False"),
    text.replace("1q1", "1\\u00711"), text.replace(header["fen"], header["fen"] + " " * 2_000), text.upper(),
    text.replace(str(len(numbers)), f"{len(numbers)}.0"), text.replace(str(len(numbers)), f"0{len(numbers)}"),
    text.replace(str(len(numbers)), f"{len(numbers)}e0"), text.replace(str(len(numbers)), "NaN"),
):
    with_header(body.encode(), "spelled")
for data in (text.encode("utf-16"), text.encode("utf-8-sig"), b"\xff" + text.encode(), bytes(100), b"\x80"):
    with_header(data, "in bytes")

# The position: each letter by each of these, by none, and twice. Look-alikes of q, Q, 1, / and a blank among them.
fen = header["fen"]
letters = "Qq*1239 0/|.-wbmSsx\u051b\u024a\u0566\uff11\u0661\u2215\u00a0\t\n\r\x1b\x7f\0"
for place in range(len(fen)):
    for letter in [*letters, "", fen[place] * 2, "11"]:
        other = fen[:place] + letter + fen[place + 1 :]
        if other != fen:
            with_header(spelled({**header, "fen": other}), "of another position", may_be_true=True)
board, rest = fen.split(" ", 1)
for other in (
    "", " ", board, board + " w", board + " w - -", fen + " ", " " + fen, fen + " 1", fen.replace(" w ", " W "),
    fen.replace(" w ", "\tw "), fen.replace("- -", "m -"), fen.replace("- -", "-- -"), fen.replace("0 1", "-1 1"),
    fen.replace("0 1", "00 1"), fen.replace("0 1", "0 " + "9" * 20), fen.replace("0 1", "0 \uff11"), fen.upper(),
    fen.replace("0 1", "+0 1"), fen.replace("0 1", "0 1_0"), fen.replace("/", "//"), "/" + fen, fen + "\n",
    "/".join(["11"] * 11) + " " + rest, "/".join(["q" * 8 + "Q" * 3] * 3) + " " + rest, "1/1/1 " + rest,
    board.replace("q", "Q") + " " + rest, board.replace("Q", "*") + " " + rest, "*" * 900 + " " + rest,
):
    with_header(spelled({**header, "fen": other}), "of another form")

# The turns: what is accepted must prove the same.
def with_numbers(other, name):
    said = {**header, "turns": len(other)}
    forged(file_of([spelled(said), packed(other)]), f"{name}", may_be_true=True)
    forged(file_of([spelled({**said, "wins": not header["wins"]}), packed(other)]), f"{name}, for the loser")


chance = random.Random(5)
for place, number in enumerate(numbers):
    for other in {0, 1, 2, 65_535, number ^ 1, number + 1, number + 2, number - 1, chance.randrange(1 << 16)}:
        if other != number:
            with_numbers(numbers[:place] + [other % (1 << 16)] + numbers[place + 1 :], f"turn {place} is {other}")
    with_numbers(numbers[:place] + numbers[place + 1 :], f"without turn {place}")
    with_numbers(numbers[:place] + [number] + numbers[place:], f"turn {place} twice")
with_numbers([], "no turns")
with_numbers([0] * len(numbers), "zeros")
with_numbers(numbers + [0], "one more")

FORGED.unlink()
FORGED.parent.rmdir()
print(f"{counts['refused']} refused, {counts['true']} true")
