"""The contract of the stores: the fake answers as the real one does, on one server or several.

The stores of a scenario are those of two processes, `here` and `elsewhere`.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from server.store import (
    CommitAnswer,
    CommitFailure,
    LogRecord,
    NewSeat,
    Notification,
    ProgressNotification,
    Queued,
    Quota,
    SeatRecord,
    StoredReview,
    StoredRoom,
    StoreFull,
)
from tests.servers import opened
from tests.store.rooms_and_acts import (
    CHANGE,
    CODE,
    COMMIT,
    SEAT,
    act,
    ask_every_master,
    change,
    committed,
    hint,
)
from tests.waiting import until
from tests.world.store import Connection, MemoryStore

ADA, BOB = SEAT, 0
HOUR_MS = 3_600_000


@dataclass
class Stores:
    """One store as two processes have it, and a way to fill its memory."""

    here: Any
    elsewhere: Any

    async def fill(self, *, full: bool) -> None:
        if isinstance(self.here, Connection):
            self.here.faults.is_full = full
        else:
            await ask_every_master(self.here, "CONFIG", "SET", "maxmemory", int(full))

    def stop_clock(self) -> None:
        """Let both processes' clocks stand, where what is stored counts for some seconds."""
        now = self.now()
        for each in (self.here, self.elsewhere):
            each.clock.now = lambda: now  # both end with the test

    def now(self) -> int:
        now: int = self.here.clock.now()
        return now

    async def act(self, **fields: Any) -> CommitAnswer:
        """Store an act of Ada, or of another seat."""
        return (await committed(self.here, act(**fields)))[0]

    async def hint(self, at: int, **fields: Any) -> CommitAnswer:
        return (await committed(self.here, hint(at=at, **fields)))[0]

    async def seat(self, number: int = ADA) -> SeatRecord:
        record: SeatRecord = await self.elsewhere.seats.read(CODE, number)
        return record

    async def race(self, since: int = 1_000, left: int | None = HOUR_MS) -> None:
        """Create a room with Ada and Bob, whose race began `since` ms ago."""
        now = self.now()
        t_end = None if left is None else now + left
        running = change(state="RUNNING", t0=now - since, t_end=t_end)
        assert await self.here.rooms.create(CODE, replace(running, seat=NewSeat(ADA, "ada")))
        assert await self.here.rooms.change(CODE, 1, replace(running, seat=NewSeat(BOB, "bob")))


@pytest.fixture(params=["the fake", "embedded", "redis", "cluster"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    if request.param == "the fake":
        shared = MemoryStore()
        yield Stores(shared.connect(), shared.connect())
        return
    of_tests = {"embedded": "embedded_url", "redis": "redis_server"}
    found = request.getfixturevalue(of_tests.get(request.param, request.param))
    url = found if isinstance(found, str) else found.url
    async with opened(url, tmp_path) as here, opened(url, tmp_path) as elsewhere:
        await ask_every_master(here, "FLUSHALL")
        yield Stores(here, elsewhere)


async def test_rooms_are_written_by_version_read_and_deleted(stores: Stores) -> None:
    rooms, there = stores.here.rooms, stores.elsewhere.rooms
    assert await rooms.read(CODE) is None
    assert await rooms.append(CODE, "nobody") is None
    assert await rooms.change(CODE, 1, CHANGE) is None
    seated = change(seat=NewSeat(ADA, "ada", 7), process="p")
    assert await rooms.create(CODE, seated)
    assert not await there.create(CODE, CHANGE)
    assert await stores.here.processes.rooms_of("p") == [CODE]
    record = SeatRecord(7, "ada", 0, 0, None, 0, None)
    assert await there.read_with_seat(CODE, ADA) == (StoredRoom(1, CHANGE.doc), record)
    assert await there.read_with_seat(CODE, BOB) == (StoredRoom(1, CHANGE.doc), None)
    assert await there.change(CODE, 1, change(doc="b", event="second")) == 2
    assert await rooms.change(CODE, 1, CHANGE) is None
    assert await rooms.append(CODE, "said") == 3
    assert await rooms.read(CODE) == StoredRoom(3, "b")
    assert await rooms.events(CODE, 0) == [(1, CHANGE.event), (2, "second"), (3, "said")]
    assert await rooms.events(CODE, 2) == [(3, "said")]
    assert await rooms.events(CODE, 3) == await rooms.events("NOBODY", 0) == []
    assert not await rooms.delete(CODE, 1, 0, v=2)
    assert await rooms.delete(CODE, 1, 0, v=3)
    assert await there.read_with_seat(CODE, ADA) == (None, None)
    assert not await rooms.delete(CODE, 1, 0, v=3)
    assert await rooms.create(CODE, change(event="anew"))
    assert await rooms.events(CODE, 0) == [(1, "anew")]


async def test_a_change_is_refused_if_a_seat_that_is_out_has_acted(stores: Stores) -> None:
    await stores.race()
    await stores.act()
    running = change(state="RUNNING", t0=stores.now() - 1_000)
    for out in ({ADA: "0"}, {ADA: "2"}, {ADA: "1 1"}, {ADA: None}, {ADA: "1", 5: "0"}):
        assert await stores.here.rooms.change(CODE, 2, replace(running, out=out)) is None
    mark = (await stores.seat()).mark
    assert await stores.here.rooms.change(CODE, 2, replace(running, out={ADA: mark, 5: None})) == 3
    assert await stores.act(id=2, at=1) is CommitFailure.NOT_RUNNING
    assert await stores.hint(1) is CommitFailure.NOT_RUNNING
    assert await stores.act(seat=BOB) == (await stores.here.logs.read(CODE, 1, BOB))[0].ms
    assert await stores.here.rooms.change(CODE, 3, replace(running, n=2, gone=[BOB])) == 4
    assert await stores.here.seats.read_all(CODE, [BOB, 9]) == [None, None]
    assert 1_000 <= await stores.act(id=2, n=2) < HOUR_MS  # type: ignore[operator]


async def test_an_act_is_stored_once_in_order_by_the_holder_of_the_seat(stores: Stores) -> None:
    assert await stores.act() is CommitFailure.NOT_RUNNING
    await stores.race()
    first = await stores.act(id=3, has_gained=True)
    assert isinstance(first, int)
    assert 1_000 <= first < HOUR_MS
    assert await stores.act(id=3, at=1) is CommitFailure.REPEATED
    assert await stores.act(id=2, at=7) is CommitFailure.REPEATED
    for at in (0, 2):
        assert await stores.act(id=4, at=at) is CommitFailure.STALE
    assert await stores.act(id=4, at=1, n=2) is CommitFailure.NOT_RUNNING
    assert await stores.act(id=4, at=1, generation=0) is CommitFailure.REPLACED
    assert await stores.act(id=4, at=1, generation=2) is CommitFailure.TAKEN_BACK
    assert await stores.act(seat=9) is CommitFailure.TAKEN_BACK
    last = await stores.act(id=4, at=1, action=5, stats_json="[6]", is_over=True)
    assert isinstance(last, int)
    log = [LogRecord(4711, first), LogRecord(5, last)]
    assert await stores.elsewhere.logs.read(CODE, 1, ADA) == log
    assert await stores.elsewhere.logs.read(CODE, 1, ADA, 1) == log[1:]
    seat = SeatRecord(1, "ada", 4, 1, "[6]", first, last, first_id=3)
    assert await stores.seat() == seat
    assert await stores.here.rooms.count_acts(CODE, 1, [ADA, BOB]) == 2
    again = change(state="RUNNING", n=2, t0=stores.now())
    assert await stores.here.rooms.change(CODE, 2, again) == 3
    at_once = await stores.act(id=9, n=2)
    assert await stores.seat() == replace(
        seat, last_id=9, n=2, stats_json=COMMIT.stats_json, gained_ms=0, over_ms=None, first_id=9
    )
    assert isinstance(at_once, int)


async def test_the_times_of_a_log_do_not_run_backwards(stores: Stores) -> None:
    await stores.race(HOUR_MS, None)
    first = await stores.act()
    now = stores.now()
    later = change(state="RUNNING", t0=now)  # as by a clock that is behind
    assert await stores.here.rooms.change(CODE, 2, later) == 3
    assert await stores.act(id=2, at=1) == first


async def test_hints_are_counted_once_for_each_position(stores: Stores) -> None:
    assert await stores.hint(0) is CommitFailure.NOT_RUNNING
    await stores.race()
    assert [await stores.hint(0) for _ in range(2)] == [1, 1]
    assert await stores.hint(1) is CommitFailure.STALE
    assert await stores.hint(0, generation=0) is CommitFailure.REPLACED
    await stores.act()
    assert await stores.hint(1) == 2
    seat = await stores.seat()
    assert (seat.hint_count, seat.hint_round, seat.mark) == (2, 1, "1 2")
    again = change(state="RUNNING", n=2, t0=stores.now())
    assert await stores.here.rooms.change(CODE, 2, again) == 3
    await stores.act(id=2, n=2)
    assert await stores.hint(1, n=2) == 1  # at the place of the last one before


async def test_a_seat_that_is_taken_has_one_holder(stores: Stores) -> None:
    assert await stores.here.seats.take(CODE, ADA) is None
    await stores.race()
    before = stores.now()
    taken = await stores.here.seats.take(CODE, ADA)
    assert taken.generation >= before
    again = await stores.elsewhere.seats.take(CODE, ADA)
    assert again.generation > taken.generation
    assert again == await stores.seat()
    assert await stores.act(generation=taken.generation) is CommitFailure.REPLACED
    assert isinstance(await stores.act(generation=again.generation), int)
    # A seat of the same number begins anew.
    await stores.hint(1, generation=again.generation)
    anew = change(seat=NewSeat(ADA, "cy", 3))
    assert await stores.here.rooms.change(CODE, 2, anew) == 3
    assert await stores.seat() == SeatRecord(3, "cy", 0, 0, None, 0, None)


async def test_lists_show_rooms_that_are_due_or_public(stores: Stores) -> None:
    rooms, lists = stores.here.rooms, stores.elsewhere.lists
    shown = change(deadline=500, public=True, row="row")
    assert await rooms.create("FIRST", shown)
    assert await rooms.create("SECOND", change(deadline=400))
    assert await lists.due(499) == ["SECOND"]
    assert await lists.due(500) == ["SECOND", "FIRST"]
    assert await lists.due(500, limit=1) == ["SECOND"]
    assert await lists.public() == ["FIRST"]
    assert await lists.rows(["FIRST", "SECOND", "NOBODY"]) == ["row", None, None]
    assert await rooms.change("FIRST", 1, replace(shown, deadline=None, listed=False)) == 2
    assert await lists.due(500) == ["SECOND", "FIRST"]
    await lists.correct("FIRST")
    assert await lists.due(500) == ["SECOND"]
    # A change that is refused may list its room too early, but not too late.
    for deadline in (300, 900):
        assert await rooms.change("SECOND", 9, change(deadline=deadline)) is None
        assert await lists.due(399) == ["SECOND"]
    assert await rooms.change("SECOND", 1, change(deadline=900)) == 2
    assert await lists.due(899) == []
    await rooms.delete("SECOND", 0, 0)
    await rooms.delete("FIRST", 0, 0)
    assert await lists.due(900) == await lists.public() == []


async def test_unreadable_rooms_are_due_later(stores: Stores) -> None:
    unreadable, lists, now = stores.here.unreadable, stores.here.lists, stores.now()
    assert await stores.here.rooms.create(CODE, change(deadline=now - 1))
    await unreadable.set_aside(CODE)
    await unreadable.set_aside("OTHER")
    assert await lists.due(now) == [CODE]
    await unreadable.postpone(CODE)
    assert (await lists.due(now + 4_999), await unreadable.count()) == ([], 2)
    assert set(await lists.due(now + HOUR_MS)) == {CODE, "OTHER"}
    await unreadable.readmit(CODE)
    assert await unreadable.count() == 1


async def test_claims_count_rooms_and_computer_players_up_to_a_limit(stores: Stores) -> None:
    stores.stop_clock()
    rooms, bots = stores.here.open_rooms, stores.here.bots
    everywhere, near = Quota("", 2), Quota("near", 1)
    assert rooms.has_space(CODE)
    assert [await rooms.claim("A", [everywhere, near]) for _ in range(2)] == [None, None]
    assert await rooms.claim("B", [everywhere, near]) == near
    assert (await rooms.count(), await rooms.count("near")) == (1, 1)
    await rooms.renew("B", ["", "near"])
    assert await rooms.claim("C", [everywhere]) == everywhere
    assert await rooms.claim("B", [everywhere, near]) is None
    await rooms.release("A", ["", "near"])
    assert (await rooms.count(), await rooms.count("near")) == (1, 1)
    assert await bots.claim("a", {"": 2, "club": 1})
    assert await bots.claim("a", {"": 2, "club": 1})
    assert not await bots.claim("b", {"": 2, "club": 1})
    assert (await bots.count(), await bots.count("club")) == (1, 1)
    await bots.renew(["b", "c"], ["", "club"])
    assert (await bots.count(), await bots.count("club")) == (3, 3)
    await bots.release(["a", "b"], ["", "club"])
    assert (await bots.count(), await bots.count("club")) == (1, 1)


async def test_an_attempt_keeps_its_first_code(stores: Stores) -> None:
    attempts = stores.here.attempts
    assert [await attempts.code("attempt", drawn) for drawn in "AB"] == ["A", "A"]
    await attempts.replace("attempt", "C")
    assert await stores.elsewhere.attempts.code("attempt", "D") == "C"


async def test_a_job_is_added_once_and_within_its_share(stores: Stores) -> None:
    jobs, later = stores.here.jobs, stores.now() + HOUR_MS
    assert await jobs.take("bot", "one", idle_ms=0) is None
    add = {"deadline_ms": later, "shares": {"near": 1, "far": 9}}
    assert await jobs.add("bot", "a", "near 1", **add) is Queued.ADDED
    assert await jobs.add("bot", "a", "near 2", **add) is Queued.KNOWN
    assert await jobs.add("bot", "b", "near 3", **add) is Queued.FULL
    assert await jobs.add("bot", "c", "by itself", deadline_ms=later, most=1) is Queued.FULL
    assert await jobs.add("bot", "c", "by itself", deadline_ms=later) is Queued.ADDED
    assert await jobs.add("label", "a", "of another kind", **add) is Queued.ADDED
    assert await jobs.count("bot") == 2


async def test_a_job_has_one_taker_until_that_is_silent(stores: Stores) -> None:
    jobs, now = stores.here.jobs, stores.now()
    for key, deadline in (("late", now - 1), ("a", now + HOUR_MS), ("b", now + HOUR_MS)):
        assert await jobs.add("bot", key, f"body {key}", deadline_ms=deadline)
    first = await jobs.take("bot", "one", idle_ms=HOUR_MS)
    assert (first.key, first.body, first.tries, first.taker) == ("a", "body a", 1, "one")
    assert first.deadline_ms == now + HOUR_MS
    second = await jobs.take("bot", "two", idle_ms=HOUR_MS)
    assert (second.key, await jobs.count("bot")) == ("b", 2)
    assert await jobs.take("bot", "three", idle_ms=HOUR_MS) is None
    assert await jobs.keep(first)
    # Of the silent ones the one with the fewest tries comes first.
    stolen = await jobs.take("bot", "two", idle_ms=0)
    assert (stolen.key, stolen.tries) == ("a", 2)
    for action in (jobs.keep, jobs.reset, jobs.release, jobs.finish):
        assert not await action(first)
    own = await jobs.take("bot", "two", idle_ms=0)
    assert (own.key, own.tries) == ("b", 1)
    assert await jobs.take("bot", "three", idle_ms=0, most_tries=0) is None
    assert await jobs.release(stolen)
    released = await jobs.take("bot", "three", idle_ms=HOUR_MS)
    assert (released.key, released.tries) == ("a", 2)
    assert await jobs.reset(released)
    again = await jobs.take("bot", "four", idle_ms=0)
    assert (again.key, again.tries) == ("a", 1)
    assert await jobs.finish(again)
    assert not await jobs.finish(again)
    assert await jobs.count("bot") == 1
    assert await jobs.add("bot", "a", "known", deadline_ms=now) is Queued.KNOWN


async def test_reviews_keep_the_first_text_of_their_round(stores: Stores) -> None:
    reviews = stores.here.reviews
    assert not await reviews.begin(CODE, 1, 5)
    assert not await reviews.keep(CODE, 1, 5, ADA, "text")
    assert not await reviews.finish(CODE, 1, 5)
    await stores.race()
    assert await reviews.read(CODE, 1, 5) == StoredReview()
    assert await reviews.begin(CODE, 1, 5)
    assert await reviews.read(CODE, 1, 5) == StoredReview(has_begun=True)
    for text in ("first", "second"):
        assert await reviews.keep(CODE, 1, 5, ADA, text)
    assert await reviews.finish(CODE, 1, 5)
    assert await stores.elsewhere.reviews.read(CODE, 1, 5) == StoredReview(
        has_begun=True, is_done=True, texts={ADA: "first"}
    )
    assert await reviews.read(CODE, 1, 6) == StoredReview()
    assert await reviews.begin(CODE, 1, 6)  # that of an earlier room goes
    assert await reviews.read(CODE, 1, 5) == StoredReview()
    assert await reviews.read(CODE, 1, 6) == StoredReview(has_begun=True)
    await stores.act()
    await stores.here.rooms.drop(CODE, [BOB], [(1, ADA)], [1])
    assert await reviews.read(CODE, 1, 6) == StoredReview()
    assert await stores.here.rooms.count_acts(CODE, 1, [ADA]) == 0
    assert await stores.here.seats.read(CODE, BOB) is None
    assert await stores.here.rooms.read(CODE) is not None


async def test_pools_and_labels_know_whether_somebody_fills_them(stores: Stores) -> None:
    stores.stop_clock()
    pools, labels = stores.here.deal_pools, stores.here.deal_labels
    assert await stores.here.reviews.maker_seen_ms() == 0
    assert await labels.read("deal", "room") == (await labels.read("other"))
    taken = await pools.take("a")
    assert (taken.deal, taken.is_filled) == (None, False)
    assert await pools.waited_for(["a", "b"]) == ["a"]
    before = stores.now()
    await stores.elsewhere.deal_pools.show_filler()
    assert await stores.here.reviews.maker_seen_ms() >= before
    assert [await pools.put("a", deal, most=2) for deal in "xyz"] == [True, True, False]
    levels = await pools.levels(["a", "b"])
    assert [(each.deals, each.wanted_ms > 0) for each in levels.values()] == [
        (2, True),
        (0, False),
    ]
    assert [(await pools.take("a")).deal for _ in range(3)] == ["x", "y", None]
    assert (await pools.take("a")).is_filled
    await labels.ask("deal", "room", 17)
    assert (await labels.read("deal", "room")).asked_since == 17
    assert await labels.is_asked("deal", "room", lately=True)
    await labels.ask("newer", "room", 18)
    assert not await labels.is_asked("deal", "room", lately=False)
    assert (await labels.read("deal", "room")).asked_since is None
    await labels.keep("deal", "winnable")
    found = await labels.read("deal")
    assert (found.label, found.is_sought, found.asked_since) == ("winnable", True, None)


async def test_processes_beat_and_have_rooms(stores: Stores) -> None:
    here, there = stores.here.processes, stores.elsewhere.processes
    await here.beat("a", 1_000, ["R1", "R2"])
    await there.beat("b", 2_000, [])
    assert [await here.silent(since) for since in (1_000, 1_001)] == [[], ["a"]]
    await here.beat("a", 3_000, ["R3"])
    assert await here.silent(2_001) == ["b"]
    assert sorted(await there.rooms_of("a")) == ["R1", "R2", "R3"]
    await here.drop_room("a", "R1")
    assert sorted(await here.rooms_of("a")) == ["R2", "R3"]
    await here.forget("a")
    assert await here.rooms_of("a") == []
    assert await here.silent(9_000) == ["b"]


async def test_changes_and_progress_are_published_to_other_processes(stores: Stores) -> None:
    """The order of what arrives shows what does not: the last notification comes after it."""
    got: dict[str, list[Any]] = {"here": [], "elsewhere": [], "again": []}
    here, there, room = stores.here.pubsub, stores.elsewhere.pubsub, Notification.ROOM

    def heard(name: str, each: Notification | ProgressNotification) -> None:
        got[name].append(each.read() if isinstance(each, ProgressNotification) else each)

    assert not here.passes_on(CODE)
    await here.subscribe(CODE, lambda each: heard("here", each))
    await there.subscribe(CODE, lambda each: heard("elsewhere", each))
    assert here.passes_on(CODE)
    await here.probe()
    await stores.race()
    await stores.act()
    await stores.hint(1)
    assert await stores.here.rooms.change(CODE, 7, CHANGE) is None
    assert await stores.here.rooms.create("OTHER", CHANGE)
    progress = (await stores.seat()).progress(ADA)
    replies: list[int] = []
    here.publish(CODE, [progress, progress._replace(seat=BOB)], replies.append)
    await stores.here.rooms.append(CODE, "said")
    await until(lambda: len(got["here"]) == 3 and len(got["elsewhere"]) == 5)
    await until(lambda: len(replies) == 2)
    assert got["here"] == [room] * 3
    assert got["elsewhere"] == [room, room, progress, progress._replace(seat=BOB), room]
    assert all(isinstance(reply, int) for reply in replies)
    for _ in range(2):
        there.unsubscribe(CODE)
    assert not there.passes_on(CODE)
    await there.subscribe(CODE, lambda each: heard("again", each))
    await stores.here.rooms.delete(CODE, 0, 0)
    await until(lambda: len(got["here"]) == 4 and got["again"] == [room])
    assert len(got["elsewhere"]) == 5


async def test_a_full_store_takes_no_new_room_or_seat(stores: Stores) -> None:
    here, later = stores.here, stores.now() + HOUR_MS
    await stores.race()
    await stores.fill(full=True)
    try:
        running = change(state="RUNNING", t0=stores.now() - 1_000, deadline=5)
        growing = (
            here.rooms.create("OTHER", CHANGE),
            here.rooms.change(CODE, 2, replace(running, seat=NewSeat(5, "eve"))),
            here.rooms.append(CODE, "said"),
            here.open_rooms.renew("OTHER", [""]),
            here.attempts.code("attempt", "OTHER"),
            here.bots.renew(["bot"], [""]),
            here.deal_pools.put("pool", "deal", most=9),
            here.jobs.add("bot", "key", "body", deadline_ms=later),
            here.deal_labels.ask("deal", "room", 5),
            here.reviews.begin(CODE, 1, 5),
        )
        refused = await asyncio.gather(*growing, return_exceptions=True)
        assert [type(each) for each in refused] == [StoreFull] * len(growing)
        assert await stores.act() is await stores.hint(0) is CommitFailure.AWAY
        assert await here.rooms.change(CODE, 2, running) == 3
        assert await here.lists.due(5) == [CODE]
        assert isinstance(await here.seats.take(CODE, ADA), SeatRecord)
        await here.processes.beat("p", 5, [CODE])
        assert await here.rooms.delete(CODE, 1, 1)
    finally:
        await stores.fill(full=False)
