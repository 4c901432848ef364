"""Two processes over one store in memory, and sockets for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Self

from protocol.vocabulary import RoomState
from server.rooms.events import RoomTimings
from server.rooms.record import Room
from server.sessions.limits import SESSION_LIMITS, Rate, SessionLimits
from tests.games.wins import winnable
from tests.waiting import until_answer
from tests.world.world import Choices, Person, World, opened

ADAS_ADDRESS, BOBS_ADDRESS = "127.0.0.1", "198.51.100.7"
FEW = SessionLimits(joins=Rate(3, 1e-6), rooms=Rate(3, 1e-6))
"""Limits of new seats that are not refilled during a test."""
HERE, ELSEWHERE = "here", "elsewhere"


class Hand:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Site:
    """Two processes over one store; the first act of each game is a move."""

    world: World

    @classmethod
    @asynccontextmanager
    async def opened(cls, limits: SessionLimits = SESSION_LIMITS) -> AsyncIterator[Self]:
        rooms = RoomTimings(countdown_ms=10)
        names = (HERE, ELSEWHERE)
        async with opened(chosen=Choices(names, limits, rooms=rooms, draw_entropy=winnable)) as w:
            yield cls(w)

    def __post_init__(self) -> None:
        self.here, self.faults = self.world.services, self.world.faults  # of the first process
        self.store = self.world.store

    def socket(self, at: str = HERE, address: str = ADAS_ADDRESS) -> Person:
        return self.world.sit(f"socket {len(self.world.people)}", at, address)

    async def ask(self, kind: str, *, at: str = HERE, **fields: Any) -> Person:
        """Send the first message of a new connection from Bob's network."""
        socket = self.socket(at, BOBS_ADDRESS)
        await socket.say(kind, **fields)
        return socket

    async def host(self, **settings: Any) -> tuple[Person, dict[str, Any]]:
        """Open a room; return its host's socket and the fields that resume the seat."""
        host = self.socket()
        await host.say("create", name="Ada", settings=settings)
        return host, {"room": host.room, "seat": 0, "token": host.token}

    async def open(self, **settings: Any) -> tuple[Person, str]:
        """Open a room; return its host and its code."""
        host, seat = await self.host(**settings)
        return host, seat["room"]

    async def room(self, code: str) -> Room:
        return (await self.here.repository.read(code)).room

    async def names(self, code: str) -> list[str]:
        room = await self.room(code)
        return [seat.name for seat in (*room.seats, *room.waiting)]

    async def until_state(self, code: str, state: RoomState) -> None:
        await until_answer(lambda: self.room(code), lambda room: room.state is state)

    def lose_next_answer(self) -> None:
        """Store the next change of the first process, but lose the result."""
        self.faults.lose_answer("rooms.create", "rooms.change")
