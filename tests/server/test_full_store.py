"""A whole server over an embedded store that has no memory left, or cannot write to its disk.

The disk is full for the store's process alone: no file of it may grow. No privilege is needed
for that, but Linux.
"""

import asyncio
import os
import resource
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from redis.exceptions import OutOfMemoryError
from structlog.testing import capture_logs

from protocol.settings import Settings
from server.app import Tuning
from server.live.days import day_of, end_ms_of
from server.live.hub import LiveTimings
from server.live.quotas import draw_code
from server.live.repository import change_to
from server.rooms.days import DayDeal
from server.rooms.events import ROOM_TIMINGS
from server.rooms.record import Room, stored_settings
from server.store.embedded import Embedded
from server.web.listener import Listener
from server.web.routes import FULL
from tests.players import Message, Player, running, start_race
from tests.server.conftest import FAST, SOON
from tests.server.http import get, until_status
from tests.servers import AT_ONCE, embedded, opened, refusing_writes
from tests.waiting import until

LIMIT = 8 << 20
DUE = 50
FAILS = "the store cannot write to its disk: it refuses every change"
OVER = "the store writes to its disk again"
QUICK = Tuning(
    rooms=SOON,
    websocket=FAST,
    live=LiveTimings(sweep_s=0.05),
    store=replace(AT_ONCE, health_s=0.02),
)


@asynccontextmanager
async def serving(
    data_dir: Path, **settings: object
) -> AsyncIterator[tuple[Listener, Embedded, redis.Redis]]:
    """Run a server with its own store; yield a second connection to the store too."""
    async with running(QUICK, data_dir=data_dir, **settings) as listener:
        store = embedded(listener.services.store)
        with redis.Redis(unix_socket_path=str(store.data.socket)) as client:
            yield listener, store, client


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


async def nearly_fill(client: redis.Redis, listener: Listener) -> None:
    """Use 93 % of the limit, once the memory that the filling itself took is free again."""
    for number in range(20):
        client.set(f"filler:{number}", "x" * (1 << 18))

    def noticed() -> bool:
        used = client.info("memory")["used_memory"]
        client.config_set("maxmemory", round(used / 0.93))
        return not listener.services.store.open_rooms.has_space("ANY")

    await until(noticed)


async def create(port: int) -> Message:
    eve = await Player.connect(port)
    return await eve.ask("create", name="Eve", settings={})


async def test_a_full_store_removes_every_room_that_is_due(tmp_path: Path) -> None:
    """Regression: closing a room wrote its record, which a full store refuses, so none closed."""
    async with opened(None, tmp_path, memory=LIMIT) as store:
        for _ in range(DUE):
            settings = stored_settings(Settings())
            room = Room(code=draw_code(), settings=settings, host=None, seats=(), numbers_given=0)
            due = room.model_copy(update={"idle_since": 1})
            assert await store.rooms.create(room.code, change_to(due, None, ROOM_TIMINGS))
        with redis.Redis(unix_socket_path=str(embedded(store).data.socket)) as client:
            assert fill(client) > 0
    async with serving(tmp_path, store_memory=LIMIT) as (listener, _, client):
        await until(lambda: not client.keys("*:room"))
        await until(lambda: not client.zcard("deadlines"))
        client.delete(*client.keys("filler:*"))
        await until(lambda: listener.services.store.open_rooms.has_space("ANY"))
        await start_race(listener.port, players=1)


async def test_a_store_that_refuses_writes_for_a_moment_takes_no_seat_away(tmp_path: Path) -> None:
    """All commands get `try_again`, and each that is repeated later is done once."""
    async with serving(tmp_path) as (listener, _, client):
        port, days = listener.port, listener.services.store.days
        day = day_of(listener.services.store.clock.now_ms())
        deal = DayDeal(seed=bytes(16).hex(), salt=bytes(16).hex(), line="").model_dump_json()
        await days.choose(day, "spider-1", deal, end_ms_of(day) + 60_000)
        ada, bob = await start_race(port, hints=True)
        cards = {"cards": f"{day}/spider-1", "browser": "of-Eve"}
        ways_in: dict[str, Message] = {
            "resume": {"room": ada.code, "seat": ada.seat, "token": ada.token},
            "join": {"room": ada.code, "name": "Cy", "attempt": "attempt-of-cy-01"},
            "create": {"name": "Eve", "settings": {}, "attempt": "attempt-of-eve-1"},
            "create today": {"name": "Eve", "attempt": "attempt-of-eve-2", **cards},
        }
        with refusing_writes(client):
            for name, fields in ways_in.items():
                person = await Player.connect(port)
                answer = await person.ask(name.split()[0], **fields)
                assert (answer["type"], answer["code"]) == ("refused", "try_again"), name
            for command in ("forfeit", "hint", "leave"):
                answer = await bob.ask(command)
                assert (answer["type"], answer["code"]) == ("refused", "try_again"), command
            refused = await bob.act(bob.table["legal"][0])
            assert (refused["type"], refused["code"]) == ("refused", "try_again")
            assert not client.keys(f"{{{day}}}:begun:*")
        for name, fields in ways_in.items():
            for _ in range(2):  # as if the first reply was lost
                person = await Player.seated(port, name.split()[0], **fields)
                seats = {"resume": [0, 1], "join": [0, 1, 2]}.get(name, [0])
                assert [each["seat"] for each in person.room["seats"]] == seats
        assert len(client.keys("*:room")) == 3
        bob = await bob.resume(port)
        await bob.race()
        answer = await bob.act(bob.table["legal"][0])
        assert answer["type"] == "acted", answer


async def test_players_in_a_full_store_lose_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, store_memory=LIMIT) as (listener, _, client):
        port = listener.port
        ada, bob = await start_race(port, spectate="boards")
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        client.config_set("maxmemory", 1)
        refused = await ada.act(ada.table["legal"][0])
        assert (refused["type"], refused["code"]) == ("refused", "try_again")
        answer = await get(listener.operations_port, "/readyz")
        assert (answer.status, b"the store is full" in answer.body) == (503, True)
        assert (await create(port))["code"] == "store_full"
        bob = await bob.resume(port)  # and sees the table
        assert (await bob.race())["at"] == 0
        assert (await bob.ask("forfeit"))["type"] == "room"
        client.config_set("maxmemory", LIMIT)
        assert (await ada.act(ada.table["legal"][0]))["at"] == 2
        again = await ada.resume(port)
        assert (await again.race())["at"] == 2
        await again.ask("forfeit")
        await again.in_state("FINISHED")


async def test_above_the_mark_new_rooms_are_refused_and_open_rooms_go_on(tmp_path: Path) -> None:
    async with serving(tmp_path, store_memory=LIMIT) as (listener, _, client):
        port = listener.port
        ada, bob = await start_race(port)
        await nearly_fill(client, listener)
        assert (await create(port))["code"] == "store_full"
        eve = await Player.join(port, ada.code, "Eve", "spectator")
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        again = await ada.resume(port)
        await again.race()
        assert (await again.act(again.table["legal"][0]))["type"] == "acted"
        answer = await get(listener.operations_port, "/readyz")
        assert (answer.status, answer.body) == (200, FULL.encode())
        page = (await get(listener.operations_port, "/metrics")).body.decode()
        assert "spider_race_store_full 1.0" in page.splitlines()
        for kind in ("forfeit", "rematch"):  # a rematch goes on in its room
            for player in (again, bob):
                await player.say(kind)
            await eve.in_state("FINISHED" if kind == "forfeit" else "COUNTDOWN")
        client.delete(*client.keys("filler:*"))
        await until(lambda: listener.services.store.open_rooms.has_space("ANY"))
        assert (await create(port))["type"] == "joined"
        assert (await get(listener.operations_port, "/readyz")).body == b"ready\n"


# The disk


def limit_files(store: Embedded, most: int) -> None:
    """Let no file of the store's process grow beyond this."""
    _, hard = resource.prlimit(store.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(store.pid, resource.RLIMIT_FSIZE, (most, hard))


async def fill_disk(store: Embedded, client: redis.Redis) -> None:
    """Let nothing more be written, once all earlier data is on the disk."""

    def written(fields: dict[str, int]) -> bool:
        return not fields["aof_buffer_length"] and not fields["aof_pending_bio_fsync"]

    await until(lambda: written(client.info("persistence")))
    parts = (store.data.path / "appendonlydir").iterdir()
    limit_files(store, max(part.stat().st_size for part in parts) + 1)


async def act_until(player: Player, kind: str) -> list[Message]:
    """Act until the answer is of this kind; return all answers."""
    answers: list[Message] = []
    while not answers or answers[-1]["type"] != kind:
        undo = "undo" if player.table["at"] % 2 else player.table["legal"][0]
        answers.append(await player.act(undo))
        await asyncio.sleep(0.05)  # as fast as a hand, or the server would close the connection
    return answers


async def test_acts_are_refused_while_the_disk_is_full_and_none_is_lost(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with serving(tmp_path) as (listener, store, client):
            port = listener.port
            (ada,) = await start_race(port, players=1, game="spider-1", undo="any")
            await act_until(ada, "acted")
            await fill_disk(store, client)
            *acknowledged, refused = await act_until(ada, "refused")
            assert refused["code"] == "try_again"
            # Redis sees it with the first write that fails, which it has acknowledged already.
            assert len(acknowledged) <= 2
            await until_status(listener.operations_port, 503)
            await until(lambda: FAILS in {line["event"] for line in logs})
            page = (await get(listener.operations_port, "/metrics")).body.decode()
            assert "spider_race_store_failing 1.0" in page.splitlines()
            assert (await create(port))["code"] == "try_again"
            limit_files(store, resource.RLIM_INFINITY)
            await until_status(listener.operations_port, 200)
            await act_until(ada, "acted")
            again = await ada.resume(port)
            assert (await again.race())["at"] == 1 + len(acknowledged) + 1
            await until(lambda: OVER in {line["event"] for line in logs})
    logged = [line["event"] for line in logs if line["event"] in {FAILS, OVER}]
    assert logged == [FAILS, OVER]


@pytest.mark.parametrize("fsync", ["everysec", "always"])
async def test_acts_lost_by_a_second_fault_are_sent_again(tmp_path: Path, fsync: str) -> None:
    """The disk is full, and then the store dies, with data that it had no space for.

    With `always` it ends itself rather than acknowledge, so nothing is lost.
    """
    async with serving(tmp_path, store_fsync=fsync) as (listener, store, client):
        port = listener.port
        (ada,) = await start_race(port, players=1, game="spider-1", undo="any")
        taken = [ada.table["legal"][0]]
        assert (await ada.act(taken[0]))["type"] == "acted"
        before = store.pid
        await fill_disk(store, client)
        taken.append("undo")
        answer = await ada.act("undo")
        while ada.table["at"] < 2 and answer["type"] == "acted":
            answer = await ada.act("undo")
        at = ada.table["at"]
        if fsync == "everysec":
            os.kill(before, signal.SIGKILL)
        else:
            assert (at, answer["code"]) == (1, "try_again")
        await until(lambda: store.pid not in {0, before})
        await until_status(listener.operations_port, 200)
        again = await ada.resume(port)
        await again.race()
        lost = at - again.table["at"]
        assert lost in ({0, 1, 2} if fsync == "everysec" else {0})
        for action in taken[again.table["at"] : at]:
            given = {"id": again.used + 1, "at": again.table["at"], "action": action}
            again.used += 1
            assert (await again.ask("act", **given, again=True))["type"] == "acted"
        assert again.table["at"] == at
        await again.say("forfeit")
        over = await again.receive("round_over")
        assert over["ranking"][0]["restored"] == lost
