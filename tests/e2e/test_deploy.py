"""The page during a deploy."""

import os
import signal
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.pages import Person, process_of, routed

pytestmark = pytest.mark.browser

OUT_OF_DATE = "out of date"


# All cards of a page, with pile and index.
READ_CARDS = """() => [...document.querySelectorAll('[data-in]')].map(
  ({dataset}) => [dataset.in, dataset.index, dataset.card].join()).sort()"""


@pytest.mark.complains("404 (Not Found)")
async def test_a_page_outlives_its_workers_and_asks_for_a_reload_after_a_deploy(
    ada: Person, tmp_path: Path
) -> None:
    page = ada.page

    # The newer build no longer has one of the modules.
    await expect(page.locator("#create")).to_be_visible()
    await routed(page, "**/src/room/room.js", lambda route: route.fulfill(status=404))
    await ada.gives_name("Ada")
    await page.click("#create")
    await expect(page.locator("dialog#ask")).to_contain_text(OUT_OF_DATE)
    await page.unroute("**/src/room/room.js")
    await page.click("#ask-yes")
    await expect(page.locator("dialog#ask")).to_be_hidden()
    await page.click("#create")
    await expect(page.locator("#when")).to_be_visible()
    await page.click("#create")
    await ada.on("room")

    # A newer server no longer speaks the page's protocol.
    with process_of("tests.e2e.newer", "--data-dir", str(tmp_path / "newer")) as (_, newer):
        await page.goto(newer)
        await ada.gives_name("Ada")
        await page.click("#create")
        await expect(page.locator("dialog#ask")).to_contain_text(OUT_OF_DATE)
        await page.evaluate("window.sameDocument = true")
        await page.click("#ask-yes")
        await page.wait_for_function("() => window.sameDocument === undefined")
        await ada.on("landing")
        await page.goto("about:blank")

    # All workers are replaced, and the page races on.
    options = ("--workers", "2", "--data-dir", str(tmp_path / "workers"))
    with process_of("server", *options) as (pid, address):
        await page.goto(address)
        await ada.practise()
        await expect(page.locator("[data-in]").first).to_be_visible()
        await page.evaluate("window.sameDocument = true")
        before = await page.evaluate(READ_CARDS)
        on_table = sum(not card.startswith("stock") for card in before)
        async with page.expect_websocket(timeout=0):  # her process has ended
            os.kill(pid, signal.SIGHUP)
        await expect(page.locator("#connection")).to_have_attribute("data-connection", "on")
        assert await page.evaluate(READ_CARDS) == before
        await page.click("#deal")
        table = page.locator('[data-in]:not([data-in="stock"])')
        await expect(table).to_have_count(on_table + 10)
        assert await page.evaluate("window.sameDocument")
        assert await page.locator("dialog[open]").count() == 0
