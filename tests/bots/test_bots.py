"""Computer players and their jobs, from one process to the next, at a server in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, cast

import pytest
import structlog
from spider_race_client import Race, connect

from protocol.from_client import AddBot, AddStandIn
from protocol.vocabulary import BotLevel, Presence, SeatState
from server.bots import bot_player
from server.bots.bot_player import BotPlayer
from server.bots.bots import BOT_TIMINGS, MOST_TRIES, Bots, BotTimings
from server.bots.pace import Pace
from server.bots.thinking_thread import ThinkingThread
from server.games.actions import Action
from server.games.catalogue import new_game
from server.games.deals import numbered_deck
from server.solver.players import Player, player_of
from tests.python_client.conftest import NEAR, Stage
from tests.python_client.races import in_round, result_of
from tests.solver.visible_games import rules_of, visible
from tests.world.store import Connection

SOON_S = 2 * BOT_TIMINGS.poll_s
SILENT_S = BOT_TIMINGS.silent_s + SOON_S
"""The time after which another process has the jobs of one that is silent."""


@asynccontextmanager
async def playing(
    stage: Stage, timings: BotTimings = BOT_TIMINGS, *, killed: bool = False
) -> AsyncIterator[Connection]:
    """Run a process until the block ends it, or kills it."""
    connection = stage.world.store.connect()
    task = asyncio.create_task(Bots(connection.jobs, lambda: NEAR, 4, timings).run())
    try:
        yield connection
    finally:
        connection.faults.away = killed  # a killed process gives nothing back
        task.cancel()
        await asyncio.wait([task])


async def room_with(stage: Stage, *levels: BotLevel, **settings: object) -> Race:
    """Open a room with computer players in its seats from 1 on."""
    race = await stage.near.create("Ada", settings)
    for level in levels:
        await race.command(AddBot(level=level, attempt=f"first-press-of-add-{level}"))
    return race


def tries(stage: Stage) -> list[int]:
    """Return the tries of each job, the oldest job first."""
    return [queued.tries for queued in stage.world.store.jobs["bot"]]


async def fail_too_often(stage: Stage) -> None:
    """Let the only job fail with as many processes as it may."""
    for number in range(MOST_TRIES):
        assert await stage.world.store.jobs.take("bot", f"dead {number}", idle_ms=0) is not None


def connection_is(presence: Presence) -> Callable[[Race], bool]:
    """Return whether seat 1 is so, as a condition to wait for."""
    return lambda race: race.room.seats[1].connection is presence


def is_finished(race: Race) -> bool:
    """Return whether seat 1 has finished its game."""
    return race.room.seats[1].state is SeatState.FINISHED


async def moves_of(race: Race, at_least: int, seat: int = 1) -> int:
    """Wait until a computer player has made some moves; return their number."""
    rows = await race.wait_until(
        lambda race: [row for row in race.standings if row.seat == seat and row.moves >= at_least]
    )
    return rows[0].moves


async def test_a_computer_player_plays_its_game_to_the_end_and_another_one(stage: Stage) -> None:
    # In one deal of hundreds there is hardly a move to make.
    race = await room_with(stage, "beginner", game="spiderette-2", deal="numbered", number=2)
    async with playing(stage):
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


async def test_a_whole_game_takes_as_long_as_a_person_needs(stage: Stage) -> None:
    deal = {"game": "spider-1", "deal": "numbered", "number": 2, "layout": "left4"}
    race = await room_with(stage, "beginner", **deal, auto_remove=True, undo="off")
    async with playing(stage):
        await race.ready()
        await race.wait_until(is_finished)
    pace = Pace("beginner", "usual", f"{race.code} 1 1")
    game, now = new_game(rules_of("spider-1"), numbered_deck("spider-1", 2)), 0.0
    for entry in stage.world.store.logs[race.code, 1, 1]:
        action = Action(entry.action)
        now += pace.next_s(visible(game), game.legal_actions(), action)
        assert entry.ms / 1_000 == pytest.approx(now, abs=0.01)
        game.apply(action)
    assert 180 < now < 900


async def test_a_player_whose_choice_was_late_only_looks_at_plans_for_the_next_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    hurried: list[bool] = []
    choose = ThinkingThread.choose

    async def choose_late(*given: Any, hurry: bool) -> Action | None:
        hurried.append(hurry)
        await asyncio.sleep(60)
        return await choose(*given, hurry=hurry)

    monkeypatch.setattr(ThinkingThread, "choose", choose_late)
    race = await room_with(stage, "beginner", game="spiderette-2", deal="numbered", number=2)
    async with playing(stage):
        await race.ready()
        await moves_of(race, 3)
    times = [entry.ms for entry in stage.world.store.logs[race.code, 1, 1]]
    assert (hurried[:3], times[:3]) == ([False, True, True], [60_000, 120_000, 180_000])


async def test_a_computer_player_that_can_gain_nothing_stops_with_its_place(stage: Stage) -> None:
    """Regression: it gave up. So it lost to a person who had made no act."""
    settings = {"game": "spider-4", "deal": "numbered", "number": 12, "layout": "spread"}
    race = await room_with(stage, "club", **settings)
    async with playing(stage):
        await race.ready()
        await race.wait_until(is_finished)
        await race.forfeit()
        over = await result_of(race, 1)
    first, last = over.ranking
    assert (first.seat, first.place, first.state) == (1, 1, SeatState.FINISHED)
    assert first.score > 200
    assert last.moves == 0


async def test_players_go_on_with_the_next_process(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that wait for long, as in a room that no server can read, do well too."""
    begun: list[int] = []

    async def wait(player: BotPlayer) -> None:
        begun.append(player._job.seat)
        await asyncio.Event().wait()

    monkeypatch.setattr(BotPlayer, "play", wait)
    await room_with(stage, "club", "beginner")
    async with playing(stage):
        await asyncio.sleep(SOON_S)
        assert begun == [1, 2]
        async with playing(stage) as other:
            await asyncio.sleep(2 * BOT_TIMINGS.silent_s)
            assert begun == [1, 2]  # the first process renews its holds
            other.faults.away = True
    async with playing(stage, killed=True):
        await asyncio.sleep(SOON_S)
        assert begun == [1, 2, 1, 2]
    async with playing(stage):
        await asyncio.sleep(BOT_TIMINGS.silent_s - SOON_S)
        assert begun == [1, 2, 1, 2]
        # The second of them waits until the first one does well, after a death.
        await asyncio.sleep(SOON_S + BOT_TIMINGS.doubt_s + BOT_TIMINGS.keep_s)
        assert begun == [1, 2, 1, 2, 1, 2]
        assert tries(stage)[0] == 0


async def test_a_process_that_was_suspended_goes_on_with_its_players(stage: Stage) -> None:
    """Regression: it took its own jobs again. Their first players finished them on ending.

    So no process had these players after a later death.
    """
    race = await room_with(stage, "club")
    generations = set()
    await race.ready()
    await race.wait_for_table()
    async with playing(stage, replace(BOT_TIMINGS, keep_s=600.0, silent_s=0.1), killed=True):
        for moves in range(1, 6):
            await moves_of(race, moves)
            generations.add(stage.world.store.seats[race.code, 1].generation)
        assert tries(stage) == [0]
    assert len(generations) == 1
    before = await moves_of(race, 5)
    async with playing(stage):
        assert await moves_of(race, before + 2) > before


async def test_deaths_of_a_process_are_no_fault_of_players_that_did_well(stage: Stage) -> None:
    """Regression: after five deaths of its process, whyever, each computer player was given up."""
    race = await room_with(stage, "beginner")
    for _ in range(MOST_TRIES + 2):
        async with playing(stage, killed=True):
            await asyncio.sleep(SILENT_S)
            assert tries(stage) == [0]
    async with playing(stage):
        await race.wait_until(connection_is(Presence.ON))


async def test_a_job_that_ends_every_process_is_given_up_alone(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread, died = asyncio.Lock(), asyncio.Event()

    async def choose(
        _: ThinkingThread, player: Player, table: Any, legal: Sequence[Action], *, hurry: bool
    ) -> Action | None:
        async with thread:  # so the other players wait for the one that never ends
            if player is deadly:
                died.set()
                await asyncio.Event().wait()
            return player.choose(table, legal, hurry=hurry)

    deadly = cast("Player", object())
    monkeypatch.setattr(ThinkingThread, "choose", choose)
    monkeypatch.setattr(
        bot_player,
        "player_of",
        lambda level, game: deadly if level == "expert" else player_of(level, game),
    )
    race = await room_with(stage, "club", "expert", "beginner", game="spider-4")
    async with playing(stage):
        await asyncio.sleep(SOON_S)
        assert tries(stage) == [0, 0, 0]
    await race.ready()
    await race.wait_for_table()
    given_up = asyncio.create_task(
        race.wait_until(lambda race: race.room.seats[2].state is SeatState.FINISHED)
    )
    deaths = 0
    with structlog.testing.capture_logs() as logged:
        while not given_up.done():
            died.clear()
            async with playing(stage, killed=True):
                dying = asyncio.create_task(died.wait())
                await asyncio.wait([dying, given_up], return_when=asyncio.FIRST_COMPLETED)
                deaths += dying.done()
                dying.cancel()
    assert deaths == MOST_TRIES
    async with playing(stage):
        for seat in (1, 3):
            await moves_of(race, 3, seat)
    ended = [entry for entry in logged if entry["event"] == "a computer player is given up"]
    assert [entry["job"] for entry in ended] == [f"{race.code}:first-press-of-add-expert"]


async def test_a_computer_player_that_errs_stops_and_the_log_says_why(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Erring:
        def choose(self, *_: object, **__: object) -> None:
            raise ZeroDivisionError

    monkeypatch.setattr(bot_player, "player_of", lambda *_: Erring())
    race = await room_with(stage, "beginner")
    with structlog.testing.capture_logs() as logged:
        async with playing(stage):
            await race.ready()
            await race.wait_for_table()
            await race.wait_until(is_finished)
    (entry,) = [each for each in logged if each["event"] == "a computer player errs"]
    assert (entry["room"], entry["seat"]) == (race.code, 1)


async def test_a_job_that_failed_too_often_is_given_up_and_its_seat_is_left(stage: Stage) -> None:
    race = await room_with(stage, "beginner")
    await fail_too_often(stage)
    async with playing(stage):
        await asyncio.sleep(SILENT_S)
        assert (len(race.room.seats), tries(stage)) == (1, [])


async def test_a_job_that_nobody_can_read_ends_alone(stage: Stage) -> None:
    later = stage.world.now() + 10_000_000
    lost = '{"room":"AAAAAAA","seat":1,"token":"x","level":"club"}'
    for key, body in (("rubbish", "{}"), ("gone", lost)):
        await stage.world.store.jobs.add("bot", key, body, deadline_ms=later)
    race = await room_with(stage, "beginner")
    async with playing(stage):
        await race.wait_until(connection_is(Presence.ON))
        await asyncio.sleep(SOON_S)
        assert len(tries(stage)) == 1


# Stand-ins.


@asynccontextmanager
async def race_without_bob(stage: Stage) -> AsyncIterator[tuple[Race, Race]]:
    """A race of Ada against Bob, who is gone after his first act, with a stand-in for him."""
    race = await stage.near.create("Ada", {"game": "spider-1", "chasers": True})
    async with connect(NEAR) as other:
        bobs = await other.join(race.link, "Bob")
        await race.ready()
        await bobs.ready()
        table = await bobs.wait_for_table()
        await bobs.act(table.legal[0])
    await race.wait_until(connection_is(Presence.GONE))
    await race.command(AddStandIn(seat=1, level="club"))
    yield race, bobs


async def test_a_stand_in_finishes_the_game_of_a_player_who_is_gone(stage: Stage) -> None:
    async with race_without_bob(stage) as (race, _), playing(stage):
        await race.forfeit()
        over = await result_of(race, 1)
        (row,) = [row for row in over.ranking if row.seat == 1]
        assert (row.name, row.place, row.stand_in) == ("Bob", None, "club")
        assert row.moves > 5
        await race.wait_until(connection_is(Presence.GONE))
        await asyncio.sleep(SOON_S)
        assert (race.room.seats[1].stand_in, tries(stage)) == (None, [])


async def test_a_player_who_returns_goes_on_where_the_stand_in_is(stage: Stage) -> None:
    with structlog.testing.capture_logs() as logged:
        async with race_without_bob(stage) as (race, gone), playing(stage):
            moves = await moves_of(race, 2)
            async with connect(NEAR) as other:
                bobs = await other.resume(gone.code, gone.seat, gone.token)
                table = await bobs.wait_for_table()
                assert table.counts.moves >= moves
                await race.wait_until(lambda race: race.room.seats[1].stand_in is None)
                await bobs.act(bobs.table.legal[0] if bobs.table else "")
                await asyncio.sleep(30)  # it looks up from its thoughts
                (row,) = [row for row in race.standings if row.seat == 1]
                assert (row.place, row.stand_in) == (None, "club")
                assert (tries(stage), bobs.room.seats[1].connection) == ([], Presence.ON)
    assert not [each for each in logged if each["log_level"] == "error"]


async def test_a_stand_in_that_failed_too_often_gives_the_seat_back(stage: Stage) -> None:
    async with race_without_bob(stage) as (race, _):
        await fail_too_often(stage)
        async with playing(stage):
            await asyncio.sleep(SILENT_S)
            assert tries(stage) == []
        assert race.room.seats[1].state is SeatState.RACING
