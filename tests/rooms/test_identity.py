import pytest

from server.rooms.admission import ClientOrigin, identify
from server.rooms.record import Identity


def of(address: str, browser: str = "", salt: str = "salt") -> Identity:
    return identify(salt, ClientOrigin(address, browser))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("203.0.113.7", "a"), ("203.0.113.7", "b"), True),
        (("203.0.113.7", "a"), ("203.0.113.8", "a"), True),
        (("203.0.113.7", "a"), ("203.0.113.8", "b"), False),
        (("203.0.113.7", ""), ("203.0.113.8", ""), False),
        (("2001:db8::/64", "a"), ("2001:db8::9", "b"), True),
        (("2001:db8::/64", "a"), ("2001:db8:0:1::/64", "b"), False),
        # Everybody is on the loopback behind a proxy that was not named; browsers still differ.
        (("127.0.0.1", "a"), ("127.0.0.1", "b"), False),
        (("::/64", "a"), ("::1", "b"), False),
        (("127.0.0.1", "a"), ("127.0.0.1", "a"), True),
        (("127.0.0.1", ""), ("127.0.0.1", ""), True),
        (("", "a"), ("", "b"), False),
    ],
)
def test_a_person_is_recognised_by_network_or_browser(
    one: tuple[str, str], other: tuple[str, str], same: bool
) -> None:
    assert of(*one).same_person(of(*other)) is same


def test_networks_of_ipv6_are_nested() -> None:
    own, neighbour = of("2001:db8:1:2::/64").networks, of("2001:db8:1:3::/64").networks
    assert len(own) == 3
    assert [a == b for a, b in zip(own, neighbour, strict=True)] == [False, True, True]
    assert len(of("203.0.113.7").networks) == 1
    assert not Identity().same_person(Identity())


def test_identities_are_hashes_that_differ_by_room() -> None:
    one, other = of("203.0.113.7", "browser"), of("203.0.113.7", "browser", salt="pepper")
    assert not set(one.networks) & set(other.networks)
    assert one.browser != other.browser
    assert "203" not in one.networks[0]
    assert "browser" not in one.browser
