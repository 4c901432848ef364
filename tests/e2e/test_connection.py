"""The page recovers when it loses its server, its connection or its storage."""

import json
import re
import resource
from pathlib import Path

import pytest
import redis
from playwright.async_api import BrowserContext, WebSocketRoute, expect

from server.games import actions
from tests.e2e.pages import DESKTOP, PHONE, Person, game_of, race, serving
from tests.e2e.wire import port_of
from tests.server.relay import relayed
from tests.waiting import until

pytestmark = pytest.mark.browser


@pytest.mark.complains("WebSocket connection to", "net::ERR_")
async def test_the_page_reconnects_to_a_server_that_was_away(address: str) -> None:
    async with relayed(port_of(address)) as relay:
        ada = await Person.at(f"http://127.0.0.1:{relay.port}/", **PHONE)
        page, line = ada.page, ada.page.locator("#connection")
        words = line.locator("#connection-words")
        await ada.create("Ada")
        await expect(words).to_have_text("Connected")
        await expect(page.locator("#connection-now")).to_be_hidden()
        await page.click("#start")
        await ada.on("race")
        await expect(page.locator("[data-in=t9]")).to_have_count(5)
        await ada.deals()
        await ada.has_acted(1)

        relay.is_shut = True
        relay.cut()
        await expect(line).to_have_attribute("data-connection", re.compile("waiting|connecting"))
        await expect(page.locator("#connection-now")).to_be_visible()
        # A click reconnects at once. After a second connection the act would get no answer.
        await page.click("#connection-now")
        relay.is_shut = False
        await expect(words).to_have_text("Connected")
        await expect(page.locator("[data-in=t9]")).to_have_count(6)
        await ada.deals()
        await ada.has_acted(2)
        await expect(page.locator("[data-in=t9]")).to_have_count(7)


BLOCKED = """
for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
  Object.defineProperty(window, name, {
    get() { throw new DOMException('blocked', 'SecurityError'); }});
window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError'); } };
"""


class Line:
    """Stands between a page and its server; loses answers, and records first messages."""

    def __init__(self) -> None:
        self.routes: list[WebSocketRoute] = []
        self.first: list[dict[str, object]] = []
        """The first message on each connection."""
        self.losses = 0
        """How many answers to lose from now on; with the first one the connection goes, too."""
        self.command = ""

    async def stand_between(self, browser: BrowserContext) -> None:
        """Route all websockets of a browser."""
        await browser.route_web_socket("**/*", self.open)

    def open(self, line: WebSocketRoute) -> None:
        """Connect a new websocket to the server."""
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


async def test_lost_answers_lines_and_storage_cost_nobody_the_seat(address: str) -> None:
    """Neither page may store anything, and only the third try of each press succeeds.

    The first answer is lost with its connection, and the second one is `try_again`.
    """
    people, link, line = [], address, Line()
    for name, command in (("Ada", "create"), ("Bob", "join")):
        line = Line()
        person = await Person.at(link, **DESKTOP, script=BLOCKED, prepare=line.stand_between)
        line.losses, line.command = 2, command
        if command == "create":
            await person.gives_name(name)
        else:
            await person.page.fill("#name", name)
        await person.page.click(f"#{command}")
        await person.on("room")
        link = person.page.url
        people.append(person)
    ada, bob = people
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)
    await ada.invites()
    assert await ada.page.locator("#share-link").input_value() == link
    await ada.page.click("#invite-close")
    await ada.page.reload()
    await ada.on("room")
    await expect(ada.page.locator("#change-rules")).to_be_visible()  # she is still the host
    assert ada.page.url == link  # the address that she may copy has no token
    await race(ada, bob)
    lines = len(line.routes)
    await line.routes[-1].close(code=1012)
    await until(lambda: len(line.first) > lines)
    await expect(bob.page.locator("#connection-words")).to_have_text("Connected")
    for person in people:
        await person.page.reload()
        await person.on("race")
        await expect(person.page.locator("#forfeit")).to_be_visible()  # nobody only watches
    resumed = line.first[lines:]
    assert len(resumed) >= 2
    assert {(each["type"], each["seat"]) for each in resumed} == {("resume", 1)}
    # A friend with that address gets no seat.
    other = await Person.at(bob.page.url, **PHONE)
    await other.on("join")


KEPT = "Your seat is kept"


def has_refused(store: redis.Redis) -> bool:
    """Return whether the store refuses a write, as with a full disk."""
    try:
        store.set("written", 1)
    except redis.ResponseError as error:
        return str(error).startswith("MISCONF")
    return False


async def test_a_store_that_refuses_writes_takes_nobodys_seat(tmp_path: Path) -> None:
    """With a full disk both players of a race reload, and come back to the same cards.

    Regression: the page forgot the seat and showed the join form, which made a second seat.
    """
    with serving(tmp_path, countdown_ms=400) as address:
        ada = await Person.at(address, **DESKTOP)
        link = await ada.create("Ada")
        line = Line()
        bob = await Person.at(link, **PHONE, prepare=line.stand_between)
        await bob.join("Bob")
        await race(ada, bob)
        game = game_of("spider-1")
        await bob.deals()
        await bob.has_acted(1)
        game.apply(actions.DEAL)
        eve = await Person.at(address, **DESKTOP)
        with redis.Redis(unix_socket_path=str(tmp_path / "valkey.sock")) as store:
            pid = store.info("server")["process_id"]
            _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, hard))
            try:
                await until(lambda: has_refused(store))
                await bob.page.reload()
                await ada.page.reload()
                for person in (bob, ada):
                    await expect(person.page.locator("#connection-words")).to_contain_text(KEPT)
                    await expect(person.page.locator("#front")).to_be_visible()
                await eve.gives_name("Eve")
                await eve.page.click("#create")
                await expect(eve.page.locator("#connection-words")).to_contain_text("isn’t ready")
                await bob.page.reload()  # once more, within the outage
                await expect(bob.page.locator("#connection-words")).to_contain_text(KEPT)
            finally:
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (hard, hard))
        for person in (bob, ada):
            await person.on("race")
            await expect(person.page.locator("#forfeit")).to_be_visible()  # nobody only watches
        await bob.sees(game)
        await eve.on("room")
        assert {each["seat"] for each in line.first if each["type"] == "resume"} == {1}
        assert len([each for each in line.first if each["type"] == "join"]) == 1
