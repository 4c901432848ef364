import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

import pytest

from server.store import StoreAway, StoreError
from server.store import pipeline as line_module
from server.store.address import Address
from server.store.pipeline import Pipeline
from server.store.redis_connection import Reply, pack
from tests.servers import RedisServer


@pytest.fixture
async def line(embedded_url: str) -> AsyncIterator[Pipeline]:
    line = Pipeline(Address(embedded_url))
    await line.call("FLUSHALL")
    yield line
    await line.close()


async def test_what_waits_goes_out_together(
    line: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    exchange = line._connection.exchange

    async def counted(commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        sizes.append(len(commands))
        return await exchange(commands)

    monkeypatch.setattr(line._connection, "exchange", counted)
    monkeypatch.setattr(line_module, "MAX_BATCH", 8)
    first = asyncio.create_task(line.call("INCR", "n"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    rest = [asyncio.create_task(line.call("INCR", "n")) for _ in range(10)]
    assert [await first, *[await task for task in rest]] == list(range(1, 12))
    assert sizes == [1, 8, 2]


async def test_whoever_gives_up_leaves_the_line_in_step(line: Pipeline) -> None:
    for number in range(50):
        gone = asyncio.create_task(line.call("GET", "a"))
        await asyncio.sleep(0.0001 * (number % 5))
        gone.cancel()
        assert await line.call("ECHO", str(number)) == str(number).encode()
        await asyncio.wait([gone])


async def test_an_error_is_its_askers_alone(line: Pipeline) -> None:
    await line.call("SET", "text", "x")
    bad, good = line.call("INCR", "text"), line.call("GET", "text")
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
async def test_a_redis_that_will_not_write_is_away(line: Pipeline, error: str) -> None:
    with pytest.raises(StoreAway):
        await line.call("EVAL", "return redis.error_reply(ARGV[1])", 0, error)
    assert await line.call("PING") == b"PONG"


async def test_out_of_memory_is_away_and_passes(server: RedisServer) -> None:
    line = Pipeline(Address(server.url))
    await line.call("CONFIG", "SET", "maxmemory", 1)
    with pytest.raises(StoreAway):
        await line.call("SET", "a", "b")
    await line.call("CONFIG", "SET", "maxmemory", 0)
    await line.call("SET", "a", "b")
    await line.close()


async def test_too_many_are_refused(line: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_module, "MAX_QUEUED", 2)
    answers = await asyncio.gather(*(line.call("PING") for _ in range(3)), return_exceptions=True)
    assert answers[:2] == [b"PONG", b"PONG"]
    assert isinstance(answers[2], StoreAway)


async def test_who_is_refused_is_answered_in_turn(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the refusal overtook what waited, and whoever counts on the order was lost."""
    monkeypatch.setattr(line_module, "MAX_QUEUED", 3)
    monkeypatch.setattr(line_module, "MAX_BATCH", 2)
    line = Pipeline(Address(server.url))
    await line.call("PING")
    answers: list[tuple[int, bool]] = []

    def on_reply(number: int, reply: Reply) -> None:
        answers.append((number, reply == b"PONG"))

    server.pause()
    for number in range(8):
        line.send(pack("PING"), partial(on_reply, number))
        await asyncio.sleep(0)  # the first is on its way, and makes no room for a while
    assert answers == []
    server.resume()
    async with asyncio.timeout(10):
        while len(answers) < 8:
            await asyncio.sleep(0.002)
    assert [number for number, _ in answers] == list(range(8))
    assert {taken for _, taken in answers} == {True, False}
    assert await line.call("PING") == b"PONG"
    await line.close()


async def test_what_is_refused_lets_others_behind_it_through(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = Pipeline(Address(server.url))
    await line.call("PING")
    server.pause()
    first = asyncio.create_task(line.call("ECHO", "1"))
    await asyncio.sleep(0.05)  # it is under way
    second = asyncio.create_task(line.call("ECHO", "2"))
    await asyncio.sleep(0)
    monkeypatch.setattr(line_module, "MAX_QUEUED", 1)
    refused = asyncio.create_task(line.call("ECHO", "3"))
    await asyncio.sleep(0)
    monkeypatch.setattr(line_module, "MAX_QUEUED", 10)
    last = asyncio.create_task(line.call("ECHO", "4"))
    await asyncio.sleep(0)
    server.resume()
    assert (await first, await second, await last) == (b"1", b"2", b"4")
    with pytest.raises(StoreAway):
        await refused
    await line.close()


async def test_a_closed_line_answers_what_it_had_and_refuses_the_rest(embedded_url: str) -> None:
    line = Pipeline(Address(embedded_url))
    before = asyncio.create_task(line.call("PING"))
    await asyncio.sleep(0)
    await line.close()
    assert await before == b"PONG"
    with pytest.raises(StoreAway):
        await line.call("PING")


async def test_closing_can_be_cut_short(server: RedisServer) -> None:
    line = Pipeline(Address(server.url))
    await line.call("PING")
    server.pause()
    stuck = asyncio.create_task(line.call("PING"))
    await asyncio.sleep(0.01)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await line.close()
    assert line._task.done()
    with pytest.raises(StoreAway):
        await stuck


async def test_refusals_are_quick_while_nobody_answers(server: RedisServer) -> None:
    line = Pipeline(Address(server.url))
    server.kill()
    loop = asyncio.get_running_loop()
    began = loop.time()
    attempts = 0
    while loop.time() < began + 0.3:
        with pytest.raises(StoreAway):
            await line.call("PING")
        attempts += 1
    assert attempts > 30
    server.start()
    async with asyncio.timeout(5):
        while True:
            try:
                assert await line.call("PING") == b"PONG"
            except StoreAway:
                await asyncio.sleep(0.01)
            else:
                break
    await line.close()


async def test_a_restart_while_nothing_was_asked_loses_nothing(server: RedisServer) -> None:
    line = Pipeline(Address(server.url))
    await line.call("PING")
    server.kill()
    server.start()
    await asyncio.sleep(0.05)
    assert await line.call("PING") == b"PONG"
    await line.close()


async def test_a_preamble_that_fails_is_tried_again(server: RedisServer) -> None:
    line = Pipeline(Address(server.url), [pack("SUBSCRIBE", "x"), pack("NONSENSE")])
    with pytest.raises(StoreError):
        await line.call("GET", "a")  # a subscriber may not
    await line.close()
