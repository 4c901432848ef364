"""Coming late to a race, and playing it all the same."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium
from tests.e2e.wire import at_a_page, port_of
from tests.games.wins import one_suit_game, one_suit_win
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_who_comes_late_chases_and_stands_below_the_racers(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        link = await ada.create("Ada")
        await ada.page.select_option("#set-game", "spider-1")
        await ada.page.check("#set-chasers")
        bob = await Player.join(port_of(address), link.rpartition("/")[2], "Bob")
        await expect(ada.page.locator("#players")).to_contain_text("Bob")
        await bob.with_settings(game="spider-1", chasers=True)
        await bob.say("ready")
        await ada.page.click("#ready")
        await ada.on("race")
        ahead = one_suit_game()
        for action in one_suit_win()[:2]:
            await ada.do(ahead, action)

        cy = await Person.at(browser, link, **PHONE)
        await cy.page.fill("#name", "Cy")
        await cy.page.click("#join")
        await cy.on("race")
        await expect(cy.page.locator("#forfeit")).to_be_hidden()
        await expect(ada.page.locator("#clock")).not_to_have_text(re.compile("0:0[0-3]"))
        await cy.page.click("#chase")
        await expect(cy.page.locator("#chase")).to_be_hidden()
        game = one_suit_game()
        await cy.sees(game)
        # Cy's clock counts from the chase as soon as the standings say how late it began.
        await expect(cy.page.locator("#standings li").nth(2)).to_contain_text("late")
        own, late = [await person.page.locator("#clock").inner_text() for person in (cy, ada)]
        assert own < late
        await cy.do(game, one_suit_win()[0])

        row = ada.page.locator("#standings li").nth(2)
        await expect(row.locator("[data-part=name]")).to_have_text("Cy")
        await expect(row.locator("[data-part=place]")).to_have_text("")
        await expect(row).to_contain_text("late")
        await bob.ask("forfeit")
        await ada.page.click("#forfeit")
        await ada.page.click("#ask-yes")
        for person in (ada, cy):
            await person.on("results")
        await expect(ada.page.locator("#results tr[data-seat='2']")).to_contain_text("Cy")
        assert ada.complaints == cy.complaints == []
        await bob.leave()


async def test_a_chaser_has_no_place_in_the_match(address: str) -> None:
    """The card of a match called a chaser the third, beside players on zero."""
    port = port_of(address)
    ada = await Player.create(port, "Ada", game="spider-1", chasers=True, rounds=2)
    bob = await Player.join(port, ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    await asyncio.gather(ada.race(), bob.race())
    cy = await Player.join(port, ada.code, "Cy")
    await cy.ask("chase")
    await cy.race()
    await ada.ask("forfeit")
    await bob.ask("forfeit")
    await cy.in_state("FINISHED")
    async with chromium() as browser:
        page = (person := await at_a_page(browser, address, cy, **DESKTOP)).page
        await person.on("results")
        captions = page.locator("#match-card caption")
        await expect(captions).to_contain_text(["Ada", "Bob", "Cy"])
        await expect(page.locator("#match-card caption b")).to_have_count(0)  # nobody has won
        await expect(page.locator("#results tr[data-seat='2'] td").first).to_have_text("")
        await expect(page.locator("#podium li")).to_have_count(2)
        assert person.complaints == []
