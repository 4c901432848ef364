import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest

from server.store import StoreAway, StoreError
from server.store.address import Address
from server.store.pipeline import Pipeline
from server.store.redis_connection import Reply, pack
from tests.servers import RedisServer


@pytest.fixture
async def pipeline(embedded_url: str) -> AsyncIterator[Pipeline]:
    pipeline = Pipeline(Address(embedded_url))
    await pipeline.call("FLUSHALL")
    yield pipeline
    await pipeline.close()


async def test_queued_commands_are_sent_together(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    exchange = pipeline._connection.exchange

    async def counted(commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        sizes.append(len(commands))
        return await exchange(commands)

    monkeypatch.setattr(pipeline._connection, "exchange", counted)
    pipeline._max_batch = 8
    first = asyncio.create_task(pipeline.call("INCR", "n"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    rest = [asyncio.create_task(pipeline.call("INCR", "n")) for _ in range(10)]
    assert [await first, *[await task for task in rest]] == list(range(1, 12))
    assert sizes == [1, 8, 2]


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


async def test_out_of_memory_is_away_and_passes(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("CONFIG", "SET", "maxmemory", 1)
    with pytest.raises(StoreAway):
        await pipeline.call("SET", "a", "b")
    await pipeline.call("CONFIG", "SET", "maxmemory", 0)
    await pipeline.call("SET", "a", "b")
    await pipeline.close()


async def test_commands_beyond_the_limit_are_refused(embedded_url: str) -> None:
    pipeline = Pipeline(Address(embedded_url), max_queued=2)
    answers = await asyncio.gather(
        *(pipeline.call("PING") for _ in range(3)), return_exceptions=True
    )
    await pipeline.close()
    assert answers[:2] == [b"PONG", b"PONG"]
    assert isinstance(answers[2], StoreAway)


async def test_refused_commands_are_answered_in_turn(server: RedisServer) -> None:
    """Regression: the refusal overtook queued commands, and callers rely on the order."""
    pipeline = Pipeline(Address(server.url), max_batch=2, max_queued=3)
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
    async with asyncio.timeout(10):
        while len(answers) < 8:
            await asyncio.sleep(0.002)
    assert [number for number, _ in answers] == list(range(8))
    assert {accepted for _, accepted in answers} == {True, False}
    assert await pipeline.call("PING") == b"PONG"
    await pipeline.close()


async def test_a_refused_command_does_not_block_later_ones(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("PING")
    server.pause()
    first = asyncio.create_task(pipeline.call("ECHO", "1"))
    await asyncio.sleep(0.05)  # it is under way
    second = asyncio.create_task(pipeline.call("ECHO", "2"))
    await asyncio.sleep(0)
    pipeline._max_queued = 1
    refused = asyncio.create_task(pipeline.call("ECHO", "3"))
    await asyncio.sleep(0)
    pipeline._max_queued = 10
    last = asyncio.create_task(pipeline.call("ECHO", "4"))
    await asyncio.sleep(0)
    server.resume()
    assert (await first, await second, await last) == (b"1", b"2", b"4")
    with pytest.raises(StoreAway):
        await refused
    await pipeline.close()


async def test_a_closed_pipeline_answers_queued_commands_and_refuses_new_ones(
    embedded_url: str,
) -> None:
    pipeline = Pipeline(Address(embedded_url))
    before = asyncio.create_task(pipeline.call("PING"))
    await asyncio.sleep(0)
    await pipeline.close()
    assert await before == b"PONG"
    with pytest.raises(StoreAway):
        await pipeline.call("PING")


async def test_closing_can_be_cancelled(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("PING")
    server.pause()
    stuck = asyncio.create_task(pipeline.call("PING"))
    await asyncio.sleep(0.01)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await pipeline.close()
    assert pipeline._task.done()
    with pytest.raises(StoreAway):
        await stuck


async def test_refusals_are_quick_while_redis_is_away(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    server.kill()
    loop = asyncio.get_running_loop()
    began = loop.time()
    attempts = 0
    while loop.time() < began + 0.3:
        with pytest.raises(StoreAway):
            await pipeline.call("PING")
        attempts += 1
    assert attempts > 30
    server.start()
    async with asyncio.timeout(5):
        while True:
            try:
                assert await pipeline.call("PING") == b"PONG"
            except StoreAway:
                await asyncio.sleep(0.01)
            else:
                break
    await pipeline.close()


async def test_a_restart_while_idle_loses_no_command(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url))
    await pipeline.call("PING")
    server.kill()
    server.start()
    await asyncio.sleep(0.05)
    assert await pipeline.call("PING") == b"PONG"
    await pipeline.close()


async def test_a_failing_preamble_raises_an_error(server: RedisServer) -> None:
    pipeline = Pipeline(Address(server.url), [pack("SUBSCRIBE", "x"), pack("NONSENSE")])
    with pytest.raises(StoreError):
        await pipeline.call("GET", "a")  # the preamble has failed
    await pipeline.close()
