"""Spectators that join, and leave or are removed; over and over, at any server."""

import asyncio
import json
import random
import time
from collections.abc import Callable

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.faults.players import EXPECTED, LOST, PATIENCE_S
from tests.faults.wire_before import BOTH

KICKED = 4505
STAYS_S = (1.0, 8.0)
AWAY_S = (0.2, 2.0)
OUTAGE_S = 30.0
"""Time that is longer than any fault keeps a spectator from joining."""


class Guest:
    """A spectator of one room; `stranded` and `oddities` must be empty in a correct run."""

    def __init__(self, room: str, ports: Callable[[], list[int]], rng: random.Random) -> None:
        self.visits = 0
        self.kicks = 0
        self.stranded: list[str] = []
        self.oddities: list[str] = []
        self._room = room
        self._ports = ports
        self._rng = rng

    async def live(self) -> None:
        """Join and leave, until cancelled."""
        joined = time.monotonic()
        while True:
            await asyncio.sleep(self._rng.uniform(*AWAY_S))
            ports = self._ports()
            if not ports:
                continue
            try:
                if await self._visit(self._rng.choice(ports)):
                    joined = time.monotonic()
            except LOST:
                pass
            if time.monotonic() - joined > OUTAGE_S:
                self.stranded.append(f"a guest of {self._room} could not get in")
                joined = time.monotonic()

    async def _visit(self, port: int) -> bool:
        """Open one socket; return whether it got a seat."""
        async with connect(
            f"ws://127.0.0.1:{port}/ws",
            subprotocols=BOTH,
            compression=None,
            ping_interval=None,
            open_timeout=5,
            close_timeout=1,
            proxy=None,
        ) as socket:
            join = {"type": "join", "room": self._room, "name": "Guest", "role": "spectator"}
            await socket.send(json.dumps(join))
            async with asyncio.timeout(PATIENCE_S):
                first = json.loads(await socket.recv())
            if first["type"] != "joined":
                # The guest was removed, or lost by a failover, before it was seated.
                if first["code"] not in {"try_again", "no_such_seat"}:
                    self.oddities.append(f"a guest of {self._room}: {first}")
                return False
            self.visits += 1
            try:
                await self._look_on(socket)
            except ConnectionClosed as closed:
                code = 1006 if closed.rcvd is None else closed.rcvd.code
                self.kicks += code == KICKED
                if code not in {*EXPECTED, KICKED}:
                    self.oddities.append(f"a guest of {self._room} was closed {code}")
            return True

    async def _look_on(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "watch"}))
        leaves = time.monotonic() + self._rng.uniform(*STAYS_S)
        try:
            while True:
                async with asyncio.timeout(leaves - time.monotonic()):
                    message = json.loads(await socket.recv())
                if message["type"] in {"table", "acted"}:
                    self.oddities.append(f"a guest of {self._room} was shown {message}")
        except TimeoutError:
            if self._rng.random() < 0.5:
                await socket.send(json.dumps({"type": "leave"}))
            else:
                socket.transport.abort()
