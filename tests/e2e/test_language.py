"""The page in another language: by the browser's setting, or by choice."""

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import join

pytestmark = pytest.mark.browser


READ_FETCHED = "() => performance.getEntriesByType('resource').map(({name}) => name)"


@pytest.mark.complains("ERR_FAILED")
async def test_german_by_the_browser_from_the_advice_to_the_results(address: str) -> None:
    ada = await Person.at(f"{address.rstrip('/')}/strategy#spiderette", **PHONE, locale="de-AT")
    page = ada.page
    html = page.locator("html")

    # A link to a section opens there, in either language.
    await expect(page.locator("#spiderette")).to_be_focused()
    await expect(page.locator("#spiderette")).to_be_in_viewport()
    tip = page.locator("[data-tip=short] h3")
    await expect(tip).to_have_text("Zuerst die kurzen Stapel leeren")
    await page.select_option("#language", "en")
    await expect(tip).to_have_text("Empty the short columns first")
    await page.select_option("#language", "de")
    await expect(html).to_have_attribute("lang", "de")  # the choice is stored

    await page.goto(address)
    await expect(page.locator("#create")).to_have_text("Gegen Freunde antreten")
    await page.click("#preferences")
    looks = {"table": "walnut", "light": "dark", "indices": "german"}
    for name, value in looks.items():
        await page.check(f"[name=pref-{name}][value={value}]", force=True)
    await page.click("#preferences-close")
    await page.reload()
    for name, value in looks.items():
        await expect(html).to_have_attribute(f"data-{name}", value)
    await expect(page.locator('link[href="/css/cards-german.css"]')).to_be_attached()
    await page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    await expect(page.locator("#ready")).to_have_text("Bereit")
    await page.select_option("#language", "en")
    await expect(page.locator("#ready")).to_have_text("Ready")
    await page.reload()
    await ada.on("room")
    await expect(page.locator("#ready")).to_have_text("Ready")  # the choice is kept
    await page.select_option("#language", "de")
    await expect(page.locator("#ready")).to_have_text("Bereit")

    # The race and its results are in German.
    bob = await join(address, link, "Bob")
    await bob.ready()
    await page.click("#ready")
    await asyncio.gather(ada.on("race"), bob.wait_for_table())
    await expect(page.locator('[data-pile="t0"]')).to_have_attribute(
        "aria-label", re.compile("^Stapel 1: 5 verdeckt; Pik 9")
    )
    await page.click("#deal")
    await expect(page.locator("#status")).to_contain_text(re.compile("[Aa]usgeteilt"))
    await bob.forfeit()
    await ada.gives_up()
    await ada.on("results")
    await expect(page.locator("#rematch")).to_have_text("Revanche")

    # The page fetches one language, and falls back to English.
    eve = await Person.at(address, **DESKTOP, locale="fr-FR")
    await expect(eve.page.locator("#create")).to_be_visible()
    await eve.page.locator("#lesson").scroll_into_view_if_needed()
    await expect(eve.page.locator("#lesson figure")).to_have_count(3)
    fetched = "\n".join(await eve.page.evaluate(READ_FETCHED))
    loads = {"en/start", "en/race", "en/after"}  # in any order
    assert {*re.findall(r"/strings/(../[a-z]+)\.js", fetched)} == loads
    lost = "**/strings/de/*.js"
    dan = await Person.at(
        address,
        **DESKTOP,
        locale="de-AT",
        prepare=lambda browser: browser.route(lost, lambda route: route.abort()),
    )
    await expect(dan.page.locator("#create")).to_have_text("Race friends")

    # Events before the sentences arrive need none of them.
    come = asyncio.Event()

    async def wait(route: Route) -> None:
        await come.wait()
        await route.continue_()

    cy = await Person.at(
        address, **DESKTOP, prepare=lambda browser: browser.route("**/strings/en/start.js", wait)
    )
    await cy.page.evaluate("dispatchEvent(new Event('offline'))")
    await cy.page.mouse.click(400, 400)
    await cy.page.keyboard.press("Tab")
    come.set()
    await cy.practise()
