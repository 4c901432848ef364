"""Names of any length and script, wherever they are shown."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.wire import create, join, race_on_the_wire
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

LONG = "W" * 24
HEBREW = "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df"

# The figures that do not lie within their row, or are covered by its name.
CUT = """(rows) => [...document.querySelectorAll(rows)].flatMap((row) => {
  const box = row.getBoundingClientRect();
  return [...row.querySelectorAll('[data-part=points], td:nth-child(4)')]
    .filter((each) => each.checkVisibility())
    .map((each) => ({text: each.textContent, box: each.getBoundingClientRect(), row: box}))
    .filter(({text, box, row}) => text && (box.left < row.left || box.right > row.right + 1
      || box.right > innerWidth || box.width < 4))
    .map(({text}) => text);
})"""


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, "viewport": {"width": 320, "height": 640}}])
async def test_long_names_push_no_score_out_and_others_turn_no_text_about(
    address: str, how: dict[str, Any]
) -> None:
    ada = await create(address, LONG, game="spider-1", spectate="boards")
    dana = await join(address, ada.code, HEBREW)
    bob = await Person.at(f"{address}r/{ada.code}", **how)
    await bob.join("Bob")
    page = bob.page
    await race_on_the_wire(bob, ada, dana)
    await ada.say("Good luck!")
    assert await amiss(page, CUT, "#standings li") == []
    game = one_suit_game()
    await bob.sees(game)
    if how is DESKTOP:
        await bob.do(game, one_suit_win()[0])
        await expect(page.locator("#moves")).to_have_text("1")
        await expect(page.locator("#moves + span")).to_have_text("move")
    await bob.gives_up()
    await expect(page.locator("#board-grid [data-in]").first).to_be_visible()
    assert await amiss(page, CUT, "#board-grid li") == []
    for player in (ada, dana):
        await player.forfeit()
    await bob.on("results")
    assert await amiss(page, CUT, "#ranking tr") == []
    wide = "() => document.documentElement.scrollWidth <= innerWidth"
    await page.wait_for_function(wide)
    await dana.rematch()
    steps = page.locator("#next-steps")
    await expect(steps).to_have_text(f"\u2068{HEBREW}\u2069 wants a rematch.")


async def test_names_of_other_scripts_are_typed_and_shown_whole(address: str) -> None:
    """Regression: the field took four astronauts, and the server took their parts apart."""
    names = ("မြို့ 🧑‍🚀", "نیم‌فاصله")
    ada = await create(address, names[0])
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP)
    await bob.on("join")
    field = bob.page.locator("#name")
    await field.fill("🧑‍🚀" * 30)
    await expect(field).to_have_value("🧑‍🚀" * 24)
    await field.press("Home")
    await bob.page.keyboard.insert_text("x")
    await expect(field).to_have_value("🧑‍🚀" * 24)
    await bob.join(names[1])
    for name in names:
        await expect(bob.page.locator("body")).to_contain_text(name)
