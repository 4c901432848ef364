"""A seat as one connection has taken it, which fences the events of a replaced connection."""

from collections.abc import Callable
from typing import NamedTuple

from protocol.vocabulary import CloseCode
from server.rooms.events import Event, Reconnected
from server.rooms.identity import ClientOrigin, identify
from server.rooms.record import Room, Seat


class Replaced(Exception):  # noqa: N818  # a normal event, no error
    """A newer connection holds the seat: commands of the older one are dropped."""

    def __init__(self, close_code: CloseCode) -> None:
        super().__init__("A newer connection holds the seat.")
        self.close_code = close_code


class TakenSeat(NamedTuple):
    """A seat of a room as one connection has taken it."""

    room_code: str
    number: int
    generation: int
    """The generation of the connection; each newer connection of the seat has a higher one."""
    tab: str  # the name that the client gives to its tab, or an empty text
    address: str  # the address of the client
    stand_in: str = ""
    """The token of the seat's stand-in if that has the connection, and not the owner."""

    @property
    def name(self) -> str:
        """The name of the seat in rate limits: they hold for all its connections together."""
        return f"{self.room_code} {self.number}"

    def find(self, room: Room) -> Seat | None:
        """Return the seat in a version of its room, be it admitted or not."""
        return room.seat(self.number) or room.applicant(self.number)

    def close_code(self, tab: str) -> CloseCode:
        """Return the close code when a newer connection has taken the seat from `tab`.

        A client whose own tab has the newer connection reconnects.
        """
        return CloseCode.RESYNC if self.tab != "" and tab == self.tab else CloseCode.REPLACED

    def check(self, room: Room) -> None:
        """Check that no newer connection has the seat in this version of the room.

        Raises:
            Replaced: one has.
        """
        seat = self.find(room)
        if seat is not None and seat.generation > self.generation:
            raise Replaced(self.close_code(seat.tab))

    def fenced(self, event: Event | Callable[[Room], Event]) -> Callable[[Room], Event]:
        """Return a function that makes the event while no newer connection has the seat.

        The function raises `Replaced` otherwise: the game of a replaced connection is out of date.
        """

        def make(room: Room) -> Event:
            self.check(room)
            return event(room) if callable(event) else event

        return make

    def reconnection(self, process: str) -> Callable[[Room], Event]:
        """Return the function that makes the event of the seat's connection to this process."""

        def reconnected(room: Room) -> Event:
            # The networks of the address are hashed with the salt of the room.
            networks, _ = identify(room.salt, ClientOrigin(self.address))
            return Reconnected(
                self.number, self.generation, process, self.tab, networks, self.stand_in
            )

        return self.fenced(reconnected)
