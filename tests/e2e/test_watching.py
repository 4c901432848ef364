"""Spectators' boards, and a match, in a real browser."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


async def test_a_spectator_watches_boards_and_all_see_them_when_it_is_over(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        await ada.page.check("[name=game][value=spider-1]", force=True)
        link = await ada.create("Ada")
        await ada.page.select_option("#set-spectate", "boards")
        await ada.page.fill("#set-delay", "0")
        await ada.page.press("#set-delay", "Tab")
        don = await Person.at(browser, link, **DESKTOP)
        await don.on("join")
        await don.page.fill("#name", "Don")
        await don.page.click("#watch")
        await don.on("room")
        await ada.page.click("#start")
        for person in (ada, don):
            await person.on("race")
        game = one_suit_game()
        await ada.sees(game)
        for action in one_suit_win()[:3]:
            await ada.do(game, action)
        await don.sees(game)
        await expect(don.page.locator('#wall [data-seat="0"]')).to_contain_text("Ada")
        await ada.page.click("#forfeit")
        await ada.page.click("#ask-yes")
        for person in (ada, don):
            await person.on("results")
            await person.sees(game)
        assert ada.complaints == don.complaints == []


async def test_a_match_shows_its_card_between_the_rounds_and_at_the_end(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **PHONE)
        await ada.create("Ada")
        await ada.page.select_option("#set-preset", "dos-hard")
        await expect(ada.page.locator("#set-rounds")).to_have_value("6")
        await ada.page.fill("#set-rounds", "2")
        await ada.page.press("#set-rounds", "Tab")
        for n in (1, 2):
            await expect(ada.page.locator("#rules, #settings").first).to_be_attached()
            await ada.page.click("#start")
            await ada.on("race")
            await ada.page.click("#forfeit")
            await ada.page.click("#ask-yes")
            await ada.on("results")
            card = ada.page.locator("#match-card")
            await expect(card).to_contain_text("Totals")
            await expect(card).to_contain_text("wins the match" if n == 2 else "after 1 of 2")
            await expect(ada.page.locator("#round-text")).to_have_attribute(
                "href", f"/api/rooms/{ada.page.url[-10:]}/rounds/{n}.txt"
            )
            if n == 1:
                await ada.page.click("#next")
                await ada.on("room")
                await expect(card).to_be_visible()
        await ada.page.click("#again")
        await ada.on("race")
        assert ada.complaints == []
