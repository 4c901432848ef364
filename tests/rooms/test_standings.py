import pytest

from protocol.views import SeatState
from server.rooms.events import Done, Forfeit
from server.rooms.record import Figures, Room
from server.rooms.standings import standings
from tests.rooms.rooms import ADA, BOB, T0, happen, lobby, running


def places(room: Room, ada: Figures, bob: Figures) -> str:
    rows = standings(room, {ADA: ada, BOB: bob})
    return ", ".join(f"{row.place} {row.name}" for row in rows)


WON = Figures(score=990, won=True, finished_ms=60_000)


@pytest.mark.parametrize(
    ("ranking", "ada", "bob", "expected"),
    [
        ("first_home", WON, WON, "1 Ada, 1 Bob"),
        ("first_home", WON, WON.model_copy(update={"finished_ms": 59_999}), "1 Bob, 2 Ada"),
        ("first_home", Figures(score=995), WON, "1 Bob, 2 Ada"),
        ("first_home", Figures(score=10), Figures(score=20), "1 Bob, 2 Ada"),
        ("first_home", Figures(face_down=3), Figures(face_down=2), "1 Bob, 2 Ada"),
        ("first_home", Figures(gained_ms=2), Figures(gained_ms=1), "1 Bob, 2 Ada"),
        ("first_home", Figures(gained_ms=1), Figures(gained_ms=1), "1 Ada, 1 Bob"),
        ("best_score", WON, Figures(score=991, gained_ms=99_999), "1 Bob, 2 Ada"),
        ("best_score", WON, Figures(score=990, gained_ms=59_999), "1 Bob, 2 Ada"),
        ("best_score", Figures(face_down=3), Figures(face_down=2), "1 Ada, 1 Bob"),
    ],
)
def test_places(ranking: str, ada: Figures, bob: Figures, expected: str) -> None:
    assert places(running(ranking=ranking), ada, bob) == expected


def test_results_of_those_who_are_done_go_before_what_is_read() -> None:
    room = happen(running(), Done(ADA, 1, T0 + 60_000, {ADA: WON}))
    rows = standings(room, {ADA: Figures(), BOB: Figures(score=4)})
    assert [(row.name, row.score, row.state) for row in rows] == [
        ("Ada", 990, SeatState.FINISHED),
        ("Bob", 4, SeatState.RACING),
    ]


def test_who_gave_up_keeps_the_place_that_the_score_is_worth() -> None:
    room = happen(running(), Forfeit(ADA, T0 + 9, {ADA: Figures(score=50)}))
    assert places(room, Figures(), Figures(score=40)) == "1 Ada, 2 Bob"


def test_before_the_first_act_all_cards_of_the_deal_are_face_down() -> None:
    rows = standings(running(), {})
    assert [(row.place, row.face_down) for row in rows] == [(1, 44), (1, 44)]


def test_before_the_first_round_there_is_no_leaderboard() -> None:
    assert standings(lobby(), {}) == []
