"""The contract of the stores: the fake behaves like the real one, on one server or several.

A scenario has the stores of two processes, `here` and `elsewhere`.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from server.store import (
    ClaimStep,
    CommitFailure,
    CommitResult,
    LogRecord,
    NewSeat,
    Notification,
    ProgressNotification,
    SeatProgress,
    SeatRecord,
    StoredReview,
    StoredRoom,
    StoreFull,
    TableChange,
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
    take_as,
    up_to,
)
from tests.waiting import until
from tests.world.store import Connection, MemoryStore

ADA, BOB = SEAT, 0
HOUR_MS = 3_600_000


@dataclass
class Stores:
    """One store, connected to two processes, and a way to fill its memory."""

    here: Any
    elsewhere: Any

    async def fill(self, *, full: bool) -> None:
        if isinstance(self.here, Connection):
            self.here.faults.is_full = full
        else:
            await ask_every_master(self.here, "CONFIG", "SET", "maxmemory", int(full))

    def stop_clock(self) -> None:
        """Stop both processes' clocks, so that nothing expires."""
        now = self.now()
        for each in (self.here, self.elsewhere):
            each.clock.now_ms = lambda: now  # both end with the test

    def now(self) -> int:
        now: int = self.here.clock.now_ms()
        return now

    async def act(self, **fields: Any) -> CommitResult:
        """Store an act of Ada, or of another seat."""
        return (await committed(self.here, act(**fields)))[0]

    async def hint(self, at: int, **fields: Any) -> CommitResult:
        return (await committed(self.here, hint(at=at, **fields)))[0]

    async def seat(self, number: int = ADA) -> SeatRecord:
        record: SeatRecord = await self.elsewhere.seats.read(CODE, number)
        return record

    async def race(self) -> None:
        """Create a room where Ada and Bob race, and take both seats."""
        ada = change(seat=NewSeat(ADA, "ada"))
        assert await self.here.rooms.create(CODE, ada)
        bob = change(seat=NewSeat(BOB, "bob"), begins=[ADA, BOB])
        assert await self.here.rooms.change(CODE, 1, bob) == 2
        for seat in (ADA, BOB):
            await take_as(self.here, 1, seat=seat)

    async def change(self, v: int, **fields: Any) -> int | None:
        """Change the room, if it is at version `v`."""
        after: int | None = await self.here.rooms.change(CODE, v, change(**fields))
        return after


@pytest.fixture(params=["the fake", "embedded", "redis", "cluster"])
async def stores(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Stores]:
    if request.param == "the fake":
        shared = MemoryStore()
        yield Stores(shared.connect(), shared.connect())
        return
    fixtures = {"embedded": "embedded_url", "redis": "redis_server", "cluster": "cluster"}
    found = request.getfixturevalue(fixtures[request.param])
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
    assert await there.read(CODE) == StoredRoom(1, CHANGE.doc)
    seats = stores.elsewhere.seats
    assert await seats.read_all(CODE, [ADA, BOB]) == [SeatRecord(7, "ada"), None]
    assert await there.change(CODE, 1, change(doc="b", event="second")) == 2
    assert await rooms.change(CODE, 1, CHANGE) is None
    assert await rooms.append(CODE, "said") == 3
    assert await rooms.read(CODE) == StoredRoom(3, "b")
    assert await rooms.events(CODE, 0) == [(1, CHANGE.event), (2, "second"), (3, "said")]
    assert await rooms.events(CODE, 2) == [(3, "said")]
    assert await rooms.events(CODE, 3) == await rooms.events("NOBODY", 0) == []
    assert not await rooms.delete(CODE, up_to(1, 0), v=2)
    assert await rooms.delete(CODE, up_to(1, 0), v=3)
    assert (await there.read(CODE), await seats.read(CODE, ADA)) == (None, None)
    assert not await rooms.delete(CODE, up_to(1, 0), v=3)
    assert await rooms.create(CODE, change(event="anew"))
    assert await rooms.events(CODE, 0) == [(1, "anew")]


async def test_a_race_ends_only_as_it_was_read(stores: Stores) -> None:
    await stores.race()
    await stores.act()
    before = await stores.seat()
    await stores.act(id=2, at=1)
    assert await stores.change(2, ends={ADA: before}) is None
    acted = await stores.seat()
    await stores.hint(2)
    assert await stores.change(2, ends={ADA: acted}) is None
    hinted = await stores.seat()
    await take_as(stores.here, 5)
    assert await stores.change(2, ends={ADA: hinted}) is None
    taken = await stores.seat()
    assert await stores.change(2, ends={ADA: taken, BOB: acted}) is None
    assert await stores.change(2, ends={ADA: taken}) == 3
    assert await stores.act(id=3, at=2, generation=5) is CommitFailure.GONE
    assert await stores.hint(2, generation=5) is CommitFailure.GONE
    closed = await stores.seat()
    assert closed == SeatRecord(5, "ada", 1, None, 2, 1, 1)
    assert await stores.change(3, ends={ADA: taken}) is None
    assert await stores.act(seat=BOB) == COMMIT.ms
    assert await stores.here.rooms.count_acts(CODE, 1, [ADA, BOB]) == 2
    assert [each.id for each in await stores.elsewhere.logs.read(CODE, 1, ADA)] == [1, 2]
    bob = await stores.seat(BOB)
    assert await stores.change(3, ends={BOB: bob}, gone=[BOB]) == 4
    assert await stores.here.seats.read_all(CODE, [BOB, 9]) == [None, None]
    assert len(await stores.here.logs.read(CODE, 1, BOB)) == 1
    assert await stores.change(4, n=2, begins=[ADA]) == 5
    assert await stores.seat() == replace(closed, n=2, writer=0)
    assert await stores.here.logs.read(CODE, 2, ADA) == []
    await take_as(stores.here, 6, n=2)
    assert await stores.act(id=3, n=2, generation=6) == COMMIT.ms
    assert (await stores.seat()).last_id == 3


async def test_a_race_that_nobody_has_entered_ends(stores: Stores) -> None:
    assert await stores.here.rooms.create(CODE, change(seat=NewSeat(ADA, "ada"), begins=[ADA]))
    assert await stores.act() is CommitFailure.GONE
    assert await stores.change(1, ends={ADA: await stores.seat()}) == 2
    assert await stores.here.logs.read(CODE, 1, ADA) == []
    assert await stores.seat() == SeatRecord(1, "ada", 1)


async def test_an_act_is_stored_at_its_place_by_the_writer_of_the_log(stores: Stores) -> None:
    assert await stores.act() is CommitFailure.GONE
    await stores.race()
    assert await stores.act(id=3) == COMMIT.ms
    assert await stores.act(id=4, at=1, n=2) is CommitFailure.GONE
    for generation in (0, 2):
        assert await stores.act(id=4, at=1, generation=generation) is CommitFailure.GONE
    assert await stores.act(seat=9) is CommitFailure.GONE
    assert await stores.act(id=4, at=1, action=5, ms=2_000, is_restored=True) == 2_000
    log = [LogRecord(4711, COMMIT.ms, 3), LogRecord(5, 2_000, 4, is_restored=True)]
    assert await stores.elsewhere.logs.read(CODE, 1, ADA) == log
    assert await stores.elsewhere.logs.read(CODE, 1, ADA, 1) == log[1:]
    assert await stores.elsewhere.logs.read(CODE, 1, ADA, 2) == []
    assert await stores.elsewhere.logs.read(CODE, 2, ADA) == []
    seat = await stores.seat()
    assert (seat.acts, seat.last_act, seat.last_id) == (2, log[1], 4)
    assert (seat.generation, seat.n, seat.writer, seat.closed_id) == (1, 1, 1, 0)


async def test_acts_behind_a_lost_one_are_not_part_of_the_log(stores: Stores) -> None:
    await stores.race()
    await stores.act()
    for at in (2, 3):
        assert await stores.act(id=1 + at, at=at) is CommitFailure.STALE
    assert [each.id for each in await stores.here.logs.read(CODE, 1, ADA)] == [1]
    assert await stores.here.logs.read(CODE, 1, ADA, 1) == []
    assert await stores.hint(1) is CommitFailure.STALE
    taken = await stores.here.seats.retake(CODE, ADA, 1, 1)
    assert taken == await stores.seat()
    assert (taken.acts, taken.last_id) == (1, 1)
    assert await stores.act(id=2, at=1, generation=taken.generation) == COMMIT.ms
    assert await stores.act(id=3, at=0, generation=taken.generation) is CommitFailure.STALE


async def test_hints_are_counted_once_for_each_position(stores: Stores) -> None:
    assert await stores.hint(0) is CommitFailure.GONE
    await stores.race()
    assert [await stores.hint(0) for _ in range(2)] == [1, 1]
    assert await stores.hint(1) is CommitFailure.STALE
    assert await stores.hint(0, generation=0) is CommitFailure.GONE
    await stores.act()
    assert await stores.hint(1) == 2
    seat = await stores.seat()
    assert (seat.hint_count, seat.hint_round) == (2, 1)
    assert await stores.change(2, ends={ADA: seat}) == 3
    assert await stores.change(3, n=2, begins=[ADA]) == 4
    await take_as(stores.here, 1, n=2)
    await stores.act(id=2, n=2)
    assert await stores.hint(1, n=2) == 1  # at the position of the last one before


async def test_a_seat_that_is_taken_has_one_holder(stores: Stores) -> None:
    assert await stores.here.seats.take(CODE, ADA) is None
    assert await stores.here.seats.retake(CODE, ADA, 1, 1) is CommitFailure.TAKEN_BACK
    await stores.race()
    await stores.act()
    before = stores.now()
    taken = await stores.here.seats.take(CODE, ADA)
    assert taken.generation >= before
    again = await stores.elsewhere.seats.take(CODE, ADA)
    assert again.generation > taken.generation
    assert again == await stores.seat()
    assert again.acts == 1
    assert await stores.act(id=2, at=1, generation=taken.generation) is CommitFailure.GONE
    assert isinstance(await stores.act(id=2, at=1, generation=again.generation), int)
    # A new seat with the same number starts from nothing.
    await stores.hint(2, generation=again.generation)
    assert await stores.change(2, seat=NewSeat(ADA, "cy", 3)) == 3
    assert await stores.seat() == SeatRecord(3, "cy")


async def test_a_seat_gets_another_token_and_keeps_all_else(stores: Stores) -> None:
    await stores.race()
    await stores.act()
    await stores.hint(1)
    before = await stores.seat()
    assert await stores.change(2, seat=NewSeat(ADA, "moved", None)) == 3
    assert await stores.seat() == replace(before, token_hash="moved")
    assert await stores.change(2, seat=NewSeat(ADA, "again", None)) is None
    assert await stores.act(id=2, at=1) == COMMIT.ms  # until the new device takes the seat
    taken = await stores.elsewhere.seats.take(CODE, ADA)
    assert (taken.token_hash, taken.acts, taken.hint_count) == ("moved", 2, 1)
    assert await stores.act(id=3, at=2) is CommitFailure.GONE


async def test_a_history_is_written_anew_without_its_chat(stores: Stores) -> None:
    rooms = stores.here.rooms
    table = TableChange(["Ada 1", "Bob 2"], 500, {1: "Ada and Bob"})
    assert await rooms.create(CODE, change(table=table))
    assert await rooms.append(CODE, "Bob says") == 2
    anew = TableChange(["Ada 1", " 2"], 500, {1: "Ada and"}, replaces_all=True)
    assert await stores.change(1, table=anew) is None
    assert await rooms.history(CODE) == ["Ada 1", "Bob 2"]
    assert await stores.change(2, table=anew) == 3
    assert await stores.elsewhere.rooms.history(CODE) == ["Ada 1", " 2"]
    assert await stores.elsewhere.rooms.shelf(CODE) == {1: "Ada and"}
    assert await rooms.events(CODE, 0) == []
    assert await stores.change(3, event="goes on", table=TableChange(["Ada 3"], 500)) == 4
    assert await rooms.history(CODE) == ["Ada 1", " 2", "Ada 3"]
    assert await rooms.events(CODE, 0) == [(4, "goes on")]


async def test_a_holder_takes_its_seat_again_but_nobody_elses(stores: Stores) -> None:
    await stores.race()
    seats = stores.here.seats
    taken = await seats.retake(CODE, ADA, 1, 1)
    assert taken.generation > 1
    assert await stores.act() is CommitFailure.GONE
    assert await seats.retake(CODE, ADA, 1, 1) is CommitFailure.REPLACED
    lost = taken.generation + 1
    assert await seats.retake(CODE, ADA, lost, 1) is CommitFailure.TAKEN_BACK
    assert await seats.retake(CODE, ADA, taken.generation, 2) == taken == await stores.seat()
    assert isinstance(await stores.act(generation=taken.generation), int)


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
    await rooms.delete("SECOND", up_to(0, 0))
    await rooms.delete("FIRST", up_to(0, 0))
    assert await lists.due(900) == await lists.public() == []


async def test_unreadable_rooms_are_due_later(stores: Stores) -> None:
    lists, now = stores.here.lists, stores.now()
    assert await stores.here.rooms.create(CODE, change(deadline=now - 1))
    await lists.set_aside(CODE)
    await lists.set_aside("OTHER")
    assert await lists.due(now) == [CODE]
    await lists.set_aside(CODE, is_due=True)
    assert (await lists.due(now + 59_999), await lists.count_set_aside()) == ([], 2)
    assert set(await lists.due(now + HOUR_MS)) == {CODE, "OTHER"}
    await lists.readmit(CODE)
    assert await lists.count_set_aside() == 1


async def test_claims_count_rooms_and_computer_players_up_to_a_limit(stores: Stores) -> None:
    stores.stop_clock()
    rooms, bots = stores.here.open_rooms, stores.here.bots
    both = {"": 2, "near": 1}
    assert rooms.has_space(CODE)
    assert [await rooms.claim("A", both) for _ in range(2)] == [None, None]
    assert await rooms.claim("B", both) == "near"
    assert (await rooms.count(), await rooms.count("near")) == (1, 1)
    await rooms.renew(["B"], ["", "near"])
    assert await rooms.claim("C", {"": 2}) == ""
    assert await rooms.claim("B", both) is None
    await rooms.release(["A"], ["", "near"])
    assert (await rooms.count(), await rooms.count("near")) == (1, 1)
    for _ in range(2):
        assert await bots.claim("a", {"": 2, "club": 1}) is None
    assert await bots.claim("b", {"": 2, "club": 1}) == "club"
    assert (await bots.count(), await bots.count("club")) == (1, 1)
    await bots.renew(["b", "c"], ["", "club"])
    assert (await bots.count(), await bots.count("club")) == (3, 3)
    await bots.release(["a", "b"], ["", "club"])
    assert (await bots.count(), await bots.count("club")) == (1, 1)


async def test_an_attempt_keeps_its_first_code(stores: Stores) -> None:
    rooms = stores.here.open_rooms
    assert [await rooms.keep_code("attempt", drawn) for drawn in "AB"] == ["A", "A"]
    assert await stores.elsewhere.open_rooms.keep_code("attempt", "C") == "A"
    assert [await rooms.code_of(each) for each in ("attempt", "another")] == ["A", ""]


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
    assert await reviews.begin(CODE, 1, 6)  # an earlier room's review goes
    assert await reviews.read(CODE, 1, 5) == StoredReview()
    assert await reviews.read(CODE, 1, 6) == StoredReview(has_begun=True)
    await stores.act()
    await stores.here.rooms.drop(CODE, ([BOB], [(1, ADA)], [1]))
    assert await reviews.read(CODE, 1, 6) == StoredReview()
    assert await stores.here.rooms.count_acts(CODE, 1, [ADA]) == 0
    assert await stores.here.seats.read(CODE, BOB) is None
    assert await stores.here.rooms.read(CODE) is not None


async def test_a_work_has_one_maker_at_a_time_and_a_label_is_kept(stores: Stores) -> None:
    here, elsewhere = stores.here.guards, stores.elsewhere.guards
    both = ((here, "a"), (elsewhere, "b"))
    assert [await each.claim("w", name, 30) for each, name in both] == [True, False]
    assert await here.renew("w", "a", 30)
    assert not await elsewhere.renew("w", "b", 30)
    await elsewhere.release("w", "b")
    assert not await elsewhere.claim("w", "b", 30)
    await here.release("w", "a")
    assert await elsewhere.claim("w", "b", 1)
    await asyncio.sleep(1.1)
    assert not await elsewhere.renew("w", "b", 30)
    assert await here.claim("w", "a", 30)
    labels = stores.here.deal_labels
    assert await labels.read("deal") is None
    await labels.keep("deal", "winnable")
    assert await stores.elsewhere.deal_labels.read("deal") == "winnable"


async def test_a_day_keeps_its_first_deal_and_counts_each_game_once(stores: Stores) -> None:
    here, elsewhere, until = stores.here.days, stores.elsewhere.days, stores.now() + HOUR_MS
    day = "2026-11-28", "spider-1"
    assert await here.choose(*day, "first", until) == "first"
    assert await elsewhere.choose(*day, "second", until) == "first"
    assert await here.deals(day[0], ("spider-2", "spider-1")) == {"spider-1": "first"}
    assert await here.chosen(["2026-11-27", "2026-11-28"], "spider-1") == ["2026-11-28"]
    # The player, the step, the claim to make, the claim that stands then, the number of claims.
    steps: tuple[tuple[str, ClaimStep, str, str, int], ...] = (
        ("a", "claim", "A", "A +1", 1),
        ("a", "claim", "B", "A +2", 1),
        ("a", "release", "A", "A +1", 1),
        ("a", "open", "A", "A open", 1),
        ("a", "release", "A", "A open", 1),
        ("a", "claim", "B", "A open", 1),
        ("a", "open", "A", "A open", 1),
        ("b", "claim", "B", "B +1", 2),
        ("b", "release", "B", "B", 1),
        ("b", "release", "B", "B", 1),
        ("b", "claim", "C", "B +1", 2),  # the released one
        ("b", "release", "B", "B", 1),
        ("b", "open", "B", "B open", 2),
        ("c", "release", "C", "C", 2),
    )
    for player, step, claim, stands, begun in steps:
        assert await elsewhere.advance_claim(*day, player, step, claim, until) == stands
        assert await here.counts(*day, 100) == (begun, 0, 0)
    await here.advance_claim(*day, "d", "claim", "D", until)
    await here.advance_claim(*day, "d", "release", "D", until)
    claims = [await here.claim_of(*day, player) for player in "abcd"]
    assert claims == ["A open", "B open", "", "D"]
    start, standing = 0, set[str]()
    while start is not None:
        start, some = await here.claims(*day, start)
        standing.update(some)
    assert standing == {"A open", "B open"}
    assert await here.rank_of(*day, "A") is None
    reports = ("A", 50, b"\0a"), ("B", 1 << 50, b"\0b"), ("C", 50, b"c"), ("A", 10, b"again")
    for entry, order, log in reports:
        report = *day, entry, order, f"result of {entry}", log, until
        assert await here.report(*report) is (log != b"again")
    assert await elsewhere.counts(*day, 100) == (2, 3, 2)
    assert await here.counts_below(*day, (50, 51, 1 << 51)) == [0, 2, 3]
    assert await here.rows(*day, 0, 9) == [(1, "A"), (1, "C"), (3, "B")]
    assert await here.rows(*day, 1, 1) == [(1, "C")]
    assert await here.rows(*day, 3, 9) == []
    assert await here.rank_of(*day, "B") == 2
    await here.replace_result(*day, "B", "hidden")
    assert await elsewhere.results(*day, ["B", "none", "A"]) == ["hidden", None, "result of A"]
    assert await elsewhere.logs(*day, ["A", "none"]) == [b"\0a", None]
    for log in (b"beside", b"again"):
        assert await here.report(*day, "D", None, "of D", log, until) is (log == b"beside")
    assert await here.rank_of(*day, "D") is None
    assert await elsewhere.results(*day, ["D"]) == ["of D"]
    assert await elsewhere.logs(*day, ["D"]) == [b"beside"]
    assert await elsewhere.counts(*day, 100) == (2, 3, 2)
    await stores.fill(full=True)
    for write in (here.choose("2026-11-29", "spider-1", "", until), here.report(*report)):
        with pytest.raises(StoreFull):
            await write
    await stores.fill(full=False)


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
    """The last notification shows that earlier ones, which did not arrive, were not sent."""
    got: dict[str, list[Any]] = {"here": [], "elsewhere": [], "again": []}
    here, there = stores.here.pubsub, stores.elsewhere.pubsub

    def receive(name: str, each: int | Notification | ProgressNotification) -> None:
        got[name].append(each.read() if isinstance(each, ProgressNotification) else each)

    assert not here.is_subscribed(CODE)
    await here.subscribe(CODE, lambda each: receive("here", each))
    await there.subscribe(CODE, lambda each: receive("elsewhere", each))
    assert here.is_subscribed(CODE)
    await here.probe()
    await stores.race()
    await stores.act()
    await stores.hint(1)
    assert await stores.here.rooms.change(CODE, 7, CHANGE) is None
    assert await stores.here.rooms.create("OTHER", CHANGE)
    progress = SeatProgress(ADA, 1, 1, COMMIT.ms, "[500]", 7, None, 1, 1)
    replies: list[int] = []
    here.publish(CODE, [progress, progress._replace(seat=BOB)], replies.append)
    await stores.here.rooms.append(CODE, "said")
    await until(lambda: len(got["here"]) == 3 and len(got["elsewhere"]) == 5)
    await until(lambda: len(replies) == 2)
    assert got["here"] == [1, 2, 3]
    assert got["elsewhere"] == [1, 2, progress, progress._replace(seat=BOB), 3]
    assert all(isinstance(reply, int) for reply in replies)
    for _ in range(2):
        there.unsubscribe(CODE)
    assert not there.is_subscribed(CODE)
    await there.subscribe(CODE, lambda each: receive("again", each))
    await stores.here.rooms.delete(CODE, up_to(0, 0))
    await until(lambda: len(got["here"]) == 4 and got["again"] == [4])
    assert len(got["elsewhere"]) == 5
    assert await stores.here.rooms.create(CODE, CHANGE)
    await stores.elsewhere.rooms.delete(CODE, up_to(0, 0), by_host=True)
    await until(lambda: len(got["here"]) == 7 and len(got["again"]) == 4)
    assert got["here"][4:] == got["again"][1:] == [1, Notification.DELETED, 2]


async def test_a_full_store_takes_no_new_room_or_seat(stores: Stores) -> None:
    here = stores.here
    await stores.race()
    await stores.fill(full=True)
    try:
        later_due = change(deadline=5)
        growing = (
            here.rooms.create("OTHER", CHANGE),
            here.rooms.change(CODE, 2, replace(later_due, seat=NewSeat(5, "eve"))),
            here.rooms.append(CODE, "said"),
            here.open_rooms.renew(["OTHER"], [""]),
            here.open_rooms.keep_code("attempt", "OTHER"),
            here.bots.renew(["bot"], [""]),
            here.deal_labels.keep("deal", "winnable"),
            here.guards.claim("work", "maker", 30),
            here.reviews.begin(CODE, 1, 5),
        )
        refused = await asyncio.gather(*growing, return_exceptions=True)
        assert [type(each) for each in refused] == [StoreFull] * len(growing)
        assert await stores.act() is await stores.hint(0) is CommitFailure.AWAY
        assert await here.rooms.change(CODE, 2, later_due) == 3
        assert await here.lists.due(5) == [CODE]
        assert await here.rooms.change(CODE, 3, change(seat=NewSeat(ADA, "moved", None))) == 4
        assert isinstance(await here.seats.take(CODE, ADA), SeatRecord)
        await here.processes.beat("p", 5, [CODE])
        await here.processes.beat("q", 5, [])
        await here.processes.leave("p")
        assert await here.processes.left() == ["p"]
        assert await here.processes.silent(5) == ["p"]
        assert await here.processes.rooms_of("p") == [CODE]
        assert await here.rooms.delete(CODE, up_to(1, 1))
    finally:
        await stores.fill(full=False)
