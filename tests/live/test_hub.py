"""Fan-out, against a store that the test makes unavailable, late or silent."""

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from protocol.from_client import Chase, Forfeit, Leave, Say, Start
from protocol.settings import Settings
from protocol.vocabulary import RoomState
from server.live.heartbeats import Rhythm, keep_alive
from server.live.hub import Hub
from server.live.leaderboard import Leaderboard
from server.live.local_room import LocalRoom
from server.live.repository import Repository
from server.live.room_pass import RoomPass
from server.live.stats import stats_in
from server.live.timers import LATE_MS, sweep
from server.live.timings import LiveTimings
from server.rooms import room as machine
from server.rooms.events import Reconnected
from server.rooms.record import VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.timings import COUNTDOWN_MS, RoomTimings
from server.store import (
    FiguresText,
    Notification,
    SeatFigures,
    SeatRecord,
    StoreAway,
    StoredRoom,
    Unreadable,
)
from server.views.room_messages import RoomMessages
from tests.live.memory import NOW, MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, BOB, CY, T0, finished, happen, joins, running, sends


class Stop(Exception):
    """The test is done."""


QUICK = LiveTimings(retry_s=0.01, standings_interval_s=0.01, figures_retry_s=0.01, sweep_s=0.01)


@asynccontextmanager
async def hub_over(store: MemoryStore, timings: LiveTimings = QUICK) -> AsyncIterator[Hub]:
    repository = Repository(store)  # type: ignore[arg-type]  # as much of a store as rooms need
    try:
        async with asyncio.TaskGroup() as tasks:
            yield Hub(repository, store.clock, tasks, timings)  # type: ignore[arg-type]  # as above
            raise Stop
    except* Stop:
        pass


async def until(so: Callable[[], bool]) -> None:
    async with asyncio.timeout(30):
        while not so():
            await asyncio.sleep(0.002)


async def opened(store: MemoryStore) -> VersionedRoom:
    return await Repository(store).open("Ada", Settings(), "hash")  # type: ignore[arg-type]  # as above


async def race_in(store: MemoryStore) -> VersionedRoom:
    """A running race, put into the store as it is."""
    room = running()
    store.rooms[room.code] = StoredRoom(5, room.model_dump_json())
    return VersionedRoom(room, 5)


@asynccontextmanager
async def watched_race() -> AsyncIterator[
    tuple[MemoryStore, Hub, VersionedRoom, RecordingSubscriber]
]:
    """A running race, and a subscriber that has its standings."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: "standings" in subscriber.received)
        yield store, hub, latest, subscriber


def figures(id_: int, score: int = 500, seat: int = ADA, **changed: Any) -> SeatFigures:
    """The figures of a seat in round 1 after its act `id_`."""
    stats = json.dumps({"score": score, "moves": id_})
    return SeatFigures(seat, 1, id_, stats, 0, None, 0, 0)._replace(**changed)


def figures_text(of: SeatFigures) -> FiguresText:
    """The notification of figures."""
    return FiguresText(FiguresText.write(of))


def record(of: SeatFigures) -> SeatRecord:
    """A stored seat with these figures."""
    return SeatRecord(1, "", of.last_id, of.n, of.standing, of.gained, of.over)


def count_reads(store: MemoryStore) -> list[int]:
    """Return a list that grows with each reading of seats, by the number of seats."""
    read: list[int] = []
    read_seats = store.read_seats

    async def counted(code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        read.append(len(seats))
        return await read_seats(code, seats)

    store.read_seats = counted  # type: ignore[method-assign]
    return read


async def test_a_notification_causes_one_read_and_one_message() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: store.reads == 1)
        await hub._repository.apply(latest.room.code, joins("Bob"))
        for _ in range(5):
            store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: "room 2 LOBBY" in subscriber.received)
        assert subscriber.received == ["room 1 LOBBY", "room 1 LOBBY", "room 2 LOBBY"]
        await hub.leave(latest.room.code, subscriber)
        assert store.pubsub.callbacks == {}
        await hub.leave(latest.room.code, subscriber)
        hub.figures_changed(latest.room.code, figures(1))
        hub.figures_read(latest.room.code, figures(1))
        hub.send_standings(latest.room.code, subscriber)
        with pytest.raises(Refusal):
            await hub.standings_text(latest)
        assert hub.latest(latest.room.code) is None


async def test_a_room_is_not_read_for_changes_that_are_made_here() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: store.reads == 1)
        await hub.apply(latest.room.code, joins("Bob"))
        assert (store.reads, subscriber.received[-1]) == (1, "room 2 LOBBY")


async def test_events_are_read_only_where_chat_may_have_been_appended() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        await hub.enter(latest, RecordingSubscriber())
        await until(lambda: store.reads == 1)
        await hub.apply(latest.room.code, joins("Bob"))
        store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await hub._repository.say(
            latest.room.code, latest.room.seats[ADA], Say(type="say", emote="wow")
        )
        store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: store.reads == 2)
        assert store.asked_after == [2]


@pytest.mark.parametrize("early", [False, True])
async def test_a_room_is_not_read_for_the_notification_of_a_change_made_here(
    *, early: bool
) -> None:
    """The notification may come before the reply to the change, on another connection."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        await hub.enter(latest, RecordingSubscriber())
        await until(lambda: store.reads == 1)
        store.held = asyncio.Event()
        change = asyncio.create_task(hub.apply(latest.room.code, joins("Bob")))
        await asyncio.sleep(0.01)
        if early:
            store.pubsub.callbacks[latest.room.code](Notification.ROOM)
            await asyncio.sleep(0.01)
        store.held.set()
        await change
        if not early:
            store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await asyncio.sleep(0.01)
        assert store.reads == 1
        await Repository(store).apply(latest.room.code, joins("Eve"))  # type: ignore[arg-type]  # as above
        store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: (hub.latest(latest.room.code) or latest).v == 3)


STEPS = ("here", "elsewhere", "chat", "arrives", "is lost", "pause")


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STEPS), max_size=30))
@example(["here", "is lost"])
def test_no_version_is_missed_however_changes_and_notifications_mix(steps: list[str]) -> None:
    asyncio.run(_mix(steps))


async def _mix(steps: list[str]) -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        code = latest.room.code
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        elsewhere = Repository(store)  # type: ignore[arg-type]  # as above
        read = store.read

        async def slowly(code: str) -> StoredRoom | None:
            stored = await read(code)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return stored

        store.read = slowly  # type: ignore[method-assign]
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
                    await elsewhere.say(code, latest.room.seats[0], Say(type="say", emote="wow"))
                    under_way += 1
                case "arrives" if under_way:
                    store.pubsub.callbacks[code](Notification.ROOM)
                    under_way -= 1
                case "is lost" if under_way:
                    under_way -= 1
                    lost += 1
                case _:
                    await asyncio.sleep(0)
        rest = [Notification.LOST] * bool(lost) + [Notification.ROOM] * under_way
        for notification in rest:
            store.pubsub.callbacks[code](notification)
        await until(lambda: (hub.latest(code) or latest).v == store.rooms[code].v)
        await elsewhere.apply(code, joins("Zoe"))  # and the next one is not missed either
        store.pubsub.callbacks[code](Notification.ROOM)
        await until(lambda: (hub.latest(code) or latest).v == store.rooms[code].v)


async def test_after_lost_notifications_a_room_is_read_before_it_is_changed() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        await hub.enter(latest, RecordingSubscriber())
        await until(lambda: store.reads == 1)
        assert hub.latest_known(latest.room.code) is not None
        store.pubsub.callbacks[latest.room.code](Notification.LOST)
        assert hub.latest_known(latest.room.code) is None
        await until(lambda: hub.latest_known(latest.room.code) is not None)
        assert store.reads == 2


async def test_a_new_subscriber_triggers_a_read_unless_there_was_one_just_now() -> None:
    """Notifications of a cluster's master that hung were lost, and noticed after 20 s."""
    store = MemoryStore()
    async with hub_over(store, replace(QUICK, believed_s=60.0)) as hub:
        latest = await opened(store)
        await hub.enter(latest, RecordingSubscriber())
        await until(lambda: store.reads == 1)
        await hub.enter(latest, RecordingSubscriber())
        await asyncio.sleep(0.01)
        assert store.reads == 1
        hub._rooms[latest.room.code].read_at -= 61.0
        await hub.enter(latest, RecordingSubscriber())
        await until(lambda: store.reads == 2)


async def test_all_subscribers_at_one_process_receive_their_room() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        ears = [RecordingSubscriber(), RecordingSubscriber()]
        for subscriber in ears:
            await hub.enter(latest, subscriber)
        await hub._repository.apply(latest.room.code, joins("Bob"))
        store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: all("room 2 LOBBY" in subscriber.received for subscriber in ears))
        await hub.leave(latest.room.code, ears[0])
        assert latest.room.code in store.pubsub.callbacks


async def test_the_store_lists_the_rooms_of_a_process() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: store.hosted == {hub.process: {latest.room.code}})
        assert store.beats == {hub.process: store.time}
        await hub.leave(latest.room.code, subscriber)
        assert store.hosted == {hub.process: set()}


async def test_rooms_that_are_entered_during_a_heartbeat_are_listed_together() -> None:
    """One takes four commands, and after a restart thousands of rooms are entered at once."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        rooms = [await opened(store) for _ in range(9)]
        sent: list[int] = []
        answered = asyncio.Event()
        beat = store.beat

        async def slow(process: str, now: int, codes: Sequence[str]) -> None:
            sent.append(len(codes))
            await answered.wait()
            await beat(process, now, codes)

        store.beat = slow  # type: ignore[method-assign]
        for latest in rooms:
            await hub.enter(latest, RecordingSubscriber())
            await until(lambda: bool(sent))
        answered.set()
        await until(lambda: store.hosted == {hub.process: {each.room.code for each in rooms}})
        assert sent == [1, 8]


async def test_a_heartbeat_that_fails_does_not_hold_back_the_next_room() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        first, second = await opened(store), await opened(store)
        store.beat, beat = broken, store.beat  # type: ignore[method-assign, assignment]
        await hub.enter(first, RecordingSubscriber())
        await until(lambda: not hub._entered)
        store.beat = beat  # type: ignore[method-assign]
        await hub.enter(second, RecordingSubscriber())
        await until(lambda: store.hosted == {hub.process: {second.room.code}})


async def broken(*_arguments: object) -> None:
    """Fail as a store that is away."""
    raise StoreAway


async def test_players_who_return_to_a_room_share_its_view() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        made = hub.messages(latest)
        await hub.enter(latest, RecordingSubscriber())
        assert hub.messages(latest) is made
        await hub.apply(latest.room.code, joins("Bob"))
        assert hub.messages(latest).latest is latest
        newer = hub.latest(latest.room.code)
        assert newer is not None
        assert hub.messages(newer).latest is newer


async def test_hints_that_cannot_be_had_are_asked_for_again() -> None:
    store = MemoryStore()
    store.pubsub.away = True
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await asyncio.sleep(0.03)
        store.pubsub.away = False
        await until(lambda: latest.room.code in store.pubsub.callbacks)
        store.pubsub.away = True
        other = RecordingSubscriber()
        gone = await opened(store)
        await hub.enter(gone, other)
        await hub.leave(gone.room.code, other)
        await asyncio.sleep(0.03)
        assert gone.room.code not in store.pubsub.callbacks


async def test_a_read_that_fails_is_retried() -> None:
    async with watched_race() as (store, _hub, latest, subscriber):
        store.away = True
        store.pubsub.callbacks[latest.room.code](Notification.LOST)
        await asyncio.sleep(0.05)
        store.rooms[latest.room.code] = StoredRoom(6, finished().model_dump_json())
        before = len(subscriber.received)
        store.away = False
        await until(lambda: "room 6 FINISHED" in subscriber.received)
        await until(lambda: "standings" in subscriber.received[before:])


async def test_standings_are_read_once_for_players_who_return_together() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        read = count_reads(store)
        ears = [RecordingSubscriber() for _ in range(3)]
        for subscriber in ears:
            await hub.enter(latest, subscriber)
        await until(lambda: all("standings" in subscriber.received for subscriber in ears))
        assert len(read) == 1


async def test_slow_subscribers_get_the_whole_standings_later() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        slow, quick = RecordingSubscriber(slow=3), RecordingSubscriber()
        for subscriber in (slow, quick):
            await hub.enter(latest, subscriber)
        await until(lambda: "standings" in slow.received)
        assert slow.slow == 0
        slow.slow = 2
        hub.figures_changed(latest.room.code, figures(1, score=510))
        hub.figures_changed(latest.room.code, figures(2, score=520))
        await until(lambda: len(slow.standings) == 2)
        assert quick.received[-2:] == ["standings", "standings_changes"]
        assert quick.standings[-1]["changed"][0]["score"] == 520
        assert slow.standings[-1]["number"] == quick.standings[-1]["number"]
        assert slow.standings[-1]["standings"][0]["score"] == 520


async def one_pass_later(passes: RoomPass) -> None:
    """Wait until the next change starts a pass at once; later changes then wait for `_begin`."""
    await until(lambda: not passes._scheduled)
    passes._began_at, passes._interval_s = float("-inf"), 60.0


async def test_changes_of_many_acts_are_sent_together_and_the_first_one_at_once() -> None:
    async with watched_race() as (_store, hub, latest, subscriber):
        await one_pass_later(hub._standings._pass)
        hub.figures_changed(latest.room.code, figures(1))
        await asyncio.sleep(0)
        assert [each["changed"][0]["moves"] for each in subscriber.standings[1:]] == [1]
        for id_ in range(2, 9):
            hub.figures_changed(latest.room.code, figures(id_))
            await asyncio.sleep(0)
        assert len(subscriber.standings) == 2
        hub._standings._pass._begin()  # the interval is over
        assert len(subscriber.standings) == 3
        assert subscriber.standings[-1]["changed"] == [{"seat": ADA, "moves": 8}]
        numbers = [each["number"] for each in subscriber.standings]
        assert numbers == list(range(numbers[0], numbers[0] + 3))


async def test_a_pass_over_many_rooms_lets_other_work_go_on() -> None:
    store = MemoryStore()
    async with hub_over(store, replace(QUICK, pass_slice_s=0.0)) as hub:
        subscribers = [RecordingSubscriber() for _ in range(3)]
        for number, subscriber in enumerate(subscribers):
            room = running().model_copy(update={"code": f"00000{number}"})
            store.rooms[room.code] = StoredRoom(5, room.model_dump_json())
            await hub.enter(VersionedRoom(room, 5), subscriber)
        await until(lambda: all(each.standings for each in subscribers))
        await asyncio.sleep(0.02)
        for code in hub.codes():
            hub.figures_changed(code, figures(1))
        await asyncio.sleep(0)
        served = sum(len(each.standings) == 2 for each in subscribers)
        assert served == 1
        hub.figures_changed(hub.codes()[0], figures(2))
        await until(lambda: sum(len(each.standings) for each in subscribers) == 7)


async def test_an_error_in_the_standings_of_one_room_is_logged() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await race_in(store)
            subscriber = RecordingSubscriber()
            await hub.enter(latest, subscriber)
            await until(lambda: bool(subscriber.standings))
            subscriber.send_standings = None  # type: ignore[assignment,method-assign]  # a bug
            hub.figures_changed(latest.room.code, figures(1))
            await until(lambda: bool(logs))
    assert [line["event"] for line in logs] == ["standings failed"]


async def test_figures_of_other_processes_are_sent_without_a_read() -> None:
    async with watched_race() as (store, _hub, latest, subscriber):
        store.away = True
        notify = store.pubsub.callbacks[latest.room.code]
        notify(figures_text(figures(4, score=530)))
        await until(lambda: subscriber.received[-1] == "standings_changes")
        notify(figures_text(figures(3, score=520)))  # an older one, which was delayed
        notify(figures_text(figures(4, score=530)))
        await asyncio.sleep(0.03)
        assert subscriber.standings[-1]["changed"][0]["score"] == 530
        store.away = False


def shown(subscriber: RecordingSubscriber, seat: int) -> int | None:
    """Return the score of a seat in the latest standings or changes, if it is there."""
    latest = subscriber.standings[-1]
    rows = latest.get("changed") or latest["standings"]
    return next((row.get("score") for row in rows if row["seat"] == seat), None)


@pytest.mark.interpreted  # it replaces a part of the leaderboard
async def test_of_the_figures_that_come_between_two_passes_only_the_latest_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with watched_race() as (store, _hub, latest, subscriber):
        await asyncio.sleep(0.03)
        read: list[SeatFigures | None] = []
        read_text = FiguresText.read

        def counting(text: FiguresText) -> SeatFigures | None:
            read.append(read_text(text))
            return read[-1]

        monkeypatch.setattr(FiguresText, "read", counting)
        notify = store.pubsub.callbacks[latest.room.code]
        for id_ in range(1, 8):
            notify(figures_text(figures(id_, score=500 + id_)))
            notify(figures_text(figures(id_, score=400 + id_, seat=BOB)))
        await until(lambda: subscriber.received[-1] == "standings_changes")
        scores = {row["seat"]: row["score"] for row in subscriber.standings[-1]["changed"]}
        assert scores == {ADA: 507, BOB: 407}
        first, *rest = read  # the first one causes the pass
        assert first == figures(1, score=501)
        assert rest == [figures(7, score=407, seat=BOB), figures(7, score=507)]
        served: list[object] = []

        def advance(_board: Leaderboard, room: object) -> str:
            served.append(room)
            return ""

        monkeypatch.setattr(Leaderboard, "advance", advance)
        await asyncio.sleep(0.05)
        assert served == []


async def test_figures_of_another_release_cause_a_read() -> None:
    async with watched_race() as (store, _hub, latest, subscriber):
        notify = store.pubsub.callbacks[latest.room.code]
        store.seats[ADA] = record(figures(1, score=501))
        notify(FiguresText(b"seat 0 of another release"))
        await until(lambda: shown(subscriber, ADA) == 501)
        store.seats[ADA] = record(figures(2, score=502))
        notify(figures_text(figures(1, seat=BOB)))  # so that the room will be served anyway
        notify(FiguresText(b"seat 0 of another release"))
        await until(lambda: shown(subscriber, ADA) == 502)


async def test_a_read_takes_back_figures_of_notifications_before_it() -> None:
    async with watched_race() as (store, hub, latest, subscriber):
        notify = store.pubsub.callbacks[latest.room.code]
        store.seats[ADA] = record(figures(2, score=502))  # a failover has lost later ones
        for id_ in (3, 4, 5):
            notify(figures_text(figures(id_, score=500 + id_)))
        notify(Notification.LOST)
        await until(lambda: subscriber.received[-1] == "standings_changes")
        await asyncio.sleep(0.03)
        rows = json.loads(await hub.standings_text(latest))["standings"]
        assert {row["seat"]: row["score"] for row in rows}[ADA] == 502


async def test_unchanged_standings_are_not_sent_again() -> None:
    """Regression: standings were sent twice, after an act and after its own notification."""
    async with watched_race() as (store, hub, latest, subscriber):
        read = count_reads(store)
        notify = store.pubsub.callbacks[latest.room.code]
        notify(Notification.STANDINGS)
        await until(lambda: len(read) == 1)
        await asyncio.sleep(0)
        notify(Notification.LOST)
        await until(lambda: len(read) == 2)
        await asyncio.sleep(0.03)
        assert len(subscriber.standings) == 1
        other = RecordingSubscriber()
        await hub.enter(latest, other)
        await until(lambda: "standings" in other.received)
        assert len(subscriber.standings) == 1
        assert other.standings == subscriber.standings


async def test_a_read_replaces_figures_that_a_failover_has_lost() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        store.seats[ADA] = record(figures(3, score=530))
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: "standings" in subscriber.received)
        store.seats[ADA] = record(figures(2, score=520))
        hub.figures_read(latest.room.code, figures(2, score=520))
        await until(lambda: subscriber.received[-1] == "standings_changes")
        assert subscriber.standings[-1]["changed"] == [{"seat": ADA, "score": 520, "moves": 2}]
        hub.figures_read(latest.room.code, figures(3, score=535))
        await until(lambda: len(subscriber.standings) == 3)


async def test_acts_that_are_sent_again_after_a_failover_count_by_their_own_figures() -> None:
    """They have the ids of the acts that were lost, and other figures."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        code = latest.room.code
        store.seats[ADA] = record(figures(2))
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: len(subscriber.standings) == 1)
        hub.figures_changed(code, figures(3, score=510))
        notify = store.pubsub.callbacks[code]
        notify(figures_text(figures(3, score=510, seat=BOB)))
        await until(lambda: len(subscriber.standings) == 2)
        read_seats = store.read_seats

        async def slow(code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
            records = await read_seats(code, seats)
            hub.figures_changed(code, figures(3, score=515))
            notify(figures_text(figures(3, score=516, seat=BOB)))
            notify(figures_text(figures(2, score=505, seat=BOB)))
            return records

        store.read_seats = slow  # type: ignore[method-assign]  # acts are stored meanwhile
        store.seats[BOB] = record(figures(1, seat=BOB))
        hub.figures_read(code, figures(2))
        await until(lambda: len(subscriber.standings) > 2)
        await asyncio.sleep(0.03)
        rows = json.loads(await hub.standings_text(latest))["standings"]
        assert {row["seat"]: row["score"] for row in rows} == {ADA: 515, BOB: 516}


async def test_figures_that_come_during_a_read_are_kept_if_they_are_newer() -> None:
    async with watched_race() as (store, hub, latest, subscriber):
        read_seats = store.read_seats
        store.seats[ADA], store.seats[BOB] = record(figures(1)), record(figures(5, seat=BOB))

        async def slow(code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
            records = await read_seats(code, seats)
            hub.figures_changed(code, figures(2, score=520))
            hub.figures_changed(code, figures(4, score=510, seat=BOB))
            return records

        store.read_seats = slow  # type: ignore[method-assign]  # acts are stored meanwhile
        store.pubsub.callbacks[latest.room.code](Notification.LOST)
        await until(lambda: len(subscriber.standings) > 1)
        await asyncio.sleep(0.03)
        text = await hub.standings_text(latest)
        rows = {row["seat"]: row["moves"] for row in json.loads(text)["standings"]}
        assert rows == {ADA: 2, BOB: 5}


async def test_figures_of_a_chaser_whom_the_room_does_not_name_yet_are_kept() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        code = latest.room.code
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: bool(subscriber.standings))
        notify = store.pubsub.callbacks[code]
        notify(figures_text(figures(1, seat=CY)))
        notify(figures_text(figures(1, seat=9, n=0)))  # of an earlier round
        read = count_reads(store)
        notify(Notification.LOST)
        await until(lambda: len(read) == 1)
        await asyncio.sleep(0.01)
        local = hub._rooms[code].leaderboard
        assert local._figures == {CY: figures(1, seat=CY)}
        chased = happen(running(chasers=True), sends(CY, Chase(), T0 + 60_000))
        hub.update(VersionedRoom(chased, 6))
        await until(lambda: len(subscriber.standings) > 1)
        assert subscriber.standings[-1]["changed"][-1]["seat"] == CY
        assert subscriber.standings[-1]["changed"][-1]["moves"] == 1


async def test_figures_that_were_read_before_the_subscription_are_read_again() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        subscribe, confirmed = store.pubsub.subscribe, asyncio.Event()

        async def slowly(code: str, callback: Callable[..., None]) -> None:
            await confirmed.wait()
            await subscribe(code, callback)

        store.pubsub.subscribe = slowly  # type: ignore[method-assign]
        first, second = RecordingSubscriber(), RecordingSubscriber()
        entering = asyncio.create_task(hub.enter(latest, first))
        await asyncio.sleep(0)
        await hub.enter(latest, second)
        await until(lambda: bool(second.standings))
        assert first.standings == []
        store.seats[ADA] = record(figures(1))  # its notification was not received
        confirmed.set()
        await entering
        await until(lambda: second.received[-1] == "standings_changes")
        assert first.standings[-1]["number"] == second.standings[-1]["number"]


async def test_a_subscriber_that_leaves_while_it_enters_is_sent_nothing() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        other, subscriber = RecordingSubscriber(), RecordingSubscriber()
        await hub.enter(latest, other)
        await until(lambda: bool(other.standings))
        await hub.leave(latest.room.code, subscriber)
        hub.send_standings(latest.room.code, subscriber)
        hub.figures_changed(latest.room.code, figures(1))
        await until(lambda: len(other.standings) == 2)
        assert subscriber.received == []


async def test_standings_that_are_requested_leave_no_slow_subscriber_behind() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: bool(subscriber.standings))
        await asyncio.sleep(0.03)
        subscriber.slow = 1
        store.pubsub.callbacks[latest.room.code](figures_text(figures(1)))
        whole = json.loads(await hub.standings_text(latest))
        await until(lambda: len(subscriber.standings) == 2)
        assert subscriber.standings[-1] == whole


async def test_figures_that_change_are_read_every_few_seconds() -> None:
    store = MemoryStore()
    async with hub_over(store, replace(QUICK, figures_interval_s=0.02)) as hub:
        latest = await race_in(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: "standings" in subscriber.received)
        read = count_reads(store)
        await asyncio.sleep(0.03)
        hub.refresh()
        await asyncio.sleep(0.01)
        assert read == []
        hub.figures_changed(latest.room.code, figures(2))
        store.seats[ADA] = record(figures(3, score=530))
        hub.refresh()
        await until(lambda: subscriber.standings[-1].get("changed", [{}])[0].get("score") == 530)
        assert len(read) == 1


async def test_figures_of_players_who_are_all_here_are_read_less_often() -> None:
    store = MemoryStore()
    async with hub_over(store, replace(QUICK, figures_interval_s=0.02)) as hub:
        here = running()
        seats = tuple(seat.model_copy(update={"process": hub.process}) for seat in here.seats)
        here = here.model_copy(update={"seats": seats})
        store.rooms[here.code] = StoredRoom(5, here.model_dump_json())
        subscriber = RecordingSubscriber()
        await hub.enter(VersionedRoom(here, 5), subscriber)
        await until(lambda: "standings" in subscriber.received)
        read = count_reads(store)
        hub.figures_changed(here.code, figures(2))
        await asyncio.sleep(0.03)
        hub.refresh()
        await asyncio.sleep(0.03)
        assert read == []
        timings = replace(QUICK, unseen_s=0.02)
        hub._reads._timings = hub._figures._timings = timings
        hub.refresh()
        await until(lambda: len(read) == 1)
        await asyncio.sleep(0.03)
        rooms_read = store.reads
        hub.refresh()
        await until(lambda: store.reads > rooms_read)
        await asyncio.sleep(0.01)
        assert len(read) == 1  # nothing has changed since


@pytest.mark.interpreted  # it puts a value of another type into a room
async def test_a_room_that_fails_keeps_no_other_one_from_being_read() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            broken, sound = await opened(store), await opened(store)
            for latest in (broken, sound):
                await hub.enter(latest, RecordingSubscriber())
            rooms = list(hub._rooms.values())
            await until(lambda: not any(local.reading for local in rooms))
            for local in rooms:
                local.read_at = float("-inf")
            hub._rooms[broken.room.code].leaderboard = None  # type: ignore[assignment]  # a bug
            reads = store.reads
            await hub._reads._refresh(rooms)
            assert store.reads == reads + 2
    assert [each["room"] for each in logs if each["event"] == "read failed"] == [broken.room.code]


async def test_standings_are_read_when_the_store_is_there_again() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        subscriber = RecordingSubscriber()
        store.away = True
        await hub.enter(latest, subscriber)
        await asyncio.sleep(0.03)
        assert subscriber.standings == []
        with pytest.raises(StoreAway):
            await hub.standings_text(latest)
        store.away = False
        assert json.loads(await hub.standings_text(latest))["type"] == "standings"
        await until(lambda: len(subscriber.standings) == 1)


async def test_another_state_or_round_is_sent_whole() -> None:
    async with watched_race() as (_store, hub, _latest, subscriber):
        hub.update(VersionedRoom(finished(), 6))
        await until(lambda: len(subscriber.standings) == 2)
        assert subscriber.received[-1] == "standings"
        assert subscriber.standings[1]["number"] == subscriber.standings[0]["number"] + 1


async def test_chat_is_sent_once_and_in_order() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        for line in ("one", "two"):
            await hub._repository.say(latest.room.code, latest.room.seats[0], Say(text=line))
            hub.reread(latest.room.code)
            store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: "said 3 two" in subscriber.received)
        assert [line for line in subscriber.received if line.startswith("said")] == [
            "said 2 one",
            "said 3 two",
        ]
        hub.reread("0000000000")
        with pytest.raises(Refusal):
            await hub._repository.say("0000000000", latest.room.seats[0], Say(emote="wow"))


async def test_a_large_room_that_is_rolled_back_meanwhile_is_not_sent() -> None:
    async with hub_over(MemoryStore()) as hub:
        subscriber = RecordingSubscriber()
        local = LocalRoom("0123456789", sending=True, subscribers={subscriber})
        await hub._send_room_later(local, 0)
        assert (local.sending, subscriber.received) == (False, [])


async def test_the_closing_of_a_room_reaches_all_subscribers() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        hub.update(VersionedRoom(latest.room.model_copy(update={"state": RoomState.CLOSED}), 2))
        assert subscriber.received[-1] == "closed"
        del store.rooms[latest.room.code]
        store.pubsub.callbacks[latest.room.code](Notification.ROOM)
        await until(lambda: subscriber.received[-2:] == ["closed", "closed"])


async def test_the_race_starts_at_t0_by_any_process_with_a_subscriber() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        soon = replace(sends(ADA, Start()), timings=RoomTimings(countdown_ms=20))
        hub.update(await hub._repository.apply(latest.room.code, soon))
        store.time = NOW + 20
        await until(lambda: subscriber.received[-1:] == ["standings"])
        assert "room 3 RUNNING" in subscriber.received


async def test_errors_of_a_task_are_logged_and_the_hub_goes_on() -> None:
    async def fail() -> None:
        raise ValueError("a bug")

    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            hub.spawn(fail(), "failing")
            hub.spawn(hub.tick("0000000000"), "ticking")
            await until(lambda: len(logs) == 2)
        assert [line["event"] for line in logs] == ["task failed", "put off"]
        hub.spawn(fail(), "too late")  # the group has ended: nothing runs any more


async def test_work_that_is_given_just_before_the_end_is_closed() -> None:
    """Its task was cancelled before it began, and the work was "never awaited"."""

    async def tell() -> None:
        await asyncio.sleep(0)

    work = tell()
    async with hub_over(MemoryStore()) as hub:
        hub.spawn(work, "telling")
    assert inspect.getcoroutinestate(work) == inspect.CORO_CLOSED


async def test_a_code_that_is_taken_is_drawn_again_and_a_conflict_is_read_again() -> None:
    store = MemoryStore(taken=["one", "two"], conflicts=0)
    latest = await opened(store)
    store.conflicts = 3
    repository = Repository(store)  # type: ignore[arg-type]  # as much of a store as rooms need
    assert (await repository.apply(latest.room.code, joins("Bob"))).v == 2
    with pytest.raises(Refusal):
        await repository.read("0000000000")
    shut = latest.room.model_copy(update={"state": RoomState.CLOSED})
    store.rooms[shut.code] = StoredRoom(3, shut.model_dump_json())
    with pytest.raises(Refusal):
        await repository.read(shut.code)


async def test_stats_of_an_earlier_round_do_not_count() -> None:
    room = running()
    assert room.round is not None
    record = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500)
    stats = stats_in(record, room.round, 1)
    assert (stats.score, stats.gained_ms, stats.finished_ms) == (7, 400, 500)
    later = room.round.model_copy(update={"n": 2})
    assert stats_in(record, later, 1).score == 0
    assert stats_in(None, later, 1).face_down == 44
    store = MemoryStore()
    latest = await opened(store)
    assert await Repository(store).figures(latest.room) == []  # type: ignore[arg-type]  # as above


async def test_hints_are_counted_for_their_round_whether_something_was_done_or_not() -> None:
    room = running()
    assert room.round is not None
    done = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500, 3, 1)
    assert stats_in(done, room.round, 1).hints == 3
    assert done.mark != replace(done, hint_count=2).mark
    nothing_done = SeatRecord(1, "", 9, 0, None, 0, None, 2, 1)
    stats = stats_in(nothing_done, room.round, 1)
    assert (stats.hints, stats.face_down) == (2, 44)
    later = room.round.model_copy(update={"n": 2})
    assert stats_in(done, later, 1).hints == 0
    behind = SeatRecord(1, "", 9, 2, '{"score":7}', 400, None, 3, 1)
    assert stats_in(behind, later, 1).hints == 0


@pytest.mark.parametrize(
    ("standing", "score"),
    [
        ('{"score":7}', 7),
        ('{"score":7,"hints":8,"gained_ms":8,"finished_ms":8}', 7),  # what the store counts itself
        ('{"score":7,"of_a_later_release":[1]}', 7),
        ('{"score":"seven"}', None),
        ('{"score":7', None),
        ("[]", None),
        ("", None),
    ],
)
async def test_stats_are_those_of_the_text_and_what_the_store_counts(
    standing: str, score: int | None
) -> None:
    room = running()
    assert room.round is not None
    record = SeatRecord(1, "", 9, 1, standing, 400, None, 3, 1)
    if score is None:
        with pytest.raises(Unreadable):
            stats_in(record, room.round, 1)
        return
    stats = stats_in(record, room.round, 1)
    assert (stats.score, stats.hints, stats.gained_ms, stats.finished_ms) == (score, 3, 400, None)


async def test_the_sweep_ticks_due_rooms_and_goes_on_after_errors() -> None:
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            await hub._repository.apply(latest.room.code, sends(ADA, Start()))
            store.deadlines["0000000000"] = NOW
            store.away = True
            sweeping = asyncio.create_task(sweep(hub._repository, hub))
            await until(lambda: logs[-1]["event"] == "the store is away")
            store.away = False
            store.time = NOW + COUNTDOWN_MS
            await until(lambda: store.forgotten == ["0000000000"])
            await until(lambda: store.rooms[latest.room.code].v == 3)
            store.rooms[latest.room.code] = StoredRoom(4, "not a room")
            store.deadlines[latest.room.code] = NOW
            await until(lambda: logs[-1]["event"] == "room cannot be read")
            await until(lambda: (store.deadlines[latest.room.code] or 0) > store.time)
            sweeping.cancel()
    assert "the store is away" in {line["event"] for line in logs}


async def test_a_deadline_that_the_store_has_lost_is_kept_by_processes_with_subscribers() -> None:
    """Regression: the list of deadlines is one key of a cluster: a failover may take it back."""
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            subscriber = RecordingSubscriber()
            await hub.enter(latest, subscriber)
            latest = await hub._repository.apply(latest.room.code, sends(ADA, Start()))
            store.time = NOW + COUNTDOWN_MS + LATE_MS
            store.deadlines.clear()
            # The hub gets the room only now, so no task waits for t0.
            local = hub._rooms[latest.room.code]
            local.messages, local.due = RoomMessages(latest), store.time - LATE_MS
            sweeping = asyncio.create_task(sweep(hub._repository, hub))
            await until(lambda: "room 3 RUNNING" in subscriber.received)
            assert hub.overdue(store.time) == []
            store.away = True
            await until(lambda: logs[-1]["event"] == "the store is away")
            sweeping.cancel()


async def test_a_room_that_closes_is_swept_away_with_all_that_is_its() -> None:
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await opened(store)
        await hub._repository.apply(latest.room.code, joins("Bob"))
        for seat in (ADA, 1):
            await hub._repository.apply(latest.room.code, sends(seat, Leave()))
        store.time = NOW + machine.LOBBY_IDLE_MS
        sweeping = asyncio.create_task(sweep(hub._repository, hub))
        await until(lambda: store.rooms == {})
        sweeping.cancel()
    assert store.deleted == [(latest.room.code, 2, 0)]


async def test_a_change_without_a_notification_is_read_in_the_end() -> None:
    async with watched_race() as (store, hub, latest, subscriber):
        sweeping = asyncio.create_task(sweep(hub._repository, hub))
        store.rooms[latest.room.code] = StoredRoom(6, finished().model_dump_json())
        await asyncio.sleep(0.05)
        assert (
            "room 6 FINISHED" not in subscriber.received
        )  # no notification came, and no connection broke
        hub._reads._timings = replace(QUICK, unseen_s=0.02)
        await until(lambda: "room 6 FINISHED" in subscriber.received)
        sweeping.cancel()


def recorded_calls(store: MemoryStore) -> list[str]:
    """Return a list that grows with each heartbeat, and each look for silent processes."""
    calls: list[str] = []
    beat, silent = store.beat, store.silent

    async def beats(process: str, now: int, codes: Sequence[str]) -> None:
        calls.append("beat")
        await beat(process, now, codes)

    async def looks(since: int) -> list[str]:
        calls.append("silent")
        return await silent(since)

    store.beat, store.silent = beats, looks  # type: ignore[method-assign]
    return calls


async def test_the_death_of_a_silent_process_is_reported_by_another_one() -> None:
    rhythm = Rhythm(beat_s=0.01, silent_ms=100)
    store = MemoryStore()
    with capture_logs() as logs:
        async with hub_over(store) as hub:
            latest = await opened(store)
            await hub._repository.apply(latest.room.code, Reconnected(ADA, 2, "dead"))
            await store.beat("dead", NOW - rhythm.silent_ms - 1, [latest.room.code, "0000000000"])
            subscriber = RecordingSubscriber()
            await hub.enter(latest, subscriber)
            calls = recorded_calls(store)
            living = asyncio.create_task(keep_alive(store, hub, rhythm))  # type: ignore[arg-type]  # as much of a store as it needs
            await until(lambda: "dead" not in store.beats)
            assert store.hosted[hub.process] == {latest.room.code}
            now = hub.latest(latest.room.code)
            assert now is not None
            assert now.room.seats[0].connection == "grace"
            store.away = True
            await until(lambda: logs[-1]["event"] == "the store is away")
            store.beats = {"broken": 0}
            store.hosted = {"broken": {latest.room.code}}
            store.rooms[latest.room.code] = StoredRoom(9, "not a room")
            calls.clear()
            store.away = False
            await until(lambda: logs[-1]["event"] == "room cannot be read")
            # A process that was away itself reports none at once.
            assert calls[:2] == ["beat", "beat"]
            living.cancel()
    silent = {"event": "a process is silent", "log_level": "warning", "process": "dead"}
    assert silent in logs


@pytest.mark.parametrize(("v", "name"), [(4, "Ada"), (5, "Grace")])
async def test_a_room_that_the_store_has_taken_back_is_begun_again(v: int, name: str) -> None:
    """Regression: after a failover the room was older than the version sent, and was not sent."""
    store = MemoryStore()
    async with hub_over(store) as hub:
        latest = await race_in(store)
        subscriber = RecordingSubscriber()
        await hub.enter(latest, subscriber)
        await until(lambda: store.reads > 0)
        seats = (latest.room.seats[0].model_copy(update={"name": name}), *latest.room.seats[1:])
        older = latest.room.model_copy(update={"seats": seats})
        store.rooms[latest.room.code] = StoredRoom(v, older.model_dump_json())
        store.pubsub.callbacks[latest.room.code](Notification.LOST)
        await until(lambda: "taken back" in subscriber.received)
        assert hub.latest(latest.room.code) == VersionedRoom(older, v)


async def test_a_seat_that_is_out_counts_with_its_stored_stats() -> None:
    store = MemoryStore()
    latest = await race_in(store)
    store.seats[ADA] = SeatRecord(1, "", 9, 1, '{"score":7}', 400, None)
    changed = await Repository(store).apply(latest.room.code, sends(ADA, Forfeit(), T0 + 5_000))  # type: ignore[arg-type]  # as above
    assert changed.room.round is not None
    assert changed.room.round.results[ADA].score == 7
    assert store.out == {ADA: "9"}
    changed = await Repository(store).apply(latest.room.code, sends(BOB, Forfeit(), T0 + 5_000))  # type: ignore[arg-type]  # as above
    assert store.out == {BOB: None}


async def test_a_process_whose_own_heartbeats_hang_reports_no_other_process() -> None:
    """Regression: after a pause of the store the fastest process declared all others dead."""
    rhythm = Rhythm(beat_s=0.01, silent_ms=400)
    store = MemoryStore()
    beats = 0

    async def hang(process: str, now: int, codes: Sequence[str]) -> None:
        nonlocal beats
        beats += 1
        # A pause of more than half of `silent_ms` counts as silence of this process itself.
        await asyncio.sleep(0.21)
        await beat(process, now, codes)

    beat = store.beat
    async with hub_over(store) as hub:
        await store.beat("slow", 0, [])
        store.beat = hang  # type: ignore[method-assign]
        living = asyncio.create_task(keep_alive(store, hub, rhythm))  # type: ignore[arg-type]  # as much of a store as it needs
        await until(lambda: beats == 4)  # all of them together last longer than `silent_ms`
        assert "slow" in store.beats
        store.beat = beat  # type: ignore[method-assign]
        await until(lambda: "slow" not in store.beats)
        living.cancel()
