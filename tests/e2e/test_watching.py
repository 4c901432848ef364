"""Watching: boards and the events of the race, during and after the player's game."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.ways import WATCH_SHIFTS, record, was_seen
from tests.e2e.wire import create, join, play, race_on_the_wire
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser


async def test_a_spectator_sees_the_board_of_a_player(ada: Person) -> None:
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada", rules_open=True)
    await ada.page.fill("#set-board-delay-s", "0")
    await ada.page.press("#set-board-delay-s", "Tab")
    don = await Person.at(link, **DESKTOP)
    await don.join("Don", "#watch")
    await ada.page.click("#start")
    for person in (ada, don):
        await person.on("race")
    game = one_suit_game()
    await ada.sees(game)
    await ada.do(game, *one_suit_win()[:3])
    await don.sees(game)
    await ada.gives_up()
    for person in (ada, don):
        await person.on("results")
        await person.page.click("#replay-open")
        await person.sees(game)


LONG_NAME = "Maximiliane-Friederike-W"
# Lines whose name and words overlap or lie apart, and on a desk lines that are cut.
CROWDED = """(isDesk) => [...document.querySelector('#events').children].filter((line) => {
  if (line.offsetHeight === 0 || !line.dataset.colour) return false;
  const [name, words] = ['bdi', 'bdi + *'].map((part) => line.querySelector(part));
  const letters = document.createRange();
  letters.setStart(words.firstChild, words.textContent.search(/[^ ]/));
  letters.setEnd(words.firstChild, words.textContent.length);
  const [end, start] = [[...name.getClientRects()].at(-1), letters.getClientRects()[0]];
  const isOneLine = end.top < start.bottom && start.top < end.bottom;
  const gap = start.left - end.right;
  const isOff = isOneLine && (gap > 8 || (words.textContent[0] === ' ' && gap < 2));
  const {right} = line.getBoundingClientRect();
  const isCut = line.scrollWidth > line.clientWidth || Math.max(end.right, start.right) > right;
  return isOff || words.scrollWidth > words.clientWidth + 1 || (isDesk && isCut);
}).map(({textContent}) => textContent)"""


async def test_events_tell_a_race_without_boards_and_a_win_leaves_others_time(
    address: str,
) -> None:
    ada = await create(address, LONG_NAME, game="spider-1", after_win_s=300)
    bob = await Person.at(ada.link, **PHONE)
    await bob.join("Bob")
    don = await Person.at(ada.link, **DESKTOP)
    await don.join("Don", "#watch")
    await race_on_the_wire(bob, ada)
    await don.on("race")
    for person in (bob, don):  # an earlier lead is no event for a new page
        await expect(person.page.locator("#standings [data-seat]")).to_have_count(2)
    game, win = one_suit_game(), one_suit_win()
    for action in win[:20]:
        game.apply(action)
    await play(ada, win[:20])
    for person in (bob, don):
        row = person.page.locator('#standings [data-seat="0"]')
        await expect(row.locator("[data-part=points]")).to_have_text(str(game.score))
        await expect(row).to_have_attribute("data-leads", "")
        await expect(person.page.locator("#events")).to_contain_text(f"{LONG_NAME} took the lead")
    assert await amiss(bob.page, CROWDED, False) == []
    await bob.page.set_viewport_size(DESKTOP["viewport"])
    assert await amiss(bob.page, CROWDED, True) == []

    # After a win the others have the time that the host has set.
    await record(bob, "#status")
    await play(ada, win[20:])
    await was_seen(bob, "#status", "Last five minutes")
    await expect(don.page.locator("#board-grid #events")).to_contain_text(
        f"{LONG_NAME} finished 1st!"
    )
    assert await amiss(bob.page, CROWDED, True) == []
    await bob.page.set_viewport_size(PHONE["viewport"])
    await bob.page.click("text=Play on for 2nd")
    await bob.page.click("#deal")
    await expect(bob.page.locator("#status")).to_contain_text("Dealt")
    await bob.gives_up()
    for person in (bob, don):
        await person.on("results")
        await expect(person.page.locator("#podium li")).to_have_count(1)


async def test_news_shifts_nothing(address: str) -> None:
    """Regression: a line of two rows moved the others, and a shorter name moved its word."""
    ada = await create(address, LONG_NAME, game="spider-1")
    bob = await Person.at(ada.link, **DESKTOP)
    await bob.join("Bob")
    cy = await join(address, ada.link, "Cy")
    await race_on_the_wire(bob, ada, cy)
    await cy.wait_for_table()
    win, events = one_suit_win(), bob.page.locator("#events")
    await expect(bob.page.locator("#standings [data-seat]")).to_have_count(3)
    await play(ada, win[:12])
    await expect(events).to_contain_text(f"{LONG_NAME} took the lead")
    await bob.page.evaluate(WATCH_SHIFTS)
    await play(cy, win[:30])
    await expect(events).to_contain_text("Cy took the lead")
    await expect(bob.page.locator("#lead")).to_have_text("Cy leads")
    moment = bob.page.locator("#race-top [data-part=moment][data-fresh]")
    await expect(moment).to_contain_text("Cy")
    await play(ada, win[12:60])
    await expect(events).to_contain_text(" of 8 suits")
    await play(ada, win[60:])
    await expect(events).to_contain_text(f"{LONG_NAME} finished 1st!")
    assert await bob.page.evaluate("() => window.shifts") == []
    # Regression: on a phone a short name kept the width of a longer one.
    await bob.page.set_viewport_size(PHONE["viewport"])
    await cy.forfeit()
    await expect(events).to_contain_text("Cy gave up")
    assert await amiss(bob.page, CROWDED, False) == []


async def test_players_who_give_up_see_the_boards_of_others_at_once(address: str) -> None:
    """Regression: the page said "you can watch the others", and an empty table stayed."""
    ada = await create(address, "Ada", spectate="boards")
    bob = await Person.at(ada.link, **DESKTOP)
    page = bob.page
    await bob.join("Bob")
    await race_on_the_wire(bob, ada)
    await bob.gives_up()
    await expect(page.locator("#game-over")).to_contain_text("You can watch the rest")
    await expect(page.locator("#board")).to_be_hidden()
    await ada.act("deal")  # a spectator would see it sixty seconds later
    await expect(page.locator("#late")).to_contain_text("live")
    board = page.locator('#board-grid [data-seat="0"]')
    await expect(board).to_have_attribute("data-size", "large")
    await expect(page.locator('#board-grid [data-seat="1"]')).to_have_count(0)
    await expect(page.locator("#board-grid [data-in=t0]")).to_have_count(7)
    await bob.has_stepped_back()
    await page.reload()
    await expect(board).to_be_visible()
    await ada.forfeit()
    await bob.on("results")
