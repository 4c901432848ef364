"""Sessions over a store with faults: seats, rooms and replies."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, ErrorCode, Outcome, Presence, RoomState, SeatState
from server.games.game import Game
from server.rooms.events import ProcessDied, Reconnected, Refusal
from server.rooms.record import Seat
from server.sessions.limits import Rate
from server.store import SeatRecord, StoreAway, Unreadable
from server.views import rooms
from server.views.rooms import MAX_SEATS_SENT_WHOLE
from tests.rooms.rooms import joins
from tests.sessions.clients import ELSEWHERE, Site
from tests.waiting import until
from tests.world.store import Hook
from tests.world.world import Person


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site.opened() as site:
        yield site


async def racing(site: Site) -> tuple[Person, dict[str, Any], dict[str, Any]]:
    """Start a race; return its host's socket and seat, and a legal act."""
    socket, seat = await site.host()
    await socket.say("start")
    await until(lambda: "table" in socket.types())
    table = next(message["table"] for message in socket.received if message["type"] == "table")
    act = {"id": 1, "at": table["at"], "action": table["legal"][0]}
    return socket, seat, act


async def seat_in(site: Site, seat: dict[str, Any]) -> Seat:
    seats = (await site.room(seat["room"])).seats
    return seats[int(seat["seat"])]


async def test_chat_that_comes_while_a_seat_is_resumed_hides_no_missed_chat(site: Site) -> None:
    """Regression: a message that was sent before the missed ones hid them."""
    ada, seat = await site.host()
    bob = await site.ask("join", room=seat["room"], name="Bob")
    await ada.disconnect()
    for number in range(2):
        await bob.say("say", text=f"missed {number}")
    await until(lambda: "missed 1" in str(bob.received))

    async def slowly(read: Hook, code: str, after: int) -> Any:
        site.faults.hooks.clear()  # the hub reads chat too
        missed = await read(code, after)
        await bob.say("say", text="live")
        await until(lambda: "live" in str(bob.received))  # so the hub has sent it
        return missed

    back = site.socket()
    site.faults.hooks["rooms.events"] = slowly
    await back.say("resume", **seat)
    await until(lambda: "live" in str(back.received))
    texts = [message["text"] for message in back.received if message["type"] == "said"]
    assert texts == ["missed 0", "missed 1", "live"]
    await back.disconnect()
    site.faults.failing["rooms.events"] = StoreAway()
    again = site.socket()  # the client resumes again when chat cannot be read
    await again.say("resume", **seat)
    assert again.close_code == CloseCode.RESYNC


async def test_skipped_updates_are_made_when_the_peer_reads_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, _, act = await racing(site)
    watcher = await site.ask("join", at=ELSEWHERE, room=host.room, name="Bob", role="spectator")
    names = [f"P{number}" for number in range(MAX_SEATS_SENT_WHOLE)]
    guests = [site.socket(address=f"198.51.100.{number}") for number in range(len(names))]
    for guest, name in zip(guests, names, strict=True):
        await guest.say("join", room=host.room, name=name, role="spectator")
    await asyncio.sleep(1)
    taken, make, made = len(watcher.types()), rooms._seat_views, Counter[str]()
    monkeypatch.setattr(rooms, "_seat_views", lambda *of: (made.update(["seats"]), make(*of))[1])
    for each in (host, watcher, *guests):
        each.socket.is_slow = True
    await guests[0].disconnect()
    await host.say("act", **act)
    await asyncio.sleep(10)
    assert (watcher.types()[taken:], made) == ([], {})
    watcher.socket.is_slow = False
    watcher.session.resume_sending()
    await asyncio.sleep(1)
    assert watcher.types()[taken:] == ["changes", "standings_changes"]


async def test_a_socket_that_is_lost_before_its_command_takes_no_seat(site: Site) -> None:
    """Regression: a late `resume` replaced the newer socket of a player who had reconnected."""
    socket, seat = await site.host()
    late = site.socket()
    with site.faults.held("seats.read"):
        resuming = asyncio.create_task(late.say("resume", **seat))
        await asyncio.sleep(1)
        await late.disconnect()
    await resuming
    assert not late.session.is_seated
    assert socket.close_code is None


async def test_a_socket_that_breaks_while_it_takes_its_seat_leaves_it(site: Site) -> None:
    """Regression: the seat stayed "on" for ever, and the hub kept a closed socket."""
    first, seat = await site.host()
    await first.disconnect()
    second = site.socket()
    with site.faults.held("seats.take", after=True):
        resuming = asyncio.create_task(second.say("resume", **seat))
        await asyncio.sleep(1)
        await second.disconnect()
    await resuming
    left = await seat_in(site, seat)
    assert left.generation == site.store.seats[seat["room"], 0].generation
    assert left.connection is Presence.GRACE
    assert site.here.hub.latest(seat["room"]) is None  # no subscriber here


async def test_a_session_that_was_reported_dead_takes_its_seat_again(site: Site) -> None:
    """Regression: a process that had hung was declared dead, and its players never returned."""
    host, seat = await site.host()
    before = await seat_in(site, seat)
    died = ProcessDied(before.process, site.here.store.clock.now_ms())
    site.here.hub.update(await site.here.repository.apply(seat["room"], died))
    assert host.close_code == CloseCode.RESYNC
    await site.socket().say("resume", **seat)
    assert (await seat_in(site, seat)).connection is Presence.ON


async def test_a_seat_that_is_lost_before_it_is_taken_is_asked_for_again(site: Site) -> None:
    """Regression: a failover in between looked like a bug and closed the socket with 1011."""
    ada, seat = await site.host()
    await ada.disconnect()
    socket = site.socket()
    site.faults.refuse("seats.take")
    await socket.say("resume", **seat)
    assert socket.received[0]["code"] == "try_again"
    await socket.say("resume", **seat)
    assert socket.received[1]["type"] == "joined"


@pytest.mark.parametrize("kind", ["create", "join", "resume"])
async def test_an_unanswered_connection_is_reported_as_lost(site: Site, kind: str) -> None:
    """The seat would stay "on" while the process lives, and delay its room."""
    ada, seat = await site.host()
    asked = {"create": {"name": "Bob"}, "join": {"room": seat["room"], "name": "Bob"}}
    if kind == "resume":
        await ada.disconnect()
    socket = site.socket()
    site.lose_next_answer()
    await socket.say(kind, **asked.get(kind, seat))
    assert socket.received[0]["code"] == "try_again"
    await asyncio.sleep(1)
    held = (await site.room(list(site.store.rooms)[-1])).seats[-1]
    assert (held.connection, held.process) == (Presence.GRACE, site.here.hub.process)
    assert held.left_at is not None
    assert socket.close_code is None


async def test_seats_asked_for_while_the_store_is_away_make_few_reports(site: Site) -> None:
    def reports() -> int:
        return sum(task.get_name() == "gone" for task in asyncio.all_tasks())

    site.here.unconfirmed_slots = asyncio.Semaphore(3)
    _, seat = await site.host()
    site.faults.away = True
    for _ in range(4):
        wire = site.socket()
        for kind, more in (("create", {}), ("join", {"room": seat["room"]})):
            await wire.say(kind, name="Bob", **more)
        assert [refused["code"] for refused in wire.received] == ["try_again"] * 2
        await asyncio.sleep(0)
        assert reports() <= 3
    assert reports() > 0
    site.faults.away = False
    await until(lambda: not reports())
    assert await site.names(seat["room"]) == ["Ada"]


@pytest.mark.parametrize("kind", ["create", "resume"])
async def test_a_room_is_listed_before_a_seat_is_connected(site: Site, kind: str) -> None:
    """The process may be killed at any moment, and others find its rooms by this list."""
    ada, seat = await site.host()
    await ada.disconnect()
    process = site.here.hub.process
    assert await site.store.processes.rooms_of(process) == []
    site.faults.hooks["processes.beat"] = no_answer  # it is killed before its next heartbeat
    asked = seat if kind == "resume" else {"name": "Bob"}
    await site.socket().say(kind, **asked)
    assert len(await site.store.processes.rooms_of(process)) == 1


async def no_answer(*_: object) -> None:
    """Do nothing instead of a call."""


async def test_a_store_that_goes_away_after_joined_stops_no_updates(site: Site) -> None:
    """Regression: `resume` had two replies, and no update of the room was sent any more."""
    first, seat = await site.host()
    await first.say("start")
    await site.until_state(seat["room"], RoomState.RUNNING)
    await first.disconnect()
    socket = site.socket()
    failed: list[Hook] = []

    async def away_after_joined(call: Hook, *given: Any) -> Any:
        if "joined" in socket.types():
            failed.append(call)
            raise StoreAway
        return await call(*given)

    # If the chat cannot be read, the socket is closed so that the client reconnects.
    calls = ("rooms.read", "seats.read_all", "logs.read", "processes.beat")
    site.faults.hooks = dict.fromkeys(calls, away_after_joined)
    await socket.say("resume", **seat)
    await asyncio.sleep(1)
    assert failed
    assert "refused" not in socket.types()
    site.faults.hooks.clear()
    await socket.say("forfeit")
    await until(lambda: "round_over" in socket.types())
    kinds = [kind for kind in socket.types() if kind in {"joined", "round_over"}]
    assert kinds == ["joined", "round_over"]


@pytest.fixture
def first_act_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let any act win its game; the test must be marked `interpreted`."""
    won = property(lambda game: Outcome.WON if game.at else None, lambda *_: None)
    monkeypatch.setattr(Game, "outcome", won)


async def test_a_player_who_takes_a_forfeit_back_plays_on(site: Site) -> None:
    socket, seat, act = await racing(site)
    await socket.say("forfeit", held=True)
    held = await seat_in(site, seat)
    assert held.state is SeatState.RACING
    assert held.forfeits_at is not None
    await socket.say("forfeit", taken_back=True)
    assert (await seat_in(site, seat)).forfeits_at is None
    await socket.say("act", **act)
    await until(lambda: "acted" in socket.types())
    await socket.say("forfeit")
    await until(lambda: "round_over" in socket.types())


@pytest.mark.usefixtures("first_act_wins")
@pytest.mark.interpreted
async def test_a_game_that_ends_without_its_socket_or_its_room_is_reported(site: Site) -> None:
    """Regression: the last act was stored after the close; the room waited for its time limit."""
    session, seat, act = await racing(site)
    await session.say("act", **act)
    await session.disconnect()
    await site.until_state(seat["room"], RoomState.FINISHED)
    session, seat, act = await racing(site)
    make_unreadable(site)
    await session.say("act", **act)
    await asyncio.sleep(1)
    site.faults.failing.clear()
    site.faults.hooks.clear()
    await site.until_state(seat["room"], RoomState.FINISHED)


@pytest.mark.usefixtures("first_act_wins")
@pytest.mark.interpreted
async def test_a_game_that_ended_before_its_process_died_is_reported(site: Site) -> None:
    session, seat, act = await racing(site)
    with site.faults.held("rooms.change"):
        await session.say("act", **act)
        await asyncio.sleep(1)
        assert "acted" in session.types()
        await site.world.first.end()
    assert not site.world.in_state(RoomState.FINISHED)
    await site.ask("resume", at=ELSEWHERE, **seat)
    await until(lambda: site.world.in_state(RoomState.FINISHED))


def make_unreadable(site: Site) -> None:
    """Make all rooms unreadable, as if a newer release had written them.

    Their versions are newer than those known here, so changes of these are refused.
    """
    site.faults.failing = {"rooms.read": Unreadable("why")}
    site.faults.hooks["rooms.change"] = no_answer


@pytest.mark.parametrize("is_away", [True, False])
async def test_an_unreported_disconnect_is_reported_later(site: Site, *, is_away: bool) -> None:
    """Regression: the seat stayed "on" at a living process, so no other process corrected it."""
    session, seat = await site.host()
    await asyncio.sleep(1)
    if is_away:
        site.faults.failing["rooms.change"] = StoreAway()
    else:
        make_unreadable(site)
    disconnecting = asyncio.create_task(session.disconnect())
    await asyncio.sleep(1 if is_away else 60)
    # If this process ends before its report, other processes must still find the room.
    process, listed = site.here.hub.process, site.store.processes
    assert await listed.rooms_of(process) == [seat["room"]]
    assert not disconnecting.done()
    site.faults.failing.clear()
    site.faults.hooks.clear()
    await disconnecting
    assert (await seat_in(site, seat)).connection is Presence.GRACE
    assert await listed.rooms_of(process) == []


async def test_a_room_that_stays_unreadable_is_tried_again_each_minute(site: Site) -> None:
    session, _ = await site.host()
    tried: list[float] = []

    async def unreadable(*_: object) -> None:
        tried.append(asyncio.get_running_loop().time())
        if len(tried) == 10:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        raise Unreadable("why")

    site.faults.hooks["rooms.read"] = unreadable
    await session.disconnect()
    pauses = [round(after - before) for before, after in pairwise(tried)]
    assert pauses == [60] * 9


async def test_a_late_resume_does_not_pass_for_the_newest(site: Site) -> None:
    """Regression: the older of two resumes counted, and its disconnect closed the seat.

    The player was "gone" after 15 seconds although connected, and lost the seat in the next round.
    """
    first, seat = await site.host()
    await first.disconnect()
    late, newest = site.socket(), site.socket()
    with site.faults.held("seats.take", after=True):
        resuming = asyncio.create_task(late.say("resume", **seat))
        await asyncio.sleep(1)
        del site.faults.hooks["seats.take"]
        await newest.say("resume", **seat)
        site.faults.hooks["seats.take"] = no_answer  # the block takes it away
    await resuming
    assert (late.types(), late.close_code) == ([], CloseCode.REPLACED)
    await late.disconnect()
    held = await seat_in(site, seat)
    assert held.generation == site.store.seats[seat["room"], 0].generation
    assert held.connection is Presence.ON
    assert newest.close_code is None


@pytest.mark.parametrize("command", ["forfeit", "leave"])
async def test_a_replaced_session_ends_no_race_of_the_new_one(site: Site, command: str) -> None:
    old, seat, _ = await racing(site)
    await site.socket().say("resume", **seat)
    await old.say(command)
    room = await site.room(seat["room"])
    assert (room.state, room.seats[0].state) == (RoomState.RUNNING, SeatState.RACING)


SAID: dict[str, dict[str, Any]] = {
    "ready": {},
    "configure": {"settings": {"rounds": 3}},
    "say": {"text": "hello"},
    "watch": {},
    "cards": {},
}


@pytest.mark.parametrize("command", SAID)
async def test_a_session_whose_seat_was_taken_does_nothing_more(site: Site, command: str) -> None:
    """Its process may not know yet, and the number may belong to another person by now."""
    socket, seat = await site.host()
    await site.here.repository.apply(seat["room"], Reconnected(0, 2**50, "elsewhere"))
    before = await site.here.repository.read(seat["room"])
    received = len(socket.received)
    await socket.say(command, **SAID[command])
    assert await site.here.repository.read(seat["room"]) == before
    assert (socket.close_code, len(socket.received)) == (CloseCode.REPLACED, received)


async def test_a_token_does_not_take_the_seat_of_the_next_owner_of_its_number(site: Site) -> None:
    """Between the check and the taking, the seat is left and its number given away."""

    async def given_again(take: Hook, code: str, seat: int) -> SeatRecord:
        record: SeatRecord = await take(code, seat)
        return replace(record, token_hash="another")

    _, seat = await site.host()
    socket = site.socket()
    site.faults.hooks["seats.take"] = given_again
    await socket.say("resume", **seat)
    assert (socket.session.is_seated, socket.types()) == (False, ["refused"])


async def test_a_session_whose_leave_fails_still_gets_updates(site: Site) -> None:
    """Regression: the store was away; the seat was kept, but no update was sent any more."""
    socket, seat = await site.host()
    apply = site.here.repository.apply

    async def away(_change: Hook, *_given: Any) -> None:
        site.faults.hooks.clear()
        await apply(seat["room"], joins("Bob"))
        site.here.hub.update(await site.here.repository.read(seat["room"]))
        raise StoreAway

    site.faults.hooks["rooms.change"] = away
    await socket.say("leave")
    assert socket.types() == ["joined", "room", "refused"]
    await apply(seat["room"], joins("Cy"))
    site.here.hub.update(await site.here.repository.read(seat["room"]))
    assert [seat["name"] for seat in socket.received[-1]["room"]["seats"]] == ["Ada", "Bob", "Cy"]
    await socket.say("leave")
    assert socket.received[-1]["type"] == "room"
    assert socket.close_code == 1000


async def ended(site: Site) -> tuple[Person, dict[str, Any], dict[str, Any]]:
    """End a round with its first act; return the socket, its seat and the act."""
    socket, seat, act = await racing(site)
    await socket.say("act", **act)
    await site.until_state(seat["room"], RoomState.FINISHED)
    return socket, seat, act


async def answered(socket: Person, count: int) -> list[str]:
    """Wait for `count` replies to acts; return their types."""

    def replies() -> list[str]:
        return [each for each in socket.types() if each in {"acted", "refused"}]

    await until(lambda: len(replies()) >= count)
    return replies()


@pytest.mark.usefixtures("first_act_wins")
@pytest.mark.interpreted
async def test_a_log_is_read_again_once_a_socket_for_repeated_acts(site: Site) -> None:
    first, seat, act = await ended(site)

    def reads() -> int:
        return site.faults.calls["logs.read"]

    site.faults.calls.clear()
    await first.say("act", **act)
    assert reads() == 0  # the connection still has the log
    socket = await site.ask("resume", **seat)
    await socket.say("act", **{**act, "id": 2})
    assert (socket.refusal, reads()) == ("too_late", 0)  # not an act of this round
    socket.received.clear()
    for _ in range(3):
        await socket.say("act", **act)
        await socket.say("act", **{**act, "id": 2})
    assert await answered(socket, 6) == ["acted", "refused"] * 3
    await socket.say("next_round")
    socket.received.clear()
    await socket.say("act", **act)
    assert await answered(socket, 1) == ["acted"]
    assert reads() == 1


@pytest.mark.usefixtures("first_act_wins")
@pytest.mark.interpreted
async def test_replaying_a_log_again_counts_as_a_command(site: Site) -> None:
    """A player beyond the rate limit must not cause the replay of thousands of acts."""
    _, seat, act = await ended(site)
    site.here.limits = replace(site.here.limits, commands=Rate(1, 0.001))
    socket = await site.ask("resume", **seat)
    assert socket.close_code is None
    site.faults.calls.clear()
    await socket.say("act", **act)
    await asyncio.sleep(1)
    assert socket.close_code == CloseCode.TOO_FAST
    assert not site.faults.calls["logs.read"]
