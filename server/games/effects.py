"""The effects of an action: what a caller is told, what is counted, and what undo needs.

An *undo record* holds the changes that the action itself does not name, in 48 bits:

    bits 32..47  the number of cards dealt
    bits 16..31  the piles from which a suit was removed, or the foundation that was filled
    bits 0..15   the piles in which a card was turned up

An entry of a game's past is an action, in its lower sixteen bits, and its undo record above.
"""

from typing import Final, NamedTuple

from server.games.actions import (
    MOST_COLUMNS,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Kept,
    source,
    target,
)


class Effects(NamedTuple):
    """The effects of an action on position and score. An undo turns and removes nothing."""

    changed: tuple[int, ...]
    """The indexes of all piles that changed, stock and foundations included."""
    turned: tuple[int, ...]  # the indexes of the piles in which a card was turned up
    removed: int  # the number of suits removed or foundations filled
    has_gained: bool  # whether the score rose


_PILES: Final = PILE_MASK << SOURCE_SHIFT | PILE_MASK << TARGET_SHIFT
_TURNED: Final = 1
_GAINED: Final = 2


def _make_effects(key: int) -> Effects:
    """Return the effects of a move with these flags."""
    here = source(key)
    turned = (here,) if key & _TURNED else ()
    return Effects((here, target(key)), turned, 0, bool(key & _GAINED))


_OF_MOVES: Final = Kept(_make_effects, 1 << 12)  # more than there are


def move_effects(move: int, undo_record: int, gain: int) -> Effects:
    """Return the effects of a move that removed no suit; `gain` is the rise of the score."""
    key = move & _PILES
    if undo_record:
        key |= _TURNED
    if gain > 0:
        key |= _GAINED
    return _OF_MOVES[key]


class Counts(NamedTuple):
    """The counts of a game: first of entries of its log, then of its position.

    An action that was undone still counts, and its redo counts as a redo.
    """

    moves: int  # the moves made
    deals: int  # the deals of the stock
    removals: int  # the suits removed by hand
    undos: int  # the undos
    redos: int  # the redos
    cheats: int  # the undos that count as cheats
    exceptions: int  # the moves of runs of mixed suits
    suits: int  # the suits removed, or the foundations filled
    home: int  # the cards in removed suits or on foundations
    face_down: int  # the face-down cards on the table, without the stock
    stock: int  # the cards in the stock


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
