"""A Redis near its memory limit, and other signs of a master's health.

What a full store refuses is in the contract; whole servers over one are in tests/server.
"""

from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.store import Store, StoreAway, StoreError, keys
from server.store.cluster import SLOTS, slot_of
from server.store.health import Health, memory
from server.store.keys import DamagedKeys
from tests.servers import MASTERS, Cluster, opened
from tests.store.rooms_and_acts import CODE, ask_every_master, code_in, start_race, up_to

FILLER_BYTES = 4 << 20


async def test_processes_start_on_a_full_store_and_empty_it(store: Store, tmp_path: Path) -> None:
    await start_race(store)
    await ask_every_master(store, "CONFIG", "SET", "maxmemory", 1)
    try:
        with pytest.raises(StoreAway, match="memory"):
            await store.ping()
        async with opened(store.url, tmp_path) as later:
            assert await later.rooms.delete(CODE, up_to(2, 1), v=1)
    finally:
        await ask_every_master(store, "CONFIG", "SET", "maxmemory", 0)


def report(used: int, limit: int = 1_000, policy: str = "noeviction") -> bytes:
    return f"used_memory:{used}\r\nmaxmemory:{limit}\r\nmaxmemory_policy:{policy}\r\n".encode()


async def checked(*answers: Any) -> tuple[list[bool], list[str]]:
    """Return whether a master has space after each reply, and the events in the log."""
    master = Mock(ask=AsyncMock(side_effect=answers))
    client = Mock(pipelines=[master] * SLOTS, call=AsyncMock(return_value=b"none"))
    health = Health(client, 1.0, DamagedKeys(keys.UNPREFIXED))
    spaces = []
    with capture_logs() as logs:
        for _ in answers:
            await health.refresh()
            spaces.append(health.has_space(keys.UNPREFIXED.room(CODE)))
    return spaces, [line["event"] for line in logs]


async def test_a_nearly_full_store_gets_no_new_rooms_until_it_has_space_again() -> None:
    """A store that is away keeps its last known state."""
    reports = [report(899), report(900), StoreAway(), report(850), report(849)]
    spaces, events = await checked(report(950, limit=0), *reports)
    assert spaces == [True, True, False, False, False, True]
    assert events == [
        "the store is nearly full: it gets no new rooms",
        "the store has space again: it gets new rooms",
    ]
    assert metrics.REGISTRY.get_sample_value("spider_race_store_fill_ratio") == 0.849


async def test_each_master_of_a_cluster_fills_by_itself(cluster: Cluster, tmp_path: Path) -> None:
    node = cluster.nodes[0]
    async with opened(cluster.url, tmp_path) as store:
        await ask_every_master(store, "FLUSHALL")
        try:
            node.ask("SETRANGE", keys.UNPREFIXED.room(code_in(0)), FILLER_BYTES - 1, "x")
            used, _ = memory(node.lines("INFO", "memory"))
            node.ask("CONFIG", "SET", "maxmemory", round(used / 0.95))
            await store.health.refresh()
            for third in range(MASTERS):
                code = code_in(third, "ANY")
                is_other = cluster.owner(slot_of(keys.UNPREFIXED.room(code))) is not node
                assert store.open_rooms.has_space(code) is is_other is (third > 0)
        finally:
            node.ask("CONFIG", "SET", "maxmemory", 0)
            await ask_every_master(store, "FLUSHALL")


async def test_a_store_without_a_known_limit_has_space() -> None:
    """Nor does it remove rooms, under any policy."""
    unlimited = report(1, limit=0, policy="allkeys-lru")
    answers = [unlimited, StoreError("NOPERM"), b"used_memory:much\r\n", 7]
    assert await checked(*answers) == ([True] * 4, [])


async def test_problems_with_the_file_and_with_eviction_are_logged_once() -> None:
    file = [b"aof_last_bgrewrite_status:" + word for word in (b"err", b"err", b"ok")]
    evicting = [report(1, policy="allkeys-lru")] * 2
    assert (await checked(*file, *evicting))[1] == [
        "the store cannot rewrite its file, which grows",
        "the store has rewritten its file",
        "the store removes running rooms when it is full: its policy is not noeviction",
    ]


def test_buffers_that_redis_does_not_count_are_not_counted() -> None:
    fields = {"used_memory": "900", "maxmemory": "1000", "mem_not_counted_for_evict": "100"}
    assert memory(fields) == (800, 1000)
