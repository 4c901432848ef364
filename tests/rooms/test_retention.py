"""The largest size of a room, and the data that it removes."""

from protocol.from_client import Abort, NextRound, Ready
from protocol.vocabulary import (
    HIGHEST_SEAT,
    HISTORY_LENGTH,
    MAX_SEATS,
    NAME_LENGTH,
    ROUNDS_SHELVED,
    RoomState,
)
from server.live.repository import Repository
from server.rooms.admission import ATTEMPT_DIGITS, MAX_BANS, MAX_PAST_BROWSERS, MAX_WAITING
from server.rooms.events import GRACE_MS, Tick
from server.rooms.kept import KEPT_ACTS, RoomParts, parts_of, removed_parts, with_acts
from server.rooms.race import ROUNDS_KEPT
from server.rooms.record import CarryRecord, Kept, PlayerStats, Room, Round, ShelvedRound, round_of
from server.rooms.room import deadline
from server.rooms.table_history import entry_of
from server.store import StoreAway
from tests.rooms.rooms import ADA, BOB, CODE, CY, NOW, T0, finished, happen, lobby, running, sends
from tests.rooms.stories import play
from tests.world.store import MemoryStore

RECORD_BYTES = 1024 * 1024
NOTHING = RoomParts(frozenset(), frozenset(), frozenset())


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


def test_a_finished_round_has_its_number_of_acts() -> None:
    room = with_acts(finished(), 700)
    assert kept(room) == [(1, 700, True)]
    assert room.round == room.rounds[-1]


def test_the_oldest_logs_go_when_all_together_get_too_long() -> None:
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
    def lost(before: str, after: str) -> RoomParts:
        return removed_parts(play(before), play(f"{before}{after}"))

    assert lost("running", "") == lost("running", "; tick @T0+15m") == NOTHING
    assert lost("running", "; Ada Abort").logs == {(1, ADA), (1, BOB)}
    assert lost("lobby", "; Ada Kick Bob") == NOTHING._replace(seats=frozenset({BOB}))
    assert lost("lobby", "; Ada Leave").seats == {ADA}
    long = with_acts(finished(), KEPT_ACTS)
    removed = removed_parts(long, with_acts(again(long), 5))
    assert removed.logs == {(1, ADA), (1, BOB)}
    assert removed.reviews == {1}
    # Seats of people who wait are removed when they leave.
    queue = "lobby; Ada Configure approve=True; Dee joins"
    assert lost("lobby", queue.removeprefix("lobby")) == NOTHING
    assert lost(queue, "; Ada Admit Dee") == NOTHING
    assert lost(queue, "; Dee Leave").seats == {3}


def test_the_latest_rounds_are_kept() -> None:
    room = with_acts(finished(rounds=12), 3)
    before = room
    for _ in range(ROUNDS_KEPT):
        before, room = room, with_acts(again(room), 3)
    assert len(room.rounds) == ROUNDS_KEPT
    assert removed_parts(before, room).logs == {(1, ADA), (1, BOB)}
    assert removed_parts(before, room).reviews == {1}
    assert parts_of(room).seats == {ADA, BOB, CY}
    assert len(parts_of(room).logs) == 2 * ROUNDS_KEPT
    assert len(parts_of(room).reviews) == ROUNDS_KEPT
    assert parts_of(lobby()).logs == frozenset()


async def test_a_change_succeeds_even_if_leftovers_cannot_be_removed() -> None:
    store = MemoryStore()
    connection = store.connect()
    store.put(running(), 5)
    connection.faults.failing["rooms.drop"] = StoreAway()
    latest = await Repository(connection).apply(CODE, sends(ADA, Abort()))
    assert latest.room.round is None
    assert "log 1 0" in store.keys_of(CODE)


def longest_played(n: int, room: Room) -> Round:
    counts = ("score", "moves", "suits", "home", "face_down", "cheats", "exceptions", "hints")
    highest = PlayerStats(**dict.fromkeys((*counts, "restored"), 10000))
    highest = highest.replace(gained_ms=86_400_000, finished_ms=86_400_000)
    of_seats = {
        "names": {seat.number: seat.name for seat in room.seats},
        "states": {seat.number: seat.state for seat in room.seats},
        "late_ms": {seat.number: 86_400_000 for seat in room.seats},
        "results": {seat.number: highest for seat in room.seats},
    }
    times = {"n": n, "t_end": T0, "ended": T0}
    return round_of(room).model_copy(update={**times, **of_seats})


def test_a_record_has_at_most_a_megabyte() -> None:
    """A hundred seats, each with the longest name, and as many rounds as are kept.

    A table has ten megabytes of history and older rounds beside it.
    """
    longest = {
        "name": "\N{GRINNING FACE}" * NAME_LENGTH + " 100",
        "generation": NOW,
        "process": "0" * 16,
        "tab": "0" * 32,
        "left_at": NOW + GRACE_MS,
        "networks": ("0" * 16,) * 3,
        "browser": "0" * 16,
        "past_browsers": ("0" * 16,) * MAX_PAST_BROWSERS,
        "carry": CarryRecord(code_hash="0" * 64, until=NOW, used_by="0" * ATTEMPT_DIGITS),
        "moved": NOW,
    }
    room = running()
    taken = (room.seats[0].replace(number=HIGHEST_SEAT - at, **longest) for at in range(MAX_SEATS))
    seats = tuple(taken)
    numbers = tuple(seat.number for seat in seats)
    shelf = (ShelvedRound(n=9_999, acts=99_999, seats=numbers),) * ROUNDS_SHELVED
    fullest = {
        "kept": Kept(since=NOW, raced=NOW, name=seats[0].name, shelf=shelf),
        "seats": seats,
        "waiting": seats[:MAX_WAITING],
        "past_hosts": tuple(seat.number for seat in seats),
        "bans": ("0" * 16,) * MAX_BANS,
        "networks": {"0" * 16: 16},
    }
    room = room.replace(**fullest)
    rounds = tuple(longest_played(n, room) for n in range(1, ROUNDS_KEPT + 1))
    room = room.replace(rounds=rounds, round=rounds[-1], state=RoomState.FINISHED)
    assert RECORD_BYTES / 2 < len(room.model_dump_json().encode()) <= RECORD_BYTES
    entry, shelved = entry_of(room, rounds[-1]).model_dump_json(), rounds[-1].model_dump_json()
    assert HISTORY_LENGTH * len(entry.encode()) <= 9 * RECORD_BYTES
    assert (ROUNDS_SHELVED - ROUNDS_KEPT) * len(shelved.encode()) <= RECORD_BYTES
