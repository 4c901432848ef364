"""Every game in a real browser: drawn from the table alone, played for a while, one to its end."""

import random

import pytest
from playwright.async_api import expect

from protocol.games import GAMES
from server.games.actions import DEAL, REDO, UNDO, ActionKind, kind
from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, game_of
from tests.games.wins import spiderette_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PLAYED = 20


async def start_alone(person: Person, name: str) -> Game:
    """Opens a room, chooses the game in the form, and starts alone."""
    await person.create("Ada", rules_open=True)
    await person.page.select_option("#set-game", name)
    await expect(person.page.locator("#set-game")).to_have_value(name)
    await person.page.click("#start")
    await person.on("race")
    game = game_of(name)
    await person.sees(game)
    return game


# Each game on one size; every family on both, and one game of each with cards that glide.
SIZES = {name: PHONE if number % 2 else DESKTOP for number, name in enumerate(GAMES)}
GLIDING = {game.family: name for name, game in GAMES.items()}.values()


@pytest.mark.parametrize("name", list(GAMES))
async def test_every_game_is_played_for_a_while(address: str, name: str) -> None:
    chance = random.Random(name)
    motion = {} if name in GLIDING else STILL
    ada = await Person.at(address, **SIZES[name], **motion)
    game = await start_alone(ada, name)
    for _ in range(PLAYED):
        moves = [a for a in game.legal_actions() if a not in {DEAL, UNDO, REDO}]
        moves = [a for a in moves if kind(a) is not ActionKind.FINISH]
        if moves and chance.random() < 0.9:
            await ada.do(game, chance.choice(moves))
        elif game.is_legal(DEAL):
            await ada.do(game, DEAL)
    await expect(ada.page.locator("#score")).to_contain_text(str(game.score))


async def test_a_spiderette_is_played_to_its_end_by_mouse(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    game = await start_alone(ada, "spiderette-1")
    for number, action in enumerate(spiderette_win()):
        await ada.do(game, action, drag=number % 3 == 0)
    await ada.on("results")
    await expect(ada.page.locator("#results")).to_contain_text("500")
