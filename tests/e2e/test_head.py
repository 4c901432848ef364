"""The head of a race, which has to hold more words the more a room allows."""

import pytest

from tests.e2e.pages import Person, amiss
from tests.e2e.wire import join, with_settings

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

SIZES = [
    *((width, 800) for width in (320, 360, 390, 430, 600, 699, 700, 768, 820, 900, 1000, 1100)),
    *((width, 800) for width in (1240, 1280, 1366, 1400, 1500, 1600, 1920)),
    (568, 320),
    (667, 375),
    (844, 390),
]

# What lies upon something else, or is cut off, or is outside; a figure out of its line is unseen.
READ_CLASHES = """() => {
  const line = document.querySelector('#figures').getBoundingClientRect();
  const things = [...document.querySelectorAll(
    '#race-top :is(#clock, #time-left, [data-part=figure], button), #race-actions button')]
    .filter((each) => each.checkVisibility({visibilityProperty: true}))
    .map((each) => [each.id || each.textContent, each.getBoundingClientRect(), each])
    .filter(([, box, each]) => !each.matches('[data-part=figure]') || box.top < line.bottom - 2);
  const found = [];
  things.forEach(([name, box, each], at) => {
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`${name} is outside`);
    if (each.scrollWidth > each.clientWidth + 1) found.push(`${name} is cut`);
    for (const [other, its] of things.slice(at + 1))
      if (Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
          Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1)
        found.push(`${name} lies upon ${other}`);
  });
  return found;
}"""


# Whether the suits are out of the line of the figures.
READ_SUITS = """() => {
  const line = document.querySelector('#figures').getBoundingClientRect();
  const {top} = document.querySelector('#home').getBoundingClientRect();
  return top > line.bottom - 2 ? ['unseen'] : [];
}"""

# Arrows that are not as wide as each other, or narrower than a finger.
READ_ARROWS = """() => {
  const [undo, redo] = ['undo', 'redo'].map((id) => document.getElementById(id));
  const widths = [undo, redo].map((each) => Math.round(each.getBoundingClientRect().width));
  const isWord = undo.querySelector('.race-act-word').getBoundingClientRect().width > 0
    && getComputedStyle(undo, '::before').display === 'none';
  return isWord || (widths[0] === widths[1] && widths[0] >= 24) ? [] : widths;
}"""


@pytest.mark.parametrize("auto_remove", [False, True])
async def test_the_arrow_of_redo_is_as_wide_as_that_of_undo(
    address: str, *, auto_remove: bool
) -> None:
    """It was 22 px wide, or as wide as the words that it shares its place with."""
    ada = await Person.at(address)
    await ada.create("Ada", rules_open=True)
    await ada.page.check("#set-hints")
    await ada.page.set_checked("#set-auto-remove", auto_remove)
    await ada.page.click("#start")
    await ada.on("race")
    for width, height in SIZES:
        await ada.page.set_viewport_size({"width": width, "height": height})
        assert await amiss(ada.page, READ_ARROWS) == [], (width, height)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("everything", [False, True])
async def test_nothing_lies_upon_another_at_any_size(
    address: str, locale: str, *, everything: bool
) -> None:
    ada = await Person.at(address, locale=locale)
    page = ada.page
    link = await ada.create("Ada", rules_open=True)
    if everything:
        await page.select_option("#set-exceptions", "hard")
        await page.check("#set-hints")
    bob = await join(address, link, "Bob")
    if everything:
        await with_settings(bob, exceptions="hard", hints=True)
    await bob.ready()
    await page.click("#ready")
    await ada.on("race")
    found: dict[tuple[int, int], list[str]] = {}
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        if wrong := await amiss(page, READ_CLASHES):
            found[width, height] = wrong
        # The lowest lying phones have no room for the suits.
        if not everything and height != 320 and await amiss(page, READ_SUITS):
            found[width, height] = ["the suits are unseen"]
    assert found == {}
    bob.close()
