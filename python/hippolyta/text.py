"""Boards as plain text."""

__all__ = ["board_text"]


def board_text(fen: str) -> str:
    """A position as lines of text, with coordinates. White's pieces are capitals, `*` is a burnt square or a neutral
    stone, `.` an empty square.

    >>> print(board_text("q2/1*1/2Q w - - 0 1"))
    3  q . .
    2  . * .
    1  . . Q
       a b c
    """
    rows = []
    for rank in fen.split()[0].split("/"):
        row, number = [], ""
        for letter in rank + "/":
            if letter.isdigit():
                number += letter
                continue
            row.extend("." * int(number or 0))
            number = ""
            if letter != "/":
                row.append(letter)
        rows.append(row)
    lines = [f"{len(rows) - at:<2} {' '.join(row)}" for at, row in enumerate(rows)]
    lines.append("   " + " ".join(chr(97 + file) for file in range(len(rows[0]))))
    return "\n".join(lines)
