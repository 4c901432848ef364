"""The reading of a seat's game from the store: again and again, until the store answers."""

import asyncio
from dataclasses import dataclass
from typing import Protocol

from server.live.replays import ReplayedGame, Replays
from server.rooms.record import Round
from server.store import CommitFailure, LogWriter, SeatRecord, Seats, StoreAway, Unreadable


class LoadObserver(Protocol):
    """The recipient of a game that is read: the table of the seat."""

    def handle_loaded(self, record: SeatRecord, replayed: ReplayedGame) -> None:
        """Handle that the game is read; it is the observer's own."""

    def handle_store_away(self) -> None:
        """Handle that the store does not answer; the game will be read again."""

    def handle_seat_lost(self, why: CommitFailure) -> None:
        """Handle that this connection does not hold the seat: REPLACED or TAKEN_BACK."""

    def handle_unreadable(self, error: Unreadable) -> None:
        """Handle that this release cannot play what the store has."""


@dataclass(eq=False, slots=True)
class GameLoader:
    """Takes one seat once more, and reads its game in one round by replaying its log.

    Earlier acts whose fate is unknown cannot be stored after that.
    """

    _seats: Seats
    _replays: Replays
    _writer: LogWriter
    _played: Round
    _retry_s: float  # while the store is away
    record: SeatRecord | None = None
    """The seat as it was just taken, for the first reading: nothing was stored in it since."""

    async def load(self, observer: LoadObserver) -> None:
        """Read the game and hand it over. The replay yields to the event loop."""
        writer = self._writer
        while True:
            try:
                record = await self._take()
                if isinstance(record, CommitFailure):
                    observer.handle_seat_lost(record)
                    return
                replayed = await self._replays.read(writer.code, self._played, writer.seat)
            except Unreadable as error:
                observer.handle_unreadable(error)
                return
            except StoreAway:
                observer.handle_store_away()
                await asyncio.sleep(self._retry_s)
            else:
                observer.handle_loaded(record, replayed)
                return

    async def _take(self) -> SeatRecord | CommitFailure:
        writer, n = self._writer, self._played.n
        record, self.record = self.record, None
        if record is None or not record.races_in(n):
            taken = await self._seats.retake(writer.code, writer.seat, writer.generation, n)
            if isinstance(taken, CommitFailure):
                return taken
            record = taken
        writer.move_to(n, record.generation)
        return record
