"""Sessions over a real store, with a wire that the test holds."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from protocol.views import Connection
from server.rooms.book import Book
from server.rooms.clock import Clock
from server.rooms.hub import Hub
from server.sessions.services import Services
from server.sessions.session import Session
from server.store import Store


class Ear:
    """A wire that writes down what is said."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.code: int | None = None

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def close(self, code: int, reason: str = "") -> None:
        assert not reason
        self.code = code

    def behind(self) -> bool:
        return False

    def types(self) -> list[str]:
        return [message["type"] for message in self.heard]


class Stop(Exception):
    """The test is done."""


@pytest.fixture
async def services(store: Store) -> AsyncIterator[Services]:
    try:
        async with asyncio.TaskGroup() as tasks:
            book, clock = Book(store), Clock(store)
            yield Services(book, Hub(book, clock, tasks))
            raise Stop
    except* Stop:
        pass


async def say(session: Session, kind: str, **fields: Any) -> None:
    answering = session.hear(json.dumps({"type": kind, **fields}))
    if answering is not None:
        await answering


async def host(services: Services) -> tuple[Session, Ear, dict[str, Any]]:
    """Somebody in a room of their own, and what takes the seat again."""
    ear = Ear()
    session = Session(services, ear, "127.0.0.1")
    await say(session, "create", name="Ada")
    joined = ear.heard[0]
    return session, ear, {"room": session.code, "seat": 0, "token": joined["token"]}


async def test_a_socket_that_breaks_while_it_takes_its_seat_leaves_it(services: Services) -> None:
    """The seat stayed "on" for ever, and the hub went on telling a socket that was no more."""
    first, _, seat = await host(services)
    await first.gone()
    second = Session(services, Ear(), "127.0.0.1")
    resuming = asyncio.create_task(say(second, "resume", **seat))
    await asyncio.sleep(0)
    await second.gone()
    await resuming
    page = await services.book.read(seat["room"])
    assert page.room.seats[0].generation == 2
    assert page.room.seats[0].connection is Connection.GRACE
    assert services.hub.page(seat["room"]) is None  # nobody here sits in that room
