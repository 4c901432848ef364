"""The events of a race, in the order in which they happened."""

import asyncio
from collections import deque
from dataclasses import dataclass

from protocol.to_client import RoundOver, Said
from protocol.views import MatchView, RoomView, Standing
from protocol.vocabulary import CloseCode
from spider_race_client.table import Table

MAX_UNREAD = 1_000
"""Events that wait for the program, at most."""


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The room has changed: seats, settings, state."""

    room: RoomView


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The program's own table has changed: a deal, an act, or a table that was lost and found."""

    table: Table


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """The table of another player, which the program watches, has changed."""

    table: Table


@dataclass(frozen=True, slots=True)
class StandingsChanged:
    """The leaderboard has changed; its rows are in order, best first."""

    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The score cards of the match have come, which large rooms do not contain."""

    match: MatchView | None


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection was lost, and is opened again; the code is 1006 if the server sent none."""

    code: CloseCode | int


@dataclass(frozen=True, slots=True)
class ConnectionRestored:
    """The seat is taken again."""


Event = (
    RoomChanged
    | TableChanged
    | BoardChanged
    | StandingsChanged
    | MatchChanged
    | RoundOver
    | Said
    | ConnectionLost
    | ConnectionRestored
)
_DROPPED_FIRST: dict[type, int] = {StandingsChanged: 0, BoardChanged: 1, RoomChanged: 1}


class Events:
    """The events of a race that its program has not read yet.

    If there are too many, the oldest standings are dropped first, then the oldest boards and
    rooms, since later ones replace them, and all others last.
    """

    def __init__(self) -> None:
        self._unread: deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._is_over = False

    def put(self, event: Event) -> None:
        """Add an event; drop another one if there are too many."""
        if len(self._unread) >= MAX_UNREAD:
            ranks = [_DROPPED_FIRST.get(type(each), 2) for each in self._unread]
            del self._unread[ranks.index(min(ranks))]
        self._unread.append(event)
        self._arrived.set()

    def end(self) -> None:
        """Let readers end once they have read all that has happened."""
        self._is_over = True
        self._arrived.set()

    async def get(self) -> Event | None:
        """Wait for the next event; None when the race is over. Cancelling loses no event."""
        while not self._unread and not self._is_over:
            self._arrived.clear()
            await self._arrived.wait()
        return self._unread.popleft() if self._unread else None
