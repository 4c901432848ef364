from collections.abc import Sequence
from typing import Any

from spider_race_client.leaderboard import Leaderboard

from protocol.to_client import StandingsChanges, StandingsMessage
from protocol.views import Standing, StandingChange
from protocol.vocabulary import BotLevel, SeatState

ADA, BOB, CY = range(3)


def row(
    seat: int,
    place: int | None,
    score: int = 0,
    late_ms: int | None = None,
    stand_in: BotLevel | None = None,
) -> Standing:
    names = ("moves", "suits", "home", "face_down", "cheats", "exceptions", "hints", "restored")
    counts: dict[str, Any] = dict.fromkeys(names, 0)
    return Standing(
        seat=seat,
        name=["Ada", "Bob", "Cy"][seat],
        state=SeatState.RACING,
        place=place,
        score=score,
        late_ms=late_ms,
        stand_in=stand_in,
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


def places(board: Leaderboard) -> list[tuple[int, int | None, int]]:
    return [(row.seat, row.place, row.score) for row in board.rows]


def test_changes_keep_the_rows_up_to_date_and_in_order() -> None:
    board = Leaderboard()
    assert board.take(whole(4, row(ADA, 1, 20), row(BOB, 2, 10)))
    assert board.take(changes(5, {"seat": BOB, "score": 30}, order=[(BOB,), (ADA,)]))
    assert places(board) == [(BOB, 1, 30), (ADA, 2, 20)]
    assert board.take(changes(6, {"seat": ADA, "score": 21}))
    assert places(board) == [(BOB, 1, 30), (ADA, 2, 21)]


def test_equal_rows_share_a_place_and_a_chaser_has_none() -> None:
    board = Leaderboard()
    board.take(whole(1, row(ADA, 1), row(BOB, 2), row(CY, None, late_ms=900)))
    board.take(changes(2, order=[(ADA, BOB), (CY,)]))
    assert places(board) == [(ADA, 1, 0), (BOB, 1, 0), (CY, None, 0)]


def test_a_game_with_a_stand_in_loses_its_place() -> None:
    board = Leaderboard()
    board.take(whole(1, row(ADA, 1), row(BOB, 2)))
    board.take(changes(2, {"seat": ADA, "stand_in": "club"}, order=[(BOB,), (ADA,)]))
    assert places(board) == [(BOB, 1, 0), (ADA, None, 0)]


def test_a_new_row_comes_in_with_all_its_fields() -> None:
    board = Leaderboard()
    board.take(whole(1, row(ADA, 1)))
    new = row(BOB, None, 5).model_dump_json(exclude={"place"})
    text = f'{{"type": "standings_changes", "number": 2, "order": [[1], [0]], "changed": [{new}]}}'
    board.take(StandingsChanges.model_validate_json(text))
    assert places(board) == [(BOB, 1, 5), (ADA, 2, 0)]


def test_after_a_gap_nothing_counts_before_the_whole() -> None:
    board = Leaderboard()
    board.take(whole(1, row(ADA, 1)))
    assert not board.take(changes(3, {"seat": ADA, "score": 9}))
    assert board.is_incomplete
    assert not board.take(changes(4, {"seat": ADA, "score": 9}))
    assert places(board) == [(ADA, 1, 0)]
    assert board.take(whole(4, row(ADA, 1, 9)))
    assert not board.is_incomplete
    assert board.take(changes(5, {"seat": ADA, "score": 10}))
    assert places(board) == [(ADA, 1, 10)]


def test_changes_that_the_whole_has_already_are_ignored() -> None:
    board = Leaderboard()
    board.take(whole(7, row(ADA, 1, 50)))
    assert not board.take(changes(6, {"seat": ADA, "score": 40}))
    assert not board.is_incomplete
    assert places(board) == [(ADA, 1, 50)]


def test_changes_without_a_whole_are_a_gap() -> None:
    board = Leaderboard()
    assert not board.take(changes(1, {"seat": ADA, "score": 9}))
    assert board.is_incomplete
    board.clear()
    assert not board.is_incomplete
