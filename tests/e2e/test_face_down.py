"""The count of face-down cards over each column: a preference, live, and in nobody's way."""

import itertools
from typing import Any

import pytest
from playwright.async_api import Page, expect

from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.test_looks import LIGHTS, TABLES, TEXT
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.ways import prefer
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}}

COUNTS = """() => Object.fromEntries([...document.querySelectorAll('#board [data-count-of]')]
  .map((box) => [box.dataset.countOf, Number(box.textContent)]))"""

# Boxes that lie on a card or stand out of the board, and those that somebody would hear of.
AMISS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const cards = [...document.querySelectorAll('#board [data-in]')].map(box);
  const board = box(document.querySelector('#board'));
  return [...document.querySelectorAll('#board [data-count-of]')].filter((count) => {
    const a = box(count);
    const on = cards.some((b) => a.left < b.right && b.left < a.right
      && a.top < b.bottom && b.top < a.bottom);
    const out = a.left < board.left || a.right > board.right || a.top < board.top;
    return on || out || !count.closest('[aria-hidden="true"]');
  }).map((count) => count.dataset.countOf);
}"""

# The checker passes over a text of one character, and over what is hidden from screen readers.
CONTRASTS = """(looks) => {
  const pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
    .getContext('2d', {willReadFrequently: true});
  const light = (colour) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)]
      .map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  };
  const box = document.querySelector('#board [data-count-of]');
  return looks.map((look) => {
    Object.assign(document.documentElement.dataset, look);
    const {color, backgroundColor} = getComputedStyle(box);
    const [low, high] = [light(color), light(backgroundColor)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  });
}"""


def counts(game: Game) -> dict[str, int]:
    """What the boxes must say."""
    piles = enumerate(game.variant.pile_names)
    downs = {name: game.pile(i).down for i, name in piles if name.startswith("t")}
    return {name: down for name, down in downs.items() if down}


async def shows(page: Page, wanted: dict[str, int]) -> None:
    """Waits until exactly these counts are shown."""
    await page.wait_for_function(
        f"(wanted) => JSON.stringify(({COUNTS})()) === JSON.stringify(wanted)", arg=wanted
    )


@pytest.mark.parametrize("how", [DESKTOP, PHONE, NARROW], ids=["desk", "phone", "narrow"])
async def test_each_column_shows_its_count_where_the_player_likes_it(
    address: str, how: dict[str, Any]
) -> None:
    ada = await Person.at(address, **how)
    page = ada.page
    await ada.practise("spider-1")
    game = one_suit_game()
    await ada.sees(game)
    await shows(page, {})
    await page.click("#looks")
    await page.check("#pref-faceDown")
    await shows(page, counts(game))  # at once, behind the dialog
    await page.click("#preferences-done")
    assert await amiss(page, AMISS) == []
    for action in one_suit_win()[:6]:
        await ada.do(game, action)
        await shows(page, counts(game))
    assert counts(game) != counts(one_suit_game())
    assert await amiss(page, AMISS) == []
    await page.reload()
    await ada.sees(game)
    await shows(page, counts(game))

    await page.wait_for_timeout(STILL_MS)
    await page.evaluate(WATCH)
    for wish in ("off", "on"):
        await prefer(ada, "faceDown", wish)
        await page.wait_for_timeout(STILL_MS)
    assert await page.evaluate("() => window.shifts") == []


async def test_the_keys_of_the_manual_bring_it_and_a_tick_stays(ada: Person) -> None:
    page = ada.page
    await ada.practise()
    await expect(page.locator("[data-pile]").first).to_be_attached()
    await page.click("#looks")
    tick = page.locator("#pref-faceDown")
    await expect(tick).not_to_be_checked()
    await page.check("[name=pref-keys][value=classic]", force=True)
    await expect(tick).to_be_checked()
    await expect(page.locator("#board [data-count-of]")).to_have_count(10)
    await page.check("[name=pref-keys][value=modern]", force=True)
    await expect(tick).not_to_be_checked()
    await expect(page.locator("#board [data-count-of]")).to_have_count(0)
    await tick.check()
    await page.check("[name=pref-keys][value=classic]", force=True)
    await tick.uncheck()
    await expect(page.locator("#board [data-count-of]")).to_have_count(0)
    await tick.check()
    await page.click("#preferences-done")

    looks = [
        {"table": table, "light": light} for table, light in itertools.product(TABLES, LIGHTS)
    ]
    assert min(await page.evaluate(CONTRASTS, looks)) >= TEXT
