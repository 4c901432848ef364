"""An evening of three at a kept table: its page, the way back, a seat that moves to a phone."""

import asyncio

import pytest
from playwright.async_api import expect
from spider_race_client import Race

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import join, play
from tests.games.wins import one_suit_win

pytestmark = pytest.mark.browser

WIN = one_suit_win()
FEW = 14
"""Acts of a player who gives up."""
STORED = "() => ({...localStorage})"


async def finish(winner: Race, loser: Race, ada: Person) -> None:
    """Let one player win and the others give up; wait for the results."""
    await asyncio.gather(play(winner, WIN), play(loser, WIN[:FEW]))
    await loser.forfeit()
    await ada.gives_up()
    await ada.on("results")


async def test_an_evening_of_three_at_a_kept_table(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    await ada.create("Ada")
    bob, cy = [await join(address, page.url, name) for name in ("Bob", "Cy")]

    # Ada keeps the table before the first race, and gives it a name.
    await page.click("#table-menu")
    await page.click("#keep")
    await expect(page.locator("#view-table")).to_be_visible()
    await page.click("#table-menu")
    await page.click("#table-do-rename")
    await page.fill("#table-name", "Friday table")
    await page.click("#ask-yes")
    await expect(page.locator("#table-title")).to_have_text("Friday table")

    # Bob wins the first race, and Cy the second one, which Ada starts on the page of the table.
    for player in (bob, cy):
        await player.ready()
    await page.click("#ready")
    await ada.on("race")
    await asyncio.gather(bob.wait_for_table(), cy.wait_for_table())
    await finish(bob, cy, ada)
    await page.click("#view-table")
    await ada.on("table")
    await expect(page.locator("#table-ranking tbody tr")).to_have_count(3)
    await expect(page.locator("#table-races li")).to_have_count(1)
    await accessible(page)
    await page.click("#table-race")
    for player in (bob, cy):
        await player.rematch()
    await ada.on("race")
    await asyncio.gather(bob.wait_for_table(), cy.wait_for_table())
    await finish(cy, bob, ada)
    await page.click("#view-table")
    races = page.locator("#table-races li")
    await expect(races).to_contain_text(["Cy", "Bob"])
    wins = page.locator("#table-ranking [data-part=result]")
    await expect(wins).to_have_text(["1 win", "1 win", "0 wins"])
    async with page.context.expect_page() as opened:
        await races.nth(1).locator("a").click()
    replay = await opened.value
    await expect(replay.locator("#winner")).to_have_text("Bob wins")
    await replay.close()

    # The front page leads back to the seat.
    await page.goto(address)
    table = page.locator("#tables button")
    await expect(table).to_contain_text("Bob and Cy are here · last raced today")
    await accessible(page)
    await table.click()
    await ada.on("results")

    # The seat moves to a phone. The code is in neither its address nor its storage.
    await page.click("#table-menu")
    await page.click("#table-do-carry")
    link = await page.input_value("#carry-link")
    await accessible(page)
    code = link.partition("#seat=")[2]
    phone = await Person.at(link, **PHONE)
    await phone.on("results")
    assert "#" not in phone.page.url
    assert code not in str(await phone.page.evaluate(STORED))
    await ada.on("landing")
    await expect(page.locator("#status")).to_have_text("Your seat has moved to your other device.")
    await expect(page.locator("#tables button")).to_have_count(0)
    await phone.page.click("#view-table")
    await expect(phone.page.locator("#table-races li")).to_have_count(2)
    await accessible(phone.page)

    # The code works once.
    late = await Person.at(link, **PHONE)
    await late.on("join")
    await expect(late.page.locator("#problem")).to_contain_text("too old, or was used")

    # The host deletes the table, and the page says so.
    await phone.page.click("#table-menu")
    await phone.page.click("#table-do-delete")
    await phone.page.click("#ask-yes")
    await phone.on("landing")
    await expect(phone.page.locator("#status")).to_have_text("The host deleted this table.")
