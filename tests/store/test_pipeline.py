"""Commands and their replies, in any packets and with any end of a connection."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from typing import Any
from unittest.mock import Mock, call

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from server.store import STORE_TIMINGS, StoreAway, StoreError, StoreFull, Unreadable
from server.store.address import Address
from server.store.cluster import ClusterClient, Topology
from server.store.connection import RedisProtocol, Reply, pack
from server.store.pipeline import MAX_BATCH, Pipeline, ignore
from server.store.subscription import Channel, Subscription
from tests.present import present
from tests.servers import silent_port
from tests.waiting import until

REPLIES = b"+OK\r\n:17\r\n$5\r\nhello\r\n*2\r\n$1\r\na\r\n$-1\r\n-ERR no\r\n"
PING, PONG = pack("PING"), b"+PONG\r\n"
UNREADABLE = [b"-MOVED\r\n", b"-ASK 1 host:port\r\n", b"%1\r\n*0\r\n+a\r\n"]
"""Replies that make a parser raise errors of other libraries."""


class Peer:
    """A server that answers each packet it receives with the next of these bytes, if any."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.received: list[bytes] = []
        self.connections = 0
        self.writers: list[asyncio.StreamWriter] = []
        self.url = ""
        self.address: Address

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        while data := await reader.read(65_536):
            self.received.append(data)
            if self.answers:
                writer.write(self.answers.pop(0))


@asynccontextmanager
async def listening() -> AsyncIterator[Peer]:
    peer = Peer()
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
    peer.url = f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    peer.address = Address(peer.url)
    yield peer
    server.close()
    for writer in peer.writers:
        writer.close()


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    async with listening() as peer:
        yield peer


@pytest.fixture
async def pipeline(peer: Peer) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(peer.address)
    yield pipeline
    pipeline.close()


async def answered_again(pipeline: Pipeline) -> Reply:
    """Return the reply to a PING, once the pause after a failed connection is over."""
    while True:
        try:
            return await pipeline.ask(PING)
        except StoreAway:
            await asyncio.sleep(0.005)


def protocol_with(received: list[Any], lost: list[Exception]) -> RedisProtocol:
    """A protocol over streams that nobody reads."""

    streams = Mock()
    streams.at_eof.return_value = streams.transport.is_closing.return_value = False
    connection = Mock(_reader=streams, _writer=streams)
    return RedisProtocol(connection, received.append, lost.append)


@given(st.lists(st.integers(0, len(REPLIES)), max_size=8))
def test_each_reply_comes_once_in_order_in_any_packets(cuts: list[int]) -> None:
    received: list[Any] = []
    protocol = protocol_with(received, [])
    ends = [0, *sorted(cuts), len(REPLIES)]
    for start, end in pairwise(ends):
        protocol.data_received(REPLIES[start:end])
    *rest, error = received
    assert rest == [b"OK", 17, b"hello", [b"a", None]]
    assert isinstance(error, ResponseError)


@pytest.mark.parametrize(
    "last",
    [b"?\r\n", b"-ERR max number of clients reached\r\n", b"-LOADING wait\r\n", *UNREADABLE],
)
def test_a_connection_that_redis_refuses_is_lost_after_its_replies(last: bytes) -> None:
    received: list[Any] = []
    lost: list[Exception] = []
    protocol = protocol_with(received, lost)
    protocol.data_received(b"+OK\r\n" + last + b"+OK\r\n")
    protocol.eof_received()
    protocol.connection_lost(None)
    assert (received, len(lost), protocol.is_lost) == ([b"OK"], 1, True)
    with pytest.raises(StoreAway):
        protocol.send([PING])


async def test_a_connection_that_is_made_while_the_pipeline_closes_is_closed(
    peer: Peer, pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: it stayed open, since its task could not be cancelled any more."""
    connect, made = peer.address.open, list[RedisProtocol]()

    async def connect_and_close(*of: Any) -> RedisProtocol:
        made.append(await connect(*of))
        asyncio.get_running_loop().call_soon(pipeline.close)
        return made[0]

    monkeypatch.setattr(peer.address, "open", connect_and_close)
    with pytest.raises(StoreAway):
        await pipeline.ask(PING)
    await asyncio.sleep(0)
    assert made[0].is_lost


async def test_queued_commands_are_sent_together(peer: Peer) -> None:
    total = 1 + MAX_BATCH + 2
    numbers = [b":%d\r\n" % number for number in range(total)]
    peer.answers = [numbers[0], b"".join(numbers[1:-2]), b"".join(numbers[-2:])]
    pipeline = Pipeline(peer.address)
    replies = [await pipeline.ask(PING)]
    replies += await asyncio.gather(*(pipeline.ask(PING) for _ in range(total - 1)))
    assert replies == list(range(total))
    assert [packet.count(b"PING") for packet in peer.received] == [1, MAX_BATCH, 2]
    pipeline.close()


async def test_a_connection_that_sends_surplus_is_replaced(peer: Peer, pipeline: Pipeline) -> None:
    """Otherwise every later command would get the reply to the one before it."""
    peer.answers = [b"+1\r\n+surplus\r\n", b"+2\r\n", b"+3\r\n"]
    assert await pipeline.ask(PING) == b"1"
    assert await pipeline.ask(PING) == b"2"
    assert peer.connections == 2
    peer.writers[1].write(b"+surplus\r\n")
    await until(lambda: pipeline._protocol is None)
    assert await pipeline.ask(PING) == b"3"
    assert peer.connections == 3


def test_replies_that_came_while_this_process_stood_still_count() -> None:
    """When thousands of players return at once, a turn of the loop may take seconds.

    uvloop calls timers before it reads data that came while it handled other sockets.
    """
    uvloop = pytest.importorskip("uvloop")
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_stand_still())


async def _stand_still() -> None:
    peer = Peer()
    server = await asyncio.start_server(peer.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    pipeline = Pipeline(Address(f"redis://127.0.0.1:{port}"))
    peer.answers = [b"+1\r\n"]
    assert await pipeline.ask(PING) == b"1"
    present(pipeline._timer).cancel()
    pipeline._timer, pipeline.address.reply_s = None, 0.2
    asked = asyncio.ensure_future(pipeline.ask(PING))
    await until(lambda: len(peer.received) == 2)
    ready, write = os.pipe()

    def stand_still() -> None:
        os.read(ready, 1)
        os.write(peer.writers[0].get_extra_info("socket").fileno(), b"+2\r\n")
        time.sleep(0.3)

    asyncio.get_running_loop().add_reader(ready, stand_still)
    os.write(write, b"x")
    assert await asked == b"2"
    asyncio.get_running_loop().remove_reader(ready)
    os.close(ready)
    os.close(write)
    pipeline.close()
    server.close()
    peer.writers[0].close()


async def test_a_late_reply_answers_no_later_command(peer: Peer, pipeline: Pipeline) -> None:
    pipeline.address.reply_s = 0.05
    with pytest.raises(StoreAway):
        await pipeline.ask(PING)
    await until(lambda: bool(peer.writers))
    peer.writers[0].write(b"+late\r\n")
    pipeline.address.reply_s = 20.0
    peer.answers = [b"+1\r\n"]
    assert await answered_again(pipeline) == b"1"
    assert peer.connections == 2


async def test_a_cancelled_call_keeps_the_pipeline_in_step(peer: Peer, pipeline: Pipeline) -> None:
    gone = asyncio.ensure_future(pipeline.ask(PING))
    await until(lambda: bool(peer.received))
    gone.cancel()
    await asyncio.wait([gone])
    peer.writers[0].write(b"+1\r\n")
    peer.answers = [b"+2\r\n"]
    assert await pipeline.ask(PING) == b"2"


@pytest.mark.parametrize(
    ("error", "meaning"),
    [
        ("ERR no such command", StoreError),
        ("WRONGTYPE Operation against a key", Unreadable),
        ("OOM command not allowed when used memory > 'maxmemory'.", StoreFull),
        ("MISCONF Errors writing to the AOF file: No space left on device", StoreAway),
        ("READONLY You can't write against a read only replica.", StoreAway),
        ("NOREPLICAS Not enough good replicas to write.", StoreAway),
        ("MASTERDOWN Link with MASTER is down.", StoreAway),
        ("CLUSTERDOWN The cluster is down", StoreAway),
        ("BUSY Redis is busy running a script.", StoreAway),
        ("LOADING Redis is loading the dataset in memory", StoreAway),
    ],
)
async def test_an_error_reaches_only_its_caller_with_its_meaning(
    peer: Peer, pipeline: Pipeline, error: str, meaning: type[StoreError]
) -> None:
    peer.answers = [b"+1\r\n", b"+2\r\n-" + error.encode() + b"\r\n"]
    assert await pipeline.ask(PING) == b"1"
    asked = [pipeline.ask(PING) for _ in range(2)]
    good, bad = await asyncio.gather(*asked, return_exceptions=True)
    assert (good, type(bad)) == (b"2", meaning)
    peer.answers = [PONG]
    assert await answered_again(pipeline) == b"PONG"


@pytest.mark.parametrize(
    ("error", "connections"), [("ERR no", 1), ("READONLY a replica", 2), ("MASTERDOWN lost", 2)]
)
async def test_a_pipeline_reconnects_after_its_master_was_replaced(
    peer: Peer, pipeline: Pipeline, error: str, connections: int
) -> None:
    """Its host name may lead to another one by now."""
    peer.answers = [b"+1\r\n", f"-{error}\r\n".encode(), b"+2\r\n"]
    assert await pipeline.ask(PING) == b"1"
    with pytest.raises(StoreError):
        await pipeline.ask(PING)
    assert await pipeline.ask(PING) == b"2"
    assert peer.connections == connections


@pytest.mark.parametrize(
    ("user", "refusal", "why"),
    [
        ("", b"-NOAUTH Authentication required.\r\n", "Redis asks for a password"),
        (":old@", b"-WRONGPASS invalid pair\r\n", "Redis refuses the user or password"),
    ],
)
async def test_a_password_that_changed_is_named_until_it_is_right_again(
    peer: Peer, user: str, refusal: bytes, why: str
) -> None:
    pipeline = Pipeline(Address(peer.url.replace("//", f"//{user}")))
    login = [b"+OK\r\n"] if user else []
    peer.answers = [*login, b"+1\r\n"]
    assert await pipeline.ask(PING) == b"1"
    peer.writers[0].close()
    await until(lambda: pipeline._protocol is None)
    peer.answers = [refusal]
    with pytest.raises(StoreAway, match=why) as refused:
        await pipeline.ask(PING)
    assert "old" not in str(refused.value)
    peer.answers = [*login, b"+2\r\n"]
    assert await answered_again(pipeline) == b"2"
    pipeline.close()


async def test_closing_can_be_cancelled_and_answers_everything(peer: Peer) -> None:
    """Regression: a command sent meanwhile was queued after the last batch, for ever."""
    client = ClusterClient(Topology([peer.address], clustered=False), ())
    answers: list[Reply] = []
    client.pipelines[0].send(PING, lambda _: client.pipelines[0].send(PING, answers.append))
    stuck = asyncio.ensure_future(client.call("GET", "key"))
    await until(lambda: bool(peer.received))
    closing = asyncio.create_task(client.close())
    await asyncio.sleep(0)
    assert not closing.done()
    closing.cancel()
    with pytest.raises(StoreAway):
        await stuck
    await until(lambda: bool(answers))
    assert [type(answer) for answer in answers] == [StoreAway]


async def test_commands_behind_a_batch_are_answered_when_the_client_closes(peer: Peer) -> None:
    client = ClusterClient(Topology([peer.address], clustered=False), ())
    asked = [asyncio.ensure_future(client.call("GET", "key"))]
    await until(lambda: bool(peer.received))
    peer.answers = [b"+3\r\n+PONG\r\n"]
    asked.append(asyncio.ensure_future(client.call("GET", "key")))
    await asyncio.sleep(0)
    closing = asyncio.create_task(client.close())
    await asyncio.sleep(0)
    peer.writers[0].write(b"+2\r\n")
    await closing
    assert [await each for each in asked] == [b"2", b"3"]
    with pytest.raises(StoreAway):
        await client.call("GET", "key")


async def test_refusals_are_quick_while_redis_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    attempts = 0
    connect = Address.connect

    async def counted(address: Address) -> AbstractConnection:
        nonlocal attempts
        attempts += 1
        return await connect(address)

    monkeypatch.setattr(Address, "connect", counted)
    with silent_port() as port:
        pipeline = Pipeline(Address(f"redis://127.0.0.1:{port}"))
        for _ in range(300):
            with pytest.raises(StoreAway):
                await pipeline.ask(PING)
        pipeline.close()
    assert 1 <= attempts < 100  # most are refused without an attempt to connect


async def test_a_lost_batch_fails_and_the_next_reconnects(peer: Peer, pipeline: Pipeline) -> None:
    peer.answers = [b"+1\r\n", b"+2\r\n-ERR"]
    assert await pipeline.ask(PING) == b"1"
    batch = [asyncio.ensure_future(pipeline.ask(PING)) for _ in range(3)]
    await until(lambda: len(peer.received) == 2)
    peer.writers[0].close()
    first, *rest = await asyncio.gather(*batch, return_exceptions=True)
    assert first == b"2"
    assert [type(each) for each in rest] == [StoreAway, StoreAway]
    peer.answers = [b"+3\r\n", b"+4\r\n"]
    assert await pipeline.ask(PING) == b"3"
    peer.writers[1].close()  # while it is idle, which loses no command
    await until(lambda: pipeline._protocol is None)
    assert await pipeline.ask(PING) == b"4"
    assert peer.connections == 3


@pytest.mark.parametrize("reply", UNREADABLE)
@pytest.mark.parametrize("earlier", [0, 1])
async def test_a_pipeline_goes_on_after_a_reply_that_cannot_be_read(
    peer: Peer, pipeline: Pipeline, reply: bytes, earlier: int
) -> None:
    peer.answers = [b"+1\r\n"] * earlier + [reply]
    for _ in range(earlier):
        assert await pipeline.ask(PING) == b"1"
    with pytest.raises(StoreAway):
        await pipeline.ask(PING)
    peer.answers = [b"+2\r\n"]
    assert await answered_again(pipeline) == b"2"
    assert peer.connections == 2


async def test_a_pipeline_goes_on_after_an_error_of_its_own(peer: Peer) -> None:
    def fail(*_: object) -> None:
        raise IndexError

    pipeline = Pipeline(peer.address, on_errors=fail)
    peer.answers = [b"-ERR no\r\n", b"+2\r\n"]
    with capture_logs() as logs, pytest.raises(StoreError):
        await pipeline.ask(PING)
    assert [line["log_level"] for line in logs] == ["error"]
    assert await pipeline.ask(PING) == b"2"
    pipeline.close()


async def test_a_subscription_goes_on_after_a_reply_that_cannot_be_read(peer: Peer) -> None:
    subscription = Subscription(peer.address, Mock(channels={}), STORE_TIMINGS)
    peer.answers = [b"*0\r\n", UNREADABLE[0], b"+PONG\r\n"]
    await subscription.opened.wait()
    assert peer.connections == 3
    subscription.task.cancel()
    await asyncio.wait([subscription.task])


async def test_redis_unsubscribes_by_itself_before_it_confirms_another_channel(peer: Peer) -> None:
    """As when a slot moves: the next command is still to be confirmed."""
    one, two = Channel(b"one", ignore), Channel(b"two", ignore)
    pubsub = Mock(channels={b"one": one, b"two": two})
    subscription = Subscription(peer.address, pubsub, STORE_TIMINGS)
    subscription.subscribe(one)
    await until(lambda: bool(peer.received))
    peer.writers[0].write(pack("ssubscribe", "one", "1") + PONG)
    await subscription.opened.wait()
    subscription.subscribe(two)
    peer.writers[0].write(pack("sunsubscribe", "one", "0") + pack("ssubscribe", "two", "1"))
    await until(lambda: pubsub.handle_confirmation.call_count == 2)
    pubsub.handle_confirmation.assert_called_with(two)
    pubsub.handle_moved_channel.assert_called_once_with(b"one", subscription)
    subscription.task.cancel()
    await asyncio.wait([subscription.task])


@pytest.mark.parametrize(
    ("reply", "asks"),
    [
        (b"-MOVED 5 127.0.0.1:2", "this node"),
        (b"-ASK 5 127.0.0.1:2", None),
        (b"-TRYAGAIN", None),
        (b"-CLUSTERDOWN The cluster is down", "any node"),
    ],
)
async def test_a_redirected_command_fails_and_is_not_repeated(
    reply: bytes, asks: str | None, peer: Peer, monkeypatch: pytest.MonkeyPatch
) -> None:
    topology = Topology([peer.address], clustered=False)
    client = ClusterClient(topology, ())
    refresh = Mock()
    monkeypatch.setattr(topology, "request_refresh", refresh)
    asked = [asyncio.ensure_future(client.pipelines[5].ask(PING, slot)) for slot in (5, 6)]
    await until(lambda: bool(peer.received))
    peer.writers[0].write(reply + b"\r\n:6\r\n")
    first, other = await asyncio.gather(*asked, return_exceptions=True)
    assert (type(first), other) == (StoreAway, 6)
    await client.close()
    assert peer.received == [PING * 2]
    wanted = {"this node": [call(peer.address)], "any node": [call()], None: []}
    assert refresh.call_args_list == wanted[asks]


async def test_commands_of_a_moving_slot_fail_in_order_and_others_go_on(peer: Peer) -> None:
    """The former master may still answer: nobody waits for that any more."""
    topology = Topology([peer.address], clustered=False)
    client = ClusterClient(topology, ())
    found: list[tuple[str, Any]] = []

    def on_reply(command: str, reply: Reply) -> None:
        found.append((command, type(reply) if isinstance(reply, StoreError) else reply))

    for command, slot in (("sent", 5), ("other", 6)):
        client.pipelines[slot].send(PING, partial(on_reply, command), slot)
    await until(lambda: bool(peer.received))
    client.pipelines[5].send(PING, partial(on_reply, "queued"), 5)
    async with listening() as other:
        topology.assign(range(5, 6), other.address)
        assert found == [("sent", StoreAway), ("queued", StoreAway)]
        other.answers = [b":3\r\n"]
        client.pipelines[5].send(PING, partial(on_reply, "new"), 5)
        await until(lambda: len(found) == 3)
        peer.writers[0].write(b":1\r\n:2\r\n")
        await until(lambda: len(found) == 4)
        await client.close()
    assert found[2:] == [("new", 3), ("other", 2)]
    assert peer.received == [PING * 2]


async def test_a_pipeline_that_is_closed_while_it_connects_answers_its_commands() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = Address(f"redis://me:secret@127.0.0.1:{silent.getsockname()[1]}")
        pipeline = Pipeline(address)
        asked = pipeline.ask(PING)
        await until(lambda: pipeline._connecting is not None)
        pipeline.close()
        with pytest.raises(StoreAway):
            await asked
