from dataclasses import dataclass
from typing import Literal

Layout = Literal["left4", "spread"]
"""Where the four extra face-down cards of Spider lie: columns 1 to 4, or 1, 4, 7 and 10."""

UndoPolicy = Literal["no_reveal", "any", "free", "off"]
"""Which actions may be taken back.

- `no_reveal`: only those that showed no card.
- `any`: all of them; taking back a turned card or a deal counts as a cheat (text 1).
- `free`: all of them, and nothing counts as a cheat (text 2, section 9).
- `off`: none.
"""

Exceptions = Literal["off", "easy", "hard"]
"""Runs of mixed suits: never moved, moved freely, moved when an exception is asked for."""

Score = Literal["woods", "dos", "cards", "moves"]
"""How a game is rated: see `server.games.scores`."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of a room that decide what is legal and what it is worth.

    A value that a game does not know must be left at its default; `server.games.catalogue.check`
    says which. The same object serves all players of a round. With `relaxed_deal` the stock can
    be dealt as long as it has cards, on empty columns and on few cards alike.
    """

    game: str
    layout: Layout = "left4"
    auto_remove: bool = False
    relaxed_deal: bool = False
    undo: UndoPolicy = "no_reveal"
    exceptions: Exceptions = "off"
    score: Score = "woods"
