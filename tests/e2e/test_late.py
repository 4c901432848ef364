"""Parts of the page that fail to load at first."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, MOVING, Person, routed
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import one_suit_win

pytestmark = pytest.mark.browser


AFTER = re.compile(r"/(after-load|strings/en/after)\.js$")
"""The modules for after a race, which the race does not need."""


@pytest.mark.complains("ERR_FAILED")
async def test_the_page_retries_modules_and_a_race_goes_on_without_them(
    ada: Person, address: str
) -> None:
    page = ada.page
    offer = page.locator("#not-loaded")
    await ada.practise()
    await routed(page, AFTER, lambda route: route.abort())
    await page.reload()
    await ada.on("race")
    await page.focus("#board")  # in a text field keys only type
    await page.keyboard.press("?")
    await expect(offer).to_contain_text("couldn’t be loaded")
    await page.click("#not-loaded-close")
    await expect(offer).to_have_count(0)
    await page.unroute(AFTER)
    await page.focus("#board")
    await page.keyboard.press("?")
    await expect(page.locator("#help-dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#help-dialog")).to_have_count(0)

    # Regression: the page took the third failure for a newer version.
    await routed(page, AFTER, lambda route: route.abort())
    await page.reload()
    await ada.on("race")
    await ada.gives_up()
    await expect(offer).to_contain_text("couldn’t be loaded")
    assert await complaints(page, tags=WCAG) == []
    for _ in range(3):
        async with page.expect_event("requestfailed"):
            await page.click("#not-loaded-again")
        await expect(offer).to_be_visible()
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await page.unroute(AFTER)
    await page.click("#not-loaded-again")
    await ada.on("results")
    await expect(offer).to_have_count(0)
    await page.goto("about:blank")

    # A race goes on without the modules for after it.
    racer, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    *most, _ = one_suit_win()
    await play(racer, most)
    requests: list[str] = []

    async def lose(browser: BrowserContext) -> None:
        browser.on("request", lambda request: requests.append(request.url))
        await browser.route(AFTER, lambda route: route.abort())

    person = await at_a_page(racer, **DESKTOP, **MOVING, prepare=lose)
    page, offer = person.page, person.page.locator("#not-loaded")
    await person.on("race")
    for turn in range(5):  # every message of the rival redraws the page
        await bob.say(f"Line {turn}")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    wanted = [url for url in requests if AFTER.search(url)]
    assert all(wanted.count(url) <= 4 for url in wanted), wanted

    await record(person, "#celebration", "outerHTML")
    await page.click("#remove")
    await person.has_acted(1)
    await was_seen(person, "#celebration", "♠")
    await expect(page.locator("#standings li")).to_have_count(2)
    await expect(page.locator("#chat-log")).to_contain_text("Line 4")
    await expect(page.locator("#events")).to_contain_text("You finished 1st!")
    await expect(offer).to_have_count(0)
    await bob.forfeit()
    await expect(offer).to_be_visible()
    await page.context.unroute_all()
    await page.click("#not-loaded-again")
    await person.on("results")
    await expect(offer).to_have_count(0)
