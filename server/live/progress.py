"""The progress of the seats whose games are on, exactly as the store has it, and what it has lost.

A client marks an act that was acknowledged before as sent again, and the result counts it. Only a
failover takes acts back, or the death of a store with what was not on disk yet. So a client is
believed for a round during which this process has lost its connection to the store, or which it
has not seen from the beginning; and else for as many acts as this process has seen taken back.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from server.live.leaderboard import stats_of_seats
from server.live.replays import Replays
from server.live.unreadable import Quarantine
from server.rooms.events import Event, needs_stats
from server.rooms.record import Room, Round
from server.store import SeatProgress, SeatRecord, Seats

NO_ACT = (0, 0)  # the round and the number of acts of a seat that has none
KEPT = 10_000  # seats whose latest act, or whose lost acts, are kept, at most

SeatName = tuple[str, int]


class ProgressReader:
    """Reads the progress of seats; rooms whose records are unreadable go into quarantine.

    The store has the logs of seats and nothing that follows from them. A log whose latest act is
    known here has the progress that is known with this act; any other one is replayed. All
    methods raise `StoreAway` if the store does not answer, and `Unreadable` if this release
    cannot read a seat or replay its log.
    """

    def __init__(
        self,
        seats: Seats,
        replays: Replays,
        quarantine: Quarantine,
        known: Callable[[str, int], SeatProgress | None],
    ) -> None:
        """`known` returns the progress of a seat of a room as this process knows it."""
        self._seats = seats
        self._replays = replays
        self._quarantine = quarantine
        self._known = known

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
            found = await self._seats.read_all(room.code, seats)
            records = {
                seat: record
                for seat, record in zip(seats, found, strict=True)
                if record is not None
            }
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


class LostActs:
    """The number of acts of each seat here, and how many of them the store has lost."""

    def __init__(
        self,
        known: Callable[[str, int], SeatProgress | None],
        interrupted_at: Callable[[], int] | None = None,
    ) -> None:
        """Compare with the progress that `known` returns of a seat of a room.

        `interrupted_at` returns when the store was last away, or when the process began (ms since
        the epoch); without it only acts count that this process has seen taken back.
        """
        self._known = known
        self._interrupted_at = interrupted_at
        self._left: OrderedDict[SeatName, tuple[int, int]] = OrderedDict()
        """The round of each seat that has left this process, and its number of acts."""
        self._lost: OrderedDict[SeatName, int] = OrderedDict()

    def keep(self, code: str, seat: int) -> None:
        """Keep the number of acts of a seat whose room may be forgotten here."""
        known = self._known(code, seat)
        if known is not None:
            _put(self._left, (code, seat), (known.n, known.acts))

    def compare(self, code: str, progress: SeatProgress) -> None:
        """Compare the progress of a seat as it was just read with that which is known here.

        Call it before it replaces the known one, for every read: the standings are read too.
        """
        name = (code, progress.seat)
        known = self._known(code, progress.seat)
        latest = max(
            self._left.pop(name, NO_ACT), NO_ACT if known is None else (known.n, known.acts)
        )
        lost = latest[1] - progress.acts
        if latest[0] == progress.n and lost > 0:
            _put(self._lost, name, self._lost.get(name, 0) + lost)

    def take(self, code: str, seat: int, t0: int) -> bool:
        """Return whether an act of the round from `t0` (ms) on may have been lost; count it."""
        if self._interrupted_at is not None and self._interrupted_at() >= t0:
            return True
        lost = self._lost.pop((code, seat), 0)
        if lost > 1:
            _put(self._lost, (code, seat), lost - 1)
        return lost > 0


def _put(values: OrderedDict[SeatName, Any], name: SeatName, value: Any) -> None:
    """Set a value; the least recently set ones are forgotten first."""
    values[name] = value
    values.move_to_end(name)
    while len(values) > KEPT:
        values.popitem(last=False)
