"""The list of the front page, over a real store."""

import json
from typing import Any

import pytest

from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.live import public_list
from server.rooms.events import Tick
from server.store import Store, keys
from tests.hooked import Hook, HookedStore
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import get

ALWAYS_NEW: dict[str, Any] = {
    "http": HttpLimits(listed_s=0.0),
    "trusted_proxies": ("127.0.0.0/8",),
    "open_store": HookedStore.open,
}
HERE, THERE = "203.0.113.5", "198.51.100.9"


async def listed(listener: Listener) -> list[str]:
    """Return the codes of the list."""
    answer = await get(listener.port, "/api/rooms")
    return [room["code"] for room in json.loads(answer.body)["rooms"]]


async def open_room(listener: Listener, address: str, **settings: Any) -> Player:
    host = await Player.connect(listener.port, address=address)
    joined = await host.ask("create", name="Ada", settings={"public": True, **settings})
    host.code, host.token = joined["room"]["code"], joined["token"]
    return host


def count_reads(store: HookedStore) -> list[str]:
    """Return the list of the records that are read from now on."""
    read: list[str] = []

    async def counted(method: Hook, code: str) -> Any:
        read.append(code)
        return await method(code)

    store.hooks["read"] = counted
    return read


async def write_row_of_another_release(store: Store, code: str) -> None:
    key = keys.room(code)
    await store.client.call(key, "HSET", key, "row", "{}")


async def test_the_list_is_made_without_reading_records(serving: Serving) -> None:
    async with serving(**ALWAYS_NEW) as listener:
        ada = await open_room(listener, HERE)
        bob = await open_room(listener, THERE)
        await Player.join(listener.port, ada.code, "Cy")
        await ada.ask("say", text="hello")
        reads = count_reads(listener.services.store)
        assert await listed(listener) == [ada.code, bob.code]
        rooms = json.loads((await get(listener.port, "/api/rooms")).body)["rooms"]
        assert [(room["players"], room["host"]) for room in rooms] == [(2, "Ada"), (1, "Ada")]
        assert reads == []
        await write_row_of_another_release(listener.services.store, bob.code)
        assert await listed(listener) == [ada.code, bob.code]
        assert reads == [bob.code]


async def test_the_front_page_does_not_belong_to_one_address(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_list, "NEWEST", 4)
    monkeypatch.setattr(public_list, "READ_FIRST", 2)
    monkeypatch.setattr(public_list, "BATCH", 2)
    monkeypatch.setattr("server.views.public_rooms.SHARE", 2)
    monkeypatch.setattr("server.views.public_rooms.MOST", 5)
    monkeypatch.setattr(public_list, "MOST", 5)
    async with serving(**ALWAYS_NEW) as listener:
        ada = await open_room(listener, THERE)
        flood = [await open_room(listener, HERE) for _ in range(12)]
        newest = [player.code for player in reversed(flood)]
        for _ in range(2):  # then the networks of the rooms are known
            assert await listed(listener) == [*newest[:2], ada.code, *newest[2:4]]


async def test_a_deserted_room_leaves_the_list_and_comes_back_with_its_players(
    serving: Serving,
) -> None:
    async with serving(**ALWAYS_NEW) as listener:
        store, hub = listener.services.store, listener.services.hub
        ada = await open_room(listener, HERE)
        await ada.leave()
        while await store.lists.public():
            await hub.apply(ada.code, Tick(store.clock.now() + 20_000))
        assert await listed(listener) == []
        back = await Player.connect(listener.port)
        await back.ask("resume", room=ada.code, seat=0, token=ada.token)
        assert await listed(listener) == [ada.code]


async def test_records_of_rooms_with_unreadable_rows_are_read_up_to_a_limit(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_list, "BATCH", 2)
    async with serving(**ALWAYS_NEW) as listener:
        store = listener.services.store
        rooms = [await open_room(listener, HERE) for _ in range(3)]
        for room in rooms:
            await write_row_of_another_release(store, room.code)
        reads = count_reads(store)
        assert await listed(listener) == [rooms[2].code, rooms[1].code]
        assert len(reads) == 2


async def test_no_more_networks_are_kept_than_were_meant(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_list, "KEPT", 1)
    async with serving(**ALWAYS_NEW) as listener:
        rooms = [await open_room(listener, HERE) for _ in range(3)]
        assert await listed(listener) == [room.code for room in reversed(rooms)]
        assert len(vars(vars(listener.routes)["_public"])["_networks"]) == 1
