"""Rule sets of one's own: games in which a piece moves and then fires, described in a few lines of text."""

import os

from ._hippolyta import rules_facts, rules_of_file, rules_of_text

__all__ = ["Rules"]


class Rules(str):
    """A rule set of your own. `Board`, engines, `State`, `Boards` and environments take it in place of a name.

    It is a text: a line of TOML that says all of it, so that it can be kept and read anywhere. `Rules(text)` reads that
    line or any text with one rule set, in TOML or of a `variants.ini`, `Rules.load` a file; the guide "Your own game"
    has all keys. `ValueError` says in one line what is wrong and where.

    >>> from hippolyta import Board
    >>> rules = Rules("[knights]\\nlike = 'amazons6'\\nmoves = 'N'\\nfires = 'N'")
    >>> rules.name, len(Board(rules).legal_moves)
    ('knights', 68)
    >>> rules
    Rules("knights = { start = '1q2q1/q4q/6/6/Q4Q/1Q2Q1 w - - 0 1', moves = 'N', fires = 'N' }")
    >>> Board(rules).variant == rules
    True

    Rule sets with the same name, start and rules are equal, whatever title and description they have:

    >>> Rules("[knights]\\ntitle = 'Knight Amazons'\\nlike = 'amazons6'\\nmoves = 'N'\\nfires = 'N'") == rules
    True
    >>> Rules("[kings]\\nmoves = 'X'")
    Traceback (most recent call last):
    ValueError: line 2: kings.moves: 'X' is not Q, R, B, K or N, nor a number behind Q, R or B
    """

    __slots__ = ()

    def __new__(cls, text: str) -> "Rules":
        found = rules_of_text(text)
        if len(found) != 1:
            raise ValueError(f"there are {len(found)} rule sets, and one is expected")
        return super().__new__(cls, found[0])

    @classmethod
    def load(cls, path: str | os.PathLike[str], name: str | None = None) -> "Rules":
        """The first rule set of a file, or the one of this name: TOML, or a `variants.ini` of Fairy-Stockfish."""
        found = cls.load_all(path)
        for rules in found:
            if name is None or rules.name == name:
                return rules
        raise ValueError(
            f"{os.fspath(path)}: no rule set '{name}': there are {', '.join(rules.name for rules in found)}"
        )

    @classmethod
    def load_all(cls, path: str | os.PathLike[str]) -> "list[Rules]":
        """All rule sets of a file. Entries of a `variants.ini` that are other games are left out."""
        return [cls(line) for line in rules_of_file(os.fspath(path))]

    @property
    def name(self) -> str:
        """The name by which protocols and records call it."""
        return rules_facts(self)[0]

    @property
    def full_name(self) -> str:
        """Its name for people: `title` in a file."""
        return rules_facts(self)[1]

    @property
    def description(self) -> str:
        """Its description: `description` in a file; may be empty."""
        return rules_facts(self)[2]

    @property
    def sentences(self) -> list[str]:
        """The rules in English.

        >>> Rules("misere = { stuck = 'wins' }").sentences[-1]
        'A side that has no complete turn wins.'
        """
        return rules_facts(self)[3]

    @property
    def start_fen(self) -> str:
        """The FEN of the start position."""
        return rules_facts(self)[4]

    def __eq__(self, other: object) -> bool:
        return self._equal() == (other._equal() if isinstance(other, Rules) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._equal())

    def _equal(self) -> str:
        """The text of all rule sets that are equal."""
        return rules_facts(self)[5]

    def __repr__(self) -> str:
        return f"Rules({super().__repr__()})"
