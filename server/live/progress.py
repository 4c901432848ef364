"""The progress of the seats whose games are on, exactly as the store has it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from server.live.leaderboard import stats_of_seats
from server.live.replays import Replays
from server.live.unreadable import Quarantine
from server.rooms.events import Event, needs_stats
from server.rooms.record import Room, Round
from server.store import SeatProgress, SeatRecord, Seats


@dataclass(frozen=True, slots=True)
class ProgressReader:
    """Reads the progress of seats; rooms whose records are unreadable go into quarantine.

    The store has the logs of seats and nothing that follows from them. A log whose latest act is
    known here has the progress that is known with this act; any other one is replayed. All
    methods raise `StoreAway` if the store does not answer, and `Unreadable` if this release
    cannot read a seat or replay its log.
    """

    _seats: Seats
    _replays: Replays
    _quarantine: Quarantine
    _known: Callable[[str, int], SeatProgress | None]  # as this process knows it

    async def read(self, room: Room) -> list[SeatProgress]:
        """Return the progress of all seats whose games are on."""
        _, progress = await self._read(room)
        return list(progress.values())

    async def with_stats(self, room: Room, event: Event) -> tuple[Event, Mapping[int, SeatRecord]]:
        """Return an event with the stats of all seats whose games are on, and their records."""
        records, progress = await self._read(room)
        if room.players() and needs_stats(event):
            event = replace(event, stats=stats_of_seats(room, progress))
        return event, records

    async def _read(self, room: Room) -> tuple[dict[int, SeatRecord], dict[int, SeatProgress]]:
        seats, played = [seat.number for seat in room.players()], room.round
        if not seats or played is None:
            return {}, {}
        async with self._quarantine.reading(room.code):
            found = zip(seats, await self._seats.read_all(room.code, seats), strict=True)
            records = {seat: record for seat, record in found if record is not None}
            progress = {
                seat: await self._progress(room.code, played, seat, record)
                for seat, record in records.items()
            }
            stats_of_seats(room, progress)
        return records, progress

    async def _progress(
        self, code: str, played: Round, seat: int, record: SeatRecord
    ) -> SeatProgress:
        progress = self._known(code, seat)
        if progress is None or not progress.fits(record):
            if record.n == played.n and (record.acts or record.writer is None):
                progress = (await self._replays.read(code, played, seat)).progress(seat, played.n)
            else:
                progress = SeatProgress(seat, record.n, 0, 0, None, 0, None, 0, 0)
        return progress._replace(hint_count=record.hint_count, hint_round=record.hint_round)
