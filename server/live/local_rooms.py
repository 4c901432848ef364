"""The rooms with subscribers at this process, by code."""

from collections.abc import Callable, Iterator

from server.live.local_room import LocalRoom
from server.rooms.record import VersionedRoom
from server.store import SeatProgress
from server.views.room_messages import RoomMessages


class LocalRooms:
    """The rooms of this process."""

    def __init__(self, notifications_arrive: Callable[[str], bool]) -> None:
        """Use a function that returns whether the notifications of a room arrive here."""
        self._notifications_arrive = notifications_arrive
        self._rooms: dict[str, LocalRoom] = {}
        self._latest_made: RoomMessages | None = None
        self.get = self._rooms.get
        """Return the room with a code, or None if it has no subscribers here."""

    def __iter__(self) -> Iterator[LocalRoom]:
        """Return the rooms."""
        return iter(list(self._rooms.values()))

    def add(self, local: LocalRoom) -> None:
        """Add a room, for its first subscriber."""
        self._rooms[local.code] = local

    def remove(self, code: str) -> None:
        """Remove a room whose last subscriber has left."""
        del self._rooms[code]

    def codes(self) -> list[str]:
        """Return the codes of the rooms."""
        return list(self._rooms)

    def states(self) -> list[str]:
        """Return the state of each room."""
        return [local.latest.room.state.value for local in self if local.latest is not None]

    def overdue(self, since_ms: int) -> list[str]:
        """Return the rooms whose deadline is not after that time (ms since the epoch)."""
        return [local.code for local in self if local.is_overdue(since_ms)]

    def latest(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room that this process has read or written."""
        local = self._rooms.get(code)
        return None if local is None else local.latest

    def latest_known(self, code: str) -> VersionedRoom | None:
        """Return the latest version of a room; None if there may be a later one.

        There may be one if notifications of the room were lost, or do not arrive now.
        """
        local = self._rooms.get(code)
        if local is None or local.reading.has_lost_notifications:
            return None
        return local.latest if self._notifications_arrive(code) else None

    def known_progress(self, code: str, seat: int) -> SeatProgress | None:
        """Return the progress of a seat as this process knows it, if it serves the room."""
        local = self._rooms.get(code)
        return None if local is None else local.standings.leaderboard.known(seat)

    def messages(self, latest: VersionedRoom) -> RoomMessages:
        """Return the messages of a version of a room, the same ones for all calls in a row."""
        local = self._rooms.get(latest.room.code)
        kept = None if local is None else local.messages
        if kept is None or kept.latest is not latest:
            kept = self._latest_made
        if kept is None or kept.latest is not latest:
            kept = self._latest_made = RoomMessages(latest)
        return kept

    def update(self, latest: VersionedRoom) -> None:
        """Take a newer version of a room, written or read here, and send it to its subscribers."""
        local = self._rooms.get(latest.room.code)
        if local is None:
            return
        known = local.latest
        if known is None or known.v < latest.v:
            local.update(self.messages(latest))

    def handle_progress(self, code: str, progress: SeatProgress) -> None:
        """Take the progress of a seat after an act or a hint of it that was stored here."""
        local = self._rooms.get(code)
        if local is not None:
            local.standings.take(progress)
            local.publications.add(progress.seat)

    def handle_loaded_progress(self, code: str, progress: SeatProgress) -> None:
        """Take the progress of a seat as its table has read it; if it is older, read the room."""
        local = self._rooms.get(code)
        if local is not None:
            local.standings.replace(progress)
            # Of an act that was stored without an answer, or by a process that has died since.
            local.publications.add(progress.seat)
