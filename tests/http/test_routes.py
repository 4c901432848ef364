import gzip
import io
import json

import pytest
import segno

from server.http.listener import Listener
from tests.players import Player
from tests.server.conftest import Serving
from tests.server.http import get, raw


async def test_the_page_is_served_with_its_headers_and_compressed(listener: Listener) -> None:
    page = await get(listener.port, "/")
    assert page.status == 200
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "unsafe-inline" not in page.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    packed = await get(listener.port, "/", Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == page.body
    for unwanted in ("gzip;q=0", "br, gzip; q=0.0", "identity", "xgzip"):
        plain = await get(listener.port, "/", Accept_Encoding=unwanted)
        assert plain.body == page.body
    packed = await get(listener.port, "/", Accept_Encoding="br;q=1, GZIP;q=0.5")
    assert packed.headers["content-encoding"] == "gzip"
    again = await get(listener.port, "/", If_None_Match=page.headers["etag"])
    assert (again.status, again.body) == (304, b"")


async def test_the_advice_on_strategy_has_an_address_and_its_positions(listener: Listener) -> None:
    page = await get(listener.port, "/strategy?x=1")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    for other in ("/strategy/", "/strategy/spider", "/Strategy"):
        assert (await get(listener.port, other)).status == 404
    tips = await get(listener.port, "/src/strategy/tips.json")
    assert tips.headers["content-type"] == "application/json"
    assert {tip["game"] for tip in json.loads(tips.body)} >= {"spider-4", "little-spider"}


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/../pyproject.toml",
        "/src/../package.json",
        "/src/contract/messages.d.ts",
        "/package.json",
    ],
)
async def test_nothing_else_is_served(listener: Listener, path: str) -> None:
    assert (await get(listener.port, path)).status == 404


async def test_get_and_head_only_and_no_nonsense(listener: Listener) -> None:
    post = await get(listener.port, "/", method="POST")
    assert (post.status, post.headers["allow"]) == (405, "GET, HEAD")
    for head in (
        b"\x16\x03\x01 hello",
        b"HELLO",
        b"GET /",
        b"GET / HTTP/3",
        b"GET / HTTP/1.1\r\n x",
    ):
        assert (await raw(listener.port, head + b"\r\n\r\n")).startswith(b"HTTP/1.1 400 ")
        assert await raw(listener.port, head) == b""  # cut off
    assert (await raw(listener.port, b"GET /" + b"x" * 9_000)).startswith(b"HTTP/1.1 414 ")
    for body in (b"Content-Length: 2\r\n\r\n{}", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"):
        sent = await raw(listener.port, b"POST /api/rooms HTTP/1.1\r\nHost: x\r\n" + body)
        assert sent.startswith(b"HTTP/1.1 405 ")
        assert b"Allow: GET, HEAD" in sent
    upgrade = await get(listener.port, "/ws")
    assert upgrade.status == 426


async def test_health_and_the_protocol_are_served(listener: Listener) -> None:
    assert (await get(listener.operations_port, "/healthz")).status == 200
    assert (await get(listener.operations_port, "/readyz")).status == 200
    told = json.loads((await get(listener.port, "/api/protocol")).body)
    assert told["asyncapi"] == "3.1.0"


async def test_only_public_rooms_are_listed(listener: Listener) -> None:
    ada = await Player.create(listener.port, "Ada", public=True)
    await Player.create(listener.port, "Bob")
    rooms = json.loads((await get(listener.port, "/api/rooms")).body)["rooms"]
    assert [(room["code"], room["host"]) for room in rooms] == [(ada.code, "Ada")]


@pytest.mark.parametrize(
    ("public_url", "trusted", "expected"),
    [
        (None, (), "http://127.0.0.1"),
        (None, ("127.0.0.0/8",), "https://127.0.0.1"),
        ("https://race.example", (), "https://race.example"),
    ],
)
async def test_the_qr_code_leads_where_the_page_was_found(
    serving: Serving, public_url: str | None, trusted: tuple[str, ...], expected: str
) -> None:
    async with serving(public_url=public_url, trusted_proxies=trusted) as listener:
        drawing = await get(listener.port, "/qr/7K3QZ0A.svg", X_Forwarded_Proto="https")
        assert drawing.headers["content-type"] == "image/svg+xml"
        port = "" if public_url else f":{listener.port}"
        same = io.BytesIO()
        segno.make(f"{expected}{port}/r/7K3QZ0A", micro=False).save(
            same, kind="svg", scale=4, border=2, dark="#000", light="#fff"
        )
        assert drawing.body == same.getvalue()
