"""Sessions over a real store, with a wire that the test holds."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, Connection, ErrorCode, Outcome, RoomState, SeatState
from server.games.game import Game
from server.live.hub import Hub
from server.live.repository import Repository
from server.rooms import countdown
from server.rooms.events import ProcessDied
from server.rooms.record import Seat, VersionedRoom
from server.rooms.refusal import Refusal
from server.sessions import handler, reports
from server.sessions.handler import Handler
from server.sessions.services import Services
from server.store import LogRecord, SeatRecord, Store, StoreAway, Unreadable
from tests.rooms.rooms import joins


class Ear:
    """A wire that writes down what is said."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.code: int | None = None

    def send(self, text: str) -> None:
        self.heard.append(json.loads(text))

    def close(self, code: int, reason: str = "") -> None:
        assert not reason
        self.code = code

    def behind(self) -> bool:
        return False

    def types(self) -> list[str]:
        return [message["type"] for message in self.heard]


class Stop(Exception):
    """The test is done."""


@pytest.fixture
async def services(store: Store) -> AsyncIterator[Services]:
    try:
        async with asyncio.TaskGroup() as tasks:
            repository = Repository(store)
            yield Services(repository, Hub(repository, store.clock, tasks))
            raise Stop
    except* Stop:
        pass


async def say(session: Handler, kind: str, **fields: Any) -> None:
    answering = session.receive(json.dumps({"type": kind, **fields}))
    if answering is not None:
        await answering


async def host(services: Services) -> tuple[Handler, Ear, dict[str, Any]]:
    """Somebody in a room of their own, and what takes the seat again."""
    ear = Ear()
    session = Handler(services, ear, "127.0.0.1")
    await say(session, "create", name="Ada")
    joined = ear.heard[0]
    return session, ear, {"room": session.session.code, "seat": 0, "token": joined["token"]}


@contextlib.contextmanager
def slow_taking(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[asyncio.Event, asyncio.Event]]:
    """Who takes a seat now has taken it at the first event, and goes on at the second."""
    taken, go_on = asyncio.Event(), asyncio.Event()
    take = services.store.take_seat

    async def take_slowly(code: str, number: int) -> SeatRecord | None:
        record = await take(code, number)
        taken.set()
        await go_on.wait()
        return record

    with monkeypatch.context() as patch:
        patch.setattr(services.store, "take_seat", take_slowly)
        yield taken, go_on


async def test_a_socket_that_is_gone_before_it_is_heard_takes_no_seat(services: Services) -> None:
    """A stopped server read it late, and threw the player out who was back by another socket."""
    _, ear, seat = await host(services)
    late = Handler(services, Ear(), "127.0.0.1")
    resuming = asyncio.create_task(say(late, "resume", **seat))
    await asyncio.sleep(0)
    await late.gone()
    await resuming
    assert late.session.generation == 0
    assert ear.code is None


@pytest.mark.parametrize(("tab", "code"), [("one", 4003), ("two", 4503), ("", 4503)])
async def test_a_page_whose_connections_overtake_each_other_comes_back(
    services: Services, tab: str, code: int
) -> None:
    first, _, seat = await host(services)
    await first.gone()
    older = Ear()
    await say(Handler(services, older, "127.0.0.1"), "resume", **seat, tab="one")
    await say(Handler(services, Ear(), "127.0.0.1"), "resume", **seat, tab=tab)
    assert older.code == code


async def test_a_table_that_hears_of_it_first_looks_who_has_the_seat(services: Services) -> None:
    session, ear, seat = await host(services)
    await services.store.take_seat(seat["room"], 0)
    session.session.replaced()
    while ear.code is None:
        await asyncio.sleep(0.001)
    assert ear.code == 4503


async def test_a_session_whose_seat_was_taken_back_comes_again(services: Services) -> None:
    session, ear, _ = await host(services)
    session.session.taken_back()
    assert ear.code == 4003


async def test_a_socket_that_breaks_while_it_takes_its_seat_leaves_it(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat stayed "on" for ever, and the hub went on telling a socket that was no more."""
    first, _, seat = await host(services)
    await first.gone()
    second = Handler(services, Ear(), "127.0.0.1")
    with slow_taking(services, monkeypatch) as (taken, go_on):
        resuming = asyncio.create_task(say(second, "resume", **seat))
        await taken.wait()
    await second.gone()
    go_on.set()
    await resuming
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == second.session.generation
    assert latest.room.seats[0].connection is Connection.GRACE
    assert services.hub.latest(seat["room"]) is None  # nobody here sits in that room


async def test_who_was_taken_for_dead_says_so(services: Services) -> None:
    """Regression: a process that had hung was declared dead, and its players gone for good."""
    session, _, seat = await host(services)
    latest = await services.repository.read(seat["room"])
    process = latest.room.seats[0].process
    now = await services.store.now()
    services.hub.update(await services.repository.apply(seat["room"], ProcessDied(process, now)))

    async def now_there() -> Seat:
        return (await services.repository.read(seat["room"])).room.seats[0]

    async with asyncio.timeout(5):
        while (back := await now_there()).connection is Connection.GRACE:
            await asyncio.sleep(0.01)
    assert (back.connection, back.generation) == (Connection.ON, session.session.generation)
    await session.gone()


async def test_a_seat_that_is_lost_before_it_is_taken_is_asked_for_again(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: a failover between the two was taken for a bug, and closed the socket 1011."""

    async def lost(_code: str, _seat: int) -> None:
        return None

    ear = Ear()
    session = Handler(services, ear, "127.0.0.1")
    with monkeypatch.context() as patch:
        patch.setattr(services.store, "take_seat", lost)
        await say(session, "create", name="Ada")
    assert ear.heard[0]["code"] == "try_again"
    await say(session, "create", name="Ada")
    assert ear.heard[1]["type"] == "joined"


async def test_a_store_that_goes_away_behind_joined_leaves_nobody_deaf(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`resume` was answered twice, `joined` and `try_again`, and the room was not followed."""
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 0)
    first, _, seat = await host(services)
    await say(first, "start")
    while (await services.repository.read(seat["room"])).room.state is not RoomState.RUNNING:
        await asyncio.sleep(0.01)
    await first.gone()
    ear = Ear()
    second = Handler(services, ear, "127.0.0.1")

    async def away(_room: object) -> None:
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr(services.repository, "stats", away)
        await say(second, "resume", **seat)
    assert "refused" not in ear.types()
    await say(second, "forfeit")
    assert [kind for kind in ear.types() if kind in {"joined", "round_over"}] == [
        "joined",
        "round_over",
    ]


async def test_a_game_that_ends_as_its_socket_breaks_is_told(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last act was stored when the socket had gone; the room waited for its time limit."""
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 0)
    session, ear, seat = await host(services)
    await say(session, "start")
    async with asyncio.timeout(5):
        while "table" not in ear.types():
            await asyncio.sleep(0.01)
    monkeypatch.setattr(Game, "outcome", property(lambda game: Outcome.WON if game.at else None))
    legal = next(message["table"]["legal"] for message in ear.heard if message["type"] == "table")
    await say(session, "act", id=1, at=0, action=legal[0])
    await session.gone()
    async with asyncio.timeout(5):
        while (await services.repository.read(seat["room"])).room.state is not RoomState.FINISHED:
            await asyncio.sleep(0.01)


@contextlib.contextmanager
def unreadable_for_a_while(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> Iterator[asyncio.Event]:
    """Until the end of this no room can be read; the event is that somebody has tried.

    As if a newer release had written it: it has another version than is known here.
    """
    tried = asyncio.Event()

    async def unreadable(_: str) -> None:
        tried.set()
        raise Unreadable("why")

    async def moved_on(*_: object) -> None:
        """Take no change of what was read before."""

    monkeypatch.setattr(reports, "UNREADABLE_S", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(services.store, "read", unreadable)
        patch.setattr(services.store, "change", moved_on)
        yield tried


async def test_a_game_that_ends_while_its_room_is_unreadable_is_told_later(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room waited for its time limit, with everybody done."""
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 0)
    session, ear, seat = await host(services)
    await say(session, "start")
    async with asyncio.timeout(5):
        while "table" not in ear.types():
            await asyncio.sleep(0.01)
    monkeypatch.setattr(Game, "outcome", property(lambda game: Outcome.WON if game.at else None))
    legal = next(message["table"]["legal"] for message in ear.heard if message["type"] == "table")
    with unreadable_for_a_while(services, monkeypatch) as tried:
        await say(session, "act", id=1, at=0, action=legal[0])
        await tried.wait()
    async with asyncio.timeout(5):
        while (await services.repository.read(seat["room"])).room.state is not RoomState.FINISHED:
            await asyncio.sleep(0.01)


async def test_a_drop_from_a_room_that_is_unreadable_is_told_later(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat stayed "on" for as long as this process lived."""
    session, _, seat = await host(services)
    with unreadable_for_a_while(services, monkeypatch) as tried:
        going = asyncio.create_task(session.gone())
        await tried.wait()
        assert seat["room"] in await services.store.rooms_of(services.hub.process)
    await asyncio.wait_for(going, 5)
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].connection is Connection.GRACE
    assert await services.store.rooms_of(services.hub.process) == []


async def test_a_room_that_stays_unreadable_is_tried_less_and_less_often(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, _, _ = await host(services)
    monkeypatch.setattr(reports, "UNREADABLE_S", 0.001)
    monkeypatch.setattr(reports, "LONGEST_UNREADABLE_S", 0.004)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def sleeps(seconds: float) -> None:
        if seconds < reports.RETRY_S:  # others sleep too
            pauses.append(seconds)
        await sleep(seconds)

    async def unreadable(_: str) -> None:
        if len(pauses) == 5:
            raise Refusal(ErrorCode.NO_SUCH_ROOM)
        raise Unreadable("why")

    monkeypatch.setattr(services.store, "read", unreadable)
    monkeypatch.setattr(asyncio, "sleep", sleeps)
    await session.gone()
    assert pauses == [0.001, 0.002, 0.004, 0.004, 0.004]


async def test_a_late_resume_does_not_pass_for_the_newest(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room believed the older of two resumes, whose end then was that of the newer one.

    The player, who sat there, was "gone" after 15 seconds, and the next round took the seat.
    """
    first, _, seat = await host(services)
    await first.gone()
    late_ear, ear = Ear(), Ear()
    late, newest = (Handler(services, wire, "127.0.0.1") for wire in (late_ear, ear))
    with slow_taking(services, monkeypatch) as (taken, go_on):
        resuming = asyncio.create_task(say(late, "resume", **seat))
        await taken.wait()
    await say(newest, "resume", **seat)
    go_on.set()
    await resuming
    assert (late_ear.types(), late_ear.code) == ([], 4503)
    await late.gone()
    latest = await services.repository.read(seat["room"])
    assert latest.room.seats[0].generation == newest.session.generation
    assert latest.room.seats[0].connection is Connection.ON
    assert ear.code is None


@pytest.mark.parametrize("command", ["forfeit", "leave"])
async def test_who_was_replaced_cannot_end_the_race_of_the_other(
    services: Services, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 0)
    old, _, seat = await host(services)
    await say(old, "start")
    while (await services.repository.read(seat["room"])).room.state is not RoomState.RUNNING:
        await asyncio.sleep(0.01)
    new = Handler(services, Ear(), "127.0.0.1")
    await say(new, "resume", **seat)
    await say(old, command)
    room = (await services.repository.read(seat["room"])).room
    assert (room.state, room.seats[0].state) == (RoomState.RUNNING, SeatState.RACING)


async def test_who_cannot_leave_just_now_still_hears_of_the_room(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store was away: the seat was kept, but nothing of the room was heard any more."""
    session, ear, seat = await host(services)
    apply = services.repository.apply

    async def away(code: str, _event: object) -> VersionedRoom:
        await apply(code, joins("Bob"))
        services.hub.update(await services.repository.read(code))
        raise StoreAway

    with monkeypatch.context() as patch:
        patch.setattr(services.repository, "apply", away)
        await say(session, "leave")
    assert ear.types() == ["joined", "room", "refused"]
    await apply(seat["room"], joins("Cy"))
    services.hub.update(await services.repository.read(seat["room"]))
    assert [seat["name"] for seat in ear.heard[-1]["room"]["seats"]] == ["Ada", "Bob", "Cy"]
    await say(session, "leave")
    assert ear.heard[-1]["type"] == "room"
    assert ear.code == 1000


async def ended(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> tuple[Handler, dict[str, Any], dict[str, Any]]:
    """Somebody whose first act ended the round; what takes the seat again; and the act."""
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 0)
    session, ear, seat = await host(services)
    await say(session, "start")
    async with asyncio.timeout(5):
        while "table" not in ear.types():
            await asyncio.sleep(0.01)
    monkeypatch.setattr(Game, "outcome", property(lambda game: Outcome.WON if game.at else None))
    legal = next(message["table"]["legal"] for message in ear.heard if message["type"] == "table")
    act = {"id": 1, "at": 0, "action": legal[0]}
    await say(session, "act", **act)
    async with asyncio.timeout(5):
        while "round_over" not in ear.types():
            await asyncio.sleep(0.01)
    return session, seat, act


async def answered(ear: Ear, count: int) -> list[str]:
    """So many answers to acts, once they are there."""
    async with asyncio.timeout(5):
        while len(found := [each for each in ear.types() if each in {"acted", "refused"}]) < count:
            await asyncio.sleep(0.001)
    return found


async def test_a_log_is_read_again_once_a_socket_however_often_its_acts_are_repeated(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, seat, act = await ended(services, monkeypatch)
    reads = []
    read_log = services.store.read_log

    async def counted(code: str, n: int, number: int) -> list[LogRecord]:
        reads.append(n)
        return await read_log(code, n, number)

    monkeypatch.setattr(services.store, "read_log", counted)
    await say(first, "act", **act)
    assert reads == []  # what is kept on the connection is not read
    ear = Ear()
    second = Handler(services, ear, "127.0.0.1")
    await say(second, "resume", **seat)
    await say(second, "act", **{**act, "id": 2})
    assert (ear.heard[-1]["code"], reads) == ("too_late", [])  # no act of this round
    ear.heard.clear()
    for _ in range(3):
        await say(second, "act", **act)
        await say(second, "act", **{**act, "id": 2})
    assert await answered(ear, 6) == ["acted", "refused"] * 3
    await say(second, "next_round")
    ear.heard.clear()
    await say(second, "act", **act)
    assert await answered(ear, 1) == ["acted"]
    assert reads == [1]


async def test_reading_a_log_again_is_a_command_among_others(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may ask for nothing more may not have thousands of acts played again either."""
    _, seat, act = await ended(services, monkeypatch)
    monkeypatch.setattr(handler, "COMMANDS", 1)
    ear = Ear()
    session = Handler(services, ear, "127.0.0.1")
    await say(session, "resume", **seat)
    assert ear.code is None
    await say(session, "act", **act)
    assert ear.code == CloseCode.TOO_FAST
    assert session.session.table.live is None


async def test_a_drop_that_the_store_did_not_hear_of_is_told_later(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seat stayed "on" at a process that was alive, and its room was never unattended."""
    monkeypatch.setattr(reports, "RETRY_S", 0.01)
    session, _, seat = await host(services)
    store, code = services.store, seat["room"]
    while not (hosting := await store.rooms_of(services.hub.process)):
        await asyncio.sleep(0.001)
    change, failures = store.change, iter([True, True, False])

    async def away(*arguments: Any) -> int | None:
        if next(failures):
            raise StoreAway
        # Should this process end before it can tell, the others must still find the room.
        assert await store.rooms_of(services.hub.process) == hosting
        return await change(*arguments)

    monkeypatch.setattr(store, "change", away)
    await session.gone()
    latest = await services.repository.read(code)
    assert latest.room.seats[0].connection is Connection.GRACE
    assert await store.rooms_of(services.hub.process) == []
