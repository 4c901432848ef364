"""Spectators that join, and leave or are removed; over and over, at any server."""

import asyncio
import random
import time
from collections.abc import Callable

from spider_race_client import Client, Observer, RaceError, Refused, SeatLost, Unreachable, connect
from websockets.asyncio.client import ClientConnection

from protocol.to_client import Acted, ServerMessage, TableMessage
from protocol.vocabulary import CloseCode, ErrorCode
from tests.faults.players import LONGEST_WAIT_S
from tests.faults.witness import EXPECTED

STAYS_S = (1.0, 8.0)
AWAY_S = (0.2, 2.0)
OUTAGE_S = 30.0
"""Time that is longer than any fault keeps a spectator from joining."""


class Guest(Observer):
    """A spectator of one room; `stranded` and `oddities` must be empty in a correct run."""

    def __init__(self, room: str, locate: Callable[[], str], rng: random.Random) -> None:
        self.visits = 0
        self.kicks = 0
        self.stranded: list[str] = []
        self.oddities: list[str] = []
        self._room = room
        self._locate = locate
        self._rng = rng
        self._joined_at = 0.0
        self._socket: ClientConnection | None = None

    def connection_opened(self, socket: ClientConnection) -> None:
        self._socket = socket

    def connection_closed(self, code: int) -> None:
        self.kicks += code == CloseCode.KICKED
        # A failover may lose the guest, and somebody else has the seat then.
        if code not in {*EXPECTED, CloseCode.KICKED, CloseCode.BAD_TOKEN}:
            self.oddities.append(f"a guest of {self._room} was closed {code}")

    def message_received(self, message: ServerMessage) -> None:
        if isinstance(message, TableMessage | Acted):
            self.oddities.append(f"a guest of {self._room} was shown {message}")

    async def live(self) -> None:
        """Join and leave, until cancelled."""
        self._joined_at = time.monotonic()
        while True:
            await asyncio.sleep(self._rng.uniform(*AWAY_S))
            try:
                async with connect(
                    self._locate, observer=self, longest_wait_s=LONGEST_WAIT_S
                ) as client:
                    await self._visit(client)
            except (SeatLost, Unreachable):
                pass
            except RaceError as error:
                # The guest was removed, or lost by a failover, before it was seated.
                if not isinstance(error, Refused) or error.code is not ErrorCode.NO_SUCH_SEAT:
                    self.oddities.append(f"a guest of {self._room}: {error!r}")
            if time.monotonic() - self._joined_at > OUTAGE_S:
                self.stranded.append(f"a guest of {self._room} could not get in")
                self._joined_at = time.monotonic()

    async def _visit(self, client: Client) -> None:
        """Watch the room for a while, and then leave the seat or break the connection."""
        race = await client.join(self._room, "Guest", "spectator")
        self.visits += 1
        self._joined_at = time.monotonic()
        try:
            async with asyncio.timeout(self._rng.uniform(*STAYS_S)):
                await race.watch()
                await race.wait_until(lambda race: race.is_over)
        except TimeoutError:
            self._joined_at = time.monotonic()
            if self._rng.random() < 0.5:
                await race.leave()
            elif self._socket is not None:
                self._socket.transport.abort()
