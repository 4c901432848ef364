"""Sessions over a real store, with a wire that the test holds."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, ErrorCode, Outcome, Presence, RoomState, SeatState
from server.games.game import Game
from server.rooms.events import ProcessDied, Reconnected
from server.rooms.record import Seat, VersionedRoom
from server.rooms.refusal import Refusal
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.sessions.services import Services
from server.store import SeatRecord, Store, StoreAway, Unreadable
from tests.hooked import Hook, HookedStore
from tests.rooms.rooms import joins
from tests.servers import AT_ONCE
from tests.sessions.clients import RecordingSocket, process_over, until_state
from tests.waiting import until, until_answer

QUICK = SessionLimits(retry_s=0.01, unreadable_s=0.001, longest_unreadable_s=0.004)


@pytest.fixture
async def store(store: Store, embedded_url: str, tmp_path: Path) -> AsyncIterator[HookedStore]:
    assert store is not None, "it is empty"
    hooked = await HookedStore.open(embedded_url, tmp_path, timings=AT_ONCE)
    yield hooked
    await hooked.close()


@pytest.fixture
async def services(store: HookedStore) -> AsyncIterator[Services]:
    async with process_over(store, QUICK) as services:
        yield services


async def host(services: Services) -> tuple[RecordingSocket, dict[str, Any]]:
    """Open a room; return its host's socket, and the fields that resume the seat."""
    socket = RecordingSocket(services)
    await socket.say("create", name="Ada")
    joined = socket.received[0]
    return socket, {"room": joined["room"]["code"], "seat": 0, "token": joined["token"]}


@contextlib.contextmanager
def hooked(store: HookedStore, **hooks: Hook) -> Iterator[None]:
    """Call hooks in place of methods of the store, within the block."""
    store.hooks |= hooks
    yield
    for name in hooks:
        store.hooks.pop(name, None)


async def away(*_: object) -> None:
    raise StoreAway


@contextlib.contextmanager
def slow_taking(store: HookedStore) -> Iterator[tuple[asyncio.Event, asyncio.Event]]:
    """Pause each taking of a seat: the first event is set once it is taken, the second ends it."""
    taken, go_on = asyncio.Event(), asyncio.Event()

    async def take_slowly(take: Hook, code: str, number: int) -> SeatRecord | None:
        record: SeatRecord | None = await take(code, number)
        taken.set()
        await go_on.wait()
        return record

    with hooked(store, take_seat=take_slowly):
        yield taken, go_on


async def test_chat_that_comes_while_a_seat_is_resumed_hides_no_missed_chat(
    services: Services, store: HookedStore
) -> None:
    """Regression: a message that was sent before the missed ones made these be dropped."""
    ada, seat = await host(services)
    bob = RecordingSocket(services)
    await bob.say("join", room=seat["room"], name="Bob")
    await ada.disconnect()
    for number in range(2):
        await bob.say("say", text=f"missed {number}")
    await until(lambda: "missed 1" in str(bob.received))

    async def slowly(read: Hook, code: str, after: int) -> Any:
        store.hooks.clear()  # the hub reads chat too
        missed = await read(code, after)
        await bob.say("say", text="live")
        await until(lambda: "live" in str(bob.received))  # so the hub has sent it
        return missed

    back = RecordingSocket(services)
    with hooked(store, events=slowly):
        await back.say("resume", **seat)
    await until(lambda: "live" in str(back.received))
    texts = [message["text"] for message in back.received if message["type"] == "said"]
    assert texts == ["missed 0", "missed 1", "live"]


async def test_a_client_whose_missed_chat_cannot_be_read_resumes_again(
    services: Services, store: HookedStore
) -> None:
    ada, seat = await host(services)
    await ada.disconnect()

    store.hooks["events"] = away
    back = RecordingSocket(services)
    await back.say("resume", **seat)
    assert back.close_code == CloseCode.RESYNC


async def test_a_socket_that_is_lost_before_its_command_takes_no_seat(services: Services) -> None:
    """Regression: a late `resume` replaced the newer socket of a player who had reconnected."""
    socket, seat = await host(services)
    late = RecordingSocket(services)
    resuming = asyncio.create_task(late.say("resume", **seat))
    await asyncio.sleep(0)
    await late.disconnect()
    await resuming
    assert late.handler.session.holder is None
    assert socket.close_code is None


@pytest.mark.parametrize(
    ("tab", "code"),
    [("one", CloseCode.RESYNC), ("two", CloseCode.REPLACED), ("", CloseCode.REPLACED)],
)
async def test_a_tab_whose_connections_overtake_each_other_reconnects(
    services: Services, tab: str, code: CloseCode
) -> None:
    first, seat = await host(services)
    await first.disconnect()
    older = RecordingSocket(services)
    await older.say("resume", **seat, tab="one")
    await RecordingSocket(services).say("resume", **seat, tab=tab)
    assert older.close_code == code


async def test_a_session_whose_seat_an_unknown_tab_has_taken_is_closed_for_good(
    services: Services,
) -> None:
    socket, seat = await host(services)
    await services.store.seats.take(seat["room"], 0)
    socket.holder.table.handle_replaced()  # which reads the newer tab from the room
    await until(lambda: socket.close_code is not None)
    assert socket.close_code == CloseCode.REPLACED


async def test_a_session_whose_seat_was_lost_reconnects(services: Services) -> None:
    socket, _ = await host(services)
    socket.holder.table.handle_seat_lost()
    assert socket.close_code == CloseCode.RESYNC


async def test_a_socket_that_breaks_while_it_takes_its_seat_leaves_it(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" for ever, and the hub kept a closed socket."""
    first, seat = await host(services)
    await first.disconnect()
    second = RecordingSocket(services)
    with slow_taking(store) as (taken, go_on):
        resuming = asyncio.create_task(second.say("resume", **seat))
        await taken.wait()
    await second.disconnect()
    go_on.set()
    await resuming
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == second.holder.seat.generation
    assert latest.room.seats[0].connection is Presence.GRACE
    assert services.hub.rooms.latest(seat["room"]) is None  # no subscriber here


async def test_a_session_that_was_reported_dead_reports_its_connection(services: Services) -> None:
    """Regression: a process that had hung was declared dead, and its players gone for good."""
    session, seat = await host(services)
    latest = await services.repository.read(seat["room"])
    process = latest.room.seats[0].process
    now = services.store.clock.now()
    services.hub.rooms.update(
        await services.repository.apply(seat["room"], ProcessDied(process, now))
    )

    async def now_there() -> Seat:
        return (await services.repository.read(seat["room"])).room.seats[0]

    back = await until_answer(now_there, lambda seat: seat.connection is not Presence.GRACE)
    assert (back.connection, back.generation) == (Presence.ON, session.holder.seat.generation)
    await session.disconnect()


async def test_a_seat_that_is_lost_before_it_is_taken_is_asked_for_again(
    services: Services, store: HookedStore
) -> None:
    """Regression: a failover between the two was taken for a bug, and closed the socket 1011."""

    async def lost(_take: Hook, _code: str, _seat: int) -> None:
        return None

    ada, seat = await host(services)
    await ada.disconnect()
    socket = RecordingSocket(services)
    with hooked(store, take_seat=lost):
        await socket.say("resume", **seat)
    assert socket.received[0]["code"] == "try_again"
    await socket.say("resume", **seat)
    assert socket.received[1]["type"] == "joined"


@pytest.mark.parametrize("kind", ["create", "join", "resume"])
async def test_a_connection_that_the_store_has_without_answering_is_reported_as_lost(
    services: Services, store: HookedStore, kind: str
) -> None:
    """The seat would stay "on" for as long as the process lives, and hold up its room."""
    ada, seat = await host(services)
    asked = {"create": {"name": "Bob"}, "join": {"room": seat["room"], "name": "Bob"}}
    if kind == "resume":
        await ada.disconnect()
    written: list[str] = []

    async def unanswered(change: Hook, code: str, *rest: Any) -> None:
        assert await change(code, *rest)
        store.hooks.clear()
        written.append(code)
        raise StoreAway

    socket = RecordingSocket(services)
    with hooked(store, change=unanswered):
        await socket.say(kind, **asked.get(kind, seat))
    assert socket.received[0]["code"] == "try_again"
    latest = await until_answer(
        lambda: services.repository.read(written[0]),
        lambda latest: latest.room.seats[-1].left_at is not None,
    )
    held = latest.room.seats[-1]
    assert (held.connection, held.process) == (Presence.GRACE, services.hub.process)
    assert socket.close_code is None


async def test_seats_that_are_asked_for_while_the_store_is_away_make_few_reports(
    services: Services, store: HookedStore
) -> None:
    services.limits = replace(QUICK, unanswered=3)
    _, seat = await host(services)
    with hooked(store, change=away, create=away):
        for _ in range(4):
            wire = RecordingSocket(services)
            for kind, more in (("create", {}), ("join", {"room": seat["room"]})):
                await wire.say(kind, name="Bob", **more)
            assert [refused["code"] for refused in wire.received] == ["try_again"] * 2
            await asyncio.sleep(0)
            assert services.unanswered <= 3
        assert services.unanswered > 0
    await until(lambda: not services.unanswered)
    room = (await services.repository.read(seat["room"])).room
    assert [one.name for one in room.seats] == ["Ada"]


@pytest.mark.parametrize("kind", ["create", "resume"])
async def test_a_room_is_listed_by_its_process_before_a_seat_is_connected(
    services: Services, store: HookedStore, kind: str
) -> None:
    """The process may be killed at any moment; other processes find its rooms by this list."""
    ada, seat = await host(services)
    await ada.disconnect()
    process = services.hub.process
    assert await services.store.processes.rooms_of(process) == []

    async def never(*_: object) -> None:
        """Do as a process that is killed before its next heartbeat."""

    store.hooks["beat"] = never
    asked = seat if kind == "resume" else {"name": "Bob"}
    await RecordingSocket(services).say(kind, **asked)
    assert len(await services.store.processes.rooms_of(process)) == 1


async def test_a_store_that_goes_away_after_joined_stops_no_updates(
    services: Services, store: HookedStore
) -> None:
    """Regression: `resume` had two replies, and no update of the room was sent any more."""
    first, seat = await host(services)
    await first.say("start")
    await until_state(services, seat["room"], RoomState.RUNNING)
    await first.disconnect()
    socket = RecordingSocket(services)
    failed: list[Hook] = []

    async def away_after_joined(call: Hook, *given: Any) -> Any:
        if "joined" in socket.types():
            failed.append(call)
            raise StoreAway
        return await call(*given)

    # Without the events of the chat the socket is closed, for the client to come again.
    calls = dict.fromkeys(["read", "read_seats", "read_log", "beat"], away_after_joined)
    with hooked(store, **calls):
        await socket.say("resume", **seat)
    assert failed
    assert "refused" not in socket.types()
    await socket.say("forfeit")
    await until(lambda: "round_over" in socket.types())
    assert [kind for kind in socket.types() if kind in {"joined", "round_over"}] == [
        "joined",
        "round_over",
    ]


async def one_act_from_winning(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> tuple[RecordingSocket, dict[str, Any], str]:
    """Begin a race that any act wins; return the host's socket and seat, and a legal action."""
    socket, seat = await host(services)
    await socket.say("start")
    await until(lambda: "table" in socket.types())
    monkeypatch.setattr(Game, "outcome", property(lambda game: Outcome.WON if game.at else None))
    table = next(message["table"] for message in socket.received if message["type"] == "table")
    return socket, seat, table["legal"].partition(",")[0]


async def test_a_player_who_takes_a_forfeit_back_plays_on(services: Services) -> None:
    socket, seat = await host(services)
    await socket.say("start")
    await until(lambda: "table" in socket.types())
    table = next(message["table"] for message in socket.received if message["type"] == "table")
    await socket.say("forfeit", held=True)
    held = (await services.repository.read(seat["room"])).room
    assert (held.state, held.seats[0].state) == (RoomState.RUNNING, SeatState.RACING)
    assert held.seats[0].forfeits_at is not None
    await socket.say("forfeit", taken_back=True)
    assert (await services.repository.read(seat["room"])).room.seats[0].forfeits_at is None
    await socket.say("act", id=1, at=table["at"], action=table["legal"].partition(",")[0])
    await until(lambda: "acted" in socket.types())
    await socket.say("forfeit")
    await until(lambda: "round_over" in socket.types())


@pytest.mark.interpreted  # it replaces a property of games
async def test_a_game_that_ends_as_its_socket_breaks_is_reported(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the last act was stored after the close; the room waited for its time limit."""
    session, seat, action = await one_act_from_winning(services, monkeypatch)
    await session.say("act", id=1, at=0, action=action)
    await session.disconnect()
    await until_state(services, seat["room"], RoomState.FINISHED)


@contextlib.contextmanager
def unreadable_for_a_while(store: HookedStore) -> Iterator[asyncio.Event]:
    """Make all rooms unreadable within the block; the event is set at the first attempt.

    So are rooms that a newer release has written, in a version after the one read here.
    """
    tried = asyncio.Event()

    async def unreadable(*_: object) -> None:
        tried.set()
        raise Unreadable("why")

    async def moved_on(*_: object) -> None:
        """Refuse changes of the version that was read before."""

    with hooked(store, read=unreadable, change=moved_on):
        yield tried


@pytest.mark.interpreted  # it replaces a property of games
async def test_a_game_that_ends_while_its_room_is_unreadable_is_reported_later(
    services: Services, store: HookedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the room waited for its time limit, although all games had ended."""
    session, seat, action = await one_act_from_winning(services, monkeypatch)
    with unreadable_for_a_while(store) as tried:
        await session.say("act", id=1, at=0, action=action)
        await tried.wait()
    await until_state(services, seat["room"], RoomState.FINISHED)


async def test_a_disconnect_from_an_unreadable_room_is_reported_later(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" for as long as this process lived."""
    session, seat = await host(services)
    with unreadable_for_a_while(store) as tried:
        disconnecting = asyncio.create_task(session.disconnect())
        await tried.wait()
        assert seat["room"] in await services.store.processes.rooms_of(services.hub.process)
    await asyncio.wait_for(disconnecting, 30)
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].connection is Presence.GRACE
    assert await services.store.processes.rooms_of(services.hub.process) == []


async def test_a_room_that_stays_unreadable_is_tried_less_and_less_often(
    services: Services, store: HookedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _ = await host(services)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def sleeps(seconds: float) -> None:
        if 0 < seconds <= QUICK.longest_unreadable_s:  # others sleep too
            pauses.append(seconds)
        await sleep(seconds)

    async def unreadable(*_: object) -> None:
        if len(pauses) == 5:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        raise Unreadable("why")

    store.hooks["read"] = unreadable
    monkeypatch.setattr(asyncio, "sleep", sleeps)
    await session.disconnect()
    assert pauses == [0.001, 0.002, 0.004, 0.004, 0.004]


async def test_a_late_resume_does_not_pass_for_the_newest(
    services: Services, store: HookedStore
) -> None:
    """Regression: the older of two resumes counted, and its disconnect was that of the seat.

    The player was "gone" after 15 seconds although connected, and lost the seat in the next round.
    """
    first, seat = await host(services)
    await first.disconnect()
    late, newest = RecordingSocket(services), RecordingSocket(services)
    with slow_taking(store) as (taken, go_on):
        resuming = asyncio.create_task(late.say("resume", **seat))
        await taken.wait()
    await newest.say("resume", **seat)
    go_on.set()
    await resuming
    assert (late.types(), late.close_code) == ([], CloseCode.REPLACED)
    await late.disconnect()
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == newest.holder.seat.generation
    assert latest.room.seats[0].connection is Presence.ON
    assert newest.close_code is None


@pytest.mark.parametrize("command", ["forfeit", "leave"])
async def test_a_replaced_session_cannot_end_the_race_of_the_new_one(
    services: Services, command: str
) -> None:
    old, seat = await host(services)
    await old.say("start")
    await until_state(services, seat["room"], RoomState.RUNNING)
    new = RecordingSocket(services)
    await new.say("resume", **seat)
    await old.say(command)
    room = (await services.repository.read(seat["room"])).room
    assert (room.state, room.seats[0].state) == (RoomState.RUNNING, SeatState.RACING)


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("ready", {}),
        ("configure", {"settings": {"rounds": 3}}),
        ("say", {"text": "hello"}),
        ("watch", {}),
        ("cards", {}),
    ],
)
async def test_a_session_whose_seat_belongs_to_another_connection_does_nothing_more(
    services: Services, command: str, fields: dict[str, Any]
) -> None:
    """Its process may not know yet; of a number given again, not even the person is the same."""
    socket, seat = await host(services)
    await services.repository.apply(seat["room"], Reconnected(0, 2**50, "elsewhere"))
    before = await services.repository.read(seat["room"])
    received = len(socket.received)
    await socket.say(command, **fields)
    assert await services.repository.read(seat["room"]) == before
    assert (socket.close_code, len(socket.received)) == (CloseCode.REPLACED, received)


async def test_a_token_does_not_take_the_seat_of_the_next_owner_of_its_number(
    services: Services, store: HookedStore
) -> None:
    """The seat is left, and its number given again, between the check and the taking."""

    async def given_again(take: Hook, code: str, seat: int) -> SeatRecord:
        record: SeatRecord = await take(code, seat)
        return replace(record, token_hash="another")

    _, seat = await host(services)
    socket = RecordingSocket(services)
    with hooked(store, take_seat=given_again):
        await socket.say("resume", **seat)
    assert (socket.handler.is_seated, socket.types()) == (False, ["refused"])


async def test_a_session_whose_leave_fails_still_gets_updates(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the store was away; the seat was kept, but no update was sent any more."""
    socket, seat = await host(services)
    apply = services.repository.apply

    async def away(code: str, _event: object) -> VersionedRoom:
        await apply(code, joins("Bob"))
        services.hub.rooms.update(await services.repository.read(code))
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr(services.repository, "apply", away)
        await socket.say("leave")
    assert socket.types() == ["joined", "room", "refused"]
    await apply(seat["room"], joins("Cy"))
    services.hub.rooms.update(await services.repository.read(seat["room"]))
    assert [seat["name"] for seat in socket.received[-1]["room"]["seats"]] == ["Ada", "Bob", "Cy"]
    await socket.say("leave")
    assert socket.received[-1]["type"] == "room"
    assert socket.close_code == 1000


async def ended(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> tuple[RecordingSocket, dict[str, Any], dict[str, Any]]:
    """End a round with its first act; return the socket, its seat, and the act."""
    socket, seat, action = await one_act_from_winning(services, monkeypatch)
    act = {"id": 1, "at": 0, "action": action}
    await socket.say("act", **act)
    await until_state(services, seat["room"], RoomState.FINISHED)
    return socket, seat, act


async def answered(socket: RecordingSocket, count: int) -> list[str]:
    """Wait for `count` replies to acts; return their types."""

    def replies() -> list[str]:
        return [each for each in socket.types() if each in {"acted", "refused"}]

    await until(lambda: len(replies()) >= count)
    return replies()


@pytest.mark.interpreted  # it replaces a property of games
async def test_a_log_is_read_again_once_a_socket_however_often_its_acts_are_repeated(
    services: Services, store: HookedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, seat, act = await ended(services, monkeypatch)
    reads = []

    async def counted(read_log: Hook, code: str, n: int, *where: int) -> Any:
        reads.append(n)
        return await read_log(code, n, *where)

    store.hooks["read_log"] = counted
    await first.say("act", **act)
    assert reads == []  # what is kept on the connection is not read
    socket = RecordingSocket(services)
    await socket.say("resume", **seat)
    await socket.say("act", **{**act, "id": 2})
    assert (socket.received[-1]["code"], reads) == ("too_late", [])  # no act of this round
    socket.received.clear()
    for _ in range(3):
        await socket.say("act", **act)
        await socket.say("act", **{**act, "id": 2})
    assert await answered(socket, 6) == ["acted", "refused"] * 3
    await socket.say("next_round")
    socket.received.clear()
    await socket.say("act", **act)
    assert await answered(socket, 1) == ["acted"]
    assert reads == [1]


@pytest.mark.interpreted  # it replaces a property of games
async def test_replaying_a_log_again_counts_as_a_command(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player over the rate limit must not cause the replay of thousands of acts either."""
    _, seat, act = await ended(services, monkeypatch)
    services.limits = replace(QUICK, commands=Rate(1, 0.001))  # no second one in this test
    socket = RecordingSocket(services)
    await socket.say("resume", **seat)
    assert socket.close_code is None
    await socket.say("act", **act)
    assert socket.close_code == CloseCode.TOO_FAST
    assert socket.holder.table.live is None


async def test_a_disconnect_that_the_store_missed_is_reported_later(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" at a living process, so no other process set it right."""
    session, seat = await host(services)
    code = seat["room"]
    while not (hosting := await store.processes.rooms_of(services.hub.process)):
        await asyncio.sleep(0.001)
    failures = iter([True, True, False])

    async def away_twice(change: Hook, *given: Any) -> Any:
        if next(failures):
            raise StoreAway
        # If this process ends before its report, other processes must still find the room.
        assert await store.processes.rooms_of(services.hub.process) == hosting
        return await change(*given)

    store.hooks["change"] = away_twice
    await session.disconnect()
    latest = await services.repository.read(code)
    assert latest.room.seats[0].connection is Presence.GRACE
    assert await store.processes.rooms_of(services.hub.process) == []
