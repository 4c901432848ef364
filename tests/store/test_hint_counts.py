"""Hints are counted before the player gets them, and only for the holder of the seat."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from server.store import CommitAnswer, CommitFailure, Store
from tests.present import present
from tests.servers import RedisServer, opened
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    change,
    committed,
    hint,
    start_race,
    until_back,
)


async def counted(store: Store, **fields: Any) -> CommitAnswer:
    """Return the answer to the count of one hint."""
    answer: asyncio.Future[CommitAnswer] = asyncio.get_running_loop().create_future()
    store.commits.count_hint(hint(**fields), answer.set_result)
    async with asyncio.timeout(30):
        return await answer


async def stored(store: Store) -> tuple[int, int]:
    """Return the stored number of hints, and its round."""
    seat = present(await store.seats.read(CODE, SEAT))
    return seat.hint_count, seat.hint_round


async def test_a_hint_is_counted_when_it_is_answered(store: Store) -> None:
    await start_race(store)
    assert await stored(store) == (0, 0)
    assert await counted(store) == 1
    assert await stored(store) == (1, 1)
    assert await store.logs.read(CODE, 1, SEAT) == []


async def test_several_hints_on_one_position_count_once(store: Store) -> None:
    await start_race(store)
    assert [await counted(store) for _ in range(3)] == [1, 1, 1]
    await committed(store, act())
    assert [await counted(store, at=1) for _ in range(2)] == [2, 2]
    assert await stored(store) == (2, 1)


async def test_acts_do_not_change_the_count_of_hints(store: Store) -> None:
    await start_race(store)
    await counted(store)
    await committed(store, act(stats_json="[7]", has_gained=True, is_over=True))
    seat = present(await store.seats.read(CODE, SEAT))
    assert (seat.stats_json, seat.hint_count, seat.n) == ("[7]", 1, 1)


async def test_each_round_has_a_count_of_its_own(store: Store) -> None:
    await start_race(store)
    await counted(store)
    await committed(store, act())
    await counted(store, at=1)
    await store.rooms.change(CODE, 1, change(state="RUNNING", n=2, t0=store.clock.now()))
    assert await counted(store, n=2) == 1
    assert await stored(store) == (1, 2)


async def test_acts_and_hints_are_answered_in_order(store: Store) -> None:
    await start_race(store)
    answers: list[str] = []
    done = asyncio.Event()

    def on_answer(name: str, answer: CommitAnswer) -> None:
        answers.append(f"{name} {isinstance(answer, int)}")
        if len(answers) == 4:
            done.set()

    store.commits.commit(act(), partial(on_answer, "act 0"))
    store.commits.count_hint(hint(at=1), partial(on_answer, "hint 1"))
    store.commits.commit(act(id=2, at=1), partial(on_answer, "act 1"))
    store.commits.count_hint(hint(at=2), partial(on_answer, "hint 2"))
    await asyncio.wait_for(done.wait(), 10)
    assert answers == ["act 0 True", "hint 1 True", "act 1 True", "hint 2 True"]


@pytest.mark.parametrize(
    ("since", "left", "fields", "failure"),
    [
        (1_000, None, {"at": 1}, CommitFailure.STALE),
        (1_000, None, {"n": 2}, CommitFailure.NOT_RUNNING),
        (1_000, None, {"generation": 0}, CommitFailure.REPLACED),
        (1_000, None, {"generation": 2}, CommitFailure.TAKEN_BACK),
        (1_000, None, {"seat": 9}, CommitFailure.TAKEN_BACK),
        (-60_000, None, {}, CommitFailure.EARLY),
        (1_000, 0, {}, CommitFailure.TOO_LATE),
    ],
)
async def test_an_invalid_hint_is_not_counted(
    store: Store, since: int, left: int | None, fields: dict[str, int], failure: CommitFailure
) -> None:
    await start_race(store, since=since, left=left)
    assert await counted(store, **fields) is failure
    assert await stored(store) == (0, 0)


async def test_a_round_with_a_time_limit_allows_hints(store: Store) -> None:
    await start_race(store, left=60_000)
    assert await counted(store) == 1


async def test_a_seat_that_is_out_of_the_round_gets_no_hints(store: Store) -> None:
    await start_race(store)
    running = change(state="RUNNING", t0=store.clock.now() - 1000, out={SEAT: "0"})
    assert await store.rooms.change(CODE, 1, running)
    assert await counted(store) is CommitFailure.NOT_RUNNING


async def test_a_seat_with_hints_that_were_not_counted_cannot_be_put_out(store: Store) -> None:
    await start_race(store)
    await committed(store, act(id=3))
    seen = await store.seats.read(CODE, SEAT)
    await counted(store, at=1)
    now = await store.seats.read(CODE, SEAT)
    assert seen is not None
    assert now is not None
    running = change(state="RUNNING", t0=store.clock.now() - 1000)
    for seat, v in ((seen, None), (now, 2)):
        assert await store.rooms.change(CODE, 1, replace(running, out={SEAT: seat.mark})) == v


async def test_a_counted_hint_survives_a_kill(server: RedisServer) -> None:
    async with opened(server.url, server.data_dir) as store:
        await start_race(store)
        assert await counted(store) == 1
        server.kill()
        assert await counted(store) is CommitFailure.AWAY
        server.start()
        await until_back(store)
        assert await stored(store) == (1, 1)
        assert await counted(store) == 1
