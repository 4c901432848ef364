"""What a page sees of a deploy."""

import os
import signal
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, Person, Piles, process_of, routed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def on_table(piles: Piles) -> int:
    return sum(len(cards) for name, cards in piles.items() if name != "stock")


async def test_a_page_races_on_while_all_workers_are_replaced(tmp_path: Path) -> None:
    options = ("--workers", "2", "--data-dir", str(tmp_path))
    with process_of("server", *options) as (pid, address):
        ada = await Person.at(address, **DESKTOP)
        page = ada.page
        await ada.practise()
        await expect(page.locator("[data-in]").first).to_be_visible(timeout=60_000)
        await page.evaluate("window.sameDocument = true")
        before = await ada.piles()
        async with page.expect_websocket(timeout=120_000):  # her process has ended
            os.kill(pid, signal.SIGHUP)
        line = page.locator("#connection")
        await expect(line).to_have_attribute("data-connection", "on", timeout=60_000)
        assert await ada.piles() == before
        await page.click("#deal")
        table = page.locator('[data-in]:not([data-in="stock"])')
        await expect(table).not_to_have_count(on_table(before))
        assert on_table(await ada.piles()) > on_table(before)
        assert await page.evaluate("window.sameDocument")
        assert await page.locator("dialog[open]").count() == 0


@pytest.mark.complains("404 (Not Found)")
async def test_a_page_that_outlives_a_deploy_is_told_to_reload(
    ada: Person, tmp_path: Path
) -> None:
    # The newer server does not speak the page's version any more.
    with process_of("tests.e2e.newer", "--data-dir", str(tmp_path)) as (_, newer):
        bob = await Person.at(newer, **DESKTOP)
        await bob.page.fill("#name", "Bob")
        await bob.page.click("#create")
        await expect(bob.page.locator("dialog#ask")).to_contain_text("out of date")
        await bob.page.evaluate("window.sameDocument = true")
        await bob.page.click("#ask-yes")
        await bob.page.wait_for_function("window.sameDocument === undefined")
        await bob.on("landing")
        await bob.page.context.close()

    # The newer build has no such module, or one that does not fit the others.
    await expect(ada.page.locator("#create")).to_be_visible()
    await routed(ada.page, "**/src/room/room.js", lambda route: route.fulfill(status=404))
    await ada.page.fill("#name", "Ada")
    await ada.page.click("#create")
    await expect(ada.page.locator("dialog#ask")).to_contain_text("out of date")
    await ada.page.unroute("**/src/room/room.js")
    await ada.page.click("#ask-yes")
    await ada.on("room")
