"""Parts of the page that come late, and do not come at first."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, refused, routed
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, play, port_of
from tests.games.wins import one_suit_win
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

Step = Callable[[Page], Awaitable[None]]


async def fail_once(page: Page, pattern: str) -> None:
    """The first request for a file is lost, later ones are let through."""
    lost: list[str] = []

    async def answer(route: Route) -> None:
        if lost:
            await route.continue_()
        else:
            lost.append(route.request.url)
            await route.abort()

    await routed(page, pattern, answer)


def unexpected(person: Person) -> list[str]:
    """What the page complained of, but for the lost request."""
    return [each for each in person.complaints if "ERR_FAILED" not in each]


async def preferences(page: Page) -> None:
    await page.click("#looks")


async def help_(page: Page) -> None:
    await page.click("#help")


async def tips(page: Page) -> None:
    await page.click("#help")
    await page.click("#help-tips")


@pytest.mark.parametrize(
    ("file", "ask", "shown"),
    [
        ("**/preferences/preferences-dialog.js", preferences, "#preferences-dialog"),
        ("**/css/preferences.css", preferences, "#preferences-dialog"),
        ("**/help/help.js", help_, "#help-dialog"),
        ("**/strategy/strategy.js", tips, "#strategy-dialog"),
    ],
)
async def test_a_part_that_does_not_load_says_so_and_can_be_tried_again(
    address: str, file: str, ask: Step, shown: str
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        page = ada.page
        await ada.practise()
        await fail_once(page, file)
        await ask(page)
        offer = page.locator("#not-loaded")
        await expect(offer).to_contain_text("couldn’t be loaded")
        assert await complaints(page, tags=WCAG) == []
        await expect(page.locator(shown)).to_have_count(0)
        await page.click("#not-loaded-again")
        await expect(page.locator(shown)).to_be_visible()
        await expect(offer).to_have_count(0)
        assert unexpected(ada) == []


OPTIONAL = [
    "**/chat/chat.js",
    "**/strings/en/chat.js",
    "**/css/chat.css",
    "**/shared/emotes.js",
    "**/presence/presence.js",
    "**/strings/en/presence.js",
    "**/race/standings.js",
    "**/race/board-grid.js",
    "**/race/host-controls.js",
    "**/strings/en/host.js",
    "**/css/room.css",
    "**/results/results.js",
    "**/strings/en/results.js",
    "**/css/results.css",
    "**/room/room.js",
    "**/help/help.js",
    "**/preferences/preferences-dialog.js",
]
"""Files without which a race can be played."""


@pytest.mark.parametrize("file", OPTIONAL)
async def test_a_race_goes_on_without_the_parts_that_it_does_not_need(
    address: str, file: str
) -> None:
    ada = await Player.create(port_of(address), "Ada")
    bob = await Player.join(port_of(address), ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    await ada.race()
    async with chromium() as browser:
        person = await at_a_page(browser, address, ada, **DESKTOP)
        page = person.page
        await person.on("race")
        await refused(page, file)
        requests: list[str] = []
        page.on("request", lambda request: requests.append(request.url))
        await page.reload()
        await person.on("race")
        # Each message of the rival draws the page.
        for turn in range(5):
            await bob.ask("say", text=f"Line {turn}")
        await page.click("#deal")
        await expect(page.locator("[data-in=t9]")).to_have_count(6)
        await expect(page.locator("#status")).to_contain_text("Dealt")
        name = file.removeprefix("**")
        assert sum(name in url for url in requests) <= 4
        await expect(page.locator("dialog[open]")).to_have_count(0)

        await page.unroute(file)
        offer = page.locator("#not-loaded")
        if await offer.count():
            await page.click("#not-loaded-again")
        await expect(offer).to_have_count(0)
        await expect(page.locator("#standings li")).to_have_count(2)
        await page.click("#forfeit")
        await page.click("#ask-yes")
        await expect(page.locator("#board-grid")).to_be_visible()
        await bob.say("forfeit")
        await person.on("results")
        assert unexpected(person) == []
    await bob.leave()


@pytest.mark.parametrize(
    "file",
    ["**/help/help.js", "**/help/lesson.js", "**/css/help.css", "**/strings/en/help.js"],
)
async def test_a_key_whose_code_cannot_be_loaded_is_answered_and_works_later(
    address: str, file: str
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        page = ada.page
        await ada.practise()
        for _ in range(3):
            await refused(page, file)
            await page.reload()
            await ada.on("race")
            await page.keyboard.press("?")
            await said(ada, "That couldn’t be loaded. Try again.")
            await page.unroute(file)
            await page.keyboard.press("?")
            await expect(page.locator("#help-dialog")).to_be_visible()
            await page.keyboard.press("Escape")
            await expect(page.locator("#help-dialog")).to_have_count(0)
        assert unexpected(ada) == []


async def test_results_that_do_not_load_are_tried_again_and_no_reload_is_asked_for(
    address: str,
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        page = ada.page
        await refused(page, "**/results/results.js")
        await ada.practise()
        await page.click("#forfeit")
        await page.click("#ask-yes")
        await expect(page.locator("#not-loaded")).to_be_visible()
        for _ in range(3):  # the third failure was once a sign of a newer version
            async with page.expect_event("requestfailed"):
                await page.click("#not-loaded-again")
            await expect(page.locator("#not-loaded")).to_be_visible()
        await expect(page.locator("dialog[open]")).to_have_count(0)
        await expect(page.locator("#connection")).to_have_attribute("data-connection", "on")
        await page.unroute("**/results/results.js")
        await page.click("#not-loaded-again")
        await ada.on("results")
        await expect(page.locator("#not-loaded")).to_have_count(0)
        assert unexpected(ada) == []


async def test_a_chat_that_does_not_load_can_be_tried_again_and_loses_no_message(
    address: str,
) -> None:
    bob = await Player.create(port_of(address), "Bob")
    async with chromium() as browser:
        ada = await Person.at(browser, address, **PHONE)
        await fail_once(ada.page, "**/chat/chat.js")
        await ada.page.goto(f"{address}r/{bob.code}")
        await ada.join("Ada")
        offer = ada.page.locator("#not-loaded")
        await expect(offer).to_be_visible()
        await bob.ask("say", text="Can you hear me?")
        await ada.page.click("#not-loaded-again")
        await expect(ada.page.locator("#chat-log")).to_contain_text("Can you hear me?")
        await expect(offer).to_have_count(0)
        assert unexpected(ada) == []


async def test_a_celebration_that_does_not_load_can_be_tried_again(address: str) -> None:
    ada = await Player.create(port_of(address), "Ada", game="spider-1")
    bob = await Player.join(port_of(address), ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    await ada.race()
    *most, _ = one_suit_win()
    await play(ada, most)
    async with chromium() as browser:
        person = await at_a_page(browser, address, ada, **DESKTOP)
        await person.on("race")
        page = person.page
        await refused(page, "**/shared/celebration.js")
        await page.reload()
        await person.on("race")
        await page.click("#remove")
        offer = page.locator("#not-loaded")
        await expect(offer).to_be_visible()
        await page.unroute("**/shared/celebration.js")
        await record(person, "#celebration", "outerHTML")
        await page.click("#not-loaded-again")
        await was_seen(person, "#celebration", "canvas")
        await expect(offer).to_have_count(0)
        await expect(page.locator("#track")).to_be_visible()
        assert unexpected(person) == []
    await bob.leave()
