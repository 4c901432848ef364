"""Backups of stores in use, restored elsewhere and in place."""

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule
from websockets.exceptions import ConnectionClosed

from server.app import Tuning
from server.backup.backup_file import read
from server.backup.commands import back_up, put_back
from server.backup.saved_rooms import RoomsExist
from server.config import BackupOptions, RestoreOptions, StoreOptions
from server.rooms.timings import RoomTimings
from server.store import RoomCopy, Store, StoredRoom, StoreUnusable
from server.store.keys import UNPREFIXED
from tests.players import Player, running, start_race
from tests.present import present
from tests.server.http import get
from tests.servers import AT_ONCE, Cluster, RedisServer, find_redis, opened, start_embedded
from tests.store.machines import StoreMachine, walk
from tests.store.rooms_and_acts import CODE, act, ask_every_master, change, committed
from tests.store.rooms_and_acts import start_race as start_stored_race

HOUR_MS = 3_600_000
TUNING = Tuning(rooms=RoomTimings(countdown_ms=100), store=AT_ONCE)


@pytest.fixture(params=["a data directory", "redis", "cluster"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """Yield the options of another store, which is empty."""
    if request.param == "cluster":
        cluster: Cluster = request.getfixturevalue("cluster")
        for node in cluster.nodes[:3]:
            node.ask("FLUSHALL")
        yield {"redis_url": cluster.url}
    elif request.param == "a data directory":
        yield {"data_dir": tmp_path / "target"}
    elif (binary := find_redis()) is None:
        pytest.skip("no redis-server on the PATH")
    else:
        with RedisServer(binary, _folder(tmp_path / "server")) as server:
            yield {"redis_url": server.url}


@asynccontextmanager
async def attached(options: dict[str, Any]) -> AsyncIterator[Store]:
    found = StoreOptions(**{"data_dir": Path("/nowhere"), **options})
    store = await Store.attach(found, AT_ONCE, create=True)
    try:
        yield store
    finally:
        await store.close()


async def saved(path: Path, **options: Any) -> list[RoomCopy]:
    await back_up(BackupOptions(file=path, **options))
    return list(read(path))


async def restored(path: Path, **options: Any) -> str:
    return await put_back(RestoreOptions(file=path, **options))


READS = {
    b"hash": ("HGETALL",),
    b"list": ("LRANGE", 0, -1),
    b"zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    b"set": ("SMEMBERS",),
    b"stream": ("XRANGE", "-", "+"),
}


async def contents(store: Store) -> dict[str, Any]:
    """Return all keys of a store that are no probes, and their values."""
    found: dict[str, Any] = {}
    for name in [name for reply in await ask_every_master(store, "KEYS", "*") for name in reply]:
        key = name.decode()
        kind = await store.client.call(key, "TYPE", key)
        if kind in READS:
            word, *rest = READS[kind]
            found[key] = await store.client.call(key, word, key, *rest)
            if kind == b"hash":
                found[key] = dict(zip(found[key][::2], found[key][1::2], strict=True))
    return found


async def act_for_ever(player: Player) -> None:
    """Send acts until the socket is closed."""
    with suppress(ConnectionClosed):
        while True:
            legal = player.table["legal"]
            await player.act(legal[player.used % len(legal)])
            await asyncio.sleep(0.02)


@pytest.mark.faults
async def test_races_that_were_saved_in_play_go_on_elsewhere(
    embedded_url: str, store: Store, tmp_path: Path, target: dict[str, Any]
) -> None:
    """Every player resumes with the old token, and has a game that the store once had."""
    path = tmp_path / "backup"
    async with running(TUNING, redis_url=embedded_url, data_dir=tmp_path) as listener:
        races = [await start_race(listener.port, 3, undo="any") for _ in range(3)]
        players = [player for race in races for player in race]
        acting = [asyncio.create_task(act_for_ever(player)) for player in players]
        await asyncio.sleep(0)
        while min(player.used for player in players) < 3:
            await asyncio.sleep(0.01)
        copies = await saved(path, redis_url=embedded_url)
        for task in acting:
            task.cancel()
        await asyncio.wait(acting)
    logs = {player.token: await store.logs.read(player.code, 1, player.seat) for player in players}
    assert {copy.code for copy in copies} == {race[0].code for race in races}
    assert "3 rooms restored" in await restored(path, **target)
    async with running(TUNING, **({"data_dir": tmp_path} | target)) as listener:
        back = [await player.resume(listener.port) for player in players]
        for player in back:
            await player.race()
            assert player.room["state"] == "RUNNING"
            assert 3 <= player.table["at"] <= len(logs[player.token])
            assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    async with attached(target) as other:
        for player in back:
            log = await other.logs.read(player.code, 1, player.seat)
            assert log[:-1] == logs[player.token][: len(log) - 1]
            (seat,) = await other.seats.read_all(player.code, [player.seat])
            assert seat is not None
            assert seat.last_id >= len(log)


async def test_a_copy_has_exactly_what_lasts(
    store: Store, tmp_path: Path, target: dict[str, Any], embedded_url: str
) -> None:
    now = store.clock.now()
    await start_stored_race(store, left=HOUR_MS)
    await committed(
        store, *(act(id=i + 1, at=i, action=65_535 - i, is_over=i == 1) for i in range(2))
    )
    await store.rooms.append(CODE, '{"text":"Grüße \\u0000"}')
    assert await store.reviews.keep(CODE, 1, now, 7, "a review")
    await store.processes.beat("east", now, [CODE])
    await store.guesses.take({"here": 1}, 1, 0.001)
    await store.client.call("x", "SET", "x", "of another program")
    strange = UNPREFIXED.seat("STRANGE", 7)
    await store.rooms.create("STRANGE", change(doc="no JSON", public=True, deadline=now + HOUR_MS))
    await store.client.call(strange, "HSET", strange, b"\xff", b"\x00\xfe")
    log = UNPREFIXED.log("STRANGE", 2, 7)
    await store.client.call(log, "RPUSH", log, "of", "another", "release")
    before = await contents(store)
    copies = await saved(tmp_path / "backup", redis_url=embedded_url)
    assert sorted(copy.code for copy in copies) == sorted([CODE, "STRANGE"])
    await restored(tmp_path / "backup", **target)
    async with attached(target) as other:
        after = await contents(other)
    for name in ("processes", "process:east", "guesses:here"):
        before.pop(name)
    for found in (before, after):
        found.pop("clock", None)
    assert after.pop("opened")[::2]  # counted, which `store.rooms.create` alone does not
    assert before.keys() == after.keys()
    for values in (before, after):
        for name, value in values.items():
            if ":seat:" in name:
                value.pop(b"gen", None)
    assert after == before


@pytest.mark.usefixtures("store")  # it empties the server
async def test_the_time_between_backup_and_restore_does_not_count(
    embedded_url: str, tmp_path: Path
) -> None:
    """Also if the clock of the other store was set to another time."""
    path = tmp_path / "backup"
    async with running(TUNING, redis_url=embedded_url, data_dir=tmp_path) as listener:
        ada, _ = await start_race(listener.port, 2, undo="any", time_limit_s=600)
        await ada.act(ada.table["legal"][0])
        before = ada.room["round"]
    (copy,) = await saved(path, redis_url=embedded_url)
    for hours in (-30, 30):
        with start_embedded(_folder(tmp_path / str(hours))) as server:
            async with opened(server.url, tmp_path) as other:
                clock = UNPREFIXED.clock
                await other.client.call(clock, "DEL", clock)
                await other.client.call(clock, "HSET", clock, "shift", hours * HOUR_MS)
            async with running(TUNING, redis_url=server.url, data_dir=tmp_path) as listener:
                # Servers of the other store serve a restored room at once.
                eve = await Player.create(listener.port, "Eve")
                await restored(path, redis_url=server.url)
                back = await ada.resume(listener.port)
                await back.race()
                assert back.room["state"] == "RUNNING"
                after = back.room["round"]
                moved = after["t0"] - before["t0"]
                assert abs(moved - hours * HOUR_MS) < HOUR_MS
                assert after["t_end"] - before["t_end"] == moved
                assert back.table["at"] == 1
                assert (await back.act(back.table["legal"][0]))["type"] == "acted"
                assert (await eve.ask("say", text="Hi"))["type"] == "said"
    assert copy.record[b"state"] == b"RUNNING"


async def test_nothing_of_the_time_before_a_restore_in_place_is_left(
    embedded_url: str, store: Store, tmp_path: Path
) -> None:
    """Neither older connections, which could write, nor the files of a round.

    Regression: a process served the seed and the games of the round before the restore.
    """
    path, options = tmp_path / "backup", {"redis_url": embedded_url}
    async with running(TUNING, **options, data_dir=tmp_path) as listener:
        ada = await Player.create(listener.port, "Ada", undo="any")
        await saved(path, **options)
        before = await played_round(ada, listener.port)
        await restored(path, **options, existing="replace")
        assert await ada.closed() == 4003  # as after a failover: the page comes back at once
        ada = await ada.resume(listener.port)
        await ada.say("start")
        await ada.race()
        await ada.act(ada.table["legal"][0])
        await saved(path, **options)
        await ada.act(ada.table["legal"][0])
        await restored(path, **options, existing="replace")
        with suppress(ConnectionClosed):
            assert (await ada.act(ada.table["legal"][0]))["type"] != "acted"
        assert await ada.closed() == 4003
        assert len(await store.logs.read(ada.code, 1, 0)) == 1
        ada = await ada.resume(listener.port)
        await ada.race()
        assert ada.table["at"] == 1
        after = await played_round(ada, listener.port)
    for old, new in zip(before[:-1], after[:-1], strict=True):
        assert old != new


async def played_round(player: Player, port: int) -> list[bytes]:
    """Play the first round of a room to its end, and return its files; the picture comes last."""
    if player.room["state"] == "LOBBY":
        await player.say("start")
        await player.race()
    assert (await player.act(player.table["legal"][0]))["type"] == "acted"
    await player.ask("forfeit")
    reveal = (await player.receive("round_over"))["reveal"]
    round_ = f"/api/rooms/{player.code}/rounds/1"
    ways = ("", ".txt", "/course", "/seats/0", "/picture.svg")
    files = [(await get(port, f"{round_}{way}")).body for way in ways]
    assert json.loads(files[0])["reveal"]["seed"] == reveal["seed"]
    return files


class Restores(StoreMachine):
    """Rooms that come, change and go, and backups of them that are restored in place."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__(url, folder)
        self.options = {"redis_url": url}
        self.path = folder / "backup"
        self.rooms: dict[str, StoredRoom] = {}
        self.saved: dict[str, StoredRoom] = {}
        self.save()

    @rule(code=st.sampled_from(["ONE", "TWO"]), doc=st.sampled_from(["a", "b", "c"]))
    def change(self, code: str, doc: str) -> None:
        v = self.rooms[code].v if code in self.rooms else 0
        assert self.run(self.store.rooms.change(code, v, change(doc=doc))) == v + 1
        self.rooms[code] = StoredRoom(v + 1, doc)

    @rule(code=st.sampled_from(["ONE", "TWO"]))
    def delete(self, code: str) -> None:
        assert self.run(self.store.rooms.delete(code, 0, 0)) is True
        self.rooms.pop(code, None)

    @rule()
    def save(self) -> None:
        copies = self.run(saved(self.path, **self.options))
        assert {copy.code: copy.doc for copy in copies} == {
            code: room.doc for code, room in self.rooms.items()
        }
        self.saved = dict(self.rooms)

    @rule(existing=st.sampled_from(["refuse", "keep", "replace"]))
    def restore(self, existing: str) -> None:
        there = sorted(self.saved.keys() & self.rooms.keys())
        restoring = restored(self.path, **self.options, existing=existing)
        if there and existing == "refuse":
            sentence = f"{len(there)} of the {len(self.saved)} rooms .* {there[0]}.*; choose"
            with pytest.raises(RoomsExist, match=sentence):
                self.run(restoring)
            return
        stayed = len(there) if existing == "keep" else 0
        said = self.run(restoring)
        assert said.startswith(f"{len(self.saved) - stayed} room")
        assert ("stayed as they were" in said) is (stayed > 0)
        self.rooms = self.rooms | self.saved if existing == "replace" else self.saved | self.rooms

    @invariant()
    def rooms_are_as_in_the_model(self) -> None:
        for code in ("ONE", "TWO"):
            assert self.run(self.store.rooms.read(code)) == self.rooms.get(code)


def test_rooms_that_are_there_are_kept_or_replaced_only_on_request(
    embedded_url: str, tmp_path: Path
) -> None:
    walk(Restores, embedded_url, tmp_path, steps=12, share=0.06)


async def test_a_restore_that_has_no_memory_writes_no_part_of_a_room(tmp_path: Path) -> None:
    with start_embedded(_folder(tmp_path / "small")) as server:
        async with opened(server.url, tmp_path) as small:
            await small.rooms.create(CODE, change(doc="x" * 2_000_000))
            await saved(tmp_path / "backup", redis_url=server.url)
            await ask_every_master(small, "FLUSHALL")
            await ask_every_master(small, "CONFIG", "SET", "maxmemory", "3mb")
            with pytest.raises(StoreUnusable, match="no memory for all rooms"):
                await restored(tmp_path / "backup", redis_url=server.url)
            assert await small.rooms.read(CODE) is None


async def test_a_store_that_nobody_owns_is_started_for_the_time_of_a_backup(
    tmp_path: Path,
) -> None:
    data, new = tmp_path / "data", tmp_path / "new"
    async with opened(None, data) as store:
        await store.rooms.create(CODE, change(doc="kept"))
        (copy,) = await saved(tmp_path / "running", data_dir=data)
        assert copy.doc == "kept"
        assert await store.rooms.read(CODE) is not None  # its owner still has it
    (copy,) = await saved(tmp_path / "stopped", data_dir=data)
    assert copy.doc == "kept"
    assert not (data / "valkey.where").exists()
    await restored(tmp_path / "stopped", data_dir=new)
    shutil.rmtree(data)
    async with opened(None, new) as store:
        assert present(await store.rooms.read(CODE)).doc == "kept"


async def test_a_prefix_is_no_part_of_a_backup(store: Store, tmp_path: Path) -> None:
    await store.rooms.create(CODE, change(doc="kept"))
    await saved(tmp_path / "backup", redis_url=store.url)
    await restored(tmp_path / "backup", redis_url=store.url, redis_prefix="two:")
    async with opened(store.url, tmp_path, prefix="two:") as other:
        assert [copy.code for copy in await saved(tmp_path / "b", redis_url=store.url)] == [CODE]
        assert present(await other.rooms.read(CODE)).doc == "kept"


def _folder(path: Path) -> Path:
    path.mkdir()
    return path
