"""The routes of the operators' port."""

from server.web.listener import Listener
from tests.server.http import get, raw

PATHS = ("/healthz", "/readyz", "/metrics")


async def test_operators_have_a_port_of_their_own(listener: Listener) -> None:
    players, operators = listener.port, listener.operations_port
    for path in PATHS:
        assert (await get(operators, path)).status == 200
        assert (await get(players, path)).status == 404
    for path in ("/", "/api/rooms", "/src/main.js", "/ws"):
        assert (await get(operators, path)).status == 404
    listener.is_draining = True
    assert (await get(operators, "/readyz")).status == 503
    assert (await get(operators, "/healthz")).status == 200


async def test_a_target_that_begins_with_two_slashes_is_refused(listener: Listener) -> None:
    """Regression: a proxy that keeps `/metrics` inside lets `//x/metrics` pass."""
    for target in ("//x/metrics", "//metrics", "//x/ws", "//", "///api/rooms"):
        for port in (listener.port, listener.operations_port):
            answer = await raw(port, f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert answer.startswith(b"HTTP/1.1 400 "), target
