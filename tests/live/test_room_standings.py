"""The standings that subscribers get: changes of acts and notifications, or the whole."""

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Chase
from server.live.leaderboard import Leaderboard
from server.rooms.record import VersionedRoom
from server.store import Notification, ProgressNotification, SeatProgress
from tests.live.hubs import (
    QUICK,
    count_reads,
    hub_over,
    one_pass_later,
    progress,
    put,
    quiet,
    race,
    record,
    shown,
)
from tests.live.memory import MemoryStore, RecordingSubscriber
from tests.rooms.rooms import ADA, BOB, CY, T0, finished, happen, running, sends
from tests.waiting import until


async def test_slow_subscribers_get_the_whole_standings_later() -> None:
    async with race() as here:
        quick, slow = here.subscriber, await here.enter(slow=3)
        await until(lambda: "standings" in slow.received)
        assert slow.slow == 0
        slow.slow = 2
        here.act(progress(1, score=510), progress(2, score=520))
        await until(lambda: len(slow.standings) == 2)
        assert quick.received[-2:] == ["standings", "standings_changes"]
        assert shown(quick) == shown(slow) == 520
        assert slow.standings[-1]["number"] == quick.standings[-1]["number"]


async def test_changes_of_many_acts_are_sent_together_and_the_first_one_at_once() -> None:
    async with race() as here:
        throttle, standings = here.hub._room_services.throttle, here.subscriber.standings
        await one_pass_later(throttle)
        here.act(progress(1))
        await asyncio.sleep(0)
        assert [each["changed"][0]["moves"] for each in standings[1:]] == [1]
        for id_ in range(2, 9):
            here.act(progress(id_))
            await asyncio.sleep(0)
        assert len(standings) == 2
        throttle._begin()  # the interval is over
        assert len(standings) == 3
        assert standings[-1]["changed"] == [{"seat": ADA, "moves": 8}]
        numbers = [each["number"] for each in standings]
        assert numbers == list(range(numbers[0], numbers[0] + 3))


async def test_a_pass_over_many_rooms_lets_other_work_go_on() -> None:
    store = MemoryStore()
    async with hub_over(store, replace(QUICK, pass_slice_s=0.0)) as hub:
        subscribers = [RecordingSubscriber() for _ in range(3)]
        for number, subscriber in enumerate(subscribers):
            room = running().model_copy(update={"code": f"00000{number}"})
            await hub.enter(put(store, room, 5), subscriber)
        await until(lambda: all(each.standings for each in subscribers))
        await quiet(hub)
        await one_pass_later(hub._room_services.throttle)
        for code in hub.rooms.codes():
            hub.rooms.handle_progress(code, progress(1))
        await asyncio.sleep(0)
        assert sum(len(each.standings) == 2 for each in subscribers) == 1
        hub._room_services.throttle._interval_s = 0.0
        hub.rooms.handle_progress(hub.rooms.codes()[0], progress(2))
        await until(lambda: sum(len(each.standings) for each in subscribers) == 7)


async def test_an_error_in_the_standings_of_one_room_is_logged() -> None:
    with capture_logs() as logs:
        async with race() as here:
            here.subscriber.send_standings = None  # type: ignore[assignment,method-assign]  # a bug
            here.act(progress(1))
            await until(lambda: bool(logs))
    assert [line["event"] for line in logs] == ["standings failed"]


async def test_progress_of_other_processes_is_sent_without_a_read() -> None:
    async with race() as here:
        here.store.away = True
        here.notify(progress(4, score=530))
        await until(lambda: here.subscriber.received[-1] == "standings_changes")
        here.notify(progress(3, score=520), progress(4, score=530))  # an older one was delayed
        await quiet(here.hub)
        assert shown(here.subscriber) == 530
        here.store.away = False


@pytest.mark.interpreted  # it replaces a part of the leaderboard
async def test_of_the_progress_that_comes_between_two_passes_only_the_latest_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with race() as here:
        read: list[SeatProgress | None] = []
        read_text = ProgressNotification.read

        def counting(text: ProgressNotification) -> SeatProgress | None:
            read.append(read_text(text))
            return read[-1]

        monkeypatch.setattr(ProgressNotification, "read", counting)
        for id_ in range(1, 8):
            here.notify(progress(id_, score=500 + id_))
            here.notify(progress(id_, score=400 + id_, seat=BOB))
        await until(lambda: here.subscriber.received[-1] == "standings_changes")
        assert [shown(here.subscriber, seat) for seat in (ADA, BOB)] == [507, 407]
        first, *rest = read  # the first one causes the pass
        assert first == progress(1, score=501)
        assert rest == [progress(7, score=407, seat=BOB), progress(7, score=507)]
        served: list[object] = []

        def advance(_board: Leaderboard, room: object) -> str:
            served.append(room)
            return ""

        monkeypatch.setattr(Leaderboard, "advance", advance)
        await quiet(here.hub)
        assert served == []


async def test_unchanged_standings_are_not_sent_again() -> None:
    """Regression: standings were sent twice, after an act and after its own notification."""
    async with race() as here:
        read = count_reads(here.store)
        for number in (1, 2):
            here.notify(Notification.LOST)
            await until(lambda number=number: len(read) == number)  # type: ignore[misc]  # a default binds it
            await quiet(here.hub)
        assert len(here.subscriber.standings) == 1
        other = await here.enter()
        await until(lambda: "standings" in other.received)
        assert other.standings == here.subscriber.standings


async def test_progress_of_a_chaser_whom_the_room_does_not_name_yet_is_kept() -> None:
    async with race() as here:
        here.notify(progress(1, seat=CY), progress(1, seat=9, n=0))  # that is of an earlier round
        read = count_reads(here.store)
        here.notify(Notification.LOST)
        await until(lambda: len(read) == 1)
        await quiet(here.hub)
        assert here.local.standings.leaderboard._progress == {CY: progress(1, seat=CY)}
        chased = happen(running(chasers=True), sends(CY, Chase(), T0 + 60_000))
        here.hub.rooms.update(VersionedRoom(chased, 6))
        await until(lambda: len(here.subscriber.standings) > 1)
        row = here.subscriber.standings[-1]["changed"][-1]
        assert (row["seat"], row["moves"]) == (CY, 1)


async def test_a_subscriber_that_leaves_while_it_enters_is_sent_nothing() -> None:
    async with race() as here:
        left = RecordingSubscriber()
        await here.hub.leave(here.code, left)
        here.hub.send_standings(here.code, left)
        here.act(progress(1))
        await until(lambda: len(here.subscriber.standings) == 2)
        assert left.received == []


async def test_standings_that_are_requested_leave_no_slow_subscriber_behind() -> None:
    async with race() as here:
        here.subscriber.slow = 1
        here.notify(progress(1))
        rows = await here.rows()
        await until(lambda: len(here.subscriber.standings) == 2)
        assert here.subscriber.standings[-1]["standings"] == list(rows.values())


async def test_another_state_or_round_is_sent_whole() -> None:
    async with race() as here:
        here.hub.rooms.update(VersionedRoom(finished(), 6))
        await until(lambda: len(here.subscriber.standings) == 2)
        assert here.subscriber.received[-1] == "standings"
        first, second = here.subscriber.standings
        assert second["number"] == first["number"] + 1


async def test_progress_of_another_release_causes_a_read() -> None:
    async with race() as here:
        other = ProgressNotification(b"seat 0 of another release")
        notify = here.store.pubsub.callbacks[here.code]
        here.store.seats[ADA] = record(progress(1, score=501))
        notify(other)
        await until(lambda: shown(here.subscriber) == 501)
        here.store.seats[ADA] = record(progress(2, score=502))
        here.notify(progress(1, seat=BOB))  # so that the room will be served anyway
        notify(other)
        await until(lambda: shown(here.subscriber) == 502)
