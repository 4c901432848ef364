"""What goes wrong with real connections before the first race."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from spider_race_client import (
    ProgramError,
    ServerError,
    Unreachable,
    connect,
    fetch_board,
    fetch_day,
    fetch_ghost,
    fetch_review,
    fetch_round,
)
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from protocol.vocabulary import SUBPROTOCOL
from tests.python_client.races import answering
from tests.servers import silent_port


@asynccontextmanager
async def server_of_nothing(**options: Any) -> AsyncIterator[int]:
    """Return the port of a server of our websockets that answers no message as it should."""

    async def answer(program: ServerConnection) -> None:
        await program.recv()
        await program.send("{}")
        await program.wait_closed()

    spoken = [Subprotocol(SUBPROTOCOL)]
    async with serve(answer, "127.0.0.1", 0, subprotocols=spoken, **options) as server:
        yield server.sockets[0].getsockname()[1]


async def join(url: str, **options: Any) -> None:
    """Join a room at a server."""
    async with connect(url, longest_wait_s=0.0, **options) as client:
        await client.join("7K3QZ0A", "Ada")


Call = Callable[..., Awaitable[object]]
FETCHED: tuple[Call, ...] = (
    fetch_day,
    partial(fetch_board, cards="2026-11-28/spider-2"),
    partial(fetch_ghost, cards="7K3QZ0A/1/0"),
    partial(fetch_review, code="7K3QZ0A", n=1),
    partial(fetch_round, code="7K3QZ0A", n=1),
)
"""The calls that need no connection."""


async def names_what_is_wrong(url: str, sentence: str, **options: Any) -> None:
    """Assert that a program which cannot connect gets the reason."""
    async with connect(url, longest_wait_s=0.0, **options) as client:
        with pytest.raises(Unreachable, match=sentence):
            await client.create("Ada")


async def test_https_needs_an_option_only_where_the_system_does_not_trust_the_certificate(
    certificate: Path, server_tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with server_of_nothing(ssl=server_tls) as port:
        for tls in (ssl.create_default_context(cafile=certificate), certificate, None):
            async with connect(f"https://localhost:{port}", tls=tls) as client:
                with pytest.raises(ServerError):  # so it was asked
                    await client.create("Ada")
            monkeypatch.setenv("SSL_CERT_FILE", str(certificate))


async def test_every_call_trusts_the_ca_that_it_is_given(
    certificate: Path, server_tls: ssl.SSLContext
) -> None:
    found = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n"
    contexts = ssl.create_default_context(cafile=certificate), certificate, str(certificate)
    async with answering(found, ssl=server_tls) as url:
        for call in FETCHED:
            for tls in contexts:
                with pytest.raises(Unreachable, match="answers 503"):
                    await call(url, tls=tls)
            with pytest.raises(Unreachable, match="self-signed"):
                await call(url)


async def test_a_path_without_certificates_is_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("no certificate")
    for path in (wrong, tmp_path / "missing.pem"):
        with pytest.raises(ProgramError, match=rf"{path.name}.* is no PEM file"):
            await fetch_day("https://localhost", tls=path)
        with pytest.raises(ProgramError, match=rf"{path.name}.* is no PEM file"):
            async with connect("https://localhost", tls=path):
                pass


async def test_a_certificate_that_is_not_trusted_is_named(
    certificate: Path, server_tls: ssl.SSLContext
) -> None:
    async with server_of_nothing(ssl=server_tls) as port:
        for host, tls, sentence in (
            ("localhost", None, "self-signed"),
            ("127.0.0.1", certificate, r"not valid for '127\.0\.0\.1'"),
        ):
            await names_what_is_wrong(f"https://{host}:{port}", sentence, tls=tls)


@pytest.fixture
def opens_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the handshake little time: a server that takes it for a request waits for the rest."""
    for name in ("connection.OPEN_S", "rounds.OPEN_S", "tls.ASK_S"):
        monkeypatch.setattr(f"spider_race_client.{name}", 0.1)


PLAIN = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@pytest.mark.parametrize("call", [join, *FETCHED])
async def test_an_https_address_of_a_server_that_speaks_http_is_named(
    call: Call, opens_soon: None
) -> None:
    assert opens_soon is None
    async with answering(PLAIN) as url:  # like ours, it waits for the rest of a handshake
        secure = url.replace("http:", "https:")
        with pytest.raises(Unreachable, match=f"^{secure} speaks http, not https: use {url}.$"):
            await call(secure)


@pytest.mark.parametrize("call", [join, *FETCHED])
async def test_an_http_address_of_a_server_that_speaks_https_is_named(
    call: Call, server_tls: ssl.SSLContext
) -> None:
    async with answering(PLAIN, ssl=server_tls) as secure:
        url = secure.replace("https:", "http:")
        with pytest.raises(Unreachable, match=f"^{url} speaks https, not http: use {secure}.$"):
            await call(url)


@pytest.mark.parametrize("call", FETCHED)
async def test_a_server_whose_handshake_comes_late_is_asked_again(
    call: Call, certificate: Path, server_tls: ssl.SSLContext, opens_soon: None
) -> None:
    assert opens_soon is None
    tries = count()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with closing(writer):
            if next(tries) < 2:  # the handshake, and the question whether http is spoken
                await reader.read(-1)
            else:
                await writer.start_tls(server_tls)
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 503 Service Unavailable\r\n\r\n")

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(Unreachable, match="answers 503"):
            await call(f"https://localhost:{port}", tls=certificate)


async def test_a_tls_servers_reply_to_plain_requests_is_not_taken_for_http(
    opens_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert opens_soon is None
    monkeypatch.setattr("spider_race_client.rounds.TIMEOUT_S", 1.0)
    async with answering(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n") as url:
        with pytest.raises(Unreachable, match="No answer from https"):
            await fetch_day(url.replace("http:", "https:"))


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (HTTPStatus.NOT_FOUND, {}, "HTTP 404"),
        (HTTPStatus.OK, {}, "HTTP 200"),
        (HTTPStatus.BAD_GATEWAY, {}, "HTTP 502"),
        (HTTPStatus.TOO_MANY_REQUESTS, {}, "HTTP 429"),
        (
            HTTPStatus.FOUND,
            {"Location": "https://r.example/ws"},
            "redirects to https://r.example/ws: use https://r.example.$",
        ),
    ],
)
async def test_a_server_of_something_else_is_named(
    status: HTTPStatus, headers: dict[str, str], sentence: str
) -> None:
    def answer(program: ServerConnection, request: Request) -> Response:
        del request
        response = program.respond(status, "")
        response.headers.update(headers)
        return response

    async with server_of_nothing(process_request=answer) as port:
        await names_what_is_wrong(f"http://localhost:{port}", sentence)


@pytest.mark.parametrize(("scheme", "sentence"), [("http", "HTTP"), ("https", "SSL")])
async def test_a_server_of_another_protocol_is_named(scheme: str, sentence: str) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await names_what_is_wrong(f"{scheme}://127.0.0.1:{port}", sentence)


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_port_that_does_not_listen_or_never_answers_is_named(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections wait to be accepted
        port = silent.getsockname()[1]
        url = f"{scheme}://127.0.0.1:{port}"
        await names_what_is_wrong(url, "silent|timed out", silence_s=0.05)
    with silent_port() as port:
        await names_what_is_wrong(f"{scheme}://127.0.0.1:{port}", "Connect call failed")
