"""Races over https, and what goes wrong with connections before the first race."""

import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path

import pytest
from spider_race_client import Unreachable, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from tests.python_client.races import (
    QUICK,
    SPOKEN,
    Between,
    Handler,
    first_move,
    race_of_two,
    result_of,
)

NEEDS_OPENSSL = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="no openssl on the PATH"
)


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate of `localhost` that nobody has signed, with its key."""
    path = tmp_path / "own.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", f"{path}.key", "-out", str(path)]
    subprocess.run(["openssl", *words.split(), *name, *files], check=True, capture_output=True)
    return path


@asynccontextmanager
async def encrypted(handler: Handler, certificate: Path) -> AsyncIterator[int]:
    """Return the port of a server that handles its websockets so, with this certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, f"{certificate}.key")
    async with serve(handler, "127.0.0.1", 0, subprotocols=SPOKEN, ssl=context) as server:
        yield server.sockets[0].getsockname()[1]


@NEEDS_OPENSSL
async def test_a_race_over_https_is_played_to_its_end(between: Between, certificate: Path) -> None:
    tls = ssl.create_default_context(cafile=certificate)
    async with (
        encrypted(between.handle, certificate) as port,
        connect(f"https://localhost:{port}", tls=tls) as client,
    ):
        host, guest = await race_of_two(client)
        assert (await host.act(first_move(host))).at == 1
        await guest.forfeit()
        await host.forfeit()
        assert len((await result_of(host, 1)).ranking) == 2
        assert host.link.startswith("https://")


@NEEDS_OPENSSL
async def test_https_needs_no_option_where_the_system_trusts_the_certificate(
    between: Between, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with (
        encrypted(between.handle, certificate) as port,
        connect(f"https://localhost:{port}") as client,
    ):
        assert (await client.create("Ada")).seat == 0


@NEEDS_OPENSSL
async def test_a_certificate_that_nobody_trusts_is_named_at_once(
    between: Between, certificate: Path
) -> None:
    async with (
        encrypted(between.handle, certificate) as port,
        connect(f"https://localhost:{port}", longest_wait_s=60) as client,
    ):
        with pytest.raises(Unreachable, match=r"certificate is not trusted \(self-signed"):
            await client.create("Ada")


@NEEDS_OPENSSL
async def test_a_certificate_of_another_name_is_named(between: Between, certificate: Path) -> None:
    tls = ssl.create_default_context(cafile=certificate)
    async with (
        encrypted(between.handle, certificate) as port,
        connect(f"https://127.0.0.1:{port}", tls=tls) as client,
    ):
        with pytest.raises(Unreachable, match=r"not valid for '127\.0\.0\.1'"):
            await client.create("Ada")


async def test_a_server_without_encryption_at_an_https_address_is_named(between: Between) -> None:
    async with (
        serve(between.handle, "127.0.0.1", 0, subprotocols=SPOKEN) as server,
        connect(f"https://localhost:{server.sockets[0].getsockname()[1]}", **QUICK) as client,
    ):
        with pytest.raises(Unreachable, match="it ends the connection at once"):
            await client.create("Ada")


@pytest.mark.parametrize(
    ("status", "headers", "sentence"),
    [
        (HTTPStatus.NOT_FOUND, {}, "is no Spider Race server"),
        (HTTPStatus.OK, {}, "is no Spider Race server"),
        (HTTPStatus.BAD_GATEWAY, {}, "is busy"),
        (HTTPStatus.FOUND, {"Location": "https://race.example/ws"}, "leads to https://race"),
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

    async with (
        serve(lambda _: asyncio.sleep(0), "127.0.0.1", 0, process_request=answer) as server,
        connect(f"http://localhost:{server.sockets[0].getsockname()[1]}", **QUICK) as client,
    ):
        with pytest.raises(Unreachable, match=sentence):
            await client.create("Ada")


@pytest.mark.parametrize(
    ("scheme", "sentence"),
    [("http", "is no Spider Race server"), ("https", "no encrypted connection can be opened")],
)
async def test_a_server_of_another_protocol_is_named(scheme: str, sentence: str) -> None:
    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9\r\n")
        writer.close()

    async with (
        await asyncio.start_server(answer, "127.0.0.1", 0) as server,
        connect(f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}", **QUICK) as client,
    ):
        with pytest.raises(Unreachable, match=sentence):
            await client.create("Ada")


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_port_that_does_not_listen_or_never_answers_is_named(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections wait to be accepted
        port = silent.getsockname()[1]
        async with connect(f"{scheme}://127.0.0.1:{port}", silence_s=0.1, **QUICK) as client:
            with pytest.raises(Unreachable, match="is silent"):
                await client.create("Ada")
    async with connect(f"{scheme}://127.0.0.1:9", **QUICK) as client:
        with pytest.raises(Unreachable, match="accepts no connections"):
            await client.create("Ada")
