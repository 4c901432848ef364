"""What the table does besides what is asked of it: reasons beside the cards, and motion."""

from typing import Any

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.actions import Kind, kind
from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, chromium
from tests.e2e.test_games import start_alone
from tests.e2e.ways import prefer, said, type_move
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# What lies under the bubble, and whether it catches a pointer.
READ_BUBBLE = """() => {
  const bubble = document.querySelector('#refusal-bubble');
  const its = bubble.getBoundingClientRect();
  const under = [...document.querySelectorAll('[data-in]')].filter((card) => {
    const box = card.getBoundingClientRect();
    return Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
      Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1;
  });
  const hit = document.elementFromPoint(its.x + its.width / 2, its.y + its.height / 2);
  return {under: under.length, catches: bubble.contains(hit), of: bubble.dataset.of,
    left: its.left, right: its.right};
}"""


def wrong_move(game: Game) -> tuple[int, int]:
    """Two columns between which no card may go."""
    ends = [game.pile(column).cards[-1] for column in range(10)]
    return next(
        (a, b) for a in range(10) for b in range(9, -1, -1) if a != b and ends[b] != ends[a] + 1
    )


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_a_refusal_stands_beside_its_column_until_the_next_input(
    address: str, how: dict[str, Any]
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **how, **STILL)
        page = ada.page
        game = await start_alone(ada, "spider-1")
        bubble = page.locator("#refusal-bubble")
        source, target = wrong_move(game)
        for column in (source, target):
            await ada.end(game, column).click(position={"x": 8, "y": 6})
        await expect(bubble).to_be_visible()
        words = await bubble.text_content()
        await said(ada, words or "?")
        seen = await page.evaluate(READ_BUBBLE)
        assert (seen["under"], seen["catches"], seen["of"]) == (0, False, f"t{target}")
        assert seen["left"] >= 0
        assert seen["right"] <= how["viewport"]["width"]
        await ada.end(game, source).click(position={"x": 8, "y": 6})
        await expect(bubble).to_be_hidden()
        await ada.sees(game)

        await prefer(ada, "reasons", "on-request")
        await ada.end(game, target).click(position={"x": 8, "y": 6})
        await said(ada, "Not possible.")
        await expect(bubble).to_be_hidden()
        await page.keyboard.press("?")
        await expect(bubble).to_be_visible()
        assert ada.complaints == []
