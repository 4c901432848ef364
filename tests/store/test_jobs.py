"""Jobs: queued once, held by one taker at a time, and taken from a taker that is silent."""

from server.store import Job, Queued, Store
from tests.present import present

ALIVE_MS = 3_600_000
"""No taker of these tests is silent for so long."""
HOUR = 3_600_000


async def add(store: Store, key: str, *, within_ms: int = HOUR) -> bool:
    deadline_ms = store.clock.now() + within_ms
    added = await store.jobs.add("bot", key, f"body of {key}", deadline_ms=deadline_ms)
    return added is Queued.ADDED


async def take(store: Store, taker: str, *, idle_ms: int = ALIVE_MS) -> Job | None:
    return await store.jobs.take("bot", taker, idle_ms=idle_ms)


async def test_jobs_survive_a_group_or_an_entry_that_is_gone(store: Store) -> None:
    queue, known = store.keys.jobs("bot")
    await add(store, "a")
    await store.client.call(queue, "DEL", queue)
    assert await take(store, "east") is None
    await store.client.call(known, "DEL", known)
    assert await add(store, "a")
    assert await add(store, "b")
    first = present(await take(store, "dead"))
    assert await take(store, "dead") is not None
    await store.client.call(queue, "XDEL", queue, first.id)
    assert present(await take(store, "next", idle_ms=0)).key == "b"
    assert len(await store.client.call(queue, "XPENDING", queue, "takers", "-", "+", 9)) == 1


async def test_all_jobs_of_a_dead_taker_are_taken_however_many_others_are_held(
    store: Store,
) -> None:
    """Regression: `XAUTOCLAIM` looks at ten jobs from the oldest, so later ones were never taken.

    After the death of a process with 24 computer players, ten came back.
    """
    dead = set()
    for number in range(40):
        assert await add(store, f"{number:02}")
        taker = "alive" if number < 14 or number % 3 == 0 else "dead"
        job = present(await take(store, taker))
        if taker == "dead":
            dead.add(job.key)
            assert await store.jobs.release(job)  # no job was silent for longer
    taken = [present(await take(store, "next")).key for _ in dead]
    assert sorted(taken) == sorted(dead)
    assert await take(store, "next") is None
