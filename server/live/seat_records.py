"""The stored records of the seats whose games are on, as changes and standings need them."""

from collections.abc import Mapping
from dataclasses import replace

from server.live.quarantine import Quarantine
from server.live.stats import stats_of_seats
from server.rooms.events import Event, needs_stats
from server.rooms.record import Room
from server.store import SeatProgress, SeatRecord, Seats


class SeatRecords:
    """The records of seats in the store; rooms whose records are unreadable go into quarantine.

    All methods raise `StoreAway` if the store does not answer, and `Unreadable` if this release
    cannot read a record.
    """

    def __init__(self, seats: Seats, quarantine: Quarantine) -> None:
        self._seats = seats
        self._quarantine = quarantine

    async def read_progress(self, room: Room) -> list[SeatProgress]:
        """Return the progress of all seats whose games are on."""
        async with self._quarantine.reading(room.code):
            records = await self._read(room)
            stats_of_seats(room, records)
        return [record.progress(seat) for seat, record in records.items() if record is not None]

    async def with_stats(
        self, room: Room, event: Event
    ) -> tuple[Event, Mapping[int, SeatRecord | None]]:
        """Return an event with the stats of all seats whose games are on, and their records."""
        async with self._quarantine.reading(room.code):
            records = await self._read(room)
            if records and needs_stats(event):
                event = replace(event, stats=stats_of_seats(room, records))
        return event, records

    async def _read(self, room: Room) -> dict[int, SeatRecord | None]:
        seats = [seat.number for seat in room.players()]
        if not seats:
            return {}
        records = await self._seats.read_all(room.code, seats)
        return dict(zip(seats, records, strict=True))
