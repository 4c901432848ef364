"""Whole games in each of the ways to play, to the end."""

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person
from tests.e2e.test_games import start_alone
from tests.e2e.ways import ClassicKeys, Keys, keeps_focus, prefer, type_move
from tests.e2e.wire import at_a_table
from tests.games.wins import one_suit_win, spiderette_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

LATE = 94
"""Acts of the win before the keys of 1987 take over: four removals and a deal are left."""
TYPED = 24
"""The last acts of the other win, which are typed; a race of nine has a whole game typed."""


async def is_home(person: Person, score: int) -> None:
    """The game is over and the page shows the results."""
    await person.on("results")
    await expect(person.page.locator("#results")).to_contain_text(str(score))


async def test_a_whole_game_by_keyboard_alone(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    game = await start_alone(ada, "spiderette-1")
    await keeps_focus(ada)
    keys = Keys(ada)
    for action in spiderette_win():
        await keys.do(game, action)
    await is_home(ada, 500)


async def test_the_long_columns_of_a_late_game_by_the_keys_of_1987(address: str) -> None:
    win = one_suit_win()
    ada, game = await at_a_table(address, "spider-1", *win[:LATE], **DESKTOP, **STILL)
    await prefer(ada, "keys", "classic")
    keys = ClassicKeys(ada)
    for action in win[LATE:]:
        await keys.do(game, action)
    await is_home(ada, 990)


async def test_a_game_is_typed_to_its_end(address: str) -> None:
    win = spiderette_win()
    ada, game = await at_a_table(address, "spiderette-1", *win[:-TYPED], **DESKTOP, **STILL)
    await ada.page.keyboard.press("/")
    await expect(ada.page.locator("#typed")).to_be_focused()
    for action in win[-TYPED:]:
        await type_move(ada, game, action)
    await is_home(ada, 500)


async def test_a_whole_game_by_taps_alone_in_either_order(address: str) -> None:
    ada = await Person.at(address, **PHONE, **STILL)
    game = await start_alone(ada, "spiderette-1")
    await prefer(ada, "oneTap", "off")  # each move is two taps
    for number, action in enumerate(spiderette_win()):
        await tap(ada, game, action, target_first=number % 2 == 1)
    await is_home(ada, 500)


async def tap(person: Person, game: Game, action: Action, *, target_first: bool) -> None:
    """Makes an action with single taps; the target first, unless that would mean another move.

    Only with the answer does the page know what goes on the piles of a move, and so what a target
    that is tapped first is waiting for.
    """
    match actions.kind(action):
        case ActionKind.MOVE:
            source, target = actions.source(action), actions.target(action)
            cards = game.pile(source).cards
            first = person.card(game, source, len(cards) - actions.count(action))
            taps = [(first, {"x": 8, "y": 6}), (person.end(game, target), None)]
            if target_first and not is_legal_between(game, target, source):
                taps.reverse()
            for place, position in taps:
                await place.tap(position=position)  # type: ignore[arg-type]
        case ActionKind.REMOVE:
            await person.page.tap("#remove")
        case kind:
            await person.page.tap(f"#{kind.name.lower()}")
    game.apply(action)
    await person.sees(game)
    if game.outcome is None:
        await expect(person.page.locator("#moves")).to_have_text(str(game.counts.moves))


def is_legal_between(game: Game, source: int, target: int) -> bool:
    """Whether any cards may go from one column to the other."""
    return any(
        actions.kind(each) is ActionKind.MOVE
        and actions.source(each) == source
        and actions.target(each) == target
        for each in game.legal_actions()
    )
