import asyncio
from typing import Any, get_args

import pytest

from protocol.from_client import Act, Assess, ClientMessage, Hint, Ping
from protocol.vocabulary import RoomState
from server.rooms.record import Room
from server.rooms.room import TRANSITIONS
from server.sessions.commands import HANDLERS
from server.sessions.seating import SEATING_HANDLERS
from server.views.rooms import MAX_SEATS_SENT_WHOLE
from tests.sessions.clients import Site
from tests.waiting import until
from tests.world.world import Person

ATTEMPT = {"attempt": "one-press-of-a-button"}
Said = tuple[str, str, dict[str, Any]]
"""The name of a person, the type of a message, and its fields."""


def test_every_message_has_a_handler_or_a_transition() -> None:
    messages = set(get_args(ClientMessage))
    answered_by_handler = {Act, Assess, Hint, Ping}
    of_rooms = {type_ for row in TRANSITIONS.values() for type_ in row if type_ in messages}
    assert messages - answered_by_handler == {*SEATING_HANDLERS, *HANDLERS, *of_rooms}


STARTED: list[Said] = [("bob", "ready", {}), ("ada", "start", {})]
FINISHED: list[Said] = [*STARTED, ("ada", "forfeit", {}), ("bob", "forfeit", {})]


async def room_after(site: Site, before: list[Said]) -> tuple[str, dict[str, Person]]:
    """Open a room and let Ada and Bob send these messages; return its code and both people."""
    host, code = await site.open(rounds=2)
    people = {"ada": host, "bob": await site.ask("join", room=code, name="Bob")}
    for name, kind, fields in before:
        await people[name].say(kind, **fields)
        if kind == "start":
            await site.until_state(code, RoomState.RUNNING)
    return code, people


async def say_unanswered(site: Site, socket: Person, said: Said) -> None:
    """Send a message whose change is stored, but whose result is lost."""
    site.lose_next_answer()
    await socket.say(said[1], **said[2])
    assert (socket.received[-1]["type"], socket.received[-1]["code"]) == ("refused", "try_again")


def effects(room: Room) -> object:
    """Return the parts of a room that commands change."""
    seats = [(seat.number, seat.state, seat.role) for seat in room.seats]
    return room.state, room.settings, room.chosen_game, room.round, room.bans, seats


@pytest.mark.parametrize(
    ("before", "command"),
    [
        ([], ("bob", "ready", {})),
        ([], ("ada", "start", {})),
        ([], ("ada", "choose", {"game": 2})),
        ([], ("ada", "configure", {"settings": {"chasers": True}})),
        ([], ("ada", "kick", {"seat": 1, "ban": True})),
        (STARTED, ("ada", "abort", {})),
        (STARTED, ("ada", "end", {})),
        (STARTED, ("bob", "forfeit", {})),
        (FINISHED, ("bob", "rematch", {})),
        (FINISHED, ("ada", "next_round", {})),
    ],
)
@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_a_command_whose_answer_is_lost_is_done_once_and_not_refused(
    site: Site, before: list[Said], command: Said, is_elsewhere: bool
) -> None:
    """Regression: a repeated `start` was refused with `not_in_state`."""
    code, people = await room_after(site, before)
    who, kind, fields = command
    socket = people[who]
    await say_unanswered(site, socket, (who, kind, {**fields, **ATTEMPT}))
    if kind == "start":
        await site.until_state(code, RoomState.RUNNING)
    done = await site.room(code)
    if is_elsewhere:
        own = {"seat": socket.received[0]["seat"], "token": socket.received[0]["token"]}
        socket = await site.ask("resume", at="elsewhere", room=code, **own)
    before_reply = len(socket.received)
    await socket.say(kind, **fields, **ATTEMPT)
    later = {message["type"] for message in socket.received[before_reply:]}
    assert later & {"room", "changes"}
    assert "refused" not in later
    assert effects(await site.room(code)) == effects(done)


async def test_in_a_large_room_a_command_is_answered_with_the_changed_seats(site: Site) -> None:
    """Programs send a `ping` after a command: the `pong` follows either reply."""
    host, code = await site.open()
    for number in range(MAX_SEATS_SENT_WHOLE + 1):
        guest = site.socket(address=f"198.51.100.{number}")
        await guest.say("join", room=code, name=f"P{number}")
    await asyncio.sleep(1)
    before = len(host.received)
    for kind, fields in (("ready", {}), ("kick", {"seat": 1})):
        await host.say(kind, **fields)
        await host.say("ping", t=1)
    types = [message["type"] for message in host.received[before:]]
    assert types == ["changes", "pong"] * 2


@pytest.mark.parametrize("before", [[], STARTED])
@pytest.mark.parametrize("is_repeated", [False, True])
async def test_a_leave_whose_answer_is_lost_is_not_a_kick(
    site: Site, before: list[Said], is_repeated: bool
) -> None:
    """Regression: the client was closed as kicked when its process read the room again."""
    code, people = await room_after(site, before)
    bob = people["bob"]
    await say_unanswered(site, bob, ("bob", "leave", {}))
    if is_repeated:
        await bob.say("leave")
    else:
        site.here.hub.update(await site.here.repository.read(code))
    await until(lambda: bob.close_code is not None)
    assert bob.close_code == 1_000
    room = await site.room(code)
    assert [seat.name for seat in room.seats if seat.connection == "on"] == ["Ada"]


@pytest.mark.parametrize("is_elsewhere", [False, True])
async def test_a_repeated_chat_message_is_sent_once(site: Site, is_elsewhere: bool) -> None:
    code, people = await room_after(site, [])
    bob, line = people["bob"], {"text": "hello", **ATTEMPT}
    await bob.say("say", **line)
    if is_elsewhere:
        own = {"seat": bob.received[0]["seat"], "token": bob.received[0]["token"]}
        bob = await site.ask("resume", at="elsewhere", room=code, **own)
    await bob.say("say", **line)
    assert (bob.received[-1]["type"], bob.received[-1]["text"]) == ("said", "hello")
    await bob.say("say", text="hello", attempt="another-press-of-a-button")
    await bob.say("say", text="hello")
    texts = [text for _, text in await site.here.repository.said(code, 0)]
    assert [text.count("hello") for text in texts] == [1, 1, 1]
    assert "press-of-a-button" not in str(texts)


async def test_a_room_stores_only_the_hash_of_an_attempt(site: Site) -> None:
    code, people = await room_after(site, [])
    await people["bob"].say("ready", **ATTEMPT)
    assert (await site.room(code)).seats[1].last_attempt
    assert ATTEMPT["attempt"] not in site.store.rooms[code].doc + str(people["ada"].received)
