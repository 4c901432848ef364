"""The review of a race in a real browser: it arrives without a reload, and its win is played."""

import asyncio
from collections.abc import Iterator

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, SHORT_COUNTDOWN_MS, STILL, Person, serving
from tests.e2e.wire import play, start_race
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PLAYED = 14
"""Acts of the one who gives up."""
PATIENCE_MS = 90_000
"""A review takes seconds of the processor, at the lowest priority."""

READ_HEIGHTS = "(rows) => rows.map((row) => row.getBoundingClientRect().height)"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with a thinking process, which others of the tests do without."""
    data_dir = tmp_path_factory.mktemp("server")
    with serving(data_dir, "--thinkers", "1", countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


async def race(address: str) -> str:
    """A race that Ada wins and Bob gives up with a win ahead; returns the room's code."""
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1", winnable=False)
    await asyncio.gather(play(ada, one_suit_win()), play(bob, one_suit_win()[:PLAYED]))
    await bob.forfeit()
    await bob.wait_for_result()
    ada.close()
    bob.close()
    return ada.code


async def test_a_review_arrives_without_a_reload_and_its_win_is_played(address: str) -> None:
    code = await race(address)
    don = await Person.at(f"{address}r/{code}/1", **DESKTOP, **STILL)
    page = don.page
    await don.on("finished")
    rows = page.locator("#ranking tr")
    await expect(rows).to_have_count(3)
    heights = await rows.evaluate_all(READ_HEIGHTS)
    wins = page.locator("#wins li")
    await expect(wins).to_have_count(1, timeout=PATIENCE_MS)
    await expect(wins).to_contain_text("Bob: could still have been won.")
    review = "could still have been won"
    await expect(page.locator('#ranking tr[data-seat="1"]')).to_contain_text(review)
    await expect(page.locator('#ranking tr[data-seat="0"]')).not_to_contain_text(review)
    assert await rows.evaluate_all(READ_HEIGHTS) == heights, "a review makes no row higher"
    await expect(page.locator("#chart-known")).to_be_visible()
    await expect(page.locator(".chart-plot [data-part=known]")).to_have_count(1)
    await accessible(page)
    await page.select_option("#replay-speed", "32")
    await rows.locator("button").click()
    await expect(page.locator("#board-left")).to_have_value("1")
    await expect(page.locator("#board-right")).to_have_value("1/win")
    right = page.locator('#boards [data-seat="1/win"] [data-part=figures]')
    await expect(right).to_contain_text("8 suits", timeout=PATIENCE_MS)
    left = page.locator('#boards [data-seat="1"] [data-part=figures]')
    await expect(left).to_contain_text("0 suits")
    await page.select_option("#board-right", "0")
    await expect(page.locator(".replay-time")).not_to_contain_text("of 0:00")


async def test_a_player_who_gave_up_sees_on_a_phone_that_a_win_was_left(address: str) -> None:
    eve = await Person.at(address, **PHONE, **STILL, locale="de-DE")
    page = eve.page
    await eve.practise("spider-1")
    await page.tap("#deal")
    await eve.gives_up()
    await eve.on("results")
    heights = await page.locator("#ranking tr").evaluate_all(READ_HEIGHTS)
    await expect(page.locator("#ranking")).to_contain_text("Sieg", timeout=PATIENCE_MS)
    assert await page.locator("#ranking tr").evaluate_all(READ_HEIGHTS) == heights
    await expect(page.locator("#wins button")).to_have_text("Sieg abspielen")
    await accessible(page)
