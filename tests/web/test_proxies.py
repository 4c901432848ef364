"""The client of a request, and warnings about proxies that hide it or drop headers."""

from ipaddress import ip_network

import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.config import Config
from server.networks import UNKNOWN_SHARE, locates_client, networks_of, unknown_clients_of
from server.sessions.limits import Rate, SessionLimits
from server.web.listener import Listener
from server.web.proxies import (
    MAX_LOGGED_LENGTH,
    MAX_PROXIES,
    NGINX_FIXES,
    ProxyLog,
    address_of_hop,
    client_network,
    counted_network,
    missing_parts,
)
from tests.nginx import SAMPLE
from tests.server.http import get
from tests.server.test_metrics import Gauges
from tests.world.stage import Stage, staged
from tests.world.stage import get as ask

PROXIES = [ip_network("192.0.2.0/24")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "counted"),
    [
        ("203.0.113.7", None, "203.0.113.7"),
        ("203.0.113.7", "198.51.100.9", "203.0.113.7"),  # any client may send the header
        ("2001:db8::7", None, "2001:db8::/64"),
        ("127.0.0.1", None, None),  # an unnamed proxy
        ("::1", None, None),
        ("::ffff:127.0.0.1", None, None),
        ("192.0.2.1", None, None),  # our own proxy, which checks our health
        ("192.0.2.1", "203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "198.51.100.9, 203.0.113.7", "203.0.113.7"),
        ("192.0.2.1", "203.0.113.7, 192.0.2.2", "203.0.113.7"),
        ("192.0.2.1", "192.0.2.77", "192.0.2.77"),  # a client in the proxies' own network
        ("192.0.2.1", "nonsense", None),
        ("192.0.2.1", "unknown, 192.0.2.2", None),  # the inner proxy hides its client
        ("192.0.2.1", "198.51.100.9, unknown", None),  # anything before it may be forged
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
    assert counted_network(peer, headers, PROXIES) == counted


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
        assert client_network("192.0.2.1", headers, PROXIES) == limited, forwarded
        assert client_network("198.51.100.9", headers, PROXIES) == "198.51.100.9"


def test_clients_that_a_proxy_hides_have_larger_limits_and_no_network_in_rooms() -> None:
    name = unknown_clients_of("192.0.2.1")
    assert networks_of(name) == ((name, UNKNOWN_SHARE),)
    assert not locates_client(name)


FORWARDED = {"X-Forwarded-For": "203.0.113.5"}
TRUSTED = ["10.9.0.0/16", "172.31.77.0/24", "fd00:77::/64"]
WHOLE = {
    "Host": "race.example.org",
    "Origin": "https://race.example.org",
    "Upgrade": "websocket",
    "Connection": "keep-alive, Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version": "13",
}
ADDED = {"Sec_WebSocket_Key": WHOLE["Sec-WebSocket-Key"], "Sec_WebSocket_Version": "13"}


def handshake(without: tuple[str, ...] = (), protocol: str = "HTTP/1.1") -> Request:
    headers = Headers({name: value for name, value in WHOLE.items() if name not in without})
    return Request("/ws", headers, protocol=protocol)


# Proxies that nobody named, and trusted ones that hide their clients


def logged(peer: str, *requests: dict[str, str]) -> list[tuple[str, str]]:
    """Send requests twice; return the logged proxies, with the advice about them."""
    proxies = ProxyLog(Config(trusted_proxies=TRUSTED).trusted_proxies)
    with capture_logs() as logs:
        for headers in requests * 2:
            proxies.notice(peer, Headers(headers))
    return [(line["proxy"], line.get("option", line.get("forwarded"))) for line in logs]


@pytest.mark.parametrize(
    ("peer", "is_logged"),
    [
        *(("127.0.0.1", True), ("::ffff:127.0.0.1", True), ("::1", True), ("10.0.0.7", True)),
        *(("192.168.1.2", True), ("fd00::1", True)),
        *(("8.8.8.8", False), ("::ffff:8.8.8.8", False), ("", False)),  # anybody may add headers
    ],
)
def test_an_unnamed_proxy_of_this_network_is_logged_once(peer: str, *, is_logged: bool) -> None:
    hint = [(peer, f"--trusted-proxies {peer}")] if is_logged else []
    assert logged(peer, FORWARDED) == hint
    assert logged(peer, {}) == []  # a request without a proxy


@pytest.mark.parametrize(
    ("hops", "shown"),
    [
        *((hop, hop) for hop in ("unknown", "_hidden", "")),
        ("x" * 99, "x" * MAX_LOGGED_LENGTH),
        *(("203.0.113.5, unknown", "unknown"), ("203.0.113.5", None)),
    ],
)
def test_a_trusted_proxy_that_hides_its_clients_is_logged_once(
    hops: str, shown: str | None
) -> None:
    expected = [] if shown is None else [("10.9.0.1", shown)]
    assert logged("10.9.0.1", {"X-Forwarded-For": hops}) == expected


def test_the_proxy_that_hides_its_clients_is_named() -> None:
    inner = {"X-Forwarded-For": "unknown, 10.9.0.2"}
    assert logged("10.9.0.1", inner) == [("10.9.0.2", "unknown")]
    assert logged("10.9.0.1", {}) == []  # the proxy checks the server's health
    for name in ("Origin", "Forwarded", "X-Real-Ip"):
        assert logged("10.9.0.1", {name: "https://race"}) == [("10.9.0.1", "nothing")]
    # Docker's proxy accepts IPv6 for containers without it: all clients appear as the gateway.
    gateways = ["172.31.77.1", "fd00:77::1"]
    docker = [{"X-Forwarded-For": hop} for hop in (*gateways, "2001:db8::7")]
    assert logged("172.31.77.3", *docker) == [("172.31.77.3", hop) for hop in gateways]


def test_an_operator_who_comes_without_the_proxy_is_not_taken_for_it() -> None:
    """Regression: the log took a websocket to localhost for one of the trusted proxy."""
    upgrade = {"Upgrade": "websocket"}
    here = ("http://localhost:8000", "http://127.0.0.1:8000", "https://[::1]")
    assert logged("10.9.0.1", upgrade, *(upgrade | {"Origin": each} for each in here)) == []
    assert logged("10.9.0.1", {"Origin": "https://localhost.example"}) != []


def test_the_number_of_logged_proxies_is_limited() -> None:
    proxies = ProxyLog(())
    with capture_logs() as logs:
        for number in range(2 * MAX_PROXIES):
            proxies.notice(f"10.0.0.{number}", Headers(FORWARDED))
            proxies.note_refusal(f"10.0.0.{number}", handshake(("Upgrade",)), origin_allowed=True)
    assert len(logs) == 2 * MAX_PROXIES


@staged
async def test_clients_that_a_proxy_hides_have_a_larger_budget_together(stage: Stage) -> None:
    """Regression: twenty wrong codes of one of them kept all of them out."""
    sessions = SessionLimits(guesses=Rate(2, 0.001))
    port = stage.process(limits=sessions, trusted_proxies=("127.0.0.0/8",)).port

    async def guess(forwarded: str) -> int:
        return (await ask(port, "/api/rooms/0000000", X_Forwarded_For=forwarded)).status

    hidden = [await guess("unknown") for _ in range(2 * UNKNOWN_SHARE + 1)]
    assert hidden == [404] * 2 * UNKNOWN_SHARE + [429]
    named = [await guess(hop) for hop in ("203.0.113.5:1024", "203.0.113.5:2", "203.0.113.5")]
    assert named == [404, 404, 429]
    assert await guess('"[2001:db8::1]:443"') == 404


# Proxies that drop headers of handshakes


def test_what_a_handshake_lacks() -> None:
    for without, allowed, lacking in (
        ((), True, []),
        ((), False, ["Origin"]),
        (("Upgrade",), True, ["Upgrade"]),
        (("Connection",), True, ["Connection"]),
        (("Upgrade", "Connection", "Sec-WebSocket-Key"), True, []),
    ):
        assert missing_parts(handshake(without), origin_allowed=allowed) == lacking
    old = handshake(("Upgrade", "Connection"), "HTTP/1.0")
    assert missing_parts(old, origin_allowed=False) == list(NGINX_FIXES)


def test_a_proxy_is_logged_again_once_it_drops_other_headers() -> None:
    proxies = ProxyLog(())
    with capture_logs() as logs:
        for without in ("Upgrade", "Connection") * 2:
            proxies.note_refusal("10.0.0.1", handshake((without,)), origin_allowed=True)
    assert [line["missing"] for line in logs] == ["Upgrade", "Connection"]


def test_a_proxy_that_drops_headers_is_logged_once_with_the_mend() -> None:
    """Anybody on the internet may send such a request, and would fill the log."""
    refused = ProxyLog(Config(trusted_proxies=["8.8.8.0/24"]).trusted_proxies)
    with capture_logs() as logs:
        for peer in ("127.0.0.1", "8.8.8.8", "9.9.9.9") * 2:
            refused.note_refusal(peer, handshake(("Upgrade",)), origin_allowed=True)
    hint = ("Upgrade", "proxy_set_header Upgrade $http_upgrade;")
    assert [(line["proxy"], line["missing"], line["nginx"]) for line in logs] == [
        ("127.0.0.1", *hint),
        ("8.8.8.8", *hint),
    ]


def test_a_refused_origin_is_logged_with_the_host_that_the_proxy_passes_on() -> None:
    """Regression: the log said that the proxy drops a header."""
    with capture_logs() as logs:
        for name, request in (
            ("10.0.0.1", handshake()),
            ("10.0.0.2", handshake(("Upgrade", "Connection"), "HTTP/1.0")),
        ):
            del request.headers["Host"]
            request.headers["Host"] = "127.0.0.1:8000"
            ProxyLog(()).note_refusal(name, request, origin_allowed=False)
    for line, missing in zip(logs, (None, "HTTP/1.1, Upgrade, Connection"), strict=True):
        assert "the page's origin is not the host that the proxy passes on" in line["event"]
        assert line.get("missing") == missing
        assert (line["origin"], line["host"]) == (WHOLE["Origin"], "127.0.0.1:8000")
        advice = "proxy_set_header Host $http_host;"
        assert advice in line["nginx"]
        assert advice in SAMPLE.read_text()


async def test_refused_handshakes_are_counted_by_what_they_lack(listener: Listener) -> None:
    gauges = Gauges(listener.operations_port)
    await gauges.mark()
    assert (await get(listener.port, "/ws")).status == 426
    assert (await get(listener.port, "/ws", **ADDED)).status == 426
    with capture_logs() as logs:  # and the server names the proxy in front of it
        headers = {"Upgrade": "websocket", "Origin": "https://evil.example"}
        await get(listener.port, "/ws", X_Forwarded_For="203.0.113.5", **headers, **ADDED)
    assert {line["proxy"] for line in logs if "proxy" in line} == {"127.0.0.1"}
    for name, number in {"Upgrade": 1, "Connection": 2, "Origin": 1, "HTTP/1.1": 0}.items():
        counted = f'handshakes_refused_total{{missing="{name}"}}'
        assert await gauges.since(counted) == number, name
