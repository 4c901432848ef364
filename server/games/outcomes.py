from typing import NamedTuple


class Effects(NamedTuple):
    """What an action did.

    `changed` holds the indexes of all piles whose content is another (stock and foundations
    too), `turned` those in which a card was turned up, `removed` the number of suits that were
    removed, `gained` whether the score rose. Taking back turns and removes nothing.
    """

    changed: tuple[int, ...]
    turned: tuple[int, ...]
    removed: int
    gained: bool


class Counts(NamedTuple):
    """A game in whole numbers.

    `moves` to `exceptions` count entries of the log, so an action that was taken back counts
    as made, and made again it counts as a redo. `suits` (removed, or foundations filled),
    `home` (cards in them), `face_down` (on the table, not in the stock) and `stock` are of the
    position.
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
