"""Cheats: counted and explained in a room like xspider's, unheard of in one like Arachnid's."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person, given_up
from tests.e2e.ways import said

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

EXPLAINED = re.compile("Undoing a deal or a turned card counts as a cheat")


async def seated(ada: Person, bob: Person, preset: str) -> None:
    """Two players at their tables, in a room of a preset."""
    link = await ada.create("Ada", rules_open=True)
    await ada.takes_preset(preset)
    await expect(ada.page.locator("[name=preset]:checked")).to_have_value(preset)
    await bob.page.goto(link)
    await bob.join("Bob")
    for person in (bob, ada):
        await person.page.click("#ready")
    for person in (bob, ada):
        await person.on("race")
        await expect(person.page.locator("[data-in][data-card]").first).to_be_visible()


async def undone(person: Person) -> None:
    """A deal is made and taken back."""
    stock = person.page.locator('[data-in="stock"]')
    await person.page.click("#deal")
    await expect(stock).to_have_count(40)
    await person.page.click("#undo")
    await expect(stock).to_have_count(50)


async def test_cheats_are_shown_to_all_and_explained(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    bob = await Person.at(address, **DESKTOP)
    await seated(ada, bob, "classic")
    count = ada.page.locator("#cheats")
    await expect(count).to_be_hidden()
    await undone(ada)
    await said(ada, "Undone. That counts as cheat 1.")
    await expect(count).to_be_in_viewport(ratio=1)
    await expect(count).to_have_text("1")
    await accessible(ada.page)
    await ada.page.tap("button:has(#cheats)")
    await expect(ada.page.locator("#status")).to_have_text(EXPLAINED)
    await expect(ada.page.locator("button:has(#cheats)")).to_have_attribute("title", EXPLAINED)
    await undone(ada)
    await said(ada, "That counts as cheat 2.")
    await expect(count).to_have_text("2")
    await ada.page.click("#help")
    await expect(ada.page.locator("#help-cheats")).to_have_text(re.compile(r"\(2 cheats\)$"))
    await expect(ada.page.locator("#help-cheats")).to_have_text(EXPLAINED)
    await ada.page.click("#help-close")

    row = bob.page.locator("#standings [data-seat='0'] [data-part=about]")
    await expect(row).to_contain_text("2 cheats")
    await expect(row).to_have_attribute("title", EXPLAINED)
    await expect(bob.page.locator("#standings [data-seat='1']")).not_to_contain_text("cheat")
    await given_up(ada, bob)
    for person in (ada, bob):
        line = person.page.locator("#ranking tr[data-seat='0']")
        await expect(line).to_contain_text("2 cheats")
        await expect(person.page.locator("#ranking ~ [data-part=cheat-note]")).to_have_text(
            EXPLAINED
        )
        await accessible(person.page)


async def test_arachnid_neither_counts_nor_speaks_of_cheats(ada: Person, address: str) -> None:
    bob = await Person.at(address, **PHONE)
    await seated(ada, bob, "arachnid")
    await undone(ada)
    await said(ada, "Undone.")
    for person in (ada, bob):
        await expect(person.page.locator("body")).not_to_contain_text(
            "cheat", ignore_case=True, use_inner_text=True
        )
    await expect(ada.page.locator("#cheats")).to_be_hidden()
    await ada.page.click("#help")
    await expect(ada.page.locator("#help-status")).to_be_visible()
    await expect(ada.page.locator("#help-dialog")).not_to_contain_text("cheat", ignore_case=True)
    await ada.page.click("#help-close")
    await given_up(ada, bob)
    for person in (ada, bob):
        await expect(person.page.locator("#ranking")).to_contain_text("Gave up")
        await expect(person.page.locator("body")).not_to_contain_text(
            "cheat", ignore_case=True, use_inner_text=True
        )
