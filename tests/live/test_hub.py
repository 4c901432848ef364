"""How subscribers enter and leave rooms and receive changes, and when rooms are read."""

import asyncio
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from protocol.from_client import Say
from protocol.settings import Settings
from protocol.vocabulary import RoomState
from server.live.hub import LIVE_TIMINGS
from server.rooms.events import Reconnected, Refusal
from server.store import Notification, StoreAway
from server.views.rooms import MAX_SEATS_SENT_WHOLE
from tests.live.watched import ADA_HOST, PASS_S, TWO, Ear, Watched, lobby, progress, race, renamed
from tests.present import present
from tests.rooms.rooms import ADA, finished, happen, joins
from tests.rooms.rooms import lobby as new_lobby
from tests.world.world import opened, play

WOW = Say(emote="wow")
REREAD_S = LIVE_TIMINGS.reread_s


async def test_all_subscribers_receive_a_change_until_they_leave() -> None:
    async with lobby() as here:
        other = await here.enter()
        await here.world.store.rooms.append(here.code, "no chat")
        await here.hub.apply(here.code, joins("Bob"))
        assert here.ear.received[-1] == other.received[-1] == "room 3 LOBBY"
        for _ in range(2):
            await here.hub.leave(here.code, other)
        left = len(other.received)
        await here.hub.apply(here.code, joins("Cy"))
        assert (here.ear.received[-1], len(other.received)) == ("room 4 LOBBY", left)
        await here.hub.leave(here.code, here.ear)
        assert not here.here.connection.pubsub.is_subscribed(here.code)
        assert here.hub.latest(here.code) is None
        here.act(progress(1))
        here.load(progress(1))
        here.hub.send_standings(here.code, here.ear)
        here.hub.reread(here.code)
        with pytest.raises(Refusal):
            await here.rows()


async def test_the_closing_of_a_room_reaches_all_subscribers() -> None:
    async with lobby() as here:
        here.update(2, renamed(here.latest.room, here.code, state=RoomState.CLOSED))
        assert here.ear.received[-1] == "closed"
        await here.world.store.rooms.delete(here.code)
        await here.receives(Notification.LOST)
        assert here.ear.received[-2:] == ["closed", "closed"]


async def test_changed_seats_of_a_large_room_are_sent_together() -> None:
    large = happen(new_lobby(), *(joins(f"P{number}") for number in range(MAX_SEATS_SENT_WHOLE)))
    async with race(room=lambda: large) as here:
        received = here.ear.received
        received.clear()
        for generation in (7, 8, 9):
            await here.hub.apply(here.code, Reconnected(ADA, generation))
        assert received == ["room 6 LOBBY"]
        await asyncio.sleep(LIVE_TIMINGS.room_interval_s + 0.001)
        assert received == ["room 6 LOBBY", "room 8 LOBBY"]
        for generation in (10, 11):
            await here.hub.apply(here.code, Reconnected(ADA, generation))
        here.world.store.put(large, 5)  # a failover has lost the collected changes
        with here.faults.held("rooms.read", after=True):
            await here.receives(Notification.LOST)
        await asyncio.sleep(PASS_S)
        assert received[2:] == ["room 10 LOBBY", "taken back", "room 5 LOBBY"]


async def test_a_room_is_read_once_for_many_notifications_and_not_for_changes_made_here() -> None:
    async with lobby() as here:
        await here.hub.apply(here.code, joins("Bob"))
        await asyncio.sleep(PASS_S)
        assert (here.reads(), here.ear.received[-1]) == (0, "room 2 LOBBY")
        here.here.connection.pubsub.is_deaf = True
        await here.here.repository.apply(here.code, joins("Cy"))
        here.here.connection.pubsub.is_deaf = False
        await here.receives(*[3] * 5)
        assert (here.reads(), here.ear.received[-1]) == (1, "room 3 LOBBY")
        assert here.ear.received.count("room 3 LOBBY") == 1


@pytest.mark.parametrize("early", [False, True])
async def test_a_notification_of_a_change_here_may_precede_its_result(*, early: bool) -> None:
    async with lobby() as here:
        with here.faults.held("rooms.change", after=early):
            change = asyncio.create_task(here.hub.apply(here.code, joins("Bob")))
            await asyncio.sleep(0.01)
            assert not change.done()
        await change
        await asyncio.sleep(PASS_S)
        assert (here.reads(), here.v) == (0, 2)


async def test_chat_is_sent_once_in_order_and_read_only_if_there_may_be_some() -> None:
    async with lobby() as here:
        repository = here.here.repository
        await here.hub.apply(here.code, joins("Bob"))
        for line in ("one", "two"):
            await repository.say(here.code, here.latest.room.seats[ADA], Say(text=line))
            here.hub.reread(here.code)
        await asyncio.sleep(PASS_S)
        said = [line for line in here.ear.received if line.startswith("said")]
        assert said == ["said 3 one", "said 4 two"]
        asked = [given for call, given in here.faults.given if call == "rooms.events"]
        assert asked[0] == (here.code, 2)
        with pytest.raises(Refusal):
            await repository.say("0000000", here.latest.room.seats[ADA], WOW)


STEPS = ("here", "elsewhere", "chat", "is lost", "is cut", "pause")


@given(st.lists(st.sampled_from(STEPS), max_size=25), st.sampled_from([0.0, 0.01]))
@example(["here", "is lost", "elsewhere"], 0.0)
def test_no_version_is_missed_in_any_order_of_steps(steps: list[str], slow_s: float) -> None:
    async def script(world: Any) -> None:
        here = Watched(world, await world.first.repository.open(ADA_HOST, Settings()))
        elsewhere, pubsub = world.processes["elsewhere"].repository, world.first.connection.pubsub
        await world.hub.enter(here.latest, here.ear)
        world.faults.slow("rooms.read", slow_s)
        for number, step in enumerate([*steps, "elsewhere"]):
            match step:
                case "here":
                    await world.hub.apply(here.code, joins(f"P{number}"))
                case "elsewhere":
                    await elsewhere.apply(here.code, joins(f"P{number}"))
                case "chat":
                    await elsewhere.say(here.code, here.latest.room.seats[ADA], WOW)
                case "is lost":
                    pubsub.is_deaf = True
                case "is cut":
                    pubsub.is_cut = True
                case _:
                    await asyncio.sleep(0)
            if step not in {"is lost", "is cut"} and (pubsub.is_deaf or pubsub.is_cut):
                pubsub.is_deaf = False
                pubsub.renew()
        await asyncio.sleep(PASS_S)
        assert here.v == world.store.rooms[here.code].v
        said = [line for line in here.ear.received if line.startswith("said")]
        in_order = sorted(set(said), key=lambda line: int(line.split()[1]))
        assert list(dict.fromkeys(said)) == in_order
        assert len(in_order) == steps.count("chat")
        await elsewhere.apply(here.code, joins("Zoe"))  # the next version is not missed either
        await asyncio.sleep(PASS_S)
        assert here.v == world.store.rooms[here.code].v

    play(script, chosen=TWO)


async def test_after_lost_notifications_a_room_is_read_before_it_is_changed() -> None:
    async with lobby() as here:
        rooms = here.here.rooms
        assert rooms.latest_known(here.code) is not None
        here.here.connection.pubsub.is_cut = True
        assert rooms.latest_known(here.code) is None
        here.here.connection.pubsub.renew()
        await asyncio.sleep(0)
        assert rooms.latest_known(here.code) is None
        await asyncio.sleep(PASS_S)
        assert (rooms.latest_known(here.code) is not None, here.reads()) == (True, 1)


async def test_a_new_subscriber_triggers_a_read_unless_there_was_one_just_now() -> None:
    """When a cluster's master hung, lost notifications were noticed only after 20 s."""
    async with lobby() as here:
        await asyncio.sleep(LIVE_TIMINGS.believed_s - PASS_S - 0.01)
        await here.enter()
        await asyncio.sleep(0.1)
        assert here.reads() == 0
        await here.enter()
        await asyncio.sleep(0.1)
        assert here.reads() == 1


async def test_subscriptions_that_fail_are_tried_again() -> None:
    async with opened(chosen=TWO) as world:
        first, gone = [await world.first.repository.open(ADA_HOST, Settings()) for _ in range(2)]
        ear, other, pubsub = Ear(), Ear(), world.first.connection.pubsub
        world.faults.failing["pubsub.subscribe"] = StoreAway()
        await world.hub.enter(first, ear)
        await world.hub.enter(gone, other)
        await asyncio.sleep(2.5)  # some attempts fail
        await world.hub.leave(gone.room.code, other)
        assert not pubsub.is_subscribed(first.room.code)
        await world.store.rooms.append(first.room.code, '{"seat":0,"name":"Ada","text":"hi"}')
        world.faults.failing.clear()
        await asyncio.sleep(LIVE_TIMINGS.retry_s + PASS_S)
        open_ones = [pubsub.is_subscribed(each.room.code) for each in (first, gone)]
        assert open_ones == [True, False]
        assert ear.received[-1] == "said 2 hi"  # read after the subscription


async def test_a_subscription_that_fails_closes_the_subscribers() -> None:
    """Regression: they got changes of other processes only every twenty seconds, for ever."""
    async with opened(chosen=TWO) as world:
        latest, ear = await world.first.repository.open(ADA_HOST, Settings()), Ear()
        world.faults.failing["pubsub.subscribe"] = StoreAway()
        await world.hub.enter(latest, ear)
        world.faults.failing["pubsub.subscribe"] = ZeroDivisionError()
        await asyncio.sleep(LIVE_TIMINGS.retry_s + PASS_S)
    assert ear.received[-1] == "failed"


async def changed_unheard(here: Watched) -> str:
    """Change another room without a notification; return its code."""
    other = await here.here.repository.open(ADA_HOST, Settings())
    await here.hub.enter(other, Ear())
    here.here.connection.pubsub.is_deaf = True
    here.world.store.put(other.room, 2)
    return other.room.code


async def test_rooms_are_read_from_time_to_time_even_after_a_read_fails() -> None:
    async with lobby() as here:
        other = await changed_unheard(here)
        here.faults.failing[here.code] = ZeroDivisionError()
        await asyncio.sleep(REREAD_S - PASS_S - 0.1)
        await here.hub.refresh()
        await asyncio.sleep(0.05)
        assert here.reads() == 1  # `other` was read when it was entered
        await asyncio.sleep(2 * PASS_S)
        with capture_logs() as logs:
            await here.hub.refresh()
            await here.hub.refresh()
            await asyncio.sleep(0.05)
        failed = [(line["event"], line["task"]) for line in logs]
        assert failed == [("task failed", f"read {here.code}")]
        assert here.reads() == 3
        assert present(here.hub.latest(other)).v == 2


async def test_a_room_whose_part_of_the_store_is_away_does_not_delay_the_others() -> None:
    """Regression: the others were read only when that part was back."""
    async with lobby() as here:
        other = await changed_unheard(here)
        here.faults.failing[here.code] = StoreAway("one master")
        await asyncio.sleep(REREAD_S + PASS_S)
        await here.hub.refresh()
        assert present(here.hub.latest(other)).v == 2


@pytest.mark.parametrize(("v", "name"), [(4, "Ada"), (5, "Grace")])
async def test_a_room_that_a_failover_has_rolled_back_is_sent_again(v: int, name: str) -> None:
    """Regression: after a failover the room was older than the sent version, and was not sent."""
    async with race() as here:
        first, *others = here.latest.room.seats
        seats = (first.model_copy(update={"name": name}), *others)
        here.world.store.put(renamed(here.latest.room, seats=seats), v)
        await here.receives(Notification.LOST)
        assert f"room {v} RUNNING" in here.ear.received[here.ear.received.index("taken back") :]
        known = here.known
        assert (known.v, known.room.seats[ADA].name) == (v, name)


async def test_reads_are_tried_again_when_the_store_is_back() -> None:
    async with race() as here:
        here.faults.away = True
        here.notify(Notification.LOST)
        await asyncio.sleep(3.0)  # some attempts fail
        here.world.store.put(finished(), 6)
        before = len(here.ear.received)
        here.faults.away = False
        await asyncio.sleep(LIVE_TIMINGS.retry_s + PASS_S)
        assert here.ear.received[before:] == ["room 6 FINISHED", "standings"]


async def test_errors_of_a_task_are_logged_and_late_work_is_closed() -> None:
    async def fail() -> None:
        raise ValueError("a bug")

    with capture_logs() as logs:
        async with opened(chosen=TWO) as world:
            hub = world.hub
            hub.spawn(fail(), "failing")
            hub.spawn(hub.tick("0000000"), "ticking")
            await asyncio.sleep(PASS_S)
            ending = asyncio.create_task(world.first.end())
            await asyncio.sleep(0)
            hub.spawn(fail(), "begun too late")  # regression: it was "never awaited"
            await ending
        hub.spawn(fail(), "too late")  # the task group has ended: nothing runs any more
    assert [line["event"] for line in logs] == ["task failed", "put off"]
