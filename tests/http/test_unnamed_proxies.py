import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers

from server.config import Config
from server.http import unnamed_proxies
from server.http.unnamed_proxies import UnnamedProxies
from server.networks import UNKNOWN_SHARE
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.security.raw import RawSocket
from tests.server.conftest import Serving
from tests.server.http import get

FORWARDED = Headers({"X-Forwarded-For": "203.0.113.5"})


@pytest.mark.parametrize(
    "peer", ["127.0.0.1", "::ffff:127.0.0.1", "::1", "10.0.0.7", "192.168.1.2", "fd00::1"]
)
def test_an_unnamed_proxy_of_this_network_is_logged_once(peer: str) -> None:
    unnamed = UnnamedProxies(())
    with capture_logs() as logs:
        unnamed.notice(peer, FORWARDED)
        unnamed.notice(peer, FORWARDED)
    assert [(line["proxy"], line["option"]) for line in logs] == [
        (peer, f"--trusted-proxies {peer}")
    ]


@pytest.mark.parametrize(
    ("peer", "headers"),
    [
        ("127.0.0.1", Headers()),
        ("8.8.8.8", FORWARDED),
        ("::ffff:8.8.8.8", FORWARDED),
        ("", FORWARDED),
    ],
)
def test_other_peers_are_not_logged(peer: str, headers: Headers) -> None:
    """A request without such headers came directly, and anybody elsewhere may add them."""
    with capture_logs() as logs:
        UnnamedProxies(()).notice(peer, headers)
    assert logs == []


def test_a_trusted_proxy_is_not_logged() -> None:
    trusted = Config(trusted_proxies=["127.0.0.0/8"]).trusted_proxies
    with capture_logs() as logs:
        UnnamedProxies(trusted).notice("127.0.0.1", FORWARDED)
    assert logs == []


def test_the_number_of_logged_proxies_is_limited() -> None:
    unnamed = UnnamedProxies(())
    with capture_logs() as logs:
        for number in range(2 * unnamed_proxies.MOST):
            unnamed.notice(f"10.0.0.{number}", FORWARDED)
    assert len(logs) == unnamed_proxies.MOST


@pytest.mark.parametrize("forwarded", ["unknown", "_hidden", "", "203.0.113.5, unknown", "x" * 99])
def test_a_trusted_proxy_that_hides_its_clients_is_logged_once(forwarded: str) -> None:
    trusted = Config(trusted_proxies=["10.0.0.0/8"]).trusted_proxies
    seen = UnnamedProxies(trusted)
    with capture_logs() as logs:
        for _ in range(2):
            seen.notice("10.0.0.1", Headers({"X-Forwarded-For": forwarded}))
    assert [(line["proxy"], line["forwarded"]) for line in logs] == [
        ("10.0.0.1", forwarded.rpartition(", ")[2][: unnamed_proxies.MAX_HIDDEN_LENGTH])
    ]


@pytest.mark.parametrize("name", ["Upgrade", "Forwarded", "X-Real-Ip"])
def test_a_trusted_proxy_without_the_header_is_logged_for_requests_of_clients(name: str) -> None:
    trusted = Config(trusted_proxies=["10.0.0.0/8"]).trusted_proxies
    seen = UnnamedProxies(trusted)
    with capture_logs() as logs:
        seen.notice("10.0.0.1", Headers())  # it looks whether the server is there
        assert logs == []
        seen.notice("10.0.0.1", Headers({name: "websocket"}))
    assert [(line["proxy"], line["forwarded"]) for line in logs] == [("10.0.0.1", "nothing")]


def test_the_inner_one_of_two_proxies_that_hides_its_clients_is_named() -> None:
    trusted = Config(trusted_proxies=["10.0.0.0/8"]).trusted_proxies
    with capture_logs() as logs:
        UnnamedProxies(trusted).notice(
            "10.0.0.1", Headers({"X-Forwarded-For": "unknown, 10.0.0.2"})
        )
    assert [line["proxy"] for line in logs] == ["10.0.0.2"]


def test_players_who_all_come_from_the_gateway_of_the_proxys_network_are_logged_once() -> None:
    """Docker's own proxy takes IPv6 for containers that have none."""
    trusted = Config(trusted_proxies=["172.31.77.0/24", "fd00:77::/64"]).trusted_proxies
    seen = UnnamedProxies(trusted)
    gateways = ["172.31.77.1", "fd00:77::1"]
    with capture_logs() as logs:
        for forwarded in (*gateways, *gateways, "2001:db8::7"):
            seen.notice("172.31.77.3", Headers({"X-Forwarded-For": forwarded}))
    assert [(line["proxy"], line["forwarded"]) for line in logs] == [
        ("172.31.77.3", gateway) for gateway in gateways
    ]


async def test_clients_that_a_proxy_hides_have_a_larger_budget_together(serving: Serving) -> None:
    """Regression: twenty wrong codes of one of them kept all of them out."""
    sessions = SessionLimits(guesses=Rate(2, 0.001))
    async with serving(sessions=sessions, trusted_proxies=("127.0.0.0/8",)) as listener:

        async def guess(forwarded: str) -> int:
            path = "/api/rooms/0000000"
            return (await get(listener.port, path, X_Forwarded_For=forwarded)).status

        with capture_logs() as logs:
            hidden = [await guess("unknown") for _ in range(2 * UNKNOWN_SHARE + 1)]
        assert hidden == [404] * 2 * UNKNOWN_SHARE + [429]
        named = [await guess(hop) for hop in ("203.0.113.5:1024", "203.0.113.5:2", "203.0.113.5")]
        assert named == [404, 404, 429]
        assert await guess('"[2001:db8::1]:443"') == 404
    assert [line["forwarded"] for line in logs if "forwarded" in line] == ["unknown"]


async def test_a_server_names_the_proxy_in_front_of_it(serving: Serving) -> None:
    with capture_logs() as logs:
        async with serving() as listener:
            eve = await RawSocket.open(listener.port, X_Forwarded_For="203.0.113.5")
            await eve.leave()
    assert [line["proxy"] for line in logs if "proxy" in line] == ["127.0.0.1"]
