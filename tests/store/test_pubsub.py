import asyncio

import pytest

from server.store import Notification, Store, StoreAway
from server.store import pubsub as pubsub_module
from server.store import subscription as subscription_module
from tests.servers import RedisServer
from tests.store.rooms_and_acts import (
    CODE,
    act,
    ask_every_master,
    change,
    committed,
    start_race,
    until,
)


def connected(store: Store) -> bool:
    return all(one.connected for one in store.pubsub._subscriptions.values())


async def test_a_change_sends_a_notification(store: Store) -> None:
    await store.create(CODE, change())
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await store.change(CODE, 1, change())
    await store.append(CODE, "said")
    await store.delete(CODE, 1, 1)
    await until(lambda: received == [Notification.ROOM] * 3)


async def test_a_room_whose_subscription_is_interrupted_is_not_current(store: Store) -> None:
    """A room that a failover took back could be written over by what was known before."""
    await store.create(CODE, change())
    received: list[Notification] = []
    assert not store.pubsub.passes_on(CODE)
    await store.pubsub.subscribe(CODE, received.append)
    assert store.pubsub.passes_on(CODE)
    for subscription in store.pubsub._subscriptions.values():
        subscription.restart()
    await until(lambda: not store.pubsub.passes_on(CODE))
    assert received == []
    await until(lambda: store.pubsub.passes_on(CODE))
    assert received[:1] == [Notification.LOST]  # in the same turn of the loop
    store.pubsub.unsubscribe(CODE)
    assert not store.pubsub.passes_on(CODE)


async def test_a_refused_change_sends_no_notification(store: Store) -> None:
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await store.change(CODE, 1, change())
    await store.probe()
    assert received == []


async def test_many_acts_send_one_notification_in_100_ms(store: Store) -> None:
    await start_race(store)
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    began = await store.now()
    await committed(store, *(act(id=at + 1, at=at) for at in range(50)))
    took = await store.now() - began
    await until(lambda: received)  # a probe may come back through another master of a cluster
    await store.probe()
    assert 1 <= len(received) <= 1 + took // 100
    assert {*received} == {Notification.STANDINGS}
    before = len(received)
    await asyncio.sleep(0.11)
    await committed(store, act(id=51, at=50))
    await until(lambda: len(received) == before + 1)


async def test_only_the_subscribed_room_sends_notifications(store: Store) -> None:
    await store.create(CODE, change())
    await store.create("OTHER", change())
    received: list[Notification] = []
    await store.pubsub.subscribe("OTHER", received.append)
    await store.append(CODE, "said")
    await store.probe()
    assert received == []


async def test_an_unsubscribed_room_sends_no_notifications(store: Store) -> None:
    await store.create(CODE, change())
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    store.pubsub.unsubscribe(CODE)
    store.pubsub.unsubscribe(CODE)
    await store.append(CODE, "said")
    await store.probe()
    assert received == []
    await store.pubsub.subscribe(CODE, received.append)
    await store.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_failing_callback_does_not_stop_the_next_notification(store: Store) -> None:
    await store.create(CODE, change())

    def fail(notification: Notification) -> None:
        raise ValueError(notification)

    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, fail)
    await store.append(CODE, "said")
    await store.probe()
    await store.pubsub.subscribe(CODE, received.append)
    await store.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_cancelled_subscription_receives_no_notifications(store: Store) -> None:
    await store.create(CODE, change())
    received: list[Notification] = []
    subscribing = asyncio.create_task(store.pubsub.subscribe(CODE, received.append))
    await asyncio.sleep(0)
    subscribing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await subscribing
    await store.append(CODE, "said")
    await store.probe()
    assert received == []
    # The confirmation of the first subscription must not count for the second.
    await store.pubsub.subscribe(CODE, received.append)
    await store.append(CODE, "said")
    await until(lambda: received == [Notification.ROOM])


async def test_a_lost_subscription_is_notified_and_renewed(
    store: Store,
) -> None:
    codes = [f"ROOM{number}" for number in range(5)]
    received: dict[str, list[Notification]] = {code: [] for code in codes}
    for code in codes:
        await store.create(code, change())
        await store.pubsub.subscribe(code, received[code].append)
    await ask_every_master(store, "CLIENT", "KILL", "TYPE", "pubsub")
    await until(
        lambda: all(notifications == [Notification.LOST] for notifications in received.values())
    )
    for code in codes:
        await store.append(code, "said")
    await until(
        lambda: all(
            notifications == [Notification.LOST, Notification.ROOM]
            for notifications in received.values()
        )
    )


async def test_a_probe_fails_at_once_when_all_subscriptions_are_lost(store: Store) -> None:
    probing = asyncio.create_task(store.probe())
    await asyncio.sleep(0)
    for subscription in store.pubsub._subscriptions.values():
        subscription.restart()
    with pytest.raises(StoreAway):
        await probing


async def test_subscribing_fails_while_redis_is_away(server: RedisServer) -> None:
    store = await Store.open(server.url, server.data_dir)
    server.kill()
    await until(lambda: not connected(store))
    received: list[Notification] = []
    with pytest.raises(StoreAway):
        await store.pubsub.subscribe(CODE, received.append)
    with pytest.raises(StoreAway):
        await store.probe()
    store.pubsub.unsubscribe(CODE)
    server.start()
    await until(lambda: connected(store))
    assert received == []
    await store.close()


async def test_a_silent_subscription_is_renewed(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subscription_module, "PING_AFTER_S", 0.05)
    monkeypatch.setattr(subscription_module, "REPLY_TIMEOUT_S", 0.2)
    store = await Store.open(server.url, server.data_dir)
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    await asyncio.sleep(0.3)
    assert received == []  # silence is no loss as long as PING is answered
    server.pause()
    await until(lambda: not connected(store))
    server.resume()
    await until(lambda: received == [Notification.LOST])
    await store.close()


async def test_an_unconfirmed_subscription_is_renewed(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pubsub_module, "REPLY_TIMEOUT_S", 0.2)
    store = await Store.open(server.url, server.data_dir)
    received: list[Notification] = []
    await store.pubsub.subscribe(CODE, received.append)
    server.pause()
    with pytest.raises(StoreAway):
        await store.pubsub.subscribe("OTHER", received.append)
    await until(lambda: not connected(store))
    server.resume()
    await until(lambda: received == [Notification.LOST])
    await store.close()
