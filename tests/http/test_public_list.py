"""The list of the front page."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from server.live import public_list
from server.web.limits import HttpLimits
from tests.world.stage import Person, Process, Stage, get, staged

HERE, THERE = "203.0.113.5", "198.51.100.9"
ALWAYS_NEW = HttpLimits(listed_s=0.0)


async def listed(process: Process) -> list[str]:
    """Return the codes of the list."""
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
    for name, value in {"NEWEST": 4, "READ_FIRST": 2, "BATCH": 2, "MOST": 5}.items():
        monkeypatch.setattr(public_list, name, value)
    monkeypatch.setattr("server.views.public_rooms.SHARE", 2)
    monkeypatch.setattr("server.views.public_rooms.MOST", 5)
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
    monkeypatch.setattr(public_list, "KEPT", 1)
    process = stage.process(http=ALWAYS_NEW)
    codes = [(await open_room(process, HERE)).code for _ in range(3)][::-1]
    assert await listed(process) == codes
    networks: Any = vars(vars(process.routes)["_public"])["_networks"]
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
