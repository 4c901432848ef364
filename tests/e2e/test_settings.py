"""The host's form: what was not chosen follows what was."""

import asyncio

import pytest
from playwright.async_api import WebSocketRoute, expect

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_a_numbered_deal_is_laid_out_as_in_pysolfc_unless_the_host_says_other(
    address: str,
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        await ada.create("Ada")
        layout, rules = ada.page.locator("#set-layout"), ada.page.locator("#rules")
        await ada.page.select_option("#set-deal", "numbered")
        await expect(layout).to_have_value("spread")
        await expect(rules).to_contain_text("of PySolFC, laid out as it is there")
        await layout.select_option("left4")
        await expect(rules).to_contain_text("extra cards on other columns than there")
        await ada.page.fill("#set-number", "24")
        await ada.page.check("#set-hints")
        await expect(rules).to_contain_text("deal number 24 of PySolFC, but")
        await expect(layout).to_have_value("left4")
        await layout.select_option("spread")
        await expect(rules).to_contain_text("laid out as it is there")
        await ada.page.select_option("#set-deal", "secret")
        await expect(rules).to_contain_text("Columns 1, 4, 7 and 10 get one card more")
        await expect(layout).to_have_value("spread")
        await ada.page.select_option("#set-preset", "friends")
        await expect(layout).to_have_value("left4")
        await ada.page.select_option("#set-deal", "numbered")
        await expect(layout).to_have_value("spread")
        await expect(ada.page.locator("#settings-problem")).to_be_empty()
        assert ada.complaints == []


async def test_each_game_comes_with_its_usual_score(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **PHONE)
        await ada.create("Ada")
        game, score = ada.page.locator("#set-game"), ada.page.locator("#set-score")
        await game.select_option("little-spider")
        await expect(score).to_have_value("cards")
        await game.select_option("spider-2")
        await expect(score).to_have_value("woods")
        await score.select_option("moves")
        await expect(ada.page.locator("#rules")).to_contain_text("500 points")
        await game.select_option("spiderette-2")
        await expect(game).to_have_value("spiderette-2")
        await expect(ada.page.locator("#rules")).to_contain_text("seven columns")
        await expect(score).to_have_value("moves")
        await expect(ada.page.locator("#settings-problem")).to_be_empty()
        assert ada.complaints == []


async def test_answers_to_earlier_choices_do_not_move_a_host_who_goes_through_a_list(
    address: str,
) -> None:
    def delay(socket: WebSocketRoute) -> None:
        loop = asyncio.get_running_loop()
        server = socket.connect_to_server()

        def receive(message: str | bytes) -> None:
            loop.call_later(0.3, socket.send, message)

        server.on_message(receive)

    async with chromium() as browser:
        context = await browser.new_context(**DESKTOP)
        await context.route_web_socket("**/*", delay)
        ada = await Person.of(context, address)
        await ada.create("Ada")
        preset = ada.page.locator("#set-preset")
        await expect(preset).to_be_enabled()
        await preset.focus()
        for _ in range(5):
            await ada.page.keyboard.press("ArrowDown")
            await asyncio.sleep(0.1)  # answers come between the keys, later than each of them
        chosen = preset.locator("option:checked")
        await expect(chosen).to_have_text("Serenity, one suit")
        await expect(ada.page.locator("#rules")).to_contain_text("All cards count as spades.")
        await expect(chosen).to_have_text("Serenity, one suit")
        assert ada.complaints == []
