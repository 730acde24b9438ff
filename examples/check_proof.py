"""Check a proof file of Hippolyta: who wins a small board of the Amazons.

    python check_proof.py 4x4.proof 5x4.proof

This program knows the rules and nothing of the engine, and needs Python alone. It believes nothing: a file proves what
is printed, or it is refused with one line and exit code 1. The form of the file and what counting may claim are
described in docs/solved.md and in crates/lab/src/proving/certificate.rs.

A position is three sets of squares as whole numbers: the amazons of the side to move, those of the other side, the
empty squares. Square i (rank * files + file, from 0) is bit i. The rest are arrows.
"""

import argparse
import array
import json
import re
import sys
import time
import zlib

#: The rule sets that are the Game of the Amazons. They differ in their usual start position alone.
VARIANTS = ("amazons", "amazons8", "amazons6")
#: Files and ranks, squares, and amazons of a side.
SIDES, SQUARES, AMAZONS = range(3, 12), 32, range(1, 9)
#: Bytes of a header and of a frame, and turns.
HEADER, FRAME, TURNS = 1_000, 1 << 24, 1 << 32
DIGITS = "0123456789"


class Wrong(Exception):
    """The file proves nothing."""


def shown(text):
    """Text from outside, without characters that change what a terminal shows."""
    return "".join(c if c.isascii() and c.isprintable() else ascii(c)[1:-1] for c in text)


def number(data):
    """A number of a file."""
    return int.from_bytes(data, "little")


def frames(data):
    """The bodies of all frames but the last one, which must be the end that fits them."""
    bodies, at = [], 12
    while True:
        length, checksum, start = number(data[at : at + 4]), number(data[at + 4 : at + 8]), at
        body, at = data[at + 8 : at + 8 + length], at + 8 + length
        if at > len(data) or length > FRAME:
            raise Wrong(f"damaged or cut off at byte {start}")
        if zlib.crc32(body) != checksum:
            raise Wrong(f"damaged at byte {start}")
        if len(body) == 12:
            break
        bodies.append(body)
    # The header is none of those that the end counts.
    if number(body[:8]) != len(bodies) - 1 or number(body[8:]) != zlib.crc32(data[:start]):
        raise Wrong("frames are missing, doubled or changed")
    if at != len(data):
        raise Wrong("something stands after the end")
    return bodies


def header_of(body):
    """The header, which has one spelling."""
    if len(body) > HEADER:
        raise Wrong("the header is too long")
    try:
        header = json.loads(body.decode("ascii"))
    except (ValueError, RecursionError):
        raise Wrong("the header is no JSON in ASCII") from None
    types = {"variant": str, "fen": str, "wins": bool, "turns": int}
    if type(header) is not dict or list(header) != list(types):
        raise Wrong(f"the header has not the fields {', '.join(types)}, in this order")
    for name, kind in types.items():
        if type(header[name]) is not kind:
            raise Wrong(f"'{name}' of the header is not of type {kind.__name__}")
    if json.dumps(header, separators=(",", ":")).encode() != body:
        raise Wrong("the header is spelled in an unusual way")
    if header["variant"] not in VARIANTS:
        raise Wrong(f"'{shown(header['variant'])}' is not one of {', '.join(VARIANTS)}")
    if header["turns"] not in range(TURNS):
        raise Wrong("the number of turns in the header is impossible")
    return header


def read(path):
    """The header and the numbers of a file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"HIPPOPRF" or data[8:12] != b"\1\0\0\0":
        raise Wrong("not a proof file, or of another version")
    bodies = frames(data)
    if not bodies:
        raise Wrong("there is no header")
    header, stream = header_of(bodies[0]), zlib.decompressobj()
    # One byte more would be too many.
    plain = stream.decompress(b"".join(bodies[1:]), 2 * header["turns"] + 1)
    if len(plain) != 2 * header["turns"]:
        raise Wrong("there are not as many turns as the header says")
    if not stream.eof or stream.unused_data or stream.unconsumed_tail:
        raise Wrong("the compressed turns do not end where the file ends")
    # Large proofs have many numbers: two bytes each, not the 36 of a list.
    half, words = len(plain) // 2, bytearray(len(plain))
    words[0::2], words[1::2] = plain[:half], plain[half:]
    numbers = array.array("H", words)
    if sys.byteorder == "big":
        numbers.byteswap()
    return header, numbers


def rows_of(placement):
    """The ranks of a board, from the highest down: `Q`, `q`, `*`, and `.` for an empty square."""
    rows = []
    for rank in placement.split("/"):
        # Not \d, which knows more digits than these.
        parts = re.findall("[1-9][0-9]?|[Qq*]", rank)
        if "".join(parts) != rank:
            raise Wrong(f"'{shown(rank)}' is not a rank of a board")
        rows.append("".join(part if part in "Qq*" else "." * int(part) for part in parts))
    return rows


def spelled(rows, side):
    """A FEN in its usual spelling."""
    ranks = [re.sub("[.]+", lambda run: str(len(run[0])), row) for row in rows]
    return "/".join(ranks) + " " + side


def count(mask):
    """The size of a set."""
    return bin(mask).count("1")


def squares(mask):
    """The bits of a set, each as a set."""
    while mask:
        bit = mask & -mask
        yield bit
        mask ^= bit


class Board:
    """A board's geometry and the rules."""

    def __init__(self, fen):
        fields = fen.split(" ")
        if len(fields) != 6 or fields[1] not in ("w", "b") or fields[2:4] != ["-", "-"]:
            raise Wrong("the FEN has not the form 'board w - - 0 1', with w or b")
        for field in fields[4:]:
            if not field or field.strip(DIGITS) or len(field) > 10 or str(int(field)) != field:
                raise Wrong(f"'{shown(field)}' in the FEN is not a number")
        rows = rows_of(fields[0])
        self.width, self.height = len(rows[0]), len(rows)
        if any(len(row) != self.width for row in rows):
            raise Wrong("ranks differ in length")
        n = self.n = self.width * self.height
        if self.width not in SIDES or self.height not in SIDES or n > SQUARES:
            raise Wrong("a board has 3 to 11 files and ranks, and here at most 32 squares")
        cells = "".join(rows[::-1])
        if any(cells.count(c) not in AMAZONS for c in "Qq"):
            raise Wrong("a side has 1 to 8 amazons")
        #: The FEN as it was read, and nothing else: the proof is about this position.
        self.fen = spelled(rows, fields[1])
        if not fen.startswith(self.fen + " "):
            raise Wrong("the FEN is spelled in an unusual way")
        sets = {c: sum(1 << i for i in range(n) if cells[i] == c) for c in "Qq."}
        own, other = ("Q", "q") if fields[1] == "w" else ("q", "Q")
        self.start = (sets[own], sets[other], sets["."])
        self.all = (1 << n) - 1
        self.not_first = sum(1 << i for i in range(n) if i % self.width)
        self.not_last = sum(1 << i for i in range(n) if (i + 1) % self.width)
        directions = [(df, dr) for df in (-1, 0, 1) for dr in (-1, 0, 1) if (df, dr) != (0, 0)]
        rays = ([self.ray(i, direction) for direction in directions] for i in range(n))
        self.rays = {1 << i: list(filter(None, of_square)) for i, of_square in enumerate(rays)}
        self.lines = {bit: sum(sum(ray) for ray in rays) for bit, rays in self.rays.items()}
        turns = range(8 if self.width == self.height else 4)
        images = [[self.image(i, turn) for i in range(n)] for turn in turns[1:]]
        self.tables = [self.tables_of(image) for image in images]
        self.known_targets, self.known_fills = {}, {}

    def ray(self, i, direction):
        """The squares in one direction, the nearest first."""
        (file, rank), (df, dr), ray = (i % self.width, i // self.width), direction, []
        while 0 <= file + df < self.width and 0 <= rank + dr < self.height:
            file, rank = file + df, rank + dr
            ray.append(1 << rank * self.width + file)
        return ray

    def image(self, i, turn):
        """Where a square goes by a symmetry."""
        file, rank = i % self.width, i // self.width
        file = self.width - 1 - file if turn & 1 else file
        rank = self.height - 1 - rank if turn & 2 else rank
        return file * self.width + rank if turn & 4 else rank * self.width + file

    def tables_of(self, places):
        """A symmetry as tables, for eleven squares each."""
        parts = [places[i : i + 11] for i in range(0, self.n, 11)]
        parts = [part + [0] * (11 - len(part)) for part in parts] + [[0] * 11] * (3 - len(parts))
        tables = []
        for part in parts:
            table = [0]
            for place in part:
                table += [image | 1 << place for image in table]
            tables.append(table)
        return tables

    def least(self, position):
        """The least image by symmetry."""
        least, (own, other, empty) = position, position
        for a, b, c in self.tables:
            first = a[own & 2047] | b[own >> 11 & 2047] | c[own >> 22]
            if first <= least[0]:
                second = a[other & 2047] | b[other >> 11 & 2047] | c[other >> 22]
                image = (first, second, a[empty & 2047] | b[empty >> 11 & 2047] | c[empty >> 22])
                least = min(least, image)
        return least

    def targets(self, bit, empty):
        """The empty squares that a queen reaches in one move."""
        key = (bit, empty & self.lines[bit])
        found = self.known_targets.get(key)
        if found is None:
            found = []
            for ray in self.rays[bit]:
                for to in ray:
                    if not to & empty:
                        break
                    found.append(to)
            self.known_targets[key] = found
        return found

    def turns(self, position):
        """The positions after all turns."""
        own, other, empty = position
        for bit in squares(own):
            for to in self.targets(bit, empty):
                moved, vacated = own ^ bit ^ to, (empty | bit) ^ to
                for at in self.targets(to, vacated):
                    yield other, moved, vacated ^ at

    def play(self, position, turn):
        """The position after one turn, which must be legal."""
        own, other, empty = position
        bit, to, at = (1 << turn // self.n**2), (1 << turn // self.n % self.n), (1 << turn % self.n)
        vacated = (empty | bit) ^ to
        if bit & own and to in self.targets(bit, empty) and at in self.targets(to, vacated):
            return other, own ^ bit ^ to, vacated ^ at
        raise Wrong("an illegal turn")

    def around(self, mask):
        """A set and all squares a king step away."""
        row = mask | mask << 1 & self.not_first | mask >> 1 & self.not_last
        return (row | row << self.width | row >> self.width) & self.all

    def connected(self, seeds, within):
        """The squares of a set that king steps connect to another set."""
        reached = self.around(seeds) & within
        while (more := reached | self.around(reached) & within) != reached:
            reached = more
        return reached

    def fill(self, amazons, room, doors):
        """The most turns that can be played in a room; who leaves a door must shoot at it."""
        room &= self.connected(amazons, room | amazons)
        key = (amazons, room, doors)
        most = self.known_fills.get(key)
        if most is None:
            most, limit = 0, count(room)
            for bit in squares(amazons):
                for to in self.targets(bit, room):
                    vacated = (room | bit) ^ to
                    for at in self.targets(to, vacated):
                        if most < limit and (at == bit or not bit & doors):
                            most = max(
                                most, 1 + self.fill(amazons ^ bit ^ to, vacated ^ at, doors & ~bit)
                            )
            self.known_fills[key] = most
        return most

    def side(self, amazons, others, reached, by_others):
        """The turns that a side has for certain, and those that it cannot exceed while the other stays at home."""
        left, certain, most = reached & ~by_others, 0, count(reached)
        within = left | amazons
        doors = self.around(by_others | others) & amazons
        while left:
            part = self.connected(left & -left, within) | left & -left
            room = part & left
            turns = self.fill(part & amazons, room, part & doors)
            certain += turns
            if not part & doors:
                most -= count(room) - turns
            left &= ~part
        return certain, most

    def wins_by_counting(self, position):
        """Whether the side to move wins (True) or loses (False), if counting tells; else None."""
        own, other, empty = position
        reached, by_other = self.connected(own, empty), self.connected(other, empty)
        (certain, most), (certain_other, most_other) = (
            self.side(own, other, reached, by_other),
            self.side(other, own, by_other, reached),
        )
        if certain > most_other:
            return True
        return False if most <= certain_other else None


def check(header, numbers):
    """Checks a proof; returns the board and how many positions the proof has."""
    board, left, positions = Board(header["fen"]), iter(numbers), 0
    if type(header["wins"]) is not bool:
        raise Wrong("'wins' of the header is not of type bool")
    start = {board.least(board.start)}
    winner, loser = (start, set()) if header["wins"] else (set(), start)
    while winner or loser:
        winner |= {board.least(after) for position in loser for after in set(board.turns(position))}
        positions += len(winner) + len(loser)
        loser = set()
        for position in sorted(winner):
            number = next(left, None)
            if number is None:
                raise Wrong("turns are missing")
            if number == 0:
                if not board.wins_by_counting(position):
                    raise Wrong(f"the winner does not win by counting: {position}")
                continue
            after = board.least(board.play(position, (number - 1) // 2))
            if number % 2:
                loser.add(after)
            elif board.wins_by_counting(after) is not False:
                raise Wrong(f"the loser does not lose by counting: {after}")
        winner = set()
    if next(left, None) is not None:
        raise Wrong("more turns than positions")
    return board, positions


def verdict(path):
    """The result that a file proves, in a line."""
    began = time.time()
    header, numbers = read(path)
    board, positions = check(header, numbers)
    result = "wins" if header["wins"] else "loses"
    seconds = f"{time.time() - began:.1f} s"
    return f"{board.fen}: the side to move {result}, {positions} positions, {seconds}"


def main():
    parser = argparse.ArgumentParser(description="Check proof files of Hippolyta.")
    parser.add_argument("files", nargs="+", help="files that `hippolyta solve --proof` wrote")
    refused = False
    for path in parser.parse_args().files:
        try:
            proven = verdict(path)
        except (Wrong, OSError, zlib.error, MemoryError) as error:
            what = shown(str(error)) or type(error).__name__
            print(f"{shown(path)}: refused: {what}", file=sys.stderr)
            refused = True
        except KeyboardInterrupt:
            sys.exit(130)
        else:
            print(f"{shown(path)}: {proven}", flush=True)
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
