"""Practice: undo, the best result, trying keys, and a review."""

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.actions import DEAL, ActionKind
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, Person, game_of
from tests.e2e.ways import Keys, longest, said
from tests.e2e.wire import at_a_page, start_race

pytestmark = pytest.mark.browser

GAME = "spider-1"
REVIEWED = "spiderette-1"
"""The game with the shortest reviews."""


async def test_practice_is_taken_back_restarted_and_reviewed(address: str, thinking: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    await ada.practise(GAME)
    game = game_of(GAME)
    await ada.sees(game)
    await page.keyboard.press("u")  # a key without a meaning
    async with ada.makes(game, DEAL):
        await page.keyboard.press("d")
    await page.keyboard.press("z")
    await ada.has_acted(2)
    game = game_of(GAME)  # practice allows undoing any act, even a deal
    await ada.sees(game)
    await expect(page.locator("#standings")).to_be_hidden()
    move = next(
        action
        for action in game.legal_actions()
        if actions.kind(action) is ActionKind.MOVE
        and actions.count(action) == longest(game, actions.source(action))
    )
    await Keys(ada).do(game, move)
    await page.click("#hint")
    await said(ada, "Hint 1: ")
    await page.click("#restart")
    await page.click("#ask-yes")
    game = game_of(GAME)
    await ada.sees(game)

    # The help lists the keys of 1987, which do nothing while it is open.
    await page.click("#help")
    await page.check("[name=help-keys][value=classic]", force=True)
    await expect(page.locator("#help-keys")).to_contain_text("F9")
    await page.keyboard.press("q")  # Q would leave the game with the classic keys
    await expect(page.locator("#help-dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#help-dialog")).to_have_count(0)
    await expect(page.locator("#moves")).to_have_text("0")
    await ada.gives_up()
    await ada.on("results")

    # A review appears without a reload or a taller row, and its win can be played.
    (racer,) = await start_race(thinking, "Bob", game=REVIEWED, winnable=False)
    bob = await at_a_page(racer, **DESKTOP)
    page = bob.page
    await bob.sees(game_of(REVIEWED))
    await page.click("#deal")
    await bob.has_acted(1)
    await bob.gives_up()
    await bob.on("results")
    rows = page.locator("#ranking tr")
    await expect(rows).to_have_count(2)
    heights = "(rows) => rows.map((row) => row.getBoundingClientRect().height)"
    before = await rows.evaluate_all(heights)
    await expect(page.locator("#ranking")).to_contain_text("winnable to the end")
    assert await rows.evaluate_all(heights) == before
    await expect(page.locator("#own-review")).to_contain_text("Winnable to the end")
    # At the end of the page the bar of the next race covers nothing.
    await page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    await accessible(page)
    await page.click("#win-see")
    await expect(page.locator("#board-right")).to_have_value("0/win")
    right = page.locator('#boards [data-seat="0/win"] [data-part=figures]')
    await expect(right).to_contain_text("4 suits")
