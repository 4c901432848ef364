"""The table uses the screen it has, and nothing lies on anything else."""

from typing import Any

import pytest
from playwright.async_api import expect

from server.games.actions import DEAL
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss
from tests.e2e.ways import keeps_focus
from tests.e2e.wire import at_a_page, at_a_table, play_on, start_race
from tests.games.wins import to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SIZES = [
    (820, 1180),
    (768, 1024),
    (844, 390),
    (568, 320),
    (320, 568),
    (390, 844),
    (1280, 800),
    (1920, 1080),
    (2560, 1440),
]

# How much of the width of the window and of the board the cards take.
READ_USE = """() => {
  const board = document.querySelector('#board').getBoundingClientRect();
  const piles = [...document.querySelectorAll('[data-pile]')]
    .map((each) => each.getBoundingClientRect());
  const right = Math.max(...piles.map((box) => box.right));
  const left = Math.min(...piles.map((box) => box.left));
  return {board: (right - left) / board.width, window: (right - left) / innerWidth};
}"""

# What is outside of its board, what is wider than the page, and what lies on something else.
READ_AMISS = """() => {
  const amiss = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) amiss.push(`scrolls to ${root.scrollWidth}`);
  const board = document.querySelector('#board').getBoundingClientRect();
  const boxes = (all) => [...document.querySelectorAll(all)]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.id || each.dataset.in || each.textContent, each.getBoundingClientRect()]);
  const cards = boxes('[data-in], [data-of]');
  for (const [name, box] of cards)
    if (box.left < board.left - 1 || box.right > board.right + 1 || box.top < board.top - 1 ||
        box.bottom > board.bottom + 1) amiss.push(`a card of ${name} is outside`);
  for (const badge of document.querySelectorAll('[data-of]'))
    if (badge.scrollWidth > badge.clientWidth + 1) amiss.push(`the count of ${badge.dataset.of}`);
  const things = boxes('#race-top button, #race-actions button, #chat-toggle, #standings li');
  for (const [line, its] of boxes('#status, #connection'))
    for (const [name, box] of [...cards, ...things])
      if (Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
          Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1)
        amiss.push(`${line} covers ${name}`);
  return amiss;
}"""

READ_BUTTONS = """() => Object.fromEntries(
  [...document.querySelectorAll('#race-top button, #race-actions button')]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.id, each.getBoundingClientRect()])
    .map(([id, {x, y, width, height}]) => [id, [x, y, width, height].map(Math.round)]))"""


async def test_the_cards_use_the_screen_and_nothing_is_covered(address: str) -> None:
    first, *others = to_first_complete()
    ada, game = await at_a_table(address, "spider-1", first, **DESKTOP, **STILL)
    page = ada.page
    buttons: dict[tuple[int, int], dict[str, Any]] = {}
    for size in SIZES:
        await resize(ada, size)
        buttons[size] = await page.evaluate(READ_BUTTONS)
    await play_on(ada, game, *others)
    await expect(page.locator("#remove")).to_be_visible()
    for size in SIZES:
        await resize(ada, size)
        use = await page.evaluate(READ_USE)
        assert use["board"] > 0.96, size
        assert use["window"] > (0.68 if size == (568, 320) else 0.76), size
        assert await amiss(page, READ_AMISS) == [], size
        now = await page.evaluate(READ_BUTTONS)
        stayed = {name: box for name, box in buttons[size].items() if name in now}
        assert {name: now[name] for name in stayed} == stayed, size
        assert {*now} - {*stayed} == {"remove"}, size


async def resize(person: Person, size: tuple[int, int]) -> None:
    """Makes the window another size, and waits until the board is drawn again."""
    await person.page.set_viewport_size({"width": size[0], "height": size[1]})
    await person.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 60)))"
    )


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_little_spider_shows_its_own_figures_and_the_depth_of_its_piles(
    address: str, how: dict[str, Any]
) -> None:
    ada, game = await at_a_table(address, "little-spider", **how, **STILL)
    page = ada.page
    await expect(page.locator("#in-stock")).to_have_text("44")
    await expect(page.locator("#cards-home")).to_have_text("0")
    for other in ("#face-down", "#home"):
        await expect(page.locator(other)).to_be_hidden()
    counts = page.locator("[data-count-of]")
    await expect(counts).to_have_text(["1"] * 8)
    await page.click("#deal")
    game.apply(DEAL)
    await expect(page.locator("#in-stock")).not_to_have_text("44")
    for size in SIZES:
        await resize(ada, size)
        assert await amiss(page, READ_COVERED) == [], size


# Counts that lie on a card.
READ_COVERED = """() => {
  const cards = [...document.querySelectorAll('[data-in]')].map((e) => e.getBoundingClientRect());
  return [...document.querySelectorAll('[data-count-of]')].filter((count) => {
    const its = count.getBoundingClientRect();
    return its.height < 9 || cards.some((box) =>
      Math.min(box.right, its.right) > Math.max(box.left, its.left) &&
      Math.min(box.bottom, its.bottom) > Math.max(box.top, its.top));
  }).map((count) => count.dataset.countOf);
}"""


async def test_escape_closes_the_box_for_moves(address: str) -> None:
    ada, _ = await at_a_table(address, "spider-1", **DESKTOP, **STILL)
    await ada.page.keyboard.press("/")
    await expect(ada.page.locator("#typed")).to_be_focused()
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator("#typed")).to_be_hidden()
    await keeps_focus(ada)


# Controls of the race that cannot be scrolled into view, or that something else covers there.
READ_UNREACHED = """() => [...document.querySelectorAll(
    '#race-top button, #race-actions button, #standings li[data-near], #chat-toggle')]
  .filter((each) => each.checkVisibility({visibilityProperty: true}))
  .filter((each) => {
    each.scrollIntoView({block: 'nearest'});
    const {x, y, width, height} = each.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return !hit || !(each.contains(hit) || hit.contains(each));
  }).map((each) => each.id || each.textContent)"""
READ_BOARD = """() => {
  scrollTo(0, 0);
  const {top, bottom} = document.querySelector('#board').getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0);
}"""


@pytest.mark.parametrize("size", [(320, 200), (320, 256)], ids=["1280x800", "1280x1024"])
async def test_at_a_zoom_of_400_percent_the_board_is_there_and_the_rest_scrolls(
    address: str, size: tuple[int, int]
) -> None:
    ada, _ = await start_race(address, "Ada", "Bob", hints=True, game="spider-2")
    person = await at_a_page(ada, **DESKTOP, **STILL)
    await person.on("race")
    await expect(person.page.locator("#standings li[data-near]").first).to_be_visible()
    await resize(person, size)
    assert await person.page.evaluate(READ_BOARD) >= 180
    assert await amiss(person.page, READ_UNREACHED) == []
    assert await person.page.evaluate("() => document.documentElement.scrollWidth") == 320


# The words of buttons that are broken within.
READ_BROKEN = """() => {
  const texts = [...document.querySelectorAll('#ready, #start, #invite')]
    .flatMap((button) => [...button.childNodes]);
  return texts.flatMap((text) => [...text.data.matchAll(/\\S+/g)].filter((word) => {
    const range = new Range();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  })).map(String);
}"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_the_words_of_the_buttons_stay_whole_at_320_px(address: str, locale: str) -> None:
    ada = await Person.at(address, viewport={"width": 320, "height": 568}, locale=locale)
    await ada.create("Ada")
    await expect(ada.page.locator("#start")).to_be_visible()
    assert await amiss(ada.page, READ_BROKEN) == []
