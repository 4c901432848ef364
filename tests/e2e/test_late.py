"""Parts of the page that do not come at first."""

import re

import pytest
from playwright.async_api import BrowserContext, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, MOVING, Person, routed
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import one_suit_win

pytestmark = pytest.mark.browser


OPTIONAL = re.compile(
    r"/(chat/(chat|emotes)|tab/tab|race/(standings|board-grid|report)|room/(host-controls|room)"
    r"|results/results|help/help|preferences/preferences-dialog"
    r"|strings/en/after|css/(chat|room|results)"
    r"|celebration/celebration)\.(js|css)$"
)
"""Files without which a race can be played."""


@pytest.mark.complains("ERR_FAILED")
async def test_what_does_not_load_is_offered_again_and_a_race_goes_on_without_it(
    ada: Person, address: str
) -> None:
    page = ada.page
    offer = page.locator("#not-loaded")
    await ada.practise()
    for file in ("help/help.js", "css/help.css"):
        await routed(page, f"**/{file}", lambda route: route.abort())
        await page.reload()
        await ada.on("race")
        await page.keyboard.press("?")
        await said(ada, "That couldn’t be loaded. Try again.")
        await page.unroute(f"**/{file}")
        await page.keyboard.press("?")
        await expect(page.locator("#help-dialog")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("#help-dialog")).to_have_count(0)

    # The third failure of the results was once a sign of a newer version.
    await routed(page, "**/results/results.js", lambda route: route.abort())
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
    await page.unroute("**/results/results.js")
    await page.click("#not-loaded-again")
    await ada.on("results")
    await expect(offer).to_have_count(0)
    await page.goto("about:blank")

    # A race goes on without the parts that it does not need.
    racer, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    *most, _ = one_suit_win()
    await play(racer, most)
    requests: list[str] = []

    async def lose(browser: BrowserContext) -> None:
        browser.on("request", lambda request: requests.append(request.url))
        await browser.route(OPTIONAL, lambda route: route.abort())

    person = await at_a_page(racer, **DESKTOP, **MOVING, prepare=lose)
    page, offer = person.page, person.page.locator("#not-loaded")
    await person.on("race")
    for turn in range(5):  # each message of the rival draws the page
        await bob.say(f"Line {turn}")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    wanted = [url for url in requests if OPTIONAL.search(url)]
    assert all(wanted.count(url) <= 4 for url in wanted), wanted

    # A win is celebrated before the standings are there, and as soon as it can be.
    await page.click("#remove")
    await person.has_acted(1)
    await expect(offer).to_be_visible()
    await record(person, "#celebration", "outerHTML")
    await page.context.unroute_all()
    await page.click("#not-loaded-again")
    await expect(offer).to_have_count(0)
    await was_seen(person, "#celebration", "canvas")
    await expect(page.locator("#standings li")).to_have_count(2)
    await expect(page.locator("#chat-log")).to_contain_text("Line 4")
    await expect(page.locator("#track")).to_be_visible()
    await bob.forfeit()
    await person.on("results")
