"""The scores of a game.

`woods` and `cards` depend on the position alone, `dos` and `moves` also on counts of actions.
"""

from typing import Final

FULL_DOS: Final = 1000  # a win without exceptions
GRAND_SPIDER: Final = 10_000  # the same, with all suits complete before the first is removed
FULL_MOVES: Final = 500  # the score before the first act
_WOODS_PAIR: Final = 2
_DOS_PAIR: Final = 10


def rate_woods(turned: int, open_columns: int, pairs: int, removed: int) -> int:
    """Return Don Woods' score of a game that is not won (RULES, `woods`).

    `turned` counts the cards dealt face down that have turned up, `open_columns` the columns that
    started with face-down cards and have none left, `pairs` the face-up cards on the next higher
    card of their suit, and `removed` the removed suits.
    """
    return 10 * turned + 15 * open_columns + _WOODS_PAIR * pairs + 50 * removed


def rate_woods_win(turned: int, open_columns: int, suits: int, on_table: int) -> int:
    """Return Don Woods' score of a won game with `suits` suits, `on_table` of them not removed.

    A win with all suits removed scores 990 at Spider and 500 at Spiderette. Leaving more than
    three suits on the table adds a bonus (RULES, `woods`).
    """
    bonus_pairs = max(0, on_table - 3)  # each such suit earns as much as one pair
    return rate_woods(turned, open_columns, bonus_pairs, suits)


def rate_dos(exceptions: int, pairs: int, removed: int) -> int:
    """Return the DOS score of a game that is not won; `pairs` includes pairs in complete suits."""
    per_suit = max(50, 120 - 12 * exceptions)
    per_pair = max(1, _DOS_PAIR - exceptions)
    return max(0, per_suit * removed + per_pair * pairs - _penalty(exceptions))


def rate_dos_win(exceptions: int, moves_after: int, *, grand: bool) -> int:
    """Return the DOS score of a won game ("Spider scoring table" in the DOS program's manual, IV).

    `moves_after` counts the moves between columns after the first exception. `grand` is true if
    all suits were complete before the first was removed, and only removals followed.
    """
    if not exceptions:
        return GRAND_SPIDER if grand else FULL_DOS
    base = FULL_DOS - 100 * min(exceptions, 6)
    return max(0, base - moves_after - _penalty(exceptions))


def _penalty(exceptions: int) -> int:
    """Return what exceptions beyond the sixth cost (the starred note of the DOS scoring table)."""
    return 10 * max(0, exceptions - 6)


def value_of_pair(score: str) -> int:
    """Return the points for one pair of cards in suit under this score, without exceptions."""
    return {"woods": _WOODS_PAIR, "dos": _DOS_PAIR}.get(score, 0)


def rate_moves(acts: int, complete: int) -> int:
    """Return the Windows score: each act costs a point (RULES, `moves`).

    `acts` counts moves, deals, undos and redos; `complete` counts suits, removed or on the table.
    """
    return max(0, FULL_MOVES - acts + 100 * complete)
