"""The rooms on the front page."""

from protocol.settings import Settings
from protocol.vocabulary import RoomState
from server.rooms.lobby import open_room
from server.rooms.record import Room
from server.views.front_page import (
    ROWS,
    SHARE,
    PublicRow,
    listed,
    public_rooms,
    read_row,
    row_of,
    row_text,
    within_shares,
)
from server.views.rooms import public_room
from tests.present import present
from tests.rooms.rooms import NOW, T0, closed, finished, lobby, running
from tests.rooms.stories import play


def room(code: str, *networks: str) -> Room:
    opened = open_room(code, "Ada", Settings(public=True))
    return opened.model_copy(update={"networks": dict.fromkeys(networks, 1)})


def row(code: str, network: str = "") -> PublicRow:
    return row_of(room(code, *([network] if network else [])))


def test_a_stored_row_is_read_as_it_was_written() -> None:
    ada = room("0000001", "small", "large")
    read = present(read_row(row_text(ada)))
    assert read == row_of(ada)
    assert (read.network, read.attended, read.room.code) == ("large", True, "0000001")
    assert row_of(lobby(public=True)).network == ""  # of the loopback


def test_a_row_of_another_release_may_be_unreadable() -> None:
    text = row_text(lobby())
    assert read_row(text.replace('"attended"', '"visited"')) is None
    assert read_row(text.replace("spider-4", "spider-9").replace("spider-1", "spider-9")) is None
    assert read_row("") is None
    assert read_row(text.replace('"network"', '"more":1,"network"')) == read_row(text)


def test_no_network_has_more_than_its_share_while_others_have_rooms() -> None:
    flood = [row(f"{number:07}", "flood") for number in range(3 * ROWS)]
    others = [row(f"A{number:06}", f"network {number}") for number in range(5)]
    rows = listed(flood + others)
    assert rows[: SHARE + 5] == flood[:SHARE] + others
    assert rows[SHARE + 5 :] == flood[SHARE : ROWS - 5]  # no other network has rooms
    assert within_shares(flood + others) == SHARE + 5


def test_rooms_of_the_loopback_have_no_share() -> None:
    rows = [row(f"{number:07}") for number in range(ROWS + 1)]
    assert listed(rows) == rows[:ROWS]


def test_deserted_rooms_take_no_place() -> None:
    many = (row(f"{number:07}", "flood") for number in range(2 * ROWS))
    deserted = [each.model_copy(update={"attended": False}) for each in many]
    last = row("A000000", "flood")
    rows = public_rooms(listed([*deserted, last]), NOW).rooms
    assert [each.code for each in rows] == ["A000000"]


def test_a_row_says_how_long_its_race_has_been_on_whenever_it_was_stored() -> None:
    stored = [present(read_row(row_text(each))) for each in (lobby(), running(), finished())]
    rows = public_rooms(stored, T0 + 130_000).rooms
    assert [row.running_ms for row in rows] == [None, 130_000, None]
    assert [row.running_ms for row in public_rooms(stored, T0 - 1).rooms] == [None, 0, None]


def test_another_release_may_read_a_row_and_write_one_without_the_start_of_the_race() -> None:
    assert "running_ms" not in row_text(running())
    row = present(read_row(row_text(running()).replace('"running_since"', '"unknown"')))
    assert public_rooms([row], T0 + 1).rooms[0].running_ms is None


def test_a_row_shows_the_host_the_players_and_whether_the_room_is_full() -> None:
    line = public_room(lobby(public=True))
    assert (line.host, line.players, line.state) == ("Ada", 2, RoomState.LOBBY)
    assert public_room(closed().model_copy(update={"host": None})).host == ""
    deserted = play("lobby public=True; all are gone")
    shown = [lobby(public=True), lobby(public=True, max_players=2), deserted]
    rows = public_rooms(listed(map(row_of, shown)), NOW).rooms
    assert [row.full for row in rows] == [False, True]
