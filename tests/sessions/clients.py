"""Sockets that a test holds, and the processes that serve them over one store in memory."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from protocol.vocabulary import RoomState
from server.live.shared_text import SharedText
from server.rooms.record import Room
from server.rooms.timings import RoomTimings
from server.sessions.handler import Handler
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.rate_limit import Rate
from server.sessions.services import Services
from server.store import StoreAway
from tests.games.wins import winnable
from tests.waiting import until_answer
from tests.world.store import Faults, Hook, MemoryStore
from tests.world.world import Choices, World, opened

BOBS_ADDRESS = "198.51.100.7"
FEW = SessionLimits(joins=Rate(3, 1e-6), rooms=Rate(3, 1e-6))
"""Limits of new seats that no test waits for."""


class RecordingSocket:
    """A socket that records the messages that are sent."""

    def __init__(self, services: Services, address: str = "127.0.0.1") -> None:
        self.received: list[dict[str, Any]] = []
        self.close_code: int | None = None
        self.is_open = True
        self.handler = Handler(services, self, address)

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

    @property
    def refusal(self) -> str | None:
        """The code with which the latest message was refused, if it was."""
        latest = self.received[-1]
        return latest["code"] if latest["type"] == "refused" else None


@dataclass
class Processes:
    """Two processes over one store; the first act of their games is a move."""

    world: World

    @classmethod
    @asynccontextmanager
    async def opened(cls, limits: SessionLimits = SESSION_LIMITS) -> AsyncIterator[Self]:
        rooms = RoomTimings(countdown_ms=10)
        names = ("here", "elsewhere")
        async with opened(chosen=Choices(names, limits, rooms=rooms, draw_entropy=winnable)) as w:
            yield cls(w)

    @property
    def here(self) -> Services:
        return self.world.services

    @property
    def elsewhere(self) -> Services:
        return self.world.processes["elsewhere"].services

    @property
    def faults(self) -> Faults:
        """What goes wrong between the first process and the store."""
        return self.world.faults

    @property
    def store(self) -> MemoryStore:
        return self.world.store

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

    async def room(self, code: str) -> Room:
        return (await self.here.repository.read(code)).room

    async def names(self, code: str) -> list[str]:
        room = await self.room(code)
        return [seat.name for seat in (*room.seats, *room.waiting)]

    def jobs(self) -> list[dict[str, Any]]:
        """Return the jobs of computer players."""
        return [json.loads(body) for body in self.store.jobs.bodies("bot")]

    def lose_next_answer(self) -> None:
        """Store the next change of the first process without an answer."""

        async def unanswered(change: Hook, *given: Any) -> None:
            self.faults.hooks.clear()
            await change(*given)
            raise StoreAway

        self.faults.hooks |= {"rooms.create": unanswered, "rooms.change": unanswered}


async def until_state(services: Services, code: str, state: RoomState) -> None:
    """Wait until the record of a room has this state."""
    await until_answer(
        lambda: services.repository.read(code), lambda latest: latest.room.state is state
    )
