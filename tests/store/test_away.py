"""Acts while Redis hangs or dies; the tests really kill their servers."""

import asyncio
from functools import partial

import pytest
from structlog.testing import capture_logs

from server.store import CommitFailure, CommitResult, Store, StoreAway
from server.store.pipeline import FIRST_BACKOFF_S
from tests.servers import RedisServer, opened
from tests.store.rooms_and_acts import CODE, SEAT, act, committed, start_race, until_back
from tests.waiting import until


def wait_for_replies(store: Store, seconds: float) -> None:
    """Let Redis count as away after its present connections were silent for this long."""
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
        wait_for_replies(store, 0.1)
        answers = await committed(store, act(id=2, at=1), act(id=3, at=2))
        assert answers == [CommitFailure.AWAY] * 2
        with pytest.raises(StoreAway):
            await store.rooms.read(CODE)
        wait_for_replies(store, 20.0)
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
                # After more attempts.
                await until(lambda: subscription._backoff_s > 4 * FIRST_BACKOFF_S)
                server.start()
                await until_back(store)
            assert [line["event"] for line in logs] == ["notifications interrupted"]
        server.kill()  # a store closes while its Redis is gone
