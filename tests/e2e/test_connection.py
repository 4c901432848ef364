"""What the page says of its line to the server, and how it comes back."""

import contextlib
import json
import random
import re
import socket
from pathlib import Path

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.e2e.pages import DESKTOP, PHONE, Person, race, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

MINUTES = 7 * 60_000


def free_port() -> str:
    """A port of this machine that nobody uses now.

    It is none of those that the system gives to connections: one of them could take it while the
    server is away.
    """
    for port in random.sample(range(20_000, 30_000), 50):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return str(port)
    raise AssertionError("all are in use")


@pytest.mark.complains("WebSocket connection to", "net::ERR_")
async def test_a_server_that_is_restarted_is_found_again(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path, "--port", port) as address:
        ada = await Person.at(address, **PHONE)
        page = ada.page
        line = page.locator("#connection")
        words = line.locator("#connection-words")
        await ada.create("Ada")
        await expect(words).to_have_text("Connected")
        await expect(page.locator("#connection-now")).to_be_hidden()
        await page.click("#start")
        await ada.on("race")
    await expect(line).to_have_attribute("data-connection", re.compile("waiting|connecting"))
    await expect(page.locator("#connection-now")).to_be_visible()
    await expect(line).to_contain_text("restarting")
    with serving(tmp_path, "--port", port):
        # The page may have reconnected already, and the button is gone.
        await page.locator("#connection-now").dispatch_event("click")
        await expect(page.locator("#connection[data-restored]")).to_be_visible(timeout=40_000)
        await expect(words).to_have_text("Connected")
        await page.click("#deal")
        await expect(page.locator("#status")).to_contain_text("Dealt")


@pytest.mark.complains("ERR_INTERNET_DISCONNECTED")  # a part that was on its way
async def test_no_network_is_said_so(ada: Person) -> None:
    page = ada.page
    line = page.locator("#connection")
    await expect(page.locator("#create")).to_be_visible()  # offline the rest could not come
    await page.context.set_offline(True)
    await expect(line).to_contain_text("You’re offline")
    await page.context.set_offline(False)
    await expect(line).to_be_hidden()


async def test_a_press_whose_answers_are_lost_takes_one_seat(
    address: str, browser: Browser
) -> None:
    """The connection is lost with the first answer; then the store cannot answer the second."""
    losses = ['"joined"', '"joined"']

    def lose(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        async def receive(message: str | bytes) -> None:
            if not losses or losses[0] not in str(message):
                socket.send(message)
            elif len(losses) == 2:
                losses.pop()
                await socket.close(code=1012)
            else:
                losses.pop()
                refusal = {"type": "refused", "command": command, "code": "try_again"}
                socket.send(json.dumps({**refusal, "id": None, "details": {}, "table": None}))

        server.on_message(receive)

    context = await browser.new_context(**DESKTOP)
    await context.route_web_socket("**/*", lose)
    ada = await Person.of(context, address)
    command = "create"
    await ada.page.fill("#name", "Ada")
    await ada.page.click("#create")
    await expect(ada.page.locator("#problem")).not_to_be_empty()
    link = await ada.create("Ada")
    command, losses[:] = "join", ['"joined"'] * 2
    context = await browser.new_context(**DESKTOP)
    await context.route_web_socket("**/*", lose)
    bob = await Person.of(context, link)
    await bob.page.fill("#name", "Bob")
    await bob.page.click("#join")
    await expect(bob.page.locator("#problem")).not_to_be_empty()
    await bob.join("Bob")
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)


FORBID = "get() { throw new DOMException('blocked', 'SecurityError'); }"
BLOCKED = """for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
  Object.defineProperty(window, name, {HOW});
window.BroadcastChannel = class { constructor() { throw new DOMException('', 'SecurityError'); } };
"""


@pytest.mark.parametrize("how", [FORBID, "value: null"], ids=["throws", "is null"])
async def test_without_storage_a_lost_line_and_a_reload_keep_the_seat(
    address: str, browser: Browser, how: str
) -> None:
    first: list[dict[str, object]] = []
    lines: list[WebSocketRoute] = []

    def listen(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        lines.append(line)

        def send(message: str | bytes) -> None:
            if len(first) < len(lines):
                first.append(json.loads(message))
            server.send(message)

        line.on_message(send)

    people = []
    link = address
    for name in ("Ada", "Bob"):
        context = await browser.new_context(**DESKTOP, service_workers="block")
        await context.add_init_script(BLOCKED.replace("HOW", how))
        if name == "Bob":
            await context.route_web_socket("**/*", listen)
        person = await Person.of(context, link)
        if name == "Ada":
            link = (await person.create(name)).partition("#")[0]
        else:
            await person.join(name)
        people.append(person)
    ada, bob = people
    await ada.invites()
    assert await ada.page.locator("#share-link").input_value() == link
    await ada.page.click("#invite-close")
    await ada.page.reload()
    await ada.on("room")
    await expect(ada.page.locator("#change-rules")).to_be_visible()  # she hosts the same room
    assert ada.page.url.startswith(f"{link}#")
    await race(ada, bob)
    await lines[-1].close(code=1012)
    await expect(bob.page.locator("#connection[data-restored]")).to_be_visible()
    assert (first[-1]["type"], first[-1]["seat"]) == ("resume", 1)
    for person in people:
        await person.page.reload()
        await person.on("race")
        await expect(person.page.locator("#forfeit")).to_be_visible()  # nobody only watches
    # Where storage works, the address has no seat for long.
    other = await Person.at(bob.page.url, **PHONE)
    await other.on("race")
    await expect(other.page).to_have_url(link)


async def test_a_wrong_clock_of_the_device_changes_nothing(unhurried: str) -> None:
    ada = await Person.at(unhurried, **DESKTOP)
    await ada.page.add_init_script(f"const now = Date.now; Date.now = () => now() + {MINUTES};")
    await ada.page.reload()
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("countdown")
        await expect(person.page.locator("#digit")).to_have_text(re.compile("^([1-5]|Go!)$"))
    for person in (ada, bob):
        await person.on("race")
        await expect(person.page.locator("#clock")).to_have_text(re.compile(r"^0:\d\d$"))
        await expect(person.page.locator("#time-left")).to_have_text(re.compile("^14:|^15:00"))


@pytest.mark.complains("404 (Not Found)")
async def test_why_somebody_is_back_on_the_front_page_stays_to_be_read(ada: Person) -> None:
    await ada.page.fill("#name", "Ada")
    await ada.page.fill("#code", "0000000")
    await ada.page.click("#join")
    await ada.on("landing")
    await expect(ada.page.locator("#problem")).to_contain_text("This room doesn’t exist")
