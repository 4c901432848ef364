"""The limits of an address; the shared count of its guesses returns what a test chooses."""

import asyncio
from collections.abc import Mapping

import pytest

from protocol.vocabulary import ErrorCode
from server.networks import hashed_names
from server.rooms.events import Refusal
from server.sessions import guesses as guessing
from server.sessions import limits
from server.sessions.guesses import Guesses, TooManyGuesses
from server.sessions.limits import Rate, RateLimit, RateLimits
from server.store import SharedGuesses, StoreAway, StoreError
from server.store.counts import TAKEN, UNDECIDED, GuessResult
from tests.sessions.clients import Hand


def test_a_burst_and_then_a_rate() -> None:
    clock = Hand()
    allowance = RateLimit(Rate(3, 0.5), clock)
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 1.9
    assert not allowance.take()
    clock.now += 0.2
    assert [allowance.take(), allowance.take()] == [True, False]
    clock.now += 1_000
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]


def test_a_debt_is_paid_first_and_has_a_floor() -> None:
    clock = Hand()
    allowance = RateLimit(Rate(20, 0.2), clock)
    for _ in range(300):
        allowance.owe()
    for later, may in ((104, False), (1, True)):
        clock.now += later
        assert allowance.has_token() is may


def test_each_address_has_its_own() -> None:
    known = RateLimits(Rate(1, 0), Hand())
    assert known.has_token("a")
    assert known.take("a")
    assert not known.has_token("a")
    assert not known.take("a")
    known.owe("b")
    assert not known.has_token("b")
    assert known.has_token("c")


def test_the_number_of_remembered_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recently used addresses stay; a client with many addresses cannot fill the memory."""
    monkeypatch.setattr(limits, "MAX_ADDRESSES", 50)
    known = RateLimits(Rate(1, 0), Hand())
    known.owe("a")
    for number in range(150):
        known.owe(f"x{number}")
        if number % 20 == 0:
            known.owe("a")
    assert not known.has_token("a")
    assert [known.has_token(f"x{number}") for number in (100, 101, 149)] == [True, False, False]


def test_the_wait_until_a_token_is_left() -> None:
    clock = Hand()
    allowance, known = RateLimit(Rate(3, 0.5), clock), RateLimits(Rate(1, 0.1), clock)
    assert allowance.wait_s == known.wait_s("203.0.113.1") == 0
    allowance.owe(5.5)
    known.owe("203.0.113.1", 2)
    assert (allowance.wait_s, known.wait_s("203.0.113.2")) == (7, 0)
    assert known.wait_s("203.0.113.1") == pytest.approx(20)
    clock.now += 6
    assert allowance.wait_s == 1
    clock.now += 1
    assert (allowance.wait_s, allowance.take()) == (0, True)


HERE, THERE = "203.0.113.5", "198.51.100.9"
RATE = Rate(3, 0.5)


def wait(ms: int) -> GuessResult:
    return GuessResult(is_taken=False, wait_ms=ms)


class Count(SharedGuesses):
    """A shared count that returns these results; it repeats the last one."""

    def __init__(self, *answers: GuessResult | StoreError) -> None:
        self.answers = list(answers)
        self.taken: list[Mapping[str, int]] = []
        self.ended: list[bool] = []

    async def take(self, networks: Mapping[str, int], burst: float, per_s: float) -> GuessResult:
        assert Rate(int(burst), per_s) == RATE
        self.taken.append(networks)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, StoreError):
            raise answer
        return answer

    def end(self, networks: Mapping[str, int], burst: float, per_s: float, *, right: bool) -> None:
        assert Rate(int(burst), per_s) == RATE
        assert networks in self.taken
        self.ended.append(right)


async def look_up(guesses: Guesses, code: ErrorCode | None = None, address: str = HERE) -> bool:
    """Look up a code that is right, or is refused; return whether the look-up took place."""
    try:
        async with guesses.look_up(address):
            if code is not None:
                raise Refusal(code)
    except TooManyGuesses:
        return False
    except Refusal:
        return True
    return True


WRONG = ErrorCode.NO_SUCH_ROOM


async def test_a_guess_that_was_right_is_given_back_and_a_wrong_one_is_not() -> None:
    count = Count(TAKEN)
    guesses = Guesses(RATE, count, Hand())
    for code in (None, WRONG, ErrorCode.ROOM_LOCKED):
        assert await look_up(guesses, code)
    await guesses.spend(HERE)
    assert count.ended == [True, False, True, False]
    assert count.taken == [hashed_names(HERE)] * 4


async def test_a_look_up_that_fails_is_given_back() -> None:
    count = Count(TAKEN)
    with pytest.raises(StoreAway):
        async with Guesses(RATE, count, Hand()).look_up(HERE):
            raise StoreAway
    assert count.ended == [True]


async def test_an_address_without_guesses_is_refused_without_asking_the_store() -> None:
    count, clock = Count(wait(4_000), TAKEN), Hand()
    guesses = Guesses(RATE, count, clock)
    assert not await look_up(guesses)
    clock.now = 3.0
    with pytest.raises(TooManyGuesses) as refused:
        await guesses.spend(HERE)
    assert refused.value.wait_s == 1.0
    assert refused.value.code is ErrorCode.TOO_MANY_JOINS
    assert len(count.taken) == 1
    assert await look_up(guesses, address=THERE)
    clock.now = 4.0
    assert await look_up(guesses)


async def test_guesses_wait_for_running_look_ups_and_one_tries_for_all() -> None:
    count = Count(*[UNDECIDED] * 20, wait(3_000))
    guesses = Guesses(RATE, count, Hand())
    results = await asyncio.gather(*(look_up(guesses) for _ in range(10)))
    assert results == [False] * 10
    # Each of the ten tried once. Then one tried alone, until its refusal ended the wait of all.
    assert len(count.taken) == 21


async def test_waiting_for_look_ups_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MAX_WAIT_S", 0.0)
    assert not await look_up(Guesses(RATE, Count(UNDECIDED), Hand()))


@pytest.mark.parametrize("failure", [StoreAway("away"), StoreError("of another kind")])
@pytest.mark.parametrize("shared", [True, False])
async def test_without_the_store_each_process_counts(failure: StoreError, *, shared: bool) -> None:
    clock = Hand()
    guesses = Guesses(RATE, Count(failure) if shared else None, clock)
    for _ in range(5):
        assert await look_up(guesses)
    assert [await look_up(guesses, WRONG) for _ in range(4)] == [True] * 3 + [False]
    assert not await look_up(guesses)
    assert await look_up(guesses, WRONG, THERE)
    clock.now = 2.0
    assert [await look_up(guesses, WRONG) for _ in range(2)] == [True, False]


async def test_the_addresses_with_keys_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MAX_ADDRESSES", 2)
    count, clock = Count(TAKEN), Hand()
    guesses = Guesses(RATE, count, clock)
    for address in (HERE, THERE, "192.0.2.1", "192.0.2.2", HERE):
        assert await look_up(guesses, WRONG, address)
    asked = [hashed_names(address) for address in (HERE, THERE, HERE)]
    assert count.taken == asked
    clock.now = 7.0  # the first keys have expired
    assert await look_up(guesses, WRONG, "192.0.2.1")
    assert len(count.taken) == 4


async def test_the_number_of_known_refusals_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "MAX_ADDRESSES", 2)
    count = Count(wait(9_000))
    guesses = Guesses(RATE, count, Hand())
    for address in (HERE, THERE, "192.0.2.1", THERE, HERE):
        assert not await look_up(guesses, WRONG, address)
    assert len(count.taken) == 4  # the first one was forgotten
