"""The repository of rooms: its reads and writes, and the lists and counts beside the records."""

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, cast

import pytest
from structlog.testing import capture_logs

from protocol.from_client import Forfeit, Leave, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import (
    CODE_ALPHABET,
    CODE_LENGTH,
    ErrorCode,
    Presence,
    RoomState,
    SeatState,
)
from server.live.leaderboard import stats_in
from server.live.quotas import MAX_DRAWS, ROOM_LIMITS, RoomLimits, draw_code
from server.live.repository import Host, Repository, change_to
from server.rooms.events import (
    GRACE_MS,
    ROOM_TIMINGS,
    Disconnected,
    Event,
    Reconnected,
    Refusal,
    Tick,
)
from server.rooms.record import Room, Round, VersionedRoom, round_of
from server.rooms.room import LOBBY_IDLE_MS
from server.store import (
    SeatProgress,
    StoreAway,
    StoreDamaged,
    StoredRoom,
    StoreError,
    StoreFull,
    StoreRefused,
    Unreadable,
)
from tests.live.watched import progress
from tests.rooms.rooms import ADA, BOB, CODE, CY, NOW, T0, closed, happen, joins, running, sends
from tests.rooms.rooms import lobby as new_lobby
from tests.world.store import Faults, MemoryStore
from tests.world.world import replay_invented

ATTEMPT = "the hash of an attempt"
MINE = {"a64": 1, "a56": 4}
TIME_IS_UP = Tick(round_of(running()).t_end or 0)


class Shelf:
    """A store, its faults, and the repository of one process."""

    def __init__(self, limits: RoomLimits = ROOM_LIMITS) -> None:
        self.store = MemoryStore()
        self.connection = self.store.connect()
        self.faults: Faults = self.connection.faults
        self.repository = Repository(self.connection, limits)
        replay_invented(self.repository, self.store)

    async def open(self, networks: Any = (), attempt: str = "", **settings: Any) -> VersionedRoom:
        chosen = Settings.model_validate(settings)
        host = Host("Ada", "hash", attempt=attempt, networks=dict(networks))
        return await self.repository.open(host, chosen)

    async def refused(self, opening: Awaitable[object]) -> ErrorCode:
        with pytest.raises(Refusal) as refusal:
            await opening
        return refusal.value.code

    async def together(
        self, *changes: Coroutine[None, None, VersionedRoom]
    ) -> list[VersionedRoom]:
        """Start all changes but the first while the store holds the first one."""
        with self.faults.held("rooms.change"):
            begun = [asyncio.create_task(changes[0])]
            await asyncio.sleep(0.01)
            begun += [asyncio.create_task(change) for change in changes[1:]]
            await asyncio.sleep(0.01)
        await asyncio.wait(begun)
        return [task.result() for task in begun]


async def test_a_known_room_is_read_only_after_a_conflict_or_if_it_is_old() -> None:
    shelf = Shelf()
    repository, first = shelf.repository, await shelf.open()
    code, calls = first.room.code, shelf.faults.calls
    latest = await repository.apply(code, joins("Bob"), known=first)
    assert (latest.v, calls["rooms.read"]) == (2, 0)
    # If the known version lacks a seat or has the change already, the latest version counts.
    latest = await repository.apply(code, sends(BOB, Ready()), known=first)
    assert (latest.v, latest.room.seats[BOB].state) == (3, SeatState.READY)
    await repository.apply(code, Reconnected(ADA, 7))
    latest = await repository.apply(code, Disconnected(ADA, 7, NOW), known=first)
    assert latest.room.seats[ADA].connection is Presence.GRACE
    latest = await repository.apply(code, joins("Cy"), known=first)
    assert [seat.name for seat in latest.room.seats] == ["Ada", "Bob", "Cy"]
    calls.clear()
    shelf.faults.refuse("rooms.change", 3)
    latest = await repository.apply(code, joins("Don"), known=latest)
    assert (latest.v, calls["rooms.read"]) == (7, 3)
    assert await repository.read(code, latest) is latest
    shut = shelf.store.put(latest.room.model_copy(update={"state": RoomState.CLOSED}), 8)
    for gone in ("0000000", shut.room.code):
        assert await shelf.refused(repository.read(gone)) is ErrorCode.NO_SUCH_ROOM


@pytest.mark.parametrize("waits", [False, True])
async def test_changes_that_come_together_are_written_as_one(*, waits: bool) -> None:
    shelf = Shelf()
    code = (await shelf.open()).room.code
    for name in ("Bob", "Cy"):
        await shelf.repository.apply(code, joins(name))
    back = [shelf.repository.apply(code, Reconnected(seat, 7)) for seat in (ADA, BOB, CY)]
    pages = await (shelf.together(*back) if waits else asyncio.gather(*back))
    assert [latest.v for latest in pages] == ([4, 5, 5] if waits else [4, 4, 4])
    room = (await shelf.repository.read(code)).room
    assert [seat.generation for seat in room.seats] == [7, 7, 7]
    # An event that adds a seat is written alone; a refused one does not stop the others.
    sits_down = shelf.repository.apply(code, joins("Don"), "dons")
    refused = shelf.repository.apply(code, Reconnected(9, 7))
    others = [shelf.repository.apply(code, Reconnected(ADA, each)) for each in (8, 9)]
    with pytest.raises(Refusal):
        await shelf.together(others[0], sits_down, refused, others[1])
    latest = await shelf.repository.read(code)
    assert (latest.v - pages[-1].v, latest.room.seats[ADA].generation) == (2, 9)
    assert "dons" in repr(shelf.store.seats[code, 3])


async def test_a_hundred_players_who_give_up_at_once_make_few_changes() -> None:
    """Regression: each read all seats and wrote the room, so races ended long after the limit."""
    shelf = Shelf()
    room = happen(new_lobby(), *(joins(f"P{number}") for number in range(97)))
    seats = [seat.number for seat in room.seats if seat.role == "player"]
    room = happen(room, *(sends(seat, Ready()) for seat in seats), Tick(T0))
    acts = [progress(9, 7, seat=seat, gained_ms=400) for seat in seats]
    shelf.store.put(room, 5, *acts)
    give_up = (sends(seat, Forfeit(), T0 + 9) for seat in seats)
    pages = await shelf.together(*(shelf.repository.apply(CODE, event) for event in give_up))
    assert [latest.v for latest in pages] == [6] + [7] * (len(seats) - 1)
    over = round_of(pages[-1].room)
    assert pages[-1].room.state is RoomState.FINISHED
    assert {over.results[seat].score for seat in seats} == {7}
    assert not any(shelf.store.seats.races_in(CODE, seat, 1) for seat in seats)


async def test_changes_that_wait_are_written_along_until_the_race_is_over() -> None:
    shelf = Shelf()
    shelf.store.put(running(), 5)
    events: list[Event] = [
        sends(ADA, Forfeit(), T0 + 9),
        Disconnected(CY, 1, T0 + 9),  # it needs no stats
        sends(BOB, Forfeit(), T0 + 9),
        sends(ADA, Leave(), T0 + 9),  # after the end of the race
    ]
    pages = await shelf.together(*(shelf.repository.apply(CODE, event) for event in events))
    assert [latest.v for latest in pages] == [6, 7, 8, 9]
    assert pages[2].room.state is RoomState.FINISHED
    assert pages[3].room.seat(ADA) is None


async def test_a_lost_result_of_a_change_is_not_a_refusal() -> None:
    shelf = Shelf()
    code = (await shelf.open()).room.code
    change = shelf.repository.apply(code, joins("Bob"))
    for call, lost, v in (("rooms.change", change, 2), ("rooms.create", shelf.open(), 1)):
        shelf.faults.lose_answer(call)
        with pytest.raises(StoreAway) as caught:
            await lost
        assert (await shelf.repository.read(cast("Any", caught.value).code)).v == v


def test_a_code_is_letters_and_digits_that_can_be_read_out() -> None:
    codes = {draw_code() for _ in range(50)}
    assert len(codes) == 50
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert {*"".join(codes)} <= {*CODE_ALPHABET}


def test_a_public_room_is_listed_while_newcomers_may_join() -> None:
    room, public = new_lobby(public=True), Settings(public=True, locked=True)
    locked = room.model_copy(update={"settings": public})
    rooms = room, locked, closed(public=True), new_lobby()
    listed = [change_to(each, None, ROOM_TIMINGS).public for each in rooms]
    assert listed == [True, False, False, False]


async def test_lists_are_written_when_a_deadline_moves_and_for_public_rooms() -> None:
    shelf = Shelf()
    code = (await shelf.open()).room.code
    events = (joins("Bob"), sends(ADA, Ready()), Disconnected(ADA, 1, NOW), Reconnected(ADA, 2))
    for event in events:
        await shelf.repository.apply(code, event)
    public = (await shelf.open(public=True)).room.code
    await shelf.repository.apply(public, joins("Bob"))
    changes = [given for call, given in shelf.faults.given if call.startswith("rooms.c")]
    listed = [change.listed for room_code, *_, change in changes if room_code == code]
    assert listed == [False, False, False, True, True]
    assert [change.listed for _, *_, change in changes][-2:] == [True, True]


# The quota of rooms, and the space of the store


async def test_a_room_is_counted_until_it_closes_and_again_when_a_count_was_lost() -> None:
    shelf = Shelf(RoomLimits(100, 1))
    counts, code = shelf.store.open_rooms, (await shelf.open(MINE)).room.code
    counts.until.clear()
    await shelf.repository.apply(code, joins("Bob"))
    assert await counts.count() == 0
    await shelf.repository.apply(code, sends(ADA, Start()))
    counted = [counts.counted(name) for name in ("", *MINE)]
    assert counted == [{code}] * 3
    shelf.faults.failing["open_rooms.renew"] = StoreAway()  # this stops no race
    latest = await shelf.repository.apply(code, Tick(NOW + 10_000))
    assert latest.room.state is RoomState.RUNNING
    other = Shelf(RoomLimits(100, 1))
    room = (await other.open(MINE)).room
    await other.repository.apply(room.code, Disconnected(ADA, 1, NOW))
    for later in (GRACE_MS, GRACE_MS + LOBBY_IDLE_MS):
        await other.repository.apply(room.code, Tick(NOW + later))
    assert await other.store.open_rooms.count() == 0
    await other.open(MINE)


async def test_a_store_without_space_opens_no_room_but_closes_one() -> None:
    shelf = Shelf()
    shelf.store.open_rooms.without_space = MAX_DRAWS - 1
    latest = await shelf.open()  # some master has space
    shelf.store.open_rooms.without_space = MAX_DRAWS
    assert await shelf.refused(shelf.open()) is ErrorCode.STORE_FULL
    # Space is checked once a second, and others may fill the store in between.
    for call in ("rooms.create", "open_rooms.claim"):
        shelf.faults.failing = {call: StoreFull()}
        assert await shelf.refused(shelf.open()) is ErrorCode.STORE_FULL
    shelf.faults.failing = {}
    shelf.faults.is_full = True
    code = latest.room.code
    await shelf.repository.apply(code, sends(ADA, Leave()))
    shelf.faults.refuse("rooms.delete", 1, answer=False)  # another process is faster
    with capture_logs() as logs:
        latest = await shelf.repository.apply(code, Tick(NOW + LOBBY_IDLE_MS))
    assert (latest.room.state, latest.v) == ("CLOSED", 3)
    assert shelf.store.keys_of(code) == set()
    assert [(line["event"], line["state"]) for line in logs] == [("room changed", "CLOSED")]


async def test_a_code_that_is_taken_is_drawn_again() -> None:
    shelf = Shelf()
    shelf.faults.refuse("rooms.create", 2, answer=False)
    latest = await shelf.open()
    assert list(shelf.store.rooms) == [latest.room.code]
    assert shelf.faults.calls["rooms.create"] == 3


async def test_an_attempt_opens_one_room() -> None:
    shelf = Shelf()
    attempts = shelf.store.open_rooms.attempts
    attempts[ATTEMPT] = "CODE001"  # its first message was lost before the room was created
    opened = await shelf.open(attempt=ATTEMPT)
    assert opened.room.code == "CODE001"
    again = await shelf.open(attempt=ATTEMPT)
    assert (again.room, again.v, list(shelf.store.rooms)) == (opened.room, 1, ["CODE001"])
    attempts["next"] = "CODE001"  # another room has the code
    code = (await shelf.open(attempt="next")).room.code
    assert list(shelf.store.rooms) == ["CODE001", code]
    attempts["third"] = "CODE002"
    shelf.faults.refuse("rooms.create", 1, answer=False)  # a room that closes before it is read
    assert (await shelf.open(attempt="third")).room.code not in {"CODE001", "CODE002", code}
    shelf.faults.failing["CODE001"] = Unreadable("why")
    with pytest.raises(Unreadable):
        await shelf.open(attempt=ATTEMPT)


@pytest.mark.parametrize("error", [StoreFull(), StoreDamaged("attempt:1"), StoreRefused()])
async def test_a_store_that_cannot_keep_attempts_still_opens_rooms(error: StoreError) -> None:
    shelf = Shelf()
    shelf.faults.failing["open_rooms.keep_code"] = error
    if not isinstance(error, StoreFull):  # a full store can still be read
        shelf.faults.failing["open_rooms.code_of"] = error
    assert (await shelf.open(attempt=ATTEMPT)).room.code in shelf.store.rooms


# The stats of players

PLAYED = cast("Round", running().round)
LATER = PLAYED.model_copy(update={"n": 2})
DONE = SeatProgress(ADA, 1, 9, 500, '{"score":7}', 400, 500, 3, 1)


def test_stats_and_hints_count_for_their_round() -> None:
    stats = stats_in(DONE, PLAYED, 1)
    assert (stats.score, stats.gained_ms, stats.finished_ms, stats.hints) == (7, 400, 500, 3)
    assert stats_in(DONE, LATER, 1).score == stats_in(DONE, LATER, 1).hints == 0
    assert stats_in(None, LATER, 1).face_down == 44
    stats = stats_in(DONE._replace(n=0, hint_count=2), PLAYED, 1)
    assert (stats.hints, stats.face_down) == (2, 44)
    assert stats_in(DONE._replace(n=2), LATER, 1).hints == 0


def test_the_times_of_a_chaser_are_by_their_own_clock() -> None:
    chased = PLAYED.model_copy(update={"late_ms": {CY: 300}})
    cy, ada = (stats_in(DONE, chased, seat) for seat in (CY, ADA))
    assert (cy.gained_ms, cy.finished_ms) == (100, 200)
    assert (ada.gained_ms, ada.finished_ms) == (400, 500)
    early = stats_in(DONE._replace(gained_ms=0, over_ms=None), chased, CY)
    assert (early.gained_ms, early.finished_ms) == (0, None)


def test_stats_are_read_from_text_and_store() -> None:
    counted = ',"hints":8,"gained_ms":8,"finished_ms":8'  # the store counts these
    for more in ("", counted, ',"of_a_later_release":[1]'):
        stats = stats_in(DONE._replace(stats_json=f'{{"score":7{more}}}', over_ms=None), PLAYED, 1)
        found = stats.score, stats.hints, stats.gained_ms, stats.finished_ms
        assert found == (7, 3, 400, None)
    for text in ('{"score":"seven"}', '{"score":7', "[]", ""):
        with pytest.raises(Unreadable):
            stats_in(DONE._replace(stats_json=text), PLAYED, 1)


def raced(room: Room | None = None) -> Shelf:
    """Return a race: Ada has acted and Bob has not."""
    shelf = Shelf()
    shelf.store.put(room or running(), 5, progress(9, 7, gained_ms=400))
    return shelf


async def test_a_seat_that_gives_up_counts_with_its_stored_stats() -> None:
    shelf = raced()
    changed = await shelf.repository.apply(CODE, sends(ADA, Forfeit(), T0 + 5_000))
    assert round_of(changed.room).results[ADA].score == 7
    assert list(shelf.store.rooms.changes[CODE].ends) == [ADA]
    await shelf.repository.apply(CODE, sends(BOB, Forfeit(), T0 + 5_000))
    assert list(shelf.store.rooms.changes[CODE].ends) == [BOB]
    assert round_of(changed.room).acts == 0


async def test_a_record_that_has_changed_is_read_again() -> None:
    shelf = Shelf()
    latest = await shelf.open()
    code = latest.room.code
    shelf.store.rooms[code] = StoredRoom(latest.v, latest.room.model_dump_json(indent=1))
    read = await shelf.repository.read(code, latest)
    assert read is not latest
    assert read.room == latest.room
    assert await shelf.repository.progress.read(latest.room) == []
