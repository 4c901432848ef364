"""After a race, in a real browser: its chart, its replay, its link, the proof of its deal."""

import asyncio
import re
import struct
import time

import pytest
from playwright.async_api import Page, expect

from server.games.game import Game
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PATIENCE_MS, PHONE, Person, shown
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, on_the_wire, play, start_race
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PLAYED = 14
"""Acts of the one who gives up."""

NO_SUBTLE = "Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined})"
CAN_SHARE = """
  Object.defineProperty(Navigator.prototype, 'canShare', {value: () => true, configurable: true});
  Object.defineProperty(Navigator.prototype, 'share', {configurable: true, value: async (what) => {
    window.shared = what.files.map(({name, type, size}) => ({name, type, big: size > 10_000}));
  }});
"""
CANNOT_SHARE = "delete Navigator.prototype.canShare; delete Navigator.prototype.share"
NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined})"

READ_SIDE = """(side) => [...side.querySelectorAll('[data-in]')].map(
  (card) => [card.dataset.in, Number(card.dataset.index), card.dataset.card ?? null])"""


WATCH_RESULTS = """
  window.jumps = [];
  new PerformanceObserver((list) => {
    for (const {sources} of list.getEntries())
      for (const {node} of sources)
        if (node?.parentElement?.closest('#results')) window.jumps.push(node.id || node.className);
  }).observe({type: 'layout-shift', buffered: true});
"""


async def race(address: str) -> str:
    """A race of two over the wire, which Ada wins and Bob gives up; returns the room's code."""
    async with on_the_wire():
        ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
        await asyncio.gather(play(ada, one_suit_win()), play(bob, one_suit_win()[:PLAYED]))
        await bob.forfeit()
        await bob.wait_for_result()
        return ada.code


@pytest.fixture(scope="module")
def code(address: str) -> str:
    """A room whose first round is over."""
    return asyncio.run(race(address))


def ended(acts: int) -> Game:
    """The winning game after some of its acts."""
    game = one_suit_game()
    for action in one_suit_win()[:acts]:
        game.apply(action)
    return game


async def side_shows(page: Page, seat: int, game: Game) -> None:
    """Waits until a board of the replay shows a table, the stock and foundations aside."""
    wanted = shown(game)
    board = page.locator(f'#boards [data-seat="{seat}"]').first
    piles: dict[str, list[str | None]] = {}
    until = time.monotonic() + PATIENCE_MS / 1_000
    while time.monotonic() < until:
        piles = {}
        for pile, _, card in sorted(await board.evaluate(READ_SIDE), key=lambda row: row[:2]):
            piles.setdefault(pile, []).append(card)
        if {pile: cards for pile, cards in piles.items() if pile in wanted} == wanted:
            return
        await page.wait_for_timeout(25)
    assert piles == wanted


async def test_a_stranger_sees_a_finished_race_behind_its_link(address: str, code: str) -> None:
    don = await Person.at(f"{address}r/{code}/1", **DESKTOP)
    page = don.page
    await don.on("finished")
    await expect(page.locator("#winner")).to_have_text("Ada wins")
    await expect(page.locator('tr[data-seat="1"]')).to_contain_text("Gave up")
    await expect(page.locator("#verified[data-verdict=good]")).to_be_visible()
    await expect(page.locator("#round-share")).to_have_value(f"{address}r/{code}/1")
    await expect(page.locator("#chart path[data-part=line]")).to_have_count(2)
    await expect(page.locator("#chart-summary")).to_contain_text("Length: 0:")
    await expect(page.locator("#decided")).to_contain_text("Ada led ")
    values = page.locator("#chart [data-part=value]")
    await expect(values).to_have_text(["990", str(ended(PLAYED).score)])
    await page.click("#chart summary")
    await expect(page.locator("#scores tbody tr").first).to_contain_text("990")

    await side_shows(page, 0, ended(len(one_suit_win())))
    await side_shows(page, 1, ended(PLAYED))
    await accessible(page)

    await page.click("#again")
    await don.on("race")


async def test_the_replay_goes_to_any_moment_by_mouse_and_keys(address: str, code: str) -> None:
    don = await Person.at(f"{address}r/{code}/1", **DESKTOP)
    page = don.page
    await side_shows(page, 0, ended(len(one_suit_win())))

    await page.focus("#replay-at")
    await page.keyboard.press("Home")
    for seat in (0, 1):
        await side_shows(page, seat, one_suit_game())
    await expect(page.locator(".replay-act").first).to_have_text("The cards as dealt.")
    await expect(page.locator("#chart [data-part=value]").first).to_have_text(
        str(one_suit_game().score)
    )
    # Both boards have acts of their own; so many steps on, each has made all of Bob's.
    steps = 0
    while await page.input_value("#board-right") == "1" and steps < 4 * PLAYED:
        await page.keyboard.press("ArrowRight")
        steps += 1
        text = await page.locator('[data-seat="1"] [data-part=figures]').inner_text()
        if f"{ended(PLAYED).counts.moves} moves" in text:
            break
    await side_shows(page, 1, ended(PLAYED))
    await page.keyboard.press("PageUp")
    await expect(page.locator("#moments [aria-current]")).to_have_count(1)

    await page.locator("#moments button").last.click()
    await page.select_option("#replay-speed", "32")
    await page.click("#replay-at", position={"x": 3, "y": 20})
    await page.click("#replay-play")
    await side_shows(page, 0, ended(len(one_suit_win())))
    await expect(page.locator("#replay-play")).to_have_attribute("aria-label", "Play")

    plot = page.locator("#chart [role=slider]")
    await plot.focus()
    await page.keyboard.press("Home")
    await expect(plot).to_have_attribute("aria-valuetext", re.compile("^0:00: Ada"))
    await side_shows(page, 0, one_suit_game())
    await page.keyboard.press("End")
    await side_shows(page, 0, ended(len(one_suit_win())))
    marks = page.locator("#boards div:has(> select) [data-part=mark]")
    colours = [await mark.get_attribute("data-colour") for mark in await marks.all()]
    assert len(set(colours)) == 2
    await page.select_option("#board-left", "1")
    await side_shows(page, 1, ended(PLAYED))
    await expect(marks.first).to_have_attribute("data-colour", colours[1] or "")
    await page.locator("#boards [data-action=enlarge]").first.click()
    await expect(page.locator("#boards [data-large]")).to_have_count(1)


async def test_the_moment_that_decided_a_race_is_named_and_shown(address: str, code: str) -> None:
    don = await Person.at(f"{address}r/{code}/1", **DESKTOP)
    page = don.page
    await expect(page.locator("#margin")).to_have_text(re.compile("points ahead of Bob$"))
    await expect(page.locator("#decided")).to_contain_text("Ada")
    plot, slider = page.locator("#chart [role=slider]"), page.locator("#replay-at")
    await side_shows(page, 0, ended(len(one_suit_win())))
    assert await slider.input_value() == await slider.get_attribute("max")
    await page.click("#decided-see")
    await expect(plot).to_be_focused()
    await expect(plot).to_be_in_viewport()
    assert float(await slider.input_value()) < float(await slider.get_attribute("max") or 0)


async def test_a_loser_sees_the_place_the_distance_and_the_next_race_first(address: str) -> None:
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    await play(ada, one_suit_win()[:PLAYED])
    await play(bob, one_suit_win())
    person = await at_a_page(ada, **PHONE)
    await person.gives_up()
    await person.on("results")
    page = person.page
    behind = ended(len(one_suit_win())).score - ended(PLAYED).score
    await expect(page.locator("#winner")).to_have_text("Bob wins")
    await expect(page.locator("#margin")).to_have_text(f"You came 2nd, {behind} points behind Bob")
    told = f"Bob wins. You came 2nd, {behind} points behind Bob."
    await expect(page.locator("#spoken")).to_have_text(told)
    for each in ("#margin", "#podium", "#rematch", "#leave"):
        await expect(page.locator(each)).to_be_in_viewport(ratio=1)
    await expect(page.locator("#ranking [data-own]")).to_contain_text("Ada (you)")


async def test_results_come_without_a_jump(address: str) -> None:
    """Regression: the chart came late, and pushed the check of the deal out of the window."""
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    await play(ada, one_suit_win()[:PLAYED])
    await ada.forfeit()
    await bob.forfeit()
    person = await at_a_page(ada, **PHONE)
    page = person.page
    await person.on("results")
    await page.add_init_script(WATCH_RESULTS)
    await page.reload()
    await person.on("results")
    await side_shows(page, ada.seat, ended(PLAYED))
    assert await page.evaluate("window.jumps") == []


async def test_a_finished_race_can_be_used_by_everybody_in_the_dark_on_a_phone(
    address: str, code: str
) -> None:
    don = await Person.at(f"{address}r/{code}/1", **PHONE, color_scheme="dark")
    await side_shows(don.page, 1, ended(PLAYED))
    fits = "() => document.documentElement.scrollWidth <= innerWidth"
    await don.page.wait_for_function(fits)
    await accessible(don.page)
    await don.page.set_viewport_size({"width": 320, "height": 640})
    await don.page.wait_for_function(fits)


async def test_a_picture_of_the_result_is_saved(address: str, code: str) -> None:
    don = await Person.at(f"{address}r/{code}/1", **DESKTOP, script=CANNOT_SHARE)
    await expect(don.page.locator("#picture-share")).to_be_hidden()
    async with don.page.expect_download() as saving:
        await don.page.click("#picture-save")
    saved = await saving.value
    assert saved.suggested_filename == f"spider-race-{code}-1.png"
    picture = (await saved.path()).read_bytes()
    assert picture.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", picture[16:24])
    assert (width, height) == (1200, 630)
    assert len(picture) > 10_000  # something is drawn


@pytest.mark.complains("429 (Too Many Requests)")
async def test_a_picture_is_shared_where_the_browser_can(address: str, code: str) -> None:
    don = await Person.at(f"{address}r/{code}/1", **PHONE, script=CAN_SHARE)
    page = don.page
    await page.route("**/picture.svg*", lambda route: route.fulfill(status=429))
    await page.click("#picture-share")
    await said(don, "That couldn’t be loaded. Try again.")
    await page.unroute("**/picture.svg*")
    await page.click("#picture-share")
    await page.wait_for_function("() => window.shared")
    name = f"spider-race-{code}-1.png"
    assert await page.evaluate("window.shared") == [
        {"name": name, "type": "image/png", "big": True}
    ]


async def test_the_deal_is_checked_on_plain_http_too(address: str, code: str) -> None:
    script = f"{NO_SUBTLE};{NO_CLIPBOARD}"
    don = await Person.at(f"{address}r/{code}/1", **PHONE, script=script)
    page = don.page
    assert await page.evaluate("crypto.subtle === undefined && !navigator.clipboard")
    await expect(page.locator("#verified[data-verdict=good]")).to_contain_text("verified")
    await record(don, "#round-copy")
    await page.click("#round-copy")
    await was_seen(don, "#round-copy", "Copied")
    await page.evaluate("document.execCommand = () => false")
    await page.click("#round-copy")
    await expect(page.locator("#status")).to_contain_text("selected")
    assert await page.evaluate("document.activeElement.id") == "round-share"


@pytest.mark.complains("404 (Not Found)")
async def test_a_race_that_is_not_over_or_not_there_is_not_shown(address: str) -> None:
    (ada,) = await start_race(address, "Ada", game="spider-1")
    for room in (ada.code, "0000000"):
        don = await Person.at(f"{address}r/{room}/1", **PHONE)
        await don.on("finished")
        await expect(don.page.locator("#winner")).to_contain_text("isn’t here")
        assert await don.page.locator("#boards").count() == 0
    ada.close()


async def test_an_open_deal_says_that_there_is_nothing_to_check(address: str) -> None:
    (ada,) = await start_race(address, "Ada", deal="seed", seed="ab" * 16)
    await ada.forfeit()
    await ada.wait_for_result()
    ada.close()
    don = await Person.at(f"{address}r/{ada.code}/1", **PHONE)
    await don.on("finished")
    verdict = don.page.locator("#verified[data-verdict=good]")
    await expect(verdict).to_contain_text("Open deal")
    await expect(verdict).to_contain_text("nothing to check")
    await don.page.get_by_text("Show the cards").click()
    facts = don.page.locator("#deal-facts")
    await expect(facts).to_contain_text("ab" * 16)
    await expect(facts).not_to_contain_text("Salt")


async def test_the_card_of_a_match_looks_as_in_1987_under_a_preset_of_the_dos_program(
    address: str,
) -> None:
    ada = await Person.at(address, **DESKTOP)
    await ada.create("Ada", rules_open=True)
    await ada.takes_preset("dos-hard")
    await ada.page.click("#start")
    await ada.on("race")
    await ada.gives_up()
    await ada.on("results")
    await expect(ada.page.locator("#match-card[data-dos]")).to_be_visible()
    await accessible(ada.page)
