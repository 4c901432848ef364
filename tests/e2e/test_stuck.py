"""No move is left: the player is asked at once, and one tap ends the game with its score."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect

from protocol.games import GAMES
from server.games.actions import DEAL, Action, move
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.rules import Rules
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person
from tests.e2e.ways import keeps_focus, prefer, said
from tests.e2e.wire import at_a_page, create, join, play, start_race

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

DEALT_OUT: list[Action] = [DEAL] * 5
LAST = move(4, 1, 5)
"""The one move that is left in the deal of seed 1 when all is dealt; nothing turns up."""


def open_deal(game: str, number: int) -> dict[str, Any]:
    """Settings that deal from a seed which is known."""
    return {
        "game": game,
        "deal": "seed",
        "seed": number.to_bytes(16, "big").hex(),
        "score": GAMES[game].scores[0],
    }


def played(game: str, number: int, *log: Action) -> Game:
    """A deal from such a seed, and what was done to it."""
    rules = Rules(game, score=GAMES[game].scores[0])
    found = new_game(rules, secret_deck(game, number.to_bytes(16, "big")))
    for action in log:
        found.apply(action)
    return found


async def asks(page: Page, game: Game) -> None:
    """The question stands over the table, and the score in it."""
    assert game.stuck
    await expect(page.locator("#game-over")).to_be_visible()
    await expect(page.locator("#game-over-title")).to_have_text("No moves left")
    await expect(page.locator("#game-over-text")).to_contain_text(f"You keep {game.score} point")
    await expect(page.locator("#game-over-finish")).to_be_in_viewport(ratio=1)
    await expect(page.locator("#game-over-look")).to_be_in_viewport(ratio=1)


async def test_it_is_asked_by_modern_keys_and_is_in_nobodys_way(address: str) -> None:
    game = played("spider-4", 1, *DEALT_OUT)
    on_wire, other = await start_race(address, "Ada", "Bob", **open_deal("spider-4", 1))
    await play(on_wire, DEALT_OUT)
    ada = await at_a_page(on_wire, **DESKTOP)
    bob = await at_a_page(other, **PHONE)
    page = ada.page
    await asyncio.gather(ada.sees(game), bob.sees(played("spider-4", 1)))
    # The last move changes nothing that matters, which is said once.
    await expect(page.locator("#game-over-title")).to_have_text("Nothing can change any more")
    await page.click("#game-over-look")
    await expect(page.locator("#game-over")).to_be_hidden()
    for key in "56":
        await page.keyboard.press(key)
    game.apply(LAST)
    await ada.sees(game)
    await asks(page, game)
    await said(ada, f"No moves left. Finish here or undo? You keep {game.score} points.")
    await expect(page.locator("#game-over-finish")).to_be_focused()
    await accessible(page)
    await expect(bob.page.locator("#standings [data-seat='0']")).to_contain_text(str(game.score))
    await expect(bob.page.locator("#game-over")).to_be_hidden()

    # The board, the chat and the keys stay within reach beside it.
    await page.keyboard.press("ArrowRight")
    await keeps_focus(ada)
    await page.click("#chat-toggle")
    await page.fill("#chat-line", "Stuck!")
    await page.click("#chat-close")
    await asks(page, game)

    await page.locator("#board [data-pile][tabindex='0']").focus()
    await page.keyboard.press("Escape")
    await expect(page.locator("#game-over")).to_be_hidden()
    await keeps_focus(ada)
    await page.keyboard.press("z")
    await ada.sees(played("spider-4", 1, *DEALT_OUT))
    await page.keyboard.press("y")
    await asks(page, game)
    await page.click("#game-over-undo")
    await expect(page.locator("#game-over")).to_be_hidden()
    await keeps_focus(ada)
    await page.keyboard.press("y")
    await asks(page, game)
    await expect(page.locator("#game-over-finish")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#game-over-title")).to_have_text("Game over.")
    await expect(page.locator("#board-grid")).to_be_focused()  # it is in the table's place now
    row = bob.page.locator("#standings [data-seat='0']")
    await expect(row).to_have_attribute("data-state", "FINISHED")

    await bob.gives_up()
    await ada.on("results")
    ranked = page.locator("#ranking tr[data-seat='0']")
    await expect(ranked).to_contain_text("Stopped at")
    await expect(ranked.locator("td").nth(3)).to_have_text(str(game.score))


async def test_it_is_asked_in_practice_by_the_keys_of_the_manual(address: str) -> None:
    game = played("spider-4", 2, *DEALT_OUT)
    (on_wire,) = await start_race(address, "Ada", **open_deal("spider-4", 2))
    await play(on_wire, DEALT_OUT[1:])
    ada = await at_a_page(on_wire, **DESKTOP, **STILL)
    page = ada.page
    await ada.sees(played("spider-4", 2, *DEALT_OUT[1:]))
    await prefer(ada, "keys", "classic")
    await page.keyboard.press("F9")
    await asks(page, game)
    await expect(page.locator("#game-over-undo")).to_be_hidden()  # a deal is not taken back here
    await page.keyboard.press("Escape")
    await expect(page.locator("#game-over")).to_be_hidden()
    await keeps_focus(ada)
    await page.reload()
    await asks(page, game)
    await expect(page.locator("#game-over-finish")).to_be_focused()
    await page.keyboard.press("Enter")
    await ada.on("results")
    await expect(page.locator("#ranking")).to_contain_text("Stopped at")


async def test_a_chaser_of_little_spider_is_asked_and_a_looker_on_is_not(address: str) -> None:
    name, number = "little-spider", 437
    game = played(name, number, *[DEAL] * 6)
    settings = {
        **open_deal(name, number),
        "chasers": True,
        "spectate": "boards",
        "board_delay_s": 0,
    }
    racer, _ = await start_race(address, "Ada", "Bob", **settings)
    await play(racer, [DEAL] * 6)
    late = await join(address, racer.code, "Cy")
    await late.chase()
    await late.wait_for_table()
    await play(late, [DEAL] * 6)
    cy = await at_a_page(late, **PHONE)
    don = await Person.at(f"{address}r/{racer.code}", **DESKTOP)
    await don.page.fill("#name", "Don")
    await don.page.click("#watch")
    await don.on("race")
    await expect(don.page.locator("#board-grid [data-card]:not([hidden])").first).to_be_visible()
    await asks(cy.page, game)
    await accessible(cy.page)
    await cy.page.tap("#game-over-look")
    await expect(cy.page.locator("#game-over")).to_be_hidden()
    await cy.page.reload()
    await cy.page.tap("#game-over-finish")
    await expect(cy.page.locator("#game-over-title")).to_have_text("Game over.")
    await expect(don.page.locator("#game-over")).to_be_hidden()


@pytest.mark.parametrize("is_host", [True, False])
async def test_the_last_racer_is_offered_the_end(address: str, is_host: bool) -> None:
    bob = await create(address, "Bob")
    ada = await Person.at(f"{address}r/{bob.code}", **PHONE)
    page = ada.page
    await ada.join("Ada")
    await page.click("#ready")
    await bob.ready()
    await ada.on("race")
    await bob.wait_for_table()
    title, box = page.locator("#game-over-title"), page.locator("#game-over")
    await expect(box).to_be_hidden()
    await bob.forfeit()
    await expect(title).to_have_text("You’re the last one racing.")
    await page.click("#game-over-look")
    await expect(box).to_be_hidden()
    await page.click("#deal")
    await said(ada, "Dealt")
    await expect(box).to_be_hidden()  # she has answered for this race

    await page.reload()
    await ada.on("race")
    await expect(title).to_have_text("You’re the last one racing.")
    if is_host:
        await bob.leave()
        await expect(page.locator("#game-over-finish")).to_have_text("End the race")
        await page.click("#game-over-finish")
    else:
        await page.click("#game-over-finish")
        await page.click("#ask-yes")
    await ada.on("results")
    bob.close()
