import json
from typing import Any

import pytest

from protocol.vocabulary import RoomState
from server.rooms.record import InvalidRecord, parse_record
from tests.rooms.rooms import CODE, ROOMS, running
from tests.rooms.stories import play

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
def test_the_reason_for_an_invalid_record_does_not_quote_it(
    path: str, value: Any, why: str
) -> None:
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
