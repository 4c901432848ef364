"""Acts and hints beyond the contract, also while Redis really hangs or dies."""

import asyncio
from functools import partial

import pytest
from structlog.testing import capture_logs

from server.store import CommitFailure, CommitResult, Store, StoreAway, keys
from server.store.connection import Command, pack
from server.store.pipeline import FIRST_BACKOFF_S
from tests.servers import RedisServer, opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    committed,
    everywhere,
    hint,
    on_redis,
    start_race,
    until_back,
)
from tests.waiting import until


async def test_a_failing_callback_does_not_stop_the_next_result(store: Store) -> None:
    await start_race(store)

    def fail(answer: CommitResult) -> None:
        raise ValueError(answer)

    store.commits.commit(act(), fail)
    (ms,) = await committed(store, act(id=2, at=1))
    assert isinstance(ms, int)


@everywhere
async def test_scripts_that_were_flushed_are_loaded_again(store: Store) -> None:
    await start_race(store)
    await committed(store, act())
    await ask_every_master(store, "SCRIPT", "FLUSH")
    assert await committed(store, hint(at=1)) == [CommitFailure.AWAY]
    assert await committed(store, hint(at=1)) == [1]


@on_redis
async def test_an_act_takes_few_bytes(store: Store) -> None:
    await start_race(store)
    await committed(store, *(act(id=at + 1, at=at) for at in range(300)))
    key = keys.UNPREFIXED.log(CODE, 1, SEAT, 1)
    used = await store.client.ask(Command(key, pack("MEMORY", "USAGE", key)))
    assert used < 300 * 20


async def test_a_log_is_read_from_a_given_entry_and_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the reply with a log of 20,000 entries delayed all other replies."""
    monkeypatch.setattr("server.store.seats.ENTRIES_PER_READ", 3)
    await start_race(store)
    await committed(store, *(act(at=at, id=at + 1) for at in range(7)))
    whole = await store.logs.read(CODE, 1, SEAT)
    assert len(whole) == 7
    assert [await store.logs.read(CODE, 1, SEAT, start) for start in (0, 3, 4, 7, 9)] == [
        whole, whole[3:], whole[4:], [], [],
    ]  # fmt: skip


async def test_the_keys_of_a_seat_that_acts_expire_later(store: Store) -> None:
    await start_race(store)
    touched = keys.UNPREFIXED.seat(CODE, SEAT), keys.UNPREFIXED.log(CODE, 1, SEAT, 1)
    for at in (0, 63, 64):
        for key in touched:
            await store.client.call("EXPIRE", key, 1_000)
        await committed(store, act(at=at, id=at + 1))
        left = [await store.client.call("TTL", key) for key in touched]
        assert [ttl > 1_000 for ttl in left] == [at != 63] * 2  # one act in 64 renews them


def limit_silence(store: Store, seconds: float) -> None:
    """Let Redis count as away once an open connection was silent for this long."""
    for client in (store.client, store._commit_client):
        for pipeline in client.pipelines:
            if pipeline._timer is not None:
                pipeline._timer.cancel()
            pipeline._timer, pipeline.address.reply_s = None, seconds


async def test_a_suspended_redis_is_away_until_it_continues(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        await committed(store, act())
        server.pause()
        limit_silence(store, 0.1)
        answers = await committed(store, act(id=2, at=1), act(id=3, at=2))
        assert answers == [CommitFailure.AWAY] * 2
        with pytest.raises(StoreAway):
            await store.rooms.read(CODE)
        limit_silence(store, 20.0)
        server.resume()
        await until_back(store)
        # Redis may have executed, in order, the commands that were in the socket.
        log = await store.logs.read(CODE, 1, SEAT)
        assert len(log) in {1, 2, 3}
        (answer,) = await committed(store, act(id=4, at=len(log)))
        assert isinstance(answer, int)


async def test_acts_under_way_during_a_kill_get_true_answers(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        answers: list[CommitResult] = []
        done = asyncio.Event()

        def on_answer(at: int, answer: CommitResult) -> None:
            assert at == len(answers)
            if not answers:
                server.kill()
            answers.append(answer)
            if len(answers) == 5000:
                done.set()

        for at in range(5000):
            store.commits.commit(act(id=at + 1, at=at, action=at), partial(on_answer, at))
        await done.wait()
        stored = [answer for answer in answers if isinstance(answer, int)]
        server.start()
        await until_back(store)
        log = await store.logs.read(CODE, 1, SEAT)
        # The log has all acknowledged acts, and perhaps some of the others.
        assert [record.ms for record in log[: len(stored)]] == stored
        assert answers[len(stored)] is CommitFailure.AWAY


async def test_a_long_outage_is_logged_once(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        (subscription,) = store.pubsub.subscriptions.values()
        for _ in range(2):
            with capture_logs() as logs:
                server.kill()
                # Several attempts to connect have failed.
                await until(lambda: subscription._backoff_s > 4 * FIRST_BACKOFF_S)
                server.start()
                await until_back(store)
            assert [line["event"] for line in logs] == ["notifications interrupted"]
        server.kill()  # the store is closed while its Redis is gone
