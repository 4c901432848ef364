"""Parts of the page that come late, and do not come at first."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, refused, routed
from tests.e2e.ways import record, was_seen
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
