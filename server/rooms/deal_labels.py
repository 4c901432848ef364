"""Numbered deals, of which a label says whether they can be won. Pure.

The pool finds the label (`thinking/labels.py`). It holds for the game, the number
and the rules on which a win depends.
"""

from typing import Final

from protocol.games import GAMES, GameId
from protocol.vocabulary import DealLabel, Layout
from server.games.rules import Rules
from server.rooms.match_card import next_game
from server.rooms.record import Record, Room
from server.solver.solve import VerdictKind

LABELS: Final[dict[VerdictKind, DealLabel]] = {
    "won": "winnable",
    "unwinnable": "unwinnable",
    "unknown": "unknown",
}
"""The label of a verdict."""


class LabelledDeal(Record):
    """A numbered deal, with the rules on which a win depends."""

    game: GameId
    number: int
    layout: Layout
    auto_remove: bool
    relaxed_deal: bool

    @property
    def key(self) -> str:
        """The name of the deal: it is searched once."""
        dealing = "relaxed" if self.relaxed_deal else "strict"
        removal = "auto" if self.auto_remove else "hand"
        return f"{self.game}:{self.layout}:{dealing}:{removal}:{self.number}"

    @property
    def rules(self) -> Rules:
        """The rules by which the deal is searched."""
        return Rules(
            game=self.game,
            layout=self.layout,
            auto_remove=self.auto_remove,
            relaxed_deal=self.relaxed_deal,
            undo="off",
            score=GAMES[self.game].scores[0],
        )


def numbered_deal(room: Room) -> LabelledDeal | None:
    """Return the numbered deal that a room plays next; None if it plays none, or draws one."""
    settings, game = room.settings, next_game(room)
    if settings.deal != "numbered" or settings.number is None or game is None:
        return None
    return LabelledDeal(
        game=settings.game,
        number=settings.number + game - 1,
        layout=settings.layout,
        auto_remove=settings.auto_remove,
        relaxed_deal=settings.relaxed_deal,
    )


def shown_label(text: str | None, room: Room) -> DealLabel:
    """Return the label of a room's deal from the stored text, which may be that of no release."""
    label: DealLabel = next((each for each in LABELS.values() if each == text), "unknown")
    # Moves of runs of mixed suits are not searched, so a proof does not cover them.
    if label == "unwinnable" and room.settings.exceptions != "off":
        return "unknown"
    return label
