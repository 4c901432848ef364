"""Events that wait to be applied to a stored room; one is tried at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from server.rooms.events import Event, needs_stats
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import apply


@dataclass(eq=False, slots=True)
class Attempt:
    """An event to be applied, with the hash of the token of the seat that it adds, if any.

    It waits until it is tried `alone`, or is written along with another one, which sets `latest`.
    """

    event: Event | Callable[[Room], Event]
    token_hash: str | None
    alone: bool = False
    latest: VersionedRoom | None = None

    def made_from(self, room: Room) -> Event:
        """Return the event, made from the room if it is a function."""
        return self.event(room) if callable(self.event) else self.event

    def apply_to(self, room: Room) -> Room | None:
        """Return the room with this event in it; None if the event needs a turn of its own."""
        if self.alone or self.latest is not None or self.token_hash is not None:
            return None
        try:
            event = self.made_from(room)
            changed = room if needs_stats(event) else apply(room, event)
        except Exception:  # noqa: BLE001  # raised again in its own turn
            return None
        return None if changed is room else changed
