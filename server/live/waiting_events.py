"""Events that wait to be applied to a stored room, one at a time."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from server.rooms.events import Event, needs_stats
from server.rooms.record import PlayerStats, Room, VersionedRoom
from server.rooms.room import apply


@dataclass(eq=False, slots=True)
class WaitingEvent:
    """An event that waits for the room's lock, or for another event to be written with it."""

    event: Event | Callable[[Room], Event]
    token_hash: str | None
    """The hash of the token that opens the seat which the event adds, if it adds one."""
    process: str = ""  # the process whose list of rooms must have the room first, if any
    has_lock: bool = False  # whether it has the room's lock, and others are written with it
    written: VersionedRoom | None = None  # the room with which another event has written this one

    def make_event(self, room: Room) -> Event:
        """Return the event, made from the room if it is a function."""
        return self.event(room) if callable(self.event) else self.event

    def apply_to(self, room: Room, stats: Mapping[int, PlayerStats] | None) -> Room | None:
        """Return the room after this event; None if the event must be written alone.

        With `stats` of all seats whose games are on, it must be one that needs them, else one that
        does not.
        """
        if self.has_lock or self.written is not None or self.token_hash is not None:
            return None
        try:
            event = self.make_event(room)
            if needs_stats(event):
                if stats is None:
                    return None
                event = replace(event, stats=stats)
            elif stats is not None:
                return None
            changed = apply(room, event)
        except Exception:  # noqa: BLE001  # raised again when written alone
            return None
        return None if changed is room else changed
