"""Sockets that a test holds, and the process that serves them over a real store."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from protocol.vocabulary import RoomState
from server.live.hub import Hub
from server.live.local_rooms import LocalRooms
from server.live.repository import Repository
from server.live.shared_text import SharedText
from server.rooms.timings import RoomTimings
from server.sessions.handler import Handler
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.rate_limit import Rate
from server.sessions.seat_holder import SeatHolder
from server.sessions.services import Services
from server.store import Store, StoreAway
from tests.games.wins import winnable
from tests.hooked import Hook, HookedStore
from tests.waiting import until_answer

BOBS_ADDRESS = "198.51.100.7"
FEW = SessionLimits(joins=Rate(3, 1e-6), rooms=Rate(3, 1e-6))
"""Limits of new seats that no test waits for."""


class Stop(Exception):
    """The end of a test, which cancels the tasks of its process."""


@asynccontextmanager
async def process_over(
    store: Store, limits: SessionLimits = SESSION_LIMITS
) -> AsyncIterator[Services]:
    """The services of a process over a store; the first act of its games is a move."""
    try:
        async with asyncio.TaskGroup() as tasks:
            rooms = LocalRooms(store.pubsub.passes_on)
            timings = RoomTimings(countdown_ms=10)
            repository = Repository(store, timings=timings, latest_known=rooms.latest_known)
            hub = Hub(repository, rooms, store.clock, tasks, draw_entropy=winnable)
            yield Services(repository, hub, limits)
            raise Stop
    except* Stop:
        pass


class RecordingSocket:
    """A socket that records the messages that are sent."""

    def __init__(self, services: Services, address: str = "127.0.0.1") -> None:
        self.received: list[dict[str, Any]] = []
        self.close_code: int | None = None
        self.is_open = True
        self.handler = Handler(services, self, address)

    @property
    def holder(self) -> SeatHolder:
        """The holder of the seat that this socket has taken."""
        assert self.handler.session.holder is not None
        return self.handler.session.holder

    def send(self, text: str) -> None:
        self.received.append(json.loads(text))

    def send_passing(self, message: SharedText) -> bool:
        self.send(message.text)
        return True

    def close(self, code: int) -> None:
        self.close_code, self.is_open = code, False

    def is_behind(self) -> bool:
        return False

    def types(self) -> list[str]:
        return [message["type"] for message in self.received]

    async def say(self, kind: str, **fields: Any) -> None:
        waiting = self.handler.receive(json.dumps({"type": kind, **fields}))
        if waiting is not None:
            await waiting

    async def disconnect(self) -> None:
        """Do as a websocket whose connection is lost."""
        self.is_open = False
        await self.handler.handle_disconnect()


@dataclass
class Processes:
    """Two processes over one store."""

    store: HookedStore
    """The store as the first process has it."""
    here: Services
    elsewhere: Services

    async def ask(self, kind: str, *, at: str = "here", **fields: Any) -> RecordingSocket:
        """Send the first message of a new connection from Bob's network."""
        socket = RecordingSocket(getattr(self, at), BOBS_ADDRESS)
        await socket.say(kind, **fields)
        return socket

    async def open(self, **settings: Any) -> tuple[RecordingSocket, str]:
        """Open a room from another network; return its host and its code."""
        host = RecordingSocket(self.here)
        await host.say("create", name="Ada", settings=settings)
        return host, host.received[0]["room"]["code"]

    async def names(self, code: str) -> list[str]:
        room = (await self.here.repository.read(code)).room
        return [seat.name for seat in (*room.seats, *room.waiting)]

    def lose_next_answer(self) -> None:
        """Store the next change of the first process without an answer."""

        async def unanswered(change: Hook, *given: Any) -> None:
            self.store.hooks.clear()
            await change(*given)
            raise StoreAway

        self.store.hooks["change"] = unanswered


async def until_state(services: Services, code: str, state: RoomState) -> None:
    """Wait until the record of a room has this state."""
    await until_answer(
        lambda: services.repository.read(code), lambda latest: latest.room.state is state
    )
