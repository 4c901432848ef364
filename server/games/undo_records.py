"""The changes of an action that the action itself does not name, in 48 bits, for undo.

    bits 32..47  the number of cards dealt
    bits 16..31  the piles from which a suit was removed, or the foundation that was filled
    bits 0..15   the piles in which a card was turned up

An entry of a game's past is an action, in its lower sixteen bits, and its undo record above.
"""

from typing import Final

from server.games.move_tables import MOST_COLUMNS

PILES_MASK: Final = 0xFFFF
REMOVED_SHIFT: Final = 16
DEALT_SHIFT: Final = 32
RECORD_SHIFT: Final = 16
ANYTHING: Final = (1 << 64) - 1  # the bits of an entry, of which an action always has some
REVEALED: Final = (PILES_MASK | PILES_MASK << DEALT_SHIFT) << RECORD_SHIFT
"""The bits of an entry that has turned up a card or dealt cards."""

_PILES_OF: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(pile for pile in range(MOST_COLUMNS) if mask >> pile & 1)
    for mask in range(1 << MOST_COLUMNS)
)


def turned(undo_record: int) -> tuple[int, ...]:
    """Return the piles in which a card was turned up."""
    return _PILES_OF[undo_record & PILES_MASK]


def removed(undo_record: int) -> tuple[int, ...]:
    """Return the columns from which a suit was removed."""
    return _PILES_OF[undo_record >> REMOVED_SHIFT & PILES_MASK]


def removals(undo_record: int) -> int:
    """Return the number of suits removed or foundations filled."""
    return (undo_record >> REMOVED_SHIFT & PILES_MASK).bit_count()


def dealt(undo_record: int) -> int:
    """Return the number of cards dealt."""
    return undo_record >> DEALT_SHIFT
