"""Acts and hints, beyond the scenarios of the contract."""

import pytest

from server.store import CommitFailure, CommitResult, Store, keys
from server.store.connection import Command, pack
from tests.store.rooms_and_acts import (
    CODE,
    SEAT,
    act,
    ask_every_master,
    committed,
    everywhere,
    hint,
    on_redis,
    start_race,
)


async def test_a_failing_callback_does_not_stop_the_next_result(store: Store) -> None:
    await start_race(store)

    def fail(answer: CommitResult) -> None:
        raise ValueError(answer)

    store.commits.commit(act(), fail)
    (ms,) = await committed(store, act(id=2, at=1))
    assert isinstance(ms, int)


@everywhere
async def test_scripts_that_were_flushed_are_loaded_again(store: Store) -> None:
    await start_race(store)
    await committed(store, act())
    await ask_every_master(store, "SCRIPT", "FLUSH")
    assert await committed(store, hint(at=1)) == [CommitFailure.AWAY]
    assert await committed(store, hint(at=1)) == [1]


@on_redis
async def test_an_act_takes_few_bytes(store: Store) -> None:
    await start_race(store)
    await committed(store, *(act(id=at + 1, at=at) for at in range(300)))
    key = keys.UNPREFIXED.log(CODE, 1, SEAT, 1)
    used = await store.client.ask(Command(key, pack("MEMORY", "USAGE", key)))
    assert used < 300 * 20


async def test_a_log_is_read_from_a_given_entry_and_in_parts(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: the reply with a log of 20,000 entries delayed all other replies."""
    monkeypatch.setattr("server.store.seats.PART", 3)
    await start_race(store)
    await committed(store, *(act(at=at, id=at + 1) for at in range(7)))
    whole = await store.logs.read(CODE, 1, SEAT)
    assert len(whole) == 7
    assert [await store.logs.read(CODE, 1, SEAT, start) for start in (0, 3, 4, 7, 9)] == [
        whole, whole[3:], whole[4:], [], [],
    ]  # fmt: skip


async def test_the_keys_of_a_seat_that_acts_expire_later(store: Store) -> None:
    await start_race(store)
    touched = keys.UNPREFIXED.seat(CODE, SEAT), keys.UNPREFIXED.log(CODE, 1, SEAT, 1)
    for at in (0, 63, 64):
        for key in touched:
            await store.client.call("EXPIRE", key, 1_000)
        await committed(store, act(at=at, id=at + 1))
        left = [await store.client.call("TTL", key) for key in touched]
        assert [ttl > 1_000 for ttl in left] == [at != 63] * 2
