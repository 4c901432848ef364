"""A Redis at its limit of memory: what ends goes on, what would grow is refused."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.store import CommitFailure, NewSeat, Store, StoreAway, StoreFull, keys
from server.store.health import Vitals, vitals
from server.store.slots import slot_of
from tests.servers import MASTERS, Cluster, RedisServer
from tests.store.races import CODE, SEAT, TOKEN, act, change, committed, everywhere, race

FILLER = 4 << 20


@pytest.fixture
async def full(server: RedisServer) -> AsyncIterator[Store]:
    """A store on a Redis of the test's own; `fill` fills it."""
    store = await Store.open(server.url, server.data_dir)
    yield store
    await store.close()


async def fill(store: Store) -> None:
    """Lower the limit to what is in use."""
    await everywhere(store, "CONFIG", "SET", "maxmemory", 1)


async def drain(store: Store) -> None:
    await everywhere(store, "CONFIG", "SET", "maxmemory", 0)


async def test_rooms_are_closed_and_changed_on_a_full_store(full: Store) -> None:
    await race(full)
    await committed(full, act())
    await fill(full)
    ended = change(state="FINISHED", deadline=5, public=True)
    assert await full.change(CODE, 1, ended) == 2
    assert await full.due(5) == [CODE]
    assert await full.public_rooms() == [CODE]
    assert await full.change(CODE, 2, change(state="FINISHED", deadline=7)) == 3
    await full.forget_deadline(CODE)
    assert await full.due(6) == []
    assert await full.due(7) == [CODE]
    assert await full.delete(CODE, seats=2, rounds=1, v=3)
    assert not any(await everywhere(full, "KEYS", "{*"))


async def test_players_come_back_to_a_full_store(full: Store) -> None:
    await race(full)
    await fill(full)
    seat = await full.take_seat(CODE, SEAT)
    assert seat is not None
    assert seat.generation > 1
    await full.beat("east", 1, [CODE])
    assert await full.rooms_of("east") == [CODE]
    assert await full.silent(2) == ["east"]


async def test_nothing_that_grows_is_taken_by_a_full_store(full: Store) -> None:
    await race(full)
    await fill(full)
    with pytest.raises(StoreFull):
        await full.create("ANOTHER", change())
    with pytest.raises(StoreFull):
        await full.create("ANOTHER", change(deadline=9))
    with pytest.raises(StoreFull):
        await full.change(CODE, 1, change(seat=NewSeat(7, TOKEN)))
    with pytest.raises(StoreFull):
        await full.append(CODE, "said")
    assert await committed(full, act()) == [CommitFailure.AWAY]
    with pytest.raises(StoreAway):
        await full.ping()
    await drain(full)
    assert await full.read("ANOTHER") is None
    assert await full.due(10) == []
    assert await full.read_seat(CODE, 7) is None
    assert await full.read_log(CODE, 1, SEAT) == []
    (answer,) = await committed(full, act())
    assert isinstance(answer, int)


async def test_a_process_starts_over_a_full_store(server: RedisServer) -> None:
    """Otherwise nobody would be there to empty it."""
    first = await Store.open(server.url, server.data_dir)
    await first.create(CODE, change())
    await fill(first)
    await first.close()
    second = await Store.open(server.url, server.data_dir)
    assert await second.delete(CODE, seats=0, rounds=0)
    await second.close()


async def test_a_room_is_removed_at_its_version_only(store: Store) -> None:
    await store.create(CODE, change())
    assert not await store.delete(CODE, seats=0, rounds=0, v=2)
    assert await store.read(CODE) is not None
    assert await store.delete(CODE, seats=0, rounds=0, v=1)
    assert not await store.delete(CODE, seats=0, rounds=0, v=1)


async def test_a_room_of_many_seats_is_removed_whole(store: Store) -> None:
    await race(store)
    await store.delete(CODE, seats=9_999, rounds=12)
    assert not any(await everywhere(store, "KEYS", "*"))


async def test_many_rooms_are_heard_of_at_once(store: Store) -> None:
    codes = [f"{number:010}" for number in range(2_500)]
    await store.beat("east", await store.now(), codes)
    assert sorted(await store.rooms_of("east")) == codes


async def fill_to(store: Store, share: float) -> None:
    """Set the limit so that this share of it is in use."""
    for line in dict.fromkeys(store._client.pipelines):
        used = vitals(await line.call("INFO", "memory")).used
        await line.call("CONFIG", "SET", "maxmemory", round(used / share))


async def test_above_the_mark_there_is_no_space_for_rooms_but_for_all_else(full: Store) -> None:
    await race(full)
    await full._client.call(keys.room(CODE), "SET", "filler", b"x" * FILLER)
    with capture_logs() as logs:
        await full.health.check()
        assert full.has_space(CODE)
        await fill_to(full, 0.91)
        await full.health.check()
        await full.health.check()
        assert not full.has_space(CODE)
        assert metrics.REGISTRY.get_sample_value("spider_race_store_full") == 1
        fill_ratio = metrics.REGISTRY.get_sample_value("spider_race_store_fill_ratio")
        assert fill_ratio == pytest.approx(0.91, abs=0.02)
        (answer,) = await committed(full, act())
        assert isinstance(answer, int)
        assert await full.take_seat(CODE, SEAT) is not None
        assert await full.change(CODE, 1, change(seat=NewSeat(7, TOKEN))) == 2
        await fill_to(full, 0.87)  # not every room that goes lets one in
        await full.health.check()
        assert not full.has_space(CODE)
        await fill_to(full, 0.80)
        await full.health.check()
        assert full.has_space(CODE)
        assert metrics.REGISTRY.get_sample_value("spider_race_store_full") == 0
    assert [line["event"] for line in logs] == [
        "the store is nearly full: it gets no new rooms",
        "the store has space again: it gets new rooms",
    ]


async def test_a_store_without_a_limit_is_never_full(full: Store) -> None:
    await full.health.check()
    assert full.has_space(CODE)
    assert metrics.REGISTRY.get_sample_value("spider_race_store_fill_ratio") == 0


async def test_what_was_known_of_a_store_that_is_away_holds(
    full: Store, server: RedisServer
) -> None:
    await full._client.call(keys.room(CODE), "SET", "filler", b"x" * FILLER)
    await fill_to(full, 0.95)
    await full.health.check()
    server.kill()
    await full.health.check()
    assert not full.has_space(CODE)
    server.start()


async def test_of_a_cluster_each_master_is_full_by_itself(
    cluster: Cluster, tmp_path: Path
) -> None:
    store = await Store.open(cluster.url, tmp_path)
    await everywhere(store, "FLUSHALL")
    codes = [f"CODE{number}" for number in range(40)]
    try:
        node = cluster.nodes[0]
        node.ask("SET", _key_of(cluster, 0), "x" * FILLER)
        used = vitals("\r\n".join(map(":".join, node.lines("INFO", "memory").items())).encode())
        node.ask("CONFIG", "SET", "maxmemory", round(used.used / 0.95))
        await store.health.check()
        for code in codes:
            assert store.has_space(code) is (cluster.owner(_slot(code)) is not node)
        assert len({store.has_space(code) for code in codes}) == 2
    finally:
        for each in cluster.nodes[:MASTERS]:
            each.ask("CONFIG", "SET", "maxmemory", 0)
        await everywhere(store, "FLUSHALL")
        await store.close()


async def test_a_redis_that_keeps_its_figures_to_itself_is_well(server: RedisServer) -> None:
    store = await Store.open(server.url, server.data_dir)
    await everywhere(store, "ACL", "SETUSER", "default", "-info")
    await store.health.check()
    assert store.has_space(CODE)
    await store.close()


async def test_a_redis_that_removes_rooms_when_it_is_full_is_named(full: Store) -> None:
    await everywhere(full, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with capture_logs() as logs:
        await full.health.check()
        assert logs == []  # without a limit it never is
        await everywhere(full, "CONFIG", "SET", "maxmemory", 64 << 20)
        await full.health.check()
        await full.health.check()
    assert [line["event"] for line in logs] == ["the store removes running rooms when it is full"]


async def test_a_file_that_cannot_be_rewritten_is_said_and_acts_are_taken(
    full: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await race(full)
    told = [b"aof_last_bgrewrite_status:err\r\n", b"aof_last_bgrewrite_status:ok\r\n"]

    async def answers(*_: object) -> bytes:
        return told.pop(0)

    monkeypatch.setattr(full._client, "ask_master", answers)
    with capture_logs() as logs:
        await full.health.check()
        await full.health.check()
    assert [line["event"] for line in logs] == [
        "the store cannot rewrite its file, which grows",
        "the store has rewritten its file",
    ]
    (answer,) = await committed(full, act())
    assert isinstance(answer, int)


@pytest.mark.parametrize("told", [b"used_memory:much\r\n", 7])
async def test_a_redis_that_says_it_in_its_own_way_is_well(
    full: Store, monkeypatch: pytest.MonkeyPatch, told: bytes | int
) -> None:
    async def answers(*_: object) -> bytes | int:
        return told

    monkeypatch.setattr(full._client, "ask_master", answers)
    await full.health.check()
    assert full.has_space(CODE)


def test_buffers_that_redis_does_not_count_are_not_counted() -> None:
    text = b"used_memory:900\r\nmaxmemory:1000\r\nmem_not_counted_for_evict:100\r\n"
    assert vitals(text) == Vitals(used=800, limit=1000)
    assert vitals(text).fill == 0.8


def _slot(code: str) -> int:
    return slot_of(keys.room(code))


def _key_of(cluster: Cluster, node: int) -> str:
    number = 0
    while cluster.owner(_slot(f"FILL{number}")) is not cluster.nodes[node]:
        number += 1
    return keys.room(f"FILL{number}")
