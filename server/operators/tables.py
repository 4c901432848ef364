"""Tables for a terminal. Texts of players are not trusted: they get no control characters."""

from collections.abc import Iterable, Sequence

LONGEST_TEXT = 120  # characters of a text of a player that are shown, at most


def printable(text: object) -> str:
    """Return a text as one line without characters that could move or colour what is printed."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in str(text))


def one_line(text: object) -> str:
    """Return a text as one line of at most `LONGEST_TEXT` printable characters."""
    shown = printable(text)
    return shown if len(shown) <= LONGEST_TEXT else f"{shown[: LONGEST_TEXT - 1]}…"


def table(
    heads: Sequence[str], rows: Iterable[Sequence[object]], widths: Sequence[int | None] = ()
) -> str:
    """Return rows as a table, with columns of at most these widths."""
    from tabulate import tabulate  # noqa: PLC0415  # the processes that serve do not need it

    cells = [["" if cell is None else _cell(cell) for cell in row] for row in rows]
    shown: str = tabulate(
        cells,
        headers=heads,
        disable_numparse=True,
        colalign=[
            "right" if all(row[column].isdigit() for row in cells) else "left"
            for column in range(len(heads))
        ]
        if cells
        else None,
        maxcolwidths=list(widths) if widths and cells else None,
    )
    return shown


def duration(seconds: float) -> str:
    """Return a time as its two largest units, such as `2 h 5 min`."""
    minutes, rest = divmod(max(0, round(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h"
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _cell(cell: object) -> str:
    # The sentences of this command itself may be longer than a text of a player.
    return str(cell) if isinstance(cell, Sentence) else one_line(cell)


class Sentence(str):
    """A text that contains nothing of a player, and is shown as it is."""

    __slots__ = ()
