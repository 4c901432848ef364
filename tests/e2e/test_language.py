"""The page in another language: by the browser's wish, by choice, and kept."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, Person, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


async def test_german_by_the_browser_and_english_by_choice(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, locale="de-AT")
        page = ada.page
        html = page.locator("html")
        await expect(html).to_have_attribute("lang", "de")
        await expect(page.locator("#create")).to_have_text("Raum öffnen")
        await ada.create("Ada")
        await expect(page.locator("#ready")).to_have_text("Ich bin bereit")

        await page.select_option("#language", "en")
        await expect(page.locator("#ready")).to_have_text("I am ready")
        await expect(html).to_have_attribute("lang", "en")
        await expect(page.locator("#language")).to_be_focused()
        await page.reload()
        await ada.on("room")
        await expect(page.locator("#ready")).to_have_text("I am ready")
        assert ada.complaints == []


async def test_a_race_in_german_tells_its_moves_in_german(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        page = ada.page
        await page.select_option("#language", "de")
        await page.check("[name=game][value=spider-1]", force=True)
        await page.fill("#name", "Ada")
        await page.click("#practice")
        await ada.on("race")
        await expect(page.locator('[data-pile="t0"]')).to_have_attribute(
            "aria-label", re.compile("^Stapel 1: 5 verdeckt; Pik 9")
        )
        await page.click("#deal")
        await expect(page.locator("#status")).to_contain_text(re.compile("[Aa]usgeteilt"))
        assert ada.complaints == []
