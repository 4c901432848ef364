"""A leaderboard that ranks only changed seats shows the same as one that ranks all."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.live.leaderboard import Leaderboard
from server.rooms.events import GameEnded
from server.rooms.record import PlayerStats, Room
from server.store import SeatProgress, Unreadable
from tests.players import live, with_standings_changes
from tests.rooms.rooms import ADA, BOB, CY, T0, happen, running

RACE = running()
ROOMS = [
    RACE,
    RACE.model_copy(),  # a new version, as after a chat message
    happen(RACE, GameEnded(BOB, 1, T0 + 9, {BOB: PlayerStats(score=7, finished_ms=9)})),
]


def progress(seat: int, acts: int, score: int) -> SeatProgress:
    stats_json = json.dumps({"score": score, "moves": acts})
    return SeatProgress(seat, 1, acts, 10 * acts, stats_json, 5 * score, None, 0, 0)


PROGRESS = st.builds(
    progress, st.sampled_from([ADA, BOB, CY]), st.integers(1, 5), st.integers(0, 3)
)
STEPS = st.one_of(
    PROGRESS.map(lambda one: ("learn", one)),
    PROGRESS.map(lambda one: ("replace", one)),
    st.lists(PROGRESS, max_size=2, unique_by=lambda one: one.seat).map(
        lambda all_: ("read", all_)
    ),
    st.sampled_from(ROOMS).map(lambda room: ("room", room)),
    st.just(("pass", None)),
)


def anew(board: Leaderboard, room: Room) -> list[dict[str, Any]]:
    """Return the standings of a new leaderboard with the same progress."""
    fresh = Leaderboard()
    fresh.end_read(room, list(board._progress.values()))
    fresh.advance(room)
    rows: list[dict[str, Any]] = json.loads(fresh.whole(0))["standings"]
    return rows


@given(st.lists(STEPS, max_size=20))
def test_changes_lead_to_what_a_new_leaderboard_would_show(steps: list[tuple[str, Any]]) -> None:
    board, room = Leaderboard(), RACE
    board.advance(room)
    shown = json.loads(board.whole(0))["standings"]
    for kind, value in [*steps, ("pass", None)]:
        if kind == "learn":
            board.take(value)
        elif kind == "replace":
            board.replace(value)
        elif kind == "read":
            board.begin_read(0.0)
            board.end_read(room, value)
        elif kind == "room":
            room = value
        else:
            needs_whole, text = board.advance(room)
            whole = json.loads(board.whole(0))["standings"]
            if needs_whole:
                shown = whole
            elif text:
                shown = with_standings_changes(shown, json.loads(text))
            assert whole == anew(board, room)
            assert live(shown) == live(whole)


def test_progress_that_cannot_be_read_is_tried_again_and_changes_nothing() -> None:
    board = Leaderboard()
    board.end_read(RACE, [progress(ADA, 1, 3)])
    board.advance(RACE)
    board.take(progress(BOB, 1, 0)._replace(stats_json="[]"))
    for _ in range(2):
        with pytest.raises(Unreadable):
            board.advance(RACE)
        assert json.loads(board.whole(0))["standings"][0]["score"] == 3
    board.take(progress(BOB, 2, 9))
    needs_whole, text = board.advance(RACE)
    assert not needs_whole
    assert json.loads(text)["order"][0] == [BOB]


def test_a_new_owner_of_a_seat_number_never_gets_the_progress_of_the_old_one() -> None:
    """A new seat counts its acts from the start, and a notification may be late."""
    assert RACE.round is not None
    second = RACE.round.model_copy(update={"n": 2})
    race = RACE.model_copy(update={"round": second, "rounds_started": 2})
    earlier = progress(ADA, 500, 900)  # of the first round
    act = progress(ADA, 1, 7)._replace(n=2)
    hint = progress(ADA, 0, 0)._replace(n=0, stats_json=None, hint_count=1, hint_round=2)
    for later in (act, hint):
        board = Leaderboard()
        board.end_read(race, [])
        assert board.take(earlier)
        board.advance(race)
        rows = json.loads(board.whole(0))["standings"]
        assert {row["score"] for row in rows} == {0}
        assert board.take(later)
        assert not board.take(earlier)
        assert board.progress_of(ADA) is later
