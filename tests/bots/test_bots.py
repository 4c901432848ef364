"""Computer players over a real server and a real store."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pytest
import structlog
from spider_race_client import Client, Race, Refused, connect

from protocol.from_client import Abort, AddBot, AddStandIn
from protocol.games import GameId
from protocol.vocabulary import BotLevel, ErrorCode, Presence, SeatState
from server.bots import bot_player
from server.bots.bot_player import BotPlayer
from server.bots.bots import MOST_TRIES, Bots, BotTimings
from server.games.actions import Action
from server.solver.players import player_of
from server.store import Store
from tests.python_client.races import in_round, result_of
from tests.waiting import until_answer

FAST = BotTimings(poll_s=0.01, keep_s=0.1, silent_s=0.5, tempo=0.0)
SLOW = BotTimings(poll_s=0.01, keep_s=0.1, silent_s=0.5, tempo=0.2)


class Resumed(NamedTuple):
    """What opens a seat again."""

    room: str
    number: int
    token: str


@asynccontextmanager
async def bots_at(
    address: str, store: Store, timings: BotTimings = FAST
) -> AsyncIterator[asyncio.Task[None]]:
    """Run computer players in a task of this process, which is cancelled at the end."""
    task = asyncio.create_task(Bots(store.jobs, lambda: address, 4, timings).run())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


@asynccontextmanager
async def killed_at_the_end(
    address: str, store: Store, timings: BotTimings = SLOW
) -> AsyncIterator[None]:
    """Run computer players in a task, as a process that is killed at the end."""
    bots = Bots(store.jobs, lambda: address, 4, timings)
    task = asyncio.create_task(bots.run())
    try:
        yield
    finally:
        bots._held.clear()  # a killed process gives nothing back
        task.cancel()
        await asyncio.wait([task])


async def tries(store: Store) -> list[int]:
    """Return the tries of each job that is held, the oldest job first."""
    queue, _ = store.keys.jobs("bot")
    held = await store.client.call(queue, "XPENDING", queue, "takers", "-", "+", 99)
    return [tried for _, _, _, tried in held]


async def room_with(client: Client, level: BotLevel = "beginner", **settings: object) -> Race:
    race = await client.create("Ada", settings)
    await race.command(AddBot(level=level, attempt=f"first-press-of-add-{level}"))
    return race


def bot_is(race: Race, presence: Presence) -> bool:
    return any(seat.level and seat.connection is presence for seat in race.room.seats)


async def moves_of_bot(race: Race, at_least: int) -> int:
    """Wait until a computer player has made some moves; return their number."""
    rows = await race.wait_until(
        lambda race: [row for row in race.standings if row.seat and row.moves >= at_least]
    )
    return rows[0].moves


@pytest.mark.parametrize("game", ["spider-1", "spiderette-2", "little-spider"])
async def test_a_computer_player_plays_its_game_to_the_end_and_then_another_one(
    client: Client, address: str, store: Store, game: str
) -> None:
    # In one deal of hundreds there is hardly a move to make.
    race = await room_with(client, game=game, deal="numbered", number=2)
    async with bots_at(address, store):
        for n in (1, 2):
            await (race.ready() if n == 1 else race.rematch())
            await race.wait_until(in_round(n))
            await race.wait_for_table()
            await moves_of_bot(race, 1)
            await race.forfeit()
            over = await result_of(race, n)
            (row,) = [row for row in over.ranking if row.seat == 1]
            assert row.moves > 5
        assert [seat.wins for seat in race.room.seats] == [0, 0]


async def test_a_computer_player_that_can_gain_nothing_stops_with_its_place(
    client: Client, address: str, store: Store
) -> None:
    """Regression: it gave up. So it lost to a person who had made no act."""
    settings = {"game": "spider-4", "deal": "numbered", "number": 33, "layout": "spread"}
    race = await room_with(client, "expert", **settings)
    async with bots_at(address, store):
        await race.ready()
        await race.wait_for_table()
        await race.wait_until(lambda race: race.room.seats[1].state is SeatState.FINISHED)
        await race.forfeit()
        over = await result_of(race, 1)
    first, last = over.ranking
    assert (first.seat, first.place, first.state) == (1, 1, SeatState.FINISHED)
    assert first.score > 200
    assert last.moves == 0


async def test_another_process_goes_on_when_that_of_a_computer_player_is_killed(
    client: Client, address: str, store: Store
) -> None:
    race = await room_with(client, "club")
    async with killed_at_the_end(address, store):
        await race.ready()
        before = await moves_of_bot(race, 3)
    await race.wait_until(lambda race: bot_is(race, Presence.GRACE))
    async with bots_at(address, store, SLOW):
        await race.wait_until(lambda race: bot_is(race, Presence.ON))
        assert await moves_of_bot(race, before + 2) > before


async def test_a_process_that_was_suspended_goes_on_with_its_players(
    client: Client, address: str, store: Store
) -> None:
    """Regression: it took its own jobs again. Their first players finished them on ending.

    So no process had these players after a later death.
    """
    suspended = replace(SLOW, keep_s=60.0, silent_s=0.05)  # it renews nothing
    race = await room_with(client, "club")
    generations = []
    async with killed_at_the_end(address, store, suspended):
        await race.ready()
        for moves in range(1, 6):
            await moves_of_bot(race, moves)
            record = await store.seats.read(race.code, 1)
            generations.append(record and record.generation)
        assert await tries(store) == [0]
    assert len(set(generations)) == 1
    before = await moves_of_bot(race, 5)
    async with bots_at(address, store, SLOW):
        assert await moves_of_bot(race, before + 2) > before


async def test_deaths_of_a_process_are_no_fault_of_players_that_did_well(
    client: Client, address: str, store: Store
) -> None:
    """Regression: after five deaths of its process, whyever, each computer player was given up."""
    race = await room_with(client)
    for _ in range(MOST_TRIES + 2):
        async with killed_at_the_end(address, store, replace(SLOW, silent_s=0.05)):
            await until_answer(lambda: tries(store), lambda tried: tried == [0])
    async with bots_at(address, store):
        await race.wait_until(lambda race: bot_is(race, Presence.ON))


async def test_a_player_that_waits_for_long_does_well_too(
    client: Client, address: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room that no server can read keeps its player waiting, and stops no other player."""
    waits = asyncio.Event()

    async def never(*_: object) -> None:
        waits.set()
        await asyncio.Event().wait()

    await room_with(client)
    monkeypatch.setattr(BotPlayer, "play", never)
    async with bots_at(address, store, replace(SLOW, doubt_s=0.0)):
        await waits.wait()
        await until_answer(lambda: tries(store), lambda tried: tried == [0])


async def test_a_job_that_ends_every_process_is_given_up_alone(
    client: Client, address: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, gone = asyncio.get_running_loop(), threading.Event()
    died = asyncio.Event()

    class Deadly:
        def choose(self, *_: object, **__: object) -> None:
            loop.call_soon_threadsafe(died.set)
            gone.wait()

    def player(level: BotLevel, game: GameId) -> object:
        return Deadly() if level == "expert" else player_of(level, game)

    monkeypatch.setattr(bot_player, "player_of", player)
    race = await room_with(client, "club", game="spider-4")
    for level in ("expert", "beginner"):
        await race.command(AddBot(level=level, attempt=f"first-press-of-add-{level}"))
    async with bots_at(address, store, SLOW):
        await until_answer(lambda: tries(store), lambda tried: tried == [0, 0, 0])
    await race.ready()
    await race.wait_for_table()
    given_up = asyncio.create_task(race.wait_until(lambda race: has_stopped(race, seat=2)))
    deaths = 0
    with structlog.testing.capture_logs() as logged:
        while not given_up.done():
            died.clear()
            async with killed_at_the_end(address, store):
                dying = asyncio.create_task(died.wait())
                await asyncio.wait([dying, given_up], return_when=asyncio.FIRST_COMPLETED)
                deaths += dying.done()
                dying.cancel()
                gone.set()
            gone.clear()
    assert deaths == MOST_TRIES
    async with bots_at(address, store, SLOW):
        for seat in (1, 3):
            await race.wait_until(partial(has_moved, seat=seat))
    ended = [entry for entry in logged if entry["event"] == "a computer player is given up"]
    assert [entry["job"] for entry in ended] == [f"{race.code}:first-press-of-add-expert"]


def has_stopped(race: Race, seat: int) -> bool:
    return any(row.state is SeatState.FINISHED for row in race.standings if row.seat == seat)


def has_moved(race: Race, seat: int) -> bool:
    return any(row.moves > 2 for row in race.standings if row.seat == seat)


async def test_a_process_that_ends_gives_its_players_to_the_next_one(
    client: Client, address: str, store: Store
) -> None:
    long = BotTimings(poll_s=0.01, keep_s=60.0, silent_s=60.0, tempo=0.0)
    race = await room_with(client)
    async with bots_at(address, store, long):
        await race.wait_until(lambda race: bot_is(race, Presence.ON))
    await race.wait_until(lambda race: bot_is(race, Presence.GRACE))
    async with bots_at(address, store, long):
        await race.wait_until(lambda race: bot_is(race, Presence.ON))


async def test_a_computer_player_that_errs_stops_and_the_log_says_why(
    client: Client, address: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Erring:
        def choose(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(bot_player, "player_of", lambda *_: Erring())
    race = await room_with(client)
    with structlog.testing.capture_logs() as logged:
        async with bots_at(address, store):
            await race.ready()
            await race.wait_for_table()
            await race.wait_until(lambda race: race.room.seats[1].state is SeatState.FINISHED)
    (entry,) = [each for each in logged if each["event"] == "a computer player errs"]
    assert (entry["room"], entry["seat"]) == (race.code, 1)


@pytest.mark.parametrize(("timings", "hurries"), [(FAST, True), (SLOW, False)])
async def test_a_player_whose_choice_was_late_only_looks_at_plans_for_the_next_one(
    client: Client,
    address: str,
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    timings: BotTimings,
    hurries: bool,  # pytest passes it by name
) -> None:
    hurried = []

    class Recording:
        def choose(self, _: object, legal: list[Action], *, hurry: bool) -> Action:
            hurried.append(hurry)
            return legal[0]

    monkeypatch.setattr(bot_player, "player_of", lambda *_: Recording())
    race = await room_with(client)
    async with bots_at(address, store, timings):
        await race.ready()
        await moves_of_bot(race, 3)
    assert hurried[:3] == [False, hurries, hurries]


async def test_a_job_that_failed_too_often_is_given_up_and_its_seat_is_left(
    client: Client, address: str, store: Store
) -> None:
    race = await room_with(client)
    for number in range(MOST_TRIES):
        assert await store.jobs.take("bot", f"dead {number}", idle_ms=0) is not None
    at_once = BotTimings(poll_s=0.01, silent_s=0.0, tempo=0.0)
    async with bots_at(address, store, at_once):
        await race.wait_until(lambda race: len(race.room.seats) == 1)
        while await store.jobs.count("bot"):  # the job is finished a moment after its seat is left
            await asyncio.sleep(0.01)


async def test_a_job_that_nobody_can_read_ends_alone(
    client: Client, address: str, store: Store
) -> None:
    later = store.clock.now() + 10_000
    await store.jobs.add("bot", "rubbish", "{}", deadline_ms=later)
    await store.jobs.add("bot", "gone", '{"room":"AAAAAAA","seat":1,"token":"x","level":"club"}',
                         deadline_ms=later)  # fmt: skip
    race = await room_with(client)
    async with bots_at(address, store):
        await race.wait_until(lambda race: bot_is(race, Presence.ON))
        while await store.jobs.count("bot") > 1:
            await asyncio.sleep(0.01)


async def test_a_server_takes_only_as_many_as_it_may(client: Client) -> None:
    race = await client.create("Ada")
    for number in range(4):
        await race.command(AddBot(level="club", attempt=f"press-number-{number}-of-add"))
    with pytest.raises(Refused) as refused:
        await race.command(AddBot(level="club", attempt="one-press-too-many-of-add"))
    assert refused.value.code is ErrorCode.BOTS_BUSY


# Stand-ins.


@asynccontextmanager
async def race_without_bob(client: Client, address: str) -> AsyncIterator[tuple[Race, Resumed]]:
    """A race of Ada against Bob, who is gone after his first act."""
    race = await client.create("Ada", {"game": "spider-1", "chasers": True})
    async with connect(address) as other:
        bobs = await other.join(race.link, "Bob")
        await race.ready()
        await bobs.ready()
        table = await bobs.wait_for_table()
        await bobs.act(table.legal[0])
        seat = Resumed(race.code, bobs.seat, bobs.token)
    await race.wait_until(lambda race: race.room.seats[1].connection is Presence.GONE)
    yield race, seat


async def test_a_stand_in_finishes_the_game_of_a_player_who_is_gone(
    client: Client, address: str, store: Store
) -> None:
    async with race_without_bob(client, address) as (race, _), bots_at(address, store):
        await race.command(AddStandIn(seat=1, level="club"))
        await race.forfeit()
        over = await result_of(race, 1)
        (row,) = [row for row in over.ranking if row.seat == 1]
        assert (row.name, row.place, row.stand_in) == ("Bob", None, "club")
        assert row.moves > 5
        await race.wait_until(lambda race: race.room.seats[1].connection is Presence.GONE)
        while await store.jobs.count("bot"):
            await asyncio.sleep(0.01)
        assert race.room.seats[1].stand_in is None


async def test_a_player_who_returns_goes_on_where_the_stand_in_is(
    client: Client, address: str, store: Store
) -> None:
    with structlog.testing.capture_logs() as logged:
        async with (
            race_without_bob(client, address) as (race, seat),
            bots_at(address, store, SLOW),
        ):
            await race.command(AddStandIn(seat=1, level="club"))
            moves = await moves_of_bot(race, 4)
            async with connect(address) as other:
                bobs = await other.resume(seat.room, seat.number, seat.token)
                table = await bobs.wait_for_table()
                assert table.counts.moves >= moves
                await race.wait_until(lambda race: race.room.seats[1].stand_in is None)
                await bobs.act(bobs.table.legal[0] if bobs.table else "")
                (row,) = [row for row in race.standings if row.seat == 1]
                assert (row.place, row.stand_in) == (None, "club")
                while await store.jobs.count("bot"):
                    await asyncio.sleep(0.01)
                assert bobs.room.seats[1].connection is Presence.ON
    assert not [each for each in logged if each["log_level"] == "error"]


async def test_a_stand_in_whose_race_is_over_takes_no_part(
    client: Client, address: str, store: Store
) -> None:
    async with race_without_bob(client, address) as (race, _):
        await race.command(AddStandIn(seat=1, level="club"))
        assert await store.jobs.count("bot") == 1
        await race.command(Abort())
        async with bots_at(address, store):
            while await store.jobs.count("bot"):
                await asyncio.sleep(0.01)
        assert race.room.seats[1].connection is Presence.GONE


async def test_the_job_of_a_stand_in_that_failed_too_often_leaves_the_seat_to_its_owner(
    client: Client, address: str, store: Store
) -> None:
    async with race_without_bob(client, address) as (race, _):
        await race.command(AddStandIn(seat=1, level="club"))
        for number in range(MOST_TRIES):
            assert await store.jobs.take("bot", f"dead {number}", idle_ms=0) is not None
        at_once = BotTimings(poll_s=0.01, silent_s=0.0, tempo=0.0)
        async with bots_at(address, store, at_once):
            while await store.jobs.count("bot"):
                await asyncio.sleep(0.01)
        assert race.room.seats[1].state is SeatState.RACING
