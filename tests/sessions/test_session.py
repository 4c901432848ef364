"""Sessions over a real store, with a wire that the test holds."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, ErrorCode, Outcome, Presence, RoomState, SeatState
from server.games.game import Game
from server.live.hub import Hub
from server.live.repository import Repository
from server.live.shared_text import SharedText
from server.rooms.events import ProcessDied, Reconnected
from server.rooms.record import Seat, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.timings import RoomTimings
from server.sessions.handler import Handler
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.sessions.services import Services
from server.store import SeatRecord, Store, StoreAway, Unreadable
from tests.hooked import Hook, HookedStore
from tests.rooms.rooms import joins
from tests.servers import AT_ONCE


class RecordingSocket:
    """A socket that records the messages that are sent."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.code: int | None = None

    def send(self, text: str) -> None:
        self.received.append(json.loads(text))

    def send_passing(self, message: SharedText) -> bool:
        self.send(message.text)
        return True

    def close(self, code: int, reason: str = "") -> None:
        assert not reason
        self.code = code

    def behind(self) -> bool:
        return False

    def types(self) -> list[str]:
        return [message["type"] for message in self.received]


QUICK = SessionLimits(retry_s=0.01, unreadable_s=0.001, longest_unreadable_s=0.004)


class Stop(Exception):
    """The end of a test, which cancels the tasks of its hub."""


@pytest.fixture
async def store(store: Store, embedded_url: str, tmp_path: Path) -> AsyncIterator[HookedStore]:
    assert store is not None, "it is empty"
    hooked = await HookedStore.open(embedded_url, tmp_path, timings=AT_ONCE)
    yield hooked
    await hooked.close()


@pytest.fixture
async def services(store: HookedStore) -> AsyncIterator[Services]:
    try:
        async with asyncio.TaskGroup() as tasks:
            repository = Repository(store, timings=RoomTimings(countdown_ms=0))
            yield Services(repository, Hub(repository, store.clock, tasks), QUICK)
            raise Stop
    except* Stop:
        pass


async def say(session: Handler, kind: str, **fields: Any) -> None:
    answering = session.receive(json.dumps({"type": kind, **fields}))
    if answering is not None:
        await answering


async def host(services: Services) -> tuple[Handler, RecordingSocket, dict[str, Any]]:
    """Open a room; return its host's session and socket, and the fields that resume the seat."""
    socket = RecordingSocket()
    session = Handler(services, socket, "127.0.0.1")
    await say(session, "create", name="Ada")
    joined = socket.received[0]
    return session, socket, {"room": session.session.code, "seat": 0, "token": joined["token"]}


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
    ada, _, seat = await host(services)
    assert ada.session.code is not None
    socket = RecordingSocket()
    bob = Handler(services, socket, "127.0.0.1")
    await say(bob, "join", room=ada.session.code, name="Bob")
    await ada.handle_disconnect()
    for number in range(2):
        await say(bob, "say", text=f"missed {number}")
    async with asyncio.timeout(30):
        while "missed 1" not in str(socket.received):
            await asyncio.sleep(0.01)

    async def slowly(read: Hook, code: str, after: int) -> Any:
        store.hooks.clear()  # the hub reads chat too
        missed = await read(code, after)
        await say(bob, "say", text="live")
        while "live" not in str(await read(code, after)):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)  # for the hub to have sent it
        return missed

    back = RecordingSocket()
    with hooked(store, events=slowly):
        await say(Handler(services, back, "127.0.0.1"), "resume", **seat)
    async with asyncio.timeout(30):
        while "live" not in str(back.received):
            await asyncio.sleep(0.01)
    texts = [message["text"] for message in back.received if message["type"] == "said"]
    assert texts == ["missed 0", "missed 1", "live"]


async def test_a_client_whose_missed_chat_cannot_be_read_resumes_again(
    services: Services, store: HookedStore
) -> None:
    ada, _, seat = await host(services)
    await ada.handle_disconnect()

    store.hooks["events"] = away
    back = RecordingSocket()
    await say(Handler(services, back, "127.0.0.1"), "resume", **seat)
    assert back.code == CloseCode.RESYNC


async def test_a_socket_that_is_lost_before_its_command_takes_no_seat(services: Services) -> None:
    """Regression: a late `resume` replaced the newer socket of a player who had reconnected."""
    _, socket, seat = await host(services)
    late = Handler(services, RecordingSocket(), "127.0.0.1")
    resuming = asyncio.create_task(say(late, "resume", **seat))
    await asyncio.sleep(0)
    await late.handle_disconnect()
    await resuming
    assert late.session.generation == 0
    assert socket.code is None


@pytest.mark.parametrize(
    ("tab", "code"),
    [("one", CloseCode.RESYNC), ("two", CloseCode.REPLACED), ("", CloseCode.REPLACED)],
)
async def test_a_tab_whose_connections_overtake_each_other_reconnects(
    services: Services, tab: str, code: CloseCode
) -> None:
    first, _, seat = await host(services)
    await first.handle_disconnect()
    older = RecordingSocket()
    await say(Handler(services, older, "127.0.0.1"), "resume", **seat, tab="one")
    await say(Handler(services, RecordingSocket(), "127.0.0.1"), "resume", **seat, tab=tab)
    assert older.code == code


async def test_a_session_whose_seat_an_unknown_tab_has_taken_is_closed_for_good(
    services: Services,
) -> None:
    handler, socket, seat = await host(services)
    await services.store.take_seat(seat["room"], 0)
    handler.session.handle_replaced()  # the session reads the new holder's tab from the room
    while socket.code is None:
        await asyncio.sleep(0.001)
    assert socket.code == CloseCode.REPLACED


async def test_a_session_whose_seat_was_lost_reconnects(services: Services) -> None:
    handler, socket, _ = await host(services)
    handler.session.handle_seat_lost()
    assert socket.code == CloseCode.RESYNC


async def test_a_socket_that_breaks_while_it_takes_its_seat_leaves_it(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" for ever, and the hub kept a closed socket."""
    first, _, seat = await host(services)
    await first.handle_disconnect()
    second = Handler(services, RecordingSocket(), "127.0.0.1")
    with slow_taking(store) as (taken, go_on):
        resuming = asyncio.create_task(say(second, "resume", **seat))
        await taken.wait()
    await second.handle_disconnect()
    go_on.set()
    await resuming
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == second.session.generation
    assert latest.room.seats[0].connection is Presence.GRACE
    assert services.hub.latest(seat["room"]) is None  # no subscriber here


async def test_a_session_that_was_reported_dead_reports_its_connection(services: Services) -> None:
    """Regression: a process that had hung was declared dead, and its players gone for good."""
    session, _, seat = await host(services)
    latest = await services.repository.read(seat["room"])
    process = latest.room.seats[0].process
    now = await services.store.now()
    services.hub.update(await services.repository.apply(seat["room"], ProcessDied(process, now)))

    async def now_there() -> Seat:
        return (await services.repository.read(seat["room"])).room.seats[0]

    async with asyncio.timeout(30):
        while (back := await now_there()).connection is Presence.GRACE:
            await asyncio.sleep(0.01)
    assert (back.connection, back.generation) == (Presence.ON, session.session.generation)
    await session.handle_disconnect()


async def test_a_seat_that_is_lost_before_it_is_taken_is_asked_for_again(
    services: Services, store: HookedStore
) -> None:
    """Regression: a failover between the two was taken for a bug, and closed the socket 1011."""

    async def lost(_take: Hook, _code: str, _seat: int) -> None:
        return None

    ada, _, seat = await host(services)
    await ada.handle_disconnect()
    socket = RecordingSocket()
    session = Handler(services, socket, "127.0.0.1")
    with hooked(store, take_seat=lost):
        await say(session, "resume", **seat)
    assert socket.received[0]["code"] == "try_again"
    await say(session, "resume", **seat)
    assert socket.received[1]["type"] == "joined"


@pytest.mark.parametrize("kind", ["create", "join", "resume"])
async def test_a_connection_that_the_store_has_without_answering_is_reported_as_lost(
    services: Services, store: HookedStore, kind: str
) -> None:
    """The seat would stay "on" for as long as the process lives, and hold up its room."""
    ada, _, seat = await host(services)
    asked = {"create": {"name": "Bob"}, "join": {"room": seat["room"], "name": "Bob"}}
    if kind == "resume":
        await ada.handle_disconnect()
    written: list[str] = []

    async def unanswered(change: Hook, code: str, *rest: Any) -> None:
        assert await change(code, *rest)
        store.hooks.clear()
        written.append(code)
        raise StoreAway

    socket = RecordingSocket()
    with hooked(store, change=unanswered):
        await say(Handler(services, socket, "127.0.0.1"), kind, **asked.get(kind, seat))
    assert socket.received[0]["code"] == "try_again"
    async with asyncio.timeout(30):
        while (
            held := (await services.repository.read(written[0])).room.seats[-1]
        ).left_at is None:
            await asyncio.sleep(0.01)
    assert (held.connection, held.process) == (Presence.GRACE, services.hub.process)
    assert socket.code is None


async def test_seats_that_are_asked_for_while_the_store_is_away_make_few_reports(
    services: Services, store: HookedStore
) -> None:
    services.limits = replace(QUICK, unanswered=3)
    _, _, seat = await host(services)
    with hooked(store, change=away, create=away):
        for _ in range(4):
            wire = RecordingSocket()
            for kind, more in (("create", {}), ("join", {"room": seat["room"]})):
                await say(Handler(services, wire, "127.0.0.1"), kind, name="Bob", **more)
            assert [refused["code"] for refused in wire.received] == ["try_again"] * 2
            await asyncio.sleep(0)
            assert services.unanswered <= 3
        assert services.unanswered > 0
    async with asyncio.timeout(30):
        while services.unanswered:
            await asyncio.sleep(0.01)
    room = (await services.repository.read(seat["room"])).room
    assert [one.name for one in room.seats] == ["Ada"]


@pytest.mark.parametrize("kind", ["create", "resume"])
async def test_a_room_is_listed_by_its_process_before_a_seat_is_connected(
    services: Services, store: HookedStore, kind: str
) -> None:
    """The process may be killed at any moment; other processes find its rooms by this list."""
    ada, _, seat = await host(services)
    await ada.handle_disconnect()
    process = services.hub.process
    assert await services.store.rooms_of(process) == []

    async def never(*_: object) -> None:
        """Do as a process that is killed before its next heartbeat."""

    store.hooks["beat"] = never
    asked = seat if kind == "resume" else {"name": "Bob"}
    await say(Handler(services, RecordingSocket(), "127.0.0.1"), kind, **asked)
    assert len(await services.store.rooms_of(process)) == 1


async def test_a_store_that_goes_away_after_joined_stops_no_updates(
    services: Services, store: HookedStore
) -> None:
    """Regression: `resume` had two replies, and no update of the room was sent any more."""
    first, _, seat = await host(services)
    await say(first, "start")
    while (await services.repository.read(seat["room"])).room.state is not RoomState.RUNNING:
        await asyncio.sleep(0.01)
    await first.handle_disconnect()
    socket = RecordingSocket()
    second = Handler(services, socket, "127.0.0.1")
    failed: list[Hook] = []

    async def away_after_joined(call: Hook, *given: Any) -> Any:
        if "joined" in socket.types():
            failed.append(call)
            raise StoreAway
        return await call(*given)

    # Without the events of the chat the socket is closed, for the client to come again.
    calls = dict.fromkeys(["read", "read_seats", "read_log", "beat"], away_after_joined)
    with hooked(store, **calls):
        await say(second, "resume", **seat)
    assert failed
    assert "refused" not in socket.types()
    await say(second, "forfeit")
    async with asyncio.timeout(30):
        while "round_over" not in socket.types():
            await asyncio.sleep(0.01)
    assert [kind for kind in socket.types() if kind in {"joined", "round_over"}] == [
        "joined",
        "round_over",
    ]


async def one_act_from_winning(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> tuple[Handler, dict[str, Any], str]:
    """Begin a race that any act wins; return the host's session and seat, and a legal action."""
    session, socket, seat = await host(services)
    await say(session, "start")
    async with asyncio.timeout(30):
        while "table" not in socket.types():
            await asyncio.sleep(0.01)
    monkeypatch.setattr(Game, "outcome", property(lambda game: Outcome.WON if game.at else None))
    table = next(message["table"] for message in socket.received if message["type"] == "table")
    return session, seat, table["legal"].partition(",")[0]


async def finished(services: Services, code: str) -> None:
    async with asyncio.timeout(30):
        while (await services.repository.read(code)).room.state is not RoomState.FINISHED:
            await asyncio.sleep(0.01)


@pytest.mark.interpreted  # it replaces a property of games
async def test_a_game_that_ends_as_its_socket_breaks_is_reported(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the last act was stored after the close; the room waited for its time limit."""
    session, seat, action = await one_act_from_winning(services, monkeypatch)
    await say(session, "act", id=1, at=0, action=action)
    await session.handle_disconnect()
    await finished(services, seat["room"])


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
        await say(session, "act", id=1, at=0, action=action)
        await tried.wait()
    await finished(services, seat["room"])


async def test_a_disconnect_from_an_unreadable_room_is_reported_later(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" for as long as this process lived."""
    session, _, seat = await host(services)
    with unreadable_for_a_while(store) as tried:
        disconnecting = asyncio.create_task(session.handle_disconnect())
        await tried.wait()
        assert seat["room"] in await services.store.rooms_of(services.hub.process)
    await asyncio.wait_for(disconnecting, 30)
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].connection is Presence.GRACE
    assert await services.store.rooms_of(services.hub.process) == []


async def test_a_room_that_stays_unreadable_is_tried_less_and_less_often(
    services: Services, store: HookedStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _, _ = await host(services)
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
    await session.handle_disconnect()
    assert pauses == [0.001, 0.002, 0.004, 0.004, 0.004]


async def test_a_late_resume_does_not_pass_for_the_newest(
    services: Services, store: HookedStore
) -> None:
    """Regression: the older of two resumes counted, and its disconnect was that of the seat.

    The player was "gone" after 15 seconds although connected, and lost the seat in the next round.
    """
    first, _, seat = await host(services)
    await first.handle_disconnect()
    late_socket, socket = RecordingSocket(), RecordingSocket()
    late, newest = (Handler(services, wire, "127.0.0.1") for wire in (late_socket, socket))
    with slow_taking(store) as (taken, go_on):
        resuming = asyncio.create_task(say(late, "resume", **seat))
        await taken.wait()
    await say(newest, "resume", **seat)
    go_on.set()
    await resuming
    assert (late_socket.types(), late_socket.code) == ([], CloseCode.REPLACED)
    await late.handle_disconnect()
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == newest.session.generation
    assert latest.room.seats[0].connection is Presence.ON
    assert socket.code is None


@pytest.mark.parametrize("command", ["forfeit", "leave"])
async def test_a_replaced_session_cannot_end_the_race_of_the_new_one(
    services: Services, command: str
) -> None:
    old, _, seat = await host(services)
    await say(old, "start")
    while (await services.repository.read(seat["room"])).room.state is not RoomState.RUNNING:
        await asyncio.sleep(0.01)
    new = Handler(services, RecordingSocket(), "127.0.0.1")
    await say(new, "resume", **seat)
    await say(old, command)
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
    old, socket, seat = await host(services)
    await services.repository.apply(seat["room"], Reconnected(0, 2**50, "elsewhere"))
    before = await services.repository.read(seat["room"])
    received = len(socket.received)
    await say(old, command, **fields)
    assert await services.repository.read(seat["room"]) == before
    assert (socket.code, len(socket.received)) == (CloseCode.REPLACED, received)


async def test_a_token_does_not_take_the_seat_of_the_next_owner_of_its_number(
    services: Services, store: HookedStore
) -> None:
    """The seat is left, and its number given again, between the check and the taking."""

    async def given_again(take: Hook, code: str, seat: int) -> SeatRecord:
        record: SeatRecord = await take(code, seat)
        return replace(record, token_hash="another")

    _, _, seat = await host(services)
    socket = RecordingSocket()
    session = Handler(services, socket, "127.0.0.1")
    with hooked(store, take_seat=given_again):
        await say(session, "resume", **seat)
    assert (session.seated, socket.types()) == (False, ["refused"])


async def test_a_session_whose_leave_fails_still_gets_updates(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the store was away; the seat was kept, but no update was sent any more."""
    session, socket, seat = await host(services)
    apply = services.repository.apply

    async def away(code: str, _event: object) -> VersionedRoom:
        await apply(code, joins("Bob"))
        services.hub.update(await services.repository.read(code))
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr(services.repository, "apply", away)
        await say(session, "leave")
    assert socket.types() == ["joined", "room", "refused"]
    await apply(seat["room"], joins("Cy"))
    services.hub.update(await services.repository.read(seat["room"]))
    assert [seat["name"] for seat in socket.received[-1]["room"]["seats"]] == ["Ada", "Bob", "Cy"]
    await say(session, "leave")
    assert socket.received[-1]["type"] == "room"
    assert socket.code == 1000


async def ended(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> tuple[Handler, dict[str, Any], dict[str, Any]]:
    """End a round with its first act; return the session, its seat, and the act."""
    session, seat, action = await one_act_from_winning(services, monkeypatch)
    act = {"id": 1, "at": 0, "action": action}
    await say(session, "act", **act)
    await finished(services, seat["room"])
    return session, seat, act


async def answered(socket: RecordingSocket, count: int) -> list[str]:
    """Wait for `count` replies to acts; return their types."""
    async with asyncio.timeout(30):
        while (
            len(found := [each for each in socket.types() if each in {"acted", "refused"}]) < count
        ):
            await asyncio.sleep(0.001)
    return found


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
    await say(first, "act", **act)
    assert reads == []  # what is kept on the connection is not read
    socket = RecordingSocket()
    second = Handler(services, socket, "127.0.0.1")
    await say(second, "resume", **seat)
    await say(second, "act", **{**act, "id": 2})
    assert (socket.received[-1]["code"], reads) == ("too_late", [])  # no act of this round
    socket.received.clear()
    for _ in range(3):
        await say(second, "act", **act)
        await say(second, "act", **{**act, "id": 2})
    assert await answered(socket, 6) == ["acted", "refused"] * 3
    await say(second, "next_round")
    socket.received.clear()
    await say(second, "act", **act)
    assert await answered(socket, 1) == ["acted"]
    assert reads == [1]


@pytest.mark.interpreted  # it replaces a property of games
async def test_replaying_a_log_again_counts_as_a_command(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player over the rate limit must not cause the replay of thousands of acts either."""
    _, seat, act = await ended(services, monkeypatch)
    services.limits = replace(QUICK, commands=Rate(1, 0.001))  # no second one in this test
    socket = RecordingSocket()
    session = Handler(services, socket, "127.0.0.1")
    await say(session, "resume", **seat)
    assert socket.code is None
    await say(session, "act", **act)
    assert socket.code == CloseCode.TOO_FAST
    assert session.session.table.live is None


async def test_a_disconnect_that_the_store_missed_is_reported_later(
    services: Services, store: HookedStore
) -> None:
    """Regression: the seat stayed "on" at a living process, so no other process set it right."""
    session, _, seat = await host(services)
    code = seat["room"]
    while not (hosting := await store.rooms_of(services.hub.process)):
        await asyncio.sleep(0.001)
    failures = iter([True, True, False])

    async def away_twice(change: Hook, *given: Any) -> Any:
        if next(failures):
            raise StoreAway
        # If this process ends before its report, other processes must still find the room.
        assert await store.rooms_of(services.hub.process) == hosting
        return await change(*given)

    store.hooks["change"] = away_twice
    await session.handle_disconnect()
    latest = await services.repository.read(code)
    assert latest.room.seats[0].connection is Presence.GRACE
    assert await store.rooms_of(services.hub.process) == []
