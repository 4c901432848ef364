from ipaddress import ip_network

import pytest
from websockets.datastructures import Headers

from server.networks import UNKNOWN_SHARE, locates_client, networks_of, unknown_clients_of
from server.web.clients import address_of_hop, counted_as, limited_as
from server.web.limits import ConnectionLimit

PROXIES = [ip_network("192.0.2.0/24")]


def test_loopback_is_everybody_behind_a_proxy_that_was_not_named() -> None:
    crowd = ConnectionLimit(1)
    assert all(crowd.enter(address) for address in ("127.0.0.1", "127.0.0.1", "::1", "::1"))


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.9", "203.0.113.7"),  # any client may send the header
        ("2001:db8::7", None, "2001:db8::/64"),
        ("127.0.0.1", None, None),  # an unnamed proxy
        ("::1", None, None),
        ("::ffff:127.0.0.1", None, None),
        ("192.0.2.1", None, None),  # a proxy of ours, for itself: it looks after our health
        ("192.0.2.1", "203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "198.51.100.9, 203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "203.0.113.7, 192.0.2.2", "203.0.113.7"),
        ("192.0.2.1", "192.0.2.77", "192.0.2.77"),  # a client in the proxies' own network
        ("192.0.2.1", "nonsense", None),
        ("192.0.2.1", "unknown, 192.0.2.2", None),  # the inner proxy hides its client
        ("192.0.2.1", "198.51.100.9, unknown", None),  # what stands before it may be forged
        ("192.0.2.1", "203.0.113.7:51234", "203.0.113.7"),
        ("192.0.2.1", "[2001:db8::1]:443", "2001:db8::/64"),
        ("unix", "203.0.113.7", "unix"),
        # Peers of a socket that listens on `::`.
        ("::ffff:192.0.2.1", "203.0.113.7", "203.0.113.7"),
        ("::ffff:198.51.100.9", "203.0.113.7", "198.51.100.9"),
    ],
)
def test_whom_a_request_counts_for(peer: str, forwarded: str | None, counted: str | None) -> None:
    headers = Headers() if forwarded is None else Headers({"X-Forwarded-For": forwarded})
    assert counted_as(peer, headers, PROXIES) == counted


def test_an_entry_is_read_with_port_brackets_and_quotes() -> None:
    read = {
        "203.0.113.7": ("203.0.113.7", " 203.0.113.7:51234 ", '"203.0.113.7:51234"'),
        "2001:db8::1": ("2001:db8::1", "[2001:db8::1]:443", '"[2001:db8::1]:443"'),
        "::ffff:203.0.113.7": ("[::ffff:203.0.113.7]:1",),
        None: (
            *("", "unknown", "_hidden", "203.0.113.7:", "203.0.113.7:port", "for=203.0.113.7"),
            *("203.0.113.256:80", "203.0.113.7:80:80", "[2001:db8::1"),
        ),
    }
    for address, hops in read.items():
        assert {address_of_hop(hop) for hop in hops} == {address}


def test_clients_that_a_proxy_hides_are_limited_together_and_not_as_the_proxy() -> None:
    for forwarded, limited in {
        "203.0.113.7:51234": "203.0.113.7",
        "unknown": "unknown clients of 192.0.2.1",
        "": "unknown clients of 192.0.2.1",
        "unknown, 192.0.2.2": "unknown clients of 192.0.2.2",
        "203.0.113.7, unknown": "unknown clients of 192.0.2.1",
        None: "192.0.2.1",
    }.items():
        headers = Headers() if forwarded is None else Headers({"X-Forwarded-For": forwarded})
        assert limited_as("192.0.2.1", headers, PROXIES) == limited, forwarded
        assert limited_as("198.51.100.9", headers, PROXIES) == "198.51.100.9"


def test_clients_that_a_proxy_hides_have_larger_limits_and_no_network_in_rooms() -> None:
    name = unknown_clients_of("192.0.2.1")
    assert networks_of(name) == ((name, UNKNOWN_SHARE),)
    assert not locates_client(name)
