from typing import Final, NamedTuple

from server.games.actions import PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT, source, target


class Effects(NamedTuple):
    """The effects of an action on the position and the score.

    `changed` holds the indexes of all piles that changed, stock and foundations included,
    `turned` the indexes of piles in which a card was turned up, `removed` the number of suits
    removed, and `gained` is true if the score rose. An undo turns and removes nothing.
    """

    changed: tuple[int, ...]
    turned: tuple[int, ...]
    removed: int
    gained: bool


class _MoveEffects(dict[int, Effects]):
    """The effects of moves that remove no suit, made when they first occur."""

    def __missing__(self, key: int) -> Effects:
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


class Counts(NamedTuple):
    """The counts of a game.

    `moves` to `exceptions` count entries of the log: an action that was undone still counts,
    and its redo counts as a redo. The other fields describe the position: `suits` counts suits
    removed or foundations filled, `home` cards in removed suits or on foundations, `face_down`
    face-down cards on the table without the stock, and `stock` cards in the stock.
    """

    moves: int
    deals: int
    removals: int
    undos: int
    redos: int
    cheats: int
    exceptions: int
    suits: int
    home: int
    face_down: int
    stock: int
