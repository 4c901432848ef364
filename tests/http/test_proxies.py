import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers

from server.config import Config
from server.http import proxies
from server.http.proxies import UnnamedProxies
from tests.security.raw import RawSocket
from tests.server.conftest import Serving

FORWARDED = Headers({"X-Forwarded-For": "203.0.113.5"})


@pytest.mark.parametrize("peer", ["127.0.0.1", "::1", "10.0.0.7", "192.168.1.2", "fd00::1"])
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
        for number in range(2 * proxies.MOST):
            unnamed.notice(f"10.0.0.{number}", FORWARDED)
    assert len(logs) == proxies.MOST


async def test_a_server_names_the_proxy_in_front_of_it(serving: Serving) -> None:
    with capture_logs() as logs:
        async with serving() as listener:
            eve = await RawSocket.open(listener.port, X_Forwarded_For="203.0.113.5")
            await eve.leave()
    assert [line["proxy"] for line in logs if "proxy" in line] == ["127.0.0.1"]
