import pytest
from structlog.testing import capture_logs
from websockets.datastructures import Headers
from websockets.http11 import Request

from server.config import Config
from server.http import unnamed_proxies
from server.http.listener import Listener
from server.http.refused_handshakes import MENDS, RefusedHandshakes, lacks
from tests.server.http import get
from tests.server.test_metrics import Gauges

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
    refused = RefusedHandshakes(())
    with capture_logs() as logs:
        for _ in range(3):
            refused.notice("127.0.0.1", handshake(("Upgrade",)), origin_allowed=True)
    (line,) = logs
    assert (line["proxy"], line["missing"]) == ("127.0.0.1", "Upgrade")
    assert line["nginx"] == "proxy_set_header Upgrade $http_upgrade;"


def test_a_proxy_elsewhere_is_logged_if_it_is_trusted() -> None:
    """Anybody on the internet may send such a request, and would fill the log."""
    with capture_logs() as logs:
        RefusedHandshakes(()).notice("8.8.8.8", handshake(("Upgrade",)), origin_allowed=True)
        assert logs == []
        trusted = Config(trusted_proxies=["8.8.8.0/24"]).trusted_proxies
        RefusedHandshakes(trusted).notice("8.8.8.8", handshake(("Upgrade",)), origin_allowed=True)
    assert [line["proxy"] for line in logs] == ["8.8.8.8"]


def test_the_number_of_logged_proxies_is_limited() -> None:
    refused = RefusedHandshakes(())
    with capture_logs() as logs:
        for number in range(2 * unnamed_proxies.MOST):
            refused.notice(f"10.0.0.{number}", handshake(("Upgrade",)), origin_allowed=True)
    assert len(logs) == unnamed_proxies.MOST


async def test_refused_handshakes_are_counted_by_what_they_lack(listener: Listener) -> None:
    gauges = Gauges(listener.operations_port)
    await gauges.mark()
    plain = await get(listener.port, "/ws")
    dropped = await get(listener.port, "/ws", **ADDED)
    assert (plain.status, dropped.status) == (426, 426)
    await get(listener.port, "/ws", Upgrade="websocket", Origin="https://evil.example", **ADDED)
    for name, number in {"Upgrade": 1, "Connection": 2, "Origin": 1, "HTTP/1.1": 0}.items():
        counted = f'handshakes_refused_total{{missing="{name}"}}'
        assert await gauges.since(counted) == number, name
