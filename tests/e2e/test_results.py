"""After a race: chart, replay, link, picture, and the proof of the deal."""

import asyncio
import struct

import pytest
from playwright.async_api import Page, expect

from server.games.game import Game
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person, shown
from tests.e2e.ways import record, said, was_seen
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser

WIN = one_suit_win()
PLAYED = 14
"""Acts of the player who gives up."""

NO_SUBTLE = """
  Object.defineProperty(Crypto.prototype, 'subtle', {value: undefined});
  Object.defineProperty(Navigator.prototype, 'clipboard', {value: undefined});
"""
CAN_SHARE = """
  Object.defineProperty(Navigator.prototype, 'canShare', {value: () => true, configurable: true});
  Object.defineProperty(Navigator.prototype, 'share', {configurable: true, value: async (what) => {
    window.shared = what.files.map(({name, type, size}) => ({name, type, big: size > 10_000}));
  }});
"""
# Waits until a board of the replay shows these piles.
SIDE_SHOWS = """([seat, wanted]) => {
  const board = document.querySelector(`#boards [data-seat="${seat}"]`);
  const piles = {};
  for (const {dataset: {in: pile, index, card}} of board?.querySelectorAll('[data-in]') ?? [])
    (piles[pile] ??= [])[Number(index)] = card ?? null;
  return Object.entries(wanted).every(([pile, cards]) => String(piles[pile]) === String(cards));
}"""


def after(acts: int) -> Game:
    """Return the winning game after some of its acts."""
    game = one_suit_game()
    for action in WIN[:acts]:
        game.apply(action)
    return game


async def side_shows(page: Page, seat: int, game: Game) -> None:
    """Wait until a board of the replay shows a table, except stock and foundations."""
    await page.wait_for_function(SIDE_SHOWS, arg=[seat, shown(game)])


@pytest.mark.complains("404 (Not Found)")
async def test_a_link_shows_a_finished_race_to_somebody_who_was_not_there(address: str) -> None:
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    await asyncio.gather(play(ada, WIN), play(bob, WIN[:PLAYED]))
    link = f"{address}r/{ada.code}/1"
    early = await Person.at(link, **PHONE)
    await early.on("finished")  # there is nothing before the end
    await expect(early.page.locator("#winner")).to_contain_text("isn’t here")
    await bob.forfeit()
    await bob.wait_for_result()

    don = await Person.at(link, **DESKTOP, script=NO_SUBTLE)
    page = don.page
    await don.on("finished")
    await expect(page.locator("#winner")).to_have_text("Ada wins")
    # The page checks the deal even on plain HTTP, where browsers offer no digests.
    await expect(page.locator("#verified[data-verdict=good]")).to_contain_text("the hash matches")
    await page.click("#replay-open")
    values = page.locator("#chart [data-part=value]")
    await expect(values).to_have_text(["990", str(after(PLAYED).score)])
    await page.click("#scores-fold summary")
    await expect(page.locator("#scores tbody tr").first).to_contain_text("990")
    await side_shows(page, 0, after(len(WIN)))
    await side_shows(page, 1, after(PLAYED))
    await accessible(page)

    # The page names and shows the decisive moment.
    plot, slider = page.locator("#chart [data-part=plot]"), page.locator("#replay-at")
    await expect(page.locator("#decided")).to_contain_text("Ada led ")
    await page.click("#decided-see")
    await expect(slider).to_be_focused()
    await expect(slider).to_be_in_viewport()
    await expect(plot).to_be_in_viewport()
    assert float(await slider.input_value()) < float(await slider.get_attribute("max") or 0)

    # The replay plays to its end.
    await page.select_option("#replay-speed", "32")
    await page.click("#replay-at", position={"x": 3, "y": 20})
    await page.click("#replay-play")
    await side_shows(page, 0, after(len(WIN)))
    await expect(page.locator("#replay-play")).to_have_attribute("title", "Play")
    await slider.focus()
    await page.keyboard.press("Home")
    await side_shows(page, 0, one_suit_game())

    # The page copies the link, or selects it if it cannot, and saves the picture.
    await page.click("#share-result")
    await record(don, "#round-copy")
    await page.click("#round-copy")
    await was_seen(don, "#round-copy", "Copied")
    await page.evaluate("document.execCommand = () => false")
    await page.click("#round-copy")
    await said(don, "selected")
    await expect(page.locator("#round-share")).to_be_focused()
    async with page.expect_download() as saving:
        await page.click("#picture-save")
    saved = await saving.value
    assert saved.suggested_filename == f"spider-race-{ada.code}-1.png"
    picture = (await saved.path()).read_bytes()
    assert struct.unpack(">II", picture[16:24]) == (1200, 630)
    assert len(picture) > 10_000  # the picture is not empty
    await page.click("#again")
    await don.on("race")


async def test_a_loser_on_a_phone_sees_the_distance_and_shares_the_picture(address: str) -> None:
    bob, ada = await start_race(
        address, "Bob", "Ada", game="spider-1", deal="seed", seed="24" * 16
    )
    await asyncio.gather(play(ada, WIN[:PLAYED]), play(bob, WIN))
    person = await at_a_page(ada, **PHONE, color_scheme="dark")
    page = person.page
    await page.evaluate(CAN_SHARE)
    await person.on("race")
    await person.gives_up()
    await person.on("results")
    behind = after(len(WIN)).score - after(PLAYED).score
    await expect(page.locator("#margin")).to_contain_text(f"{behind} points behind Bob.")
    for each in ("#margin", "#podium", "#rematch", "#leave"):
        await expect(page.locator(each)).to_be_in_viewport(ratio=1)
    await page.tap("#verified")
    await expect(page.locator("#deal-facts")).to_contain_text("24" * 16)
    await page.tap("#replay-open")
    await side_shows(page, 1, after(PLAYED))
    await accessible(page)

    await page.tap("#share-result")
    await page.click("#picture-share")
    shared = await page.wait_for_function("() => window.shared")
    name = f"spider-race-{ada.code}-1.png"
    assert await shared.json_value() == [{"name": name, "type": "image/png", "big": True}]
