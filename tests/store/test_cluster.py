"""Tests of a cluster alone: slots on several masters, outdated maps, slots that move.

Tests of single operations run on a cluster as well, where they are marked `everywhere`. Masters
that die, hang or hand over while people race are faults of `python -m tests.faults`.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest

from server.store import (
    Commit,
    CommitFailure,
    CommitResult,
    Notification,
    Store,
    StoreAway,
    StoreNotReady,
    StoreUnusable,
    keys,
)
from server.store.address import Address, parse_addresses
from server.store.cluster import SLOTS, Topology, parse_slots, slot_of
from server.store.connection import OnLost, OnReply, RedisProtocol
from tests.present import present
from tests.servers import (
    HANGS,
    MASTERS,
    Cluster,
    ClusterNode,
    open_at_once,
    opened,
    start_embedded_on_port,
)
from tests.store.rooms_and_acts import (
    SEAT,
    act,
    ask_every_master,
    change,
    code_in,
    committed,
    start_race,
    subscribed,
    up_to,
)
from tests.waiting import until

CODES = [code_in(third) for third in range(MASTERS)]  # a room of each master


@pytest.fixture
async def store(cluster: Cluster, tmp_path: Path) -> AsyncIterator[Store]:
    async with opened(cluster.url, tmp_path) as store:
        await ask_every_master(store, "FLUSHALL")
        yield store


async def test_every_master_has_its_rooms_and_notifies(store: Store, cluster: Cluster) -> None:
    received = {}
    for code in CODES:
        await start_race(store, code=code)
        received[code] = await subscribed(store, code)
    acts = [act(code=code, id=at + 1, at=at) for at in range(100) for code in CODES]
    assert all(isinstance(answer, int) for answer in await committed(store, *acts))
    for code in CODES:
        now = store.clock.now_ms()
        assert await store.rooms.change(code, 1, change(deadline=now, public=True)) == 2
        assert len(await store.logs.read(code, 1, SEAT)) == 100
    await until(lambda: all(each == [2] for each in received.values()))
    rooms = [node.ask("KEYS", "*:room") for node in cluster.nodes[:MASTERS]]
    assert rooms == [[keys.UNPREFIXED.room(code)] for code in CODES]
    assert sorted(await store.lists.due(store.clock.now_ms())) == sorted(CODES)
    assert sorted(await store.lists.public()) == sorted(CODES)
    for code in CODES:
        store.pubsub.unsubscribe(code)
        await store.rooms.delete(code, up_to(2, 2))
    await store.pubsub.probe()
    assert all(each == [2] for each in received.values())
    assert not any(await ask_every_master(store, "KEYS", "*"))


async def test_one_reachable_node_opens_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    replica = cluster.nodes[MASTERS].port
    url = f"redis+cluster://127.0.0.1:1,127.0.0.1:{replica}"
    async with opened(url, tmp_path) as store:
        for code in CODES:
            await store.rooms.delete(code, up_to(2, 2))
            await start_race(store, code=code)


@pytest.mark.night  # after seconds of silence, a node is taken for dead
async def test_a_store_opens_while_a_master_is_dead(tmp_path: Path) -> None:
    """Until the replica has taken over, the store is not ready, and a server tries again."""
    cluster = Cluster(tmp_path)
    cluster.nodes[1].kill()
    is_open = False
    try:
        while not is_open:
            with suppress(StoreNotReady):
                async with opened(cluster.url, tmp_path, timings=HANGS) as store:
                    await store.ping()
                    is_open = True
    finally:
        cluster.stop()


async def test_a_wrong_map_of_slots_is_corrected(store: Store, cluster: Cluster) -> None:
    for code in CODES:
        await start_race(store, code=code)
    wrong = store.topology.owners[-1]
    assert str(wrong).endswith(str(cluster.nodes[MASTERS - 1].port))
    store.topology.assign(range(SLOTS), wrong)
    received = await subscribed(store, CODES[0])
    for code in CODES:
        await until_stored(store, act(code=code, id=1))
    await store.rooms.append(CODES[0], "said")
    await until(lambda: 2 in received)
    await until(lambda: len(set(store.topology.owners)) == MASTERS)
    await store.pubsub.probe()


async def test_a_subscription_waits_for_the_first_connection_to_the_owner(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: rooms could not be entered while the connection to a new owner was opened."""
    await start_race(store, code=CODES[0])
    connect = Address.open
    asked, may_connect = asyncio.Event(), asyncio.Event()

    async def late(self: Address, on_reply: OnReply, on_lost: OnLost) -> RedisProtocol:
        asked.set()
        await may_connect.wait()
        return await connect(self, on_reply, on_lost)

    # All other connections close.
    store.topology.assign(range(SLOTS), store.topology.owners[-1])
    monkeypatch.setattr(Address, "open", late)
    subscribing = asyncio.create_task(subscribed(store, CODES[0]))
    await asked.wait()
    assert not subscribing.done()
    may_connect.set()
    received = await subscribing
    await store.rooms.append(CODES[0], "said")
    await until(lambda: 2 in received)


async def test_a_subscription_fails_with_the_first_connection_to_the_owner(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> RedisProtocol:
        raise StoreAway("nobody answers")

    store.topology.assign(range(SLOTS), store.topology.owners[-1])
    monkeypatch.setattr(Address, "open", refused)
    with pytest.raises(StoreAway, match="passes no messages on now"):
        await subscribed(store, CODES[0])


async def test_a_cluster_needs_the_url_of_a_cluster(cluster: Cluster, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"write redis\+cluster://"):
        await open_at_once(f"redis://127.0.0.1:{cluster.nodes[0].port}", tmp_path)
    server, port = start_embedded_on_port(tmp_path)
    with server, pytest.raises(StoreUnusable, match="write redis://"):
        await open_at_once(f"redis+cluster://127.0.0.1:{port}", tmp_path)


class Migration:
    """The move of a slot from its master to another one."""

    def __init__(self, cluster: Cluster, slot: int) -> None:
        self.slot = slot
        self.source = cluster.owner(slot)
        self.target: ClusterNode = next(
            node
            for node in cluster.nodes
            if node is not self.source and node.lines("INFO", "replication")["role"] == "master"
        )
        self.target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", self.source.id)
        self.source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", self.target.id)

    def move(self, *names: str) -> None:
        place = ("127.0.0.1", self.target.port)
        self.source.ask("MIGRATE", *place, "", 0, 5000, "KEYS", *names)

    def move_all(self) -> None:
        while names := self.source.ask("CLUSTER", "GETKEYSINSLOT", self.slot, 100):
            self.move(*names)

    def end(self) -> None:
        for node in (self.target, self.source):
            node.ask("CLUSTER", "SETSLOT", self.slot, "NODE", self.target.id)


async def until_stored(store: Store, commit: Commit) -> CommitResult:
    """Send an act until the store takes it: it fails whenever it is redirected."""
    while True:
        (answer,) = await committed(store, commit)
        if answer is not CommitFailure.AWAY:
            return answer


async def test_a_room_plays_on_when_its_slot_has_moved(store: Store, cluster: Cluster) -> None:
    """While some of its keys are moving, it is away."""
    code = code_in(1, "MOVES")
    await start_race(store, code=code)
    received = await subscribed(store, code)
    answers: list[CommitResult] = []
    away, over = asyncio.Event(), asyncio.Event()

    async def play() -> None:
        while not over.is_set():
            at = len(answers)
            stored = await committed(
                store, *(act(code=code, id=i + 1, at=i, action=i) for i in range(at, at + 4))
            )
            # A redirected act was not executed; those behind it find another length or no list.
            answers.extend(takewhile(lambda answer: isinstance(answer, int), stored))
            if CommitFailure.AWAY in stored:
                away.set()

    async def goes_on() -> None:
        before = len(answers)
        await until(lambda: len(answers) > before + 20)

    playing = asyncio.create_task(play())
    await goes_on()
    migration = Migration(cluster, slot_of(keys.UNPREFIXED.room(code)))
    await goes_on()  # all keys are at the source
    migration.move(keys.UNPREFIXED.log(code, 1, SEAT, 1))
    await away.wait()
    # Other rooms of the same master are served meanwhile.
    await start_race(store, code=code_in(1, "OTHER"))
    migration.move_all()
    migration.end()
    await goes_on()  # the source replies MOVED
    over.set()
    await playing
    log = await store.logs.read(code, 1, SEAT)
    assert [(record.action, record.ms) for record in log] == list(enumerate(answers))
    await until(lambda: Notification.LOST in received)
    received.clear()
    await store.rooms.append(code, "said")
    await until(lambda: 2 in received)


async def test_acts_keep_their_order_as_their_slot_moves(store: Store, cluster: Cluster) -> None:
    code = code_in(2, "ORDER")
    await start_race(store, code=code)
    migration = Migration(cluster, slot_of(keys.UNPREFIXED.room(code)))
    answers: list[CommitResult] = []
    some = asyncio.Event()

    def on_answer(at: int, answer: CommitResult) -> None:
        assert at == len(answers)
        answers.append(answer)
        if at == 100:
            some.set()

    for at in range(3000):
        commit = act(code=code, id=at + 1, at=at, action=at)
        store.commits.commit(commit, partial(on_answer, at))
    await some.wait()
    await asyncio.to_thread(migration.move_all)
    await asyncio.to_thread(migration.end)
    await until(lambda: len(answers) == 3000)
    stored = [answer for answer in answers if isinstance(answer, int)]
    assert answers[: len(stored)] == stored, "none is stored behind one that is not"
    assert isinstance(await until_stored(store, act(code=code, id=1, at=len(stored))), int)
    log = await store.logs.read(code, 1, SEAT)
    assert [record.ms for record in log[:-1]] == stored


def test_a_room_is_in_one_slot() -> None:
    # The example is from the specification of Redis Cluster.
    assert slot_of("123456789") == 0x31C3
    assert slot_of("{123456789}:room") == slot_of("{123456789}:log:1:0") == 0x31C3


def test_slots_are_parsed_with_their_nodes() -> None:
    reply = [
        [0, 5460, [b"10.0.0.1", 7000, b"id"], [b"replica.example", 7001, b"id", []]],
        [5461, 16383, [None, 7002, b"id", [b"hostname", b"x"]], [b"?", 7003], [b"", 7004]],
    ]
    found = parse_slots(Address("redis://seed:1"), reply)
    assert [(slots, str(master)) for slots, master in found] == [
        (range(5461), "10.0.0.1:7000"),
        (range(5461, 16384), "seed:7002"),
    ]


def test_the_map_of_a_single_redis_is_never_refreshed() -> None:
    seeds, clustered = parse_addresses("redis://localhost")
    topology = Topology(seeds, clustered=clustered)
    topology.request_refresh()  # without an event loop: no task is started
    assert set(topology.owners) == set(seeds)


@pytest.mark.parametrize(
    "unreadable",
    [b"*1\r\n*1\r\n:0\r\n", b"*1\r\n*3\r\n:0\r\n:16384\r\n*2\r\n$9\r\n127.0.0.1\r\n:1\r\n"],
)
async def test_a_map_that_cannot_be_read_ends_no_refresh(unreadable: bytes) -> None:
    answers = [unreadable, b"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$5\r\nother\r\n:7000\r\n"]

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(answers.pop(0))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as node:
        seeds, clustered = parse_addresses(
            f"redis+cluster://127.0.0.1:{node.sockets[0].getsockname()[1]}"
        )
        topology = Topology(seeds, clustered=clustered)
        topology.request_refresh()
        await until(lambda: len(answers) == 1)
        topology.request_refresh()
        await until(lambda: str(topology.owners[0]) == "other:7000")
        await topology.close()
        topology.request_refresh()  # as a connection does that is closed afterwards
        assert present(topology._task).done()
