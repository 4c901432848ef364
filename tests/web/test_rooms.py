"""The list of the front page, and questions about numbered deals."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from protocol.http import NumberedDeal
from server.live import public_list
from server.sessions.limits import Rate
from server.thinking.labels import Labeller
from server.web.limits import HttpLimits
from server.web.rooms import NumberedDeals
from tests.rooms.rooms import lobby
from tests.world.pool import InlinePool
from tests.world.stage import Person, Process, Stage, get, staged
from tests.world.store import MemoryStore

HERE, THERE = "203.0.113.5", "198.51.100.9"
ALWAYS_NEW = HttpLimits(listed_s=0.0)


async def listed(process: Process) -> list[str]:
    answer = await get(process.port, "/api/rooms")
    return [room["code"] for room in json.loads(answer.body)["rooms"]]


async def open_room(process: Process, address: str) -> Person:
    """Open a public room, a while after the one before."""
    await asyncio.sleep(0.01)
    settings = {"public": True}
    return await Person.seated(process.port, "create", address, name="Ada", settings=settings)


def write_row_of_another_release(stage: Stage, code: str) -> None:
    changes = stage.store.rooms.changes
    changes[code] = replace(changes[code], row="{}")


@staged
async def test_the_list_says_whether_there_are_computer_players(stage: Stage) -> None:
    process = stage.process(http=ALWAYS_NEW)
    for adopt, expected in ((process.services.adopt_bots, True), (None, False)):
        process.services.adopt_bots = adopt
        listed = json.loads((await get(process.port, "/api/rooms")).body)
        assert listed == {"rooms": [], "computers": expected}


@staged
async def test_the_list_is_made_without_reading_records(stage: Stage) -> None:
    process = stage.process(http=ALWAYS_NEW)
    ada, bob = [await open_room(process, address) for address in (HERE, THERE)]
    await Person.create(process.port, "Cy")  # whose room is not public
    await asyncio.sleep(0.01)
    await Person.join(process.port, ada.code, "Cy")
    await ada.ask("say", text="hello")
    calls = process.store.faults.calls
    before = calls["rooms.read"]
    assert await listed(process) == [ada.code, bob.code]
    rooms = json.loads((await get(process.port, "/api/rooms")).body)["rooms"]
    assert [(room["players"], room["host"]) for room in rooms] == [(2, "Ada"), (1, "Ada")]
    assert calls["rooms.read"] == before
    write_row_of_another_release(stage, bob.code)
    assert await listed(process) == [ada.code, bob.code]
    assert calls["rooms.read"] == before + 1


@staged
async def test_the_front_page_does_not_belong_to_one_address(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"READ_FIRST": 2, "BATCH": 2, "ROWS": 5}.items():
        monkeypatch.setattr(public_list, name, value)
    monkeypatch.setattr("server.views.front_page.SHARE", 2)
    monkeypatch.setattr("server.views.front_page.ROWS", 5)
    process = stage.process(http=ALWAYS_NEW)
    ada = await open_room(process, THERE)
    newest = [(await open_room(process, HERE)).code for _ in range(12)][::-1]
    for _ in range(2):  # then the networks of the rooms are known
        assert await listed(process) == [*newest[:2], ada.code, *newest[2:4]]


@staged
async def test_a_deserted_room_leaves_the_list_and_comes_back_with_its_players(
    stage: Stage,
) -> None:
    process = stage.process(http=ALWAYS_NEW)
    ada = await open_room(process, HERE)
    await ada.leave()
    await asyncio.sleep(60)
    assert await listed(process) == []
    await ada.resume(process.port)
    assert await listed(process) == [ada.code]


@staged
async def test_what_is_read_and_kept_of_rooms_with_unreadable_rows_is_limited(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_list, "BATCH", 2)
    monkeypatch.setattr(public_list, "MOST_REMEMBERED", 1)
    process = stage.process(http=ALWAYS_NEW)
    codes = [(await open_room(process, HERE)).code for _ in range(3)][::-1]
    assert await listed(process) == codes
    networks: Any = vars(vars(process.routes.room_list)["_public"])["_networks"]
    assert len(networks) == 1
    for code in codes:
        write_row_of_another_release(stage, code)
    calls = process.store.faults.calls
    before = calls["rooms.read"]
    assert await listed(process) == codes[:2]
    assert calls["rooms.read"] == before + 2


@staged
async def test_the_list_is_made_once_a_second(stage: Stage) -> None:
    assert await listed(stage.one) == []
    ada = await open_room(stage.one, HERE)
    assert await listed(stage.one) == []
    await asyncio.sleep(1)
    assert await listed(stage.one) == [ada.code]


ADDRESS = "198.51.100.7"


class Asked:
    """Numbered deals of a server whose searches take long."""

    def __init__(self, tasks: asyncio.TaskGroup, **limits: Rate) -> None:
        self.store = MemoryStore()
        self.pool = InlinePool()
        self.pool.work_s = 0.01
        self.pool.works["find_label"] = lambda *_, **__: "unwinnable"
        store = self.store.connect()
        labeller = Labeller(self.pool, store.deal_labels, store.guards, tasks)
        self._deals = NumberedDeals(store.deal_labels, labeller, HttpLimits(**limits))  # type: ignore[arg-type]

    @property
    def searches(self) -> int:
        return self.pool.count("find_label")

    async def shown(
        self, number: int, address: str | None = ADDRESS, **of_room: Any
    ) -> NumberedDeal:
        """Return the chosen deal of a room as an address may see it."""
        room = lobby(deal="numbered", number=number).model_copy(update=of_room)
        file = await self._deals.find(room, address)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert file is not None
        return NumberedDeal.model_validate_json(file.body)


@pytest.fixture
async def asked() -> AsyncIterator[Callable[..., Asked]]:
    async with asyncio.TaskGroup() as tasks:
        yield partial(Asked, tasks)


async def test_an_address_and_all_together_add_few_searches(asked: Callable[..., Asked]) -> None:
    deals = asked(searches_of_address=Rate(2, 0.001), searches=Rate(4, 0.001))
    added = []
    for number, address in enumerate([*[ADDRESS] * 3, "198.51.100.8", None, "198.51.100.9"]):
        before = deals.searches
        await deals.shown(number + 1, address, code=f"room {number}")
        added.append(deals.searches - before)
    assert added == [1, 1, 0, 1, 1, 0]


async def test_a_label_needs_no_search(asked: Callable[..., Asked]) -> None:
    deals = asked(searches=Rate(1, 0.001))
    await deals.shown(24)
    await asyncio.sleep(0.05)
    for _ in range(3):
        found = await deals.shown(24)
        assert (found.label, found.searching) == ("unwinnable", False)
    assert deals.searches == 1


async def test_a_room_asks_for_its_newest_deal_and_is_charged_for_each_once(
    asked: Callable[..., Asked],
) -> None:
    """One room that changed its number forty times had forty deals searched."""
    deals = asked(searches_of_address=Rate(3, 0.001))
    for number in (1, 1, 1, 2, 2):
        assert (await deals.shown(number)).searching
    assert deals.pool.stopped == ["find_label"]
    assert (await deals.shown(3)).searching
    assert not (await deals.shown(4)).searching
