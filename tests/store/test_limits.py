"""Guesses, open rooms and bans, counted for all processes together."""

import asyncio
from collections import Counter

import pytest
from structlog.testing import capture_logs

from server.store import Store, StoreError, keys
from server.store.counts import LOOKUP_MS, TAKEN, UNDECIDED, GuessResult
from tests.store.rooms_and_acts import CODE, change, everywhere

BURST, PER_S = 3, 0.5
HERE = {"here": 2}
CODES = [f"000000000{number}" for number in range(10)]


@pytest.fixture
def ahead(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Stop the clock; return a list whose only element sets it ahead, in ms."""
    stands, now = [0], store.clock.now_ms()
    monkeypatch.setattr(store.clock, "now_ms", lambda: now + stands[0])
    return stands


def wait(ms: int) -> GuessResult:
    return GuessResult(is_taken=False, wait_ms=ms)


async def guess(store: Store, *networks: str) -> GuessResult:
    return await store.guesses.take(dict.fromkeys(networks or ("here",), 1), BURST, PER_S)


async def end(store: Store, *, right: bool, networks: dict[str, int] | None = None) -> None:
    """End a look-up, and wait until it is counted."""
    of_guess = networks or {"here": 1}
    store.guesses.end(of_guess, BURST, PER_S, right=right)
    for network in of_guess:
        await store.client.call("EXISTS", keys.UNPREFIXED.guesses(network))


async def expires_in_ms(store: Store) -> int:
    """Return the time until the network's key expires; -2 if there is no key."""
    return int(await store.client.call("PTTL", keys.UNPREFIXED.guesses("here")))


@everywhere
async def test_a_key_stays_until_all_guesses_are_regained(store: Store, ahead: list[int]) -> None:
    for number in range(BURST):
        assert await guess(store) == TAKEN
        await end(store, right=False)
        gained = 2_000 * (number + 1)
        assert gained - 1_000 <= await expires_in_ms(store) <= gained + LOOKUP_MS
    assert await guess(store) == wait(2_000)
    ahead[0] = 1_500
    assert await guess(store) == wait(500)
    ahead[0] = 2_000
    assert await guess(store) == TAKEN
    await end(store, right=False)
    assert await guess(store) == wait(2_000)
    ahead[0] = 1_000_000
    assert [await guess(store) for _ in range(BURST + 1)] == [TAKEN] * BURST + [UNDECIDED]
    ahead[0] += LOOKUP_MS + 1  # the process of these look-ups has died
    assert [await guess(store) for _ in range(2)] == [TAKEN, TAKEN]
    for _ in range(2):
        await end(store, right=False)
    assert (await guess(store)).wait_ms


async def test_right_guesses_are_given_back_and_leave_no_key(store: Store) -> None:
    for _ in range(2 * BURST):
        assert await guess(store) == TAKEN
        assert await expires_in_ms(store) > 0
        await end(store, right=True)
        assert await expires_in_ms(store) == -2


@pytest.mark.usefixtures("ahead")
async def test_guesses_that_come_at_once_wait_for_those_that_are_looked_up(store: Store) -> None:
    results = await asyncio.gather(*(guess(store) for _ in range(10)))
    assert Counter(results) == {TAKEN: BURST, UNDECIDED: 7}
    await end(store, right=True)
    assert await guess(store) == TAKEN
    for _ in range(BURST):
        await end(store, right=False)
    assert (await guess(store)).wait_ms  # no look-up is under way any more


@pytest.mark.usefixtures("ahead")
async def test_a_guess_is_taken_from_all_networks_or_none(store: Store) -> None:
    for _ in range(BURST):
        assert await guess(store, "around") == TAKEN
        await end(store, right=False, networks={"around": 1})
    assert await guess(store, "here", "around") == wait(2_000)
    assert await expires_in_ms(store) == -2
    shares = {"here": 1, "larger": 4}
    for _ in range(BURST):
        assert await store.guesses.take(shares, BURST, PER_S) == TAKEN
        await end(store, right=False, networks=shares)
    assert await store.guesses.take(shares, BURST, PER_S) == wait(2_000)
    assert await store.guesses.take({"there": 1, "larger": 4}, BURST, PER_S) == TAKEN


async def test_a_key_of_another_kind_is_an_error_of_the_store(store: Store) -> None:
    key = keys.UNPREFIXED.guesses("here")
    await store.client.call("SET", key, "x")
    with pytest.raises(StoreError):
        await guess(store)
    with capture_logs() as logs:
        await store.ready()  # players go on
    assert [(line["event"], line["key"]) for line in logs] == [
        ("a key of the store holds another type: it must be removed", key)
    ]


async def count_long_ago(store: Store, network: str) -> None:
    """Change the list as if its rooms had been counted an hour ago."""
    key = keys.UNPREFIXED.opened(network)
    for code in await store.client.call("ZRANGE", key, 0, -1):
        await store.client.call("ZINCRBY", key, -3_600_000, code)


async def test_deleted_rooms_leave_a_full_list_before_a_room_is_refused(store: Store) -> None:
    """The process that closed the rooms may have been killed before it released them."""
    assert await store.rooms.create(CODES[1], change())
    for code in CODES[:2]:
        assert await store.open_rooms.claim(code, HERE) is None
    await count_long_ago(store, "here")
    assert await store.open_rooms.claim(CODES[2], HERE) is None
    # A room that is about to be created stays counted for a while.
    assert await store.open_rooms.claim(CODES[3], HERE) == "here"
    await count_long_ago(store, "here")
    assert await store.open_rooms.claim(CODES[3], HERE) is None


async def test_a_part_of_a_long_list_is_checked_each_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.counts.SAMPLE_SIZE", 2)
    many = {"many": len(CODES)}
    for code in CODES:
        assert await store.open_rooms.claim(code, many) is None
    await count_long_ago(store, "many")
    assert await store.open_rooms.claim(CODE, many) is None
    assert await store.open_rooms.count("many") == len(CODES) - 2 + 1


async def test_a_count_that_is_not_renewed_expires(store: Store, ahead: list[int]) -> None:
    for code in CODES[:2]:
        assert await store.open_rooms.claim(code, HERE) is None
    ahead[0] = keys.TTL_SECONDS * 1_000 + 1_000
    assert await store.open_rooms.count("here") == 0
    assert await store.open_rooms.claim(CODES[2], HERE) is None
    ttl = await store.client.call("TTL", keys.UNPREFIXED.opened("here"))
    assert 0 < ttl <= keys.TTL_SECONDS


@everywhere
async def test_a_ban_ends_or_is_replaced_or_lifted(store: Store, ahead: list[int]) -> None:
    now, one, other = store.clock.now_ms(), "203.0.113.7/32", "2001:db8::/64"
    await store.bans.add(one, now + 100_000)
    await store.bans.add(other, now + 900_000)
    assert await store.bans.read() == {one: now + 100_000, other: now + 900_000}
    await store.bans.add(one, now + 200_000)
    ahead[0] = 150_000
    assert (await store.bans.read())[one] == now + 200_000
    ahead[0] = 250_000
    assert [*await store.bans.read()] == [other]
    assert not await store.bans.remove(one)
    assert await store.bans.remove(other)
    assert await store.bans.read() == {}
