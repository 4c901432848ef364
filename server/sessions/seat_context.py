"""The seat that a table belongs to, and the observer that receives the table's events."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from protocol.vocabulary import ErrorCode
from server.rooms.record import Round
from server.store import SeatFigures, Unreadable


class TableObserver(Protocol):
    """The recipient of a table's replies and events: the session that holds the seat."""

    def send(self, text: str) -> None:
        """Send a reply."""

    def handle_replaced(self) -> None:
        """Handle that a newer connection has taken the seat."""

    def figures_changed(self, code: str, figures: SeatFigures) -> None:
        """Handle the figures of this game after an act or a hint that is stored.

        The socket may have been lost meanwhile.
        """

    def handle_figures_read(self, figures: SeatFigures) -> None:
        """Handle the figures of this game as the store has them."""

    def handle_too_late(self) -> None:
        """Handle that the store takes no act of this round any more."""

    def handle_seat_lost(self) -> None:
        """Handle that the store has lost this connection's taking of the seat."""

    def handle_unreadable_log(self, error: Unreadable) -> None:
        """Handle that this release cannot replay the log; another process may."""

    def handle_game_ended(self, n: int) -> None:
        """Handle that the game of round `n` has ended by its rules."""

    def refusal_when_closed(self) -> ErrorCode:
        """Return the code that refuses acts in the room's present state."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Run `work` in a task of its own."""


@dataclass(frozen=True, slots=True)
class SeatContext:
    """The seat of a table: a seat of a room, in a round, held under a generation."""

    code: str
    seat: int
    generation: int
    played: Round
