"""Commands for the people who run a server, and what they print.

Texts of players are not trusted: control characters are replaced.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

LONGEST_TEXT = 120  # show at most this many characters of a player's text


class Output(NamedTuple):
    """The output of a command, and its exit code."""

    text: str
    code: int = 0
    is_note: bool = False  # whether it goes to standard error, since standard output has the data


class Failed(Exception):  # noqa: N818  # a result
    """A command has failed; `str()` is one sentence for the operator."""

    def __init__(self, sentence: str, code: int = 2) -> None:
        super().__init__(sentence)
        self.code = code  # the exit code of the command


def printable(text: object) -> str:
    """Return a text as one line without characters that could move or colour the output."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(text))


def one_line(text: object, max_length: int = LONGEST_TEXT) -> str:
    """Return a text as one line of at most `max_length` printable characters."""
    shown = printable(text)
    return shown if len(shown) <= max_length else f"{shown[: max_length - 1]}…"


def table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], widths: Sequence[int] | None = None
) -> str:
    """Return a text table: wrap the columns at `widths`, and align columns of numbers right."""
    from tabulate import tabulate  # noqa: PLC0415  # servers do not need it

    cells = [[printable(cell) for cell in row] for row in rows]
    columns = zip(*cells, strict=True)
    sides = ["right" if all(map(str.isdigit, column)) else "left" for column in columns] or None
    # Without `disable_numparse` a code such as 7E5 would be shown as a number.
    return str(tabulate(cells, heads, disable_numparse=True, colalign=sides, maxcolwidths=widths))
