"""A Redis at its memory limit: rooms can end and be deleted, everything that grows is refused."""

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.store import NewSeat, Store, StoreAway, keys
from server.store.health import Health, Vitals, vitals
from server.store.slots import slot_of
from tests.servers import MASTERS, Cluster, RedisServer, opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    code_in,
    committed,
    start_race,
)

# A short command that takes 4 MiB: a long one would take as much again for a moment, in a buffer.
FILLER = ("filler", (4 << 20) - 1, "x")


@pytest.fixture
async def full(server: RedisServer) -> AsyncIterator[Store]:
    """Yield a store on a Redis of the test's own, which it fills."""
    async with opened(server.url, server.data_dir) as store:
        yield store


async def limit(store: Store, size: int) -> None:
    await ask_every_master(store, "CONFIG", "SET", "maxmemory", size)


async def test_a_full_store_lets_rooms_end_and_refuses_everything_that_grows(
    store: Store, tmp_path: Path
) -> None:
    """Each call is in the contract of the stores; here are a process that starts, and the end."""
    await start_race(store)
    await limit(store, 1)
    try:
        with pytest.raises(StoreAway, match="memory"):
            await store.ping()
        await store.lists.correct(CODE)
        # Without a running process, nothing would empty the store.
        async with opened(store.url, tmp_path) as later:
            assert await later.rooms.delete(CODE, seats=2, rounds=1, v=1)
    finally:
        await limit(store, 0)
    assert not any(await ask_every_master(store, "KEYS", "{*"))


async def fill_to(store: Store, share: float) -> None:
    """Set the memory limit so that this share of it is in use."""
    used = vitals(await store.client.pipelines[0].call("INFO", "memory")).used
    await limit(store, round(used / share))
    await store.health.check()


def sample(name: str) -> float | None:
    return metrics.REGISTRY.get_sample_value(f"spider_race_store_{name}")


async def test_a_nearly_full_store_refuses_new_rooms_only(
    full: Store, server: RedisServer
) -> None:
    await start_race(full)
    await full.client.call("filler", "SETRANGE", *FILLER)
    with capture_logs() as logs:
        await full.health.check()
        assert full.open_rooms.has_space(CODE)  # without a limit it is never full
        assert sample("fill_ratio") == 0
        await fill_to(full, 0.91)
        await full.health.check()
        assert not full.open_rooms.has_space(CODE)
        assert sample("full") == 1
        assert sample("fill_ratio") == pytest.approx(0.91, abs=0.02)
        assert isinstance((await committed(full, act()))[0], int)
        assert await full.seats.take(CODE, SEAT) is not None
        assert await full.rooms.change(CODE, 1, change(seat=NewSeat(7, TOKEN))) == 2
        await fill_to(full, 0.87)  # between the two marks the store stays closed to new rooms
        assert not full.open_rooms.has_space(CODE)
        await fill_to(full, 0.80)
        assert full.open_rooms.has_space(CODE)
        assert sample("full") == 0
        await ask_every_master(full, "CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        await full.health.check()
        await full.health.check()
    assert [line["event"] for line in logs] == [
        "the store is nearly full: it gets no new rooms",
        "the store has space again: it gets new rooms",
        "the store removes running rooms when it is full",
    ]
    await fill_to(full, 0.95)
    server.kill()  # a store that is away keeps its last known state
    await full.health.check()
    assert not full.open_rooms.has_space(CODE)


async def test_each_master_of_a_cluster_is_full_by_itself(
    cluster: Cluster, tmp_path: Path
) -> None:
    node = cluster.nodes[0]
    async with opened(cluster.url, tmp_path) as store:
        await ask_every_master(store, "FLUSHALL")
        try:
            node.ask("SETRANGE", keys.room(code_in(0)), *FILLER[1:])
            said = "\r\n".join(map(":".join, node.lines("INFO", "memory").items()))
            node.ask("CONFIG", "SET", "maxmemory", round(vitals(said.encode()).used / 0.95))
            await store.health.check()
            for third in range(MASTERS):
                code = code_in(third, "ANY")
                is_other = cluster.owner(slot_of(keys.room(code))) is not node
                assert store.open_rooms.has_space(code) is is_other is (third > 0)
        finally:
            node.ask("CONFIG", "SET", "maxmemory", 0)
            await ask_every_master(store, "FLUSHALL")


async def test_a_redis_that_refuses_info_counts_as_healthy(full: Store) -> None:
    await ask_every_master(full, "ACL", "SETUSER", "default", "-info")
    await full.health.check()
    assert full.open_rooms.has_space(CODE)


async def test_what_a_master_says_of_its_file_is_logged_and_what_is_no_number_is_not(
    store: Store,
) -> None:
    said = [
        b"used_memory:much\r\n",
        7,
        *(b"aof_last_bgrewrite_status:" + w for w in (b"err", b"ok")),
    ]
    health = Health(store.topology, Mock(ask_master=AsyncMock(side_effect=said)))
    with capture_logs() as logs:
        for _ in said:
            await health.check()
            assert health.has_space(keys.room(CODE))
    assert [line["event"] for line in logs] == [
        "the store cannot rewrite its file, which grows",
        "the store has rewritten its file",
    ]


def test_buffers_that_redis_does_not_count_are_not_counted() -> None:
    text = b"used_memory:900\r\nmaxmemory:1000\r\nmem_not_counted_for_evict:100\r\n"
    assert vitals(text) == Vitals(used=800, limit=1000)
    assert vitals(text).fill == 0.8
