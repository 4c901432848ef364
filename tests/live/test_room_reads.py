"""When a room is read from the store, and what its subscribers receive then."""

import asyncio
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from protocol.from_client import Say
from server.live.repository import Repository
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.store import Notification, StoredRoom
from tests.live.hubs import QUICK, Watched, hub_over, lobby, opened, put, quiet, race
from tests.live.memory import MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, finished, joins
from tests.waiting import until

WOW = Say(type="say", emote="wow")


async def test_a_notification_causes_one_read_and_one_message() -> None:
    async with lobby() as here:
        await Repository(here.store).apply(here.code, joins("Bob"))
        here.notify(*[Notification.ROOM] * 5)
        await until(lambda: "room 2 LOBBY" in here.subscriber.received)
        assert here.subscriber.received == ["room 1 LOBBY", "room 1 LOBBY", "room 2 LOBBY"]


async def test_a_room_is_not_read_for_changes_that_are_made_here() -> None:
    async with lobby() as here:
        await here.hub.apply(here.code, joins("Bob"))
        assert (here.store.rooms.reads, here.subscriber.received[-1]) == (1, "room 2 LOBBY")


async def test_events_are_read_only_where_chat_may_have_been_appended() -> None:
    async with lobby() as here:
        await here.hub.apply(here.code, joins("Bob"))
        here.notify(Notification.ROOM)
        await Repository(here.store).say(here.code, here.latest.room.seats[ADA], WOW)
        here.notify(Notification.ROOM)
        await until(lambda: here.store.rooms.reads == 2)
        assert here.store.rooms.asked_after == [2]


@pytest.mark.parametrize("early", [False, True])
async def test_a_room_is_not_read_for_the_notification_of_a_change_made_here(
    *, early: bool
) -> None:
    """The notification may come before the reply to the change, on another connection."""
    async with lobby() as here:
        here.store.rooms.held = asyncio.Event()
        change = asyncio.create_task(here.hub.apply(here.code, joins("Bob")))
        await until(lambda: bool(here.hub._repository._waiting))
        if early:
            here.notify(Notification.ROOM)
        here.store.rooms.held.set()
        await change
        if not early:
            here.notify(Notification.ROOM)
        await quiet(here.hub)
        assert here.store.rooms.reads == 1
        await Repository(here.store).apply(here.code, joins("Eve"))
        here.notify(Notification.ROOM)
        await until(lambda: here.v == 3)


STEPS = ("here", "elsewhere", "chat", "arrives", "is lost", "pause")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=30))
@example(["here", "is lost"])
def test_no_version_is_missed_however_changes_and_notifications_mix(steps: list[str]) -> None:
    asyncio.run(_mix(steps))


async def _mix(steps: list[str]) -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        here, elsewhere = Watched(store, hub, await opened(store)), Repository(store)
        code = here.code
        await hub.enter(here.latest, here.subscriber)
        read = store.rooms.read

        async def slowly(code: str) -> StoredRoom | None:
            stored = await read(code)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return stored

        store.rooms.read = slowly  # type: ignore[method-assign]
        under_way = lost = 0
        for number, step in enumerate(steps):
            match step:
                case "here":
                    await hub.apply(code, joins(f"P{number}"))
                    under_way += 1
                case "elsewhere":
                    await elsewhere.apply(code, joins(f"P{number}"))
                    under_way += 1
                case "chat":
                    await elsewhere.say(code, here.latest.room.seats[0], WOW)
                    under_way += 1
                case "arrives" if under_way:
                    here.notify(Notification.ROOM)
                    under_way -= 1
                case "is lost" if under_way:
                    under_way -= 1
                    lost += 1
                case _:
                    await asyncio.sleep(0)
        here.notify(*[Notification.LOST] * bool(lost), *[Notification.ROOM] * under_way)
        await until(lambda: here.v == store.rooms[code].v)
        await elsewhere.apply(code, joins("Zoe"))  # and the next one is not missed either
        here.notify(Notification.ROOM)
        await until(lambda: here.v == store.rooms[code].v)


async def test_after_lost_notifications_a_room_is_read_before_it_is_changed() -> None:
    async with lobby() as here:
        rooms = here.hub.rooms
        assert rooms.latest_known(here.code) is not None
        here.notify(Notification.LOST)
        assert rooms.latest_known(here.code) is None
        await until(lambda: rooms.latest_known(here.code) is not None)
        assert here.store.rooms.reads == 2


async def test_a_new_subscriber_triggers_a_read_unless_there_was_one_just_now() -> None:
    """Notifications of a cluster's master that hung were lost, and noticed after 20 s."""
    async with lobby(replace(QUICK, believed_s=60.0)) as here:
        await here.enter()
        await quiet(here.hub)
        assert here.store.rooms.reads == 1
        here.local.reading._read_at -= 61.0
        await here.enter()
        await until(lambda: here.store.rooms.reads == 2)


async def test_subscriptions_that_fail_are_tried_again() -> None:
    store = MemoryStore()
    store.pubsub.away = True
    async with hub_over(store) as hub:
        latest, gone = await opened(store), await opened(store)
        await hub.enter(latest, RecordingSubscriber())
        await asyncio.sleep(0.03)  # some attempts fail
        store.pubsub.away = False
        await until(lambda: latest.room.code in store.pubsub.callbacks)
        store.pubsub.away = True
        other = RecordingSubscriber()
        await hub.enter(gone, other)
        await hub.leave(gone.room.code, other)
        store.pubsub.away = False
        await asyncio.sleep(0.03)  # longer than until the next attempt
        assert gone.room.code not in store.pubsub.callbacks


async def test_chat_is_sent_once_and_in_order() -> None:
    async with lobby() as here:
        repository = Repository(here.store)
        for line in ("one", "two"):
            await repository.say(here.code, here.latest.room.seats[0], Say(text=line))
            here.hub.reread(here.code)
            here.notify(Notification.ROOM)
        await until(lambda: "said 3 two" in here.subscriber.received)
        said = [line for line in here.subscriber.received if line.startswith("said")]
        assert said == ["said 2 one", "said 3 two"]
        here.hub.reread("0000000")
        with pytest.raises(Refusal):
            await repository.say("0000000", here.latest.room.seats[0], WOW)


@pytest.mark.interpreted  # it puts a value of another type into a room
async def test_a_room_that_fails_keeps_no_other_one_from_being_read() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            for _ in range(2):
                await hub.enter(await opened(store), RecordingSubscriber())
            await quiet(hub)
            broken, sound = rooms = list(hub.rooms)
            for local in rooms:
                local.reading._read_at = float("-inf")
            broken.standings.leaderboard = None  # type: ignore[assignment]  # a bug
            reads = store.rooms.reads
            await hub.reads._refresh([broken, sound])
            assert store.rooms.reads == reads + 2
    assert [each["room"] for each in logs if each["event"] == "read failed"] == [broken.code]


@pytest.mark.parametrize(("v", "name"), [(4, "Ada"), (5, "Grace")])
async def test_a_room_that_the_store_has_taken_back_is_begun_again(v: int, name: str) -> None:
    """Regression: after a failover the room was older than the version sent, and was not sent."""
    async with race() as here:
        first, *others = here.latest.room.seats
        seats = (first.model_copy(update={"name": name}), *others)
        older = put(here.store, here.latest.room.model_copy(update={"seats": seats}), v)
        here.notify(Notification.LOST)
        await until(lambda: "taken back" in here.subscriber.received)
        assert here.hub.rooms.latest(here.code) == older


async def test_a_change_without_a_notification_is_read_in_the_end() -> None:
    async with race() as here:
        put(here.store, finished(), 6)
        here.hub.reads.refresh()
        await quiet(here.hub)
        assert "room 6 FINISHED" not in here.subscriber.received  # no connection broke
        here.hub.reads._timings = replace(QUICK, unseen_s=0.0)
        here.hub.reads.refresh()
        await until(lambda: "room 6 FINISHED" in here.subscriber.received)
        assert here.hub.rooms.latest(here.code) == VersionedRoom(finished(), 6)
