"""Texts that are no links, and servers that do not do what the protocol promises."""

import asyncio
from typing import Any

import pytest
from spider_race_client import Client, connect, fetch_review, fetch_round
from spider_race_client.addresses import code_of, is_loopback, server_address
from spider_race_client.errors import BadRequest, ProgramError, SeatLost, ServerError, Unreachable

from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode
from tests.python_client.conftest import FAR
from tests.python_client.lines import Network, Script


def test_no_proxy_lies_before_a_server_on_this_machine() -> None:
    found = {
        server: is_loopback(server)
        for server in ("http://localhost:8000", "http://127.0.0.2", "http://[::1]:1", "http://a.b")
    }
    assert list(found.values()) == [True, True, True, False], found


async def test_texts_that_are_no_addresses_links_or_numbers_are_refused() -> None:
    """Programs pass on anything that people write, of any type."""
    server: Any
    link: Any
    n: Any
    for server in (
        *("", "race.example/r/ABCDEFG", "ftp://race.example", "http://", "http://a:b/"),
        *("https://race..example", f"https://{'a' * 64}.example", None, 7, b"x"),
    ):
        with pytest.raises(ProgramError):
            async with connect(server):
                pass
        with pytest.raises(ProgramError):
            await fetch_review(server, "7K3QZ0A", 1)
    for n in (None, "1", "../1", 1.5):
        with pytest.raises(ProgramError):
            await fetch_round("http://127.0.0.1:9", "7K3QZ0A", n)
    with pytest.raises(ProgramError):
        await fetch_round("http://127.0.0.1:9", "7K3QZ0", 1)
    async with connect("http://race.example") as client:
        for link in ("", "ABC", "http://other.example/r/ABCDEFG", "abc-defu", None, 7, b"7K3QZ0A"):
            with pytest.raises(ProgramError):
                await client.join(link, "Ada")


def test_a_link_is_read_as_people_write_it() -> None:
    links = ("https://Race.Example:443/r/7K3-QZOA", "wss://race.example/r/7k3qzoa/", " 7k3 qz0a ")
    for link in links:
        assert code_of(link, server_address("https://race.example")) == "7K3QZ0A"


def answering(text: str) -> Script:
    """Return a server with this reply to each message."""
    return lambda line, _: line.deliver(text)


def closing(code: CloseCode) -> Script:
    """Return a server that closes each connection at its first message."""
    return lambda line, _: line.end(code)


async def test_a_server_of_another_version_is_named(between: Network, far: Client) -> None:
    between.subprotocol = None
    with pytest.raises(ServerError):
        await far.create("Ada")


@pytest.mark.parametrize("text", ["{}", "null", '{"type":"acted"}', "[", '{"type":"pong"}'])
async def test_an_answer_that_the_protocol_does_not_have_ends_the_race(
    between: Network, far: Client, text: str
) -> None:
    between.script = answering(text)
    with pytest.raises(ServerError):
        await far.create("Ada")


async def test_a_message_that_only_a_newer_release_knows_is_left_out_and_a_word_is_named(
    client: Client, between: Network, far: Client
) -> None:
    host = await client.create("Ada")
    between.rewritten = ('"type":"standings"', '"type":"weather"')
    eve = await far.join(host.code, "Eve")
    await eve.watch()  # whose answer it is
    assert eve.standings == ()
    between.rewritten = ('"spider-1"', '"spider-9"')
    with pytest.raises(ServerError, match=r"joined\.room\.settings\.game 'spider-9'"):
        await far.join(host.code, "Bob")


FINAL = [code for code in CloseCode if code >= FIRST_FINAL_CODE]


@pytest.mark.parametrize("code", FINAL)
async def test_a_final_close_is_an_error_with_its_code(
    between: Network, far: Client, code: CloseCode
) -> None:
    between.script = closing(code)
    with pytest.raises(SeatLost) as caught:
        await far.create("Ada")
    assert caught.value.code is code


async def test_a_server_that_takes_no_seat_is_unreachable(between: Network) -> None:
    between.script = lambda *_: None
    async with connect(FAR, silence_s=4.0, longest_wait_s=0.1) as client:
        with pytest.raises(Unreachable, match="silent"):
            await client.create("Ada")
    # Three attempts, with the longest waits between them.
    assert asyncio.get_running_loop().time() == pytest.approx(3 * 4 + 2 * 0.1)


@pytest.mark.parametrize("is_seated", [False, True])
async def test_a_first_message_that_the_server_cannot_read_is_not_sent_again(
    between: Network, far: Client, is_seated: bool
) -> None:
    """Regression: one that took the seat again was closed with 4004 and sent again, for ever."""
    misread = answering('{"type":"error","code":"bad_message","where":"kind"}')

    async def take_seat() -> None:
        if is_seated:
            race = await far.create("Ada")
            between.script = misread
            between.opened[-1].abort()
            await race.wait_for_table()
        between.script = misread
        await far.create("Ada")

    with pytest.raises(BadRequest, match="'kind'") as caught:
        await take_seat()
    assert caught.value.command == ("resume" if is_seated else "create")
    assert len(between.opened) == 1 + is_seated
