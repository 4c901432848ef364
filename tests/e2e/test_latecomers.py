"""Latecomers, and players whom the next race has left out: what the page offers them."""

import pytest
from playwright.async_api import expect
from spider_race_client import Race

from protocol.vocabulary import HOST_WAIT_S
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person
from tests.e2e.wire import at_a_page, start_race

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def racing(address: str, *, chasers: bool) -> tuple[Race, Race]:
    """Two players over the wire who race."""
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1", chasers=chasers)
    return ada, bob


async def test_a_latecomer_plays_the_same_deal_by_one_button_and_reads_why_it_ends(
    address: str,
) -> None:
    ada, bob = await racing(address, chasers=True)
    cleo = await Person.at(f"{address}r/{ada.code}", **PHONE, **STILL)
    page = cleo.page
    await page.fill("#name", "Cleo")
    await expect(page.locator("#join")).to_have_text("Join (you play from the next race)")
    await page.click("#join-chase")
    await cleo.on("race")
    await expect(page.locator("#status")).to_contain_text("unranked, until the race ends")
    await expect(page.locator("#forfeit")).to_be_visible()
    await bob.forfeit()
    await ada.forfeit()
    await cleo.on("results")
    await expect(page.locator("#cut-off")).to_contain_text("The race is over, and with it")
    await expect(page.locator("#winner")).to_have_text("Nobody finished")
    await expect(page.locator("#podium")).to_be_hidden()
    await expect(page.locator("#ranking th").first).to_be_hidden()  # the places


async def test_a_latecomer_without_a_deal_to_play_has_no_other_promise(address: str) -> None:
    ada, _ = await racing(address, chasers=False)
    cleo = await Person.at(f"{address}r/{ada.code}", **DESKTOP)
    page = cleo.page
    await expect(page.locator("#join")).to_have_text("Join (you play from the next race)")
    await expect(page.locator("#join-chase")).to_be_hidden()
    await page.fill("#name", "Cleo")
    await page.press("#name", "Enter")
    await cleo.on("race")
    await expect(page.locator("#chase")).to_be_hidden()


@pytest.mark.parametrize("chasers", [True, False])
async def test_a_player_whom_the_rematch_leaves_out_is_asked(
    address: str, *, chasers: bool
) -> None:
    ada, bob = await racing(address, chasers=chasers)
    cleo = await Person.at(f"{address}r/{ada.code}", **DESKTOP, **STILL)
    page = cleo.page
    await page.fill("#name", "Cleo")
    await page.click("#join")
    await cleo.on("race")
    await bob.forfeit()
    await ada.forfeit()
    await cleo.on("results")
    await bob.rematch()
    host = await at_a_page(ada, **DESKTOP, **STILL)
    await host.on("results")
    await host.page.click("#rematch")
    await host.page.click("#start", timeout=2 * HOST_WAIT_S * 1_000)
    await expect(page.locator("#ask-title")).to_have_text("The next race starts without you")
    await page.click("#ask-yes" if chasers else "#ask-no")
    await cleo.on("race")
    await (
        expect(page.locator("#forfeit")) if chasers else expect(page.locator("#track"))
    ).to_be_visible()
