"""The reading of a seat's game from the store: again and again, until the store answers."""

import asyncio
from typing import NamedTuple, Protocol

from server.live.stats import stats_in
from server.sessions.positions import Position, Positions
from server.sessions.seat_context import SeatContext
from server.store import SeatRecord, Store, StoreAway, Unreadable


class StoredGame(NamedTuple):
    """A seat's game as the store has it."""

    record: SeatRecord | None
    """The record of the seat; None if a failover has lost it."""
    position: Position
    restored: int
    """Acts that the store had lost and the client has sent again."""


class LoadObserver(Protocol):
    """The recipient of a game that is read: the table of the seat."""

    def handle_loaded(self, stored: StoredGame) -> None:
        """Handle that the game is read."""

    def handle_store_away(self) -> None:
        """Handle that the store does not answer; the game will be read again."""

    def handle_unreadable(self, error: Unreadable) -> None:
        """Handle that this release cannot play what the store has."""


class Loader:
    """Reads the game of one seat in one round, by replaying its log."""

    __slots__ = ("_context", "_positions", "_record", "_retry_s", "_store")

    def __init__(
        self, store: Store, context: SeatContext, positions: Positions, retry_s: float
    ) -> None:
        self._store = store
        self._context = context
        self._positions = positions
        self._retry_s = retry_s  # while the store is away
        self._record: SeatRecord | None = None

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
        code, seat, played = self._context.code, self._context.seat, self._context.played
        record, self._record = self._record, None
        record = record or await self._store.read_seat(code, seat)
        position = await self._positions.read(code, played, seat)
        return StoredGame(record, position, stats_in(record, played, seat).restored)
