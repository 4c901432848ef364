"""What the log says of proxies that nobody named, hide their clients, or drop headers."""

import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.config import Config
from server.http import unnamed_proxies
from server.http.listener import Listener
from server.http.refused_handshakes import MENDS, RefusedHandshakes, lacks
from server.http.unnamed_proxies import UnnamedProxies
from server.networks import UNKNOWN_SHARE
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.server.http import get
from tests.server.test_metrics import Gauges
from tests.world.stage import Stage, staged
from tests.world.stage import get as ask

FORWARDED = Headers({"X-Forwarded-For": "203.0.113.5"})
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


# Proxies that nobody named


@pytest.mark.parametrize(
    ("peer", "headers", "is_logged"),
    [
        *(("127.0.0.1", FORWARDED, True), ("::ffff:127.0.0.1", FORWARDED, True)),
        *(("::1", FORWARDED, True), ("10.0.0.7", FORWARDED, True)),
        *(("192.168.1.2", FORWARDED, True), ("fd00::1", FORWARDED, True)),
        # A request without such headers came directly, and anybody elsewhere may add them.
        ("127.0.0.1", Headers(), False),
        *(("8.8.8.8", FORWARDED, False), ("::ffff:8.8.8.8", FORWARDED, False)),
        ("", FORWARDED, False),
    ],
)
def test_an_unnamed_proxy_of_this_network_is_logged_once(
    peer: str, headers: Headers, *, is_logged: bool
) -> None:
    unnamed = UnnamedProxies(())
    with capture_logs() as logs:
        for _ in range(2):
            unnamed.notice(peer, headers)
    told = [(peer, f"--trusted-proxies {peer}")] if is_logged else []
    assert [(line["proxy"], line["option"]) for line in logs] == told


def test_the_number_of_logged_proxies_is_limited() -> None:
    unnamed, refused = UnnamedProxies(()), RefusedHandshakes(())
    with capture_logs() as logs:
        for number in range(2 * unnamed_proxies.MOST):
            unnamed.notice(f"10.0.0.{number}", FORWARDED)
            refused.notice(f"10.0.0.{number}", handshake(("Upgrade",)), origin_allowed=True)
    assert len(logs) == 2 * unnamed_proxies.MOST


# Trusted proxies that hide their clients


@pytest.mark.parametrize(
    ("headers", "logged"),
    [
        *(({"X-Forwarded-For": hop}, hop) for hop in ("unknown", "_hidden", "", "x" * 99)),
        ({"X-Forwarded-For": "203.0.113.5, unknown"}, "unknown"),
        ({}, None),  # it looks whether the server is there
        *(({name: "websocket"}, "nothing") for name in ("Upgrade", "Forwarded", "X-Real-Ip")),
        ({"X-Forwarded-For": "203.0.113.5"}, None),
    ],
)
def test_a_trusted_proxy_that_hides_its_clients_is_logged_once(
    headers: dict[str, str], logged: str | None
) -> None:
    seen = UnnamedProxies(Config(trusted_proxies=["10.0.0.0/8"]).trusted_proxies)
    with capture_logs() as logs:
        for _ in range(2):
            seen.notice("10.0.0.1", Headers(headers))
    cut = None if logged is None else logged[: unnamed_proxies.MAX_HIDDEN_LENGTH]
    told = [] if cut is None else [("10.0.0.1", cut)]
    assert [(line["proxy"], line["forwarded"]) for line in logs] == told


@pytest.mark.parametrize(
    ("peer", "forwarded", "logged"),
    [
        ("10.0.0.1", ["unknown, 10.0.0.2"], ["10.0.0.2 unknown"]),  # the inner one of two
        # Docker's own proxy takes IPv6 for containers that have none: all are the gateway.
        (
            "172.31.77.3",
            [*["172.31.77.1", "fd00:77::1"] * 2, "2001:db8::7"],
            ["172.31.77.3 172.31.77.1", "172.31.77.3 fd00:77::1"],
        ),
    ],
)
def test_the_proxy_that_hides_its_clients_is_named(
    peer: str, forwarded: list[str], logged: list[str]
) -> None:
    networks = ["10.0.0.0/8", "172.31.77.0/24", "fd00:77::/64"]
    seen = UnnamedProxies(Config(trusted_proxies=networks).trusted_proxies)
    with capture_logs() as logs:
        for hops in forwarded:
            seen.notice(peer, Headers({"X-Forwarded-For": hops}))
    assert [f"{line['proxy']} {line['forwarded']}" for line in logs] == logged


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


@pytest.mark.parametrize(
    ("request_", "origin_allowed", "lacking"),
    [
        (handshake(), True, []),
        (handshake(), False, ["Origin"]),
        (handshake(("Upgrade",)), True, ["Upgrade"]),
        (handshake(("Connection",)), True, ["Connection"]),
        (handshake(("Upgrade", "Connection"), "HTTP/1.0"), False, list(MENDS)),
        (handshake(("Upgrade", "Connection", "Sec-WebSocket-Key")), True, []),
    ],
)
def test_what_a_handshake_lacks(
    request_: Request, origin_allowed: bool, lacking: list[str]
) -> None:
    assert lacks(request_, origin_allowed=origin_allowed) == lacking


def test_a_proxy_that_drops_headers_is_logged_once_with_the_mend() -> None:
    """Anybody on the internet may send such a request, and would fill the log."""
    refused = RefusedHandshakes(Config(trusted_proxies=["8.8.8.0/24"]).trusted_proxies)
    with capture_logs() as logs:
        for peer in ("127.0.0.1", "8.8.8.8", "9.9.9.9") * 2:
            refused.notice(peer, handshake(("Upgrade",)), origin_allowed=True)
    told = ("Upgrade", "proxy_set_header Upgrade $http_upgrade;")
    assert [(line["proxy"], line["missing"], line["nginx"]) for line in logs] == [
        ("127.0.0.1", *told),
        ("8.8.8.8", *told),
    ]


async def test_refused_handshakes_are_counted_by_what_they_lack(
    listener: Listener,
) -> None:
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
