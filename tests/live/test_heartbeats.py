"""How the death of a process is noticed, and reported to its rooms."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from structlog.testing import capture_logs

from server.live.heartbeats import Rhythm, keep_alive
from server.live.hub import Hub
from server.live.repository import Repository
from server.rooms.events import Reconnected
from server.store import StoredRoom
from tests.live.hubs import hub_over, lobby
from tests.live.memory import NOW, MemoryStore
from tests.rooms.rooms import ADA
from tests.waiting import until


@asynccontextmanager
async def living(store: MemoryStore, hub: Hub, rhythm: Rhythm) -> AsyncIterator[None]:
    task = asyncio.create_task(keep_alive(store.processes, hub, rhythm))
    yield
    task.cancel()


def recorded_calls(store: MemoryStore) -> list[str]:
    """Return a list that grows with each heartbeat, and each look for silent processes."""
    calls: list[str] = []
    beat, silent = store.processes.beat, store.processes.silent

    async def beats(process: str, now: int, codes: Sequence[str]) -> None:
        calls.append("beat")
        await beat(process, now, codes)

    async def looks(since: int) -> list[str]:
        calls.append("silent")
        return await silent(since)

    store.processes.beat, store.processes.silent = beats, looks  # type: ignore[method-assign]
    return calls


async def test_the_death_of_a_silent_process_is_reported_by_another_one() -> None:
    rhythm = Rhythm(beat_s=0.01, silent_ms=100)
    with capture_logs() as logs:
        async with lobby() as here:
            store, code, processes = here.store, here.code, here.store.processes
            await Repository(store).apply(code, Reconnected(ADA, 2, "dead"))
            await processes.beat("dead", NOW - rhythm.silent_ms - 1, [code, "0000000"])
            calls = recorded_calls(store)
            async with living(store, here.hub, rhythm):
                await until(lambda: "dead" not in processes.beats)
                assert processes.hosted[here.hub.process] == {code}
                now = here.hub.rooms.latest(code)
                assert now is not None
                assert now.room.seats[0].connection == "grace"
                store.away = True
                await until(lambda: logs[-1]["event"] == "the store is away")
                processes.beats, processes.hosted = {"broken": 0}, {"broken": {code}}
                store.rooms[code] = StoredRoom(9, "not a room")
                calls.clear()
                store.away = False
                await until(lambda: logs[-1]["event"] == "room cannot be read")
                # A process that was away itself reports none at once.
                assert calls[:2] == ["beat", "beat"]
    silent = {"event": "a process is silent", "log_level": "warning", "process": "dead"}
    assert silent in logs


async def test_a_process_beats_on_while_it_reports_the_death_of_a_large_one() -> None:
    """Regression: a report to thousands of rooms took so long that this one counted as dead."""
    rhythm = Rhythm(beat_s=0.001, silent_ms=20)
    store = MemoryStore()
    async with hub_over(store) as hub:
        codes = [f"{number:07}" for number in range(50)]
        await store.processes.beat("dead", NOW - rhythm.silent_ms - 1, codes)
        reads, calls, read = list[str](), recorded_calls(store), store.rooms.read

        async def read_after_a_beat(code: str) -> StoredRoom | None:
            """Read a room once the next heartbeat is sent, as from a slow store."""
            sent = calls.count("beat")
            await until(lambda: calls.count("beat") > sent)
            reads.append(code)
            return await read(code)

        store.rooms.read = read_after_a_beat  # type: ignore[method-assign]
        async with living(store, hub, rhythm):
            await until(lambda: "dead" not in store.processes.beats)
        assert sorted(reads) == codes


async def test_a_process_whose_own_heartbeats_hang_reports_no_other_process() -> None:
    """Regression: after a pause of the store the fastest process declared all others dead."""
    rhythm = Rhythm(beat_s=0.01, silent_ms=400)
    store = MemoryStore()
    beat, beats = store.processes.beat, list[str]()

    async def hang(process: str, now: int, codes: Sequence[str]) -> None:
        beats.append(process)
        # A pause of more than half of `silent_ms` counts as silence of this process itself.
        await asyncio.sleep(0.21)
        await beat(process, now, codes)

    async with hub_over(store) as hub:
        await beat("slow", 0, [])
        store.processes.beat = hang  # type: ignore[method-assign]
        async with living(store, hub, rhythm):
            await until(lambda: len(beats) == 4)  # together they last longer than `silent_ms`
            assert "slow" in store.processes.beats
            store.processes.beat = beat  # type: ignore[method-assign]
            await until(lambda: "slow" not in store.processes.beats)
