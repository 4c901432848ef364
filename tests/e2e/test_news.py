"""The news of a race, as all its players see and hear of them."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, chromium
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import play, port_of
from tests.games.wins import one_suit_win
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EMOTE = '#standings [data-seat="0"] [data-part=emote]'

# Where the banner ends and the table begins, and what the banner catches, as soon as it says this.
READ_BANNER = """async (words) => {
  const banner = document.querySelector('#banner');
  while (banner.hidden || !banner.textContent.includes(words))
    await new Promise((resolve) => requestAnimationFrame(resolve));
  await Promise.allSettled(banner.getAnimations().map(({finished}) => finished));
  return {
    bottom: banner.getBoundingClientRect().bottom,
    table: document.querySelector('#board').getBoundingClientRect().top,
    catches: getComputedStyle(banner).pointerEvents,
  };
}"""


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_a_finish_is_an_event_for_everybody(address: str, how: dict[str, Any]) -> None:
    ada = await Player.create(port_of(address), "Ada", game="spider-1")
    async with chromium() as browser:
        bob = await Person.at(browser, f"{address}r/{ada.code}", **how)
        await bob.join("Bob")
        await bob.page.click("#ready")
        await ada.say("ready")
        await ada.race()
        await bob.on("race")
        page = bob.page
        row = page.locator('#standings [data-seat="0"]')
        await expect(row).to_be_visible()
        await page.evaluate(WATCH)
        *most, last = one_suit_win()
        reading = page.evaluate(READ_BANNER, "Ada completed a suit")
        seen, _ = await asyncio.gather(reading, play(ada, most))
        assert seen["bottom"] <= seen["table"]
        await record(bob, EMOTE)
        await ada.say("say", emote="wow")
        await was_seen(bob, EMOTE, "Wow")
        reading = page.evaluate(READ_BANNER, "Ada finished 1st")
        seen, _ = await asyncio.gather(reading, play(ada, [last]))
        assert seen["bottom"] <= seen["table"]
        assert seen["catches"] == "none"
        assert await complaints(page, tags=WCAG) == []
        await expect(page.locator("#banner")).to_be_hidden()
        if how is not DESKTOP:
            await expect(row.locator("[data-part=suits]")).to_have_text("8/8")
            await expect(row.locator("[data-part=bar]")).to_be_visible()
        await page.wait_for_timeout(STILL_MS)
        shifts = await page.evaluate("() => window.shifts")
        assert not [shift for shift in shifts if not shift["card"]], shifts
        assert bob.complaints == []
