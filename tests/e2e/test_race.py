"""Whole races: from the link to the rematch, with reloads, tabs and latecomers."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, MOVING, PHONE, STILL, Person, race
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, join, play, play_on, start_race
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser

DRAGGED = 8
FIRST_SUIT = 42
"""The act of the win that removes the first suit."""

# The most cards on the page during the countdown.
COUNT_EARLY_CARDS = """() => {
  window.early = 0;
  new MutationObserver(() => {
    if (document.body.dataset.screen === 'countdown')
      window.early = Math.max(window.early, document.querySelectorAll('[data-in]').length);
  }).observe(document, {attributes: true, childList: true, subtree: true});
}"""


async def test_two_friends_race_from_the_link_to_the_rematch(address: str) -> None:
    win = one_suit_win()
    ada = await Person.at(address, **DESKTOP, **MOVING)
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    cleo = await join(address, link, "Cleo")
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(3)
    for person in (ada, bob):
        await person.page.evaluate(COUNT_EARLY_CARDS)
    await cleo.ready()
    await race(ada, bob)
    assert await asyncio.gather(*(each.page.evaluate("early") for each in (ada, bob))) == [0, 0]

    # Ada drags and clicks, with motion; Bob taps on a phone.
    mine, his = one_suit_game(), one_suit_game()
    await asyncio.gather(ada.sees(mine), bob.sees(his))
    for number, action in enumerate(win[: DRAGGED + 4]):
        await ada.do(mine, action, drag=number < DRAGGED)
    await bob.page.click("#looks")
    await bob.page.uncheck("#pref-oneTap")
    await bob.page.click("#preferences-close")
    await bob.do(his, *win[:6])
    for person in (ada, bob):
        row = person.page.locator('#standings [data-seat="0"]')
        await expect(row).to_contain_text(str(mine.score))
    await bob.page.reload()
    await bob.on("race")
    await bob.sees(his)

    await ada.page.emulate_media(**STILL)
    await play_on(ada, mine, *win[mine.at : FIRST_SUIT])
    await ada.do(mine, win[FIRST_SUIT])
    await play_on(ada, mine, *win[FIRST_SUIT + 1 : -1])
    await record(bob, "#events")
    await ada.do(mine, win[-1])
    assert mine.score == 990
    await was_seen(bob, "#events", "Ada finished 1st")
    await expect(bob.page.locator('#standings [data-seat="0"]')).to_contain_text("990")
    await expect(ada.page.locator("#game-over")).to_contain_text("You win! ")
    await expect(ada.page.locator('#board-grid [data-seat="2"]')).to_contain_text("Cleo")

    await bob.do(his, win[6])  # Bob plays on for a while
    await bob.gives_up()
    await cleo.forfeit()
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#winner")).to_contain_text("Ada")
        await expect(person.page.locator("#verified[data-verdict=good]")).to_be_visible()
        row = person.page.locator('#results tr[data-seat="1"]')
        await expect(row).to_contain_text(str(his.score))
        await expect(person.page.locator("#tally")).to_contain_text("Ada 1")
        await accessible(person.page)

    await bob.page.click("#rematch")
    await expect(ada.page.locator("#next-steps")).to_contain_text("wants a rematch.")
    await cleo.rematch()
    await ada.page.click("#rematch")
    for person in (ada, bob):
        await person.on("race")
        await person.sees(one_suit_game())
        assert person.page.url == link
        await expect(person.page.locator("#standings [data-seat]")).to_have_count(3)


async def test_reloads_tabs_and_the_way_back_keep_the_seat(ada: Person, address: str) -> None:
    page, board = ada.page, ada.page.locator("#board")
    question = page.locator("dialog#ask")
    await ada.practise()
    room = page.url
    dealt = page.locator("[data-in=t0]")
    await expect(dealt).to_have_count(6)
    await page.click("#deal")
    await ada.has_acted(1)
    await expect(dealt).to_have_count(7)
    for _ in range(2):
        await page.go_back()
        await expect(question).to_contain_text("Leave this game?")
        assert page.url == room
        await page.click("#ask-no")
        await expect(board).to_be_visible()
    await page.reload()
    await ada.on("race")
    await expect(dealt).to_have_count(7)
    await page.go_back()
    await page.click("#ask-yes")
    await ada.on("landing")
    await page.go_forward()  # the seat was kept
    await ada.on("race")
    await expect(dealt).to_have_count(7)

    # Another tab takes the seat while a question is open; the first tab takes it back.
    await page.click("#forfeit")
    await expect(question).to_contain_text("Stop this game?")
    second = await page.context.new_page()
    await second.goto(room)
    await expect(second.locator("#board")).to_be_visible()
    await expect(question).to_contain_text("Play here")
    await page.click("#ask-yes")
    await expect(second.locator("dialog#ask")).to_be_visible()
    await second.click("#ask-yes")
    await expect(second.locator("dialog#ask")).to_be_hidden()
    await expect(second.locator("#connection")).to_have_attribute("data-connection", "on")
    await expect(second.locator("#deal")).to_be_enabled()
    await expect(question).to_contain_text("Play here")
    await second.goto(address)
    await expect(question).to_be_hidden()
    await expect(page.locator("#connection")).to_have_attribute("data-connection", "on")
    await expect(board).to_be_visible()
    await ada.gives_up()
    await ada.on("results")
    await ada.has_stepped_back()
    await page.go_back()
    await ada.on("landing")

    # "Back" leads to the page before the link, or in a new tab to the front page.
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    first = await Person.at(address, **DESKTOP)
    async with first.page.expect_popup() as opened:
        await first.page.evaluate("(link) => void open(link)", link)
    cy = Person(await opened.value)
    await cy.join("Cy")
    await race(ada, bob, cy)
    for person, seat in ((bob, 1), (cy, 2)):
        await person.page.go_back()
        await person.page.click("#ask-yes")
        row = page.locator(f'#standings [data-seat="{seat}"]')
        await expect(row).to_contain_text("offline")
    await expect(bob.page).to_have_url("about:blank")
    await cy.on("landing")
    await bob.page.goto(link)  # the seat was kept
    await bob.on("race")
    await expect(bob.page.locator("#forfeit")).to_be_visible()


async def test_a_latecomer_plays_the_first_round_of_a_match_late_and_races_in_the_second(
    address: str,
) -> None:
    settings = {"game": "spider-1", "chasers": True, "rounds": 2, "hints": True}
    racer, bob = await start_race(address, "Ada", "Bob", **settings)
    await play(racer, one_suit_win()[:2])
    ada = await at_a_page(racer, **DESKTOP)
    await ada.on("race")
    cy = await Person.at(racer.link, **PHONE)
    await cy.join("Cy", screen="race")
    await cy.page.click("#chase")
    await cy.sees(one_suit_game())
    await cy.deals()
    await cy.has_acted(1)
    row = ada.page.locator("#standings li").nth(2)
    await expect(row.locator("[data-part=name]")).to_have_text("Cy")
    await expect(row).to_contain_text("late")
    await ada.page.keyboard.press("h")
    await said(ada, "Hint 1: ")
    await expect(cy.page.locator('#standings [data-seat="0"]')).to_contain_text("1 hint")
    await bob.forfeit()
    await ada.gives_up()
    for person in (ada, cy):
        await person.on("results")
        captions = person.page.locator("#match-card:not([data-dos]) caption")
        await expect(captions).to_contain_text(["Ada", "Bob", "Cy"])
        await expect(person.page.locator("#results tr[data-seat='2'] td").first).to_have_text("")

    # In the second round Cy races.
    await bob.rematch()
    for person in (ada, cy):
        await person.page.click("#rematch")
    for person in (ada, cy):
        await person.on("race")
        await person.sees(one_suit_game())
    await expect(ada.page.locator("#standings")).not_to_contain_text("late")
    await cy.deals()
    await cy.has_acted(2)
    await bob.wait_for_table()
    await bob.forfeit()
    await ada.gives_up()
    await cy.gives_up()
    for person in (ada, cy):
        await person.on("results")
        rows = person.page.locator("#match-card [data-seat='2'] tbody tr")
        await expect(rows).to_have_count(2)
        await accessible(person.page)
