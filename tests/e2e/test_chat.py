"""What people say to each other, on every screen of a room."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium
from tests.e2e.wire import port_of
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_talk_in_the_room_in_the_race_and_after(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        link = await ada.create("Ada")
        bob = await Person.at(browser, link, **PHONE)
        await bob.join("Bob")

        await ada.page.fill("#chat-line", "<b>Hello</b> Bob")
        await ada.page.press("#chat-line", "Enter")
        await expect(bob.page.locator("#chat-log")).to_contain_text("Ada<b>Hello</b> Bob")
        assert await bob.page.locator("#chat-log span b").count() == 0
        await expect(ada.page.locator("#chat-line")).to_have_value("")
        await bob.page.click("[data-emote=good_luck]")
        await expect(ada.page.locator("#chat-log")).to_contain_text("Good luck!")

        await bob.page.click("#ready")
        await ada.page.click("#ready")
        for person in (ada, bob):
            await person.on("race")
        toggle = bob.page.locator("#chat-toggle")
        await expect(toggle).to_have_attribute("aria-expanded", "false")
        await ada.page.click("#chat-toggle")
        await expect(ada.page.locator("#chat-line")).to_be_focused()
        await ada.page.fill("#chat-line", "Catch me")
        await ada.page.press("#chat-line", "Enter")
        await expect(toggle).to_have_attribute("aria-label", "Chat, 1 unread")
        await expect(bob.page.locator("#status")).to_have_text("Ada: Catch me", timeout=10_000)

        await bob.page.click("#chat-toggle")
        await expect(toggle).to_have_attribute("aria-label", "Chat")
        box = await bob.page.locator("#chat-panel").bounding_box()
        cards = await bob.page.locator("#board").bounding_box()
        assert box is not None
        assert cards is not None
        assert cards["y"] + cards["height"] <= box["y"], "the window covers the table"
        await bob.page.keyboard.press("Escape")
        await expect(toggle).to_be_focused()

        await bob.page.click("#forfeit")
        await bob.page.click("#ask-yes")
        await bob.page.reload()
        await bob.on("race")
        await bob.page.click("#chat-toggle")
        await expect(bob.page.locator("#chat-log p")).to_have_count(3)
        await ada.page.click("#forfeit")
        await ada.page.click("#ask-yes")
        await ada.on("results")
        await bob.on("results")
        await expect(ada.page.locator("#chat-log p")).to_have_count(3)
        assert ada.complaints == bob.complaints == []


async def test_whoever_is_muted_is_not_read(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        link = await ada.create("Ada")
        eve = await Person.at(browser, link, **DESKTOP)
        await eve.join("Eve")
        await eve.page.fill("#chat-line", "Look here")
        await eve.page.press("#chat-line", "Enter")
        said = ada.page.locator("#chat-log p")
        await expect(said).to_have_count(1)

        await ada.page.click("#chat-mute summary")
        await ada.page.get_by_role("button", name="Mute Eve").click()
        await expect(said).to_be_hidden()
        await eve.page.fill("#chat-line", "And here")
        await eve.page.press("#chat-line", "Enter")
        await expect(said).to_have_count(2)
        await ada.page.reload()
        await ada.on("room")
        await expect(said).to_have_count(2)
        for number in range(2):
            await expect(said.nth(number)).to_be_hidden()

        await ada.page.click("#chat-mute summary")
        await ada.page.get_by_role("button", name="Unmute Eve").click()
        await expect(said.first).to_be_visible()


async def test_too_much_talk_is_refused_in_words_and_kept(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        await ada.create("Ada")
        page = ada.page
        for number in range(6):
            await page.fill("#chat-line", f"Line {number}")
            await page.press("#chat-line", "Enter")
            if number < 5:
                await expect(page.locator("#chat-log p")).to_have_count(number + 1)
        await expect(page.locator("#chat-problem")).to_contain_text("Slow down a moment.")
        await expect(page.locator("#chat-line")).to_have_value("Line 5")


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390), (320, 640)])
async def test_the_window_leaves_the_way_on_free_after_the_race(
    address: str, width: int, height: int
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, viewport={"width": width, "height": height})
        await ada.create("Ada")
        await ada.page.click("#start")
        await ada.on("race")
        await ada.page.click("#forfeit")
        await ada.page.click("#ask-yes")
        await ada.on("results")
        await ada.page.click("#chat-toggle")
        window = await ada.page.locator("#chat-panel").bounding_box()
        assert window is not None
        for button in ("#next", "#leave"):
            found = ada.page.locator(button)
            await found.evaluate("(element) => element.scrollIntoView({block: 'nearest'})")
            box = await found.bounding_box()
            assert box is not None
            beside = box["x"] + box["width"] <= window["x"]
            above = box["y"] + box["height"] <= window["y"]
            assert beside or above, f"{button} lies under the window"


async def test_after_a_reload_only_what_was_missed_is_new(address: str) -> None:
    """Regression: all old messages counted as unread, and the last one was announced."""
    bob = await Player.create(port_of(address), "Bob")
    async with chromium() as browser:
        ada = await Person.at(browser, f"{address}r/{bob.code}", **DESKTOP)
        await ada.join("Ada")
        await bob.ask("say", text="In the room")
        await expect(ada.page.locator("#chat-log p")).to_have_count(1)
        await ada.page.click("#ready")
        await bob.say("ready")
        await ada.on("race")
        badge = ada.page.locator("#chat-badge")
        await bob.ask("say", text="In the race")
        await bob.ask("say", emote="wow")
        await expect(badge).to_have_text("2")
        await ada.page.reload()
        await ada.on("race")
        await expect(ada.page.locator("#chat-log p")).to_have_count(3)
        await expect(badge).to_be_empty()
        await expect(ada.page.locator("#status")).not_to_contain_text("Bob")
        assert await ada.page.locator("[data-part=emote]").count() == 0
        url = ada.page.url
        await ada.page.goto("about:blank")
        await bob.ask("say", text="While you were away")
        await ada.page.goto(url)
        await expect(ada.page.locator("#chat-log p")).to_have_count(4)
        await expect(badge).to_have_text("1")
        await expect(ada.page.locator("#status")).to_contain_text("While you were away")
        await bob.ask("say", text="And now")
        await expect(badge).to_have_text("2")
        assert ada.complaints == []
