"""Who may join, as people see it: the queue, the lock, a ban, and one seat for each."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_the_host_lets_in_who_asks(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **PHONE)
        link = await ada.create("Ada")
        await ada.page.check("#set-approve")
        eve = await Person.at(browser, link, **DESKTOP)
        await eve.page.fill("#name", "Eve")
        await eve.page.click("#join")
        await eve.on("waiting")
        await expect(eve.page.locator("#screen")).to_contain_text("Ada decides who joins")
        await expect(ada.page.locator("#requests [data-part=name]")).to_have_text("Eve")
        await eve.page.reload()
        await eve.on("waiting")
        await ada.page.click("#requests [data-action=admit]")
        await eve.on("room")
        await expect(ada.page.locator("#requests")).to_have_count(0)
        await expect(ada.page.locator("#players li")).to_have_count(2)

        mallory = await Person.at(browser, link, **DESKTOP)
        await mallory.page.fill("#name", "Mallory")
        await mallory.page.click("#watch")
        await mallory.on("waiting")
        await ada.page.click("#requests [data-action=turn-away]")
        await mallory.on("landing")
        await expect(mallory.page.locator("#status")).to_contain_text("let you in")


async def test_a_locked_room_and_a_ban_are_told_in_words(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        link = await ada.create("Ada")
        eve = await Person.at(browser, link, **DESKTOP)
        await eve.join("Eve")
        await eve.page.click("#ready")
        await expect(ada.page.locator("#players [data-state='READY']")).to_have_count(1)
        bob = await Person.at(browser, link, **DESKTOP)
        await bob.page.route("**/api/rooms/*", lambda route: route.abort())  # he need not notice
        await bob.page.fill("#name", "Bob")
        await ada.page.check("#set-locked")
        late = await Person.at(browser, link, **DESKTOP)
        await expect(late.page.locator("#join-note")).to_contain_text("locked this room")
        await expect(late.page.locator("#name")).to_be_hidden()
        await bob.page.click("#join")
        await expect(bob.page.locator("#problem")).to_contain_text("locked this room")
        await expect(ada.page.locator("#players [data-state='READY']")).to_have_count(1)
        await ada.page.uncheck("#set-locked")

        await ada.page.get_by_role("button", name="Remove Eve").click()
        await ada.page.check("#kick-ban")
        await ada.page.click("#ask-yes")
        await eve.on("landing")
        await eve.page.goto(link)
        await eve.page.fill("#name", "Eve again")
        await eve.page.click("#join")
        await expect(eve.page.locator("#problem")).to_contain_text("removed you from this room")
        await bob.page.click("#join")
        await bob.on("room")


async def test_a_browser_has_one_seat_where_the_host_says_so(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        link = await ada.create("Ada")
        await ada.page.check("#set-one-seat")
        await ada.page.select_option("#set-undo", "any")
        await ada.page.select_option("#set-cheats", "out")
        await expect(ada.page.locator("#rules")).to_contain_text("Games with cheats")
        context = await browser.new_context(storage_state=await ada.page.context.storage_state())
        second = await Person.of(context, link)
        await second.page.evaluate("localStorage.removeItem('spider-race.seats')")
        await second.page.reload()
        await second.page.fill("#name", "Ada's other eyes")
        await second.page.click("#join")
        await expect(second.page.locator("#problem")).to_contain_text("one seat per person")
        bob = await Person.at(browser, link, **DESKTOP)
        await bob.join("Bob")
