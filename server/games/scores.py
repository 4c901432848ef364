"""What a game is worth. Every score is a function of the position, the counts and the outcome.

`woods` and `cards` look at the table only; `dos` and `moves` also at what was done on the way.
"""

FULL_DOS = 1000
GRAND_SPIDER = 10_000
FULL_MOVES = 500

_PER_CARD_TURNED = 10
_PER_OPEN_COLUMN = 15
_PER_PAIR = 2
_PER_SUIT = 50
_SUITS_WITHOUT_BONUS = 3

_DOS_CHEAPEST_SUIT_FROM = 6
_DOS_CHEAPEST_SUIT = 50
_DOS_SUIT_STEP = 12
_DOS_FREE_OF_STAR = 6


def woods(turned: int, open_columns: int, pairs: int, removed: int) -> int:
    """Don Woods' score of a game that is not won.

    `turned` counts cards that began face down and do not now, `open_columns` those that began
    with such cards and have none, `pairs` face-up cards on the next higher of their suit.

    Source: text 1, "Scoring".
    """
    return (
        _PER_CARD_TURNED * turned
        + _PER_OPEN_COLUMN * open_columns
        + _PER_PAIR * pairs
        + _PER_SUIT * removed
    )


def woods_won(turned: int, open_columns: int, suits: int, on_table: int) -> int:
    """Don Woods' score of a won game of so many suits, of which some are still on the table.

    All removed is 990 at Spider and 500 at Spiderette; leaving more than three adds to it.

    Source: text 1, "Scoring", and RULES, `woods`.
    """
    bonus = _PER_PAIR * max(0, on_table - _SUITS_WITHOUT_BONUS)
    return woods(turned, open_columns, 0, suits) + bonus


def dos(exceptions: int, pairs: int, removed: int) -> int:
    """The score of 1987 of a game that is not won; `pairs` also inside complete suits.

    The star of the table, ten points for each exception over six, stands behind its rows and
    so holds for partial scores too.

    Source: text 3, IV, "Spider scoring table".
    """
    if exceptions < _DOS_CHEAPEST_SUIT_FROM:
        suit = 120 - _DOS_SUIT_STEP * exceptions
    else:
        suit = _DOS_CHEAPEST_SUIT
    pair = max(1, 10 - exceptions)
    return max(0, suit * removed + pair * pairs - _dos_star(exceptions))


def dos_won(exceptions: int, moves_after: int, *, grand: bool) -> int:
    """The score of 1987 of a won game.

    `moves_after` counts moves from column to column after the first exception, that one not
    included; `grand` says that all suits were complete before the first was removed, and that
    nothing but removals came after.

    Source: text 3, IV, "Spider scoring table".
    """
    if not exceptions:
        return GRAND_SPIDER if grand else FULL_DOS
    base = FULL_DOS - 100 * min(exceptions, 6)
    return max(0, base - moves_after - _dos_star(exceptions))


def _dos_star(exceptions: int) -> int:
    return 10 * max(0, exceptions - _DOS_FREE_OF_STAR)


def cards(home: int) -> int:
    """One point for each card home.

    Source: text 5, "Spider Solitaire".
    """
    return home


def moves(acts: int, complete: int) -> int:
    """The score known from Windows: 500, one less for each act, 100 for each complete suit.

    `acts` counts moves, deals, undos and redos; `complete` suits removed or on the table.

    Source: RULES, `moves`.
    """
    return max(0, FULL_MOVES - acts + 100 * complete)
