import asyncio

import pytest
from structlog.testing import capture_logs

from server.store import Store, StoreError, keys
from server.store.guesses import LOOKUP_MS, WAIT

HERE = {"here": 1}
BURST, PER_S = 3, 0.5


async def take(store: Store, *networks: str) -> int:
    return await store.guesses.take(dict.fromkeys(networks or HERE, 1), BURST, PER_S)


async def end(store: Store, *, right: bool, networks: dict[str, int] | None = None) -> None:
    """End a look-up, and wait until it is counted."""
    store.guesses.end(networks or HERE, BURST, PER_S, right=right)
    for network in networks or HERE:
        await store.client.call(keys.guesses(network), "EXISTS", keys.guesses(network))


async def kept(store: Store, network: str = "here") -> int:
    """Return the ms for which the key of a network stays; -2 without one."""
    key = keys.guesses(network)
    return int(await store.client.call(key, "PTTL", key))


@pytest.fixture
def ahead(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list of the ms by which the clock stands, of which the first may be changed."""
    stands, now = [0], store.clock.now()
    monkeypatch.setattr(store.clock, "now", lambda: now + stands[0])
    return stands


async def test_wrong_guesses_are_gained_again_one_after_another(
    store: Store, ahead: list[int]
) -> None:
    for _ in range(BURST):
        assert await take(store) == 0
        await end(store, right=False)
    assert await take(store) == 2_000
    ahead[0] = 1_500
    assert await take(store) == 500
    ahead[0] = 2_000
    assert await take(store) == 0
    await end(store, right=False)
    assert await take(store) == 2_000
    ahead[0] = 1_000_000
    assert [await take(store) for _ in range(BURST + 1)] == [0, 0, 0, WAIT]


async def test_right_guesses_are_given_back_and_leave_no_key(store: Store) -> None:
    for _ in range(2 * BURST):
        assert await take(store) == 0
        assert await kept(store) > 0
        await end(store, right=True)
        assert await kept(store) == -2


async def test_guesses_that_come_at_once_wait_for_those_that_are_looked_up(
    store: Store, ahead: list[int]
) -> None:
    answers = await asyncio.gather(*(take(store) for _ in range(10)))
    assert sorted(answers) == [WAIT] * 7 + [0] * BURST
    await end(store, right=True)
    assert await take(store) == 0
    for _ in range(BURST):
        await end(store, right=False)
    assert await take(store) > 0  # nothing is looked up any more: there is nothing to wait for
    assert ahead == [0]


async def test_look_ups_of_a_process_that_has_died_are_over_after_a_while(
    store: Store, ahead: list[int]
) -> None:
    for _ in range(BURST):
        assert await take(store) == 0
    ahead[0] = LOOKUP_MS + 1
    assert [await take(store), await take(store)] == [0, 0]
    for _ in range(2):
        await end(store, right=False)
    assert await take(store) > 0


async def test_a_key_stays_until_all_guesses_are_gained_again(
    store: Store, ahead: list[int]
) -> None:
    assert await take(store) == 0
    await end(store, right=False)
    assert 2_000 <= await kept(store) <= 2_000 + LOOKUP_MS
    assert ahead == [0]


async def test_a_guess_is_taken_of_all_networks_or_of_none(store: Store, ahead: list[int]) -> None:
    assert ahead == [0]
    for _ in range(BURST):
        assert await take(store, "around") == 0
        await end(store, right=False, networks={"around": 1})
    assert await take(store, "here", "around") == 2_000
    assert await kept(store, "here") == -2
    shares = {"here": 1, "larger": 4}
    for _ in range(BURST):
        assert await store.guesses.take(shares, BURST, PER_S) == 0
        await end(store, right=False, networks=shares)
    assert await store.guesses.take(shares, BURST, PER_S) == 2_000
    assert await store.guesses.take({"there": 1, "larger": 4}, BURST, PER_S) == 0


async def test_a_key_of_another_kind_is_an_error_of_the_store(store: Store) -> None:
    key = keys.guesses("here")
    await store.client.call(key, "SET", key, "x")
    with pytest.raises(StoreError):
        await take(store)
    with capture_logs() as logs:
        await store.ready()  # players go on
    assert [(line["event"], line["key"]) for line in logs] == [
        ("a key of the store holds another type: it must be removed", key)
    ]
