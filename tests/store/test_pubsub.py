"""Notifications of changes and of progress, and subscriptions that are lost."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.store import Notification, ProgressNotification, SeatProgress, Store, StoreAway, keys
from server.store.pipeline import ignore
from tests.servers import AT_ONCE, RedisServer, opened
from tests.store.rooms_and_acts import CODE, SEAT, Received, ask_every_master, change, subscribed
from tests.waiting import until

OTHER = "1234567"


def connected(store: Store) -> bool:
    return all(one.protocol for one in store.pubsub.subscriptions.values())


def interrupt(store: Store) -> None:
    for subscription in store.pubsub.subscriptions.values():
        subscription._lose(StoreAway("as a test wants it"))


@pytest.fixture
async def other(store: Store, tmp_path: Path) -> AsyncIterator[Store]:
    """The store of a second process."""
    async with opened(store.url, tmp_path) as other:
        yield other


def progress(id_: int, seat: int = SEAT) -> SeatProgress:
    return SeatProgress(seat, 1, id_, 9, "[500,0]", 0, None, 0, 0)


def read(received: Received) -> list[SeatProgress | None]:
    """Return the progress in notifications that are all of progress."""
    return [each.read() for each in received if isinstance(each, ProgressNotification)]


async def test_a_process_receives_the_progress_that_another_one_publishes_like_its_own(
    store: Store, other: Store
) -> None:
    """It concerns another room, or repeats progress that a failover has lost."""
    for code in (CODE, OTHER):
        await store.rooms.create(code, change())
    received, others = await subscribed(store), await subscribed(store, OTHER)
    store.pubsub.publish(CODE, [progress(1)], ignore)
    await store.pubsub.probe()
    other.pubsub.publish(OTHER, [progress(1)], ignore)
    await until(lambda: read(others) == [progress(1)])
    assert received == []
    interrupt(store)
    await until(lambda: received == [Notification.LOST])
    other.pubsub.publish(CODE, [progress(1)], ignore)
    await until(lambda: read(received[1:]) == [progress(1)])
    store.pubsub.unsubscribe(CODE)
    theirs = await subscribed(other)
    store.pubsub.publish(CODE, [progress(2)], ignore)  # of a room that this process has left
    await until(lambda: read(theirs) == [progress(2)])


async def test_notifications_of_another_release_are_not_read(store: Store) -> None:
    await store.rooms.create(CODE, change())
    received = await subscribed(store)
    channel = keys.UNPREFIXED.channel(CODE)
    progress = "seat ", "seat 1 2", "seat one 1 1 1 1   1 {}", "seat 1 one 1 1 1   1 {}"
    for payload in (*progress, "unknown", "7"):
        await store.client.call("SPUBLISH", channel, payload)
    await until(lambda: received[4:] == [7])
    assert read(received[:4]) == [None] * 4


async def test_a_failing_callback_does_not_stop_the_next_notification(store: Store) -> None:
    await store.rooms.create(CODE, change())
    failed: Received = []

    def fail(notification: int | Notification | ProgressNotification) -> None:
        failed.append(notification)
        raise ValueError(notification)

    await store.pubsub.subscribe(CODE, fail)
    await store.rooms.append(CODE, "said")
    await until(lambda: failed)
    received = await subscribed(store)
    await store.rooms.append(CODE, "said")
    await until(lambda: received == [3])


async def test_a_cancelled_subscription_receives_no_notifications(store: Store) -> None:
    await store.rooms.create(CODE, change())
    received: Received = []
    subscribing = asyncio.create_task(store.pubsub.subscribe(CODE, received.append))
    await asyncio.sleep(0)
    subscribing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await subscribing
    await store.rooms.append(CODE, "said")
    await store.pubsub.probe()
    assert received == []
    # The confirmation of the first subscription must not count for the second.
    received = await subscribed(store)
    await store.rooms.append(CODE, "said")
    await until(lambda: received == [3])


async def test_a_lost_subscription_is_notified_and_renewed(store: Store) -> None:
    """Otherwise the state from before a failover could overwrite the room."""
    codes = [CODE, OTHER]
    received: dict[str, Received] = {}
    for code in codes:
        await store.rooms.create(code, change())
        received[code] = await subscribed(store, code)
    await ask_every_master(store, "CLIENT", "KILL", "TYPE", "pubsub")
    await until(lambda: all(one == [Notification.LOST] for one in received.values()))
    interrupt(store)
    while store.pubsub.is_subscribed(CODE):
        await asyncio.sleep(0)  # looks in each turn of the loop
    assert received[CODE] == [Notification.LOST]
    while not store.pubsub.is_subscribed(CODE):
        await asyncio.sleep(0)
    assert received[CODE] == [Notification.LOST] * 2  # at the moment it is current again
    for code in codes:
        await store.rooms.append(code, "said")
    wanted = [Notification.LOST, Notification.LOST, 2]
    await until(lambda: all(one == wanted for one in received.values()))
    store.pubsub.unsubscribe(CODE)
    assert not store.pubsub.is_subscribed(CODE)


async def test_pubsub_is_away_with_redis_and_comes_back(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        server.kill()
        await until(lambda: not connected(store))
        received: Received = []
        with pytest.raises(StoreAway):
            await store.pubsub.subscribe(CODE, received.append)
        with pytest.raises(StoreAway):
            await store.pubsub.probe()
        store.pubsub.unsubscribe(CODE)
        replies: list[object] = []
        store.pubsub.publish(CODE, [progress(1), progress(1, seat=2)], replies.append)
        await until(lambda: len(replies) == 2)
        assert all(isinstance(reply, StoreAway) for reply in replies)
        server.start()
        await until(lambda: connected(store))
        assert received == []


async def test_a_silent_subscription_confirms_nothing_and_is_renewed(server: RedisServer) -> None:
    timings = replace(AT_ONCE, ping_after_s=0.05)
    async with opened(server.url, server.data_dir, timings=timings) as store:
        received = await subscribed(store)
        server.pause()
        object.__setattr__(timings, "pubsub_reply_s", 0.1)  # no earlier reply may be late
        with pytest.raises(StoreAway):
            await store.pubsub.subscribe(OTHER, received.append)
        await until(lambda: not connected(store))
        server.resume()
        await until(lambda: Notification.LOST in received)


COUNTS = st.integers(min_value=0, max_value=2**53)
TEXTS = st.none() | st.text(min_size=1)
PROGRESS = st.builds(SeatProgress, *[COUNTS] * 4, TEXTS, COUNTS, st.none() | COUNTS, *[COUNTS] * 2)


@given(PROGRESS)
def test_progress_is_read_as_it_was_written(progress: SeatProgress) -> None:
    text = ProgressNotification(ProgressNotification.write(progress))
    assert text.read() == progress
