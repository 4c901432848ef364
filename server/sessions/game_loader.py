"""The reading of a seat's game from the store: again and again, until the store answers."""

import asyncio
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from server.live.stats import stats_in
from server.rooms.record import Round
from server.sessions.replayed_games import ReplayedGame, ReplayedGames
from server.sessions.taken_seat import TakenSeat
from server.store import SeatRecord, Seats, StoreAway, Unreadable


class StoredGame(NamedTuple):
    """A seat's game as the store has it."""

    record: SeatRecord | None  # the record of the seat; None if a failover has lost it
    replayed: ReplayedGame  # the game at the end of its log
    restored: int  # acts that the store had lost and the client has sent again


class LoadObserver(Protocol):
    """The recipient of a game that is read: the table of the seat."""

    def handle_loaded(self, stored: StoredGame) -> None:
        """Handle that the game is read."""

    def handle_store_away(self) -> None:
        """Handle that the store does not answer; the game will be read again."""

    def handle_unreadable(self, error: Unreadable) -> None:
        """Handle that this release cannot play what the store has."""


@dataclass(eq=False, slots=True)
class GameLoader:
    """Reads the game of one seat in one round, by replaying its log."""

    _seats: Seats
    _seat: TakenSeat
    _played: Round
    _replayed_games: ReplayedGames
    _retry_s: float  # while the store is away
    _record: SeatRecord | None = None

    def taken(self, record: SeatRecord | None) -> None:
        """Use this record when the game is read first: nothing was stored in the seat since."""
        self._record = record

    async def load(self, observer: LoadObserver) -> None:
        """Read the game and hand it over. The replay yields to the event loop."""
        while True:
            try:
                stored = await self._read()
            except Unreadable as error:
                observer.handle_unreadable(error)
                return
            except StoreAway:
                observer.handle_store_away()
                await asyncio.sleep(self._retry_s)
            else:
                observer.handle_loaded(stored)
                return

    async def _read(self) -> StoredGame:
        """Read the game once, with the record from `taken` the first time."""
        room_code, seat, played = self._seat.room_code, self._seat.number, self._played
        known_record, self._record = self._record, None
        record = known_record or await self._seats.read(room_code, seat)
        replayed = await self._replayed_games.read(room_code, played, seat)
        return StoredGame(record, replayed, stats_in(record, played, seat).restored)
