"""An evening with the keys of the DOS program of 1987: part III of its manual, by keyboard alone.

`classic.md` lists where we differ from the manual, and why.
"""

import re

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.actions import DEAL, Action
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, Person
from tests.e2e.ways import keeps_focus, said
from tests.games.wins import SEED

pytestmark = pytest.mark.browser

DOS = Rules("spider-4", score="dos", exceptions="hard", undo="off")


class Evening:
    """Somebody who uses only the keyboard."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self.board = self.page.locator("#board")
        self.prompt = self.page.locator("#prompt")

    async def press(self, *keys: str) -> None:
        """Press keys one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def into(self, selector: str, *keys: str) -> None:
        """Focus a control, as the Tab key does, and press keys there."""
        control = self.page.locator(selector)
        await expect(control).to_be_visible()  # otherwise it takes no focus
        await expect(control).to_be_enabled()
        await control.focus()
        await self.press(*keys)

    async def asks(self, title: str, *ways: str) -> None:
        """Wait until the box at the foot of the page asks this."""
        await expect(self.prompt.locator("h2")).to_have_text(title)
        await expect(self.prompt.locator("button")).to_have_text([*ways, re.compile("^Esc")])

    async def go(self, column: int) -> None:
        """Move the cursor to a column."""
        await self.press("Home", *["Numpad6"] * column)

    async def at(self, column: int) -> int:
        """Wait for the cursor at a column; return how many cards it surrounds."""
        cursor = self.page.locator("[data-in][data-marks~=cursor]")
        await expect(
            cursor.and_(self.page.locator(f'[data-in="t{column}"]')).first
        ).to_be_attached()
        return await cursor.count()

    async def moves(self, game: Game, action: Action) -> None:
        """Move cards from pile to pile, choosing the target first."""
        source, target = actions.source(action), actions.target(action)
        await self.go(target)
        await self.press("F1")
        await self.go(source)
        more = await self.at(source) - actions.count(action)
        await self.press(*["Numpad2"] * more, "F1")
        game.apply(action)
        await self.person.sees(game)

    async def gives_up(self) -> None:
        await self.into("#forfeit", "Enter")
        await self.into("#ask-yes", "Enter")

    async def is_at_level(self, level: int) -> None:
        """Check the level with F2."""
        await keeps_focus(self.person)
        await self.press("F2")
        await expect(self.page.locator("#help-level")).to_contain_text(f"Level {level}")
        await self.press("Escape")


async def test_an_evening_is_played_with_the_keys_of_1987(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    me, page = Evening(ada), ada.page

    # At the start the page asks for preferences and the rules of the room.
    await me.into("#preferences", "Enter")
    await me.into("[name=pref-keys][value=classic]", "Space")
    await me.into("[name=pref-reasons][value=on-request]", "Space")
    await me.into("#pref-confirmDeal", "Space")
    await me.press("Escape")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await ada.create("Ada", rules_open=True)
    await page.check("[name=preset][value=dos-hard]")
    await page.evaluate("document.activeElement.blur()")
    await expect(page.locator("#next-game")).to_contain_text("Which round do you want to play?")
    await expect(page.locator("#press")).to_contain_text("1 to 6 to deal that game")
    await me.press("F6")
    await expect(me.prompt.locator("h2")).to_have_text("You are currently at level 2.")
    assert await complaints(page) == []
    await page.evaluate("document.activeElement.blur()")  # like a click beside the box
    await me.press("2")
    await me.press("3")
    await ada.on("race")
    game = new_game(DOS, secret_deck("spider-4", SEED))
    await ada.sees(game)

    # From the start the cursor surrounds the leftmost card, and it wraps around the edge.
    cursor = page.locator("[data-pile][data-marks~=cursor]")
    for keys, pile in (((), "t0"), (("Numpad4",), "t9"), (("Numpad6",), "t0")):
        await me.press(*keys)
        await expect(cursor).to_have_attribute("data-pile", pile)
    await me.press("Numpad8")
    await said(ada, "Not possible.")
    await me.press("F5")
    await said(ada, "You can’t move face-down cards.")

    # F1 in both orders; X, and the cursor after it.
    await me.moves(game, actions.move(2, 1, 3))
    await me.press("x")
    await me.go(3)
    await me.press(*["Numpad8"] * (2 - await me.at(3)))
    await me.press("F1")
    await me.go(0)
    async with ada.makes(game, actions.parse_action("t3x2-t0!", game.variant.pile_names)):
        await me.press("F1")

    # F2, help and status.
    await me.press("F2")
    await expect(page.locator("#help-status")).to_contain_text("5 deals left.")
    await expect(page.locator("#help-level")).to_contain_text("Level 2")
    await expect(page.locator("#help-suits")).to_have_text("Suits removed: none.")
    await me.press("Escape")
    await keeps_focus(ada)

    # F9 and F10, with the question.
    await me.press("F9")
    await me.asks("Deal a new row of cards?", "F10Deal a new row")
    assert await complaints(page) == []
    await me.press("Escape")
    await said(ada, "Cancelled.")
    for pair in (("F9", "F10"), ("9", "0"), ("F9", "F10"), ("F9", "F10"), ("F9", "F10")):
        await me.press(*pair)
        game.apply(DEAL)
        await ada.sees(game)
    await me.press("F9")
    await me.asks("All 50 cards have been dealt.")
    await me.press("Escape")
    await keeps_focus(ada)
    await me.press("s")
    await said(ada, f"Score {game.score},")

    # F7 and F8 give up the game and start the card's third one again.
    await me.press("F7")
    await me.asks("Start a new game?", "F8Start a new game")
    await me.press("F8")
    await ada.on("race")
    game = new_game(DOS, secret_deck("spider-4", SEED))
    await ada.sees(game)

    # After a game the player chooses the next one.
    await me.gives_up()
    await ada.on("results")
    await expect(page.locator("#press")).to_contain_text("1 to play again at level 1")
    rows = page.locator("#match-card[data-dos] [data-seat] tbody tr")
    await expect(rows.nth(0)).to_have_text("1")  # not played
    await expect(rows.nth(2).locator("td").first).to_have_text("0")
    # At the end of the page the bar at the foot covers no control.
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert await complaints(page) == []
    await me.press("1")
    await ada.on("race")
    await me.is_at_level(1)
    await me.gives_up()
    await ada.on("results")
    await me.press("g")
    # As in the DOS program, they may play any of the six again.
    await me.asks("Which game do you want to play?", *(f"{n}Game {n}" for n in range(1, 7)))
    await me.press("5")
    await ada.on("race")
    await me.is_at_level(1)
    await me.gives_up()
    await ada.on("results")
    await me.press("2")
    await ada.on("race")
    await me.is_at_level(2)

    # Q once, and twice.
    await me.press("q")
    await me.asks("Quit?", "QQuit")
    await me.press("Escape")
    await keeps_focus(ada)
    await me.press("q", "q")
    await ada.on("landing")
