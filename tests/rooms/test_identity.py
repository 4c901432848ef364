import pytest

from server.rooms.identity import Identity, Origin, identify


def of(address: str, browser: str = "", salt: str = "salt") -> Identity:
    return identify(salt, Origin(address, browser))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Origin("203.0.113.7", "a"), Origin("203.0.113.7", "b"), True),
        (Origin("203.0.113.7", "a"), Origin("203.0.113.8", "a"), True),
        (Origin("203.0.113.7", "a"), Origin("203.0.113.8", "b"), False),
        (Origin("203.0.113.7"), Origin("203.0.113.8"), False),
        (Origin("2001:db8::/64", "a"), Origin("2001:db8::9", "b"), True),
        (Origin("2001:db8::/64", "a"), Origin("2001:db8:0:1::/64", "b"), False),
        # Everybody is on the loopback behind a proxy that was not named; browsers still differ.
        (Origin("127.0.0.1", "a"), Origin("127.0.0.1", "b"), False),
        (Origin("::/64", "a"), Origin("::1", "b"), False),
        (Origin("127.0.0.1", "a"), Origin("127.0.0.1", "a"), True),
        (Origin("127.0.0.1"), Origin("127.0.0.1"), True),
        (Origin("", "a"), Origin("", "b"), False),
    ],
)
def test_one_person_by_network_or_browser(one: Origin, other: Origin, same: bool) -> None:
    assert identify("salt", one).same_person(identify("salt", other)) is same


def test_networks_of_ipv6_are_nested() -> None:
    own, neighbour = of("2001:db8:1:2::/64").networks, of("2001:db8:1:3::/64").networks
    assert len(own) == 3
    assert [a == b for a, b in zip(own, neighbour, strict=True)] == [False, True, True]
    assert len(of("203.0.113.7").networks) == 1


def test_identities_are_hashes_of_their_room() -> None:
    one, other = of("203.0.113.7", "browser"), of("203.0.113.7", "browser", salt="pepper")
    assert not set(one.networks) & set(other.networks)
    assert one.browser != other.browser
    assert "203" not in one.networks[0]
    assert "browser" not in one.browser


def test_seats_without_identity_match_no_person() -> None:
    assert not Identity().same_person(Identity())
