"""The stats of a player: those that the store has in a text, and those that it counts."""

from dataclasses import replace
from typing import cast

import pytest

from protocol.from_client import Forfeit
from server.live.repository import Repository
from server.live.stats import stats_in
from server.rooms.record import Round
from server.store import SeatRecord, Unreadable
from tests.live.hubs import opened, put
from tests.live.memory import MemoryStore
from tests.rooms.rooms import ADA, BOB, T0, running, sends

PLAYED = cast("Round", running().round)
LATER = PLAYED.model_copy(update={"n": 2})


async def test_stats_of_an_earlier_round_do_not_count() -> None:
    record = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500)
    stats = stats_in(record, PLAYED, 1)
    assert (stats.score, stats.gained_ms, stats.finished_ms) == (7, 400, 500)
    assert stats_in(record, LATER, 1).score == 0
    assert stats_in(None, LATER, 1).face_down == 44
    store = MemoryStore()
    latest = await opened(store)
    assert await Repository(store).read_progress(latest.room) == []


def test_hints_are_counted_for_their_round_whether_something_was_done_or_not() -> None:
    done = SeatRecord(1, "", 9, 1, '{"score":7}', 400, 500, 3, 1)
    assert stats_in(done, PLAYED, 1).hints == 3
    assert done.mark != replace(done, hint_count=2).mark
    stats = stats_in(SeatRecord(1, "", 9, 0, None, 0, None, 2, 1), PLAYED, 1)
    assert (stats.hints, stats.face_down) == (2, 44)
    assert stats_in(done, LATER, 1).hints == 0
    behind = SeatRecord(1, "", 9, 2, '{"score":7}', 400, None, 3, 1)
    assert stats_in(behind, LATER, 1).hints == 0


@pytest.mark.parametrize(
    "stats_json",
    [
        '{"score":7}',
        '{"score":7,"hints":8,"gained_ms":8,"finished_ms":8}',  # the store counts these itself
        '{"score":7,"of_a_later_release":[1]}',
    ],
)
def test_stats_are_those_of_the_text_and_what_the_store_counts(stats_json: str) -> None:
    stats = stats_in(SeatRecord(1, "", 9, 1, stats_json, 400, None, 3, 1), PLAYED, 1)
    assert (stats.score, stats.hints, stats.gained_ms, stats.finished_ms) == (7, 3, 400, None)


@pytest.mark.parametrize("stats_json", ['{"score":"seven"}', '{"score":7', "[]", ""])
def test_texts_that_are_no_stats_are_unreadable(stats_json: str) -> None:
    with pytest.raises(Unreadable):
        stats_in(SeatRecord(1, "", 9, 1, stats_json, 400, None, 3, 1), PLAYED, 1)


async def test_a_seat_that_is_out_counts_with_its_stored_stats() -> None:
    store = MemoryStore()
    repository, code = Repository(store), put(store, running(), 5).room.code
    store.seats[ADA] = SeatRecord(1, "", 9, 1, '{"score":7}', 400, None)
    changed = await repository.apply(code, sends(ADA, Forfeit(), T0 + 5_000))
    assert changed.room.round is not None
    assert changed.room.round.results[ADA].score == 7
    assert store.rooms.out == {ADA: "9"}
    await repository.apply(code, sends(BOB, Forfeit(), T0 + 5_000))
    assert store.rooms.out == {BOB: None}
