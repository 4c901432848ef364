import json
from collections.abc import Callable
from typing import Any

import pytest

from protocol.vocabulary import RoomState
from server.rooms.valid_records import InvalidRecord, parse_record
from tests.rooms.rooms import CODE, ROOMS, finished, running


def changed(doc: Any, **fields: Any) -> Any:
    return {**doc, **fields}


def of_round(doc: Any, **fields: Any) -> Any:
    return changed(doc, round=changed(doc["round"], **fields))


INVALID: dict[str, tuple[Callable[[Any], Any], str]] = {
    "no JSON": (lambda _: None, "document: Invalid JSON"),
    "an unknown state": (lambda doc: changed(doc, state="PAUSED"), "state: Input should be"),
    "an unknown state of a seat": (
        lambda doc: changed(doc, seats=[changed(doc["seats"][0], state="?")]),
        "seats.0.state: Input should be",
    ),
    "a setting of another type": (
        lambda doc: changed(doc, settings={"rounds": "six"}),
        "settings.rounds: Input should be",
    ),
    "an unknown game": (
        lambda doc: changed(doc, settings={"game": "spider-8"}),
        "settings.game: Input should be",
    ),
    "no object": (lambda doc: [doc], "document: "),
    "another type": (lambda doc: changed(doc, host="Ada"), "host: Input should be"),
    "a missing field": (lambda doc: changed(doc, seats=[{}]), "seats.0.number: Field required"),
    "a race without a round": (lambda doc: changed(doc, round=None), "round: RUNNING without one"),
    "another room": (lambda doc: changed(doc, code="OTHER"), "code: another room's"),
    "no deal": (lambda doc: of_round(doc, deal={}), "round.deal: neither"),
    "no seed": (
        lambda doc: of_round(doc, deal={"seed": "hearts", "salt": ""}),
        "round.deal: a seed",
    ),
    "rules that clash": (
        lambda doc: of_round(doc, settings={**doc["settings"], "game": "little-spider"}),
        "round.settings: ",
    ),
    "a round that never ended": (
        lambda doc: changed(doc, rounds=[changed(doc["round"], ended=None)]),
        "rounds.ended: missing",
    ),
    "a seat lost at no time": (
        lambda doc: changed(doc, seats=[changed(doc["seats"][0], connection="grace")]),
        "seats.left_at: missing",
    ),
}


@pytest.mark.parametrize(("breaks", "why"), INVALID.values(), ids=INVALID)
def test_the_reason_for_an_invalid_record_quotes_none_of_it(
    breaks: Callable[[Any], Any], why: str
) -> None:
    doc = breaks(json.loads(running().model_dump_json()))
    text = "not a room" if doc is None else json.dumps(doc)
    with pytest.raises(InvalidRecord) as invalid:
        parse_record(CODE, text)
    assert str(invalid.value).startswith(why)
    assert not any(word in str(invalid.value) for word in ("PAUSED", "OTHER", "not a room"))
    assert bytes(range(16)).hex() not in str(invalid.value)


def test_a_finished_room_whose_round_has_not_ended_cannot_be_read() -> None:
    doc = json.loads(finished().model_dump_json())
    with pytest.raises(InvalidRecord):
        parse_record(CODE, json.dumps(of_round(doc, ended=None)))


@pytest.mark.parametrize("state", RoomState)
def test_every_room_of_this_release_can_be_read(state: RoomState) -> None:
    room = ROOMS[state]()
    assert parse_record(CODE, room.model_dump_json()) == room
    assert parse_record(CODE, running(deal="numbered").model_dump_json()).round is not None
