"""A master of a cluster dies or hands over, and its replica takes its place.

A replica receives an act after it was acknowledged; what it has received is not lost. Masters that
die ahead of their replicas and masters that hang are faults of `python -m tests.faults`.

A test takes seconds, for a node that is silent must be taken for dead, and how many depends on the
machine. What the store itself does with moved slots and lost connections is in test_cluster.py.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import Notification, Store, StoreAway, keys
from server.store.slots import slot_of
from tests.servers import HANGS, PATIENT_TIMEOUT_MS, Cluster, opened
from tests.store.rooms_and_acts import SEAT, act, committed, start_race, subscribed
from tests.store.streams import CODES, Stream
from tests.waiting import until

pytestmark = pytest.mark.night


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Cluster]:
    """Yield a cluster that the test may break."""
    cluster = Cluster(tmp_path)
    yield cluster
    cluster.stop()


@pytest.fixture
async def store(own: Cluster, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(own.url, tmp_path, timings=HANGS) as store:
        yield store


async def test_replicated_acts_are_not_lost(own: Cluster, store: Store) -> None:
    code = CODES[1]
    await start_race(store, code=code)
    answers = await committed(
        store, *(act(code=code, id=at + 1, at=at, action=at) for at in range(2000))
    )
    victim = own.owner(slot_of(keys.room(code)))
    while await store._commit_client.call(keys.room(code), "WAIT", 1, 1000) != 1:
        pass
    victim.kill()
    log = await back(store, code)
    assert log == list(enumerate(answers))
    (answer,) = await committed(store, act(code=code, id=2001, at=2000))
    assert isinstance(answer, int)


async def back(store: Store, code: str) -> list[tuple[int, int]]:
    """Return the log of the room, once its master answers."""
    while True:
        try:
            return [(act.action, act.ms) for act in await store.logs.read(code, 1, SEAT)]
        except StoreAway:
            await asyncio.sleep(0.05)


async def test_nothing_is_lost_when_a_master_hands_over(own: Cluster, store: Store) -> None:
    # On a busy machine the new master may be silent for a second. Then its replica would replace
    # it, which loses acts.
    for node in own.nodes:
        node.ask("CONFIG", "SET", "cluster-node-timeout", PATIENT_TIMEOUT_MS)
    streams = [Stream(store, code) for code in CODES]
    for code in CODES:
        await start_race(store, code=code)
    received = await subscribed(store, CODES[2])
    playing = [asyncio.create_task(stream.play()) for stream in streams]
    master = own.owner(slot_of(keys.room(CODES[2])))
    own.replica(master).ask("CLUSTER", "FAILOVER")
    await until(lambda: own.owner(slot_of(keys.room(CODES[2]))) is not master)
    before = [stream.at for stream in streams]
    await until(
        lambda: all(stream.at > at + 100 for stream, at in zip(streams, before, strict=True))
    )
    await until(lambda: Notification.LOST in received)
    received.clear()
    assert await store.rooms.append(CODES[2], "said")
    await until(lambda: Notification.ROOM in received)
    for stream in streams:
        stream.stop()
    await asyncio.gather(*playing)
    for stream in streams:
        await stream.check()
        assert (stream.failures, stream.lost) == ([], [])


async def test_a_store_opens_while_a_master_is_dead(own: Cluster, tmp_path: Path) -> None:
    own.nodes[1].kill()
    async with opened(own.url, tmp_path, timings=HANGS) as store:
        await store.ping()
