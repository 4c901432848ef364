import pytest

from server.rooms.identity import ClientOrigin, Identity, identify


def of(address: str, browser: str = "", salt: str = "salt") -> Identity:
    return identify(salt, ClientOrigin(address, browser))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (ClientOrigin("203.0.113.7", "a"), ClientOrigin("203.0.113.7", "b"), True),
        (ClientOrigin("203.0.113.7", "a"), ClientOrigin("203.0.113.8", "a"), True),
        (ClientOrigin("203.0.113.7", "a"), ClientOrigin("203.0.113.8", "b"), False),
        (ClientOrigin("203.0.113.7"), ClientOrigin("203.0.113.8"), False),
        (ClientOrigin("2001:db8::/64", "a"), ClientOrigin("2001:db8::9", "b"), True),
        (ClientOrigin("2001:db8::/64", "a"), ClientOrigin("2001:db8:0:1::/64", "b"), False),
        # Everybody is on the loopback behind a proxy that was not named; browsers still differ.
        (ClientOrigin("127.0.0.1", "a"), ClientOrigin("127.0.0.1", "b"), False),
        (ClientOrigin("::/64", "a"), ClientOrigin("::1", "b"), False),
        (ClientOrigin("127.0.0.1", "a"), ClientOrigin("127.0.0.1", "a"), True),
        (ClientOrigin("127.0.0.1"), ClientOrigin("127.0.0.1"), True),
        (ClientOrigin("", "a"), ClientOrigin("", "b"), False),
    ],
)
def test_one_person_by_network_or_browser(
    one: ClientOrigin, other: ClientOrigin, same: bool
) -> None:
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
