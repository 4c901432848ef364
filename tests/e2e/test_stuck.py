"""Games that end stuck, dead, played out, or given up."""

import asyncio

import pytest
from playwright.async_api import expect

from protocol.games import GAMES
from server.games.actions import DEAL, Action, move
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.solver.endings import EndingSearch
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE
from tests.e2e.ways import keeps_focus, said
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import SEED, one_suit_game, one_suit_win

pytestmark = pytest.mark.browser

DEALT_OUT: list[Action] = [DEAL] * 5
LAST = move(4, 1, 5)
"""The only move in the deal of seed 1 after all deals; it turns no card up."""
SEED_1 = (1).to_bytes(16, "big")
STUCK = {"game": "spider-4", "deal": "seed", "seed": SEED_1.hex()}
WON = {"game": "spider-1", "deal": "seed", "seed": SEED.hex(), "auto_remove": False}


def played(*log: Action) -> Game:
    """Return the deal of seed 1 and the acts up to the dead end."""
    rules = Rules("spider-4", score=GAMES["spider-4"].scores[0])
    found = new_game(rules, secret_deck("spider-4", SEED_1))
    for action in log:
        found.apply(action)
    return found


def nearly_won() -> Game:
    """Return a game whose cards have just all turned up."""
    game = one_suit_game()
    for action in one_suit_win():
        if not game.counts.face_down and not game.counts.stock:
            break
        game.apply(action)
    return game


async def test_a_player_without_a_move_is_asked_and_ends_the_game_by_one_key(address: str) -> None:
    game = played(*DEALT_OUT)
    racer, other = await start_race(
        address, "Ada", "Bob", **STUCK, spectate="boards", board_delay_s=0
    )
    await play(racer, DEALT_OUT)
    ada = await at_a_page(racer, **DESKTOP)
    bob = await at_a_page(other, **PHONE)
    page, over = ada.page, ada.page.locator("#game-over")
    title, finish = page.locator("#game-over-title"), page.locator("#game-over-finish")
    await asyncio.gather(ada.sees(game), bob.sees(played()))
    # The last move gains nothing.
    await expect(title).to_have_text("Nothing can change any more")
    await accessible(page)
    await page.click("#game-over-look")
    await expect(over).to_be_hidden()
    async with ada.makes(game, LAST):
        for key in "56":
            await page.keyboard.press(key)
    await expect(title).to_have_text("No moves left")
    await said(ada, f"No moves left. Finish here or undo? You keep {game.score} points.")
    for button in (finish, page.locator("#game-over-look")):
        await expect(button).to_be_in_viewport(ratio=1)
    await expect(finish).to_be_focused()
    await accessible(page)

    # The board and its keys still work beside the question.
    await page.keyboard.press("ArrowRight")
    await keeps_focus(ada)
    await page.keyboard.press("Escape")
    await expect(over).to_be_hidden()
    await keeps_focus(ada)
    await page.keyboard.press("z")
    await ada.sees(played(*DEALT_OUT))
    await page.keyboard.press("y")
    await page.click("#game-over-undo")
    await expect(over).to_be_hidden()
    await keeps_focus(ada)
    await page.keyboard.press("y")
    await ada.has_acted(5)
    await page.reload()
    await expect(finish).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(title).to_have_text("Game over.")
    await expect(page.locator("#board-grid")).to_be_focused()  # it replaces the table
    row = bob.page.locator("#standings [data-seat='0']")
    await expect(row).to_have_attribute("data-state", "FINISHED")
    await bob.gives_up()
    await ada.on("results")
    await expect(page.locator("#ranking tr[data-seat='0']")).to_contain_text("stuck")


async def test_a_won_game_plays_itself_out_and_giving_up_can_be_taken_back(unhurried: str) -> None:
    game = nearly_won()
    racer, other, third = await start_race(unhurried, "Ada", "Bob", "Cleo", **WON)
    await play(racer, game.log)
    ada = await at_a_page(racer, **DESKTOP)
    page, title = ada.page, ada.page.locator("#game-over-title")
    await ada.sees(game)
    search = EndingSearch(game)
    for _ in search.steps():
        pass
    words = f"All cards are face up, {len(search.line)} moves to go."
    await expect(title).to_have_text("It’s a win from here")
    await expect(page.locator("#game-over-text")).to_contain_text(words)
    await expect(page.locator("#game-over-finish")).to_be_in_viewport(ratio=1)
    await accessible(page)
    await page.click("#game-over-finish")
    await other.wait_until(lambda race: any(row.won for row in race.standings))
    await expect(title).to_contain_text("You win!")

    # Bob gives up by mistake, takes it back, and gives up again. Cleo is the last to finish.
    bob = await at_a_page(other, **PHONE)
    await bob.on("race")
    over = bob.page.locator("#game-over-title")
    for button, words in (("#game-over-look", "Ada wins"), ("#game-over-finish", "You gave up.")):
        await bob.gives_up()
        await expect(over).to_have_text("You gave up")
        await bob.page.tap(button)
        await expect(over).to_have_text(words)
    cleo = await at_a_page(third, **PHONE)
    await cleo.on("race")
    await cleo.gives_up()
    for person in (ada, bob, cleo):
        await person.on("results")
