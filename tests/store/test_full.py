"""A Redis at its memory limit: rooms can end and be deleted, everything that grows is refused."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.store import CommitFailure, NewSeat, Store, StoreAway, StoreFull, keys
from server.store.health import Health, Vitals, vitals
from server.store.slots import slot_of
from tests.servers import MASTERS, Cluster, RedisServer, open_at_once, opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    start_race,
)

FILLER = 4 << 20


def filler(key: str) -> tuple[str, str, int, str]:
    """Return a short command that takes `FILLER` bytes.

    A long one would take as much again for a moment, in a buffer that Redis frees later.
    """
    return "SETRANGE", key, FILLER - 1, "x"


@pytest.fixture
async def full(server: RedisServer) -> AsyncIterator[Store]:
    """Yield a store on a Redis of the test's own; `fill` fills it."""
    async with opened(server.url, server.data_dir) as store:
        yield store


async def fill(store: Store) -> None:
    """Set the memory limit below the memory in use."""
    await ask_every_master(store, "CONFIG", "SET", "maxmemory", 1)


async def drain(store: Store) -> None:
    await ask_every_master(store, "CONFIG", "SET", "maxmemory", 0)


async def test_rooms_are_closed_and_changed_on_a_full_store(full: Store) -> None:
    await start_race(full)
    await committed(full, act())
    await fill(full)
    ended = change(state="FINISHED", deadline=5, public=True)
    assert await full.rooms.change(CODE, 1, ended) == 2
    assert await full.lists.due(5) == [CODE]
    assert await full.lists.public() == [CODE]
    assert await full.rooms.change(CODE, 2, change(state="FINISHED", deadline=7)) == 3
    await full.lists.correct(CODE)
    assert await full.lists.due(6) == []
    assert await full.lists.due(7) == [CODE]
    assert await full.rooms.delete(CODE, seats=2, rounds=1, v=3)
    assert not any(await ask_every_master(full, "KEYS", "{*"))


async def test_players_can_take_their_seats_in_a_full_store(full: Store) -> None:
    await start_race(full)
    await fill(full)
    seat = await full.seats.take(CODE, SEAT)
    assert seat is not None
    assert seat.generation > 1
    await full.processes.beat("east", 1, [CODE])
    assert await full.processes.rooms_of("east") == [CODE]
    assert await full.processes.silent(2) == ["east"]


async def test_a_full_store_refuses_everything_that_grows(full: Store) -> None:
    await start_race(full)
    await fill(full)
    with pytest.raises(StoreFull):
        await full.rooms.create("ANOTHER", change())
    with pytest.raises(StoreFull):
        await full.rooms.create("ANOTHER", change(deadline=9))
    with pytest.raises(StoreFull):
        await full.rooms.change(CODE, 1, change(seat=NewSeat(7, TOKEN)))
    with pytest.raises(StoreFull):
        await full.rooms.append(CODE, "said")
    assert await committed(full, act()) == [CommitFailure.AWAY]
    with pytest.raises(StoreAway):
        await full.ping()
    await drain(full)
    assert await full.rooms.read("ANOTHER") is None
    assert await full.lists.due(10) == []
    assert await full.seats.read(CODE, 7) is None
    assert await full.logs.read(CODE, 1, SEAT) == []
    (answer,) = await committed(full, act())
    assert isinstance(answer, int)


async def test_a_process_starts_on_a_full_store(server: RedisServer) -> None:
    """Without a running process, nothing would empty the store."""
    async with opened(server.url, server.data_dir) as first:
        await first.rooms.create(CODE, change())
        await fill(first)
    async with opened(server.url, server.data_dir) as second:
        assert await second.rooms.delete(CODE, seats=0, rounds=0)


async def test_a_room_is_deleted_at_the_given_version_only(store: Store) -> None:
    await store.rooms.create(CODE, change())
    assert not await store.rooms.delete(CODE, seats=0, rounds=0, v=2)
    assert await store.rooms.read(CODE) is not None
    assert await store.rooms.delete(CODE, seats=0, rounds=0, v=1)
    assert not await store.rooms.delete(CODE, seats=0, rounds=0, v=1)


async def test_a_room_with_many_seats_is_deleted_completely(store: Store) -> None:
    await start_race(store)
    await store.rooms.delete(CODE, seats=9_999, rounds=12)
    assert not any(await ask_every_master(store, "KEYS", "*"))


async def test_a_heartbeat_can_have_many_rooms(store: Store) -> None:
    codes = [f"{number:010}" for number in range(2_500)]
    await store.processes.beat("east", store.clock.now(), codes)
    assert sorted(await store.processes.rooms_of("east")) == codes


async def fill_to(store: Store, share: float) -> None:
    """Set the memory limit so that this share of it is in use."""
    for pipeline in dict.fromkeys(store.client.pipelines):
        used = vitals(await pipeline.call("INFO", "memory")).used
        await pipeline.call("CONFIG", "SET", "maxmemory", round(used / share))


async def test_a_nearly_full_store_refuses_new_rooms_only(full: Store) -> None:
    await start_race(full)
    await full.client.call(keys.room(CODE), *filler("filler"))
    with capture_logs() as logs:
        await full.health.check()
        assert full.open_rooms.has_space(CODE)
        await fill_to(full, 0.91)
        await full.health.check()
        await full.health.check()
        assert not full.open_rooms.has_space(CODE)
        assert metrics.REGISTRY.get_sample_value("spider_race_store_full") == 1
        fill_ratio = metrics.REGISTRY.get_sample_value("spider_race_store_fill_ratio")
        assert fill_ratio == pytest.approx(0.91, abs=0.02)
        (answer,) = await committed(full, act())
        assert isinstance(answer, int)
        assert await full.seats.take(CODE, SEAT) is not None
        assert await full.rooms.change(CODE, 1, change(seat=NewSeat(7, TOKEN))) == 2
        await fill_to(full, 0.87)  # between the two marks the store stays closed to new rooms
        await full.health.check()
        assert not full.open_rooms.has_space(CODE)
        await fill_to(full, 0.80)
        await full.health.check()
        assert full.open_rooms.has_space(CODE)
        assert metrics.REGISTRY.get_sample_value("spider_race_store_full") == 0
    assert [line["event"] for line in logs] == [
        "the store is nearly full: it gets no new rooms",
        "the store has space again: it gets new rooms",
    ]


async def test_a_store_without_a_limit_is_never_full(full: Store) -> None:
    await full.health.check()
    assert full.open_rooms.has_space(CODE)
    assert metrics.REGISTRY.get_sample_value("spider_race_store_fill_ratio") == 0


async def test_a_store_that_is_away_keeps_its_last_known_state(
    full: Store, server: RedisServer
) -> None:
    await full.client.call(keys.room(CODE), *filler("filler"))
    await fill_to(full, 0.95)
    await full.health.check()
    server.kill()
    await full.health.check()
    assert not full.open_rooms.has_space(CODE)
    server.start()


async def test_each_master_of_a_cluster_is_full_by_itself(
    cluster: Cluster, tmp_path: Path
) -> None:
    store = await open_at_once(cluster.url, tmp_path)
    await ask_every_master(store, "FLUSHALL")
    codes = [f"CODE{number}" for number in range(40)]
    try:
        node = cluster.nodes[0]
        node.ask(*filler(_key_of(cluster, 0)))
        used = vitals("\r\n".join(map(":".join, node.lines("INFO", "memory").items())).encode())
        node.ask("CONFIG", "SET", "maxmemory", round(used.used / 0.95))
        await store.health.check()
        for code in codes:
            assert store.open_rooms.has_space(code) is (cluster.owner(_slot(code)) is not node)
        assert len({store.open_rooms.has_space(code) for code in codes}) == 2
    finally:
        for each in cluster.nodes[:MASTERS]:
            each.ask("CONFIG", "SET", "maxmemory", 0)
        await ask_every_master(store, "FLUSHALL")
        await store.close()


async def test_a_redis_that_refuses_info_counts_as_healthy(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await ask_every_master(store, "ACL", "SETUSER", "default", "-info")
        await store.health.check()
        assert store.open_rooms.has_space(CODE)


async def test_a_redis_that_evicts_rooms_is_logged(full: Store) -> None:
    await ask_every_master(full, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with capture_logs() as logs:
        await full.health.check()
        assert logs == []  # a Redis without a limit is never full
        await ask_every_master(full, "CONFIG", "SET", "maxmemory", 64 << 20)
        await full.health.check()
        await full.health.check()
    assert [line["event"] for line in logs] == ["the store removes running rooms when it is full"]


class Masters:
    """Masters that answer each request with the next of these replies."""

    def __init__(self, replies: list[bytes | int]) -> None:
        self._replies = replies

    async def ask_master(self, *_: object) -> bytes | int:
        return self._replies.pop(0)


async def test_a_failed_rewrite_is_logged_and_acts_are_still_accepted(full: Store) -> None:
    await start_race(full)
    masters = Masters([b"aof_last_bgrewrite_status:err\r\n", b"aof_last_bgrewrite_status:ok\r\n"])
    health = Health(full.topology, masters)  # type: ignore[arg-type]  # as much of a client as it needs
    with capture_logs() as logs:
        await health.check()
        await health.check()
    assert [line["event"] for line in logs] == [
        "the store cannot rewrite its file, which grows",
        "the store has rewritten its file",
    ]
    (answer,) = await committed(full, act())
    assert isinstance(answer, int)


@pytest.mark.parametrize("reply", [b"used_memory:much\r\n", 7])
async def test_a_redis_with_an_unknown_info_format_counts_as_healthy(
    full: Store, reply: bytes | int
) -> None:
    health = Health(full.topology, Masters([reply]))  # type: ignore[arg-type]  # as above
    await health.check()
    assert health.has_space(keys.room(CODE))


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
