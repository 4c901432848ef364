"""Cached games: how much of a log is read and replayed, and when a cached game is not used."""

import asyncio
from collections.abc import Iterator

import pytest

from server import store
from server.games.actions import DEAL, REDO, UNDO
from server.live.replays import CACHED_FROM, COMPARED, ReplayedGame, Replays
from server.live.work import LongWork
from server.rooms.deals import deal_game
from server.rooms.record import DealRecord, Round, round_of
from server.store import LogRecord, Unreadable
from tests.rooms.rooms import running


class Logs(store.Logs):
    """A log in memory that notes how many entries were read."""

    def __init__(self) -> None:
        self.log: list[LogRecord] = []
        self.reads: list[int] = []

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        assert (code, n) == ("CODE", 1)
        assert seat in range(4)
        await asyncio.sleep(0)
        self.reads.append(len(self.log) - start)
        return self.log[start:]

    def grow(self, acts: int, ms: int = 10) -> None:
        """Add some acts, each a millisecond later, that undo and redo a deal."""
        for _ in range(acts):
            at = len(self.log)
            action = DEAL if not at else (UNDO, REDO)[(at - 1) % 2]
            self.log.append(LogRecord(action, ms + at))


@pytest.fixture
def played() -> Round:
    return round_of(running(undo="any"))


async def test_a_reconnect_replays_the_end_of_the_log(played: Round, replayed: list[int]) -> None:
    """Regression: five reconnects a second replayed 20,000 entries each; acts waited 100 ms."""
    logs = Logs()
    logs.grow(1_000)
    here = Replays(logs)
    first = await here.read("CODE", played, 0)
    assert (first.game.at, len(replayed)) == (1_000, 1_000)
    logs.grow(7)
    again = await here.read("CODE", played, 0)
    assert (again.game.at, len(replayed)) == (1_007, 1_007)
    assert logs.reads == [1_000, COMPARED + 7]
    assert again.game.log == tuple(entry.action for entry in logs.log)
    assert (again.ms, first.ms) == (logs.log[-1].ms, logs.log[999].ms)


async def test_acts_at_a_table_do_not_change_the_kept_position(played: Round) -> None:
    logs = Logs()
    logs.grow(CACHED_FROM + 1)
    here = Replays(logs)
    theirs = await here.read("CODE", played, 0)
    theirs.game.apply(UNDO)
    assert (await here.read("CODE", played, 0)).game.at == CACHED_FROM + 1


@pytest.mark.parametrize("lost", [1, 5, COMPARED + 100])
async def test_a_failover_leaves_no_wrong_game(played: Round, lost: int) -> None:
    logs = Logs()
    logs.grow(400)
    here = Replays(logs)
    await here.read("CODE", played, 0)
    del logs.log[-lost:]
    shorter = await here.read("CODE", played, 0)
    assert shorter.game.log == tuple(entry.action for entry in logs.log)
    logs.grow(lost, ms=9_000)  # the same acts at other times make another log
    assert (await here.read("CODE", played, 0)).ms == 9_000 + 399
    logs.grow(3, ms=9_000)
    longer = await here.read("CODE", played, 0)
    assert longer.game.log == tuple(entry.action for entry in logs.log)


async def test_a_round_that_is_dealt_again_uses_nothing_of_the_old_deal(played: Round) -> None:
    logs = Logs()
    logs.grow(CACHED_FROM)
    here = Replays(logs)
    old = await here.read("CODE", played, 0)
    anew = played.model_copy(update={"deal": DealRecord(seed="ab" * 16, salt="00" * 16)})
    assert (await here.read("CODE", anew, 0)).game.key() != old.game.key()


async def test_one_of_several_reads_replays_the_log(played: Round, replayed: list[int]) -> None:
    logs = Logs()
    logs.grow(600)
    here = Replays(logs)
    found = await asyncio.gather(*(here.read("CODE", played, 0) for _ in range(5)))
    assert {position.game.at for position in found} == {600}
    assert len({id(position.game) for position in found}) == 5
    assert len(replayed) == 600


async def test_short_games_are_not_kept_and_long_ones_within_bounds(played: Round) -> None:
    logs = Logs()
    here = Replays(logs, max_cached_bytes=3 * 8_000)
    logs.grow(CACHED_FROM - 1)
    await here.read("CODE", played, 0)
    assert here.cached_bytes == 0
    logs.grow(1)
    for seat in (0, 1, 2, 3, 0):
        await here.read("CODE", played, seat)
        assert here.cached_bytes <= 3 * 8_000
    assert logs.reads[-5:] == [CACHED_FROM] * 5  # the first game made way for the last one
    await here.read("CODE", played, 0)
    assert logs.reads[-1] == COMPARED


async def test_a_game_that_is_too_large_does_not_push_out_the_others(played: Round) -> None:
    logs = Logs()
    here = Replays(logs, max_cached_bytes=8_000)
    logs.grow(CACHED_FROM)
    await here.read("CODE", played, 0)
    logs.grow(2_000)
    await here.read("CODE", played, 1)
    del logs.log[CACHED_FROM:]
    logs.reads.clear()
    await here.read("CODE", played, 0)
    assert logs.reads == [COMPARED]


async def test_the_event_loop_runs_while_a_long_log_is_replayed(played: Round) -> None:
    logs = Logs()
    logs.grow(300)
    ticks = iter(range(10_000))

    def clock() -> float:
        return next(ticks) * 0.001  # each call returns a time one millisecond later

    here = Replays(logs, LongWork(clock))
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.create_task(count())
    await here.read("CODE", played, 0)
    counting.cancel()
    assert turns >= 300 // 3


async def test_a_log_of_another_game_is_refused(played: Round) -> None:
    logs = Logs()
    logs.log = [LogRecord(REDO, 1)]
    with pytest.raises(Unreadable):
        await Replays(logs).read("CODE", played, 0)


def test_entries_after_the_horizon_are_not_replayed(played: Round) -> None:
    logs = Logs()
    logs.grow(10, ms=0)
    position = ReplayedGame(deal_game(played))
    steps: Iterator[None] = position.advance(logs.log, until_ms=4)
    assert (len(list(steps)), position.game.at, position.ms) == (5, 5, 4)
