"""Races against computer players, with one key and in a host's room."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, race
from tests.e2e.wire import play_on
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser


async def test_a_race_against_the_computer_is_one_click_and_a_host_invites_more(
    computers: str,
) -> None:
    ada = await Person.at(computers, **DESKTOP)
    page = ada.page
    await ada.gives_name("Ada")
    await page.focus("[name=game]:checked")
    await page.keyboard.press("Tab")
    await expect(page.locator('[data-strength="beginner"]')).to_be_focused()
    await page.keyboard.press("Enter")
    await ada.on("race")
    rival = page.locator("#standings li").filter(has=page.locator('[data-part="program"]'))
    await expect(rival).to_contain_text("Beginner")
    game, win = one_suit_game(), one_suit_win()
    await ada.sees(game)
    await ada.do(game, win[0])
    await play_on(ada, game, *win[1:-1])
    await ada.do(game, win[-1])
    await page.click("#game-over-finish:text('End the race')")
    await ada.on("results")
    await expect(page.locator("#winner")).to_contain_text("Ada")
    await expect(page.locator("#ranking")).to_contain_text("Beginner")
    await page.click("#rematch")
    await ada.on("race")
    await expect(rival).to_contain_text("Beginner")

    # On a phone nobody needs a name, and nobody waits for the computer to finish.
    eve = await Person.at(computers, **PHONE, locale="de-DE")
    await eve.page.tap('[data-strength="expert"]')
    await eve.on("race")
    await expect(eve.page.locator("#standings")).to_contain_text("Experte")
    await eve.gives_up()
    await eve.page.tap("#game-over-finish:text('Rennen beenden')")
    await eve.on("results")
    await expect(eve.page.locator("#ranking")).to_contain_text("Ich")

    await page.goto(computers)
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    marked = '#players li:has([data-part="program"])'
    for count, strength in enumerate(("club", "beginner"), start=1):
        await page.locator("[data-action=computer]").first.click()
        await page.select_option('#computer-players [data-field="pace"]', "faster")
        await page.click(f'#computer-players [data-strength="{strength}"]')
        await expect(page.locator(marked)).to_have_count(count)
    await expect(bob.page.locator(marked).first).to_contain_text("Club")
    await expect(bob.page.locator(marked).last).to_contain_text("Beginner · ready")
    await race(ada, bob)
