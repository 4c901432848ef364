"""The events of a race, in the order in which they happened.

A program that does not read has at most `MAX_UNREAD` events waiting. Beyond that the oldest
standings are dropped first, then the oldest boards and rooms, since later ones replace them. All
other events are dropped last. Replies to commands are no events and are never dropped.
"""

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
    """The leaderboard has changed."""

    standings: tuple[Standing, ...]
    """The rows, best first."""


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The score cards of the match have come, which large rooms do not contain."""

    match: MatchView | None


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection was lost; the client connects again."""

    code: CloseCode | int
    """The close code; 1006 if there was none."""


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

_RANKS: dict[type, int] = {StandingsChanged: 0, BoardChanged: 1, RoomChanged: 1}
"""The ranks in which events are dropped; those of the others come last."""
_LAST_RANK = 2


class Events:
    """The events of a race that its program has not read yet."""

    def __init__(self) -> None:
        self.dropped = 0
        """Events that were dropped because the program did not read."""
        self._unread: tuple[deque[tuple[int, Event]], ...] = (deque(), deque(), deque())  # by rank
        self._number = 0  # of the next event
        self._arrived = asyncio.Event()
        self._is_over = False

    def put(self, event: Event) -> None:
        """Add an event; drop another one if there are too many."""
        if sum(map(len, self._unread)) >= MAX_UNREAD:
            self.dropped += 1
            next(filter(None, self._unread)).popleft()
        self._unread[_RANKS.get(type(event), _LAST_RANK)].append((self._number, event))
        self._number += 1
        self._arrived.set()

    def end(self) -> None:
        """Let readers end once they have read all that has happened."""
        self._is_over = True
        self._arrived.set()

    async def get(self) -> Event | None:
        """Wait for the next event; None when the race is over. Cancelling loses no event."""
        while not any(self._unread):
            if self._is_over:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        _, event = min(filter(None, self._unread), key=lambda queue: queue[0][0]).popleft()
        return event
