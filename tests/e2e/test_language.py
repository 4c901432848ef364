"""The page in another language: by the browser's wish, by choice, and kept."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, Route, expect

from tests.e2e.pages import DESKTOP, Person

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_german_by_the_browser_and_english_by_choice(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, locale="de-AT")
    page = ada.page
    html = page.locator("html")
    await expect(html).to_have_attribute("lang", "de")
    await expect(page.locator("#create")).to_have_text("Raum öffnen")
    await ada.create("Ada")
    await expect(page.locator("#ready")).to_have_text("Bereit")

    await page.select_option("#language", "en")
    await expect(page.locator("#ready")).to_have_text("Ready")
    await expect(html).to_have_attribute("lang", "en")
    await expect(page.locator("#language")).to_be_focused()
    await page.reload()
    await ada.on("room")
    await expect(page.locator("#ready")).to_have_text("Ready")


async def test_a_race_in_german_tells_its_moves_in_german(ada: Person) -> None:
    page = ada.page
    await page.select_option("#language", "de")
    await expect(page.locator("html")).to_have_attribute("lang", "de")
    await ada.practise("spider-1")
    await expect(page.locator('[data-pile="t0"]')).to_have_attribute(
        "aria-label", re.compile("^Stapel 1: 5 verdeckt; Pik 9")
    )
    await page.click("#deal")
    await expect(page.locator("#status")).to_contain_text(re.compile("[Aa]usgeteilt"))


async def catalogues(person: Person) -> list[str]:
    """The catalogues that a page has fetched since it was opened."""
    names: list[str] = await person.page.evaluate(
        "() => performance.getEntriesByType('resource').map(({name}) => name)"
    )
    return re.findall(r"/strings/(../[a-z]+\.js)", "\n".join(names))


async def test_only_the_language_that_is_spoken_is_fetched(address: str) -> None:
    for locale, file in [("de-AT", "de/start.js"), ("fr-FR", "en/start.js")]:
        ada = await Person.at(address, **DESKTOP, locale=locale)
        await expect(ada.page.locator("#create")).to_be_visible()
        language, _, _ = file.partition("/")
        await ada.page.locator("#lesson").scroll_into_view_if_needed()
        await expect(ada.page.locator("#lesson figure")).to_have_count(3)
        assert await catalogues(ada) == [file, f"{language}/lesson.js"]


async def test_nothing_is_said_before_the_sentences_have_come(
    address: str, browser: Browser
) -> None:
    come = asyncio.Event()

    async def wait(route: Route) -> None:
        await come.wait()
        await route.continue_()

    context = await browser.new_context(**DESKTOP)
    await context.route("**/strings/en/start.js", wait)
    ada = await Person.of(context, address)
    await ada.page.evaluate("dispatchEvent(new Event('offline'))")
    await ada.page.mouse.click(400, 400)
    await ada.page.keyboard.press("Tab")
    come.set()
    await ada.practise()


@pytest.mark.complains("ERR_FAILED")
async def test_a_language_that_does_not_come_is_replaced_by_english(
    address: str, browser: Browser
) -> None:
    context = await browser.new_context(**DESKTOP, locale="de-AT")
    await context.route("**/strings/de/*.js", lambda route: route.abort())
    ada = await Person.of(context, address)
    await expect(ada.page.locator("#create")).to_have_text("Create room")
    await expect(ada.page.locator("html")).to_have_attribute("lang", "en")
