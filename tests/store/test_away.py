"""Acts while Redis hangs or dies; the tests really kill their servers."""

from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from server.store import CommitAnswer, CommitFailure, StoreAway
from server.store.redis_connection import FIRST_BACKOFF_S
from tests.servers import AT_ONCE, RedisServer, opened
from tests.store.rooms_and_acts import CODE, SEAT, act, committed, start_race, until_back
from tests.waiting import until

IMPATIENT = replace(AT_ONCE, reply_s=1.0)
"""For a store that hangs; others are away at once."""


async def test_a_suspended_redis_is_away_until_it_continues(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir, timings=IMPATIENT) as store:
        await start_race(store)
        await committed(store, act())
        server.pause()
        answers = await committed(store, act(id=2, at=1), act(id=3, at=2))
        assert answers == [CommitFailure.AWAY] * 2
        with pytest.raises(StoreAway):
            await store.ping()
        server.resume()
        await until_back(store)
        # Redis may have executed the commands that were in the socket, in order.
        log = await store.logs.read(CODE, 1, SEAT)
        assert len(log) in {1, 2, 3}
        (answer,) = await committed(store, act(id=4, at=len(log)))
        assert isinstance(answer, int)


async def test_a_redis_that_is_full_is_away_until_there_is_space(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        await store.client.pipelines[0].call("CONFIG", "SET", "maxmemory", 1)
        assert await committed(store, act()) == [CommitFailure.AWAY]
        with pytest.raises(StoreAway, match="memory"):
            await store.ping()
        await store.client.pipelines[0].call("CONFIG", "SET", "maxmemory", 0)
        await until_back(store)
        (answer,) = await committed(store, act())
        assert isinstance(answer, int)


async def test_an_acknowledged_act_survives_a_kill(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        answers = await committed(store, *(act(id=at + 1, at=at, action=at) for at in range(200)))
        server.kill()
        assert await committed(store, act(id=201, at=200)) == [CommitFailure.AWAY]
        with pytest.raises(StoreAway):
            await store.rooms.read(CODE)
        server.start()
        await until_back(store)
        log = await store.logs.read(CODE, 1, SEAT)
        assert [(record.action, record.ms) for record in log] == list(enumerate(answers))
        (answer,) = await committed(store, act(id=201, at=200))
        assert isinstance(answer, int)


async def test_acts_under_way_during_a_kill_get_true_answers(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        answers: list[CommitAnswer] = []

        def on_answer(answer: CommitAnswer) -> None:
            if not answers:
                server.kill()
            answers.append(answer)

        for at in range(5000):
            store.commits.commit(act(id=at + 1, at=at, action=at), on_answer)
        await until(lambda: len(answers) == 5000)
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
                # After more attempts.
                await until(lambda: subscription._pause > 4 * FIRST_BACKOFF_S)
                server.start()
                await until_back(store)
            assert [line["event"] for line in logs] == ["notifications interrupted"]


async def test_a_store_closes_while_redis_is_gone(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir):
        server.kill()
