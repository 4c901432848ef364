"""The leaderboard that a program keeps, from whole standings and their changes.

Rows are written as seat, place and score: `A1:20`; a place that a chaser has not is `-`.
"""

import json
from typing import Any

import pytest
from spider_race_client.race_state import Leaderboard

from protocol.to_client import StandingsChanges, StandingsMessage
from protocol.views import Standing
from protocol.vocabulary import SeatState

SEATS = {"A": 0, "B": 1, "C": 2}
COUNTS = ("moves", "suits", "home", "face_down", "cheats", "exceptions", "hints", "restored")


def row(text: str) -> Standing:
    about, _, score = text.partition(":")
    seat, place = about[0], about[1:]
    fields: dict[str, Any] = dict.fromkeys(COUNTS, 0) | dict.fromkeys(("finished_ms", "late_ms"))
    fields |= {"late_ms": 900, "place": None} if place == "-" else {"place": int(place)}
    fields |= {"seat": SEATS[seat], "name": seat, "state": SeatState.RACING, "score": int(score)}
    return Standing(**fields, won=False, gained_ms=0)


def whole(number: int, rows: str) -> StandingsMessage:
    return StandingsMessage(number=number, now=0, standings=tuple(map(row, rows.split())))


def changes(number: int, changed: dict[str, Any], order: str = "") -> StandingsChanges:
    seats = [[SEATS[seat] for seat in together] for together in order.split()]
    found = {"number": number, "order": seats, "changed": [changed] if changed else []}
    return StandingsChanges.model_validate_json(json.dumps(found))


def shown(board: Leaderboard) -> str:
    return " ".join(f"{row.name}{row.place or '-'}:{row.score}" for row in board.rows)


NEW_ROW = row("B1:5").model_dump(mode="json", exclude={"place"})


@pytest.mark.parametrize(
    ("before", "changed", "order", "after"),
    [
        # The order changes with a score, or it does not.
        ("A1:20 B2:10", {"seat": 1, "score": 30}, "B A", "B1:30 A2:20"),
        ("A1:0 B2:0", {"seat": 1, "score": 3}, "", "A1:0 B2:3"),
        # Equal rows share a place, and a chaser has none.
        ("A1:0 B2:0 C-:0", {}, "AB C", "A1:0 B1:0 C-:0"),
        # A game with a stand-in loses its place.
        ("A1:0 B2:0", {"seat": 0, "stand_in": "club"}, "B A", "B1:0 A-:0"),
        # A new row comes in with all its fields.
        ("A1:0", NEW_ROW, "B A", "B1:5 A2:0"),
    ],
)
def test_changes_keep_the_rows_up_to_date_and_in_order(
    before: str, changed: dict[str, Any], order: str, after: str
) -> None:
    board = Leaderboard()
    assert board.apply(whole(1, before))
    assert board.apply(changes(2, changed, order))
    assert shown(board) == after


def test_after_a_gap_changes_are_ignored_until_the_whole_leaderboard() -> None:
    board = Leaderboard()

    def scores(number: int, score: int) -> bool:
        return board.apply(changes(number, {"seat": 0, "score": score}))

    assert not scores(1, 9)  # no whole leaderboard has come yet
    assert board.is_incomplete
    board.apply(whole(1, "A1:0"))
    assert not board.is_incomplete
    for number in (3, 4):
        assert not scores(number, 9)
        assert board.is_incomplete
    assert shown(board) == "A1:0"
    assert board.apply(whole(4, "A1:9"))
    assert not scores(4, 8), "the whole has it already"
    assert not board.is_incomplete
    assert scores(5, 10)
    assert shown(board) == "A1:10"
