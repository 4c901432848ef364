"""Changes that programs of an earlier release survive, and changes that need a new version."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from protocol import codec
from protocol.compatibility import GROWING
from protocol.to_client import Refused
from protocol.vocabulary import SUBPROTOCOL, GrowingEnum
from tests.protocol.contracts import RELEASES, breaking_changes, contract, record

NOW = contract()


@pytest.mark.parametrize("path", sorted(RELEASES.glob("*.json")), ids=lambda path: path.stem)
def test_programs_of_every_recorded_release_of_this_version_are_served(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    if recorded["subprotocol"] == SUBPROTOCOL:
        assert breaking_changes(recorded, NOW) == []


def rows(text: str) -> list[str]:
    return text.strip().splitlines()


def changed(row: str) -> tuple[Any, str]:
    """Return the contract after the change of a row, and what the row expects.

    A row is `expected: path`, where the value at the path is removed, or with `= value` behind it
    set; `+ word` and `- word` change a list of words. `Pong.v` is that field of that model.
    """
    expected, _, change = row.partition(": ")
    path, sign, value = re.split(r" ([=+-]) |$", change, maxsplit=1)
    contract = place = json.loads(json.dumps(NOW))
    *way, last = re.sub(r"\b(\w+)\.(\w+)", r"definitions \1 properties \2", path).split()
    for step in way:
        place = place[step]
    match sign:
        case "=":
            place[last] = json.loads(value)
        case "+":
            place[last].append(value)
        case "-":
            place[last].remove(value)
        case _:
            del place[last]
    return contract, expected


BREAKING = """
the message pong is lost: to_client messages pong
Pong.v is lost: to_client Pong.v
Pong.v is now sometimes string: to_client Pong.v type = "string"
Pong.v is now sometimes null: to_client Pong.v = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
Pong.v may now be left out: to_client definitions Pong required - v
RoomState has other words: to_client definitions RoomState enum + PAUSED
RoomState has other words: to_client definitions RoomState enum
Acted.counts has other words: to_client Acted.counts propertyNames enum + jokers
RoundOver.winners is now sometimes string: to_client RoundOver.winners items = {"type": "string"}
RoundOver.winners is now sometimes anything: to_client RoundOver.winners items = {}
Hinted.action has another pattern: to_client Hinted.action pattern = "^.*$"
Standing.score is now sometimes number: to_client Standing.score type = "number"
ErrorCode has other words: to_client definitions ErrorCode enum - room_full
Step.ms has another range: http Step.ms minimum
the message Replay is lost: http messages Replay
the message ping is lost: from_client messages ping
Kick.ban is lost: from_client Kick.ban
Kick.seat may no longer be integer: from_client Kick.seat = {"type": "string"}
Kick.ban is now required: from_client definitions Kick required + ban
Kick.ban means something else if it is left out: from_client Kick.ban default = true
End.grace_s has another range: from_client End.grace_s maximum = 60
Resume.tab has another range: from_client Resume.tab minLength = 1
Act.action has another pattern: from_client Act.action pattern = "^deal$"
Join.role has other words: from_client Join.role enum - spectator
Settings.number may no longer be null: from_client Settings.number anyOf = [{"type": "integer"}]
MESSAGES_PER_S is tighter: limits MESSAGES_PER_S = 10
MAX_BOARDS is tighter: limits MAX_BOARDS
CHAT_INTERVAL_S is tighter: limits CHAT_INTERVAL_S = 60
the reply to hint: replies hint = "hint_given"
the value FIRST_FINAL_CODE: fixed FIRST_FINAL_CODE = 4400
close code 4002: close_codes 4002 = "kicked"
piles of spider-1: piles spider-1 = ["t0"]
"""


@pytest.mark.parametrize("row", rows(BREAKING))
def test_a_change_that_older_programs_do_not_survive_is_reported_once(row: str) -> None:
    now, expected = changed(row)
    (report,) = breaking_changes(NOW, now)
    assert report.startswith(expected)


ALLOWED = """
a message: to_client messages cheer = "#/$defs/Pong"
a field: to_client Pong.load = {"type": "integer"}
a code: to_client definitions ErrorCode enum + no_more
a game: to_client TableSnapshot.game enum + scorpion
a setting: to_client Settings.undo enum + once
a narrower type: to_client Pong.t type = "integer"
a message of clients: from_client messages cheer = "#/$defs/Ping"
a field that may be left out: from_client Kick.why = {"type": "string"}
a setting that clients may choose: from_client Settings.undo enum + once
a wider range: from_client End.grace_s maximum = 7200
no pattern any more: from_client Resume.tab pattern
a wider type: from_client End.grace_s type = "number"
a reply: replies cheer = "room"
a higher limit: limits MESSAGES_PER_S = 30
a close code: close_codes 4599 = "asleep"
the piles of another game: piles scorpion = ["t0"]
"""


@pytest.mark.parametrize("row", rows(ALLOWED))
def test_harmless_changes_are_allowed(row: str) -> None:
    now, _ = changed(row)
    assert breaking_changes(NOW, now) == []


NOT_COMPARED = """
multipleOf: to_client Pong.v multipleOf = 2
two forms of string: to_client Pong.v = {"anyOf": [{"type": "string"}, {"type": "string"}]}
"""


@pytest.mark.parametrize("row", rows(NOT_COMPARED))
def test_a_schema_that_cannot_be_compared_fails(row: str) -> None:
    now, expected = changed(row)
    with pytest.raises(AssertionError, match=expected):
        breaking_changes(NOW, now)


def test_a_recording_equals_the_present_contract(tmp_path: Path) -> None:
    record("9.9.9", tmp_path)
    assert json.loads((tmp_path / "9.9.9.json").read_text(encoding="utf-8")) == NOW


def test_clients_read_words_of_later_releases() -> None:
    assert {each.__name__ for each in GrowingEnum.__subclasses__()} <= GROWING.keys()
    refused = codec.TO_CLIENT.validate_json(
        '{"type":"refused","command":"join","code":"too_late_today","details":{"reason":"rain"}}'
    )
    assert isinstance(refused, Refused)
    assert (refused.code.value, str(refused.details.reason)) == ("too_late_today", "rain")
    with pytest.raises(ValueError, match="code"):
        codec.TO_CLIENT.validate_json('{"type":"error","code":5,"where":"json"}')
