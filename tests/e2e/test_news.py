"""The news of a race, as all its players see and hear of them."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss
from tests.e2e.screenshots import HOLD_BANNER
from tests.e2e.test_head import READ_CLASHES
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.test_sizes import SIZES, resize
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import create, join, play, race_on_the_wire
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EMOTE = '#standings [data-seat="0"] [data-part=emote]'

LONG = "W" * 24

# What the banner covers, and what of its own words is cut off.
COVERED = """() => {
  const banner = document.querySelector('#banner');
  const its = banner.getBoundingClientRect();
  const said = banner.lastElementChild;
  const found = [];
  const mark = document.querySelector('#lead-line [data-part=mark]');
  mark.dataset.colour = 'green'; // shapes that are clipped lie over what has no place of its own
  const {left, top, width, height} = mark.getBoundingClientRect();
  if (!banner.contains(document.elementFromPoint(left + width / 2, top + height / 2)))
    found.push('the leader shines through');
  if (its.height < 16) found.push('the banner is not shown');
  if (said.scrollWidth > said.clientWidth + 1) found.push('its words are cut');
  if (its.left < 0 || its.right > innerWidth || its.top < 0 || its.bottom > innerHeight)
    found.push('the banner is outside');
  const others = document.querySelectorAll('button, #clock, #time-left, [data-part=figure],'
    + ' #standings li, #board, #board-grid li, #status, #connection, #chat-panel');
  for (const each of others) {
    const box = each.getBoundingClientRect();
    if (each.checkVisibility({visibilityProperty: true}) &&
        Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
        Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1)
      found.push(each.id || each.dataset.in || each.textContent);
  }
  return found;
}"""

# The same, as soon as the banner says this.
READ_BANNER = """async (words) => {
  const banner = document.querySelector('#banner');
  while (banner.hidden || !banner.textContent.includes(words))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  return (COVERED)();
}""".replace("COVERED", COVERED)


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_a_finish_is_an_event_for_everybody(address: str, how: dict[str, Any]) -> None:
    ada = await create(address, "Ada", game="spider-1")
    bob = await Person.at(f"{address}r/{ada.code}", **how)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada)
    page = bob.page
    row = page.locator('#standings [data-seat="0"]')
    await expect(row).to_be_visible()
    await page.evaluate(WATCH)
    *most, last = one_suit_win()
    reading = page.evaluate(READ_BANNER, "Ada: 1 of 8 suits")
    covered, _ = await asyncio.gather(reading, play(ada, most))
    assert covered == []
    await record(bob, EMOTE)
    await ada.emote("wow")
    await was_seen(bob, EMOTE, "Wow")
    reading = page.evaluate(READ_BANNER, "Ada finished 1st")
    covered, _ = await asyncio.gather(reading, play(ada, [last]))
    assert covered == []
    assert await complaints(page, tags=WCAG) == []
    await expect(page.locator("#banner")).to_be_hidden()
    await expect(page.locator("#lead-line")).to_have_text("Ada wins")
    if how is not DESKTOP:
        await expect(row.locator("[data-part=suits]")).to_have_text("8/8")
        await expect(row.locator("[data-part=bar]")).to_be_visible()
    await page.wait_for_timeout(STILL_MS)
    shifts = await page.evaluate("() => window.shifts")
    assert not [shift for shift in shifts if not shift["card"]], shifts


async def test_news_cover_nothing_at_any_size(address: str) -> None:
    """They lay over the clock, the score and the moves, and on a phone over the whole header."""
    ada = await create(address, LONG, game="spider-1")
    eve = await join(address, ada.code, "Eve")
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP, **STILL)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada, eve)
    await expect(bob.page.locator("#standings li")).to_have_count(3)
    await bob.page.evaluate(HOLD_BANNER)
    await ada.forfeit()
    await expect(bob.page.locator("#banner")).to_contain_text("gave up")
    for has_chat in (False, True):
        if has_chat:
            await bob.page.click("#chat-toggle")
        for size in SIZES:
            await resize(bob, size)
            assert await amiss(bob.page, COVERED) == [], size
    await bob.page.click("#chat-close")
    await bob.gives_up()
    await expect(bob.page.locator("#board-grid")).to_be_visible()
    for size in SIZES:
        await resize(bob, size)
        assert await amiss(bob.page, COVERED) == [], size


async def test_the_clocks_of_the_race_are_shown_at_any_size_and_after_the_own_end(
    address: str,
) -> None:
    """The clock stopped at the own end, and the time left was shown on wide screens alone."""
    ada = await create(address, "Ada", game="spider-1")
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP, **STILL)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada)
    clock, left = (bob.page.locator(each) for each in ("#clock", "#time-left"))
    for plays in (True, False):
        for size in SIZES:
            await resize(bob, size)
            assert await left.is_visible(), size
            assert await amiss(bob.page, READ_CLASHES) == [], size
        if plays:
            await bob.gives_up()
            await expect(bob.page.locator("#forfeit")).to_be_hidden()
    for each in (clock, left):
        await expect(each).not_to_have_text(await each.inner_text())
    await expect(left).to_contain_text("14:")
    await ada.forfeit()
    await bob.on("results")
