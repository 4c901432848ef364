"""What programs of an earlier release survive, and what is refused without a new version."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from protocol import codec
from protocol.compatibility import GROWING, RELEASES, breaking_changes, contract, record
from protocol.to_client import Refused
from protocol.vocabulary import SUBPROTOCOL, GrowingEnum

Contract = dict[str, Any]
NOW = contract()


def definition(recorded: Contract, part: str, name: str) -> Any:
    return recorded[part]["definitions"][name]


def fields(recorded: Contract, part: str, name: str) -> Any:
    return definition(recorded, part, name)["properties"]


def changed(change: Callable[[Contract], object]) -> Contract:
    """Return the contract after a change of its text."""
    copy: Contract = json.loads(json.dumps(NOW))
    change(copy)
    return copy


@pytest.mark.parametrize("path", sorted(RELEASES.glob("*.json")), ids=lambda path: path.stem)
def test_programs_of_every_recorded_release_of_this_version_are_served(path: Path) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    if recorded["subprotocol"] == SUBPROTOCOL:
        assert breaking_changes(recorded, NOW) == []


def renamed_word(words: list[str], word: str) -> None:
    words[words.index(word)] = f"{word}_now"


BREAKING: list[tuple[str, Callable[[Contract], object]]] = [
    # Messages of the server
    ("the message pong is lost", lambda now: now["to_client"]["messages"].pop("pong")),
    ("Pong.v is lost", lambda now: fields(now, "to_client", "Pong").pop("v")),
    (
        "Pong.v is now sometimes string",
        lambda now: fields(now, "to_client", "Pong").update(v={"type": "string"}),
    ),
    (
        "Pong.v is now sometimes null",
        lambda now: fields(now, "to_client", "Pong").update(
            v={"anyOf": [{"type": "integer"}, {"type": "null"}]}
        ),
    ),
    (
        "Pong.v may now be left out",
        lambda now: definition(now, "to_client", "Pong")["required"].remove("v"),
    ),
    (
        "RoomState has other words",
        lambda now: definition(now, "to_client", "RoomState")["enum"].append("PAUSED"),
    ),
    (
        "RoomState has other words",
        lambda now: definition(now, "to_client", "RoomState").pop("enum"),
    ),
    (
        "Acted.counts has other words",
        lambda now: fields(now, "to_client", "Acted")["counts"]["propertyNames"]["enum"].append(
            "jokers"
        ),
    ),
    (
        "RoundOver.winners is now sometimes string",
        lambda now: fields(now, "to_client", "RoundOver")["winners"].update(
            items={"type": "string"}
        ),
    ),
    (
        "Hinted.action has another pattern",
        lambda now: fields(now, "to_client", "Hinted")["action"].update(pattern="^.*$"),
    ),
    (
        "RoundOver.winners is now sometimes anything",
        lambda now: fields(now, "to_client", "RoundOver")["winners"].update(items={}),
    ),
    (
        "Standing.score is now sometimes number",
        lambda now: fields(now, "to_client", "Standing")["score"].update(type="number"),
    ),
    (
        "ErrorCode has other words",
        lambda now: renamed_word(definition(now, "to_client", "ErrorCode")["enum"], "room_full"),
    ),
    ("Step.ms has another range", lambda now: fields(now, "http", "Step")["ms"].pop("minimum")),
    ("the message Replay is lost", lambda now: now["http"]["messages"].pop("Replay")),
    # Messages of clients
    ("the message ping is lost", lambda now: now["from_client"]["messages"].pop("ping")),
    ("Kick.ban is lost", lambda now: fields(now, "from_client", "Kick").pop("ban")),
    (
        "Kick.seat may no longer be integer",
        lambda now: fields(now, "from_client", "Kick").update(seat={"type": "string"}),
    ),
    (
        "Kick.ban is now required",
        lambda now: definition(now, "from_client", "Kick")["required"].append("ban"),
    ),
    (
        "Kick.ban means something else if it is left out",
        lambda now: fields(now, "from_client", "Kick")["ban"].update(default=True),
    ),
    (
        "End.grace_s has another range",
        lambda now: fields(now, "from_client", "End")["grace_s"].update(maximum=60),
    ),
    (
        "Resume.tab has another range",
        lambda now: fields(now, "from_client", "Resume")["tab"].update(minLength=1),
    ),
    (
        "Act.action has another pattern",
        lambda now: fields(now, "from_client", "Act")["action"].update(pattern="^deal$"),
    ),
    (
        "Join.role has other words",
        lambda now: fields(now, "from_client", "Join")["role"]["enum"].remove("spectator"),
    ),
    (
        "Settings.number may no longer be null",
        lambda now: fields(now, "from_client", "Settings")["number"].update(
            anyOf=[{"type": "integer"}]
        ),
    ),
    # The rest
    ("MESSAGES_PER_S is tighter", lambda now: now["limits"].update(MESSAGES_PER_S=10)),
    ("the reply to hint", lambda now: now["replies"].update(hint="hint_given")),
    ("the value FIRST_FINAL_CODE", lambda now: now["fixed"].update(FIRST_FINAL_CODE=4400)),
    ("MAX_BOARDS is tighter", lambda now: now["limits"].pop("MAX_BOARDS")),
    ("CHAT_INTERVAL_S is tighter", lambda now: now["limits"].update(CHAT_INTERVAL_S=60)),
    ("close code 4002", lambda now: now["close_codes"].update({"4002": "kicked"})),
    ("piles of spider-1", lambda now: now["piles"]["spider-1"].reverse()),
]


@pytest.mark.parametrize(("expected", "change"), BREAKING)
def test_a_change_that_older_programs_do_not_survive_is_reported_once(
    expected: str, change: Callable[[Contract], object]
) -> None:
    (report,) = breaking_changes(NOW, changed(change))
    assert report.startswith(expected)


@pytest.mark.parametrize(
    "change",
    [
        lambda now: now["to_client"]["messages"].update(cheer="#/$defs/Pong"),
        lambda now: fields(now, "to_client", "Pong").update(load={"type": "integer"}),
        lambda now: definition(now, "to_client", "ErrorCode")["enum"].append("no_more"),
        lambda now: fields(now, "to_client", "TableSnapshot")["game"]["enum"].append("scorpion"),
        lambda now: fields(now, "to_client", "Settings")["undo"]["enum"].append("once"),
        lambda now: now["from_client"]["messages"].update(cheer="#/$defs/Ping"),
        lambda now: fields(now, "from_client", "Kick").update(why={"type": "string"}),
        lambda now: fields(now, "from_client", "Settings")["undo"]["enum"].append("once"),
        lambda now: fields(now, "from_client", "End")["grace_s"].update(maximum=7_200),
        lambda now: fields(now, "from_client", "Resume")["tab"].pop("pattern"),
        lambda now: fields(now, "from_client", "End")["grace_s"].update(type="number"),
        lambda now: fields(now, "to_client", "Pong")["t"].update(type="integer"),
        lambda now: now["replies"].update(cheer="room"),
        lambda now: now["limits"].update(MESSAGES_PER_S=30),
        lambda now: now["close_codes"].update({"4508": "asleep"}),
        lambda now: now["piles"].update(scorpion=["t0"]),
    ],
)
def test_what_older_programs_survive_is_allowed(change: Callable[[Contract], object]) -> None:
    assert breaking_changes(NOW, changed(change)) == []


def test_a_keyword_that_is_not_compared_fails_aloud() -> None:
    other = changed(lambda now: fields(now, "to_client", "Pong")["v"].update(multipleOf=2))
    with pytest.raises(AssertionError, match="multipleOf"):
        breaking_changes(NOW, other)


def test_two_forms_of_one_type_fail_aloud() -> None:
    two = [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]
    other = changed(lambda now: fields(now, "to_client", "Pong").update(v={"anyOf": two}))
    with pytest.raises(AssertionError, match="two forms of string"):
        breaking_changes(NOW, other)


def test_a_recording_is_the_contract_as_it_is(tmp_path: Path) -> None:
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
