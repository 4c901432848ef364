"""Parts of the page that come late, and do not come at first."""

from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Page, Route, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person, routed
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, create, play, start_race
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

Step = Callable[[Page], Awaitable[None]]


async def fail_once(person: Person, pattern: str) -> None:
    """The first request for a file is lost, later ones are let through."""
    lost: list[str] = []

    async def answer(route: Route) -> None:
        if lost:
            await route.continue_()
        else:
            lost.append(route.request.url)
            await route.abort()

    person.expected.append("ERR_FAILED")
    await routed(person.page, pattern, answer)


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
    ada: Person, file: str, ask: Step, shown: str
) -> None:
    page = ada.page
    await ada.practise()
    await fail_once(ada, file)
    await ask(page)
    offer = page.locator("#not-loaded")
    await expect(offer).to_contain_text("couldn’t be loaded")
    assert await complaints(page, tags=WCAG) == []
    await expect(page.locator(shown)).to_have_count(0)
    await page.click("#not-loaded-again")
    await expect(page.locator(shown)).to_be_visible()
    await expect(offer).to_have_count(0)


OPTIONAL = [
    "**/chat/chat.js",
    "**/strings/en/chat.js",
    "**/css/chat.css",
    "**/chat/emotes.js",
    "**/tab/tab.js",
    "**/strings/en/tab.js",
    "**/race/standings.js",
    "**/race/board-grid.js",
    "**/race/report.js",
    "**/strings/en/report.js",
    "**/room/host-controls.js",
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
    ada, bob = await start_race(address, "Ada", "Bob")
    person = await at_a_page(ada, **DESKTOP)
    page = person.page
    await person.on("race")
    await person.misses(file)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    await page.reload()
    await person.on("race")
    # Each message of the rival draws the page.
    for turn in range(5):
        await bob.say(f"Line {turn}")
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
    await person.gives_up()
    await expect(page.locator("#board-grid")).to_be_visible()
    await bob.forfeit()
    await person.on("results")
    bob.close()


@pytest.mark.parametrize(
    "file", ["**/help/help.js", "**/help/lesson.js", "**/css/help.css", "**/strings/en/help.js"]
)
async def test_a_key_whose_code_cannot_be_loaded_is_answered_and_works_later(
    ada: Person, file: str
) -> None:
    page = ada.page
    await ada.practise()
    for _ in range(3):
        await ada.misses(file)
        await page.reload()
        await ada.on("race")
        await page.keyboard.press("?")
        await said(ada, "That couldn’t be loaded. Try again.")
        await page.unroute(file)
        await page.keyboard.press("?")
        await expect(page.locator("#help-dialog")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.locator("#help-dialog")).to_have_count(0)


async def test_results_that_do_not_load_are_tried_again_and_no_reload_is_asked_for(
    ada: Person,
) -> None:
    page = ada.page
    await ada.misses("**/results/results.js")
    await ada.practise()
    await ada.gives_up()
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


async def test_a_chat_that_does_not_load_can_be_tried_again_and_loses_no_message(
    address: str,
) -> None:
    bob = await create(address, "Bob")
    ada = await Person.at(address, **PHONE)
    await fail_once(ada, "**/chat/chat.js")
    await ada.page.goto(f"{address}r/{bob.code}")
    await ada.join("Ada")
    offer = ada.page.locator("#not-loaded")
    await expect(offer).to_be_visible()
    await bob.say("Can you hear me?")
    await ada.page.click("#not-loaded-again")
    await expect(ada.page.locator("#chat-log")).to_contain_text("Can you hear me?")
    await expect(offer).to_have_count(0)


async def test_a_celebration_that_does_not_load_can_be_tried_again(address: str) -> None:
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    *most, _ = one_suit_win()
    await play(ada, most)
    person = await at_a_page(ada, **DESKTOP)
    await person.on("race")
    page = person.page
    await person.misses("**/celebration/celebration.js")
    await page.reload()
    await person.on("race")
    await page.click("#remove")
    offer = page.locator("#not-loaded")
    await expect(offer).to_be_visible()
    await page.unroute("**/celebration/celebration.js")
    await record(person, "#celebration", "outerHTML")
    await page.click("#not-loaded-again")
    await was_seen(person, "#celebration", "canvas")
    await expect(offer).to_have_count(0)
    await expect(page.locator("#track")).to_be_visible()
    bob.close()


async def test_a_win_is_celebrated_before_the_standings_are_there(address: str) -> None:
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    *most, _ = one_suit_win()
    await play(ada, most)
    person = await at_a_page(ada, **DESKTOP)
    await person.on("race")
    await person.misses("**/race/standings.js")
    await person.page.reload()
    await person.on("race")
    await record(person, "#celebration", "outerHTML")
    await person.page.click("#remove")
    await was_seen(person, "#celebration", "canvas")
    bob.close()
