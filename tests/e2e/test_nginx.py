"""The page behind nginx: with the sample of this project, and with a configuration too plain."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, Person, serving
from tests.e2e.wire import port_of, start_race
from tests.nginx import PLAIN, SAMPLE, free_port, in_front_of, nginx_path

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(180),
    pytest.mark.skipif(nginx_path() is None, reason="there is no nginx"),
]
REFUSED = "The server refuses this connection. Ask its owner (websocket headers)."


async def test_people_race_through_the_sample(tmp_path: Path) -> None:
    port = free_port()
    proxied = f"http://localhost:{port}"
    trusting = ("--trusted-proxies", "127.0.0.1", "--public-url", proxied)
    with (
        serving(tmp_path, *trusting) as address,
        in_front_of(port_of(address), port, SAMPLE.read_text()),
    ):
        ada = await Person.at(proxied, **DESKTOP)
        await ada.create("Ada")
        await expect(ada.page.locator("#connection-words")).to_have_text("Connected")
        for player in await start_race(proxied, "Ann", "Bob"):
            assert player.table is not None
            assert (await player.act(player.table.legal[0])).at == 1


@pytest.mark.complains("Unexpected response code: 403")
async def test_a_page_that_gets_no_websocket_says_whom_to_ask(tmp_path: Path) -> None:
    port = free_port()
    with serving(tmp_path) as address, in_front_of(port_of(address), port, PLAIN):
        ada = await Person.at(f"http://localhost:{port}", **DESKTOP)
        await ada.page.fill("#name", "Ada")
        await ada.page.click("#create")
        await expect(ada.page.locator("#connection-words")).to_contain_text(
            REFUSED, timeout=60_000
        )
