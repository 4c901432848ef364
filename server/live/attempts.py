"""Events that are to be applied to a stored room, of which one is tried at a time."""

from collections.abc import Callable
from dataclasses import dataclass

from server.rooms.events import Event, needs_stats
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import apply


@dataclass(eq=False, slots=True)
class Attempt:
    """An event to be applied, with the hash of the token that opens the seat it adds, if any.

    It waits for its turn until it is tried `alone`, or is written along with another one, which
    sets its `page`.
    """

    event: Event | Callable[[Room], Event]
    token_hash: str | None
    alone: bool = False
    latest: VersionedRoom | None = None

    def happens(self, room: Room) -> Event:
        """Return the event, made from the room if it is to be."""
        return self.event(room) if callable(self.event) else self.event

    def apply_to(self, room: Room) -> Room | None:
        """Return the room with this event in it; None if the event needs a turn of its own."""
        if self.alone or self.latest is not None or self.token_hash is not None:
            return None
        try:
            happens = self.happens(room)
            changed = room if needs_stats(happens) else apply(room, happens)
        except Exception:  # noqa: BLE001  # its own turn says why
            return None
        return None if changed is room else changed
