"""Computer players over a real server and a real store."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import structlog
from spider_race_client import Client, Race, Refused, connect

from protocol.from_client import AddBot, AddStandIn
from protocol.games import GameId
from protocol.vocabulary import BotLevel, ErrorCode, Presence, SeatState
from server.app import Tuning
from server.bots import bot_player
from server.bots.bot_player import BotPlayer
from server.bots.bots import MOST_TRIES, Bots, BotTimings
from server.rooms.timings import RoomTimings
from server.solver.players import player_of
from server.store import Store
from tests.players import running
from tests.python_client.races import in_round, result_of
from tests.servers import AT_ONCE
from tests.waiting import until_answer

pytestmark = pytest.mark.faults  # real servers, sockets and a store

SOON = Tuning(rooms=RoomTimings(countdown_ms=10, grace_ms=100), store=AT_ONCE)
FAST = BotTimings(poll_s=0.01, keep_s=0.1, silent_s=0.5, tempo=0.0)
AT_ONCE_TAKEN = BotTimings(poll_s=0.01, silent_s=0.0, tempo=0.0)
SLOW = BotTimings(poll_s=0.01, keep_s=0.1, silent_s=0.5, tempo=0.05)


@dataclass(frozen=True)
class Site:
    """A server that takes computer players, its store, and a client of a person."""

    address: str
    store: Store
    client: Client

    @asynccontextmanager
    async def bots(
        self, timings: BotTimings = FAST, *, killed: bool = False
    ) -> AsyncIterator[None]:
        """Run computer players in a task, as a process that ends, or is killed, with the block."""
        bots = Bots(self.store.jobs, lambda: self.address, 4, timings)
        task = asyncio.create_task(bots.run())
        try:
            yield
        finally:
            if killed:
                bots._held.clear()  # a killed process gives nothing back
            task.cancel()
            await asyncio.wait([task])

    async def room(self, level: BotLevel = "beginner", **settings: object) -> Race:
        """Open a room with a computer player in seat 1."""
        race = await self.client.create("Ada", settings)
        await race.command(AddBot(level=level, attempt=f"first-press-of-add-{level}"))
        return race

    async def tries(self) -> list[int]:
        """Return the tries of each job that is held, the oldest job first."""
        queue, _ = self.store.keys.jobs("bot")
        held = await self.store.client.call(queue, "XPENDING", queue, "takers", "-", "+", 99)
        return [tried for _, _, _, tried in held]

    async def until_tries(self, *tries: int) -> None:
        await until_answer(self.tries, lambda found: found == list(tries))

    async def until_jobs(self, most: int = 0) -> None:
        """Wait until no more jobs are left; one is finished a moment after its player."""
        await until_answer(lambda: self.store.jobs.count("bot"), lambda count: count <= most)

    async def fail_too_often(self) -> None:
        """Let the only job fail with as many processes as it may."""
        for number in range(MOST_TRIES):
            assert await self.store.jobs.take("bot", f"dead {number}", idle_ms=0) is not None


@pytest.fixture
async def site(embedded_url: str, store: Store, tmp_path: Path) -> AsyncIterator[Site]:
    async with running(SOON, redis_url=embedded_url, data_dir=tmp_path, bots=4) as listener:
        address = f"http://127.0.0.1:{listener.port}"
        async with connect(address) as client:
            yield Site(address, store, client)


def connection_is(presence: Presence) -> Callable[[Race], bool]:
    """Return whether seat 1 is so, as a condition to wait for."""
    return lambda race: race.room.seats[1].connection is presence


async def moves_of(race: Race, at_least: int, seat: int = 1) -> int:
    """Wait until a computer player has made some moves; return their number."""
    rows = await race.wait_until(
        lambda race: [row for row in race.standings if row.seat == seat and row.moves >= at_least]
    )
    return rows[0].moves


async def test_a_computer_player_plays_its_game_to_the_end_and_another_one(site: Site) -> None:
    # In one deal of hundreds there is hardly a move to make.
    race = await site.room(game="spiderette-2", deal="numbered", number=2)
    async with site.bots():
        for n in (1, 2):
            await (race.ready() if n == 1 else race.rematch())
            await race.wait_until(in_round(n))
            await race.wait_for_table()
            await moves_of(race, 1)
            await race.forfeit()
            over = await result_of(race, n)
            (row,) = [row for row in over.ranking if row.seat == 1]
            assert row.moves > 5
        assert [seat.wins for seat in race.room.seats] == [0, 0]


async def test_a_computer_player_that_can_gain_nothing_stops_with_its_place(site: Site) -> None:
    """Regression: it gave up. So it lost to a person who had made no act."""
    settings = {"game": "spider-4", "deal": "numbered", "number": 33, "layout": "spread"}
    race = await site.room("expert", **settings)
    async with site.bots():
        await race.ready()
        await race.wait_for_table()
        await race.wait_until(lambda race: race.room.seats[1].state is SeatState.FINISHED)
        await race.forfeit()
        over = await result_of(race, 1)
    first, last = over.ranking
    assert (first.seat, first.place, first.state) == (1, 1, SeatState.FINISHED)
    assert first.score > 200
    assert last.moves == 0


async def test_a_process_that_was_suspended_goes_on_with_its_players(site: Site) -> None:
    """Regression: it took its own jobs again. Their first players finished them on ending.

    So no process had these players after a later death.
    """
    suspended = replace(SLOW, keep_s=60.0, silent_s=0.05)  # it renews nothing
    race = await site.room("club")
    generations = []
    async with site.bots(suspended, killed=True):
        await race.ready()
        for moves in range(1, 6):
            await moves_of(race, moves)
            record = await site.store.seats.read(race.code, 1)
            generations.append(record and record.generation)
        await site.until_tries(0)
    assert len(set(generations)) == 1
    before = await moves_of(race, 5)
    async with site.bots(SLOW):
        assert await moves_of(race, before + 2) > before


async def test_deaths_of_a_process_are_no_fault_of_players_that_did_well(site: Site) -> None:
    """Regression: after five deaths of its process, whyever, each computer player was given up."""
    race = await site.room()
    for _ in range(MOST_TRIES + 2):
        async with site.bots(replace(SLOW, silent_s=0.05), killed=True):
            await site.until_tries(0)
    async with site.bots():
        await race.wait_until(connection_is(Presence.ON))


async def test_a_player_that_waits_for_long_does_well_too(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room that no server can read keeps its player waiting, and stops no other player."""
    waits = asyncio.Event()

    async def never(*_: object) -> None:
        waits.set()
        await asyncio.Event().wait()

    await site.room()
    monkeypatch.setattr(BotPlayer, "play", never)
    async with site.bots(replace(SLOW, doubt_s=0.0)):
        await waits.wait()
        await site.until_tries(0)


async def test_a_job_that_ends_every_process_is_given_up_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch
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
    race = await site.room("club", game="spider-4")
    for level in ("expert", "beginner"):
        await race.command(AddBot(level=level, attempt=f"first-press-of-add-{level}"))
    async with site.bots(SLOW):
        await site.until_tries(0, 0, 0)
    await race.ready()
    await race.wait_for_table()
    given_up = asyncio.create_task(
        race.wait_until(lambda race: race.room.seats[2].state is SeatState.FINISHED)
    )
    deaths = 0
    with structlog.testing.capture_logs() as logged:
        while not given_up.done():
            died.clear()
            async with site.bots(SLOW, killed=True):
                dying = asyncio.create_task(died.wait())
                await asyncio.wait([dying, given_up], return_when=asyncio.FIRST_COMPLETED)
                deaths += dying.done()
                dying.cancel()
                gone.set()
            gone.clear()
    assert deaths == MOST_TRIES
    async with site.bots(SLOW):
        for seat in (1, 3):
            await moves_of(race, 3, seat)
    ended = [entry for entry in logged if entry["event"] == "a computer player is given up"]
    assert [entry["job"] for entry in ended] == [f"{race.code}:first-press-of-add-expert"]


async def test_a_computer_player_that_errs_stops_and_the_log_says_why(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Erring:
        def choose(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(bot_player, "player_of", lambda *_: Erring())
    race = await site.room()
    with structlog.testing.capture_logs() as logged:
        async with site.bots():
            await race.ready()
            await race.wait_for_table()
            await race.wait_until(lambda race: race.room.seats[1].state is SeatState.FINISHED)
    (entry,) = [each for each in logged if each["event"] == "a computer player errs"]
    assert (entry["room"], entry["seat"]) == (race.code, 1)


async def test_a_job_that_failed_too_often_is_given_up_and_its_seat_is_left(site: Site) -> None:
    race = await site.room()
    await site.fail_too_often()
    async with site.bots(AT_ONCE_TAKEN):
        await race.wait_until(lambda race: len(race.room.seats) == 1)
        await site.until_jobs()


async def test_a_job_that_nobody_can_read_ends_alone(site: Site) -> None:
    later = site.store.clock.now() + 10_000_000
    lost = '{"room":"AAAAAAA","seat":1,"token":"x","level":"club"}'
    for key, body in (("rubbish", "{}"), ("gone", lost)):
        await site.store.jobs.add("bot", key, body, deadline_ms=later)
    race = await site.room()
    async with site.bots():
        await race.wait_until(connection_is(Presence.ON))
        await site.until_jobs(most=1)


async def test_a_server_takes_only_as_many_as_it_may(site: Site) -> None:
    race = await site.client.create("Ada")
    for number in range(4):
        await race.command(AddBot(level="club", attempt=f"press-number-{number}-of-add"))
    with pytest.raises(Refused) as refused:
        await race.command(AddBot(level="club", attempt="one-press-too-many-of-add"))
    assert refused.value.code is ErrorCode.BOTS_BUSY


# Stand-ins.


@asynccontextmanager
async def race_without_bob(site: Site) -> AsyncIterator[tuple[Race, Race]]:
    """A race of Ada against Bob, who is gone after his first act, with a stand-in for him."""
    race = await site.client.create("Ada", {"game": "spider-1", "chasers": True})
    async with connect(site.address) as other:
        bobs = await other.join(race.link, "Bob")
        await race.ready()
        await bobs.ready()
        table = await bobs.wait_for_table()
        await bobs.act(table.legal[0])
    await race.wait_until(connection_is(Presence.GONE))
    await race.command(AddStandIn(seat=1, level="club"))
    yield race, bobs


async def test_a_stand_in_finishes_the_game_of_a_player_who_is_gone(site: Site) -> None:
    async with race_without_bob(site) as (race, _), site.bots():
        await race.forfeit()
        over = await result_of(race, 1)
        (row,) = [row for row in over.ranking if row.seat == 1]
        assert (row.name, row.place, row.stand_in) == ("Bob", None, "club")
        assert row.moves > 5
        await race.wait_until(connection_is(Presence.GONE))
        await site.until_jobs()
        assert race.room.seats[1].stand_in is None


async def test_a_player_who_returns_goes_on_where_the_stand_in_is(site: Site) -> None:
    with structlog.testing.capture_logs() as logged:
        async with (
            race_without_bob(site) as (race, gone),
            site.bots(replace(SLOW, tempo=0.5)),  # it does not end before he is back
        ):
            moves = await moves_of(race, 2)
            async with connect(site.address) as other:
                bobs = await other.resume(gone.code, gone.seat, gone.token)
                table = await bobs.wait_for_table()
                assert table.counts.moves >= moves
                await race.wait_until(lambda race: race.room.seats[1].stand_in is None)
                await bobs.act(bobs.table.legal[0] if bobs.table else "")
                (row,) = [row for row in race.standings if row.seat == 1]
                assert (row.place, row.stand_in) == (None, "club")
                await site.until_jobs()
                assert bobs.room.seats[1].connection is Presence.ON
    assert not [each for each in logged if each["log_level"] == "error"]


async def test_a_stand_in_that_failed_too_often_gives_the_seat_back(site: Site) -> None:
    async with race_without_bob(site) as (race, _):
        await site.fail_too_often()
        async with site.bots(AT_ONCE_TAKEN):
            await site.until_jobs()
        assert race.room.seats[1].state is SeatState.RACING
