"""The games of computer players in today's race: their rules, pace and processes."""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from typing import Any, get_args

import pytest
import structlog

from protocol.vocabulary import DAY_GAMES, BotLevel, DayGameId, SeatState
from server.games.actions import DEAL, Action, TimedAction
from server.games.deals import new_game
from server.rooms.days import COMPUTERS, LIMIT_MS, DayDeal, DayResult, round_of_day, unpack_log
from server.rooms.deals import deal_game
from server.rooms.ranking import stats_of
from server.store import StoreAway, StoreFull
from server.thinking import day_games
from server.thinking.day_games import DayGames, play_deal
from server.thinking.fair_play import Pace
from server.thinking.guarded_jobs import GUARDED_S
from server.thinking.pool import GivenUp, Urgency
from server.views.replays import points_of
from tests.solver.visible_games import visible
from tests.world.pool import InlinePool
from tests.world.store import Connection, MemoryStore
from tests.world.world import twisted

LEVELS = get_args(BotLevel)
DAY, GAME = "2026-11-28", DAY_GAMES[0]
DEALT = DayDeal(seed=f"{1:032x}", salt="", line="")
UNTIL = 2_000_000_000_000


def played(
    level: BotLevel, game: DayGameId = GAME, seed: str = DEALT.seed
) -> tuple[DayResult, list[TimedAction]]:
    text, packed = play_deal(level, game, seed, should_stop=lambda: False)
    return DayResult.model_validate_json(text), unpack_log(packed)


known = cache(played)


@pytest.mark.parametrize("game", DAY_GAMES)
@pytest.mark.parametrize("level", LEVELS)
def test_a_game_follows_the_rules_of_the_day_and_the_pace_of_its_level(
    game: DayGameId, level: BotLevel
) -> None:
    result, log = known(level, game)
    assert (result.level, result.name, result.kind) == (level, level, "program")
    race = round_of_day(game, DEALT, [result], 0, secret=True)
    replayed, now = deal_game(race), 0
    pace = Pace(level, "usual", f"{DEALT.seed} {level}")
    for act in log:
        action = Action(act.action)
        now += round(1_000 * pace.next_s(visible(replayed), replayed.legal_actions(), action))
        assert act.ms == now
        replayed.apply(action)
    stats, of_log = result.stats, stats_of(replayed)
    times = {"gained_ms": stats.gained_ms, "finished_ms": stats.finished_ms}
    assert of_log.replace(**times) == stats
    assert log[-1].ms <= (stats.finished_ms or 0) < LIMIT_MS
    assert result.state is SeatState.FINISHED
    assert list(result.course) == [point for point in points_of(race, 0, log) if point]


def test_a_game_depends_only_on_its_deal_and_level() -> None:
    assert played("club") == known("club")
    seeds = "1" * 32, "2" * 32
    assert len({played(level, GAME, seed)[1][0].ms for level in LEVELS for seed in seeds}) == 6


@pytest.mark.parametrize("level", LEVELS)
def test_two_deals_that_look_alike_are_played_alike(
    level: BotLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They differ only in the next cards of the stock, which nobody can see before."""
    game: DayGameId = "spider-4"
    _, one = known(level, game)  # before the deals are swapped, as other tests read it too
    swapped = {("stock", 49): ("stock", 20), ("stock", 20): ("stock", 49)}
    monkeypatch.setattr(day_games, "new_game", lambda *given: twisted(new_game(*given), swapped))
    _, other = played(level, game)
    first = next(at for at, act in enumerate(one) if act.action == DEAL)
    assert one[: first + 1] == other[: first + 1]
    assert one != other


def test_a_game_longer_than_an_hour_is_out_of_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "next_s", lambda *_: 600.0)
    result, log = played("expert")
    assert (result.state, result.stats.finished_ms) == (SeatState.TIMED_OUT, None)
    assert [act.ms for act in log] == [600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000]


class Processes:
    """Two processes over one store; their computer players need a minute per game."""

    def __init__(self, tasks: asyncio.TaskGroup) -> None:
        self.store = MemoryStore()
        self.pools: list[InlinePool] = []
        self.here, self.there = (self._process(tasks) for _ in range(2))

    def _process(self, tasks: asyncio.TaskGroup) -> tuple[Connection, DayGames]:
        pool, connection = InlinePool(), self.store.connect()
        pool.work_s = 60.0
        pool.works["play_deal"] = lambda level, *_, **__: (f"result of {level}", b"log")
        self.pools.append(pool)
        return connection, DayGames(pool, connection.days, connection.guards, tasks)

    async def request(self, process: tuple[Connection, DayGames], seconds: float = 0.01) -> None:
        await process[1].request(DAY, GAME, DEALT, UNTIL)
        await asyncio.sleep(seconds)

    @property
    def kept(self) -> list[str]:
        return [text for _, text, _ in self.store.days.board[DAY, GAME].values()]

    @property
    def begun(self) -> list[int]:
        return [pool.count("play_deal") for pool in self.pools]


@pytest.fixture
async def processes() -> AsyncIterator[Processes]:
    async with asyncio.TaskGroup() as tasks:
        processes = Processes(tasks)
        yield processes
        for _, games in (processes.here, processes.there):
            games._jobs.stop(f"computers {DAY} {GAME}")


ALL = [f"result of {level}" for level in LEVELS]


async def test_one_process_lets_them_play_and_no_count_includes_them(processes: Processes) -> None:
    for process in (processes.here, processes.there, processes.here):
        await processes.request(process)
    await asyncio.sleep(200)
    assert processes.kept == ALL
    assert processes.begun == [3, 0]
    assert processes.store.days.board[DAY, GAME].keys() == COMPUTERS.keys()
    days = processes.here[0].days
    assert await days.counts(DAY, GAME, LIMIT_MS) == (0, 0, 0)
    assert await days.rows(DAY, GAME, 0, 9) == []
    await processes.request(processes.there, 200)
    assert processes.begun == [3, 0]
    assert {urgency for _, urgency, _ in processes.pools[0].calls} == {Urgency.DEAL}


async def test_another_process_plays_the_games_that_a_dead_one_left(processes: Processes) -> None:
    await processes.request(processes.here, 61)
    processes.here[0].faults.away = True
    await asyncio.sleep(GUARDED_S + 1)
    await processes.request(processes.there, 200)
    assert processes.kept == ALL
    assert processes.begun[1] == 2


async def test_the_games_of_several_deals_are_played_in_turn(processes: Processes) -> None:
    connection, games = processes.here
    for game in DAY_GAMES:
        await games.request(DAY, game, DEALT, UNTIL)
    await asyncio.sleep(150)
    assert processes.begun[0] == 3
    await asyncio.sleep(600)
    assert processes.begun[0] == 3 * len(DAY_GAMES)
    assert connection.shared.guards == {}


@pytest.mark.parametrize("error", [GivenUp(), ValueError("seed 0123"), MemoryError()])
async def test_a_game_that_fails_is_left_out_and_logged_without_its_error_text(
    processes: Processes, error: Exception
) -> None:
    def play(level: BotLevel, *_: Any, **__: Any) -> tuple[str, bytes]:
        if level == "club":
            raise error
        return f"result of {level}", b""

    processes.pools[0].works["play_deal"] = play
    with structlog.testing.capture_logs() as logged:
        for _ in range(2):
            await processes.request(processes.here, 200)
    assert processes.kept == [ALL[0], ALL[2]]
    assert processes.begun[0] == 3
    (entry,) = logged
    assert entry["why"] == type(error).__name__
    assert "0123" not in str(entry)
    assert DEALT.seed not in str(entry)


@pytest.mark.parametrize("error", [StoreFull(), StoreAway()])
async def test_a_game_that_a_full_store_refuses_is_played_again_later(
    processes: Processes, error: StoreAway
) -> None:
    processes.here[0].faults.failing["days.report"] = error
    await processes.request(processes.here, 300)
    assert processes.kept == []
    processes.here[0].faults.failing.clear()
    await processes.request(processes.here, 300)
    assert processes.kept == ALL
