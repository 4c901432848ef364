"""The rest of a game: played out where it is as good as won, stopped where nothing can change."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import Page, expect

from protocol.vocabulary import Outcome
from server.games.game import Game
from server.solver.endings import EndingSearch
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, STILL
from tests.e2e.test_stuck import DEALT_OUT, open_deal, played
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import SEED, one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

WON: dict[str, Any] = {
    "game": "spider-1",
    "deal": "seed",
    "seed": SEED.hex(),
    "auto_remove": False,
}


def nearly_won() -> Game:
    """The game whose player has just come to see all cards."""
    game = one_suit_game()
    for action in one_suit_win():
        if not game.counts.face_down and not game.counts.stock:
            break
        game.apply(action)
    return game


def moves_left(game: Game) -> int:
    """The number of acts that are offered."""
    search = EndingSearch(game)
    for _ in search.steps():
        pass
    return len(search.line)


async def is_offered(page: Page, game: Game) -> None:
    await expect(page.locator("#game-over-title")).to_have_text("It’s a win from here")
    words = f"All cards are face up, {moves_left(game)} moves to go."
    await expect(page.locator("#game-over-text")).to_contain_text(words)
    await expect(page.locator("#game-over-finish")).to_be_in_viewport(ratio=1)


async def test_a_won_game_is_played_out_act_by_act_until_it_is_stopped(address: str) -> None:
    game = nearly_won()
    racer, other = await start_race(address, "Ada", "Bob", **WON)
    await play(racer, game.log)
    ada = await at_a_page(racer, **DESKTOP, **STILL)
    page = ada.page
    await ada.sees(game)
    await is_offered(page, game)
    await expect(page.locator("#spoken")).to_contain_text("It’s a win from here")
    await accessible(page)
    await page.click("#game-over-finish")
    await expect(page.locator("#game-over-title")).to_have_text("Playing it out…")
    await expect(page.locator("#game-over-undo")).to_be_hidden()
    await page.click("#game-over-look")
    await expect(page.locator("#game-over-title")).not_to_have_text("Playing it out…")

    # What was played is played: after a reload the rest is offered again, and comes to an end.
    await page.reload()
    await expect(page.locator("#game-over-title")).to_have_text("It’s a win from here")
    await page.click("#game-over-finish")
    await expect(page.locator("#game-over-title")).to_have_text("Playing it out…")
    await other.wait_until(lambda race: any(row.won for row in race.standings))
    await expect(page.locator("#game-over-title")).to_contain_text("You win!")


async def test_a_player_who_touches_the_board_plays_on(address: str) -> None:
    game = nearly_won()
    (racer,) = await start_race(address, "Ada", **WON)
    await play(racer, game.log)
    ada = await at_a_page(racer, **PHONE)
    page = ada.page
    await is_offered(page, game)
    await page.tap("#game-over-finish")
    await expect(page.locator("#game-over-title")).to_have_text("Playing it out…")
    await page.locator("#board [data-pile='t0']").dispatch_event("pointerdown")
    await expect(page.locator("#game-over-title")).not_to_have_text("Playing it out…")
    await expect(page.locator("#game-over-title")).to_have_text("It’s a win from here")
    await page.tap("#game-over-look")
    await expect(page.locator("#game-over")).to_be_hidden()


async def test_a_dead_game_is_stopped_with_its_score(address: str) -> None:
    game = played("spider-4", 1, *DEALT_OUT)
    racer, other = await start_race(address, "Ada", "Bob", **open_deal("spider-4", 1))
    await play(racer, DEALT_OUT)
    ada = await at_a_page(racer, **PHONE)
    page = ada.page
    await ada.sees(game)
    assert game.outcome is not Outcome.WON
    await expect(page.locator("#game-over-title")).to_have_text("Nothing can change any more")
    await expect(page.locator("#game-over-text")).to_contain_text("Stop here")
    await expect(page.locator("#spoken")).to_contain_text("Nothing can change any more")
    await accessible(page)
    await page.tap("#game-over-look")
    await expect(page.locator("#game-over")).to_be_hidden()
    await page.reload()
    await page.tap("#game-over-finish")
    await expect(page.locator("#game-over-title")).to_have_text("Game over.")
    await asyncio.gather(other.forfeit(), ada.on("results"))
    ranked = page.locator("#ranking tr[data-seat='0']")
    await expect(ranked).to_contain_text("Stopped at")


async def test_a_mistaken_give_up_is_taken_back(address: str) -> None:
    racer, other = await start_race(address, "Ada", "Bob", game="spider-1")
    ada = await at_a_page(racer, **PHONE, **STILL)
    page = ada.page
    await ada.on("race")
    await ada.gives_up()
    await expect(page.locator("#game-over-title")).to_have_text("You gave up")
    await expect(page.locator("#forfeit")).to_be_hidden()
    await expect(page.locator("#deal")).to_be_disabled()
    await page.tap("#game-over-look")
    await expect(page.locator("#game-over")).to_be_hidden()
    await expect(page.locator("#deal")).to_be_enabled()
    await ada.gives_up()
    await page.tap("#game-over-finish")
    await expect(page.locator("#game-over-title")).to_have_text("You gave up.")
    await asyncio.gather(other.forfeit(), ada.on("results"))
