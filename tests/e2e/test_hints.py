"""Hints in the page: by button and key, pointed out, said and counted for all."""

import re

import pytest
from playwright.async_api import Page, expect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.game import Game
from server.games.hints import find_hint
from tests.e2e.axe import accessible
from tests.e2e.pages import PHONE, STILL, Person, race
from tests.games.wins import one_suit_game

pytestmark = pytest.mark.browser


def next_hint(game: Game) -> Action:
    action = find_hint(game)
    assert action is not None
    return action


async def points_at(page: Page, game: Game, action: Action) -> None:
    """The cards of the move and their place stand out, and nothing else does."""
    assert actions.kind(action) is ActionKind.MOVE
    names = game.variant.pile_names
    source, target = names[actions.source(action)], names[actions.target(action)]
    await expect(page.locator(f'[data-marks~=hinted][data-pile="{target}"]')).to_have_count(1)
    await expect(page.locator(f'[data-marks~=hinted][data-in="{source}"]')).to_have_count(
        actions.count(action)
    )
    await expect(page.locator(f'[data-marks~=hinted][data-in="{target}"]')).to_have_count(1)
    await expect(page.locator("[data-marks~=hinted]")).to_have_count(actions.count(action) + 2)


async def test_hints_are_shown_said_and_counted_for_all(ada: Person) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-game", "spider-1")
    await ada.page.check("#set-hints")
    bob = await Person.at(link, **PHONE, **STILL)
    await bob.join("Bob")
    await expect(bob.page.locator("#rules")).to_contain_text("Everyone sees how many hints")
    await race(ada, bob)
    game = one_suit_game()
    await ada.sees(game)
    hints, status = ada.page.locator("#hints"), ada.page.locator("#status")
    await expect(hints).to_have_text("0")

    await ada.page.click("#hint")
    first = next_hint(game)
    await points_at(ada.page, game, first)
    said = re.compile(r"^Hint 1: move .+ to column \d+\. (Turns|Joins|Empties|Frees) .+\.$")
    await expect(status).to_have_text(said)
    await expect(hints).to_have_text("1")
    await expect(ada.page.locator("#board")).to_be_focused()
    await accessible(ada.page)
    row = bob.page.locator("#standings [data-seat='0']")
    await expect(row).to_contain_text("1 hint")

    # The same hint is sent again for the same table, and counted once.
    await ada.page.keyboard.press("Escape")
    await expect(ada.page.locator("[data-marks~=hinted]")).to_have_count(0)
    await ada.page.keyboard.press("h")
    await points_at(ada.page, game, first)
    await expect(status).to_have_text(re.compile("^Hint 1: "))
    await ada.do(game, first)
    await expect(ada.page.locator("[data-marks~=hinted]")).to_have_count(0)

    await ada.page.keyboard.press("h")
    await points_at(ada.page, game, next_hint(game))
    await expect(hints).to_have_text("2")
    await ada.page.reload()
    await ada.sees(game)
    await expect(hints).to_have_text("2")
    await expect(ada.page.locator("[data-marks~=hinted]")).to_have_count(0)

    await expect(bob.page.locator("#hint")).to_be_visible()
    for person in (ada, bob):
        await person.gives_up()
    await bob.on("results")
    await expect(bob.page.locator("#results tr[data-seat='0']")).to_contain_text("2 hints")
