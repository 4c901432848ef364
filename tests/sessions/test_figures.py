"""The figures that a process keeps of its own games are those that the store has."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from server.live.hub import Hub
from server.live.repository import Repository
from server.live.shared_text import SharedText
from server.rooms.timings import RoomTimings
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.store import Store
from tests.games.wins import winnable
from tests.players import live, read_message, with_standings_changes


class Stop(Exception):
    """The test is done."""


@pytest.fixture
async def services(store: Store) -> AsyncIterator[Services]:
    try:
        async with asyncio.TaskGroup() as tasks:
            repository = Repository(store, timings=RoomTimings(countdown_ms=10))
            hub = Hub(
                repository, store.clock, tasks, draw_entropy=winnable
            )  # its first act is a move
            yield Services(repository, hub)
            raise Stop
    except* Stop:
        pass


class Client:
    """A socket with the latest state that its peer would have."""

    def __init__(self, services: Services) -> None:
        self.handler = Handler(services, self, "127.0.0.1")
        self.slow = False
        self.received: list[str] = []
        self.latest: dict[str, Any] = {}
        self.standings: list[dict[str, Any]] = []
        self.used = 0

    def send(self, text: str) -> None:
        message = read_message(text)
        self.received.append(message["type"])
        self.latest[message["type"]] = message
        if message["type"] == "acted":
            table = self.latest["table"]["table"]
            table.update(at=message["at"], legal=message["legal"])
            table["counts"].update(message["counts"])
        if message["type"] == "standings":
            self.standings = message["standings"]
        if message["type"] == "standings_changes":
            assert message["number"] == self.latest["standings"]["number"] + 1
            self.latest["standings"]["number"] += 1
            self.standings = with_standings_changes(self.standings, message)

    def send_passing(self, message: SharedText) -> bool:
        if not self.slow:
            self.send(message.text)
        return not self.slow

    def close(self, code: int, reason: str = "") -> None:
        raise AssertionError(f"closed: {code} {reason}")

    def behind(self) -> bool:
        return self.slow

    async def say(self, kind: str, **fields: Any) -> None:
        answering = self.handler.receive(json.dumps({"type": kind, **fields}))
        if answering is not None:
            await answering

    async def act(self) -> None:
        table = self.latest["table"]["table"]
        self.used += 1
        await self.say("act", id=self.used, at=table["at"], action=table["legal"][0])
        await until(lambda: self.latest.get("acted", {}).get("id") == self.used)

    async def hint(self, hints: int) -> None:
        await self.say("hint")
        await until(lambda: self.latest.get("hinted", {}).get("hints") == hints)


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not so():
            await asyncio.sleep(0.005)


async def race(services: Services, **settings: Any) -> list[Client]:
    """Two players at the tables of a race that has begun."""
    ada, bob = Client(services), Client(services)
    await ada.say("create", name="Ada", settings={"game": "spider-1", **settings})
    await bob.say("join", room=ada.handler.session.code, name="Bob")
    await bob.say("ready")
    await ada.say("ready")
    await until(lambda: "table" in ada.latest and "table" in bob.latest)
    return [ada, bob]


async def compare(services: Services, player: Client) -> None:
    """Compare the figures of a seat with the store's."""
    session = player.handler.session
    assert session.code is not None
    record = await services.store.read_seat(session.code, session.seat)
    assert record is not None
    local = services.hub._rooms[session.code]
    assert local.leaderboard._figures[session.seat] == record.figures(session.seat)


async def test_figures_of_acts_and_hints_are_those_of_the_store(services: Services) -> None:
    ada, bob = await race(services, hints=True)
    await until(lambda: bool(ada.standings))
    for number in range(6):
        await ada.act()
        await compare(services, ada)
        if number % 3 == 0:
            await ada.say("hint")
            await ada.hint(1 + number // 3)
            await compare(services, ada)
    moves = ada.latest["table"]["table"]["counts"]["moves"]
    await until(lambda: {row["seat"]: row["moves"] for row in bob.standings} == {0: moves, 1: 0})
    await until(lambda: {row["seat"]: row["hints"] for row in bob.standings} == {0: 2, 1: 0})
    assert bob.received.count("standings") == 1


async def test_figures_of_the_next_round_begin_anew(services: Services) -> None:
    ada, bob = await race(services, hints=True)
    await ada.act()
    await ada.hint(1)
    await ada.say("forfeit")
    await bob.say("forfeit")
    await until(lambda: "round_over" in ada.latest)
    ada.latest.pop("table")
    await ada.say("rematch")
    await bob.say("rematch")
    await until(lambda: "table" in ada.latest)
    await until(lambda: bool(ada.standings) and ada.standings[0]["state"] == "RACING")
    assert [(row["moves"], row["hints"]) for row in ada.standings] == [(0, 0), (0, 0)]
    await ada.act()
    await compare(services, ada)
    await until(lambda: any(row["seat"] == 0 and row["moves"] for row in bob.standings))


async def test_a_peer_that_is_slow_to_read_gets_the_whole_later(services: Services) -> None:
    ada, bob = await race(services)
    await until(lambda: bool(bob.standings))
    bob.slow = True
    for _ in range(3):
        await ada.act()
    await asyncio.sleep(0.15)
    assert bob.received.count("standings") == 1
    bob.slow = False
    await until(lambda: bob.received.count("standings") == 2)
    await until(lambda: live(bob.standings) == live(ada.standings))
    await ada.act()
    await until(lambda: "standings_changes" in bob.received)


async def test_newcomers_get_the_whole_standings_when_they_are_admitted(
    services: Services,
) -> None:
    ada, _ = await race(services)
    await ada.say("configure", settings={"game": "spider-1", "approve": True})
    eve = Client(services)
    await eve.say("join", room=ada.handler.session.code, name="Eve", role="spectator")
    await ada.act()
    await asyncio.sleep(0.15)
    assert eve.standings == []
    await ada.say("admit", seat=eve.handler.session.seat)
    await until(lambda: bool(eve.standings))
    await ada.act()
    await until(
        lambda: live(eve.standings) == live(ada.standings) and "standings_changes" in eve.received
    )


async def test_standings_that_are_requested_fit_the_changes_and_leave_the_boards(
    services: Services,
) -> None:
    ada, _ = await race(services, spectate="boards", board_delay_s=0)
    don = Client(services)
    await don.say("join", room=ada.handler.session.code, name="Don", role="spectator")
    await don.say("watch", boards=[0])
    await until(lambda: "table" in don.latest)
    for _ in range(3):
        await ada.act()
        await don.say("watch")
        assert don.standings[0]["moves"] == ada.latest["table"]["table"]["counts"]["moves"]
    at = ada.latest["acted"]["at"]
    await until(lambda: don.latest["table"]["table"]["at"] == at)
