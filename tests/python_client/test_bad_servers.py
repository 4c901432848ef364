"""Texts that are no links, and servers that do not do what the protocol promises."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from spider_race_client import (
    BadAnswer,
    BadLink,
    BadRequest,
    Client,
    RaceError,
    RoundUnknown,
    SeatLost,
    UnknownWord,
    Unreachable,
    VersionUnknown,
    connect,
    fetch_review,
    fetch_round,
)
from spider_race_client.addresses import room_code, server_address
from websockets.asyncio.server import ServerConnection

from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode
from tests.python_client.races import QUICK, Between, Sockets, at


@pytest.mark.parametrize(
    "link",
    [
        *("", "race.example/r/ABCDEFG", "ftp://race.example", "http://", "http://a:b/"),
        *("https://race..example", f"https://{'a' * 64}.example", None, 7, b"x"),
    ],
)
async def test_an_address_that_is_none_is_refused(link: Any) -> None:
    with pytest.raises(BadLink):
        async with connect(link):
            pass
    with pytest.raises(BadLink):
        await fetch_review(link, "7K3QZ0A", 1)


@pytest.mark.parametrize("n", [None, "1", "../1", 1.5])
async def test_a_round_without_a_number_is_not_fetched(n: Any) -> None:
    with pytest.raises(BadRequest):
        await fetch_round("http://127.0.0.1:9", "7K3QZ0A", n)


@pytest.mark.parametrize(
    "link", ["", "ABC", "http://other.example/r/ABCDEFG", "abc-defu", None, 7, b"7K3QZ0A"]
)
async def test_a_link_that_is_none_is_refused(link: Any) -> None:
    async with connect("http://race.example") as client:
        with pytest.raises(BadLink):
            await client.join(link, "Ada")


@pytest.mark.parametrize(
    "link",
    ["https://Race.Example:443/r/7K3-QZOA", "wss://race.example/r/7k3qzoa/", " 7k3 qz0a "],
)
async def test_a_link_is_read_as_people_write_it(link: str) -> None:
    assert room_code(link, server_address("https://race.example")) == "7K3QZ0A"


async def test_a_server_of_another_version_is_named() -> None:
    async def refuse(program: ServerConnection) -> None:
        await program.close(CloseCode.VERSION)

    async with at(refuse) as client:
        with pytest.raises(VersionUnknown):
            await client.create("Ada")


async def test_a_server_that_speaks_no_version_of_ours_is_named() -> None:
    async def answer_nothing(program: ServerConnection) -> None:
        await program.wait_closed()

    async with at(answer_nothing, None) as client:
        with pytest.raises(VersionUnknown):
            await client.create("Ada")


@pytest.mark.parametrize("text", ["{}", "null", '{"type":"acted"}', "[", '{"type":"pong"}'])
async def test_an_answer_that_the_protocol_does_not_have_ends_the_race(text: str) -> None:
    async def answer(program: ServerConnection) -> None:
        await program.recv()
        await program.send(text)
        await program.wait_closed()

    async with at(answer) as client:
        with pytest.raises(BadAnswer):
            await client.create("Ada")


async def test_a_word_that_only_a_newer_release_knows_is_named(
    client: Client, between: Between, far: Client
) -> None:
    host = await client.create("Ada")
    between.rewritten = ('"spider-1"', '"spider-9"')
    with pytest.raises(UnknownWord) as caught:
        await far.join(host.code, "Bob")
    assert caught.value.where == "joined.room.settings.game"
    assert caught.value.word == "spider-9"


FINAL = [code for code in CloseCode if code >= FIRST_FINAL_CODE and code != CloseCode.VERSION]


@pytest.mark.parametrize("code", FINAL)
async def test_a_final_close_is_an_error_with_its_code(code: CloseCode) -> None:
    async def close(program: ServerConnection) -> None:
        await program.close(code)

    async with at(close) as client:
        with pytest.raises(SeatLost) as caught:
            await client.create("Ada")
    assert caught.value.code is code


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    async with connect("http://127.0.0.1:9", longest_wait_s=0.1) as client:
        with pytest.raises(Unreachable):
            await client.create("Ada")


@pytest.mark.parametrize("is_seated", [False, True])
async def test_a_first_message_that_the_server_cannot_read_is_not_sent_again(
    between: Between, sockets: Sockets, is_seated: bool
) -> None:
    """One that took the seat again was closed with 4004, and sent again, for ever."""

    async def misread(program: ServerConnection) -> None:
        await program.recv()
        await program.send('{"type":"error","code":"bad_message","where":"kind"}')
        await program.wait_closed()

    handlers = [between.handle, misread] if is_seated else [misread]

    async def handle(program: ServerConnection) -> None:
        await handlers.pop(0)(program)

    async def take_seat(client: Client) -> None:
        race = await client.create("Ada")
        sockets.cut()
        await race.wait_for_table()

    async with at(handle, observer=sockets, **QUICK) as client:
        with pytest.raises(BadRequest, match="'kind'") as caught:
            await take_seat(client)
    assert caught.value.command == ("resume" if is_seated else "create")
    assert handlers == []


@asynccontextmanager
async def answering(answer: bytes) -> AsyncIterator[str]:
    """Return the address of a server that answers each request over HTTP so."""

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (b"", Unreachable, "No answer"),
        (b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\r\n", Unreachable, "answers 429"),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", Unreachable, "answers 503"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", RoundUnknown, "no such round"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", BadAnswer, "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", BadAnswer, "no FinishedRound"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", BadAnswer, "no FinishedRound"),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 2_000, BadAnswer, "more than 1000 bytes"),
    ],
)
async def test_a_round_that_cannot_be_fetched_is_an_error_of_the_tree(
    answer: bytes, error: type[RaceError], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("spider_race_client.rounds.LARGEST_BYTES", 1_000)
    async with answering(answer) as url:
        with pytest.raises(RaceError, match=sentence) as caught:
            await fetch_round(url, "7K3QZ0A", 1)
    assert type(caught.value) is error


async def test_rounds_of_a_server_that_is_not_there_cannot_be_fetched() -> None:
    with pytest.raises(Unreachable):
        await fetch_round("http://127.0.0.1:9", "7K3QZ0A", 1)
    with pytest.raises(BadLink):
        await fetch_round("http://127.0.0.1:9", "7K3QZ0", 1)
