import pytest

from server.networks import SHARES, is_loopback, locates_client, networks_of
from server.sessions.limits import Rate, RateLimits
from server.web.limits import NetworkLimit

A_64 = "2001:db8:1:2:3:4:5:6"


def in_another(length: int, number: int) -> str:
    """An address that shares exactly `length` bits with `A_64`."""
    return {
        64: f"2001:db8:1:2::{number + 1:x}",
        56: f"2001:db8:1:{number + 3:x}::1",
        48: f"2001:db8:1:{number + 1:x}00::1",
        32: f"2001:db8:{number + 2:x}::1",
    }[length]


NETWORKS = {
    "203.0.113.7": ["203.0.113.7"],
    "::ffff:203.0.113.7": ["203.0.113.7"],
    A_64: ["2001:db8:1:2::/64", "2001:db8:1::/56", "2001:db8:1::/48"],
    "2001:db8:1:2::/64": ["2001:db8:1:2::/64", "2001:db8:1::/56", "2001:db8:1::/48"],
    "2001:db8:1:ff02::1": ["2001:db8:1:ff02::/64", "2001:db8:1:ff00::/56", "2001:db8:1::/48"],
    "fe80::1%eth0": ["fe80::/64", "fe80::/56", "fe80::/48"],
    "::1": ["::1"],  # nobody else has this network either
    "": [""],
    "a socket": ["a socket"],
}


def test_an_address_is_in_networks_the_smallest_first() -> None:
    for address, names in NETWORKS.items():
        assert [network.name for network in networks_of(address)] == names
        assert [network.share for network in networks_of(address)] == [1, 4, 16][: len(names)]


def test_loopback_is_known_however_it_is_written() -> None:
    assert all(is_loopback(one) for one in ("127.0.0.1", "::1", "127.9.9.9", "::ffff:127.0.0.1"))
    assert is_loopback(networks_of("::1")[0].name)
    assert not any(is_loopback(one) for one in ("203.0.113.7", A_64, "", "a socket"))


def test_addresses_that_locate_no_client_have_no_limits() -> None:
    assert all(locates_client(one) for one in ("203.0.113.7", A_64, "2001:db8:1:2::/64"))
    assert not any(locates_client(one) for one in ("127.0.0.1", "::1", "", "a socket"))


@pytest.mark.parametrize(("length", "further"), [(64, 56), (56, 48), (48, 32)])
def test_each_network_around_an_address_has_a_limit_of_its_own(length: int, further: int) -> None:
    """Regression: a customer with a /48, of 65,536 networks of 64 bits, had no limit."""
    fill = 2 * SHARES[length]
    for may in (NetworkLimit(2).enter, RateLimits(Rate(2, 0)).take):
        let_in = [may(in_another(length, number % 200)) for number in range(fill + 5)]
        assert let_in == [True] * fill + [False] * 5
        assert may(in_another(further, 201 if further != 32 else 5))


def test_what_is_taken_or_owed_counts_in_every_network_that_has_some_left() -> None:
    taken, owed = RateLimits(Rate(1, 0)), RateLimits(Rate(1, 0))
    for number in range(16):
        assert taken.take(in_another(48, number))
        owed.owe(in_another(48, number))
    assert not taken.take(in_another(48, 20))
    assert len(taken._limits) == 16 + 16 + 1
    assert not owed.has_token(in_another(48, 20))
    assert owed.has_token("203.0.113.7")


def test_places_that_are_left_are_free_in_every_network() -> None:
    crowd = NetworkLimit(1)
    for _ in range(3):
        for number in range(16):
            assert crowd.enter(in_another(48, number))
        assert not crowd.enter(in_another(48, 20))
        for number in range(16):
            crowd.add(in_another(48, number), -1)
    assert len(crowd.counts) == 0
