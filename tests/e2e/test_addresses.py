"""The page in a local network, and behind nginx."""

import asyncio
import re
import socket
from pathlib import Path

import pytest
from playwright.async_api import expect

from server.web.addresses import lan_address
from tests.e2e.pages import DESKTOP, PHONE, Person, serving
from tests.e2e.wire import port_of, start_race
from tests.nginx import PLAIN, SAMPLE, in_front_of, nginx_path

pytestmark = pytest.mark.browser

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined});"
PHONE_SHARES = "navigator.share = async (what) => { window.shared = what; };"
COPIED = "() => document.querySelector('#copy').textContent === 'Copied'"
REFUSED = "The server refuses this connection. Ask its owner (websocket headers)."


@pytest.mark.complains("Cross-Origin-Opener-Policy", "Unexpected response code: 403")
async def test_people_come_by_a_local_network_and_by_nginx(tmp_path: Path) -> None:
    lan = lan_address()
    with serving(tmp_path / "lan", "--host", "0.0.0.0") as address:  # noqa: S104  # for the network
        # The host opens `localhost`, which friends cannot.
        ada = await Person.at(address, **DESKTOP)
        await ada.create("Ada")
        link = await ada.page.locator("#share-link").input_value()
        warning = ada.page.locator("#link-warning")
        if lan is None:
            await expect(warning).to_contain_text("only on this computer")
        else:
            assert link.startswith(f"http://{lan}:{port_of(address)}/r/")
            await expect(warning).to_be_hidden()

        # On plain HTTP over a local network there is no `navigator.clipboard`, and phones share.
        lacking = PHONE_SHARES + ("" if lan else NO_CLIPBOARD)
        bob = await Person.at(link, **PHONE, script=lacking)
        page = bob.page
        await bob.join("Bob")
        assert await page.evaluate("() => navigator.clipboard === undefined")
        await bob.invites()
        await asyncio.gather(page.wait_for_function(COPIED), page.tap("#copy"))
        await page.evaluate("document.execCommand = () => false")
        await page.tap("#copy")
        await expect(page.locator("#invite-note")).to_contain_text("The link is selected")
        assert await page.evaluate("getSelection().toString()") == link
        await page.tap("#share")
        shared = await page.wait_for_function("() => window.shared")
        assert await shared.evaluate("({url}) => url") == link
        await page.tap("#invite-close")
        await page.focus("#chat-line")
        await page.keyboard.press("Control+v")
        await expect(page.locator("#chat-line")).to_have_value(link)
        await ada.page.goto("about:blank")
        await page.goto("about:blank")

    if nginx_path() is None:
        pytest.skip("there is no nginx")
    page = ada.page
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxied = f"http://localhost:{listener.getsockname()[1]}"
        trusting = ("--trusted-proxies", "127.0.0.1", "--public-url", proxied)
        with (
            serving(tmp_path / "nginx", *trusting) as address,
            in_front_of(port_of(address), listener, SAMPLE.read_text()),
        ):
            await page.goto(proxied)
            await ada.create("Ada")
            assert re.match(f"{proxied}/r/", await page.locator("#share-link").input_value())
            await expect(page.locator("#connection-words")).to_have_text("Connected")
            for player in await start_race(proxied, "Ann", "Bob"):
                assert player.table is not None
                assert (await player.act(player.table.legal[0])).at == 1
            await page.goto("about:blank")

            # The page explains a configuration without websocket headers.
            with socket.create_server(("127.0.0.1", 0)) as other:
                plain = f"http://localhost:{other.getsockname()[1]}"
                with in_front_of(port_of(address), other, PLAIN):
                    await page.goto(plain)
                    await page.click("#create")
                    await page.fill("#name", "Bob")
                    await page.click("#create")
                    await expect(page.locator("#connection-words")).to_contain_text(REFUSED)
                    await page.goto("about:blank")
