import asyncio
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from server.store import StoreNotReady, StoreTooOld, StoreUnusable
from tests.servers import HANGS, free_ports, open_at_once, opened, start_embedded

Serve = Callable[[dict[bytes, bytes]], Awaitable[str]]


@pytest.fixture
async def impostor() -> AsyncIterator[Serve]:
    """Listen as a server that sends these answers to commands with these words."""
    servers: list[asyncio.Server] = []

    async def serve(answers: dict[bytes, bytes]) -> str:
        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            while received := await reader.read(4096):
                for word, answer in answers.items():
                    if word in received:
                        writer.write(answer)
            writer.close()

        server = await asyncio.start_server(talk, "127.0.0.1", 0)
        servers.append(server)
        return f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"

    yield serve
    for server in servers:
        server.close()


def info(text: str) -> bytes:
    return b"$%d\r\n%b\r\n" % (len(text), text.encode())


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost",
        "http://localhost:6379",
        "redis://localhost:port",
        "redis://localhost?nonsense=1",
        "redis://localhost?db=one",
    ],
)
async def test_an_invalid_url_is_refused(url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match="not understood"):
        await open_at_once(url, tmp_path)


async def test_a_password_in_a_url_is_not_shown(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable) as refused:
        await open_at_once("redis://me:secret@127.0.0.1:1/0", tmp_path)
    assert str(refused.value) == "No Redis answers at 127.0.0.1:1: nothing listens there."


async def test_a_wrong_host_name_is_told_from_a_closed_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a missing socket from both."""
    for url, why in (
        (f"redis://127.0.0.1:{free_ports(1)[0]}", "nothing listens there"),
        (f"unix://{tmp_path}/none.sock", "there is no such socket"),
    ):
        with pytest.raises(StoreNotReady, match=why):
            await open_at_once(url, tmp_path)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(StoreNotReady) as refused:
        await open_at_once("redis://no-such-host:6379", tmp_path)
    assert str(refused.value) == (
        "No Redis answers at no-such-host:6379: the host name is not known."
    )


async def test_several_addresses_of_a_host_are_one_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_ports(1)[0]

    def two(*_: object, **__: object) -> list[object]:
        tcp = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
        return [(*tcp, ("127.0.0.1", port)), (*tcp, ("127.0.0.2", port))]

    monkeypatch.setattr(socket, "getaddrinfo", two)
    with pytest.raises(StoreUnusable, match="nothing listens there"):
        await open_at_once(f"redis://two-addresses:{port}", tmp_path)


async def test_an_invalid_database_is_refused(tmp_path: Path) -> None:
    server = start_embedded(tmp_path)
    try:
        with pytest.raises(StoreUnusable, match="DB index is out of range"):
            await open_at_once(f"{server.url}?db=99", tmp_path)
    finally:
        server.stop()


async def test_a_user_without_the_right_to_run_scripts_is_refused(tmp_path: Path) -> None:
    server = start_embedded(
        tmp_path, "--user", *["poor", "on", ">x", "~*", "&*", "+@all", "-@scripting"]
    )
    try:
        with pytest.raises(StoreUnusable, match=r"cannot be written: .*'eval'"):
            await open_at_once(server.url.replace("unix://", "unix://poor:x@"), tmp_path)
    finally:
        server.stop()


async def test_a_peer_without_tls_is_named_as_the_reason(impostor: Serve, tmp_path: Path) -> None:
    url = await impostor({b"": b"-ERR unencrypted\r\n"})
    with pytest.raises(StoreUnusable, match="speaks no TLS"):
        await open_at_once(url.replace("redis://", "rediss://"), tmp_path)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl on the PATH")
async def test_a_certificate_that_is_not_trusted_is_named_as_the_reason(tmp_path: Path) -> None:
    key, certificate = tmp_path / "key", tmp_path / "certificate"
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    words += [
        "-keyout",
        str(key),
        "-out",
        str(certificate),
        "-days",
        "2",
        "-subj",
        "/CN=localhost",
    ]
    making = await asyncio.create_subprocess_exec("openssl", *words, stderr=subprocess.DEVNULL)
    assert await making.wait() == 0
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context) as server:
        port = server.sockets[0].getsockname()[1]
        with pytest.raises(StoreUnusable, match=r"not trusted .*self-signed"):
            await open_at_once(f"rediss://:secret@localhost:{port}", tmp_path)


async def test_an_older_redis_is_refused(impostor: Serve, tmp_path: Path) -> None:
    url = await impostor({b"INFO": info("# Server\r\nredis_version:6.2.14\r\n")})
    with pytest.raises(StoreTooOld, match=r"6\.2\.14"):
        await open_at_once(url, tmp_path)


@pytest.mark.parametrize("version", ["7", "7.0", "8.1-rc1", "255.255.255", "10.0.0+build"])
async def test_a_version_may_have_more_or_less_than_three_numbers(
    impostor: Serve, tmp_path: Path, version: str
) -> None:
    replies = {b"INFO": info(f"redis_version:{version}"), b"SET": b"-READONLY a replica\r\n"}
    with pytest.raises(StoreUnusable, match="cannot be written"):  # so the version is accepted
        await open_at_once(await impostor(replies), tmp_path)


async def test_a_cluster_is_refused(impostor: Serve, tmp_path: Path) -> None:
    url = await impostor({b"INFO": info("redis_version:7.2.0\r\nredis_mode:cluster\r\n")})
    with pytest.raises(StoreUnusable, match="cluster"):
        await open_at_once(url, tmp_path)


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({b"INFO": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, "does not answer as a Redis"),
        ({b"INFO": b":1\r\n"}, "does not answer as a Redis"),
        (
            {b"INFO": info("redis_version:unstable")},
            "has the version unstable, which is no number",
        ),
        ({b"INFO": info("redis_version:")}, "which is no number"),
        ({b"INFO": b"-NOAUTH Authentication required.\r\n"}, "asks for a password"),
        (
            {b"INFO": b"-NOPERM no\r\n", b"SET": b"-MISCONF No space left on device\r\n"},
            "cannot be written: MISCONF No space left on device",
        ),
        (
            {b"INFO": info("redis_version:7.0.0"), b"SET": b"-READONLY a replica\r\n"},
            "cannot be written",
        ),
    ],
)
async def test_an_unusable_redis_is_refused(
    impostor: Serve, tmp_path: Path, answers: dict[bytes, bytes], sentence: str
) -> None:
    with pytest.raises(StoreUnusable, match=sentence) as refused:
        await open_at_once(await impostor(answers), tmp_path)
    assert refused.type is StoreUnusable, "nobody waits for it"


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({b"INFO": b"-LOADING Redis is loading\r\n"}, "still loading"),
        (
            {b"INFO": info("redis_version:7.0.0"), b"SET": b"-CLUSTERDOWN no slot\r\n"},
            "cannot be written yet",
        ),
    ],
)
async def test_a_redis_that_starts_is_not_ready(
    impostor: Serve, tmp_path: Path, answers: dict[bytes, bytes], sentence: str
) -> None:
    with pytest.raises(StoreNotReady, match=sentence):
        await open_at_once(await impostor(answers), tmp_path)


@pytest.mark.parametrize("slots", [b"-ERR unknown command\r\n", b"*0\r\n"])
async def test_a_cluster_that_does_not_return_its_slots_is_refused(
    impostor: Serve, tmp_path: Path, slots: bytes
) -> None:
    replies = {
        b"INFO": info("redis_version:7.0.0\r\nredis_mode:cluster"),
        b"SET": b"-MOVED 5000 127.0.0.1:1\r\n",
        b"CLUSTER": slots,
    }
    url = await impostor(replies)
    with pytest.raises(StoreUnusable, match="does not return its slots"):
        await open_at_once(url.replace("redis://", "redis+cluster://"), tmp_path)


async def test_a_redis_without_pubsub_is_refused(impostor: Serve, tmp_path: Path) -> None:
    replies = {b"INFO": info("redis_version:7.0.0"), b"SET": b"+OK\r\n"}
    url = await impostor(replies | {b"SSUBSCRIBE": b"-NOPERM no channel\r\n"})
    with pytest.raises(StoreUnusable, match="of no use"):
        await open_at_once(url, tmp_path, timings=HANGS)


async def test_a_user_without_the_right_to_channels_is_not_waited_for(tmp_path: Path) -> None:
    user = ("--user", "race", "on", ">x", "+@all", "~*", "resetchannels")
    with start_embedded(tmp_path, *user) as server:
        url = server.url.replace("unix://", "unix://race:x@")
        with pytest.raises(StoreUnusable, match="access a channel") as refused:
            await open_at_once(url, tmp_path, timings=HANGS)
    assert refused.type is StoreUnusable


async def test_a_silent_listener_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreNotReady, match="does not answer"):
            await open_at_once(url, tmp_path, timings=HANGS)


@pytest.mark.parametrize("password", ["", ":wrong@"])
async def test_a_password_that_is_missing_or_wrong_is_refused(
    tmp_path: Path, password: str
) -> None:
    server = start_embedded(tmp_path, "--requirepass", "right")
    try:
        url = server.url.replace("unix://", f"unix://{password}")
        with pytest.raises(StoreUnusable, match="password") as refused:
            await open_at_once(url, tmp_path)
        assert refused.type is StoreUnusable, "nobody waits for it"
        async with opened(server.url.replace("unix://", "unix://:right@"), tmp_path) as store:
            await store.ping()
    finally:
        server.stop()


async def test_a_store_over_tcp_works(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = start_embedded(tmp_path, "--port", str(port))
    try:
        async with opened(f"redis://127.0.0.1:{port}/0", tmp_path) as store:
            await store.ping()
            await store.pubsub.probe()
    finally:
        server.stop()
