from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    """How a game ended by its own rules."""

    WON = "won"
    """All is home, or the player finished with nothing but complete suits on the table."""
    FINISHED_STUCK = "finished_stuck"
    """The player finished a game in which no legal action was left, or which was too long."""


class StuckReason(StrEnum):
    """Why no way forward is left, besides there being no move."""

    STOCK_EMPTY = "stock_empty"
    """All cards have been dealt."""
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"
    """Cards are left to deal, but the columns cannot be filled. Not if deals are relaxed."""
    GAME_TOO_LONG = "game_too_long"
    """The log has `LONGEST_GAME` entries: the game can only be finished."""


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
