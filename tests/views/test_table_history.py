"""The page of a kept table: standings by game, pairs, and the cost of five hundred rounds."""

import time
from collections.abc import Sequence
from typing import Any

from protocol.from_client import Keep
from protocol.http import GameStandings, TableHistory
from protocol.vocabulary import HISTORY_LENGTH, SeatState
from server.rooms.room import apply
from server.rooms.table_history import HistoryEntry, HistoryRow, parse_entries
from server.views.table_history import COLUMNS, PAIRED, table_csv, table_history
from tests.rooms.rooms import ADA, BOB, CY, finished, sends

NAMES = {ADA: "Ada", BOB: "Bob", CY: "Cy", 7: "Dee, who left"}


def row(
    seat: int, place: int | None, ms: int | None = None, *flags: str, **given: Any
) -> HistoryRow:
    """Return a row of a player; one with a time has won."""
    name = NAMES.get(seat, f"Player {seat}")
    result: dict[str, Any] = {
        "seat": seat,
        "name": name,
        "colour": "blue",
        "place": place,
        "ms": ms,
        "state": SeatState.FINISHED if ms else SeatState.TIMED_OUT,
        "won": ms is not None,
        "score": 500,
        "suits": 8,
        "moves": 131,
        "level": None,
        "flags": flags,
        **given,
    }
    return HistoryRow(**result)


def entry(n: int, *rows: HistoryRow, **given: Any) -> HistoryEntry:
    usual = {"game": "spider-2", "score": "woods", "deal": "secret", "ended": n * 1_000}
    winners = tuple(each.seat for each in rows if each.place == 1)
    podium = tuple(each.seat for each in rows if each.place in {1, 2, 3})
    decided = {"winners": winners, "podium": podium, "rows": rows}
    return HistoryEntry(**{**usual, "n": n, **decided, **given})


def page(*entries: HistoryEntry) -> TableHistory:
    return table_history(apply(finished(), sends(ADA, Keep(name="Friday"))), entries)


def standings(*entries: HistoryEntry) -> GameStandings:
    (found,) = page(*entries).standings
    return found


def figures(found: GameStandings) -> list[tuple[object, ...]]:
    return [(each.name, each.races, each.wins, each.podiums, each.average) for each in found.rows]


def test_standings_count_races_wins_podiums_and_places() -> None:
    found = standings(
        entry(1, row(ADA, 1, 229_000), row(BOB, 2, 240_000), row(CY, 3)),
        entry(2, row(BOB, 1, 220_000), row(ADA, 2, 250_000)),
        entry(3, row(7, 1, 200_000), row(8, 2), row(9, 3), row(ADA, 4, score=700)),
    )
    assert figures(found) == [
        ("Bob", 2, 1, 2, 1.5),
        ("Ada", 3, 1, 2, 2.33),
        ("Dee, who left", 1, 1, 1, 1.0),
        ("Player 8", 1, 0, 1, 2.0),
        ("Cy", 1, 0, 1, 3.0),
        ("Player 9", 1, 0, 1, 3.0),
    ]
    ada = found.rows[1]
    assert (ada.best_ms, ada.best_score, ada.form) == (229_000, 700, (1, 2, 4))


def test_podiums_are_counted_as_each_round_has_decided_them() -> None:
    found = standings(entry(1, row(ADA, 1, 229_000), row(BOB, 2), row(CY, 3), podium=(ADA, BOB)))
    assert [each.podiums for each in found.rows] == [1, 1, 0]


def test_the_best_score_is_one_by_the_rules_of_the_latest_race() -> None:
    races = (
        entry(1, row(ADA, 1, 9), row(BOB, 2, score=9_000), score="dos"),
        entry(2, row(ADA, 1, 9, score=600), row(CY, 2)),
    )
    assert [each.best_score for each in standings(*races).rows] == [600, None, 500]


def test_two_people_are_compared_by_the_races_of_both() -> None:
    found = standings(
        entry(1, row(ADA, 1, 100_000), row(BOB, 2, 208_000)),
        entry(2, row(BOB, 1, 90_000), row(ADA, 2, 162_000)),
        entry(3, row(ADA, 1, 80_000), row(CY, 2), row(BOB, 3)),
        entry(4, row(ADA, 1, 70_000), row(CY, 2)),
        entry(5, row(ADA, 1, 95_000), row(BOB, 1, 95_000)),
    )
    pairs = {(each.a, each.b): each for each in found.pairs}
    assert pairs.keys() == {(ADA, BOB), (ADA, CY), (BOB, CY)}
    pair = pairs[ADA, BOB]
    assert (pair.races, pair.ahead, pair.behind) == (4, 2, 1)
    assert (pair.average_a, pair.average_b) == (1.25, 1.75)
    assert (pair.best_a, pair.best_b) == (80_000, 90_000)
    assert (pair.widest_a, pair.widest_b) == (108_000, 72_000)
    assert pair.last == (ADA, BOB, ADA, None)


def test_rounds_that_do_not_count_are_listed_too() -> None:
    bot = row(7, 1, 50_000, "program", level="club")
    found = page(
        entry(1, bot, row(ADA, 2), row(BOB, 3)),
        entry(2, bot, row(ADA, 2)),
        entry(3, row(ADA, 1), row(BOB, None, None, "stand_in"), row(CY, 2)),
        entry(4, row(ADA, 1), row(BOB, None, 9_000, "late")),
        entry(5, row(ADA, 1), row(BOB, 2), row(CY, None, 9_000, "late")),
    )
    assert [(each.n, each.why, each.counted) for each in found.rounds] == [
        (5, "", True),
        (4, "latecomers", False),
        (3, "stand_in", False),
        (2, "computers", False),
        (1, "", True),
    ]
    assert figures(found.standings[0]) == [("Ada", 2, 1, 2, 1.5), ("Bob", 2, 0, 2, 2.5)]
    assert found.rounds[-1].rows[0].level == "club"
    assert [each.replay for each in found.rounds] == [False] * 4 + [True]


def test_people_have_their_present_name_and_forgotten_people_have_none() -> None:
    first = entry(1, row(ADA, 1, name="Adelaide"), row(BOB, 2), row(7, 3))
    assert [each.name for each in standings(first).rows] == ["Ada", "Bob", "Dee, who left"]
    gone = entry(1, row(ADA, 1, name="Adelaide"), row(BOB, 2, name=""), row(7, 3, name=""))
    assert [each.name for each in standings(gone).rows] == ["Ada", "", ""]


def test_each_game_has_its_own_standings() -> None:
    other = entry(2, row(BOB, 1), row(ADA, 2), game="spider-1")
    found = page(entry(1, row(ADA, 1), row(BOB, 2)), other)
    leaders = [(each.game, each.rows[0].name) for each in found.standings]
    assert leaders == [("spider-2", "Ada"), ("spider-1", "Bob")]


def large(people: int) -> Sequence[HistoryEntry]:
    """Return a history of full length, parsed from its stored lines."""
    rows = [row(seat, seat + 1, 200_000 + seat) for seat in range(people)]
    lines = [entry(n, *rows).model_dump_json() for n in range(1, HISTORY_LENGTH + 1)]
    return parse_entries(lines)[0]


def test_the_page_of_five_hundred_rounds_is_bounded() -> None:
    entries, began = large(4), time.process_time()
    text = page(*entries).model_dump_json()
    assert time.process_time() - began < 1
    assert len(text) < 600_000
    assert len(table_csv(entries, str).splitlines()) == 1 + 4 * HISTORY_LENGTH
    many = standings(*large(PAIRED + 4)[:3])
    assert (len(many.rows), len(many.pairs)) == (PAIRED + 4, PAIRED * (PAIRED - 1) // 2)


def test_the_csv_has_a_line_for_each_row() -> None:
    bot = row(7, 1, 50_000, "program", level="club")
    sheet = table_csv([entry(1, bot, row(ADA, 2))], lambda ms: f"at {ms}")
    head, first, second = sheet.splitlines()
    assert head.removeprefix("\ufeff").split(",") == list(COLUMNS)
    of_round = "1,at 1000,spider-2,,,woods,secret,computers"
    of_bot = '1,7,"Dee, who left",blue,FINISHED,1,50000,500,8,131,club,program'
    assert first == f"{of_round},{of_bot}"
    assert second == f"{of_round},2,0,Ada,blue,TIMED_OUT,0,,500,8,131,,"
    assert page().rounds == ()
