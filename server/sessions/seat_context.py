"""Whose table it is, and what it tells whoever sits there."""

from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from protocol.vocabulary import ErrorCode
from server.rooms.record import Round
from server.store import Unreadable


class TableObserver(Protocol):
    """Who sits at the table."""

    def send(self, text: str) -> None:
        """A reply."""

    def replaced(self) -> None:
        """The seat has been taken by a newer connection."""

    def gained(self) -> None:
        """The figures of this game are others now."""

    def too_late(self) -> None:
        """The store takes no act of this round any more."""

    def taken_back(self) -> None:
        """The store has lost that this connection took the seat."""

    def unreadable(self, error: Unreadable) -> None:
        """The log holds what this release does not know; another one may."""

    def over(self, n: int) -> None:
        """The game has ended by its own rules."""

    def why_closed(self) -> ErrorCode:
        """Why the game takes no new act now, as the room is."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Runs something beside the reading of the socket."""


@dataclass(frozen=True, slots=True)
class SeatContext:
    """Whose table this is: a seat of a room, in a round, held under a generation."""

    code: str
    seat: int
    generation: int
    played: Round
