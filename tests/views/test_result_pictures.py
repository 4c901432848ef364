"""The picture of a result."""

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from protocol.vocabulary import SEAT_COLOURS, SeatState
from server.rooms.record import PlayerStats, Round, round_of
from server.views.sharing import HEIGHT, MAX_ROWS, PROGRAM, WIDTH, result_picture
from tests.rooms.rooms import ENTROPY, finished

DAY = (2026, 11, 25)
TEXT = "{http://www.w3.org/2000/svg}text"


def played(*names: str, won: int | None = None, **changes: Any) -> Round:
    """Return a round of these players, the first with the most points."""
    results = {
        seat: PlayerStats(
            score=900 - 100 * seat,
            suits=3,
            has_acted=True,
            won=seat == won,
            finished_ms=501_470 if seat == won else None,
        )
        for seat in range(len(names))
    }
    states = dict.fromkeys(results, SeatState.FINISHED) | changes.pop("states", {})
    colours = {seat: SEAT_COLOURS[seat % len(SEAT_COLOURS)] for seat in range(len(names))}
    shown = {"names": dict(enumerate(names)), "results": results, "states": states}
    shown |= {"colours": colours, **changes}
    return round_of(finished(game="spider-1")).model_copy(update=shown)


def texts(picture: str) -> list[str]:
    """Return all texts of a picture, in order."""
    return ["".join(each.itertext()) for each in parsed(picture).iter(TEXT)]


def title(picture: str) -> str:
    """Return the heading of a picture, without the characters that isolate names."""
    return texts(picture)[2].replace("\u2068", "").replace("\u2069", "")


def parsed(picture: str) -> ET.Element:
    return ET.fromstring(picture)  # noqa: S314  # ours


def test_a_picture_shows_the_ranking_with_places_times_points_and_suits() -> None:
    states = {1: SeatState.FORFEIT, 2: SeatState.TIMED_OUT}
    picture = result_picture(played("Ada", "Bob", "Cy", "Dan", won=0, states=states), DAY)
    game, date, heading, *table = texts(picture)
    assert (game, date) == ("Spider, one suit", "25 Nov 2026")
    assert heading == "\u2068Ada\u2069 wins"
    assert table == [
        *("Player", "Result", "Score", "Suits"),
        *("1", "Ada", "8:21.4", "900", "3"),
        *("2", "Cy", "Out of time", "700", "3"),
        *("3", "Dan", "Stuck", "600", "3"),
        *("4", "Bob", "Gave up", "800", "3"),
    ]


def test_a_robots_head_stands_before_the_names_of_programs_alone() -> None:
    drawn = result_picture(played("Ada", "Web", "Bob", programs=(1,)), DAY)
    assert drawn.count(PROGRAM) == 1
    assert drawn.index(">Ada<") < drawn.index(PROGRAM) < drawn.index(">Web<")


def test_a_picture_speaks_german_where_it_is_asked_for() -> None:
    picture = result_picture(played("Ada", "Bob", won=0), (2026, 3, 1), "de")
    assert title(picture) == "Ada gewinnt"
    assert texts(picture)[:2] == ["Spider, eine Farbe", "1.3.2026"]
    assert "8:21,4" in texts(picture)


@pytest.mark.parametrize(
    ("players", "won", "state", "heading"),
    [
        (1, 0, SeatState.FINISHED, "P0 finished"),
        (1, None, SeatState.FINISHED, "P0 played"),
        (2, None, SeatState.FORFEIT, "Nobody finished"),
        (2, None, SeatState.FINISHED, "P0 wins"),
        (2, "equal", SeatState.FINISHED, "P0 and P1 share the win"),
        (3, "equal", SeatState.FINISHED, "P0, P1 and P2 share the win"),
        (4, "equal", SeatState.FINISHED, "4 players share the win"),
    ],
)
def test_the_heading_says_who_has_won(
    players: int, won: Any, state: SeatState, heading: str
) -> None:
    seats = range(players)
    changes: dict[str, Any] = {"states": dict.fromkeys(seats, state)}
    if won == "equal":
        changes["results"] = dict.fromkeys(seats, PlayerStats(score=5, has_acted=True))
    picture = result_picture(played(*(f"P{seat}" for seat in seats), won=won, **changes), DAY)
    assert title(picture) == heading
    if won == "equal":
        assert picture.count("<circle") == players  # the gold of winners


def test_of_many_players_the_best_are_shown_and_the_others_counted() -> None:
    names = [f"P{seat}" for seat in range(12)]
    shown = texts(result_picture(played(*names), DAY))
    assert shown[-1] == f"and {12 - MAX_ROWS + 1} more"
    assert [text for text in shown if text in names] == names[: MAX_ROWS - 1]
    whole = texts(result_picture(played(*names[:MAX_ROWS]), DAY))
    assert [text for text in whole if text in names] == names[:MAX_ROWS]


def test_players_without_an_act_or_off_the_ranking_have_no_place_and_win_nothing() -> None:
    left = played("Ada", "Bob", states={1: SeatState.FORFEIT})
    idle = {**left.results, 0: PlayerStats(has_acted=False)}
    shown = texts(result_picture(left.model_copy(update={"results": idle}), DAY))
    assert shown[2] == "Nobody finished"
    assert shown[-5:-3] == ["", "Ada"]
    late = played("Ada", "Bob", late_ms={1: 60_000})
    assert texts(result_picture(late, DAY))[-5:-3] == ["", "Bob"]


@pytest.mark.parametrize(
    "name",
    [
        *("<script>alert(1)</script>", "\"'><svg onload='x'>", "&lt;", "]]>", "<!--"),
        *("דנה 3", "😀é", "A\x00\x1b\ufffe\ud800"),
    ],
)
def test_names_are_text_whatever_is_in_them(name: str) -> None:
    picture = result_picture(played(name, "Bob", won=0), DAY)
    assert texts(picture)[8] == name.replace("\x00\x1b\ufffe\ud800", "\ufffd" * 4)
    assert title(picture) == f"{texts(picture)[8]} wins"
    tags = {each.tag.rpartition("}")[2] for each in parsed(picture).iter()}
    drawn = {"svg", "title", "defs", "radialGradient", "stop", "rect", "g", "path", "circle"}
    assert tags == drawn | {"text"}
    assert "onload" not in {key for each in parsed(picture).iter() for key in each.attrib}


def test_long_names_get_small_letters() -> None:
    def sizes(name: str) -> list[int]:
        shown = parsed(result_picture(played(name, "Bob"), DAY)).iter(TEXT)
        return [
            int(each.attrib["font-size"]) for each in shown if name in "".join(each.itertext())
        ]

    plain = sizes("Ada")
    for wide in ("W" * 24, "陳" * 24, "😀" * 24):
        assert all(small < size for small, size in zip(sizes(wide), plain, strict=True))
    # Combining characters take no space.
    assert sizes("A" + "\u0301" * 23) == plain


def test_a_picture_loads_nothing_and_shows_no_seed() -> None:
    picture = result_picture(played("Ada", "Bob"), DAY)
    for each in ("href", "url(http", "style=", "<script", "<image", "<foreignObject"):
        assert each not in picture
    assert ENTROPY.seed.hex() not in picture
    assert ENTROPY.salt.hex() not in picture
    size = parsed(picture).attrib
    assert (size["width"], size["height"]) == (str(WIDTH), str(HEIGHT))
