"""Hints are counted before they are told, by whoever holds the seat and nobody else."""

import asyncio
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from server.store import CommitAnswer, CommitFailure, HintCount, Store
from tests.servers import RedisServer
from tests.store.races import CODE, SEAT, act, change, committed, race
from tests.store.test_away import back

ADVICE = HintCount(CODE, SEAT, n=1, generation=1, at=0)


async def counted(store: Store, **fields: Any) -> CommitAnswer:
    """The answer to one hint that is asked for."""
    answer: asyncio.Future[CommitAnswer] = asyncio.get_running_loop().create_future()
    store.count_hint(ADVICE._replace(**fields), answer.set_result)
    async with asyncio.timeout(10):
        return await answer


async def stored(store: Store) -> tuple[int, int]:
    """How many hints, and in which round, the store knows of."""
    seat = await store.read_seat(CODE, SEAT)
    assert seat is not None
    return seat.hint_count, seat.hint_round


async def test_a_hint_is_counted_when_it_is_answered(store: Store) -> None:
    await race(store)
    assert await stored(store) == (0, 0)
    assert await counted(store) == 1
    assert await stored(store) == (1, 1)
    assert await store.read_log(CODE, 1, SEAT) == []


async def test_a_position_counts_once_however_often_it_is_asked_about(store: Store) -> None:
    await race(store)
    assert [await counted(store) for _ in range(3)] == [1, 1, 1]
    await committed(store, act())
    assert [await counted(store, at=1) for _ in range(2)] == [2, 2]
    assert await stored(store) == (2, 1)


async def test_acts_leave_the_count_as_it_is(store: Store) -> None:
    await race(store)
    await counted(store)
    await committed(store, act(standing="[7]", gained=True, over=True))
    seat = await store.read_seat(CODE, SEAT)
    assert seat is not None
    assert (seat.standing, seat.hint_count, seat.n) == ("[7]", 1, 1)


async def test_each_round_has_a_count_of_its_own(store: Store) -> None:
    await race(store)
    await counted(store)
    await committed(store, act())
    await counted(store, at=1)
    await store.change(CODE, 1, change(state="RUNNING", n=2, t0=await store.now()))
    assert await counted(store, n=2) == 1
    assert await stored(store) == (1, 2)


async def test_answers_come_in_the_order_of_acts_and_hints(store: Store) -> None:
    await race(store)
    heard: list[str] = []
    done = asyncio.Event()

    def hear(what: str, answer: CommitAnswer) -> None:
        heard.append(f"{what} {isinstance(answer, int)}")
        if len(heard) == 4:
            done.set()

    store.commit(act(), partial(hear, "act 0"))
    store.count_hint(ADVICE._replace(at=1), partial(hear, "hint 1"))
    store.commit(act(id=2, at=1), partial(hear, "act 1"))
    store.count_hint(ADVICE._replace(at=2), partial(hear, "hint 2"))
    await asyncio.wait_for(done.wait(), 10)
    assert heard == ["act 0 True", "hint 1 True", "act 1 True", "hint 2 True"]


@pytest.mark.parametrize(
    ("since", "left", "fields", "failure"),
    [
        (1_000, None, {"at": 1}, CommitFailure.STALE),
        (1_000, None, {"n": 2}, CommitFailure.NOT_RUNNING),
        (1_000, None, {"generation": 0}, CommitFailure.REPLACED),
        (1_000, None, {"generation": 2}, CommitFailure.TAKEN_BACK),
        (1_000, None, {"seat": 9}, CommitFailure.TAKEN_BACK),
        (-5_000, None, {}, CommitFailure.EARLY),
        (1_000, 0, {}, CommitFailure.TOO_LATE),
    ],
)
async def test_a_hint_out_of_place_is_not_counted(
    store: Store, since: int, left: int | None, fields: dict[str, int], failure: CommitFailure
) -> None:
    await race(store, since=since, left=left)
    assert await counted(store, **fields) is failure
    assert await stored(store) == (0, 0)


async def test_a_round_with_a_limit_gives_hints_until_then(store: Store) -> None:
    await race(store, left=60_000)
    assert await counted(store) == 1


async def test_who_is_out_of_the_round_gets_no_more_hints(store: Store) -> None:
    await race(store)
    running = change(state="RUNNING", t0=await store.now() - 1000, out={SEAT: "0"})
    assert await store.change(CODE, 1, running)
    assert await counted(store) is CommitFailure.NOT_RUNNING


async def test_nobody_is_put_out_who_was_given_more_hints_than_were_counted(store: Store) -> None:
    await race(store)
    await committed(store, act(id=3))
    seen = await store.read_seat(CODE, SEAT)
    await counted(store, at=1)
    now = await store.read_seat(CODE, SEAT)
    assert seen is not None
    assert now is not None
    running = change(state="RUNNING", t0=await store.now() - 1000)
    for seat, v in ((seen, None), (now, 2)):
        assert await store.change(CODE, 1, replace(running, out={SEAT: seat.mark})) == v


async def test_a_hint_that_was_told_survives_a_kill(server: RedisServer) -> None:
    store = await Store.open(server.url, server.data_dir)
    await race(store)
    assert await counted(store) == 1
    server.kill()
    assert await counted(store) is CommitFailure.AWAY
    server.start()
    await back(store)
    assert await stored(store) == (1, 1)
    assert await counted(store) == 1
    await store.close()
