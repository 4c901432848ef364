"""A race in a real browser: two people, one deal, a winner."""

import asyncio

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, race
from tests.e2e.wire import play_on
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

SOME_FRAMES = """() => new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"""
DRAGGED = 25
FIRST_SUIT = 42
"""The move of the win that removes the first of the suits."""
LAST_SUITS = 112
"""The moves of the win after which two suits are left."""


async def test_two_friends_race_and_one_wins(unhurried: str) -> None:
    win = one_suit_win()
    ada = await Person.at(unhurried, **DESKTOP)
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    await expect(ada.page.locator("#players")).to_contain_text("Bob")

    await bob.page.click("#ready")
    await ada.page.click("#ready")
    await asyncio.gather(*(sees_no_card_yet(person) for person in (ada, bob)))
    for person in (ada, bob):
        await person.on("race")

    mine, his = one_suit_game(), one_suit_game()
    await ada.sees(mine)
    await bob.sees(his)

    for number, action in enumerate(win[: FIRST_SUIT + 1]):
        await ada.do(mine, action, drag=number < DRAGGED)
    await expect(ada.page.locator("#home")).to_have_text("1")
    await expect(ada.page.locator("#home + span")).to_have_text("of 8 suits")
    for action in win[:6]:
        await bob.do(his, action)
    for person in (ada, bob):
        row = person.page.locator('#standings [data-seat="0"]')
        await expect(row).to_contain_text(str(mine.score))

    await bob.page.reload()
    await bob.on("race")
    await bob.sees(his)
    await ada.page.emulate_media(**STILL)
    await play_on(ada, mine, *win[FIRST_SUIT + 1 : LAST_SUITS])
    await expect(ada.page.locator("#home")).to_have_text("6")
    await expect(ada.page.locator("#home + span")).to_have_text("of 8 suits")
    for action in win[LAST_SUITS:]:
        await ada.do(mine, action)
    assert mine.score == 990
    await expect(bob.page.locator('#standings [data-seat="0"]')).to_contain_text("990")

    await bob.do(his, win[6])  # Bob plays on; then he has seen enough
    await bob.gives_up()
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#winner")).to_contain_text("Ada")
        await expect(person.page.locator("#verified[data-verdict=good]")).to_be_visible()
        await expect(person.page.locator('#results tr[data-seat="1"]')).to_contain_text(
            str(his.score)
        )


async def sees_no_card_yet(person: Person) -> None:
    """While the countdown runs, the page shows no card."""
    await person.on("countdown")
    assert await person.piles() == {}


async def test_practice_by_keyboard_and_a_refusal_in_words(ada: Person) -> None:
    page = ada.page
    await ada.practise("spider-1")
    game = one_suit_game()
    await ada.sees(game)

    await page.keyboard.press("u")  # a key of nothing, before any
    await page.keyboard.press("d")
    game.apply(actions.DEAL)
    await ada.sees(game)
    await page.keyboard.press("z")
    game = one_suit_game()  # in practice any act can be taken back, even a deal
    await ada.sees(game)
    await page.keyboard.press("z")
    await expect(page.locator("#status")).to_contain_text("nothing to undo")
    await ada.sees(game)

    move = next(action for action in game.legal_actions() if is_whole_run(game, action))
    await page.keyboard.press("Home")
    for _ in range(actions.source(move)):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    steps = actions.target(move) - actions.source(move)
    for _ in range(abs(steps)):
        await page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    await page.keyboard.press("Enter")
    game.apply(move)
    await ada.sees(game)


def is_whole_run(game: Game, action: Action) -> bool:
    """Whether a move takes the longest run of its column, which the keyboard's cursor holds."""
    if actions.kind(action) is not ActionKind.MOVE:
        return False
    down, cards = game.pile(actions.source(action))
    longest = 1
    while longest < len(cards) - down and cards[-longest - 1] == cards[-longest] + 1:
        longest += 1
    return actions.count(action) == longest


async def test_a_second_tab_takes_the_seat_and_gives_it_back(ada: Person) -> None:
    link = await ada.create("Ada")
    second = await ada.page.context.new_page()
    await second.goto(link)
    await expect(second.locator("#players")).to_contain_text("Ada")
    await expect(ada.page.locator("dialog#ask")).to_be_visible()
    await ada.page.click("#ask-yes")  # "Play here"
    await expect(second.locator("dialog#ask")).to_be_visible()
    connection = ada.page.locator("#connection")
    await expect(connection).to_have_attribute("data-connection", "on")
    await expect(connection).not_to_contain_text("lost")


async def test_a_question_that_replaces_another_waits_for_its_own_answer(ada: Person) -> None:
    """The close of the first question was taken for a no to the second one."""
    await ada.practise()
    await ada.page.click("#forfeit")
    question = ada.page.locator("dialog#ask")
    await expect(question).to_contain_text("Stop this game?")
    second = await ada.page.context.new_page()
    await second.goto(ada.page.url)
    await expect(question).to_contain_text("Play here")
    await ada.page.evaluate(SOME_FRAMES)
    await ada.on("race")
    await ada.page.click("#ask-yes")
    await expect(second.locator("dialog#ask")).to_be_visible()
    await expect(question).to_be_hidden()
    await expect(ada.page.locator("#board")).to_be_visible()


async def test_markup_in_a_name_is_text(address: str) -> None:
    eve = await Person.at(address, **DESKTOP)
    await eve.create("<img src=x onerror=x>")
    await expect(eve.page.locator("#players")).to_contain_text("<img src=x onerror=x>")
    assert await eve.page.locator("#players img").count() == 0


async def test_the_way_back_asks_first_in_the_middle_of_a_race(ada: Person) -> None:
    page = ada.page
    await ada.practise()
    room = page.url
    await page.click("#deal")
    await expect(page.locator("[data-in=t0]")).to_have_count(7)
    for _ in range(2):
        await page.go_back()
        await expect(page.locator("#ask")).to_contain_text("Leave this game?")
        assert page.url == room
        await page.click("#ask-no")
        await expect(page.locator("#board")).to_be_visible()
    await page.reload()
    await ada.on("race")
    await expect(page.locator("[data-in=t0]")).to_have_count(7)
    await page.go_back()
    await page.click("#ask-yes")
    await ada.on("landing")
    await page.go_forward()  # the seat was kept
    await ada.on("race")
    await expect(page.locator("[data-in=t0]")).to_have_count(7)
    await ada.gives_up()
    await ada.on("results")
    await ada.has_stepped_back()
    await page.go_back()
    await ada.on("landing")


async def test_the_way_back_from_a_link_leads_to_the_page_before_it(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    await race(ada, bob)
    await bob.page.go_back()
    await bob.page.click("#ask-yes")
    await expect(ada.page.locator('#standings [data-seat="1"]')).to_contain_text("offline")
    await expect(bob.page).to_have_url("about:blank")
    await bob.page.goto(link)  # the seat was kept
    await bob.on("race")
    await expect(bob.page.locator("#forfeit")).to_be_visible()


async def test_the_way_back_from_a_link_in_a_new_tab_leads_to_the_front_page(
    ada: Person, address: str
) -> None:
    link = await ada.create("Ada")
    first = await Person.at(address, **DESKTOP)
    async with first.page.expect_popup() as opened:
        await first.page.evaluate("(link) => void open(link)", link)
    bob = Person(await opened.value)
    await bob.join("Bob")
    await race(ada, bob)
    await bob.page.go_back()
    await bob.page.click("#ask-yes")
    await bob.on("landing")  # no page came before the room
    await expect(ada.page.locator('#standings [data-seat="1"]')).to_contain_text("offline")
