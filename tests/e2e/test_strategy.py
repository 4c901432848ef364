"""The advice on strategy: a page of its own, and a dialog over the race."""

import itertools
import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.axe import complaints, faint
from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.test_looks import LIGHTS, TABLES

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

SIZES = [(320, 640), (390, 844), (844, 390), (1280, 800)]

# Whatever reaches beyond the page or its place, and cards outside of their pictures.
AMISS = """() => {
  const amiss = [];
  const pages = [...document.querySelectorAll('#strategy, #strategy-dialog')];
  const all = (what) => pages.flatMap((page) => [...page.querySelectorAll(what)]);
  for (const each of all('*')) {
    const {left, right} = each.getBoundingClientRect();
    if (right > innerWidth + 0.5 || left < -0.5) amiss.push(`${each.className} is too wide`);
  }
  for (const each of all('figcaption, [data-part=foot], article'))
    if (each.scrollWidth > each.clientWidth) amiss.push(`${each.textContent} is cut off`);
  for (const picture of all('[data-part=picture]')) {
    const box = picture.getBoundingClientRect();
    for (const card of picture.querySelectorAll('[data-part=card], [data-part=back]')) {
      const {left, right, bottom, width} = card.getBoundingClientRect();
      if (left < box.left || right > box.right || bottom > box.bottom || width < 12)
        amiss.push(`${picture.ariaLabel}: ${card.dataset.card}`);
    }
  }
  return amiss;
}"""


async def in_view(page: Page, family: str) -> None:
    """Waits until a section's heading has the focus and can be seen."""
    heading = page.locator(f"#{family}")
    await expect(heading).to_be_focused()
    await expect(heading).to_be_in_viewport()


async def test_the_front_page_leads_to_the_advice_and_back(ada: Person) -> None:
    page = ada.page
    await page.click("#tips")
    await ada.on("strategy")
    await expect(page).to_have_url(re.compile("/strategy$"))
    await expect(page.locator("#screen h1")).to_have_text("Tips & strategy")
    await expect(page).to_have_title(re.compile("^Tips & strategy"))
    await expect(page.locator("#status")).to_have_text("")
    await page.click("[data-part=contents] a >> text=Little Spider")
    await expect(page.locator("#little-spider")).to_be_in_viewport()
    await expect(page).to_have_url(re.compile("/strategy#little-spider$"))
    await page.go_back()
    await ada.on("strategy")
    await page.go_back()
    await ada.on("landing")


async def test_a_link_to_a_section_opens_there_in_either_language(address: str) -> None:
    link = f"{address.rstrip('/')}/strategy#spiderette"
    ada = await Person.at(link, **PHONE, locale="de-AT")
    page = ada.page
    await in_view(page, "spiderette")
    await expect(page.locator("#screen h1")).to_have_text("Tipps & Strategie")
    tip = page.locator("[data-tip=short]")
    await expect(tip.locator("h3")).to_have_text("Zuerst die kurzen Stapel leeren")
    await expect(tip.locator("[data-kind=good] [data-part=picture]")).to_have_attribute(
        "aria-label", re.compile("^Stapel 1: leer. Stapel 2: 1 verdeckt; Kreuz-Bube.")
    )
    await page.select_option("#language", "en")
    await expect(page.locator("#screen h1")).to_have_text("Tips & strategy")
    await expect(tip.locator("h3")).to_have_text("Empty the short columns first")


async def test_the_game_of_1987_is_walked_through_by_keyboard(address: str) -> None:
    ada = await Person.at(f"{address.rstrip('/')}/strategy", **DESKTOP)
    walk = ada.page.locator("#walk")
    await expect(walk.locator("[data-part=at]")).to_have_text("The deal")
    await expect(walk.locator("[data-part=card]")).to_have_count(10)
    await expect(walk.locator("[data-part=back]")).to_have_count(44)
    await walk.locator("[data-action=on]").focus()
    for _ in range(9):  # two more than there are
        await ada.page.keyboard.press("Enter")
    await expect(walk.locator("[data-part=at]")).to_have_text("Move 7 of 7")
    await expect(walk.locator("[data-part=worth]")).to_have_text("DOS score 40 · Classic score 78")
    await expect(walk.locator("[data-action=on]")).to_have_attribute("aria-disabled", "true")
    await expect(walk.locator("[data-action=on]")).to_be_focused()
    await walk.locator("[data-action=back]").click()
    await expect(walk.locator("[data-part=at]")).to_have_text("Move 6 of 7")
    moved = walk.locator("[data-moved]")
    assert [await card.get_attribute("data-card") for card in await moved.all()] == ["7H", "6H"]


async def test_the_page_passes_the_checker_fits_everywhere_and_can_be_read(address: str) -> None:
    looks = [
        {"table": table, "light": light} for table, light in itertools.product(TABLES, LIGHTS)
    ]
    ada = await Person.at(f"{address.rstrip('/')}/strategy", **DESKTOP)
    page = ada.page
    await expect(page.locator("#little-spider")).to_be_visible()
    found = {"desk": await complaints(page), "looks": await faint(page, looks)}
    for language in ("en", "de"):
        await page.select_option("#language", language)
        await expect(page.locator("html")).to_have_attribute("lang", language)
        await expect(page.locator("#little-spider")).to_be_visible()
        for width, height in SIZES:
            await page.set_viewport_size({"width": width, "height": height})
            found[f"{language} {width}"] = await amiss(page, AMISS)
    await page.set_viewport_size({"width": 390, "height": 844})
    found["phone"] = await complaints(page)
    assert {name: amiss for name, amiss in found.items() if amiss} == {}


async def test_in_a_race_the_advice_lies_over_it_and_goes(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    page = ada.page
    await ada.create("Ada", rules_open=True)
    await page.select_option("#set-game", "spiderette-2")
    await page.click("#start")
    await ada.on("race")
    await expect(page.locator("[data-in=t6]")).to_have_count(7)
    where = page.url
    await page.keyboard.press("?")
    await page.click("#help-tips")
    await in_view(page, "spiderette")
    await expect(page.locator("#help-dialog")).to_have_count(0)
    assert await complaints(page) == []
    await page.locator("[data-part=contents] a >> text=Little Spider").click()
    await in_view(page, "little-spider")
    assert page.url == where
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await expect(page.locator("#board")).to_be_focused()
    await page.keyboard.press("d")
    await expect(page.locator("[data-in=t6]")).to_have_count(8)


async def test_advice_that_cannot_be_had_leaves_the_race_as_it_is(ada: Person) -> None:
    page = ada.page
    await ada.practise()
    await expect(page.locator("[data-in=t9]")).to_have_count(5)
    await ada.misses("**/tips.json")
    await page.keyboard.press("?")
    await page.click("#help-tips")
    await expect(page.locator("#not-loaded")).to_contain_text("couldn’t be loaded")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await page.unroute("**/tips.json")
    await page.click("#not-loaded-again")
    await in_view(page, "spider")
    await expect(page.locator("[data-tip=suits] [data-playing] strong")).to_have_text(
        "Spider, one suit"
    )
    await page.click("#strategy-close")
    await expect(page.locator("#strategy-dialog")).to_have_count(0)
    await expect(page.locator("#board")).to_be_focused()


async def test_the_advice_does_not_stay_over_another_screen(ada: Person) -> None:
    page = ada.page
    await ada.practise()
    await expect(page.locator("[data-in=t9]")).to_have_count(5)
    await page.keyboard.press("?")
    await page.click("#help-tips")
    await in_view(page, "spider")
    await page.go_back()
    await page.click("#ask-yes")
    await ada.on("landing")
    await expect(page.locator("dialog[open]")).to_have_count(0)
