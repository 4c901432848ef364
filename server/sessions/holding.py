"""What fences a seat: events of a session that a newer connection has replaced are not applied."""

from collections.abc import Callable
from typing import NamedTuple

from server.rooms.events import Event, Reconnected
from server.rooms.identity import Origin, identify
from server.rooms.record import Room
from server.sessions.services import Services


class Replaced(Exception):  # noqa: N818  # a normal event, no error
    """A newer connection holds the seat, from this `tab`: commands of the older are dropped."""

    def __init__(self, tab: str) -> None:
        super().__init__(f"A newer connection of tab {tab!r} holds the seat.")
        self.tab = tab


class Holding(NamedTuple):
    """A seat as one connection holds it: under a generation, for a tab, from an address."""

    seat: int
    generation: int
    tab: str
    address: str

    def event(self, event: Event | Callable[[Room], Event]) -> Callable[[Room], Event]:
        """Return a function that makes the event while this generation is the latest.

        The function raises `Replaced` otherwise: the game of a replaced session is out of date.
        """

        def make(room: Room) -> Event:
            self.check(room)
            return event(room) if callable(event) else event

        return make

    def check(self, room: Room) -> None:
        """Check that no newer connection holds the seat in this version of the room.

        Raises:
            Replaced: one does.
        """
        seat = room.seat(self.seat) or room.applicant(self.seat)
        if seat is not None and seat.generation > self.generation:
            raise Replaced(seat.tab)

    def reconnection(self, services: Services) -> Callable[[Room], Event]:
        """Return the event that the seat is connected to this process."""
        process = services.hub.process

        def back(room: Room) -> Event:
            networks, _ = identify(room.salt, Origin(self.address))
            return Reconnected(self.seat, self.generation, process, self.tab, networks)

        return self.event(back)
