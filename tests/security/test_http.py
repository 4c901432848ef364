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
from tests.web.test_requests import ask

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
BODY = "Content-Length: 2\r\n"
WEBSOCKET = b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"


def carried(answer: bytes) -> dict[str, str]:
    head, _, _ = answer.partition(b"\r\n\r\n")
    pairs = [line.partition(": ") for line in head.decode().split("\r\n")[1:]]
    assert len({name.lower() for name, _, _ in pairs}) == len(pairs), "a header appears twice"
    return {name.lower(): value for name, _, value in pairs}


ANSWERS = {
    "the page": (ask("/"), 200),
    "a script": (ask("/src/main.js"), 200),
    "already cached": (ask("/", more="If-None-Match: *\r\n"), 304),
    "a QR code": (ask("/qr/7K3QZ0A.svg"), 200),
    "a QR code for a bad host": (b"GET /qr/7K3QZ0A.svg HTTP/1.1\r\nHost: user@x\r\n\r\n", 400),
    "the list of rooms": (ask("/api/rooms"), 200),
    "the protocol": (ask("/api/protocol"), 200),
    "no such round": (ask("/api/rooms/0000000000/rounds/1"), 404),
    "nothing": (ask("/nothing"), 404),
    "another method": (ask("/", "DELETE"), 405),
    "another method, with a body": (ask("/", "POST", BODY) + b"{}", 405),
    "a body": (ask("/", more=BODY) + b"{}", 400),
    "no request": (b"\x16\x03\x01\r\n\r\n", 400),
    "a foreign page": (ask("/ws", more="Origin: http://evil.example\r\n"), 403),
    "no websocket": (ask("/ws"), 426),
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
    "a target without a path": (ask("//["), 400),
    "a target with a stranger's host": (ask("http://[::1"), 404),
    "an invalid origin": (ask("/ws", more="Origin: http://[\r\n"), 403),
    "an upward path": (ask("/src/../../pyproject.toml"), 404),
    "an encoded upward path": (ask("/src/%2e%2e/index.html"), 404),
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
        answers.append(await raw(listener.port, ask("/")))
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
        answer = await raw(listener.port, ask("/"))
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
