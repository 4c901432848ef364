"""Records of a newer release: unknown fields stay, and are sent to no client."""

import json
from typing import Any

from pydantic import BaseModel

from protocol.from_client import Chase, Configure, Forfeit, Kick, NextRound, Ready, Start
from protocol.settings import Settings
from server.live.leaderboard import stats_in
from server.rooms.events import Disconnected, Reconnected, Tick
from server.rooms.record import PlayerStats, Room, VersionedRoom, round_of, stored_settings
from server.store import SeatProgress
from server.views.rooms import RoomMessages, public_room
from server.views.standings import standing_view
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    T0,
    finished,
    happen,
    joins,
    leaderboard,
    lobby,
    running,
    sends,
)
from tests.views.documents import finished_round

UNKNOWN = "of_a_newer_release"
MAPS = {"names", "colours", "late_ms", "states", "results", "networks"}
"""Fields that map names to parts of a record."""


def marked(part: Any, name: str = "") -> Any:
    """Return a document with an unknown field in every object."""
    if isinstance(part, list):
        return [marked(each) for each in part]
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
    room = happen(
        newer(running(chasers=True)), sends(CY, Chase(), T0 + 9), joins("Dee", "spectator")
    )
    assert unmarked(written(room)) == ["room.seats[3]"]


def test_a_record_has_all_settings() -> None:
    assert set(written(lobby())["settings"]) == set(Settings.model_fields)


def test_settings_of_a_message_become_stored_settings() -> None:
    chosen = Settings(game="spider-2")
    stored = stored_settings(chosen)
    assert stored == chosen == stored
    assert hash(stored) == hash(chosen)
    assert stored_settings(chosen, newer(lobby()).settings) != chosen
    room = Room(code="", settings=stored, host=None, seats=(), numbers_given=0)
    assert room.settings is stored
    assert PlayerStats.model_validate({"score": 1}).score == 1
