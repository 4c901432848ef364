"""Rooms with as many players and spectators as a room can have: what to do next stays in view."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, STILL, Person, amiss
from tests.e2e.test_sizes import resize
from tests.e2e.wire import join, play, with_settings
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

SIZES = [(1280, 800), (820, 1180), (390, 844), (320, 568), (844, 390), (568, 320)]

# Which of some buttons are not in the window, or lie below something else.
READ_HIDDEN = """(buttons) => buttons.filter((each) => {
  const button = document.querySelector(each);
  const {left, right, top, bottom} = button.getBoundingClientRect();
  if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) return true;
  return [left + 3, (left + right) / 2, right - 3]
    .some((x) => !button.contains(document.elementFromPoint(x, (top + bottom) / 2)));
})"""

# Whether the own row of the leaderboard is not in view, or the place in it runs into the points.
READ_OWN_ROW = """() => {
  const row = document.querySelector('#standings [data-own]');
  const {left, right, top, bottom} = row.getBoundingClientRect();
  const found = [];
  for (const y of [top + 2, bottom - 2])
    if (!row.contains(document.elementFromPoint((left + right) / 2, y))) found.push([y, top]);
  const box = (part) => {
    const range = document.createRange();
    range.selectNodeContents(row.querySelector(`[data-part=${part}]`));
    return range.getBoundingClientRect();
  };
  if (box('place').right + 2 > box('points').left) found.push('place and points');
  return found;
}"""

# What stands at the foot of the window, but reaches above the bar of the next race.
READ_ABOVE_BAR = """() => {
  const bar = document.querySelector('.next-steps-bar').getBoundingClientRect();
  return ['#chat-toggle', '#connection'].filter((each) => {
    const element = document.querySelector(each);
    const {top, width} = element.getBoundingClientRect();
    return getComputedStyle(element).clipPath === 'none' && width > 0 && top < bar.top - 5;
  });
}"""


async def test_spectators_are_a_count_that_moves_no_control(address: str) -> None:
    """Forty of them stood between the players and Ready."""
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    code = link
    await page.wait_for_selector("#ready")
    before = await page.locator("#ready").bounding_box()
    for number in range(40):
        await join(address, code, f"Guest {number}", role="spectator")
    watchers = page.locator("details:has(> #watchers)")
    await expect(watchers.locator("summary")).to_have_text("40 watching")
    await expect(page.locator("#watchers li").first).to_be_hidden()
    assert await page.locator("#ready").bounding_box() == before
    await watchers.locator("summary").click()
    await expect(page.locator('#watchers [data-action="kick"]').first).to_be_visible()
    assert await page.locator("#ready").bounding_box() == before

    bob = await join(address, code, "Bob")
    await bob.ready()
    await page.click("#ready")
    await ada.on("race")
    await page.click("#host")
    rows = page.locator("#host-controls li")
    await expect(rows).to_have_count(41)
    await expect(rows.first).to_contain_text("Bob")


async def own_row_is_in_view(person: Person, when: str) -> None:
    """Check the own row of the leaderboard at all sizes."""
    for size in SIZES:
        await resize(person, size)
        assert await amiss(person.page, READ_OWN_ROW) == [], (size, when)


async def test_the_next_race_stays_in_view_on_the_results_of_twelve_players(address: str) -> None:
    """The table of eleven others pushed Rematch below the fold."""
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await page.check("[name=game][value=spider-1]", force=True)
    code = (await ada.create("Ada", rules_open=True)).rpartition("/")[2]
    await page.fill("#set-max-players", "12")
    await page.press("#set-max-players", "Tab")
    await expect(page.locator("#gist")).to_be_visible()
    first = await join(address, code, "Player 1")
    await with_settings(first, max_players=12)
    names = [f"Player {number}" for number in range(2, 12)]
    others = [first, *[await join(address, code, name) for name in names]]
    for player in others:
        await player.ready()
    await page.click("#ready")
    await ada.on("race")
    await asyncio.gather(*(player.wait_for_table() for player in others))
    await asyncio.gather(*(play(player, one_suit_win()[:3]) for player in others))
    rows = page.locator("#standings li")
    await expect(rows.nth(11)).to_have_attribute("data-own", "")  # below all who have acted
    await own_row_is_in_view(ada, "in the race")
    await ada.gives_up()
    await own_row_is_in_view(ada, "after the own end")
    for player in others:
        await player.forfeit()
    await ada.on("results")
    await expect(page.locator("#ranking tr")).to_have_count(13)
    await expect(page.locator("#boards")).to_be_visible()
    always = ["#rematch", "#leave", "#chat-toggle"]
    for buttons in (always, [*always, "#start"]):
        for size in SIZES:
            await resize(ada, size)
            for part in (0, 0.4, 1):
                await page.evaluate(
                    "(part) => scrollTo(0, part * document.body.scrollHeight)", part
                )
                assert await amiss(page, READ_HIDDEN, buttons) == [], (size, part)
                assert await amiss(page, READ_ABOVE_BAR) == [], (size, part)
        if "#start" not in buttons:
            for player in others:
                await player.rematch()
            await expect(page.locator("#start")).to_be_visible()
