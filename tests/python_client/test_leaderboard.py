"""The leaderboard that a program keeps, from whole standings and their changes."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from spider_race_client.leaderboard import Leaderboard

from protocol.to_client import StandingsChanges, StandingsMessage
from protocol.views import Standing, StandingChange
from protocol.vocabulary import SeatState

ADA, BOB, CY = range(3)
Places = list[tuple[int, int | None, int]]
"""Seats, places and scores."""


def row(seat: int, place: int | None, score: int = 0, late_ms: int | None = None) -> Standing:
    names = ("moves", "suits", "home", "face_down", "cheats", "exceptions", "hints", "restored")
    counts: dict[str, Any] = dict.fromkeys(names, 0)
    return Standing(
        seat=seat,
        name=["Ada", "Bob", "Cy"][seat],
        state=SeatState.RACING,
        place=place,
        score=score,
        late_ms=late_ms,
        stand_in=None,
        won=False,
        finished_ms=None,
        gained_ms=0,
        **counts,
    )


def whole(number: int, *rows: Standing) -> StandingsMessage:
    return StandingsMessage(number=number, now=0, standings=rows)


def changes(
    number: int, *changed: StandingChange, order: Sequence[tuple[int, ...]] = ()
) -> StandingsChanges:
    return StandingsChanges(number=number, order=tuple(order), changed=changed)


def places(board: Leaderboard) -> Places:
    return [(row.seat, row.place, row.score) for row in board.rows]


TWO = whole(1, row(ADA, 1), row(BOB, 2))
BOB_COMES = row(BOB, None, 5).model_dump(mode="json", exclude={"place"})
NEW_ROW = json.dumps({"number": 2, "order": [[BOB], [ADA]], "changed": [BOB_COMES]})
STORIES: list[tuple[StandingsMessage, StandingsChanges, Places]] = [
    # The order changes with a score, or it does not.
    (
        whole(1, row(ADA, 1, 20), row(BOB, 2, 10)),
        changes(2, {"seat": BOB, "score": 30}, order=[(BOB,), (ADA,)]),
        [(BOB, 1, 30), (ADA, 2, 20)],
    ),
    (TWO, changes(2, {"seat": BOB, "score": 3}), [(ADA, 1, 0), (BOB, 2, 3)]),
    # Equal rows share a place, and a chaser has none.
    (
        whole(1, row(ADA, 1), row(BOB, 2), row(CY, None, late_ms=900)),
        changes(2, order=[(ADA, BOB), (CY,)]),
        [(ADA, 1, 0), (BOB, 1, 0), (CY, None, 0)],
    ),
    # A game with a stand-in loses its place.
    (
        TWO,
        changes(2, {"seat": ADA, "stand_in": "club"}, order=[(BOB,), (ADA,)]),
        [(BOB, 1, 0), (ADA, None, 0)],
    ),
    # A new row comes in with all its fields.
    (
        whole(1, row(ADA, 1)),
        StandingsChanges.model_validate_json(NEW_ROW),
        [(BOB, 1, 5), (ADA, 2, 0)],
    ),
]


@pytest.mark.parametrize(("before", "changed", "after"), STORIES)
def test_changes_keep_the_rows_up_to_date_and_in_order(
    before: StandingsMessage, changed: StandingsChanges, after: Places
) -> None:
    board = Leaderboard()
    assert board.take(before)
    assert board.take(changed)
    assert places(board) == after


def test_after_a_gap_nothing_counts_before_the_whole() -> None:
    board = Leaderboard()
    assert not board.take(changes(1, {"seat": ADA, "score": 9}))  # there is no whole yet
    assert board.is_incomplete
    board.clear()
    assert not board.is_incomplete
    board.take(whole(1, row(ADA, 1)))
    for number in (3, 4):
        assert not board.take(changes(number, {"seat": ADA, "score": 9}))
        assert board.is_incomplete
    assert places(board) == [(ADA, 1, 0)]
    assert board.take(whole(4, row(ADA, 1, 9)))
    assert not board.take(changes(4, {"seat": ADA, "score": 8})), "the whole has it already"
    assert not board.is_incomplete
    assert board.take(changes(5, {"seat": ADA, "score": 10}))
    assert places(board) == [(ADA, 1, 10)]
