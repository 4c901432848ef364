"""What the table does besides what is asked of it: reasons beside the cards, and motion."""

from typing import Any

import pytest
from playwright.async_api import expect

from server.games import actions
from server.games.game import Game
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss, chromium
from tests.e2e.test_games import start_alone
from tests.e2e.ways import prefer, said, type_move
from tests.e2e.wire import at_a_table, play_on
from tests.games.wins import one_suit_win, to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# What lies under the bubble, and whether it catches a pointer.
READ_BUBBLE = """() => {
  const bubble = document.querySelector('#refusal-bubble');
  const its = bubble.getBoundingClientRect();
  const under = [...document.querySelectorAll('[data-in]')].filter((card) => {
    const box = card.getBoundingClientRect();
    return Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
      Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1;
  });
  const hit = document.elementFromPoint(its.x + its.width / 2, its.y + its.height / 2);
  return {under: under.length, catches: bubble.contains(hit), of: bubble.dataset.of,
    left: its.left, right: its.right};
}"""


def wrong_move(game: Game) -> tuple[int, int]:
    """Two columns between which no card may go."""
    ends = [game.pile(column).cards[-1] for column in range(10)]
    return next(
        (a, b) for a in range(10) for b in range(9, -1, -1) if a != b and ends[b] != ends[a] + 1
    )


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_a_refusal_stands_beside_its_column_until_the_next_input(
    address: str, how: dict[str, Any]
) -> None:
    async with chromium() as browser:
        ada, game = await at_a_table(browser, address, "spider-1", **how, **STILL)
        page = ada.page
        bubble = page.locator("#refusal-bubble")
        source, target = wrong_move(game)
        for column in (source, target):
            await ada.end(game, column).click(position={"x": 8, "y": 6})
        await expect(bubble).to_be_visible()
        words = await bubble.text_content()
        await said(ada, words or "?")
        seen = await page.evaluate(READ_BUBBLE)
        assert (seen["under"], seen["catches"], seen["of"]) == (0, False, f"t{target}")
        assert seen["left"] >= 0
        assert seen["right"] <= how["viewport"]["width"]
        await ada.end(game, source).click(position={"x": 8, "y": 6})
        await expect(bubble).to_be_hidden()
        await ada.sees(game)

        await prefer(ada, "reasons", "on-request")
        await ada.end(game, target).click(position={"x": 8, "y": 6})
        await said(ada, "Not possible.")
        await expect(bubble).to_be_hidden()
        await page.keyboard.press("?")
        await expect(bubble).to_be_visible()
        assert ada.complaints == []


# All animations of cards that begin later than at once, as delays in milliseconds.
WATCH_FLIGHTS = """() => {
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    if (this.matches?.('[data-in]'))
      window.flights.push({card: this.dataset.card ?? '', of: this.dataset.in, ...how});
    return animate.call(this, frames, how);
  };
}"""
READ_FLIGHTS = "() => window.flights.splice(0)"


@pytest.mark.parametrize("how", [{}, STILL], ids=["motion", "still"])
async def test_the_deal_and_a_complete_suit_fly_and_block_nothing(
    address: str, how: dict[str, Any]
) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, **how)
        page = ada.page
        await page.evaluate(WATCH_FLIGHTS)
        game = await start_alone(ada, "spider-1")
        first = one_suit_win()[0]
        await type_first(ada, game, first)  # while cards are on their way
        dealt = await page.evaluate(READ_FLIGHTS)
        late = [flight for flight in dealt if flight.get("delay")]
        assert (len(late) > 50) == (not how)
        assert all(flight["delay"] + flight["duration"] <= 800 for flight in late)
        start = to_first_complete()
        await play_on(ada, game, *start[1:])
        await page.evaluate(WATCH_FLIGHTS)
        await page.click("#remove")
        game.apply(one_suit_win()[len(start)])
        await ada.sees(game)
        home = [flight for flight in await page.evaluate(READ_FLIGHTS) if flight["of"] == "f0"]
        if how:
            assert home == []
        else:
            assert len(home) == 13
            assert len({flight["delay"] for flight in home}) == 13, "one after another"
            next_delay = {flight["card"]: flight["delay"] for flight in home}
            assert next_delay["AS"] == 0
            assert next_delay["KS"] == max(next_delay.values()) < 600
        assert ada.complaints == []


async def type_first(person: Person, game: Game, action: actions.Action) -> None:
    """Makes a move in writing, as soon as the table is there."""
    await person.page.keyboard.press("/")
    await type_move(person, game, action)


async def test_a_phone_is_felt_at_a_refusal_and_not_by_those_who_do_not_want_it(
    address: str,
) -> None:
    async with chromium() as browser:
        ada, game = await at_a_table(browser, address, "spider-1", **PHONE, **STILL)
        page = ada.page
        await page.evaluate(
            "() => { window.felt = []; navigator.vibrate = (p) => window.felt.push(p); }"
        )
        source, target = wrong_move(game)
        for wanted in (True, False):
            await prefer(ada, "haptics", wanted)
            for column in (source, target):
                await ada.end(game, column).click(position={"x": 8, "y": 6})
            await expect(page.locator("#refusal-bubble")).to_be_visible()
            assert len(await page.evaluate("() => window.felt.splice(0)")) == int(wanted)
            await page.wait_for_timeout(400)  # no double click
        assert ada.complaints == []


# Cards that lie in another order than that of their pile.
READ_DISORDER = """() => [...document.querySelectorAll('[data-in]')]
  .filter(({style, dataset}) => style.zIndex !== dataset.index)
  .map(({dataset}) => [dataset.in, dataset.index])"""
WATCH_DEAL = """() => {
  window.deal = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const animation = animate.call(this, frames, how);
    if (this.matches?.('[data-in]')) window.deal.push(animation);
    return animation;
  };
}"""
READ_DEAL = """async () => {
  const until = performance.now() + 15_000;
  while (window.deal.length < 54 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
  while (window.deal.some(({playState}) => playState === 'running'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  return window.deal.filter(({playState}) => playState === 'finished').length;
}"""


async def test_a_deal_is_seen_to_its_end_and_leaves_the_cards_in_order(address: str) -> None:
    """The cards are there before the table is: its first size must not cut the deal short."""
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        bob = await Person.at(browser, address, **DESKTOP)
        await bob.page.goto(await ada.create("Ada"))
        await bob.join("Bob")
        for person in (ada, bob):
            await person.page.evaluate(WATCH_DEAL)
        await bob.page.click("#ready")
        await ada.page.click("#ready")
        for person in (ada, bob):
            await person.on("race")
        await bob.page.set_viewport_size({"width": 900, "height": 700})
        assert await ada.page.evaluate(READ_DEAL) >= 54
        await bob.page.evaluate(READ_DEAL)
        for person in (ada, bob):
            assert await amiss(person.page, READ_DISORDER) == []
