from typing import NamedTuple


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
