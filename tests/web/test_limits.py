"""The connections of a process: how many an address may have, and how they are checked."""

import asyncio
import contextlib
import itertools
import operator
from unittest.mock import Mock

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.sessions.limits import Rate
from server.web import limits as web_limits
from server.web import responses
from server.web.files import IMPORTS, read_files
from server.web.limits import HTTP_LIMITS, ConnectionLimits, HttpLimits
from server.web.routes import ROOT
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import get
from tests.waiting import until, until_answer
from tests.web.test_requests import UPGRADE, RawConnection, Slow, ask, raw_connection

PROXY = ("127.0.0.0/8",)
HERE, THERE = {"X_Forwarded_For": "203.0.113.5"}, {"X_Forwarded_For": "198.51.100.9"}


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the loopback count like any other address."""
    monkeypatch.setattr("server.web.proxies.is_loopback", lambda _address: False)


def turned_away(limit: str) -> float:
    value = metrics.REGISTRY.get_sample_value("spider_race_turned_away_total", {"limit": limit})
    return value or 0.0


async def status_of(connection: RawConnection, request: bytes = ask()) -> int:
    connection.writer.write(request)
    return (await connection.response()).status


async def test_requests_of_an_address_are_counted_and_the_proxys_own_are_not(
    serving: Serving,
) -> None:
    before = turned_away("requests")
    async with serving(http=HttpLimits(requests=Rate(1, 0.01)), trusted_proxies=PROXY) as listener:
        answers = [await get(listener.port, "/api/rooms", **HERE) for _ in range(2)]
        assert [answer.status for answer in answers] == [200, 429]
        assert turned_away("requests") == before + 1
        for _ in range(3):  # as for a health check
            assert (await get(listener.port, "/api/rooms")).status == 200


def test_a_classroom_behind_one_address_may_open_the_page_at_once() -> None:
    sheets = (ROOT / "web_client" / "css").rglob("*.css")
    parts = [part for sheet in sheets for part in IMPORTS.findall(sheet.read_text())]
    files = len(read_files(ROOT / "web_client")) - len(parts)  # imported sheets come inside others
    connections, pupils = 6, 60
    assert pupils * (files + connections + 1) <= HTTP_LIMITS.visits.burst
    assert pupils * 10 <= HTTP_LIMITS.requests.burst


@pytest.mark.usefixtures("counting")
async def test_a_long_board_counts_as_many_requests(serving: Serving) -> None:
    """Regression: one address could keep a processor busy with boards of a thousand rows."""
    board = "/api/days/2026-11-28/spider-1?rows="
    async with serving(http=HttpLimits(requests=Rate(20, 0.001))) as listener:
        statuses = [
            (await get(listener.port, f"{board}{rows}")).status for rows in (50, 1_000, 50)
        ]
    assert statuses == [404, 404, 429]


@pytest.mark.usefixtures("counting")
async def test_plain_connections_are_counted_by_address(serving: Serving) -> None:
    """Regression: connections without a websocket were not counted: one address could have all."""
    before = turned_away("connections")
    async with (
        serving(http=HttpLimits(turned_away=1), connections_per_address=2) as listener,
        raw_connection(listener.port) as first,
        raw_connection(listener.port) as second,
    ):
        assert [await status_of(here) for here in (first, second)] == [200, 200]
        async with raw_connection(listener.port) as third, raw_connection(listener.port) as fourth:
            assert await fourth.over()  # too many surplus connections for a response
            third.writer.write(ask())
            answer = await third.response()
            assert answer.status == 429
            assert answer.headers["retry-after"] == str(responses.RETRY_AFTER_S)
            assert b"too many connections from your address" in answer.body
            assert await third.over()
        assert turned_away("connections") == before + 2
        await until(lambda: not listener.connection_limits.turned_away.counts)
        async with raw_connection(listener.port) as silent:
            await until(lambda: len(listener.connections) == 3)
            for connection in list(listener.connections):
                connection.check(listener.now_s() + 1.5)
            assert await silent.over()  # it has sent no request
        assert await status_of(first) == 200
        first.writer.close()
        await until(lambda: len(listener.connections) <= 1)
        async with raw_connection(listener.port) as fifth:
            assert await status_of(fifth) == 200
        # A websocket no longer counts as a plain connection.
        await until(lambda: len(listener.connections) <= 1)
        second.writer.close()
        players = [await Player.create(listener.port) for _ in range(2)]
        assert (await get(listener.port, "/")).status == 200
        assert len(players) == 2
    limits = listener.connection_limits
    assert not limits.connections.counts
    assert not limits.turned_away.counts


async def test_behind_a_proxy_requests_under_way_are_counted_by_client(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy's connections carry all clients' requests, so the requests are counted instead."""
    http = HttpLimits(listed_s=0.0)
    async with serving(http=http, trusted_proxies=PROXY, connections_per_address=2) as listener:
        listing = Slow(monkeypatch, listener.services.store.lists, "public")
        monkeypatch.setattr(listener.routes.room_list, "lock", contextlib.nullcontext())
        waiting = [asyncio.create_task(get(listener.port, "/api/rooms", **HERE)) for _ in range(2)]
        for _ in waiting:
            await listing.asked.acquire()
        assert (await get(listener.port, "/", **HERE)).status == 429
        assert (await get(listener.port, "/", **THERE)).status == 200
        for _ in range(4):
            async with raw_connection(listener.port) as own:
                assert await status_of(own) == 200
        listing.go.set()
        assert [(await one).status for one in waiting] == [200, 200]
        assert (await get(listener.port, "/", **HERE)).status == 200
        async with raw_connection(listener.port) as kept:  # for a client, then for the proxy
            for more in ("X-Forwarded-For: 203.0.113.5\r\n", ""):
                assert await status_of(kept, ask(more=more)) == 200
        assert not listener.connection_limits.connections.counts


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize(
    ("trusted", "request_", "opened"),
    [
        ((), ask("/api/rooms"), 200),
        (PROXY, ask("/ws", more=f"{UPGRADE}X-Forwarded-For: 203.0.113.5\r\n"), 101),
    ],
)
async def test_connections_opened_again_and_again_are_requests(
    serving: Serving, trusted: tuple[str, ...], request_: bytes, opened: int
) -> None:
    limits = HttpLimits(visits=Rate(3, 0.01))
    async with serving(http=limits, trusted_proxies=trusted) as listener:
        answers = []
        for _ in range(4):
            async with raw_connection(listener.port) as here:
                answers.append(await status_of(here, request_))
        assert answers == [opened] * 3 + [429]


async def test_a_connection_whose_check_fails_is_closed_alone(serving: Serving) -> None:
    async with serving(http=HttpLimits(check_s=0.01)) as listener:
        ada = await Player.create(listener.port)
        (broken,) = [each for each in listener.connections if not each.is_of_operator]
        bob = await Player.join(listener.port, ada.code, "Bob")
        (other,) = set(listener.connections) - {broken}
        with capture_logs() as logs:
            vars(other)["check"] = checked = Mock(wraps=other.check)
            vars(broken)["check"] = Mock(side_effect=RuntimeError("cannot be checked"))
            assert await ada.closed() == 1006
            before = checked.call_count
            await until(lambda: checked.call_count > before + 1)
        assert (await bob.ask("ping", t=1))["type"] == "pong"
        assert (await ada.resume(listener.port)).seat == ada.seat
    failures = [entry for entry in logs if entry["event"] == "connection failed"]
    assert [entry["exc_info"] for entry in failures] == [True]


async def test_an_answer_that_cannot_be_sent_closes_its_connection(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: its peer waited for the answer until a check found the connection idle."""
    async with (
        serving(http=HttpLimits(check_s=3_600)) as listener,
        raw_connection(listener.port) as connection,
    ):
        with monkeypatch.context() as patch, capture_logs() as logs:
            broken = Mock(side_effect=RuntimeError("cannot be sent"))
            patch.setattr(web_limits.UnreadBodies, "may_send", broken)
            connection.writer.write(ask())
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await connection.response()
        assert "connection failed" in [entry["event"] for entry in logs]
        assert (await get(listener.port, "/")).status == 200


async def test_after_a_stop_messages_are_read_before_their_peers_are_checked(
    serving: Serving,
) -> None:
    """Regression: after a stop of 44 s peers were closed before their messages were read."""
    async with serving(http=HttpLimits(check_s=0.01)) as listener:
        listener.connections.add(peer := Mock())
        await until(lambda: peer.check.called)
        now, stops = listener.now_s, itertools.count(now_s := listener.now_s() + 44, 44)
        listener.now_s = lambda: next(stops)
        await until(lambda: next(stops) > now_s + 10 * 44)
        peer.check.reset_mock()
        await until(lambda: next(stops) > now_s + 20 * 44)
        assert not peer.check.called
        listener.now_s = now
        await until(lambda: peer.check.called)


def test_connections_are_turned_away_before_descriptors_run_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    taken, now = 0, 0.0
    monkeypatch.setattr(web_limits, "monotonic", lambda: now)
    places = ConnectionLimits(1, lambda: taken, HttpLimits(sockets=2))
    with capture_logs() as logs:
        assert places.accept_socket()
        taken = 2
        assert [places.accept_socket() for _ in range(5)] == [False] * 5
        assert len(logs) == 1
        now += web_limits.LOG_INTERVAL_S
        assert not places.accept_socket()
        taken = 1
        assert places.accept_socket()
    assert len(logs) == 2
    assert logs[0]["connections"] == 2


async def is_served(port: int) -> bool:
    """Return whether a new connection gets an answer, rather than being closed at once."""
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
