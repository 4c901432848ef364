"""A whole server over an embedded store that has reached its limit of memory."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import redis
from redis.exceptions import OutOfMemoryError

from protocol.settings import Settings
from server.app import Tuning
from server.live.random_values import draw_code
from server.live.room_changes import change_to
from server.live.timings import LiveTimings
from server.rooms.record import Room
from server.rooms.timings import ROOM_TIMINGS
from server.store import StoreParts
from tests.players import Player, running, start_race
from tests.server.conftest import SOON
from tests.server.http import get
from tests.servers import AT_ONCE, opened
from tests.waiting import until

LIMIT = 8 << 20
DUE = 300


QUICK = Tuning(rooms=SOON, live=LiveTimings(sweep_s=0.05), store=replace(AT_ONCE, health_s=0.02))


@contextmanager
def operator(data_dir: Path) -> Iterator[redis.Redis]:
    """The embedded store, from the side."""
    where = (data_dir / "valkey.where").read_text()
    with redis.Redis(unix_socket_path=where) as client:
        yield client


def fill(client: redis.Redis) -> int:
    """Write until nothing more is taken; return how many keys that needed."""
    number = 0
    for size in (1 << 18, 1 << 12, 1 << 6):
        try:
            while client.set(f"filler:{number}", "x" * size):
                number += 1
        except OutOfMemoryError:
            continue
    return number


async def nearly_fill(client: redis.Redis, store: StoreParts) -> None:
    """Use 93 % of the limit, as soon as what the filling itself took is free again."""
    for number in range(20):
        client.set(f"filler:{number}", "x" * (1 << 18))

    def noticed() -> bool:
        used = client.info("memory")["used_memory"]
        client.config_set("maxmemory", round(used / 0.93))
        return not store.open_rooms.has_space("ANY")

    await until(noticed)


async def test_a_full_store_removes_every_room_that_is_due(tmp_path: Path) -> None:
    """Closing a room wrote its record first, which a full store refuses: none was ever removed."""
    async with opened(None, tmp_path, memory=LIMIT) as store:
        for _ in range(DUE):
            room = Room(
                code=draw_code(), settings=Settings(), host=None, seats=(), numbers_given=0
            )
            due = room.model_copy(update={"idle_since": 1})
            assert await store.rooms.create(room.code, change_to(due, None, ROOM_TIMINGS))
        with operator(tmp_path) as client:
            assert fill(client) > 0
    async with running(QUICK, data_dir=tmp_path, store_memory=LIMIT) as listener:
        with operator(tmp_path) as client:
            await until(lambda: not client.keys("*:room"))
            await until(lambda: not client.zcard("deadlines"))
            client.delete(*client.keys("filler:*"))
        await until(lambda: listener.services.store.open_rooms.has_space("ANY"))
        (ada,) = await start_race(listener.port, players=1)
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"


async def test_players_in_a_full_store_lose_nothing(tmp_path: Path) -> None:
    async with running(QUICK, data_dir=tmp_path, store_memory=LIMIT) as listener:
        port = listener.port
        ada, bob = await start_race(port, spectate="boards")
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        with operator(tmp_path) as client:
            client.config_set("maxmemory", 1)
            refused = await ada.act(ada.table["legal"][0])
            assert (refused["type"], refused["code"]) == ("refused", "try_again")
            assert (await get(listener.operations_port, "/readyz")).status == 503
            eve = await Player.connect(port)
            no_room = await eve.ask("create", name="Eve", settings={})
            assert (no_room["type"], no_room["code"]) == ("refused", "store_full")
            await bob.leave()
            bob = await bob.resume(port)  # and sees the table
            assert (await bob.race())["at"] == 0
            assert (await bob.ask("forfeit"))["type"] == "room"
            client.config_set("maxmemory", LIMIT)
        assert (await ada.act(ada.table["legal"][0]))["at"] == 2
        again = await ada.resume(port)
        assert (await again.race())["at"] == 2
        assert (await again.ask("forfeit"))["type"] == "room"
        await again.in_state("FINISHED")


async def test_above_the_mark_new_rooms_are_refused_and_open_rooms_go_on(tmp_path: Path) -> None:
    async with running(QUICK, data_dir=tmp_path, store_memory=LIMIT) as listener:
        port = listener.port
        ada, _ = await start_race(port)
        with operator(tmp_path) as client:
            await nearly_fill(client, listener.services.store)
        eve = await Player.connect(port)
        answer = await eve.ask("create", name="Eve", settings={})
        assert (answer["type"], answer["code"]) == ("refused", "store_full")
        assert (await eve.ask("join", room=ada.code, name="Eve"))["type"] == "joined"
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        again = await ada.resume(port)
        await again.race()
        assert (await again.act(again.table["legal"][0]))["type"] == "acted"
        assert (await get(listener.operations_port, "/readyz")).status == 200
        page = (await get(listener.operations_port, "/metrics")).body.decode()
        assert "spider_race_store_full 1.0" in page.splitlines()
        with operator(tmp_path) as client:
            client.delete(*client.keys("filler:*"))
        await until(lambda: listener.services.store.open_rooms.has_space("ANY"))
        await eve.leave()
        await Player.create(port, "Eve")


async def test_above_the_mark_a_rematch_goes_on_in_its_room(tmp_path: Path) -> None:
    async with running(QUICK, data_dir=tmp_path, store_memory=LIMIT) as listener:
        ada, bob = await start_race(listener.port)
        for player in (ada, bob):
            await player.say("forfeit")
        await ada.in_state("FINISHED")
        with operator(tmp_path) as client:
            await nearly_fill(client, listener.services.store)
        for player in (ada, bob):
            await player.say("rematch")
        await ada.in_state("COUNTDOWN")
