"""Events that wait to be applied to a stored room, one at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from server.rooms.events import Event, needs_stats
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import apply


@dataclass(eq=False, slots=True)
class Attempt:
    """An event to be applied, with the hash of the token that opens the seat it adds, if any.

    `process` is the process whose list of rooms must have the room first, if any.
    It waits for the room's lock and is then tried `alone`, or it is written together with another
    attempt, which sets its `latest`.
    """

    event: Event | Callable[[Room], Event]
    token_hash: str | None
    process: str = ""
    alone: bool = False
    latest: VersionedRoom | None = None

    def make_event(self, room: Room) -> Event:
        """Return the event, made from the room if it is a function."""
        return self.event(room) if callable(self.event) else self.event

    def apply_to(self, room: Room) -> Room | None:
        """Return the room after this event; None if the event must be written alone."""
        if self.alone or self.latest is not None or self.token_hash is not None:
            return None
        try:
            event = self.make_event(room)
            changed = room if needs_stats(event) else apply(room, event)
        except Exception:  # noqa: BLE001  # raised again when written alone
            return None
        return None if changed is room else changed
