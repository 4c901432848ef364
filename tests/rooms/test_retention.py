"""The largest size of a room, and the data that it removes."""

import pytest

from protocol.from_client import Abort, Admit, Chase, Configure, Kick, Leave, NextRound, Ready
from protocol.settings import Settings
from protocol.vocabulary import HIGHEST_SEAT, LINE_LENGTH, MAX_SEATS, NAME_LENGTH, RoomState
from server.games.game import MAX_LOG_ENTRIES
from server.live.repository import Repository
from server.rooms.admission import MAX_WAITING
from server.rooms.bans import MAX_BANS
from server.rooms.events import Disconnected, Tick
from server.rooms.race import ROUNDS_KEPT, round_of
from server.rooms.record import PlayerStats, Room, Round
from server.rooms.retention import (
    KEPT_ACTS,
    MOST_KEYS,
    Leftovers,
    all_of,
    highest_numbers,
    leftovers,
    with_acts,
)
from server.rooms.room import deadline
from server.rooms.timings import GRACE_MS
from server.store import LogRecord, StoreAway
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    NOW,
    T0,
    finished,
    happen,
    joins,
    lobby,
    running,
    sends,
)
from tests.world.store import MemoryStore

RECORD_BYTES = 1024 * 1024
EVENT_BYTES = 1024
EVENTS = 256


def again(room: Room) -> Room:
    """Return a finished room after one more round of Ada and Bob."""
    ready = [sends(seat, Ready()) for seat in (ADA, BOB)]
    room = happen(room, sends(ADA, NextRound()), *ready, Tick(T0))
    due = deadline(room)
    assert due is not None
    return happen(room, Tick(due))


def kept(room: Room) -> list[tuple[int, int, bool]]:
    """Return number and acts of each round, and whether its logs are kept."""
    return [(played.n, played.acts, played.has_logs) for played in room.rounds]


def test_a_round_that_is_over_has_its_number_of_acts() -> None:
    room = with_acts(finished(), 700)
    assert kept(room) == [(1, 700, True)]
    assert room.round == room.rounds[-1]


def test_the_oldest_logs_go_when_all_have_become_too_long() -> None:
    room = with_acts(finished(rounds=4), KEPT_ACTS - 10)
    room = with_acts(again(room), 10)
    assert kept(room) == [(1, KEPT_ACTS - 10, True), (2, 10, True)]
    room = with_acts(again(room), 1)
    assert kept(room) == [(1, KEPT_ACTS - 10, False), (2, 10, True), (3, 1, True)]
    # One round alone is kept, however long it is: people are looking at it.
    room = with_acts(again(room), KEPT_ACTS + 1)
    assert [keeps for *_, keeps in kept(room)] == [False, False, False, True]
    assert [sorted(played.results) for played in room.rounds] == [[ADA, BOB]] * 4


def test_logs_go_with_their_rounds_and_seats_with_their_owners() -> None:
    assert leftovers(running(), running()).logs == frozenset()
    aborted = happen(running(), sends(ADA, Abort()))
    assert leftovers(running(), aborted).logs == {(1, ADA), (1, BOB)}
    assert leftovers(running(), finished()).logs == frozenset()
    long = with_acts(finished(), KEPT_ACTS)
    removed = leftovers(long, with_acts(again(long), 5))
    assert removed.logs == {(1, ADA), (1, BOB)}
    assert removed.reviews == {1}
    without_bob = happen(lobby(), sends(ADA, Kick(seat=BOB)))
    assert leftovers(lobby(), without_bob) == Leftovers(frozenset({BOB}), frozenset(), frozenset())
    without_ada = happen(lobby(), sends(ADA, Leave()))
    assert leftovers(lobby(), without_ada).seats == {ADA}


def test_seats_of_waiting_people_are_removed_when_they_leave() -> None:
    queue = happen(lobby(), sends(ADA, Configure(settings=Settings(approve=True))), joins("Dee"))
    assert leftovers(lobby(), queue).seats == frozenset()
    assert leftovers(queue, happen(queue, sends(ADA, Admit(seat=3)))).seats == frozenset()
    assert leftovers(queue, happen(queue, sends(3, Leave()))).seats == {3}


def test_of_many_rounds_the_latest_are_kept() -> None:
    room = with_acts(finished(rounds=12), 3)
    before = room
    for _ in range(ROUNDS_KEPT):
        before, room = room, with_acts(again(room), 3)
    assert len(room.rounds) == ROUNDS_KEPT
    assert leftovers(before, room).logs == {(1, ADA), (1, BOB)}
    assert leftovers(before, room).reviews == {1}
    assert all_of(room).seats == {ADA, BOB, CY}
    assert len(all_of(room).logs) == 2 * ROUNDS_KEPT
    assert len(all_of(room).reviews) == ROUNDS_KEPT
    assert all_of(lobby()).logs == frozenset()


def test_a_room_that_had_too_many_seats_and_rounds_is_deleted_by_name() -> None:
    assert highest_numbers(finished()) == (3, 1)
    much = finished().model_copy(update={"numbers_given": 9_999, "rounds_started": 1_000})
    assert highest_numbers(much) == (0, 0)
    assert (much.numbers_given + 1) * (much.rounds_started + 2) > MOST_KEYS


class Kept:
    """A room in a store, and the repository of a process."""

    def __init__(self, room: Room, *acts: tuple[int, int, int]) -> None:
        self.store = MemoryStore()
        connection = self.store.connect()
        self.faults, self.repository = connection.faults, Repository(connection)
        self.store.put(room, 5)
        for n, seat, count in acts:
            self.store.logs[CODE, n, seat] = [LogRecord(0, 0)] * count

    @property
    def logs(self) -> list[str]:
        return sorted(key for key in self.store.keys_of(CODE) if key.startswith("log"))


async def test_leftovers_of_a_room_are_removed() -> None:
    here = Kept(running(chasers=True), (1, ADA, 30), (1, BOB, 12), (1, CY, 99))
    await here.repository.apply(CODE, sends(CY, Chase(), T0 + 9))
    latest = await here.repository.apply(CODE, Tick(T0 + 24 * 3_600_000))
    assert kept(latest.room) == [(1, 141, True)]
    everything = here.store.keys_of(CODE)
    assert {"room", "seat 1", "log 1 1"} <= everything
    await here.repository.apply(CODE, sends(BOB, Leave(), T0))
    assert here.store.keys_of(CODE) == everything - {"seat 1"}
    here = Kept(running(), (1, ADA, 30), (1, BOB, 12))
    await here.repository.apply(CODE, sends(ADA, Abort()))
    assert here.logs == []
    # Those that cannot be removed refuse no change.
    here = Kept(running(), (1, ADA, 30))
    here.faults.failing["rooms.drop"] = StoreAway()
    latest = await here.repository.apply(CODE, sends(ADA, Abort()))
    assert (latest.room.round, here.logs) == (None, ["log 1 0"])


@pytest.mark.parametrize(("seated", "started"), [(3, 1), (9_999, 1_000)])
async def test_a_room_is_deleted_whole(seated: int, started: int) -> None:
    over = finished().model_copy(update={"numbers_given": seated, "rounds_started": started})
    over = happen(
        over, *(Disconnected(seat, 1, T0) for seat in (ADA, BOB, CY)), Tick(T0 + GRACE_MS)
    )
    here = Kept(over, (1, ADA, 30), (1, BOB, 12))
    here.faults.refuse("rooms.delete", 1, answer=False)  # another change comes between
    await here.repository.apply(CODE, Tick(T0 + 90_000_000))
    assert here.store.keys_of(CODE) == set()


def longest_played(n: int, room: Room) -> Round:
    most = PlayerStats(
        **dict.fromkeys(("score", "moves", "suits", "home", "face_down", "cheats"), 10000),
        **dict.fromkeys(("exceptions", "hints", "restored"), 10000),
        gained_ms=86_400_000,
        finished_ms=86_400_000,
    )
    seats = {seat.number: seat for seat in room.seats}
    return round_of(room).model_copy(
        update={
            "n": n,
            "t_end": T0,
            "ended": T0,
            "names": {number: seat.name for number, seat in seats.items()},
            "late_ms": dict.fromkeys(seats, 86_400_000),
            "states": {number: seat.state for number, seat in seats.items()},
            "results": dict.fromkeys(seats, most),
        }
    )


def test_a_record_weighs_a_megabyte_at_most() -> None:
    """A hundred seats, each with the longest name, and as many rounds as are kept."""
    room = running()
    seats = tuple(
        room.seats[0].model_copy(
            update={
                "number": HIGHEST_SEAT - number,
                "name": "\N{GRINNING FACE}" * NAME_LENGTH + " 100",
                "generation": NOW,
                "process": "0" * 16,
                "tab": "0" * 32,
                "left_at": NOW + GRACE_MS,
                "networks": ("0" * 16,) * 3,
                "browser": "0" * 16,
            }
        )
        for number in range(MAX_SEATS)
    )
    room = room.model_copy(
        update={
            "seats": seats,
            "waiting": seats[:MAX_WAITING],
            "past_hosts": tuple(seat.number for seat in seats),
            "bans": ("0" * 16,) * MAX_BANS,
            "networks": {"0" * 16: 16},
        }
    )
    rounds = tuple(longest_played(n, room) for n in range(1, ROUNDS_KEPT + 1))
    room = room.model_copy(
        update={"rounds": rounds, "round": rounds[-1], "state": RoomState.FINISHED}
    )
    assert RECORD_BYTES / 2 < len(room.model_dump_json().encode()) <= RECORD_BYTES


def test_the_logs_of_a_room_weigh_six_megabytes_at_most() -> None:
    entry = 8  # six bytes, and two of the list's
    assert (KEPT_ACTS + MAX_SEATS * MAX_LOG_ENTRIES) * entry <= 6_000_000


def test_events_weigh_little() -> None:
    """The stream is cut after each hundred entries, so some more than 128 may be there."""
    said = 4 * (NAME_LENGTH + LINE_LENGTH) + 100
    assert said <= EVENT_BYTES
    assert EVENTS * EVENT_BYTES <= RECORD_BYTES
