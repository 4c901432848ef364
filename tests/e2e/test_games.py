"""Every game on the page, and a whole game with every kind of input."""

import random

import pytest
from playwright.async_api import expect

from protocol.games import GAMES
from server.games.actions import DEAL, REDO, UNDO, ActionKind, kind
from tests.e2e.pages import DESKTOP, MOVING, PHONE, WAIT_FOR_FRAME
from tests.e2e.ways import ClassicKeys, Keys, prefer, type_move
from tests.e2e.wire import at_a_table
from tests.games.wins import spiderette_win

pytestmark = pytest.mark.browser

PLAYED = 4


async def test_each_game_is_played(address: str) -> None:
    """Alternate phones and desktops; play the last games with motion."""
    for number, name in enumerate(GAMES):
        chance = random.Random(name)
        how = {**(PHONE if number % 2 else DESKTOP), **(MOVING if number > len(GAMES) - 3 else {})}
        ada, game = await at_a_table(address, name, **how)
        for _ in range(PLAYED):
            moves = [a for a in game.legal_actions() if a not in {DEAL, UNDO, REDO}]
            moves = [a for a in moves if kind(a) is not ActionKind.FINISH]
            await ada.do(game, chance.choice(moves) if moves else DEAL)
        if DEAL in game.legal_actions():
            await ada.do(game, DEAL)
        await expect(ada.page.locator("#score")).to_contain_text(str(game.score))
        await ada.page.context.close()


async def test_a_whole_game_by_keys_typing_mouse_and_the_keys_of_1987(address: str) -> None:
    ada, game = await at_a_table(address, "spiderette-1", **DESKTOP)
    page, win = ada.page, spiderette_win()
    keys = Keys(ada)
    for action in win[:14]:
        await keys.do(game, action)
    await page.keyboard.press("/")
    await expect(page.locator("#typed")).to_be_focused()
    for action in win[14:28]:
        await type_move(ada, game, action)
    await page.keyboard.press("Escape")
    await expect(page.locator("#typed")).to_be_hidden()
    await page.evaluate(WAIT_FOR_FRAME)  # the board is 48 px higher, and its piles are longer
    for number, action in enumerate(win[28:48]):
        await ada.do(game, action, drag=number % 2 == 0)
    await page.locator("#board [data-pile][tabindex='0']").focus()
    await prefer(ada, "keys", "classic")
    keys = ClassicKeys(ada)
    for action in win[48:]:
        await keys.do(game, action)
    await ada.on("results")
    await expect(page.locator("#results")).to_contain_text("500")
