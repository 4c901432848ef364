import pytest

from server.sessions import limits
from server.sessions.limits import RateLimit, RateLimits
from tests.sessions.clients import Hand


def test_a_burst_and_then_a_rate() -> None:
    clock = Hand()
    allowance = RateLimit(3, 0.5, clock)
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    clock.now += 1.9
    assert not allowance.take()
    clock.now += 0.2
    assert [allowance.take(), allowance.take()] == [True, False]
    clock.now += 1_000
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]


def test_a_debt_is_paid_first_and_has_a_floor() -> None:
    clock = Hand()
    allowance = RateLimit(20, 0.2, clock)
    for _ in range(300):
        allowance.owe()
    for later, may in ((104, False), (1, True)):
        clock.now += later
        assert allowance.has_token() is may


def test_each_address_has_its_own() -> None:
    known = RateLimits(1, 0, Hand())
    assert known.has_token("a")
    assert known.take("a")
    assert not known.has_token("a")
    assert not known.take("a")
    known.owe("b")
    assert not known.has_token("b")
    assert known.has_token("c")


def test_the_number_of_remembered_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recently used addresses stay; a client with many addresses cannot fill the memory."""
    monkeypatch.setattr(limits, "ADDRESSES", 50)
    known = RateLimits(1, 0, Hand())
    known.owe("a")
    for number in range(150):
        known.owe(f"x{number}")
        if number % 20 == 0:
            known.owe("a")
    assert not known.has_token("a")
    assert [known.has_token(f"x{number}") for number in (100, 101, 149)] == [True, False, False]


def test_the_wait_until_a_token_is_left() -> None:
    clock = Hand()
    allowance, known = RateLimit(3, 0.5, clock), RateLimits(1, 0.1, clock)
    assert allowance.wait_s == known.wait_s("203.0.113.1") == 0
    allowance.owe(5.5)
    known.owe("203.0.113.1", 2)
    assert (allowance.wait_s, known.wait_s("203.0.113.2")) == (7, 0)
    assert known.wait_s("203.0.113.1") == pytest.approx(20)
    clock.now += 6
    assert allowance.wait_s == 1
    clock.now += 1
    assert (allowance.wait_s, allowance.take()) == (0, True)
