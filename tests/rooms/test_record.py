"""Records: unknown fields of newer releases stay hidden, and invalid records are refused."""

import json
from typing import Any

import pytest
from pydantic import BaseModel

from protocol.from_client import Chase, Configure, Forfeit, Kick, NextRound, Ready, Start
from protocol.settings import Settings
from protocol.vocabulary import RoomState
from server.live.leaderboard import stats_in
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.record import (
    InvalidRecord,
    PlayerStats,
    Room,
    VersionedRoom,
    parse_record,
    round_of,
    stored_settings,
)
from server.store import SeatProgress
from server.views.rooms import RoomMessages, public_room
from server.views.standings import standing_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CODE,
    CY,
    ROOMS,
    T0,
    finished,
    happen,
    joins,
    leaderboard,
    lobby,
    running,
    sends,
)
from tests.rooms.stories import play
from tests.views.documents import finished_round

UNKNOWN = "of_a_newer_release"
MAPS = {"names", "colours", "late_ms", "states", "results", "networks"}
"""Fields that map names to parts of a record."""


def marked(part: Any, name: str = "") -> Any:
    """Return a document with an unknown field in every object."""
    if isinstance(part, list):
        return [marked(value) for value in part]
    if not isinstance(part, dict):
        return part
    whole = {key: marked(value, key) for key, value in part.items()}
    return whole if name in MAPS else {**whole, UNKNOWN: {"deep": [1, None, "x"]}}


def newer(room: Room) -> Room:
    """Return a room as this release reads it from a newer one."""
    return Room.model_validate_json(json.dumps(marked(written(room))))


def unmarked(part: Any, path: str = "room") -> list[str]:
    """Return the paths of the objects without the unknown field."""
    if isinstance(part, list):
        return [at for i, each in enumerate(part) for at in unmarked(each, f"{path}[{i}]")]
    name = path.rpartition(".")[2]
    if not isinstance(part, dict) or name == UNKNOWN:
        return []
    here = [] if name in MAPS or UNKNOWN in part else [path]
    return here + [at for key, each in part.items() for at in unmarked(each, f"{path}.{key}")]


def written(room: Room) -> Any:
    return json.loads(room.model_dump_json())


def test_unknown_fields_survive_reading_and_writing() -> None:
    assert unmarked(written(newer(finished(hints=True)))) == []
    assert unmarked(written(newer(running()))) == []


def test_unknown_fields_survive_changes_of_the_room() -> None:
    room = newer(running(time_limit_s=None))
    lost = happen(room, Disconnected(BOB, 1, T0 + 1), Reconnected(BOB, 2, "here"))
    room = happen(lost, sends(ADA, Kick(seat=CY), T0 + 2), Tick(T0 + 3))
    assert unmarked(written(room)) == []
    room = happen(room, sends(BOB, Forfeit(), T0 + 4), sends(ADA, Forfeit(), T0 + 5))
    # Results of this release have no unknown fields.
    assert unmarked(written(room)) == [
        f"room.{part}.results.{seat}" for part in ("round", "rounds[0]") for seat in (BOB, ADA)
    ]
    room = happen(newer(room), sends(ADA, NextRound()), sends(BOB, Ready()), sends(ADA, Start()))
    assert unmarked(written(room)) == ["room.round", "room.round.deal"]


def test_unknown_fields_of_the_stats_of_a_seat_become_part_of_its_result() -> None:
    room = running()
    text = json.dumps({"score": 7, UNKNOWN: 1})
    stats = stats_in(SeatProgress(BOB, 1, 9, 900, text, 400, None, 0, 0), round_of(room), BOB)
    room = happen(room, sends(BOB, Forfeit(), T0 + 4, {BOB: stats}))
    assert written(room)["round"]["results"][str(BOB)][UNKNOWN] == 1


def test_new_settings_keep_unknown_settings() -> None:
    room = happen(newer(lobby()), sends(ADA, Configure(settings=Settings(game="spider-2"))))
    assert room.settings.game == "spider-2"
    assert UNKNOWN in written(room)["settings"]
    room = happen(room, sends(ADA, Configure(settings=Settings())))
    assert room.settings.game == "spider-1"
    assert unmarked(written(room)) == []


def texts(room: Room) -> list[str]:
    """Return every text that clients get of a finished room."""
    played, messages = room.rounds[-1], RoomMessages(VersionedRoom(room, 7))
    models: list[BaseModel] = [
        public_room(room),
        finished_round(room, played, {ADA: [], BOB: []}),
        standing_view(leaderboard(room, {})[0]),
    ]
    shown = [model.model_dump_json() for model in models]
    return [messages.room_text, messages.over_text, *shown]


def test_unknown_fields_are_sent_to_no_client() -> None:
    room = finished(public=True)
    assert texts(newer(room)) == texts(room)
    assert UNKNOWN not in "".join(texts(newer(room)))


def test_new_seats_in_a_room_of_a_newer_release_have_no_unknown_fields() -> None:
    room = newer(running(chasers=True))
    room = happen(room, sends(CY, Chase(), T0 + 9), joins("Dee", "spectator"))
    assert unmarked(written(room)) == ["room.seats[3]"]


def test_a_record_has_all_settings() -> None:
    assert set(written(lobby())["settings"]) == set(Settings.model_fields)


def test_settings_of_a_message_become_stored_settings() -> None:
    chosen = Settings(game="spider-2")
    stored = stored_settings(chosen)
    assert dict(stored) == dict(chosen)
    assert stored_settings(chosen, stored) == stored
    assert stored_settings(chosen, newer(lobby()).settings) != stored
    room = Room(code="", settings=stored, host=None, seats=(), numbers_given=0)
    assert room.settings is stored
    assert PlayerStats.model_validate({"score": 1}).score == 1


SECOND_RACE = "finished; Bob Rematch; Ada Rematch; tick @+COUNTDOWN"


def text_with(room: str, path: str, value: Any) -> str:
    """Return the record of a room with another value at this path."""
    part = doc = json.loads(play(room).model_dump_json())
    *parents, last = (int(key) if key.isdecimal() else key for key in path.split("."))
    for key in parents:
        part = part[key]
    part[last] = value
    return json.dumps(doc)


def reason(text: str) -> str:
    """Return why a record is invalid."""
    with pytest.raises(InvalidRecord) as invalid:
        parse_record(CODE, text)
    return str(invalid.value)


@pytest.mark.parametrize(
    ("path", "value", "why"),
    [
        ("state", "PAUSED", "state: Input should be"),
        ("seats.0.state", "?", "seats.0.state: Input should be"),
        ("settings.rounds", "six", "settings.rounds: Input should be"),
        ("settings.game", "spider-8", "settings.game: Input should be"),
        ("host", "Ada", "host: Input should be"),
        ("seats", [{}], "seats.0.number: Field required"),
        ("round", None, "round: RUNNING without one"),
        ("code", "OTHER", "code: another room's"),
        ("round.deal", {}, "round.deal: neither"),
        ("round.deal.seed", "hearts", "round.deal: a seed"),
        ("round.settings.game", "little-spider", "round.settings: "),
        ("rounds.0.ended", None, "rounds.ended: missing"),
        ("seats.0.connection", "grace", "seats.left_at: missing"),
    ],
)
def test_the_reason_for_a_bad_record_does_not_quote_it(path: str, value: Any, why: str) -> None:
    found = reason(text_with(SECOND_RACE, path, value))
    assert found.startswith(why)
    assert not any(word in found for word in ("PAUSED", "OTHER", bytes(range(16)).hex()))


def test_a_record_that_is_not_a_json_object_is_invalid() -> None:
    assert reason("not a room").startswith("document: Invalid JSON")
    assert "not a room" not in reason("not a room")
    assert reason("[{}]").startswith("document: ")


def test_a_finished_room_whose_round_has_not_ended_cannot_be_read() -> None:
    assert reason(text_with("finished", "round.ended", None))


@pytest.mark.parametrize("state", RoomState)
def test_every_room_of_this_release_can_be_read(state: RoomState) -> None:
    room = ROOMS[state]()
    assert parse_record(CODE, room.model_dump_json()) == room
    assert parse_record(CODE, running(deal="numbered").model_dump_json()).round is not None
