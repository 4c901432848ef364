"""An evening with the keys of 1987: `seeds/` 3, part III, page by page, by keyboard alone.

What differs from the manual, and why, stands in `classic.md` beside this.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from server.games import actions
from server.games.actions import DEAL, Action, ActionKind
from server.games.catalogue import new_game
from server.games.deals import numbered_deck, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, routed
from tests.e2e.ways import keeps_focus, prefer, printed, said
from tests.games.wins import SEED

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

DOS = Rules("spider-4", score="dos", exceptions="hard", undo="off")
EASY = Rules("spider-4", score="dos", exceptions="easy", undo="off")
BACKGROUNDS, CARDS = 16, 3

# The pitch of each tone that the page plays.
HEAR = """() => {
  window.tones = [];
  const Real = window.OscillatorNode;
  window.OscillatorNode = function (context, options) {
    window.tones.push(options.frequency);
    return new Real(context, options);
  };
}"""


# The screens that come, however short.
WATCH_SCREENS = """() => new MutationObserver(() => {
  (window.screens ??= []).push(document.body.dataset.screen);
}).observe(document.body, {attributeFilter: ['data-screen']})"""

# A question, closed and asked again before the next frame.
ASK_TWICE = """async () => {
  const press = () => document.activeElement.dispatchEvent(
    new KeyboardEvent('keydown', {key: 'F9', code: 'F9', bubbles: true, cancelable: true}));
  press();
  while (!document.querySelector('#prompt')) await new Promise(setTimeout);
  document.querySelector('#prompt').close();
  press();
  while (!document.querySelector('#prompt[open]')) await null;
  return document.querySelectorAll('#prompt').length;
}"""


class Evening:
    """Somebody who touches nothing but the keyboard."""

    def __init__(self, person: Person) -> None:
        self.person, self.page = person, person.page
        self.board = self.page.locator("#board")
        self.prompt = self.page.locator("#prompt")

    async def press(self, *keys: str) -> None:
        """Some keys, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def into(self, selector: str, *keys: str) -> None:
        """Goes to a control, as the Tab key does, and presses keys there."""
        control = self.page.locator(selector)
        await expect(control).to_be_visible()  # what is hidden or disabled takes no focus
        await expect(control).to_be_enabled()
        await control.focus()
        await self.press(*keys)

    async def prefers(self, *selectors: str) -> None:
        """Ticks boxes and radio buttons of the preferences."""
        await self.into("#preferences", "Enter")
        for selector in selectors:
            await self.into(selector, "Space")
        await self.press("Escape")
        await expect(self.page.locator("dialog[open]")).to_have_count(0)

    async def sits_down(self, preset: str) -> None:
        """Opens a room with the rules of a preset."""
        await self.into("#name", *"Ada")
        await self.into("#create", "Enter")
        await self.person.on("room")
        await self.into("#change-rules", "Enter")
        cards = self.page.locator("#set-preset label")
        await expect(cards.first).to_be_visible()  # before that the catalogue is not there
        names = await cards.locator("b").all_inner_texts()
        chosen = cards.filter(has=self.page.locator("input:checked")).locator("b")
        steps = names.index(preset) - names.index(await chosen.inner_text())
        key = "ArrowDown" if steps > 0 else "ArrowUp"
        await self.into("#set-preset :checked", *[key] * abs(steps))
        await expect(chosen).to_have_text(preset)
        await self.page.evaluate("document.activeElement.blur()")

    async def asks(self, title: str, *ways: str) -> None:
        """The box at the foot of the page asks this."""
        await expect(self.prompt.locator("h2")).to_have_text(title)
        await expect(self.prompt.locator("button")).to_have_text([*ways, re.compile("^Esc")])

    async def asks_nothing(self) -> None:
        await expect(self.prompt).to_have_count(0)

    async def held(self, count: int) -> None:
        """The cursor surrounds so many cards."""
        await expect(self.page.locator("[data-in][data-marks~=cursor]")).to_have_count(count)

    async def go(self, column: int) -> None:
        """The cursor to a column, from wherever it is."""
        await self.press("Home", *["Numpad6"] * column)

    async def at(self, column: int) -> int:
        """Waits for the cursor at a column; returns how many cards it surrounds."""
        cursor = self.page.locator("[data-in][data-marks~=cursor]")
        await expect(
            cursor.and_(self.page.locator(f'[data-in="t{column}"]')).first
        ).to_be_attached()
        return await cursor.count()

    async def moves(self, game: Game, action: Action) -> None:
        """A move from pile to pile; the target comes first."""
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
        await self.person.on("results")

    async def gives_up_in_company(self) -> None:
        await self.into("#forfeit", "Enter")
        await self.into("#ask-yes", "Enter")
        await expect(self.page.locator("#game-over")).to_be_visible()

    async def level(self) -> str:
        """The level that F2 shows, once there is a table."""
        await keeps_focus(self.person)
        await self.press("F2")
        text = await self.page.locator("#help-level").inner_text()
        await self.press("Escape")
        return text


@asynccontextmanager
async def loading(page: Page, files: str) -> AsyncIterator[None]:
    """Deliver some files of the page only when the block ends."""
    over = asyncio.Event()

    async def wait(route: Route) -> None:
        await over.wait()
        await route.continue_()

    await routed(page, files, wait)
    yield
    over.set()
    await page.unroute_all(behavior="wait")


def moves_of(game: Game) -> Iterator[Action]:
    return (each for each in game.legal_actions() if actions.kind(each) is ActionKind.MOVE)


def to_an_exception(game: Game) -> tuple[list[Action], Action]:
    """Moves of single cards after which an exception can be made, and that exception."""
    paths: list[list[Action]] = [[]]
    for path in paths:
        at = game.copy()
        for action in path:
            at.apply(action)
        for action in moves_of(at):
            if actions.is_exception(action) and not at.is_legal(
                actions.move(actions.source(action), actions.count(action), actions.target(action))
            ):
                return path, action
        paths += [
            [*path, action]
            for action in moves_of(at)
            if actions.count(action) == 1 and not actions.is_exception(action)
        ]
    raise AssertionError("there is none")


async def test_an_evening_page_by_page(address: str) -> None:  # noqa: PLR0915  # the manual is long
    ada = await Person.at(address, **DESKTOP, **STILL)
    me, page = Evening(ada), ada.page
    await page.evaluate(HEAR)

    # The three questions at the start: the preferences, and the level of the room.
    await me.prefers(
        "[name=pref-keys][value=classic]",
        "[name=pref-reasons][value=on-request]",
        "#pref-confirmDeal",
    )
    await me.sits_down("DOS 1987, hard")
    await expect(page.locator("#press")).to_have_text(
        "Press 1 to 6 to choose the game, F6 to change the level, F7 to start, Q to quit."
    )
    # "Which game do you want to play?"
    await expect(page.locator("#next-game")).to_contain_text("Which round do you want to play?")
    await me.press("3")
    await expect(page.locator("#next-game")).to_contain_text("Round 3 is next.")
    await me.press("9")
    await expect(page.locator("#next-game")).to_contain_text("Round 3 is next.")
    await me.press("F6")
    await me.asks("You are currently at level 2.", re.compile("^1"), re.compile("^2"))  # type: ignore[arg-type]
    assert await complaints(page) == []
    await me.press("1")
    await expect(page.locator("#set-exceptions")).to_have_value("easy")
    await me.press("F6", "2")
    await expect(page.locator("#set-exceptions")).to_have_value("hard")
    await me.press("F7")
    await ada.on("race")
    game = new_game(DOS, secret_deck("spider-4", SEED))
    await ada.sees(game)

    # Cursor keys.
    await me.press("Numpad6")  # the first key shows it, around the leftmost card
    await expect(page.locator("[data-pile][data-marks~=cursor]")).to_have_attribute(
        "data-pile", "t0"
    )
    await me.press("Numpad4")
    await expect(page.locator("[data-pile][data-marks~=cursor]")).to_have_attribute(
        "data-pile", "t9"
    )
    await me.press("Numpad6")
    await expect(page.locator("[data-pile][data-marks~=cursor]")).to_have_attribute(
        "data-pile", "t0"
    )
    await me.press("Numpad8")
    await said(ada, "Not possible.")
    await me.held(1)
    await page.wait_for_function("() => window.tones.splice(0).includes(130)")  # the beep
    # F5, the error message.
    await me.press("F5")
    await said(ada, "You can’t move face-down cards.")

    # F1, and F1 in reverse order; X, and the cursor after it.
    way, exception = to_an_exception(game)
    for action in way:
        await me.moves(game, action)
    source, count = actions.source(exception), actions.count(exception)
    pair = [printed(card) for card in game.pile(source).cards[-count:]]
    await me.go(source)
    start = await me.at(source)
    await me.press(*["Numpad8"] * (count - start))
    await me.press("5")  # as F5
    await said(ada, "Those cards are of mixed suits. Ask for an exception first (X).")
    await me.held(start)
    await me.press("x")
    await page.wait_for_function("() => window.tones.splice(0).includes(65)")  # the low buzz
    await me.press(*["Numpad8"] * (count - start))
    await me.held(count)
    await said(ada, pair[0])
    await me.press("F1")
    await expect(page.locator("[data-in][data-marks~=held]")).to_have_count(count)
    await me.press("Escape")  # cancels the selection
    await expect(page.locator("[data-in][data-marks~=held]")).to_have_count(0)
    await me.press("x")
    await me.go(source)
    await me.press(*["Numpad8"] * (count - await me.at(source)))
    await me.held(count)
    await me.press("F1")
    await me.go(actions.target(exception))
    await me.press("F1")
    game.apply(exception)
    await ada.sees(game)
    await expect(page.locator("#exceptions")).to_have_text("1")

    # F2, help and status.
    await me.press("F2")
    await expect(page.locator("#help-status")).to_contain_text("5 deals left.")
    await expect(page.locator("#help-level")).to_contain_text("Level 2")
    await expect(page.locator("#help-suits")).to_have_text("Suits removed: none.")
    await me.press("Escape")
    await keeps_focus(ada)

    # F3 and F4 on a column where there is nothing to do.
    await me.press("F3")
    await said(ada, "Not possible.")
    await me.press("F5")
    await said(ada, "doesn’t end in a complete suit.")
    await me.press("F4")
    await said(ada, "Nothing is folded here.")
    # F6 in a race.
    await me.press("6")
    await said(ada, "You are currently at level 2. You can change the level between games")

    # F9 and F10, with the question.
    await me.press("F10")
    await said(ada, "F10 confirms a new row: press F9 first.")
    await me.press("F9")
    await me.asks("Deal a new row of cards?", "F10Deal a new row")
    assert await complaints(page) == []
    await me.press("F9", "F2", "s")  # all other keys are off
    await me.asks("Deal a new row of cards?", "F10Deal a new row")
    await me.press("Escape")
    await said(ada, "Cancelled.")
    for keys in (("F9", "F10"), ("9", "0"), ("F9", "F10"), ("F9", "F10"), ("F9", "F10")):
        await me.press(*keys)
        game.apply(DEAL)
        await ada.sees(game)
    await me.press("F9")
    await me.asks("All 50 cards have been dealt.")
    await me.press("F2", "F10", "q")
    await me.asks("All 50 cards have been dealt.")
    await me.press("Escape")
    await me.asks_nothing()
    await keeps_focus(ada)

    # S, and C with its 48 combinations.
    await me.press("s")
    await said(ada, f"Score {game.score},")
    looks = await page.evaluate_handle("document.documentElement.dataset")
    await me.press("c")
    await me.asks("Colours", "BNext background", "FNext cards")
    assert await complaints(page) == []
    seen = set()
    for _ in range(CARDS):
        for _ in range(BACKGROUNDS):
            seen.add(await looks.evaluate("({table, cards}) => `${table} ${cards}`"))
            await me.press("b")
        await me.press("f")
    assert len(seen) == BACKGROUNDS * CARDS
    await expect(me.prompt.locator("p")).to_contain_text("Background 1 of 16: Baize.")
    await me.press("Escape")
    await keeps_focus(ada)

    # F7 and F8: the game is given up, and another one of the card's third begins.
    await me.press("F8")
    await said(ada, "F8 confirms a new game: press F7 first.")
    await me.press("F7")
    await me.asks("Start a new game?", "F8Start a new game")
    await me.press("Escape")
    await said(ada, "Cancelled.")
    await me.press("F7", "F8")
    await ada.on("race")
    game = new_game(DOS, secret_deck("spider-4", SEED))
    await ada.sees(game)

    # The end of a game, and which one comes then.
    await me.gives_up()
    await expect(page.locator("#press")).to_have_text(
        "Press 1 to play again at level 1, 2 to play again at level 2, "
        "G to choose the game, Q to quit."
    )
    await expect(page.locator("[data-level]")).to_have_text(
        ["Play again at level 1", "Play again at level 2"]
    )
    rows = page.locator("#match-card [data-seat] tbody tr")
    await expect(rows).to_have_count(6)
    await expect(rows.nth(0)).to_have_text("1")  # not played
    await expect(rows.nth(2).locator("td").first).to_have_text("0")
    # At the end of the page the bar at its foot covers no part of a control.
    await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert await complaints(page) == []
    await me.press("1")
    await ada.on("race")
    assert "Level 1" in await me.level()
    await me.gives_up()
    await expect(rows.nth(0).locator("td").first).to_have_text("0")
    await me.press("g")
    # As in the DOS program, any of the six may be played again.
    await me.asks("Which game do you want to play?", *(f"{n}Game {n}" for n in range(1, 7)))
    await me.press("2")
    await expect(page.locator("#next-game")).to_contain_text("Round 2 is next.")
    await me.press("5")
    await expect(page.locator("#next-game")).to_contain_text("Round 5 is next.")
    await me.press("2")
    await ada.on("race")
    assert "Level 2" in await me.level()

    # Q once, and twice.
    await me.press("q")
    await me.asks("Quit?", "QQuit")
    await me.press("Escape")
    await keeps_focus(ada)
    await me.press("q", "q")
    await ada.on("landing")


async def test_without_confirming_a_new_game_is_the_next_number_at_once(unhurried: str) -> None:
    """A busy page could miss a short countdown: it draws what is there after both messages."""
    ada = await Person.at(unhurried, **DESKTOP, **STILL)
    me, page = Evening(ada), ada.page
    await me.prefers("[name=pref-keys][value=classic]")
    await me.sits_down("Spiderette")
    await page.select_option("#set-deal", "numbered")
    await page.fill("#set-number", "24")
    await page.press("#set-number", "Tab")
    await expect(page.locator("#rules")).to_contain_text("24")
    await page.evaluate("document.activeElement.blur()")
    await page.evaluate(WATCH_SCREENS)
    await me.press("F7")
    rules = Rules("spiderette-4")
    for number in (24, 25):
        await ada.on("race")
        game = new_game(rules, numbered_deck("spiderette-4", number))
        await ada.sees(game)
        if number == 24:
            await page.evaluate("window.screens = []")
            await me.press("F7")
    assert "countdown" in await page.evaluate("window.screens")
    for _ in range(4):
        await me.press("F9")
        game.apply(DEAL)
        await ada.sees(game)
    await me.press("F9")
    await me.asks("All 24 cards have been dealt.")
    await me.press("Escape", "F6")
    await said(ada, "Exceptions are off in this room.")


async def test_in_company_keys_say_what_they_cannot_do(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    me, page = Evening(ada), ada.page
    await me.prefers("[name=pref-keys][value=classic]")
    await me.sits_down("DOS 1987, hard")
    bob = await Person.at(page.url, **PHONE, locale="de-DE")
    # The keys are kept from the moment at which their code is requested.
    async with bob.page.expect_request("**/classic/between-games.js"):
        await prefer(bob, "keys", "classic")
    await bob.join("Bob")
    he = Evening(bob)
    await expect(page.locator('#players [data-seat="1"]')).to_be_visible()
    await he.press("F6")
    await said(bob, "Nur der Gastgeber kann die Stufe ändern")
    await he.press("4")
    await expect(bob.page.locator("#next-game")).to_have_text("Als Nächstes kommt Runde 1.")
    await expect(bob.page.locator("#games")).to_be_hidden()
    await me.press("F7")
    await said(ada, "The race starts when everyone is ready.")

    # Another game than the one that Bob was ready for.
    await he.into("#ready", "Enter")
    await expect(page.locator('#players [data-seat="1"]')).to_have_attribute("data-state", "READY")
    await me.press("4")
    await expect(bob.page.locator("#next-game")).to_have_text("Als Nächstes kommt Runde 4.")
    await expect(page.locator('#players [data-seat="1"]')).to_have_attribute(
        "data-state", "SEATED"
    )
    await he.into("#ready", "Enter")
    await me.into("#ready", "Enter")
    for person in (ada, bob):
        await person.on("race")
        await keeps_focus(person)
    await me.press("F7")
    await said(ada, "Everyone in a race has the same deal.")
    await me.press("F8")
    await said(ada, "press F7 first")
    await me.press("q")
    await expect(me.prompt.locator("p")).to_contain_text("If you leave now, you give up.")
    await me.press("q")
    await expect(page.locator("#ask")).to_contain_text("Leave the race?")
    await me.press("Escape")
    await ada.on("race")
    await he.gives_up_in_company()
    await me.gives_up()
    await bob.on("results")
    await expect(bob.page.locator("[data-level]").first).to_be_hidden()
    await he.press("1")  # it is not for him to choose
    await ada.on("results")
    await me.press("1")
    for person in (ada, bob):
        await person.on("room")
    await expect(page.locator("#set-exceptions")).to_have_value("easy")
    await expect(bob.page.locator("#next-game")).to_have_text("Als Nächstes kommt Runde 1.")


async def answers(person: Person, *keys: str) -> None:
    """Answers the questions before the first game, one key for each, in their order."""
    question = person.page.locator("#first-question")
    for key in keys:
        before = await question.inner_text()
        await person.page.keyboard.press(key)
        await expect(question.filter(has_text=before)).to_have_count(0)


async def test_the_first_game_asks_the_three_questions_of_the_manual(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    me, page = Evening(ada), ada.page
    question = page.locator("#first-question")
    await me.sits_down("DOS 1987, hard")
    await expect(question).to_have_text(
        "Do you want error messages displayed automatically (Y/N)?"
    )
    assert await complaints(page) == []
    await answers(ada, "n")
    await expect(question).to_have_text("Do you want to confirm each new deal and new game (Y/N)?")
    await answers(ada, "y")
    await expect(question).to_have_text(
        "What difficulty level do you want (1/2)? Press 1-Easy or 2-Hard."
    )
    await answers(ada, "1")
    await said(ada, "The next game is played at level 1.")
    await expect(page.locator("#set-exceptions")).to_have_value("easy")

    await page.click("#start")
    await ada.on("race")
    game = new_game(EASY, secret_deck("spider-4", SEED))
    await ada.sees(game)
    await keeps_focus(ada)
    await me.press("r")  # no suit is complete
    await said(ada, "Not possible. Press ? to see why.")
    await me.press("d")
    await said(ada, "Deal again to confirm")
    await ada.sees(game)
    await me.press("d")
    game.apply(DEAL)
    await ada.sees(game)

    # The next room of this browser asks nothing.
    await me.gives_up()
    await page.click("#leave")
    await page.reload()
    await ada.create("Ada", rules_open=True)
    await ada.takes_preset("dos-hard")
    await expect(page.locator("#next-game")).to_contain_text("Which round do you want to play?")
    await expect(question).to_have_count(0)


async def test_guests_are_asked_by_buttons_and_told_the_level(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    await ada.create("Ada", rules_open=True)
    await ada.takes_preset("dos-hard")
    bob = await Person.at(ada.page.url, **PHONE, locale="de-DE")
    await bob.join("Bob")
    box = bob.page.locator("#first-questions")
    await expect(box).to_contain_text("Sollen Fehlermeldungen automatisch erscheinen (J/N)?")
    await expect(box.locator("button")).to_have_text(["JJa", "NNein", "EscÜberspringen"])
    await box.locator("button").first.tap()
    await expect(box).to_contain_text("Möchtest du jedes neue Austeilen")
    await answers(bob, "j")
    await expect(box).to_have_count(0)
    await said(bob, "Du spielst auf Stufe 2.")

    # No race waits for the answers of others, and its start ends the questions.
    questions = ada.page.locator("#first-question")
    await expect(questions).to_be_visible()
    for person in (bob, ada):
        await person.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    await expect(questions).to_have_count(0)
    assert await ada.page.evaluate("localStorage.getItem('spider-race.asked-first')") == "true"


async def test_a_question_goes_with_the_race_that_it_was_about(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    await prefer(ada, "keys", "classic")
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP, **STILL)
    await prefer(bob, "keys", "classic")
    await bob.join("Bob")
    me, he = Evening(ada), Evening(bob)
    for person in (bob, ada):
        await person.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
        await keeps_focus(person)  # a letter means nothing before the table is there
    await he.press("c")
    await he.asks("Colours", "BNext background", "FNext cards")
    await me.into("#host", "Enter")
    await me.into("#abort", "Enter")
    await me.into("#ask-yes", "Enter")
    await bob.on("room")
    await he.asks_nothing()
    await said(bob, "The host stopped the race.")


async def test_a_question_asked_again_at_once_is_one_question(address: str) -> None:
    """The box of the first one stayed for a frame, and a key could come before it."""
    ada = await Person.at(address, **DESKTOP, **STILL)
    me = Evening(ada)
    await me.prefers("[name=pref-keys][value=classic]", "#pref-confirmDeal")
    await ada.practise()
    await expect(ada.page.locator("[data-in=t0]")).to_have_count(6)
    await me.press("F9")
    await me.asks("Deal a new row of cards?", "F10Deal a new row")
    await me.press("Escape")
    await me.asks_nothing()
    assert await ada.page.evaluate(ASK_TWICE) == 1
    await said(ada, "Cancelled.")
    await me.asks("Deal a new row of cards?", "F10Deal a new row")
    await me.press("F10")
    await said(ada, "Dealt")
    await me.asks_nothing()


async def test_the_card_is_chosen_from_by_its_buttons_too(address: str) -> None:
    ada = await Person.at(address, **PHONE, **STILL)
    me, page = Evening(ada), ada.page
    await me.sits_down("DOS 1987, easy")
    await expect(page.locator("#press")).to_have_count(0)  # these are not the keys in use
    await me.press("3")
    games = page.locator("#games button")
    await expect(games).to_have_text([*"123456"])
    await games.nth(5).tap()
    await expect(page.locator("#next-game")).to_contain_text("Round 6 is next.")
    await expect(games.nth(5)).to_have_attribute("aria-pressed", "true")
    await page.tap("#start")
    await ada.on("race")
    await page.tap("#forfeit")
    await page.tap("#ask-yes")
    await ada.on("results")
    await games.nth(5).tap()
    await expect(page.locator("#next-game")).to_contain_text("Round 6 is next, once more.")
    await expect(
        page.locator("#match-card [data-seat] tbody tr").nth(5).locator("td").first
    ).to_have_text("0")
    await games.nth(2).tap()
    await expect(page.locator("#next-game")).to_contain_text("Round 3 is next.")
    assert await complaints(page) == []
    await page.tap('[data-level="2"]')
    await ada.on("race")
    await keeps_focus(ada)  # the help shows the state of a table that is there
    await page.tap("#help")
    await expect(page.locator("#help-level")).to_contain_text("Level 2")


async def test_keys_wait_in_their_order_for_the_code_of_a_key(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    me, page = Evening(ada), ada.page
    await me.prefers("[name=pref-keys][value=classic]", "#pref-confirmDeal")
    await me.sits_down("DOS 1987, easy")
    await me.press("F7")
    await ada.on("race")
    game = new_game(EASY, secret_deck("spider-4", SEED))
    await ada.sees(game)

    # The question of F9 is answered by F10, and by nothing else.
    async with loading(page, "**/classic/classic.js"):
        await page.reload()
        await ada.on("race")
        await ada.sees(game)
        await me.press("F10", "F9", "s", "F10")
        await ada.sees(game)
        await me.asks_nothing()
    game.apply(DEAL)
    await ada.sees(game)
    await said(ada, "Dealt")

    # Escape closes the help before the board sees it; a card is named by two keys.
    async with loading(page, "**/help/help.js"):
        await me.press("F2", "Escape", "F1", "l")
        await me.press("8", "h")
    await expect(page.locator("[data-in][data-marks~=cursor]")).not_to_have_count(0)
    await expect(page.locator("#help-dialog")).to_have_count(0)
    await expect(page.locator("[data-in][data-marks~=found]")).not_to_have_count(0)

    # What cannot be loaded is said, and is tried again by the next key.
    await page.reload()
    await ada.on("race")
    await ada.misses("**/help/help.js")
    await me.press("F2")
    await said(ada, "That couldn’t be loaded. Try again.")
    await page.unroute_all()
    await me.press("F2")
    await expect(page.locator("#help-level")).to_contain_text("Level 1")
    await me.press("Escape")

    await me.gives_up()
    await ada.has_stepped_back()
    async with loading(page, "**/classic/between-games.js"):
        # The keys are kept from the moment at which their code is requested.
        async with page.expect_request("**/classic/between-games.js"):
            await page.reload()
        await ada.on("results")
        await me.press("F6", "2")
    await ada.on("race")
    await me.press("F6")
    await said(ada, "at level 2")


def test_the_manual_has_a_row_for_each_of_its_keys() -> None:
    table = Path(__file__).with_name("classic.md").read_text()
    keys = [*(f"F{n}" for n in range(1, 11)), "C", "Q", "S", "X", "Esc"]
    places = [table.index(f"\n| {key} ") for key in keys]
    assert all(a < b for a, b in pairwise(places))
