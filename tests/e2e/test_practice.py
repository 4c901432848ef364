"""Practice alone, and the place to try the keys."""

from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, serving

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

COLUMN_TOPS = """() => [...document.querySelectorAll('[data-in^=t][data-card]')]
  .map(({dataset}) => dataset.card + dataset.in).sort()"""


async def end_game(ada: Person) -> None:
    """Gives up, and goes to the results."""
    await ada.page.click("#forfeit")
    await ada.page.click("#ask-yes")
    await ada.page.locator("#game-over-end, #winner").first.wait_for()
    if await ada.page.locator("#game-over-end").is_visible():
        await ada.page.click("#game-over-end")
    await ada.on("results")


async def test_practice_takes_back_a_deal_and_no_cheat_is_counted(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await ada.practise("spider-1")
    await expect(page.locator("#deal")).to_be_enabled()
    before = await page.evaluate(COLUMN_TOPS)
    await page.click("#deal")
    await expect(page.locator("#undo")).to_be_enabled()
    await page.click("#undo")
    await page.wait_for_function(
        f"(before) => String(({COLUMN_TOPS})()) === String(before)", arg=before
    )
    await expect(page.locator("#cheats")).to_be_hidden()
    await expect(page.locator("#standings")).to_be_hidden()


async def test_practice_remembers_the_best_result_of_the_game(address: str) -> None:
    ada = await Person.at(address, **PHONE, **STILL)
    page = ada.page
    await ada.practise("spider-1")
    await expect(page.locator("#best")).to_be_hidden()
    await end_game(ada)
    await expect(page.locator("#margin")).to_be_hidden()  # nothing was reached
    await page.evaluate(
        """() => localStorage.setItem('spider-race.best-game',
          JSON.stringify({'spider-1': {score: -5, ms: null}}))"""
    )
    await page.goto(address)
    await ada.practise("spider-1")
    await expect(page.locator("#best")).to_have_text("Best -5")
    await accessible(page)
    await end_game(ada)
    await expect(page.locator("#margin")).to_have_text("A new best: 0 points")
    await page.goto(address)
    await ada.practise("spider-4")
    await expect(page.locator("#best")).to_be_hidden()


async def test_a_practice_game_is_reviewed(tmp_path: Path) -> None:
    with serving(tmp_path, "--thinkers", "1") as address:
        ada = await Person.at(address, **DESKTOP, **STILL)
        await ada.practise("spider-1")
        await ada.page.click("#deal")
        await expect(ada.page.locator("#undo")).to_be_enabled()
        await end_game(ada)
        await expect(ada.page.locator("#ranking")).to_contain_text(
            "could still have been won", timeout=90_000
        )


@pytest.mark.parametrize(
    ("preset", "deals", "column"), [("modern", "d", "ArrowRight"), ("classic", "F9", "Numpad6")]
)
async def test_keys_are_tried_without_the_game_behind_them(
    address: str, preset: str, deals: str, column: str
) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await ada.practise("spider-1")
    await expect(page.locator("#deal")).to_be_enabled()
    before = await page.evaluate(COLUMN_TOPS)
    await page.click("#help")
    await page.check(f"[name=help-keys][value={preset}]")
    await page.focus("#help-trial")
    lit = page.locator("#help-keys section").first.locator("[data-lit]")
    for key, words in [(deals, "Deal"), (column, "Column to the right"), ("z", "Undo")]:
        await page.keyboard.press(key)
        await expect(page.locator("#help-said")).to_contain_text(words)
        await expect(lit).to_have_count(1)
        await expect(lit).to_contain_text(words)
        await expect(lit).to_be_in_viewport()
    await accessible(page)
    await page.keyboard.press("q")  # it leaves the game in the classic keys
    await expect(page.locator("#help-dialog")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.locator("#help-dialog")).to_have_count(0)
    assert await page.evaluate(COLUMN_TOPS) == before
    await expect(page.locator("#moves")).to_have_text("0")
    await ada.on("race")


async def test_restart_deals_the_same_cards_again_at_once(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await ada.practise("spider-2")
    await expect(page.locator("#deal")).to_be_enabled()
    before = await page.evaluate(COLUMN_TOPS)
    for _ in range(2):
        await page.click("#deal")
        await expect(page.locator("#undo:not([data-faint])")).to_be_enabled()
        await page.click("#restart")
        await expect(page.locator("#undo[data-faint]")).to_be_enabled()
        await ada.on("race")
        await page.wait_for_function(
            f"(before) => String(({COLUMN_TOPS})()) === String(before)", arg=before
        )
