"""All connections of a process, checked together."""

import asyncio

import pytest
from structlog.testing import capture_logs

from server.http.limits import HttpLimits
from server.websocket.connection import WebsocketConnection
from tests.players import Player
from tests.server.conftest import Serving

CHECKS = 3


async def test_a_connection_whose_check_fails_is_closed_alone(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    checks, checked = 0, asyncio.Event()
    check = WebsocketConnection.check

    def failing(connection: WebsocketConnection, now: float) -> None:
        nonlocal checks
        if connection is broken:
            raise RuntimeError("cannot be checked")
        check(connection, now)
        checks += 1
        if checks == CHECKS:
            checked.set()

    async with serving(http=HttpLimits(check_s=0.01)) as listener:
        ada = await Player.create(listener.port)
        (broken,) = [each for each in listener.connections if not each.is_of_operator]
        bob = await Player.join(listener.port, ada.code, "Bob")
        with capture_logs() as logs:
            monkeypatch.setattr(WebsocketConnection, "check", failing)
            assert await ada.closed() == 1006
            await checked.wait()
        assert (await bob.ask("ping", t=1))["type"] == "pong"
        assert (await ada.resume(listener.port)).seat == ada.seat
    failures = [entry for entry in logs if entry["event"] == "connection failed"]
    assert [entry["exc_info"] for entry in failures] == [True]
