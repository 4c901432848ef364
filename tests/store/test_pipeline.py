import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, MovedError, TryAgainError

from server.store import StoreAway, StoreError
from server.store.address import Address
from server.store.batch_exchange import Reply
from server.store.packed_commands import pack
from server.store.pipeline import Pipeline
from tests.servers import RedisServer
from tests.waiting import until

PATIENT_S = 20.0
"""Time for replies of a server that is suspended for a moment, on a busy machine."""


async def answered_again(pipeline: Pipeline) -> Reply:
    """Return the reply to a PING, once the pause after a failed connection is over."""
    while True:
        try:
            return await pipeline.call("PING")
        except StoreAway:
            await asyncio.sleep(0.005)


@pytest.fixture
async def pipeline(embedded_url: str) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(Address(embedded_url))
    await pipeline.call("FLUSHALL")
    yield pipeline
    await pipeline.close()


async def test_a_cancelled_caller_leaves_the_pipeline_in_step(pipeline: Pipeline) -> None:
    for number in range(50):
        gone = asyncio.create_task(pipeline.call("GET", "a"))
        await asyncio.sleep(0.0001 * (number % 5))
        gone.cancel()
        assert await pipeline.call("ECHO", str(number)) == str(number).encode()
        await asyncio.wait([gone])


async def test_an_error_reaches_only_its_caller(pipeline: Pipeline) -> None:
    await pipeline.call("SET", "text", "x")
    bad, good = pipeline.call("INCR", "text"), pipeline.call("GET", "text")
    errors = await asyncio.gather(bad, good, return_exceptions=True)
    assert isinstance(errors[0], StoreError)
    assert not isinstance(errors[0], StoreAway)
    assert errors[1] == b"x"


@pytest.mark.parametrize(
    "error",
    [
        "OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Errors writing to the AOF file: No space left on device",
        "READONLY You can't write against a read only replica.",
        "NOREPLICAS Not enough good replicas to write.",
        "MASTERDOWN Link with MASTER is down.",
        "CLUSTERDOWN The cluster is down",
        "BUSY Redis is busy running a script.",
        "LOADING Redis is loading the dataset in memory",
    ],
)
async def test_a_redis_that_refuses_to_write_is_away(pipeline: Pipeline, error: str) -> None:
    with pytest.raises(StoreAway):
        await pipeline.call("EVAL", "return redis.error_reply(ARGV[1])", 0, error)
    assert await pipeline.call("PING") == b"PONG"


async def test_refused_commands_are_answered_in_turn(server: RedisServer) -> None:
    """Regression: the refusal overtook queued commands, and callers rely on the order."""
    pipeline = Pipeline(Address(server.url, PATIENT_S), max_batch=2, max_queued=3)
    await pipeline.call("PING")
    answers: list[tuple[int, bool]] = []

    def on_reply(number: int, reply: Reply) -> None:
        answers.append((number, reply == b"PONG"))

    server.pause()
    for number in range(8):
        pipeline.send(pack("PING"), partial(on_reply, number))
        await asyncio.sleep(0)  # the first batch stays under way while the server is suspended
    assert answers == []
    server.resume()
    await until(lambda: len(answers) >= 8)
    assert [number for number, _ in answers] == list(range(8))
    assert {accepted for _, accepted in answers} == {True, False}
    assert await pipeline.call("PING") == b"PONG"
    await pipeline.close()


async def test_closing_can_be_cancelled_and_answers_everything(server: RedisServer) -> None:
    """Regression: a command sent meanwhile was queued after the last batch, for ever."""
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("PING")
    server.pause()
    answers: list[Reply] = []
    pipeline.send(pack("PING"), lambda _: pipeline.send(pack("PING"), answers.append))
    stuck = asyncio.create_task(pipeline.call("PING"))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await pipeline.close()
    assert pipeline._task.done()
    with pytest.raises(StoreAway):
        await stuck
    assert [type(answer) for answer in answers] == [StoreAway]


async def test_refusals_are_quick_while_redis_is_away(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = Pipeline(Address(server.url))
    server.kill()
    attempts = 0
    connect = Address.connect

    async def counted(address: Address) -> AbstractConnection:
        nonlocal attempts
        attempts += 1
        return await connect(address)

    monkeypatch.setattr(Address, "connect", counted)
    for _ in range(300):
        with pytest.raises(StoreAway):
            await pipeline.call("PING")
    assert 1 <= attempts < 100  # most are refused without an attempt to connect
    server.start()
    assert await answered_again(pipeline) == b"PONG"
    await pipeline.close()


async def test_a_restart_while_idle_loses_no_command(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("PING")
    server.kill()
    server.start()
    await until(lambda: not pipeline._connection.batches.ready)
    assert await pipeline.call("PING") == b"PONG"
    await pipeline.close()


async def test_a_failing_preamble_raises_an_error(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url), [pack("SUBSCRIBE", "x"), pack("NONSENSE")])
    with pytest.raises(StoreError):
        await pipeline.call("GET", "a")  # the preamble has failed
    await pipeline.close()


class ScriptedConnection:
    """A connection that is never ready for a batch at once, and has scripted replies to each."""

    def __init__(self, *batches: list[Reply]) -> None:
        self._batches = list(batches)
        self.sent: list[list[bytes]] = []

    async def exchange(self, commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        self.sent.append(list(commands))
        replies = self._batches.pop(0)
        return replies, not any(isinstance(reply, Exception) for reply in replies)

    async def drop(self) -> None:
        pass


class Followed:
    """Redirects that answer each followed command by its own bytes."""

    def request_refresh(self) -> None:
        pass

    def moved(self, by: Address, error: MovedError) -> None:
        pass

    async def follow_ask(self, by: Address, error: AskError, command: bytes) -> Reply:  # noqa: ARG002  # a protocol's signature
        return b"followed " + command


async def exchanged(
    connection: ScriptedConnection, *commands: tuple[bytes, int]
) -> list[tuple[bytes, Reply]]:
    """Send commands, each with its slot, in one batch; return them and their replies in order."""
    pipeline = Pipeline(Address("redis://127.0.0.1:1"), redirects=Followed())
    pipeline._connection = connection  # type: ignore[assignment]  # a fake
    answers: list[tuple[bytes, Reply]] = []
    for command, slot in commands:
        pipeline.send(command, lambda reply, of=command: answers.append((of, reply)), slot)  # type: ignore[misc]
    await pipeline.close()
    return answers


ASK = "5 127.0.0.1:2"


async def test_a_redirection_is_not_followed_past_a_command_that_goes_again() -> None:
    """Regression: an act was answered `stale`, since the one before it was not stored yet."""
    connection = ScriptedConnection([TryAgainError(), AskError(ASK), AskError(ASK)], [1, 2])
    answers = await exchanged(connection, (b"first", 5), (b"second", 5), (b"other", 6))
    assert connection.sent == [[b"first", b"second", b"other"], [b"first", b"second"]]
    assert answers == [(b"other", b"followed other"), (b"first", 1), (b"second", 2)]


async def test_redirections_are_followed_up_to_a_command_that_goes_again() -> None:
    connection = ScriptedConnection([AskError(ASK), TryAgainError(), AskError(ASK)], [2, 3])
    answers = await exchanged(connection, (b"first", 5), (b"second", 5), (b"third", 5))
    assert connection.sent[1] == [b"second", b"third"]
    assert answers == [(b"first", b"followed first"), (b"second", 2), (b"third", 3)]


async def test_a_redirected_command_before_an_executed_one_does_not_go_again() -> None:
    connection = ScriptedConnection([MovedError(ASK), 7])
    (first, why), second = await exchanged(connection, (b"first", 5), (b"second", 5))
    assert first == b"first"
    assert isinstance(why, StoreAway)
    assert second == (b"second", 7)
    assert len(connection.sent) == 1
