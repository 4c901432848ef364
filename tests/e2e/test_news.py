"""The news of a race, as all its players see and hear of them."""

from typing import Any

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, chromium
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.wire import play, port_of
from tests.games.wins import one_suit_win
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


async def bottom(part: Locator) -> float:
    """The lower edge of a part of the page."""
    box = await part.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


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
        await play(ada, most)
        banner = page.locator("#banner")
        await expect(banner).to_contain_text("Ada completed a suit")
        top = await page.locator("#board").bounding_box()
        assert top is not None
        assert await bottom(banner) <= top["y"]
        await ada.say("say", emote="wow")
        await expect(row).to_contain_text("Wow")
        assert await row.locator("[data-part=emote]").count() == 1
        await play(ada, [last])
        await expect(banner).to_contain_text("Ada finished 1st")
        assert (
            await banner.evaluate("(element) => getComputedStyle(element).pointerEvents") == "none"
        )
        assert await bottom(banner) <= top["y"]
        assert await complaints(page, tags=WCAG) == []
        await expect(banner).to_be_hidden(timeout=10_000)
        if how is not DESKTOP:
            await expect(row.locator("[data-part=suits]")).to_have_text("8/8")
            await expect(row.locator("[data-part=bar]")).to_be_visible()
        await page.wait_for_timeout(STILL_MS)
        shifts = await page.evaluate("() => window.shifts")
        assert not [shift for shift in shifts if not shift["card"]], shifts
        assert bob.complaints == []
