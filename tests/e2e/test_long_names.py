"""Names as long and as wide as names can be, on every screen of the narrowest pages."""

from typing import Any

import pytest
from playwright.async_api import expect
from spider_race_client import Race

from tests.e2e.pages import PHONE, STILL, Person, amiss
from tests.e2e.wire import at_a_page, join, play, start_race
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

LONG = "W" * 24
WIDTHS = (320, 360, 390)

# What makes the page wider than the window, or lies outside of it and cannot be scrolled to.
WIDE = """(width) => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > width || innerWidth > width) found.push(`${root.scrollWidth} px wide`);
  const scrolls = (each) => each && each !== document.body && each !== root
    && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
  for (const each of document.querySelectorAll('body *')) {
    const {left, right} = each.getBoundingClientRect();
    if (!each.checkVisibility() || (left >= -1 && right <= width + 1)) continue;
    if (getComputedStyle(each).clipPath !== 'none' || scrolls(each.parentElement)) continue;
    found.push(`${each.tagName} ${each.id} .${each.className}: ${left} to ${right}`);
  }
  return found;
}"""


Wrong = dict[tuple[str, int], list[str]]
"""What is too wide, by screen and width."""


async def fits(person: Person, what: str, wrong: Wrong) -> None:
    """Collect what is too wide on a screen at each width."""
    for width in WIDTHS:
        await person.page.set_viewport_size({"width": width, "height": 780})
        if found := await amiss(person.page, WIDE, width):
            wrong[what, width] = found[:4]


async def opened(host: Person) -> str:
    """A public match of boards and latecomers; returns its link."""
    page = host.page
    await page.check("[name=game][value=spider-1]", force=True)
    link = await host.create(LONG, rules_open=True)
    await page.select_option("#set-spectate", "boards")
    await page.fill("#set-rounds", "2")
    await page.press("#set-rounds", "Tab")
    for name in ("public", "hints", "chasers"):
        await page.check(f"#set-{name}")
    return link


async def before_the_race(
    address: str, host: Person, guest: Person, front: Person, wrong: Wrong
) -> list[Race]:
    """The room, with rivals, a spectator and a person who asks to join; returns the rivals."""
    page = host.page
    link = page.url
    rivals = [await join(address, link, LONG) for _ in range(3)]
    await guest.on("join")
    await fits(guest, "join", wrong)
    await guest.join(LONG)
    await join(address, link, LONG, role="spectator")
    await expect(page.locator("#players [data-seat]")).to_have_count(5)
    await page.check("#set-approve")
    applicant = await join(address, link, LONG, kind="program")
    await expect(page.locator("#requests")).to_be_visible()
    await fits(host, "room", wrong)
    await fits(guest, "room of a guest", wrong)
    await front.page.reload()
    await expect(front.page.locator(".landing-rooms li").first).to_be_visible()
    await fits(front, "front page", wrong)
    applicant.close()
    await page.click("#players [data-seat='1'] [data-action=kick]")
    await fits(host, "question", wrong)
    await page.click("#ask-no")
    await rivals[0].say(LONG * 4)
    await fits(guest, "chat in the room", wrong)
    return rivals


async def in_the_race(host: Person, guest: Person, rivals: list[Race], wrong: Wrong) -> None:
    """The countdown, the race, a win, and the ends of all others."""
    page = host.page
    for player in rivals:
        await player.ready()
    for person in (guest, host):
        await person.page.click("#ready")
    await guest.on("countdown")
    await fits(guest, "countdown", wrong)
    for person in (host, guest):
        await person.on("race")
    await expect(page.locator("#standings li")).to_have_count(5)
    await fits(guest, "race", wrong)
    await page.click("#host")
    await fits(host, "host controls", wrong)
    await page.keyboard.press("Escape")
    await guest.page.click("#chat-toggle")
    await fits(guest, "chat in the race", wrong)
    await rivals[0].wait_for_table()
    await play(rivals[0], one_suit_win())
    await expect(page.locator("#banner")).to_be_visible()
    await fits(host, "news", wrong)
    await host.gives_up()
    await fits(host, "own end", wrong)
    for player in rivals[1:]:
        await player.forfeit()
    await guest.gives_up()
    for person in (host, guest):
        await person.on("results")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_the_longest_names_widen_no_screen(unhurried: str, locale: str) -> None:
    """The page of a phone was 492 px wide in the countdown, under toasts and headlines."""
    wrong: Wrong = {}
    how: dict[str, Any] = {**PHONE, **STILL, "locale": locale}
    host = await Person.at(unhurried, **how)
    link = await opened(host)
    guest = await Person.at(link, **how)
    front = await Person.at(unhurried, **how)
    rivals = await before_the_race(unhurried, host, guest, front, wrong)
    await in_the_race(host, guest, rivals, wrong)
    await fits(guest, "results with the chat", wrong)
    for player in rivals:
        await player.rematch()
    await expect(host.page.locator("#next-steps")).to_be_visible()
    await expect(host.page.locator("#boards")).to_be_visible()
    await fits(host, "results", wrong)
    await front.page.goto(f"{link}/1")
    await front.on("finished")
    await expect(front.page.locator("#boards")).to_be_visible()
    await fits(front, "finished", wrong)
    assert wrong == {}


# What is cut of the mark of the own row, in px.
CUT = """() => {
  const [mark] = [...document.querySelectorAll('#standings [data-own] .standings-you')];
  if (!mark) return ['not drawn yet'];
  const name = mark.parentElement.getBoundingClientRect();
  const {left, right, width} = mark.getBoundingClientRect();
  return width > 0 && left >= name.left && right <= name.right + 0.5 ? [] : [[left, right, width]];
}"""


# The own name, if it is shortened.
SHORTENED = """() => [...document.querySelectorAll('#standings [data-own] .standings-who')]
  .filter((each) => each.scrollWidth > each.clientWidth)
  .map((each) => [each.scrollWidth, each.clientWidth])"""


@pytest.mark.parametrize("name", ["Ada", LONG])
async def test_a_name_gives_way_to_the_mark_of_the_own_row(address: str, name: str) -> None:
    """Regression: a phone on its side showed "Ada (y…", and later "A (you)"."""
    ada, bob = await start_race(address, name, "Bob")
    page = (person := await at_a_page(ada, **PHONE, **STILL)).page
    await person.on("race")
    for width, height in ((1280, 800), (390, 844), (844, 390), (320, 568)):
        await page.set_viewport_size({"width": width, "height": height})
        # Phones have room for the name only.
        if width == 1280:
            assert await amiss(page, CUT) == [], (width, height)
        if name == "Ada":
            assert await amiss(page, SHORTENED) == [], (width, height)
    await expect(page.locator("#standings [data-own] [data-part=name]")).to_have_text(
        f"{name} (you)"
    )
    bob.close()
