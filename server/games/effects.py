from typing import Final, NamedTuple

from server.games.actions import PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT, source, target


class Effects(NamedTuple):
    """The effects of an action on position and score. An undo turns and removes nothing."""

    changed: tuple[int, ...]
    """The indexes of all piles that changed, stock and foundations included."""
    turned: tuple[int, ...]  # the indexes of the piles in which a card was turned up
    removed: int  # the number of suits removed or foundations filled
    has_gained: bool  # whether the score rose


class _MoveEffects(dict[int, Effects]):
    """The effects of moves that remove no suit, made when they first occur."""

    def __missing__(self, key: int) -> Effects:
        """Make the effects of a move with these flags, the first time that they are asked for."""
        here = source(key)
        turned = (here,) if key & _TURNED else ()
        effects = Effects((here, target(key)), turned, 0, bool(key & _GAINED))
        self[key] = effects
        return effects


_PILES: Final = PILE_MASK << SOURCE_SHIFT | PILE_MASK << TARGET_SHIFT
_TURNED: Final = 1
_GAINED: Final = 2
_OF_MOVES: Final = _MoveEffects()


def move_effects(move: int, undo_record: int, gain: int) -> Effects:
    """Return the effects of a move that removed no suit; `gain` is the rise of the score."""
    key = move & _PILES
    if undo_record:
        key |= _TURNED
    if gain > 0:
        key |= _GAINED
    return _OF_MOVES[key]
