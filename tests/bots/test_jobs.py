"""The jobs of computer players, from one process to the next, on a clock that jumps."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from server.bots import bots as module
from server.bots.bot_player import BotPlayer
from server.bots.bots import BOT_TIMINGS, Bots
from tests.world.store import EPOCH_MS, Connection, MemoryStore
from tests.world.world import JumpingLoop

SOON_S = 2 * BOT_TIMINGS.poll_s
BODY = '{"room":"7K3QZ0A","seat":%d,"token":"x","level":"club"}'


@asynccontextmanager
async def playing(store: MemoryStore, *, killed: bool = False) -> AsyncIterator[Connection]:
    """Run a process until the block ends it, or kills it."""
    connection = store.connect()
    task = asyncio.create_task(Bots(connection.jobs, lambda: "http://server", 4).run())
    yield connection
    connection.faults.away = killed  # a killed process gives nothing back
    task.cancel()
    await asyncio.wait([task])


def test_players_go_on_with_the_next_process(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[int] = []

    async def resume(_room: str, seat: int, _token: str) -> None:
        begun.append(seat)

    @asynccontextmanager
    async def connect(_locate: object) -> AsyncIterator[Any]:
        yield SimpleNamespace(resume=resume)

    async def play(_player: BotPlayer) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(module, "connect", connect)
    monkeypatch.setattr(BotPlayer, "play", play)

    async def script() -> None:
        store = MemoryStore()
        for seat in (1, 2):
            later = EPOCH_MS + 10_000_000
            await store.jobs.add("bot", f"seat {seat}", BODY % seat, deadline_ms=later)
        async with playing(store):
            await asyncio.sleep(SOON_S)
            assert begun == [1, 2]
            async with playing(store) as other:
                await asyncio.sleep(2 * BOT_TIMINGS.silent_s)
                assert begun == [1, 2]  # the first process renews its holds
                other.faults.away = True
        async with playing(store, killed=True):
            await asyncio.sleep(SOON_S)
            assert begun == [1, 2, 1, 2]
        async with playing(store):
            await asyncio.sleep(BOT_TIMINGS.silent_s - SOON_S)
            assert begun == [1, 2, 1, 2]
            # The second of them waits until the first one does well, after a death.
            await asyncio.sleep(SOON_S + BOT_TIMINGS.doubt_s + BOT_TIMINGS.keep_s)
            assert begun == [1, 2, 1, 2, 1, 2]

    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        runner.run(script())
