"""Acts and hints: what the scenarios of the contract do not show."""

import pytest

from server.store import CommitAnswer, CommitFailure, NewSeat, Store, keys
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    TOKEN,
    act,
    ask_every_master,
    change,
    committed,
    everywhere,
    hint,
    on_redis,
    start_race,
)


async def test_a_round_begins_with_its_first_and_ends_before_its_last_moment(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    t0, seat = store.clock.now(), NewSeat(SEAT, TOKEN)
    running = change(state="RUNNING", t0=t0, t_end=t0 + 10, seat=seat)
    assert await store.rooms.create(CODE, running)
    answers: list[CommitAnswer] = []
    for ms, at in ((-1, 0), (0, 0), (9, 1), (10, 2)):
        monkeypatch.setattr(store.commits, "_now", lambda ms=ms: t0 + ms)
        answers += await committed(store, act(id=at + 1, at=at), hint(at=at))
    assert answers == [
        *(CommitFailure.EARLY, CommitFailure.EARLY),
        *(0, CommitFailure.STALE),
        *(9, CommitFailure.STALE),
        *(CommitFailure.TOO_LATE, CommitFailure.TOO_LATE),
    ]


async def test_a_failing_callback_does_not_stop_the_next_answer(store: Store) -> None:
    await start_race(store)

    def fail(answer: CommitAnswer) -> None:
        raise ValueError(answer)

    store.commits.commit(act(), fail)
    (ms,) = await committed(store, act(id=2, at=1))
    assert isinstance(ms, int)


@everywhere
async def test_acts_survive_scripts_that_were_flushed(store: Store) -> None:
    await start_race(store)
    await committed(store, act())
    await ask_every_master(store, "SCRIPT", "FLUSH")
    answers = await committed(store, act(id=2, at=1), act(seat=2, id=2, at=1))
    assert isinstance(answers[0], int)
    assert answers[1] is CommitFailure.TAKEN_BACK


@on_redis
async def test_an_act_takes_few_bytes(store: Store) -> None:
    await start_race(store)
    await committed(store, *(act(id=at + 1, at=at) for at in range(300)))
    key = keys.log(CODE, 1, SEAT)
    assert await store.client.call(key, "MEMORY", "USAGE", key) < 300 * 10


async def test_a_log_is_read_from_a_given_entry_and_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the reply with a log of 20,000 entries delayed all other replies."""
    monkeypatch.setattr("server.store.logs.PART", 3)
    await start_race(store)
    await committed(store, *(act(at=at, id=at + 1) for at in range(7)))
    whole = await store.logs.read(CODE, 1, SEAT)
    assert len(whole) == 7
    assert [await store.logs.read(CODE, 1, SEAT, start) for start in (0, 3, 4, 7, 9)] == [
        whole, whole[3:], whole[4:], [], [],
    ]  # fmt: skip
