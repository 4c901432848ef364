"""Requests that no browser sends, and the headers of every answer."""

from typing import Any

import pytest

from server.sessions.limits import Rate
from server.web.limits import HttpLimits
from server.web.listener import Listener
from server.web.routes import Routes
from tests.players import Player, start_race
from tests.security.raw import RawSocket
from tests.server.conftest import Serving
from tests.server.http import get, raw

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types service-worker",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
LONG_LINE = b"x" * 20_000
WEBSOCKET = b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


def carried(answer: bytes) -> dict[str, str]:
    head, _, _ = answer.partition(b"\r\n\r\n")
    pairs = [line.partition(": ") for line in head.decode().split("\r\n")[1:]]
    assert len({name.lower() for name, _, _ in pairs}) == len(pairs), "a header appears twice"
    return {name.lower(): value for name, _, value in pairs}


ANSWERS = {
    "the page": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "a script": (b"GET /src/main.js HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "already cached": (b"GET / HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", 304),
    "a QR code": (b"GET /qr/7K3QZ0A.svg HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "a QR code for a bad host": (b"GET /qr/7K3QZ0A.svg HTTP/1.1\r\nHost: user@x\r\n\r\n", 400),
    "the list of rooms": (b"GET /api/rooms HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "the protocol": (b"GET /api/protocol HTTP/1.1\r\nHost: x\r\n\r\n", 200),
    "no such round": (b"GET /api/rooms/0000000000/rounds/1 HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "nothing": (b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "another method": (b"DELETE / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    "another method, with a body": (
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}",
        405,
    ),
    "a body": (b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}", 400),
    "no request": (b"\x16\x03\x01\r\n\r\n", 400),
    "a foreign page": (b"GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: http://evil.example\r\n\r\n", 403),
    "no websocket": (b"GET /ws HTTP/1.1\r\nHost: x\r\n\r\n", 426),
    "an old websocket": (
        WEBSOCKET + b"Sec-WebSocket-Key: MDEyMw==\r\nSec-WebSocket-Version: 8\r\n\r\n",
        400,
    ),
    "an invalid key": (
        WEBSOCKET + b"Sec-WebSocket-Key: short\r\nSec-WebSocket-Version: 13\r\n\r\n",
        400,
    ),
    "a long target": (b"GET /" + LONG_LINE, 414),
    "a long header": (b"GET / HTTP/1.1\r\nA: " + LONG_LINE, 431),
    "many headers": (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 300 + b"\r\n", 431),
    "a target without a path": (b"GET //[ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "a target with a stranger's host": (b"GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an invalid origin": (b"GET /ws HTTP/1.1\r\nHost: x\r\nOrigin: http://[\r\n\r\n", 403),
    "an upward path": (b"GET /src/../../pyproject.toml HTTP/1.1\r\nHost: x\r\n\r\n", 404),
    "an encoded upward path": (b"GET /src/%2e%2e/index.html HTTP/1.1\r\nHost: x\r\n\r\n", 404),
}


async def test_every_answer_carries_the_security_headers(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    for name, (request, status) in ANSWERS.items():
        answer = await raw(listener.port, request)
        assert answer.split(b" ")[1] == str(status).encode(), name
        headers = carried(answer)
        assert HEADERS.items() <= headers.items(), name
        assert "server" not in headers, name
    assert not caplog.records, "a bad request is no error of the server"


TLS = "max-age=31536000"
OVER_TLS = b"X-Forwarded-Proto: https\r\n"
UPGRADE = (
    WEBSOCKET + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n"
)
OPENED = UPGRADE + b"Sec-WebSocket-Protocol: spider-race.v2\r\n\r\n"
OPENED_BY_THE_LIBRARY = UPGRADE + b"\r\n"
REQUESTS = [*(one for one, _ in ANSWERS.values()), OPENED, OPENED_BY_THE_LIBRARY]


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"public_url": "https://race.example"}, TLS),
        ({"trusted_proxies": ("127.0.0.0/8",)}, TLS),  # the proxy reports TLS for each request
        ({}, None),  # anybody could claim it
    ],
)
async def test_every_answer_over_tls_keeps_the_browser_there(
    serving: Serving, settings: dict[str, Any], kept: str | None
) -> None:
    """Regression: refusals of connections, of websockets and of the parser had no such header."""
    async with serving(**settings) as listener:
        for request in REQUESTS:
            if LONG_LINE in request and "public_url" not in settings:
                continue  # the server does not read its headers
            line, end, rest = request.partition(b"\r\n")
            for method in (b"GET", b"HEAD"):
                sent = method + line.removeprefix(b"GET") + end + OVER_TLS + rest
                answer = await raw(listener.port, sent)
                assert carried(answer).get("strict-transport-security") == kept, request


async def test_refusals_of_an_address_over_tls_keep_the_browser_there(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = {"trusted_proxies": ("127.0.0.0/8",), "public_url": "https://race.example"}
    head = b"X-Forwarded-For: 203.0.113.5\r\n\r\n"
    limits = HttpLimits(requests=Rate(1, 0.001))
    async with serving(http=limits, connections_per_address=1, **proxy) as listener:
        asked = b"GET /api/rooms HTTP/1.1\r\nHost: x\r\n" + head
        answers = [await raw(listener.port, asked) for _ in range(2)]
        eve = await RawSocket.open(listener.port, X_Forwarded_For="203.0.113.5")
        answers += [eve.head, await raw(listener.port, OPENED[:-2] + head)]
        await eve.close()
    monkeypatch.setattr("server.web.proxies.is_loopback", lambda _address: False)
    async with serving(connections_per_address=1, public_url="https://race.example") as listener:
        waiting = await RawSocket.dial(listener.port)
        answers.append(await raw(listener.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
        await waiting.close()
    statuses = [answer.split()[1] for answer in answers]
    assert statuses == [b"200", b"429", b"101", b"429", b"429"]
    assert {carried(answer).get("strict-transport-security") for answer in answers} == {TLS}


async def test_a_failure_shows_no_details_and_carries_the_headers(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("sesame")

    monkeypatch.setattr(Routes, "respond", fail)
    async with serving(public_url="https://race.example") as listener:
        answer = await raw(listener.port, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert carried(answer).get("strict-transport-security") == TLS
    assert b"sesame" not in answer
    assert HEADERS.items() <= carried(answer).items()


async def test_a_request_head_that_trickles_in_is_cut_off(serving: Serving) -> None:
    """The time limit is for the whole head, however often a byte arrives."""
    async with serving(http=HttpLimits(head_s=0.2)) as listener:
        answer = await raw(listener.port, b"GET / HTTP/1.1\r\n", trickle=b"X-A: b\r\n")
        assert answer == b""
        assert (await get(listener.port, "/")).status == 200


async def test_metrics_name_no_room_no_player_and_no_address(serving: Serving) -> None:
    async with serving() as listener:
        ada, _bob = await start_race(listener.port, game="spider-2")
        await ada.act(ada.table["legal"][0])
        await Player.create(listener.port, "Zacharias", public=True)
        page = (await get(listener.operations_port, "/metrics")).body.decode()
    assert "spider_race_acts_total" in page
    for secret in (ada.code, ada.token, "Zacharias", "Player 0", "127.0.0.1"):
        assert secret not in page
