"""A master of a cluster dies, hangs or hands over, and its replica takes its place.

A replica receives an act after it was acknowledged. Acts that were not replicated are lost, and
must be the latest acts of each room. The players send them again; see streams.py.

A test takes seconds, for a node that is silent must be taken for dead, and how many depends on the
machine. What the store itself does with moved slots and lost connections is in test_cluster.py.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from server.store import Notification, ProgressNotification, Store, StoreAway, keys
from server.store.slots import slot_of
from tests.servers import HANGS, PATIENT_TIMEOUT_MS, Cluster, opened
from tests.store.rooms_and_acts import SEAT, act, committed, start_race
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


class Play:
    """A stream of acts in a room of each master, with a subscriber of each room."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.streams = [Stream(store, code) for code in CODES]
        self.received: list[list[Notification | ProgressNotification]] = [[] for _ in CODES]
        self._playing: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        for stream, received in zip(self.streams, self.received, strict=True):
            await start_race(self._store, code=stream.code)
            await self._store.pubsub.subscribe(stream.code, received.append)
            self._playing.append(asyncio.create_task(stream.play()))
        await self.go_on()

    async def go_on(self, *streams: Stream) -> None:
        """Wait until each stream, or each of these, is a hundred acts further than ever."""
        for stream in streams or self.streams:
            goal = max(stream.acked, default=0) + 100
            await until(lambda stream=stream, goal=goal: stream.at > goal)  # type: ignore[misc]

    async def end(self) -> None:
        for stream in self.streams:
            stream.stop()
        await asyncio.gather(*self._playing)
        for stream in self.streams:
            await stream.check()

    async def notify_all(self) -> None:
        """Change each room, and wait until each subscriber is notified."""
        for received in self.received:
            received.clear()
        for code in CODES:
            assert await self._store.rooms.append(code, "said")
        await until(lambda: all(Notification.ROOM in received for received in self.received))


@pytest.mark.parametrize("coverage", ["yes", "no"])
async def test_play_goes_on_when_a_master_dies(own: Cluster, store: Store, coverage: str) -> None:
    for node in own.nodes:
        node.ask("CONFIG", "SET", "cluster-require-full-coverage", coverage)
        if coverage == "no":  # no automatic failover: the test chooses its moment
            node.ask("CONFIG", "SET", "cluster-node-timeout", PATIENT_TIMEOUT_MS)
    play = Play(store)
    await play.start()
    victim = own.owner(slot_of(keys.room(CODES[0])))
    replica = own.replica(victim)
    victim.kill()
    if coverage == "no":
        await play.go_on(*play.streams[1:])  # rooms of other masters are not affected
        replica.ask("CLUSTER", "FAILOVER", "TAKEOVER")
    await play.go_on()
    await until(lambda: Notification.LOST in play.received[0])
    await play.notify_all()
    await store.pubsub.probe()
    await play.end()
    if coverage == "no":
        for stream in play.streams[1:]:
            assert (stream.failures, stream.lost) == ([], [])
    victim.start()
    await asyncio.to_thread(own.whole)
    assert victim.lines("INFO", "replication")["role"] == "slave"
    await play.notify_all()


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
    # it, which loses acts, as the tests of masters that die and hang show.
    for node in own.nodes:
        node.ask("CONFIG", "SET", "cluster-node-timeout", PATIENT_TIMEOUT_MS)
    play = Play(store)
    await play.start()
    master = own.owner(slot_of(keys.room(CODES[2])))
    own.replica(master).ask("CLUSTER", "FAILOVER")
    await until(lambda: own.owner(slot_of(keys.room(CODES[2]))) is not master)
    await play.go_on()
    await until(lambda: Notification.LOST in play.received[2])
    await play.notify_all()
    await play.end()
    for stream in play.streams:
        assert (stream.failures, stream.lost) == ([], [])


async def test_a_master_that_hangs_is_replaced(own: Cluster, store: Store) -> None:
    play = Play(store)
    await play.start()
    master = own.owner(slot_of(keys.room(CODES[0])))
    master.pause()
    await play.go_on()
    await until(lambda: Notification.LOST in play.received[0])
    await play.notify_all()
    master.resume()
    await asyncio.to_thread(own.whole)
    await play.go_on()
    await play.notify_all()
    await play.end()


async def test_a_store_opens_while_a_master_is_dead(own: Cluster, tmp_path: Path) -> None:
    own.nodes[1].kill()
    async with opened(own.url, tmp_path, timings=HANGS) as store:
        await store.ping()
