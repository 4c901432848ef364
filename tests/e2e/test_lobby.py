"""The room as a table: seats that turn their cards up, and what stays in view at its foot."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss, given_up
from tests.e2e.test_crowd import READ_HIDDEN
from tests.e2e.test_sizes import SIZES, resize
from tests.e2e.wire import join

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

NAMES = (
    "Maximiliane-Friederike",
    "W" * 24,
    "\u05d3\u05e0\u05d4",
    *(f"Gast {n}" for n in range(8)),
)

# Seats and parts of the table's middle that lie on each other or outside of the page.
OVERLAPS = """() => {
  const found = [];
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push(`${root.scrollWidth} px wide`);
  const boxes = [...document.querySelectorAll('#players > li, #table-title, #gist, #change-rules')]
    .map((each) => [each.textContent, each.getBoundingClientRect()]);
  for (const [i, [one, a]] of boxes.entries()) {
    if (a.left < 0 || a.right > innerWidth) found.push(`${one} is outside`);
    for (const [other, b] of boxes.slice(i + 1))
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(`${one} lies on ${other}`);
  }
  return found;
}"""

# Which buttons at the seats lie below something else.
COVERED = """() => [
  ...document.querySelectorAll('#players button, #change-rules'),
].filter((each) => {
  if (!each.checkVisibility()) return false;
  each.scrollIntoView({block: 'center'});
  const {left, right, top, bottom} = each.getBoundingClientRect();
  return !each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((each) => each.ariaLabel ?? each.textContent)"""

# Whether the face of the card at a seat is turned to the player.
TURNED_UP = """(seat) => {
  const width = (each) => new DOMMatrix(getComputedStyle(
    document.querySelector(`#players [data-seat="${seat}"] ${each}`)).transform).m11;
  return width('[data-card]') > 0.99 && width('[data-back]') < 0.01;
}"""
# The same of its back.
TURNED_DOWN = TURNED_UP.replace("card]') > 0.99", "card]') < 0.01").replace(
    "back]') < 0.01", "back]') > 0.99"
)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_the_seats_have_room_and_ready_stays_in_view(address: str, locale: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL, locale=locale)
    page = ada.page
    code = await ada.create("Ada")
    for number in range(40):
        await join(address, code, f"Guest {number}", role="spectator")
    for count in (1, 2, 3, 8, 12, 13):
        while (seated := await page.locator("#players [data-seat]").count()) < count:
            await join(address, code, NAMES[seated - 1] if seated < 12 else "One more")
            await expect(page.locator("#players [data-seat]")).to_have_count(seated + 1)
        for size in SIZES:
            await resize(ada, size)
            assert await amiss(page, OVERLAPS) == [], (count, size)
            for part in (0, 0.5, 1):
                await page.evaluate(
                    "(part) => scrollTo(0, part * document.body.scrollHeight)", part
                )
                hidden = await amiss(page, READ_HIDDEN, ["#ready", "#start", "#invite"])
                assert hidden == [], (count, size, part)
            assert await amiss(page, COVERED) == [], (count, size)


@pytest.mark.parametrize("size", [(390, 844), (320, 568), (844, 390), (568, 320)])
async def test_the_chat_of_a_phone_is_behind_its_button_and_covers_no_control(
    address: str, size: tuple[int, int]
) -> None:
    how: dict[str, Any] = {**PHONE, "viewport": {"width": size[0], "height": size[1]}}
    ada = await Person.at(address, **how, **STILL, locale="de-DE")
    page = ada.page
    code = await ada.create("Ada")
    bob = await join(address, code, "Bob")
    await expect(page.locator("#chat-panel")).to_be_hidden()
    buttons = ["#ready", "#start", "#invite"]
    assert await amiss(page, READ_HIDDEN, [*buttons, "#chat-toggle"]) == []
    await bob.say("Hallo")
    await expect(page.locator("#chat-badge")).to_have_text("1")
    await page.click("#chat-toggle")
    await expect(page.locator("#chat-log")).to_contain_text("Hallo")
    assert await amiss(page, READ_HIDDEN, buttons) == []
    bob.close()


async def test_the_chat_goes_beside_the_table_where_there_is_room(ada: Person) -> None:
    page = ada.page
    await ada.create("Ada")
    chat, table = page.locator("#chat-panel"), page.locator("#players")
    await expect(chat).to_be_visible()
    beside = await chat.bounding_box()
    seats = await table.bounding_box()
    assert beside is not None
    assert seats is not None
    assert beside["x"] >= seats["x"] + seats["width"]
    await page.fill("#chat-line", "half a sen")
    await resize(ada, (390, 844))
    await expect(chat).to_be_hidden()
    await page.click("#chat-toggle")
    await expect(page.locator("#chat-line")).to_have_value("half a sen")
    await resize(ada, (1280, 800))
    await expect(page.locator("#chat-toggle")).to_be_hidden()
    await expect(chat).to_be_visible()


@pytest.mark.parametrize("how", [{}, STILL], ids=["moving", "still"])
async def test_a_card_is_turned_up_while_its_player_is_ready(
    ada: Person, address: str, how: dict[str, Any]
) -> None:
    page = ada.page
    await page.emulate_media(**how)
    code = await ada.create("Ada")
    bob = await join(address, code, "Bob")
    row = page.locator("#players [data-seat='1']")
    await expect(row).to_contain_text("Not ready")
    assert await page.evaluate(TURNED_DOWN, 1)
    await bob.ready()
    await expect(row).to_have_attribute("data-state", "READY")
    await page.wait_for_function(TURNED_UP, arg=1)
    await bob.ready(ready=False)
    await expect(row).to_have_attribute("data-state", "SEATED")
    await page.wait_for_function(TURNED_DOWN, arg=1)
    bob.close()


@pytest.mark.parametrize("light", ["light", "dark"])
async def test_the_lists_below_the_table_can_be_read(address: str, light: str) -> None:
    """Regression: the button that removes a spectator was white on white."""
    ada = await Person.at(address, **DESKTOP, **STILL, color_scheme=light)
    code = await ada.create("Ada")
    await join(address, code, "Don", role="spectator")
    await join(address, code, "Bob")
    for each in ("details:has(> #watchers) summary", "#colours summary", ".fairness summary"):
        await ada.page.click(each)
    await expect(ada.page.locator("#watchers [data-action=kick]")).to_be_visible()
    assert await complaints(ada.page) == []


async def test_free_seats_invite_while_there_are_any(ada: Person, address: str) -> None:
    page = ada.page
    link = await ada.create("Ada", rules_open=True)
    free = page.locator("#players [data-free]")
    await expect(free).to_have_text(["A free seat"] * 3)
    await free.first.get_by_role("button").click()
    await expect(page.locator("#invitation")).to_be_visible()
    await expect(page.locator("#share-link")).to_have_value(link)
    assert await complaints(page) == []
    await page.keyboard.press("Escape")
    await expect(page.locator("#invitation")).to_be_hidden()
    await join(address, link, "Bob")
    await expect(free).to_have_count(2)
    await page.check("#set-locked")
    await expect(free).to_have_count(0)


async def test_the_host_changes_the_rules_and_others_read_them(ada: Person) -> None:
    page = ada.page
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    for person, words in ((ada, "Change"), (bob, "Rules")):
        button = person.page.locator("#change-rules")
        await expect(button).to_have_text(words)
        await expect(button).to_have_attribute("aria-expanded", "false")
        await expect(person.page.locator("#rules")).to_be_hidden()
        await person.opens_rules()
        await expect(button).to_have_attribute("aria-expanded", "true")
        await expect(person.page.locator("#rules")).to_be_visible()
        await expect(person.page.locator("#table-rules")).to_be_in_viewport()
        assert await complaints(person.page) == []
        assert await amiss(person.page, READ_HIDDEN, ["#ready", "#invite"]) == []
    await expect(bob.page.locator("#set-preset")).to_be_hidden()
    await ada.takes_preset("four-suits")
    await expect(bob.page.locator("#gist")).to_contain_text("four suits")
    # What has changed stands beside Ready, wherever the page is scrolled to.
    await expect(bob.page.locator("#changes")).to_contain_text("Four suits")
    await bob.page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await expect(bob.page.locator("#changes")).to_be_in_viewport()
    for size in SIZES:
        await resize(bob, size)
        assert await amiss(bob.page, READ_HIDDEN, ["#ready", "#invite"]) == [], size
    await page.select_option("#language", "de")
    await expect(page.locator("#change-rules")).to_have_text("Ändern")
    await expect(page.locator("#set-preset")).to_be_visible()  # what was open stays so
    await page.click("#rules-done")
    await expect(page.locator("#table-rules")).to_be_hidden()
    await expect(page.locator("#change-rules")).to_be_focused()


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_the_results_lead_to_the_rules_at_once(address: str, how: dict[str, Any]) -> None:
    """The form is folded away in the room, except for a host who comes to change the rules."""
    ada = await Person.at(address, **how, **STILL)
    await ada.practise()
    await given_up(ada)
    await ada.page.click("#next")
    await ada.on("room")
    await expect(ada.page.locator("#set-preset")).to_be_in_viewport()
    await expect(ada.page.locator("#players [data-free]")).to_have_count(0)
    await ada.page.select_option("#set-game", "spider-4")
    await expect(ada.page.locator("#gist")).to_contain_text("four suits")
    await ada.page.click("#start")
    await ada.on("race")
    await expect(ada.page.locator("#deal")).to_be_enabled()
