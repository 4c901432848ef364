"""What the page says of its line to the server, and how it comes back."""

import contextlib
import random
import re
import socket
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, serving

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


async def test_a_server_that_is_restarted_is_found_again(tmp_path: Path) -> None:
    port = free_port()
    async with chromium() as browser:
        with serving(tmp_path, "--port", port) as address:
            ada = await Person.at(browser, address, **PHONE)
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
            # It may have come back by itself already, and the button is gone.
            await page.locator("#connection-now").dispatch_event("click")
            await expect(words).to_have_text("Connected", timeout=40_000)
            await page.click("#deal")
            await expect(page.locator("#status")).to_contain_text("Dealt")


async def test_no_network_is_said_so(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        page = ada.page
        line = page.locator("#connection")
        await expect(page.locator("#create")).to_be_visible()  # offline the rest could not come
        await page.context.set_offline(True)
        await expect(line).to_contain_text("You’re offline")
        await page.context.set_offline(False)
        await expect(line).to_be_hidden()


async def test_a_wrong_clock_of_the_device_changes_nothing(unhurried: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, unhurried, **DESKTOP)
        await ada.page.add_init_script(
            f"const now = Date.now; Date.now = () => now() + {MINUTES};"
        )
        await ada.page.reload()
        link = await ada.create("Ada")
        bob = await Person.at(browser, link, **DESKTOP)
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


async def test_why_somebody_is_back_on_the_front_page_stays_to_be_read(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        await ada.page.fill("#name", "Ada")
        await ada.page.fill("#code", "0000000")
        await ada.page.click("#join")
        await ada.on("landing")
        await expect(ada.page.locator("#problem")).to_contain_text("This room doesn’t exist")
