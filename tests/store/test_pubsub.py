import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from server.store import (
    CommitAnswer,
    Notification,
    ProgressNotification,
    SeatProgress,
    Store,
    StoreAway,
    StoreError,
    keys,
)
from server.store.packed_commands import pack
from tests.servers import AT_ONCE, RedisServer, opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    hint,
    start_race,
)
from tests.waiting import until


def connected(store: Store) -> bool:
    return all(one.connected for one in store.pubsub.subscriptions.values())


async def test_a_change_sends_a_notification(store: Store) -> None:
    await store.rooms.create(CODE, change())
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await store.rooms.change(CODE, 1, change())
    await store.rooms.append(CODE, "said")
    await store.rooms.delete(CODE, 1, 1)
    await until(lambda: received == [Notification.ROOM] * 3)


async def test_a_room_whose_subscription_is_interrupted_is_not_current(store: Store) -> None:
    """A room that a failover took back could be written over by what was known before."""
    await store.rooms.create(CODE, change())
    received: list[Notification | ProgressNotification] = []
    assert not store.pubsub.passes_on(CODE)
    await store.pubsub.subscribe(CODE, received.append)
    assert store.pubsub.passes_on(CODE)
    for subscription in store.pubsub.subscriptions.values():
        subscription.restart()
    await until(lambda: not store.pubsub.passes_on(CODE))
    assert received == []
    await until(lambda: store.pubsub.passes_on(CODE))
    assert received[:1] == [Notification.LOST]  # in the same turn of the loop
    store.pubsub.unsubscribe(CODE)
    assert not store.pubsub.passes_on(CODE)


async def test_a_refused_change_sends_no_notification(store: Store) -> None:
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await store.rooms.change(CODE, 1, change())
    await store.pubsub.probe()
    assert received == []


@pytest.fixture
async def other(store: Store, tmp_path: Path) -> AsyncIterator[Store]:
    """The store of a second process."""
    async with opened(store.url, tmp_path) as other:
        yield other


def progress(id_: int, seat: int = SEAT) -> SeatProgress:
    """The progress of a seat after its act `id_`."""
    return SeatProgress(seat, 1, id_, "[500,0]", 0, None, 0, 0)


def ignore(_reply: object) -> None:
    """Do nothing about a reply."""


def read(received: list[Notification | ProgressNotification]) -> list[SeatProgress | None]:
    """Return the progress in notifications that are all of progress."""
    return [each.read() for each in received if isinstance(each, ProgressNotification)]


async def test_acts_and_hints_send_no_notifications(store: Store, other: Store) -> None:
    """The process that has stored them publishes their progress, and not for each act."""
    await start_race(store)
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await other.pubsub.subscribe(CODE, received.append)
    await committed(store, act())
    counted: list[CommitAnswer] = []
    store.commits.count_hint(hint(at=1), counted.append)
    await until(lambda: counted == [1])
    await store.pubsub.probe()
    await other.pubsub.probe()
    assert received == []


async def test_progress_is_sent_to_other_processes_in_its_order(
    store: Store, other: Store
) -> None:
    await store.rooms.create(CODE, change())
    own: list[Notification | ProgressNotification] = []
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, own.append)
    await other.pubsub.subscribe(CODE, received.append)
    replies: list[object] = []
    for id_ in (1, 2, 3):
        store.pubsub.publish(CODE, [progress(id_), progress(id_, seat=2)], replies.append)
    await until(lambda: len(received) == len(replies) == 6)
    sent = [progress(id_, seat) for id_ in (1, 2, 3) for seat in (SEAT, 2)]
    assert read(received) == sent
    assert not any(isinstance(reply, StoreError) for reply in replies)
    await store.pubsub.probe()
    # Those of earlier calls may come back: they are no news.
    assert set(read(own)) <= set(sent[:4])


async def test_a_process_receives_the_progress_that_another_one_publishes_like_its_own(
    store: Store, other: Store
) -> None:
    """They are of another room, or are repeated after a failover has lost its own."""
    codes = (CODE, "1234567")
    received: dict[str, list[Notification | ProgressNotification]] = {code: [] for code in codes}
    for code in codes:
        await store.rooms.create(code, change())
        await store.pubsub.subscribe(code, received[code].append)
    store.pubsub.publish(CODE, [progress(1)], ignore)
    await store.pubsub.probe()
    other.pubsub.publish(codes[1], [progress(1)], ignore)
    await until(lambda: read(received[codes[1]]) == [progress(1)])
    assert received[CODE] == []
    for subscription in store.pubsub.subscriptions.values():
        subscription.restart()
    await until(lambda: received[CODE] == [Notification.LOST])
    other.pubsub.publish(CODE, [progress(1)], ignore)
    await until(lambda: read(received[CODE][1:]) == [progress(1)])


async def test_figures_of_a_room_that_is_left_are_published(store: Store, other: Store) -> None:
    await store.rooms.create(CODE, change())
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, received.append)
    store.pubsub.unsubscribe(CODE)
    await other.pubsub.subscribe(CODE, received.append)
    store.pubsub.publish(CODE, [progress(1)], ignore)
    await until(lambda: read(received) == [progress(1)])
    assert store.pubsub._own == {}


async def test_progress_that_cannot_be_published_is_reported(
    tmp_path: Path, server: RedisServer
) -> None:
    async with opened(server.url, tmp_path) as store:
        server.stop()
        replies: list[object] = []
        store.pubsub.publish(CODE, [progress(1), progress(1, seat=2)], replies.append)
        await until(lambda: len(replies) == 2)
        assert all(isinstance(reply, StoreAway) for reply in replies)


async def test_notifications_of_another_release_are_not_read(store: Store) -> None:
    received: list[Notification | ProgressNotification] = []
    await store.rooms.create(CODE, change())
    await store.pubsub.subscribe(CODE, received.append)
    channel = keys.channel(CODE)
    for payload in ("seat 1 2", "seat one 1 1 1   1 {}", "unknown", "room"):
        await store.client.ask(channel, pack("SPUBLISH", channel, payload))
    await until(lambda: received[2:] == [Notification.ROOM])
    assert [isinstance(each, ProgressNotification) and each.read() for each in received[:2]] == [
        None
    ] * 2


async def test_only_the_subscribed_room_sends_notifications(store: Store) -> None:
    await store.rooms.create(CODE, change())
    await store.rooms.create("OTHER", change())
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe("OTHER", received.append)
    await store.rooms.append(CODE, "said")
    await store.pubsub.probe()
    assert received == []


async def test_an_unsubscribed_room_sends_no_notifications(store: Store) -> None:
    await store.rooms.create(CODE, change())
    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, received.append)
    store.pubsub.unsubscribe(CODE)
    store.pubsub.unsubscribe(CODE)
    await store.rooms.append(CODE, "said")
    await store.pubsub.probe()
    assert received == []
    await store.pubsub.subscribe(CODE, received.append)
    await store.rooms.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_failing_callback_does_not_stop_the_next_notification(store: Store) -> None:
    await store.rooms.create(CODE, change())

    failed: list[Notification | ProgressNotification] = []

    def fail(notification: Notification | ProgressNotification) -> None:
        failed.append(notification)
        raise ValueError(notification)

    received: list[Notification | ProgressNotification] = []
    await store.pubsub.subscribe(CODE, fail)
    await store.rooms.append(CODE, "said")
    await until(lambda: failed)
    await store.pubsub.subscribe(CODE, received.append)
    await store.rooms.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_cancelled_subscription_receives_no_notifications(store: Store) -> None:
    await store.rooms.create(CODE, change())
    received: list[Notification | ProgressNotification] = []
    subscribing = asyncio.create_task(store.pubsub.subscribe(CODE, received.append))
    await asyncio.sleep(0)
    subscribing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await subscribing
    await store.rooms.append(CODE, "said")
    await store.pubsub.probe()
    assert received == []
    # The confirmation of the first subscription must not count for the second.
    await store.pubsub.subscribe(CODE, received.append)
    await store.rooms.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_lost_subscription_is_notified_and_renewed(store: Store) -> None:
    codes = [f"ROOM{number}" for number in range(5)]
    received: dict[str, list[Notification | ProgressNotification]] = {code: [] for code in codes}
    for code in codes:
        await store.rooms.create(code, change())
        await store.pubsub.subscribe(code, received[code].append)
    await ask_every_master(store, "CLIENT", "KILL", "TYPE", "pubsub")
    await until(
        lambda: all(notifications == [Notification.LOST] for notifications in received.values())
    )
    for code in codes:
        await store.rooms.append(code, "said")
    await until(
        lambda: all(
            notifications == [Notification.LOST, Notification.ROOM]
            for notifications in received.values()
        )
    )


async def test_a_probe_fails_at_once_when_all_subscriptions_are_lost(store: Store) -> None:
    probing = asyncio.create_task(store.pubsub.probe())
    await asyncio.sleep(0)
    for subscription in store.pubsub.subscriptions.values():
        subscription.restart()
    with pytest.raises(StoreAway):
        await probing


async def test_subscribing_fails_while_redis_is_away(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        server.kill()
        await until(lambda: not connected(store))
        received: list[Notification | ProgressNotification] = []
        with pytest.raises(StoreAway):
            await store.pubsub.subscribe(CODE, received.append)
        with pytest.raises(StoreAway):
            await store.pubsub.probe()
        store.pubsub.unsubscribe(CODE)
        server.start()
        await until(lambda: connected(store))
        assert received == []


async def test_a_silent_subscription_is_renewed(server: RedisServer) -> None:
    quick = replace(AT_ONCE, ping_after_s=0.05, pubsub_reply_s=1.0)
    async with opened(server.url, server.data_dir, timings=quick) as store:
        received: list[Notification | ProgressNotification] = []
        await store.pubsub.subscribe(CODE, received.append)
        await asyncio.sleep(0.3)
        assert received == []  # silence is no loss as long as PING is answered
        server.pause()
        await until(lambda: not connected(store))
        server.resume()
        await until(lambda: received == [Notification.LOST])


async def test_an_unconfirmed_subscription_is_renewed(server: RedisServer) -> None:
    quick = replace(AT_ONCE, pubsub_reply_s=1.0)
    async with opened(server.url, server.data_dir, timings=quick) as store:
        received: list[Notification | ProgressNotification] = []
        await store.pubsub.subscribe(CODE, received.append)
        server.pause()
        with pytest.raises(StoreAway):
            await store.pubsub.subscribe("OTHER", received.append)
        await until(lambda: not connected(store))
        server.resume()
        await until(lambda: received == [Notification.LOST])
