"""Messages about a room: its clients can always rebuild the whole view."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from protocol.from_client import Kick, Leave, Ready
from protocol.settings import Settings
from protocol.to_client import Joined, RoomMessage
from protocol.views import CardLine
from protocol.vocabulary import SeatState
from server.rooms.events import Disconnected, Event, Reconnected, Refusal
from server.rooms.lobby import open_room
from server.rooms.record import PlayerStats, Room, Round, VersionedRoom
from server.rooms.room import apply
from server.views import finished_rounds
from server.views.finished_rounds import match_view
from server.views.replies import joined_text
from server.views.rooms import (
    MAX_CARD_LINES_IN_ROOM,
    MAX_SEATS_SENT_WHOLE,
    RoomMessages,
    includes_match,
    room_view,
)
from tests.players import with_changes
from tests.rooms.rooms import (
    NOW,
    counting_down,
    finished,
    happen,
    joins,
    lobby,
    raced_by_programs,
    running,
    sends,
)


def crowd(size: int) -> Room:
    room = open_room("7K3QZ0A", "Ada", Settings())
    for number in range(1, size):
        room = apply(room, joins(f"P{number}"))
    return room


def parsed(text: str) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(text)
    codec.TO_CLIENT.validate_json(text)
    return message


def since(before: VersionedRoom, after: Room) -> dict[str, Any]:
    """Return the message with the changes."""
    return parsed(RoomMessages(VersionedRoom(after, before.v + 1)).since(before))


def test_changes_alone_are_sent_of_a_large_room() -> None:
    before = VersionedRoom(crowd(100), 3)
    ready = apply(before.room, sends(7, Ready()))
    changes = since(before, ready)
    (seat,) = changes["seats"]
    assert (seat["seat"], seat["name"], seat["state"]) == (7, "P7", "READY")
    assert seat == json.loads(room_view(ready, 4).model_dump_json())["seats"][7]
    assert len(json.dumps(changes)) < 240
    assert len(RoomMessages(before).room_text) > 8_000
    many = happen(before.room, *(sends(number, Ready()) for number in range(1, 41)))
    assert len(since(before, many)["seats"]) == 40
    # Not only seats have changed, or a client knows nothing yet, or the room is small.
    other = before.room.model_copy(update={"settings": Settings(game="spider-2")})
    assert since(before, other)["type"] == "room"
    assert RoomMessages(before).since(None) == RoomMessages(before).room_text
    small = VersionedRoom(crowd(MAX_SEATS_SENT_WHOLE), 3)
    assert since(small, apply(small.room, Reconnected(0, 7)))["type"] == "room"


@pytest.mark.parametrize("token", [None, "abc-_9"])
def test_the_seat_comes_with_the_same_view_as_the_room(token: str | None) -> None:
    messages = RoomMessages(VersionedRoom(crowd(3), 3))
    view = room_view(messages.latest.room, 3)
    joined = Joined(seat=2, role="player", token=token, room=view, now=NOW)
    assert joined_text(2, "player", token, messages.view_json, NOW) == codec.dump(joined)
    assert joined_text(2, "player", token, view.model_dump_json(), NOW) == codec.dump(joined)


ROOMS: dict[str, Callable[[], Room]] = {
    "a lobby": lobby,
    "a countdown": lambda: counting_down(time_limit_s=60),
    "a race": lambda: running(deal="numbered", number=7),
    "a chase": lambda: after_rounds(3, 2),
    "a race of programs": raced_by_programs,
    "many cards": lambda: after_rounds(20, 12),
    "the end of a match": finished,
    "a card with games left": lambda: finished(rounds=3),
    "a queue": lambda: apply(lobby(approve=True), joins("Dee")),
    "nobody": lambda: lobby().model_copy(update={"host": None, "seats": ()}),
}


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_is_written_as_its_model_is(name: str) -> None:
    room = ROOMS[name]()
    text = RoomMessages(VersionedRoom(room, 7)).room_text
    assert text == codec.dump(RoomMessage(room=room_view(room, 7)))


EVENTS = st.one_of(
    st.builds(joins, st.sampled_from(["Bob", "Cleo"]), st.sampled_from(["player", "spectator"])),
    st.builds(sends, st.integers(0, 20), st.builds(Ready, ready=st.booleans())),
    st.builds(Disconnected, st.integers(0, 20), st.just(1), st.just(NOW)),
    st.builds(Reconnected, st.integers(0, 20), st.integers(1, 3)),
    st.builds(sends, st.integers(0, 20), st.just(Leave())),
    st.builds(sends, st.just(0), st.builds(Kick, seat=st.integers(1, 20))),
)


@given(size=st.integers(8, 20), steps=st.lists(st.lists(EVENTS, max_size=4), max_size=12))
def test_a_client_that_applies_the_changes_has_the_view_of_the_room(
    size: int, steps: list[list[Event]]
) -> None:
    """Steps of several events stand for changes that a slow client skips."""
    latest = VersionedRoom(crowd(size), 1)
    view = json.loads(room_view(latest.room, latest.v).model_dump_json())
    for step in steps:
        before = latest
        for event in step:
            try:
                latest = VersionedRoom(apply(latest.room, event), latest.v + 1)
            except Refusal:
                continue
        message = parsed(RoomMessages(latest).since(before))
        view = message["room"] if message["type"] == "room" else with_changes(view, message)
        assert view == json.loads(room_view(latest.room, latest.v).model_dump_json())


# The cards of a match.


def after_rounds(seats: int, rounds: int) -> Room:
    """Return a room after a number of rounds of a match, each of them played by all seats."""
    over, numbers = finished(rounds=12), range(seats)
    results = {
        "names": {number: f"P{number}" for number in numbers},
        "results": {number: PlayerStats(score=number) for number in numbers},
        "states": dict.fromkeys(numbers, SeatState.TIMED_OUT),
    }
    played = tuple(
        over.rounds[0].model_copy(update={"n": n, **results}) for n in range(1, rounds + 1)
    )
    match = {"rounds": played, "round": played[-1], "rounds_started": rounds}
    same = {"state": over.state, "settings": over.settings}
    return crowd(seats).model_copy(update=match | same)


def test_many_match_cards_are_a_separate_message() -> None:
    few = RoomMessages(VersionedRoom(after_rounds(2, MAX_CARD_LINES_IN_ROOM // 2), 9))
    room = parsed(few.room_text)["room"]
    assert (includes_match(few.latest.room), room["played"]) == (True, MAX_CARD_LINES_IN_ROOM // 2)
    assert room["match"] == parsed(few.match_text)["match"]
    messages = RoomMessages(VersionedRoom(after_rounds(100, 12), 9))
    room = parsed(messages.room_text)["room"]
    assert (includes_match(messages.latest.room), room["played"], room["match"]) == (
        False,
        12,
        None,
    )
    match = parsed(messages.match_text)["match"]
    assert (len(match["cards"]), len(match["n"])) == (100, 12)
    assert len(messages.room_text) < 13_000
    assert len(messages.match_text) > 100_000


def test_the_message_of_match_cards_is_made_once_for_all_versions_with_the_same_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []

    def counted(played: Round) -> Mapping[int, CardLine]:
        made.append(played.n)
        return lines(played)

    lines = finished_rounds._lines_by_seat
    monkeypatch.setattr(finished_rounds, "_lines_by_seat", counted)
    room = after_rounds(30, 5).model_copy(update={"code": "MADE1CE"})
    lost = apply(room, Disconnected(3, room.seats[3].generation, NOW))
    versions = VersionedRoom(room, 0), VersionedRoom(lost, 1)
    texts = {RoomMessages(version).match_text for version in versions}
    assert (made, len(texts)) == ([1, 2, 3, 4, 5], 1)
    changes: list[dict[str, object]] = [
        {"seats": room.seats[1:]},
        {"rounds": room.rounds[:4]},
        {"match": 2},
        {"settings": room.settings.model_copy(update={"match_ranking": "score"})},
    ]
    for change in changes:
        other = room.model_copy(update=change)
        made.clear()
        expected = match_view(other)
        assert made == [each.n for each in other.counted_rounds()]
        shown = parsed(RoomMessages(VersionedRoom(other, 9)).match_text)["match"]
        assert shown == (None if expected is None else json.loads(expected.model_dump_json()))
        assert made == [each.n for each in other.counted_rounds()]
