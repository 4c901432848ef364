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


Change = Callable[[Contract], object]


def at(part: str, path: str, change: Callable[[Any, str], object]) -> Change:
    """Return the change of a field, as of `Pong.v`, among those of its model."""
    model, _, field = path.partition(".")
    return lambda now: change(fields(now, part, model), field)


def sets(part: str, path: str, **values: Any) -> Change:
    """Return the change that sets keywords of a field."""
    return at(part, path, lambda model, field: model[field].update(values))


def loses(part: str, path: str) -> Change:
    return at(part, path, lambda model, field: model.pop(field))


def becomes(part: str, path: str, value: Any) -> Change:
    return at(part, path, lambda model, field: model.update({field: value}))


def is_required(part: str, path: str, *, required: bool) -> Change:
    model, _, field = path.partition(".")
    change = "append" if required else "remove"
    return lambda now: getattr(definition(now, part, model)["required"], change)(field)


def words(now: Contract, name: str) -> Any:
    return definition(now, "to_client", name)["enum"]


def renamed_word(words: list[str], word: str) -> None:
    words[words.index(word)] = f"{word}_now"


OURS, THEIRS = "to_client", "from_client"
MAYBE_NULL = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
BREAKING: list[tuple[str, Change]] = [
    # Messages of the server
    ("the message pong is lost", lambda now: now["to_client"]["messages"].pop("pong")),
    ("Pong.v is lost", loses(OURS, "Pong.v")),
    ("Pong.v is now sometimes string", becomes(OURS, "Pong.v", {"type": "string"})),
    ("Pong.v is now sometimes null", becomes(OURS, "Pong.v", MAYBE_NULL)),
    ("Pong.v may now be left out", is_required(OURS, "Pong.v", required=False)),
    ("RoomState has other words", lambda now: words(now, "RoomState").append("PAUSED")),
    ("RoomState has other words", lambda now: definition(now, OURS, "RoomState").pop("enum")),
    (
        "Acted.counts has other words",
        lambda now: fields(now, OURS, "Acted")["counts"]["propertyNames"]["enum"].append("jokers"),
    ),
    (
        "RoundOver.winners is now sometimes string",
        sets(OURS, "RoundOver.winners", items={"type": "string"}),
    ),
    ("RoundOver.winners is now sometimes anything", sets(OURS, "RoundOver.winners", items={})),
    ("Hinted.action has another pattern", sets(OURS, "Hinted.action", pattern="^.*$")),
    ("Standing.score is now sometimes number", sets(OURS, "Standing.score", type="number")),
    ("ErrorCode has other words", lambda now: renamed_word(words(now, "ErrorCode"), "room_full")),
    ("Step.ms has another range", lambda now: fields(now, "http", "Step")["ms"].pop("minimum")),
    ("the message Replay is lost", lambda now: now["http"]["messages"].pop("Replay")),
    # Messages of clients
    ("the message ping is lost", lambda now: now["from_client"]["messages"].pop("ping")),
    ("Kick.ban is lost", loses(THEIRS, "Kick.ban")),
    ("Kick.seat may no longer be integer", becomes(THEIRS, "Kick.seat", {"type": "string"})),
    ("Kick.ban is now required", is_required(THEIRS, "Kick.ban", required=True)),
    (
        "Kick.ban means something else if it is left out",
        sets(THEIRS, "Kick.ban", default=True),
    ),
    ("End.grace_s has another range", sets(THEIRS, "End.grace_s", maximum=60)),
    ("Resume.tab has another range", sets(THEIRS, "Resume.tab", minLength=1)),
    ("Act.action has another pattern", sets(THEIRS, "Act.action", pattern="^deal$")),
    (
        "Join.role has other words",
        lambda now: fields(now, THEIRS, "Join")["role"]["enum"].remove("spectator"),
    ),
    (
        "Settings.number may no longer be null",
        sets(THEIRS, "Settings.number", anyOf=[{"type": "integer"}]),
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
    expected: str, change: Change
) -> None:
    (report,) = breaking_changes(NOW, changed(change))
    assert report.startswith(expected)


@pytest.mark.parametrize(
    "change",
    [
        lambda now: now["to_client"]["messages"].update(cheer="#/$defs/Pong"),
        becomes(OURS, "Pong.load", {"type": "integer"}),
        lambda now: definition(now, "to_client", "ErrorCode")["enum"].append("no_more"),
        lambda now: fields(now, "to_client", "TableSnapshot")["game"]["enum"].append("scorpion"),
        lambda now: fields(now, "to_client", "Settings")["undo"]["enum"].append("once"),
        lambda now: now["from_client"]["messages"].update(cheer="#/$defs/Ping"),
        becomes(THEIRS, "Kick.why", {"type": "string"}),
        lambda now: fields(now, "from_client", "Settings")["undo"]["enum"].append("once"),
        sets(THEIRS, "End.grace_s", maximum=7_200),
        lambda now: fields(now, "from_client", "Resume")["tab"].pop("pattern"),
        sets(THEIRS, "End.grace_s", type="number"),
        sets(OURS, "Pong.t", type="integer"),
        lambda now: now["replies"].update(cheer="room"),
        lambda now: now["limits"].update(MESSAGES_PER_S=30),
        lambda now: now["close_codes"].update({"4508": "asleep"}),
        lambda now: now["piles"].update(scorpion=["t0"]),
    ],
)
def test_what_older_programs_survive_is_allowed(change: Change) -> None:
    assert breaking_changes(NOW, changed(change)) == []


TWO = [{"type": "string", "pattern": "a"}, {"type": "string", "pattern": "b"}]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (sets(OURS, "Pong.v", multipleOf=2), "multipleOf"),
        (becomes(OURS, "Pong.v", {"anyOf": TWO}), "two forms of string"),
    ],
)
def test_what_is_not_compared_fails_aloud(change: Change, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        breaking_changes(NOW, changed(change))


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
