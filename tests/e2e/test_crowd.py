"""Rooms with as many players and spectators as a room can have: what to do next stays in view."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.pages import DESKTOP, STILL, Person, amiss, chromium
from tests.e2e.test_sizes import resize
from tests.e2e.wire import port_of
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

SIZES = [(1280, 800), (820, 1180), (390, 844), (320, 568), (844, 390), (568, 320)]

# Which of some buttons are not in the window, or lie below something else.
READ_HIDDEN = """(buttons) => buttons.filter((each) => {
  const button = document.querySelector(each);
  const {left, right, top, bottom} = button.getBoundingClientRect();
  if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) return true;
  return [left + 3, (left + right) / 2, right - 3]
    .some((x) => !button.contains(document.elementFromPoint(x, (top + bottom) / 2)));
})"""

# What stands at the foot of the window, but reaches above the bar of the next race.
READ_ABOVE_BAR = """() => {
  const bar = document.querySelector('.next-bar').getBoundingClientRect();
  return ['#chat-toggle', '#connection'].filter((each) => {
    const element = document.querySelector(each);
    const {top, width} = element.getBoundingClientRect();
    return getComputedStyle(element).clipPath === 'none' && width > 0 && top < bar.top - 5;
  });
}"""


async def in_order(page: Page, *selectors: str) -> bool:
    """Whether elements stand in this order, from the top of the page."""
    boxes = [await page.locator(each).bounding_box() for each in selectors]
    tops = [box["y"] for box in boxes if box]
    return len(tops) == len(selectors) and tops == sorted(tops)


async def test_spectators_are_a_count_below_the_controls(address: str) -> None:
    """Forty of them stood between the players and Ready."""
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, **STILL)
        page = ada.page
        await page.check("[name=game][value=spider-1]", force=True)
        link = await ada.create("Ada")
        code = link.rpartition("/")[2]
        await page.wait_for_selector("#ready")
        before = await page.locator("#ready").bounding_box()
        for number in range(40):
            await Player.join(port_of(address), code, f"Guest {number}", role="spectator")
        watchers = page.locator("details:has(> #watchers)")
        await expect(watchers.locator("summary")).to_have_text("40 spectators")
        await expect(page.locator("#watchers li").first).to_be_hidden()
        assert await page.locator("#ready").bounding_box() == before
        assert await in_order(page, "#players", "#ready", "details:has(> #watchers)")
        await watchers.locator("summary").click()
        await expect(page.locator('#watchers [data-action="kick"]').first).to_be_visible()
        assert await page.locator("#ready").bounding_box() == before

        bob = await Player.join(port_of(address), code, "Bob")
        await bob.say("ready")
        await page.click("#ready")
        await ada.on("race")
        await page.click("#host")
        rows = page.locator("#host-controls li")
        await expect(rows).to_have_count(41)
        await expect(rows.first).to_contain_text("Bob")
        assert ada.complaints == []


async def test_the_next_race_stays_in_view_on_the_results_of_twelve_players(address: str) -> None:
    """The table of eleven others pushed Rematch below the fold."""
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, **STILL)
        page = ada.page
        await page.check("[name=game][value=spider-1]", force=True)
        code = (await ada.create("Ada")).rpartition("/")[2]
        await page.fill("#set-max-players", "12")
        await page.press("#set-max-players", "Tab")
        await expect(page.locator("#gist")).to_be_visible()
        first = await Player.join(port_of(address), code, "Player 1")
        await first.with_settings(max_players=12)
        names = [f"Player {number}" for number in range(2, 12)]
        others = [first, *[await Player.join(port_of(address), code, name) for name in names]]
        for player in others:
            await player.say("ready")
        await page.click("#ready")
        await ada.on("race")
        for player in others:
            await player.say("forfeit")
        await page.click("#forfeit")
        await page.click("#ask-yes")
        await ada.on("results")
        await expect(page.locator("#ranking tr")).to_have_count(13)
        await expect(page.locator("#boards")).to_be_visible()
        for buttons in (["#rematch", "#chat-toggle"], ["#rematch", "#start", "#chat-toggle"]):
            for size in SIZES:
                await resize(ada, size)
                for part in (0, 0.4, 1):
                    await page.evaluate(
                        "(part) => scrollTo(0, part * document.body.scrollHeight)", part
                    )
                    assert await amiss(page, READ_HIDDEN, buttons) == [], (size, part)
                    assert await amiss(page, READ_ABOVE_BAR) == [], (size, part)
            if "#start" not in buttons:
                for player in others:
                    await player.say("rematch")
                await expect(page.locator("#start")).to_be_visible()
        assert ada.complaints == []
