import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from server.store import StoreNotReady, StoreTooOld, StoreUnusable
from server.store.address import Address
from tests.python_client.races import answering
from tests.servers import AT_ONCE, open_at_once, opened, silent_port, start_embedded

HALF_A_SECOND = replace(AT_ONCE, reply_s=0.5, pubsub_reply_s=0.5)
"""For a pub/sub that never answers."""
Serve = Callable[[dict[bytes, bytes]], Awaitable[str]]


@pytest.fixture
async def impostor() -> AsyncIterator[Serve]:
    """Listen like a server that sends these replies to commands with these words."""
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
    ("url", "sentence"),
    [
        *[(url, "not understood") for url in ("", "localhost", "http://localhost:6379")],
        *[(f"redis://localhost{end}", "not understood") for end in (":p", "?no=1", "?db=one")],
        *[(f"redis+cluster://{end}", "not understood") for end in ("", "a:1,", "a:1,b:x")],
        ("redis+cluster://127.0.0.1:1/3", "databases"),
        ("rediss+cluster://me:se@cret@127.0.0.1:1,[::1]:2/", r"answers at 127\.0\.0\.1:1:"),
        # A password is not shown.
        ("redis://me:secret@127.0.0.1:1/0", r"^No Redis answers at 127\.0\.0\.1:1: Connection re"),
    ],
)
async def test_an_invalid_url_is_refused(url: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=sentence) as refused:
        await open_at_once(url, tmp_path)
    assert "secret" not in str(refused.value)


async def test_a_wrong_host_name_is_told_from_a_closed_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is a missing socket. The reason is also found if a host has several addresses."""
    with silent_port() as port:
        for url, why in (
            (f"redis://127.0.0.1:{port}", "Connection refused"),
            (f"unix://{tmp_path}/none.sock", "No such file or directory"),
        ):
            with pytest.raises(StoreNotReady, match=why):
                await open_at_once(url, tmp_path)

        def two(*_: object, **__: object) -> list[object]:
            tcp = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
            return [(*tcp, ("127.0.0.1", port)), (*tcp, ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", two)
        with pytest.raises(StoreUnusable, match="Connection refused"):
            await open_at_once(f"redis://two-addresses:{port}", tmp_path)

    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(StoreNotReady) as refused:
        await open_at_once("redis://no-such-host:6379", tmp_path)
    assert str(refused.value) == (
        "No Redis answers at no-such-host:6379: the host name is not known."
    )


@pytest.mark.parametrize(
    ("options", "user", "sentence"),
    [
        ((), "?db=99", "DB index is out of range"),
        (("on", ">x", "~*", "&*", "+@all", "-@scripting"), "me:x@", r"be written: .*'eval'"),
        (("on", ">x", "~*", "+@all", "resetchannels"), "me:x@", "access a channel"),
        (("on", ">x", "~*", "&*", "+@all"), "me:wrong@", "password"),
        (("on", ">x", "~*", "&*", "+@all"), "me:x@", None),
    ],
)
async def test_a_database_or_user_without_rights_is_refused_and_not_waited_for(
    tmp_path: Path, options: tuple[str, ...], user: str, sentence: str | None
) -> None:
    with start_embedded(tmp_path, *(("--user", "me", *options) if options else ())) as server:
        plain = server.url + user if user.startswith("?") else server.url
        url = plain if user.startswith("?") else plain.replace("unix://", f"unix://{user}")
        if sentence is None:
            async with opened(url, tmp_path) as store:
                await store.ping()
            return
        with pytest.raises(StoreUnusable, match=sentence) as refused:
            await open_at_once(url, tmp_path, timings=HALF_A_SECOND)
        assert refused.type is StoreUnusable, "nobody waits for it"


async def test_a_certificate_that_is_not_trusted_is_named_as_the_reason(
    server_tls: ssl.SSLContext, tmp_path: Path
) -> None:
    async with answering(b"", ssl=server_tls) as url:
        with pytest.raises(StoreUnusable, match=r"not trusted .*self-signed.*; \?ssl_ca_certs=FI"):
            await open_at_once(url.replace("https://", "rediss://:secret@"), tmp_path)


async def test_a_wrong_scheme_is_answered_with_the_right_one(
    server_tls: ssl.SSLContext, impostor: Serve, tmp_path: Path
) -> None:
    """A Redis without TLS is silent: it waits for the end of the first line."""
    timings = replace(AT_ONCE, reply_s=0.2)
    silent = (await impostor({})).replace("redis:", "rediss:")
    with pytest.raises(StoreNotReady, match="answer; if it has no TLS, its URL begins with redis"):
        await open_at_once(silent, tmp_path, timings=timings)
    async with answering(b"", ssl=server_tls) as url:
        for user in ("", ":secret@"):
            plain = url.replace("https://", f"redis://{user}")
            with pytest.raises(StoreUnusable, match="; if it has TLS, its URL begins with rediss"):
                await open_at_once(plain, tmp_path, timings=timings)


def test_a_certificate_that_is_missing_is_named_and_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(StoreUnusable, match=r"ssl_ca_certs .*ca\.pem, which cannot be") as refused:
        Address(f"rediss://localhost:6379/0?ssl_ca_certs={tmp_path}/ca.pem")
    assert refused.type is StoreUnusable


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


SEVEN = info("redis_version:7.0.0")
CLUSTER = {b"INFO": info("redis_version:7.0.0\r\nredis_mode:cluster"), b"SET": b"-MOVED 5 a:1\r\n"}


@pytest.mark.parametrize(
    ("scheme", "answers", "sentence"),
    [
        ("redis", {b"INFO": b"HTTP/1.1 400 Bad Request\r\n\r\n"}, "does not answer as a Redis"),
        ("redis", {b"INFO": b":1\r\n"}, "does not answer as a Redis"),
        ("redis", {b"INFO": info("redis_version:7.2.0\r\nredis_mode:cluster\r\n")}, "cluster"),
        ("redis", {b"INFO": info("redis_version:unstable")}, "version unstable, which is not a n"),
        ("redis", {b"INFO": info("redis_version:")}, "which is not a number"),
        ("redis", {b"INFO": b"-NOAUTH Authentication required.\r\n"}, "asks for a password"),
        (
            "redis",
            {b"INFO": b"-NOPERM no\r\n", b"SET": b"-MISCONF No space left on device\r\n"},
            "cannot be written: MISCONF No space left on device",
        ),
        ("redis", {b"INFO": SEVEN, b"SET": b"-READONLY a replica\r\n"}, "cannot be written"),
        (
            "rediss",
            {b"": b"-ERR unencrypted\r\n"},
            "over TLS; if it has no TLS, its URL begins with redis",
        ),
        ("redis+cluster", {**CLUSTER, b"CLUSTER": b"-ERR unknown\r\n"}, "does not return its slo"),
        ("redis+cluster", {**CLUSTER, b"CLUSTER": b"*0\r\n"}, "does not return its slots"),
    ],
)
async def test_an_unusable_redis_is_refused_and_not_waited_for(
    impostor: Serve, tmp_path: Path, scheme: str, answers: dict[bytes, bytes], sentence: str
) -> None:
    url = (await impostor(answers)).replace("redis:", f"{scheme}:")
    with pytest.raises(StoreUnusable, match=sentence) as refused:
        await open_at_once(url, tmp_path)
    assert refused.type is StoreUnusable or scheme == "rediss"


@pytest.mark.parametrize(
    ("answers", "sentence"),
    [
        ({b"INFO": b"-LOADING Redis is loading\r\n"}, "cannot be written yet: Redis is loading"),
        ({b"INFO": SEVEN, b"SET": b"-CLUSTERDOWN no slot\r\n"}, "cannot be written yet"),
        (
            {b"INFO": SEVEN, b"SET": b"+OK\r\n", b"SSUBSCRIBE": b"-NOPERM no channel\r\n"},
            "of no use",
        ),
    ],
)
async def test_a_redis_that_starts_is_not_ready(
    impostor: Serve, tmp_path: Path, answers: dict[bytes, bytes], sentence: str
) -> None:
    with pytest.raises(StoreNotReady, match=sentence):
        await open_at_once(await impostor(answers), tmp_path, timings=HALF_A_SECOND)


async def test_a_silent_listener_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(StoreNotReady, match="does not answer"):
            await open_at_once(url, tmp_path, timings=replace(AT_ONCE, reply_s=0.2))
