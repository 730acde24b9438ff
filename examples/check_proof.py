"""Check a proof file of Hippolyta: who wins a small board of the Amazons.

    python check_proof.py 4x4.proof 5x4.proof

This program knows the rules and nothing of the engine, and needs Python alone. The form of the file and what counting
may claim are described in docs/solved.md and in src/proving/certificate.rs.

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


class Wrong(Exception):
    """The file proves nothing."""


def read(path):
    """The header and the numbers of a file."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:8] != b"HIPPOPRF" or int.from_bytes(data[8:12], "little") != 1:
        raise Wrong("not a proof file, or of another version")
    bodies, at = [], 12
    while at < len(data):
        length, checksum = (int.from_bytes(data[at + i : at + i + 4], "little") for i in (0, 4))
        body = data[at + 8 : at + 8 + length]
        if len(body) != length or zlib.crc32(body) != checksum:
            raise Wrong(f"damaged at byte {at}")
        bodies.append(body)
        at += 8 + length
    if len(bodies) < 2 or len(bodies[-1]) != 12:
        raise Wrong("cut off")
    header, plain = json.loads(bodies[0]), zlib.decompress(b"".join(bodies[1:-1]))
    # Large proofs have many numbers: two bytes each, not the 36 of a list.
    half, words = len(plain) // 2, bytearray(len(plain))
    words[0::2], words[1::2] = plain[:half], plain[half:]
    numbers = array.array("H", words)
    if sys.byteorder == "big":
        numbers.byteswap()
    return header, numbers


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
        placement, side = fen.split()[:2]
        spread = re.sub(r"\d+", lambda found: "." * int(found[0]), placement)
        rows = spread.split("/")[::-1]
        self.width, self.height = len(rows[0]), len(rows)
        if any(len(row) != self.width for row in rows):
            raise Wrong("ranks differ in length")
        n = self.n = self.width * self.height
        cells = "".join(rows)
        sets = {c: sum(1 << i for i in range(n) if cells[i] == c) for c in "Qq."}
        own, other = ("Q", "q") if side == "w" else ("q", "Q")
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
        """What is connected to a set by king steps, of another one."""
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
    """Checks a proof; returns how many positions it has."""
    board, left, positions = Board(header["fen"]), iter(numbers), 0
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
    return positions


def main():
    parser = argparse.ArgumentParser(description="Check proof files of Hippolyta.")
    parser.add_argument("files", nargs="+", help="files that `hippolyta solve --proof` wrote")
    for path in parser.parse_args().files:
        began = time.time()
        try:
            header, numbers = read(path)
            positions = check(header, numbers)
        except (Wrong, OSError, ValueError, KeyError, zlib.error) as error:
            sys.exit(f"{path}: refused: {error}")
        result = "wins" if header["wins"] else "loses"
        seconds = f"{time.time() - began:.1f} s"
        print(
            f"{path}: {header['fen']}: the side to move {result}, {positions} positions, {seconds}"
        )


if __name__ == "__main__":
    main()
