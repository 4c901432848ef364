"""Two people play today's race, read its board, and look at it the day after."""

import re
import time
from collections.abc import AsyncIterator
from pathlib import Path
from pprint import pformat

import pytest
from playwright.async_api import expect

from server.live.days import DAY_MS
from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person, serving
from tests.e2e.test_layout import LEAST, Sweep
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser


MINUTE_MS = 60_000
COMPUTERS = 3
# A phone's share dialog, which records its argument, and fails when a test asks for it.
SHARES = """navigator.share = async (what) => {
  window.shared = what;
  if (window.failsWith) throw new DOMException('', window.failsWith);
};"""


class Clock:
    """The clock of a server that `tests.e2e.serve` runs."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "clock"
        now_ms = round(time.time() * 1_000)
        self._midnight_ms = now_ms + DAY_MS - now_ms % DAY_MS
        self.move_to(-10)

    def move_to(self, minutes: int) -> None:
        """Set the clock to some minutes after midnight (before it if negative)."""
        shift_ms = self._midnight_ms + minutes * MINUTE_MS - round(time.time() * 1_000)
        written = self._file.with_suffix(".new")
        written.write_text(str(shift_ms))
        written.replace(self._file)  # the server reads it at any moment


@pytest.fixture
async def day(tmp_path: Path) -> AsyncIterator[tuple[str, Clock]]:
    """A server ten minutes before midnight; yields its address and its clock."""
    clock = Clock(tmp_path)
    with serving(tmp_path, "--thinkers", "1") as address:
        yield address, clock


async def begins(person: Person, name: str) -> None:
    await person.page.click("[data-day=spider-1]")
    await expect(person.page.locator("#gate")).to_contain_text("One try. About 5 minutes.")
    await accessible(person.page)
    await person.page.fill("#name", name)
    await person.page.click("#day-play")
    await person.on("race")


async def shares_the_result(person: Person, link: str) -> None:
    """Share the result as text with the link to its day; closing the dialog is no failure."""
    page, status = person.page, person.page.locator("#status")
    before = await status.text_content()
    await page.tap("#day-sharing")
    for failure in ("", "AbortError", "NotAllowedError"):
        await page.evaluate("(failure) => { window.shared = null; failsWith = failure; }", failure)
        await page.tap("#day-hand-on")
        shared = await (await page.wait_for_function("() => window.shared")).json_value()
        assert shared["url"] == link
        lines = shared["text"].split("\n")
        assert re.fullmatch("[🟩⬜]{10}", lines[-1]), lines
        assert "http" not in shared["text"]
        if failure != "NotAllowedError":
            await expect(status).to_have_text(before or "")
    await expect(status).to_have_text("That couldn’t be shared. Copy it instead.")
    await expect(page.locator("#day-copy")).to_be_visible()


async def test_two_people_play_todays_race_and_look_at_it_the_day_after(
    day: tuple[str, Clock],
) -> None:
    address, clock = day
    ada = await Person.at(address, **DESKTOP)
    bob = await Person.at(address, **PHONE, script=SHARES)
    await begins(ada, "Ada")
    await begins(bob, "Bob")
    await ada.do(one_suit_game(), *one_suit_win())
    await ada.on("day")
    rows = ada.page.locator("#ranking tbody tr")
    await expect(rows).to_have_count(1 + COMPUTERS)
    await expect(rows.locator("[data-part=program]")).to_have_count(COMPUTERS)
    await expect(ada.page.locator("#day-beaten")).to_contain_text("You beat Expert by ")
    await expect(ada.page.locator("#about")).to_have_text(
        re.compile(r"You won in \d+:\d\d. First to finish today!")
    )
    await expect(ada.page.locator("#verified")).to_contain_text("Locked deal")
    await accessible(ada.page)

    # You can watch a computer player's game like any other.
    await rows.filter(has_text="Expert").get_by_role("button").click()
    await expect(ada.page.locator("#board-left option")).to_contain_text(["Ada", "Expert"])

    # Another tab of the same browser shows the board, and starts no second game.
    second = await ada.page.context.new_page()
    await second.goto(address)
    await second.click("#today [data-day=spider-1]")
    await expect(second.locator("#ranking tbody tr")).to_have_count(1 + COMPUTERS)
    await second.close()

    # Bob still plays at midnight, and sees no board until he has finished.
    board = await bob.page.evaluate("location.origin")
    shared = await ada.page.locator("#day-share").input_value()
    today = "/d/" + shared.rpartition("/d/")[2]
    clock.move_to(1)
    guest = await Person.at(f"{board}{today}", **PHONE)
    await guest.on("day")
    await expect(guest.page.locator("#about")).to_contain_text("2 players")
    await expect(guest.page.locator("#ranking")).to_be_hidden()
    await bob.do(one_suit_game(), *one_suit_win()[:5])
    await bob.gives_up()
    await bob.on("day")
    await expect(bob.page.locator("#about")).to_contain_text("2nd of 2")
    await accessible(bob.page)
    await shares_the_result(bob, f"{board}{today}")

    # Now the day is over: everybody sees the board, the deal and a way to win.
    await guest.page.reload()
    await expect(guest.page.locator("#ranking tbody tr")).to_have_count(2 + COMPUTERS)
    await expect(guest.page.locator("#verified")).to_contain_text("Fair deal")
    await expect(guest.page.locator("#board-left option")).to_have_text(
        ["Ada", "Bob", "A way to win"]
    )
    await guest.page.goto(f"{board}/days")
    # The list of past days leaves out today.
    await expect(guest.page.locator("#days li")).to_have_count(1)

    # A ghost from a link: Ada's figures run along on the same cards.
    await bob.page.goto(f"{board}{today}")
    await bob.page.click("#day-watch")
    link = bob.page.locator("[data-part=race]").last
    await expect(link).to_have_attribute("href", re.compile("/g/"))
    href = await link.get_attribute("href")
    await guest.page.goto(f"{board}{href}")
    await expect(guest.page.locator("#winner")).to_contain_text("challenges you")
    await expect(guest.page.locator("#gate")).to_contain_text(re.compile(r"\d:\d\d to beat"))
    await guest.page.click("#ghost-play")
    await guest.on("race")
    await expect(guest.page.locator("#standings")).to_contain_text("Ghost of")
    clock.move_to(40)
    await expect(guest.page.locator("#standings li").first).to_contain_text("Ghost of")
    await guest.gives_up()
    await guest.on("results")
    await expect(guest.page.locator("#margin")).to_contain_text("ghost finished")

    # With the longest words and a long name, nothing is cut off at any size.
    sweep, eve = Sweep(LEAST), await Person.at(address, **DESKTOP, locale="de-DE")
    gate = await eve.page.locator("[data-day=spider-1]").get_attribute("href")
    await eve.page.goto(f"{board}{gate}")
    await expect(eve.page.locator("#day-play")).to_be_visible()
    await sweep.see("gate", eve)
    await eve.page.goto(board)
    await eve.gives_name("W" * 24)
    for path, shown in (
        ("/", "#today"),
        (today, "#replay-at"),
        ("/days", "#days"),
        (href or "", "#ghost-play"),
    ):
        await eve.page.goto(f"{board}{path}")
        if path == today:
            await eve.page.click("#ranking button >> nth=0")
        await expect(eve.page.locator(shown)).to_be_visible()
        await sweep.see(path, eve)
    assert not sweep.found, pformat(sweep.found, width=160)
