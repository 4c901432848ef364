"""Jobs: queued once, held by one taker at a time, and taken from a taker that is silent."""

import asyncio
import json
import random
from dataclasses import dataclass

import pytest

from server.store import Job, Queued, Store

WHILE_ALIVE_MS = 60_000


async def add(store: Store, key: str, *, within_ms: int = 10_000) -> bool:
    deadline_ms = store.clock.now() + within_ms
    return bool(await store.jobs.add("bot", key, f"body of {key}", deadline_ms=deadline_ms))


async def test_jobs_are_taken_once_in_their_order(store: Store) -> None:
    assert await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS) is None
    assert await add(store, "a")
    assert await add(store, "b")
    first = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    second = await store.jobs.take("bot", "west", idle_ms=WHILE_ALIVE_MS)
    assert first is not None
    assert second is not None
    assert (first.key, first.body, first.taker, first.tries) == ("a", "body of a", "east", 1)
    assert (second.key, second.taker) == ("b", "west")
    assert await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS) is None
    assert await store.jobs.take("review", "east", idle_ms=WHILE_ALIVE_MS) is None
    assert await store.jobs.count("bot") == 2


async def test_a_key_makes_one_job_even_after_its_end(store: Store) -> None:
    assert await add(store, "a")
    assert not await add(store, "a")
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert job is not None
    assert await store.jobs.finish(job)
    assert not await store.jobs.finish(job)
    assert not await store.jobs.keep(job)
    assert await store.jobs.count("bot") == 0
    assert not await add(store, "a")


async def test_a_silent_taker_loses_its_job_and_one_that_keeps_it_does_not(store: Store) -> None:
    await add(store, "a")
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert job is not None
    await asyncio.sleep(0.05)
    assert await store.jobs.keep(job)
    assert await store.jobs.take("bot", "west", idle_ms=WHILE_ALIVE_MS) is None
    await asyncio.sleep(0.05)
    taken = await store.jobs.take("bot", "west", idle_ms=20)
    assert taken is not None
    assert (taken.id, taken.tries) == (job.id, 2)
    assert not await store.jobs.keep(job)
    assert not await store.jobs.finish(job)
    assert await store.jobs.finish(taken)


async def test_a_released_job_is_taken_at_once_and_that_is_no_try(store: Store) -> None:
    await add(store, "a")
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert job is not None
    assert await store.jobs.release(job)
    again = await store.jobs.take("bot", "west", idle_ms=WHILE_ALIVE_MS)
    assert again is not None
    assert again.tries == 1


async def test_a_job_that_nobody_took_in_time_is_gone(store: Store) -> None:
    await add(store, "late", within_ms=-1)
    await add(store, "b")
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert job is not None
    assert job.key == "b"
    assert await store.jobs.count("bot") == 1


async def test_a_full_queue_takes_no_more(store: Store) -> None:
    deadline_ms = store.clock.now() + 10_000
    for number in range(3):
        assert await store.jobs.add("bot", f"{number}", "", deadline_ms=deadline_ms, most=3)
    assert not await store.jobs.add("bot", "one more", "", deadline_ms=deadline_ms, most=3)
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert job is not None
    await store.jobs.finish(job)
    assert await store.jobs.add("bot", "one more", "", deadline_ms=deadline_ms, most=3)


async def test_a_share_of_a_queue_leaves_the_rest_to_others(store: Store) -> None:
    """Regression: a few people filled the queue, and the jobs of all others were dropped."""
    deadline_ms = store.clock.now() + 10_000

    async def queue(key: str, *networks: str) -> Queued:
        shares = {name: 2 * 4**larger for larger, name in enumerate(networks)}
        body = json.dumps({"networks": networks})
        return await store.jobs.add("bot", key, body, deadline_ms=deadline_ms, shares=shares)

    assert [await queue(key, "a/64", "a/56") for key in "123"] == [
        Queued.ADDED,
        Queued.ADDED,
        Queued.FULL,
    ]
    assert await queue("2", "a/64", "a/56") is Queued.KNOWN
    held = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    assert held is not None
    assert await queue("3", "a/64", "a/56") is Queued.FULL  # one that is held counts
    others = [await queue(f"{number}", f"{number}/64", "a/56") for number in range(4, 11)]
    assert others == [Queued.ADDED] * 6 + [Queued.FULL]
    assert await queue("other", "b/64", "b/56") is Queued.ADDED
    assert await queue("nobody's") is Queued.ADDED
    await store.jobs.finish(held)
    assert await queue("3", "a/64", "a/56") is Queued.ADDED


async def test_jobs_survive_a_group_that_is_gone(store: Store) -> None:
    await add(store, "a")
    queue, known = store.keys.jobs("bot")
    await store.client.call(queue, "DEL", queue)
    assert await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS) is None
    await store.client.call(known, "DEL", known)
    assert await add(store, "a")
    assert await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS) is not None


async def test_all_jobs_of_a_dead_taker_are_taken_however_many_others_are_held(
    store: Store,
) -> None:
    """Regression: `XAUTOCLAIM` looks at ten jobs from the oldest, so later ones were never taken.

    After the death of a process with 24 computer players, ten came back.
    """
    for number in range(40):
        assert await add(store, f"{number:02}")
    held: dict[str, Job] = {}
    for number in range(40):
        taker = "alive" if number < 14 or number % 3 == 0 else "dead"
        job = await store.jobs.take("bot", taker, idle_ms=WHILE_ALIVE_MS)
        assert job is not None
        held[job.key] = job
    for job in held.values():
        if job.taker == "dead":
            assert await store.jobs.release(job)  # no job was silent for longer
    taken: set[str] = set()
    while job := await store.jobs.take("bot", "next", idle_ms=WHILE_ALIVE_MS):
        assert job.key not in taken
        taken.add(job.key)
    assert taken == {job.key for job in held.values() if job.taker == "dead"}


async def test_a_taker_that_gets_its_own_job_again_goes_on_with_that_try(store: Store) -> None:
    await add(store, "a")
    job = await store.jobs.take("bot", "east", idle_ms=WHILE_ALIVE_MS)
    again = await store.jobs.take("bot", "east", idle_ms=0)
    assert again == job
    assert again is not None
    assert again.tries == 1
    other = await store.jobs.take("bot", "west", idle_ms=0)
    assert other is not None
    assert other.tries == 2


async def test_a_job_that_does_well_counts_as_never_tried(store: Store) -> None:
    await add(store, "a")
    for taker in ("east", "west"):
        job = await store.jobs.take("bot", taker, idle_ms=0)
    assert job is not None
    assert job.tries == 2
    assert await store.jobs.reset(job)
    after = await store.jobs.take("bot", "north", idle_ms=0)
    assert after is not None
    assert after.tries == 1
    assert not await store.jobs.reset(job)
    assert await store.jobs.reset(after)
    assert await store.jobs.release(after)
    assert not await store.jobs.release(after)
    assert not await store.jobs.keep(after)
    last = await store.jobs.take("bot", "south", idle_ms=WHILE_ALIVE_MS)
    assert last is not None
    assert last.tries == 1


async def test_jobs_with_few_tries_come_first_and_those_with_too_many_not_at_all(
    store: Store,
) -> None:
    for key in "abc":
        await add(store, key)
    jobs = [await store.jobs.take("bot", "dead", idle_ms=WHILE_ALIVE_MS) for _ in range(3)]
    assert all(jobs)
    first = await store.jobs.take("bot", "dead too", idle_ms=0)
    assert first is not None
    assert first.key == "a"
    keys = [await store.jobs.take("bot", "next", idle_ms=0, most_tries=1) for _ in range(2)]
    assert [job.key for job in keys if job is not None] == ["b", "c"]
    assert await store.jobs.take("bot", "last", idle_ms=0, most_tries=1) is None
    last = await store.jobs.take("bot", "last", idle_ms=0, most_tries=2)
    assert last is not None
    assert (last.key, last.tries) == ("a", 3)


async def test_a_job_whose_entry_is_gone_stops_no_other_one(store: Store) -> None:
    await add(store, "a")
    await add(store, "b")
    first = await store.jobs.take("bot", "dead", idle_ms=WHILE_ALIVE_MS)
    assert await store.jobs.take("bot", "dead", idle_ms=WHILE_ALIVE_MS) is not None
    assert first is not None
    queue, _ = store.keys.jobs("bot")
    await store.client.call(queue, "XDEL", queue, first.id)
    job = await store.jobs.take("bot", "next", idle_ms=0)
    assert job is not None
    assert job.key == "b"
    assert len(await store.client.call(queue, "XPENDING", queue, "takers", "-", "+", 9)) == 1


@dataclass
class Modelled:
    """What a queue should know about a job."""

    number: int
    tried: int = 0
    taker: str | None = None
    is_new: bool = True


@pytest.mark.parametrize("seed", range(4))
async def test_any_sequence_of_steps_loses_no_job_and_gives_none_to_two_takers(
    store: Store, seed: int
) -> None:
    chance = random.Random(seed)
    model: dict[str, Modelled] = {}
    held: dict[str, Job] = {}
    for step in range(250):
        what = chance.choice(["add", "take", "take", "keep", "reset", "release", "finish"])
        if what == "add":
            assert await add(store, f"{step}", within_ms=WHILE_ALIVE_MS)
            model[f"{step}"] = Modelled(step)
        elif what == "take":
            taker, most = chance.choice("ABC"), chance.choice([None, 0, 1])
            job = await store.jobs.take("bot", taker, idle_ms=WHILE_ALIVE_MS, most_tries=most)
            wanted = next_of(model, most)
            assert (job and job.key) == (wanted and f"{wanted.number}")
            if job is not None and wanted is not None:
                wanted.tried += 1
                wanted.is_new, wanted.taker = False, taker
                assert (job.tries, job.taker) == (wanted.tried, taker)
                held[job.key] = job
        elif held:
            job = held[chance.choice(list(held))]
            known = model.get(job.key)
            is_held = known is not None and known.taker == job.taker
            assert await getattr(store.jobs, what)(job) is is_held
            if known is not None and is_held and what != "keep":
                known.tried = {"reset": 0, "release": max(0, known.tried - 1)}.get(what, 0)
                known.taker = job.taker if what == "reset" else None
                if what == "finish":
                    del model[job.key]
    assert await store.jobs.count("bot") == len(model)


def next_of(model: dict[str, Modelled], most: int | None) -> Modelled | None:
    """Return the job that is to be taken next: a new one, or one that was given back."""
    new = [job for job in model.values() if job.is_new]
    if new:
        return new[0]
    back = [
        job for job in model.values() if job.taker is None and (most is None or job.tried <= most)
    ]
    return min(back, key=lambda job: (job.tried, job.number), default=None)
