"""The page behind nginx: with the sample of this project, and with a configuration too plain."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, Person, chromium, serving
from tests.nginx import PLAIN, SAMPLE, free_port, in_front_of, nginx_path
from tests.players import Player, start_race

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(180),
    pytest.mark.skipif(nginx_path() is None, reason="there is no nginx"),
]
REFUSED = "The server refuses this connection. Ask its owner (websocket headers)."


def port_of(address: str) -> int:
    return int(address.rstrip("/").rpartition(":")[2])


async def test_people_race_through_the_sample(tmp_path: Path) -> None:
    port = free_port()
    proxied = f"http://localhost:{port}"
    trusting = ("--trusted-proxies", "127.0.0.1", "--public-url", proxied)
    async with chromium() as browser:
        with (
            serving(tmp_path, *trusting) as address,
            in_front_of(port_of(address), port, SAMPLE.read_text()),
        ):
            ada = await Person.at(browser, proxied, **DESKTOP)
            await ada.create("Ada")
            await expect(ada.page.locator("#connection-words")).to_have_text("Connected")
            ann, bob = await start_race(port)
            assert (await ann.act(ann.table["legal"][0]))["type"] == "acted"
            assert (await bob.act(bob.table["legal"][0]))["type"] == "acted"
            await Player.leave(ann)
            await Player.leave(bob)
        assert ada.complaints == []


async def test_a_page_that_gets_no_websocket_says_whom_to_ask(tmp_path: Path) -> None:
    port = free_port()
    async with chromium() as browser:
        with (
            serving(tmp_path) as address,
            in_front_of(port_of(address), port, PLAIN),
        ):
            ada = await Person.at(browser, f"http://localhost:{port}", **DESKTOP)
            await ada.page.fill("#name", "Ada")
            await ada.page.click("#create")
            await expect(ada.page.locator("#connection-words")).to_contain_text(
                REFUSED, timeout=60_000
            )
