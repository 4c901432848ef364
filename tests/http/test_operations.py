"""The operators' listener, and what stays in reserve for more than players."""

import asyncio
import operator

from structlog.testing import capture_logs

from server.config import Config
from server.web import limits
from server.web.addresses import bind_operations
from server.web.limits import DescriptorLimit, HttpLimits
from server.web.listener import Listener
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import get, raw
from tests.waiting import until_answer

PATHS = ("/healthz", "/readyz", "/metrics")


async def test_operators_have_a_port_of_their_own(listener: Listener) -> None:
    players, operators = listener.port, listener.operations_port
    for path in PATHS:
        assert (await get(operators, path)).status == 200
        assert (await get(players, path)).status == 404
    for path in ("/", "/api/rooms", "/src/main.js", "/ws"):
        assert (await get(operators, path)).status == 404
    listener.draining = True
    assert (await get(operators, "/readyz")).status == 503
    assert (await get(operators, "/healthz")).status == 200


async def test_a_target_that_begins_with_two_slashes_is_refused(listener: Listener) -> None:
    """Regression: a proxy that keeps `/metrics` inside lets `//x/metrics` pass."""
    for target in ("//x/metrics", "//metrics", "//x/ws", "//", "///api/rooms"):
        for port in (listener.port, listener.operations_port):
            answer = await raw(port, f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert answer.startswith(b"HTTP/1.1 400 "), target


def test_operators_have_any_address_that_is_chosen_or_the_next_port_or_a_free_one() -> None:
    for chosen, host in {
        "127.0.0.1:0": "127.0.0.1",
        "0": "127.0.0.1",
        "[::1]:0": "::1",
    }.items():
        with bind_operations(Config(operations=chosen), 8000) as listening_socket:
            assert listening_socket.getsockname()[0] == host
    config = Config()
    with bind_operations(config, 0) as first:
        port = first.getsockname()[1]
        with bind_operations(config, port - 1) as second:  # the next one is taken
            assert second.getsockname()[1] not in {0, port}
    with bind_operations(config, 65_535) as last:  # there is no next one
        assert last.getsockname()[0] == "127.0.0.1"


# Descriptors.


def test_connections_are_turned_away_before_descriptors_run_out() -> None:
    taken = 0
    now = 0.0
    places = DescriptorLimit(2, lambda: taken, lambda: now)
    with capture_logs() as logs:
        assert places.take()
        taken = 2
        assert [places.take() for _ in range(5)] == [False] * 5
        assert len(logs) == 1
        now += limits.LOG_INTERVAL_S
        assert not places.take()
        taken = 1
        assert places.take()
    assert len(logs) == 2
    assert logs[0]["connections"] == 2


async def is_served(port: int) -> bool:
    """Whether a new connection gets an answer, or is closed at once."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        return (await reader.read()).startswith(b"HTTP/1.1 200 ")
    except OSError:
        return False
    finally:
        writer.close()


async def test_players_leave_descriptors_to_the_store_and_to_operators(serving: Serving) -> None:
    async with serving(http=HttpLimits(sockets=3)) as listener:
        ada = await Player.create(listener.port)
        idle = [await asyncio.open_connection("127.0.0.1", listener.port) for _ in range(2)]
        await until_answer(lambda: is_served(listener.port), operator.not_)  # both are accepted
        assert (await get(listener.operations_port, "/readyz")).status == 200
        assert (await ada.ask("ping", t=1))["type"] == "pong"
        for _, writer in idle:
            writer.close()
        await until_answer(lambda: is_served(listener.port), bool)
