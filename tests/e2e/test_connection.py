"""How a page comes back after its server, its line, or the device's storage was gone."""

import asyncio
import contextlib
import json
import re
from typing import Self

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, race
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import port_of

pytestmark = pytest.mark.browser


class Door:
    """A port before a server, which stays when it is shut; then nobody is let in."""

    def __init__(self, address: str) -> None:
        self.behind = port_of(address)
        self.is_open = True
        self.lines: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self.port = 0
        self._listener: asyncio.Server

    async def __aenter__(self) -> Self:
        self._listener = await asyncio.start_server(self.let_in, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        passing = list(self.lines.values())
        self.shut()
        await asyncio.gather(*passing)

    def let_in(self, person: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self.lines[back] = asyncio.create_task(self.pass_on(person, back))

    async def pass_on(self, person: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """Carries the bytes of one connection, in both directions, until one of them ends."""
        if self.is_open:
            server, to_server = await asyncio.open_connection("127.0.0.1", self.behind)
            ways = [
                asyncio.create_task(carry(*way)) for way in ((person, to_server), (server, back))
            ]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            to_server.transport.abort()
        back.transport.abort()
        del self.lines[back]

    def shut(self) -> None:
        """Cuts all lines, and lets nobody in."""
        self.is_open = False
        for line in self.lines:
            line.transport.abort()


async def carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """Carries bytes until there are no more."""
    with contextlib.suppress(OSError):
        while data := await source.read(65_536):
            target.write(data)
            await target.drain()


@pytest.mark.complains("WebSocket connection to", "net::ERR_")
async def test_a_server_that_was_away_is_found_again(address: str) -> None:
    async with Door(address) as door:
        ada = await Person.at(f"http://127.0.0.1:{door.port}/", **PHONE, **STILL)
        page, line = ada.page, ada.page.locator("#connection")
        words = line.locator("#connection-words")
        await ada.create("Ada")
        await expect(words).to_have_text("Connected")
        await expect(page.locator("#connection-now")).to_be_hidden()
        await page.click("#start")
        await ada.on("race")
        await expect(page.locator("[data-in=t9]")).to_have_count(5)
        await page.click("#deal")
        await ada.has_acted(1)

        door.shut()
        await expect(line).to_have_attribute("data-connection", re.compile("waiting|connecting"))
        await expect(page.locator("#connection-now")).to_be_visible()
        # A press tries at once. After a second connection no answer to an act would be sent again.
        await page.click("#connection-now")
        door.is_open = True
        await expect(words).to_have_text("Connected")
        await expect(page.locator("[data-in=t9]")).to_have_count(6)
        await page.click("#deal")
        await ada.has_acted(2)
        await expect(page.locator("[data-in=t9]")).to_have_count(7)
        await page.context.set_offline(True)
        await expect(line).to_contain_text("You’re offline")
        await page.context.set_offline(False)
        await expect(words).to_have_text("Connected")


BLOCKED = """
for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
  Object.defineProperty(window, name, {
    get() { throw new DOMException('blocked', 'SecurityError'); }});
window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError'); } };
"""


class Line:
    """Between a page and its server: it can lose answers and be cut, and keeps what is sent."""

    def __init__(self) -> None:
        self.routes: list[WebSocketRoute] = []
        self.first: list[dict[str, object]] = []
        """The first message on each connection."""
        self.losses = 0
        """How many answers to a press are lost from now on: the first with its connection."""
        self.command = ""

    def open(self, line: WebSocketRoute) -> None:
        """Stands between a new websocket and the server."""
        server = line.connect_to_server()
        self.routes.append(line)

        def send(message: str | bytes) -> None:
            if len(self.first) < len(self.routes):
                self.first.append(json.loads(message))
            server.send(message)

        async def receive(message: str | bytes) -> None:
            if not self.losses or '"joined"' not in str(message):
                line.send(message)
                return
            self.losses -= 1
            if self.losses:
                await line.close(code=1012)
                return
            refusal = {"type": "refused", "command": self.command, "code": "try_again"}
            line.send(json.dumps({**refusal, "id": None, "details": {}, "table": None}))

        line.on_message(send)
        server.on_message(receive)


async def test_lost_answers_lines_and_storage_cost_nobody_the_seat(
    address: str, browser: Browser
) -> None:
    """Neither page may store anything; each press is answered at its third try alone."""
    people, link, line = [], address, Line()
    for name, command in (("Ada", "create"), ("Bob", "join")):
        context = await browser.new_context(**DESKTOP, service_workers="block")
        await context.add_init_script(BLOCKED)
        line = Line()
        await context.route_web_socket("**/*", line.open)
        person = await Person.of(context, link)
        line.losses, line.command = 2, command
        await person.page.fill("#name", name)
        await person.page.click(f"#{command}")
        await expect(person.page.locator("#problem")).not_to_be_empty()
        await person.page.click(f"#{command}")
        await person.on("room")
        link = person.page.url.partition("#")[0]
        people.append(person)
    ada, bob = people
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)
    await ada.invites()
    assert await ada.page.locator("#share-link").input_value() == link
    await ada.page.click("#invite-close")
    await ada.page.reload()
    await ada.on("room")
    await expect(ada.page.locator("#change-rules")).to_be_visible()  # she hosts the same room
    assert ada.page.url.startswith(f"{link}#")
    await race(ada, bob)
    lines = len(line.routes)
    await record(bob, "#connection", "outerHTML")
    await line.routes[-1].close(code=1012)
    await was_seen(bob, "#connection", "data-restored")
    for person in people:
        await person.page.reload()
        await person.on("race")
        await expect(person.page.locator("#forfeit")).to_be_visible()  # nobody only watches
    resumed = line.first[lines:]
    assert len(resumed) >= 2
    assert {(each["type"], each["seat"]) for each in resumed} == {("resume", 1)}
    # Where storage works, the address has no seat for long.
    other = await Person.at(bob.page.url, **PHONE)
    await other.on("race")
    await expect(other.page).to_have_url(link)
