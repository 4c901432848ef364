"""Coming late to a race, and playing it all the same."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import at_a_page, join, start_race, with_settings
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_who_comes_late_chases_and_stands_below_the_racers(
    ada: Person, address: str
) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-game", "spider-1")
    await ada.page.check("#set-chasers")
    bob = await join(address, link, "Bob")
    await expect(ada.page.locator("#players")).to_contain_text("Bob")
    await with_settings(bob, game="spider-1", chasers=True)
    await bob.ready()
    await ada.page.click("#ready")
    await ada.on("race")
    ahead = one_suit_game()
    for action in one_suit_win()[:2]:
        await ada.do(ahead, action)

    cy = await Person.at(link, **PHONE)
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
    await bob.forfeit()
    await ada.gives_up()
    for person in (ada, cy):
        await person.on("results")
    await expect(ada.page.locator("#results tr[data-seat='2']")).to_contain_text("Cy")
    bob.close()


async def test_a_chaser_has_no_place_in_the_match(address: str) -> None:
    """The card of a match called a chaser the third, beside players on zero."""
    settings = {"game": "spider-1", "chasers": True, "rounds": 2}
    ada, bob = await start_race(address, "Ada", "Bob", **settings)
    cy = await join(address, ada.code, "Cy")
    await cy.chase()
    await cy.wait_for_table()
    await ada.forfeit()
    await bob.forfeit()
    await cy.wait_for_result()
    page = (person := await at_a_page(cy, **DESKTOP)).page
    await person.on("results")
    captions = page.locator("#match-card:not([data-dos]) caption")
    await expect(captions).to_contain_text(["Ada", "Bob", "Cy"])
    await expect(page.locator("#match-card caption b")).to_have_count(0)  # nobody has won
    await expect(page.locator("#results tr[data-seat='2'] td").first).to_have_text("")
    await expect(page.locator("#podium")).to_be_hidden()
