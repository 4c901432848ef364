"""Moves with mouse, fingers and keys, and over a slow connection."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import CDPSession, Locator, WebSocketRoute, expect

from server.games import actions
from server.games.actions import REDO, UNDO
from server.games.deals import new_game, secret_deck
from server.games.rules import Rules
from tests.e2e.axe import accessible
from tests.e2e.pages import CORNER, DESKTOP, MOVING, PHONE, READ_REST, Person
from tests.e2e.ways import (
    WATCH_SHIFTS,
    ClassicKeys,
    Keys,
    enter,
    keeps_focus,
    longest,
    prefer,
    said,
    type_move,
)
from tests.e2e.wire import at_a_page, at_a_table, play_on, start_race
from tests.games.wins import SEED, one_suit_win, to_first_complete

pytestmark = pytest.mark.browser

Point = tuple[float, float]

WIN = one_suit_win()
PART_OF_A_RUN = 19
"""The act of the win that moves six cards of a run of ten."""
HEADER: Point = (60, 20)
LOW: dict[str, Any] = {"viewport": {"width": 640, "height": 320}}
RULES = Rules("spider-4", exceptions="hard", undo="any")
DELAY_S = 0.7

# The distance of a dropped card from its resting place, in each frame.
WATCH_LANDING = """() => {
  const card = document.querySelector('[data-part=lift] [data-card]');
  window.landing = new Promise((resolve) => addEventListener('pointerup', () => {
    const seen = [];
    const look = () => {
      const {x, y} = card.getBoundingClientRect();
      seen.push([x, y]);
      const flies = card.closest('[data-part=lift]') || card.getAnimations().length > 0;
      if (flies || seen.length < 3) requestAnimationFrame(look);
      else resolve(seen.map((each) => Math.hypot(each[0] - x, each[1] - y)));
    };
    requestAnimationFrame(look);
  }, {once: true}));
}"""
SLOWLY = 0.2
"""Slow down motions whose frames we count, since a busy machine draws few."""


async def point_of(place: Locator) -> Point:
    """Return a point on a card at rest."""
    box = await place.evaluate(READ_REST)
    return box["x"] + 10, box["y"] + 20


def lifted(person: Person) -> Locator:
    """Return the cards that a pointer carries."""
    return person.page.locator("[data-part=lift] [data-card]")


def held(person: Person) -> Locator:
    """Return the selected cards."""
    return person.page.locator("[data-in][data-marks~=held]")


async def test_a_mouse_drags_clicks_and_takes_parts_of_runs(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", WIN[0], **DESKTOP)
    page, mouse = ada.page, ada.page.mouse

    # A key cancels a drag. So does the other button, which plays when pressed alone.
    await mouse.move(*await point_of(ada.ends(game, WIN[1])[0]))
    await mouse.down()
    await mouse.move(*await point_of(ada.ends(game, WIN[1])[1]))
    await expect(lifted(ada)).to_have_count(2)
    await page.keyboard.press("Escape")
    await expect(lifted(ada)).to_have_count(0)
    await mouse.up()
    await ada.sees(game)
    await ada.do(game, *WIN[1:3], drag=True)
    first, target = [await point_of(place) for place in ada.ends(game, WIN[3])]
    await mouse.move(*first)
    await mouse.down()
    await mouse.move(*target)
    await expect(lifted(ada)).to_have_count(1)
    await mouse.down(button="right")
    await expect(lifted(ada)).to_have_count(0)
    await mouse.up()
    await mouse.up(button="right")
    await mouse.move(*first)
    await ada.sees(game)
    async with ada.makes(game, WIN[3]):
        await mouse.down(button="right")
        await mouse.up(button="right")

    # The system decides what is a double click. If single clicks play, it moves once.
    await mouse.move(*await point_of(ada.ends(game, WIN[4])[0]))
    for count in (1, 1):
        await mouse.down(click_count=count)
        await mouse.up(click_count=count)
    await expect(held(ada)).to_have_count(0)
    async with ada.makes(game, WIN[4]):
        for count in (1, 2, 3, 4):
            await mouse.down(click_count=count)
            await mouse.up(click_count=count)
    await expect(held(ada)).to_have_count(0)
    await prefer(ada, "oneTap", "on")
    async with ada.makes(game, WIN[5]):
        await ada.ends(game, WIN[5])[0].dblclick(position=CORNER)

    # The middle button picks up a part of a run, and deals nothing.
    await play_on(ada, game, *WIN[game.at : PART_OF_A_RUN])
    card, place = ada.ends(game, WIN[PART_OF_A_RUN])
    for count in (6, 0, 6):
        await card.click(button="middle", position=CORNER)
        await expect(held(ada)).to_have_count(count)
    await expect(page.locator("#pile-contents")).to_be_hidden()
    await page.locator('[data-in="stock"]').last.click(button="middle")
    async with ada.makes(game, WIN[PART_OF_A_RUN]):
        await place.click(button="middle")

    # A complete suit glows and can be read; a double click on any of its cards removes it.
    await play_on(ada, game, *WIN[game.at : len(to_first_complete())])
    column = actions.source(WIN[game.at])
    await expect(page.locator("[data-in][data-marks~=complete]")).to_have_count(13)
    async with ada.makes(game, WIN[game.at]):
        card = ada.card(game, column, len(game.pile(column).cards) - 5)
        await card.dblclick(position=CORNER)
    await page.locator('[data-in="f0"][data-index="12"]').click()
    await expect(page.locator("#pile-contents")).to_contain_text("K♠ Q♠ J♠ 10♠ 9♠")


class Fingers:
    """Fingers on a page, in the order of their first touch."""

    def __init__(self, session: CDPSession) -> None:
        self.session = session
        self.points: dict[int, Point] = {}
        self.ids: Iterator[int] = iter(range(100))

    async def send(self, type_: str, points: dict[int, Point], **more: Any) -> None:
        """Send a touch event."""
        touches = [{"x": x, "y": y, "id": id_} for id_, (x, y) in points.items()]
        event = {"type": type_, "touchPoints": touches, **more}
        await self.session.send("Input.dispatchTouchEvent", event)

    async def down(self, point: Point, **more: Any) -> int:
        """Put another finger down."""
        self.points[id_ := next(self.ids)] = point
        await self.send("touchStart", self.points, **more)
        return id_

    async def move(self, id_: int, x: float, y: float) -> None:
        """Move a finger."""
        self.points[id_] = (x, y)
        await self.send("touchMove", self.points)

    async def up(self, id_: int, **more: Any) -> None:
        """Lift a finger."""
        await self.send("touchEnd", {id_: self.points.pop(id_)}, **more)


async def test_fingers_tap_drag_rest_and_spread(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", WIN[0], **PHONE)
    page = ada.page
    fingers = Fingers(await page.context.new_cdp_session(page))
    contents = page.locator("#pile-contents")
    async with ada.makes(game, WIN[1]):  # a tap plays the best move
        await ada.ends(game, WIN[1])[0].tap(position=CORNER)
    await expect(held(ada)).to_have_count(0)

    # By preference each move takes two taps, in either order.
    await page.tap("#looks")
    await expect(page.locator("#pref-oneTap")).to_be_checked()
    await page.tap("#pref-oneTap")
    await page.tap("#preferences-close")
    for action, first in zip(WIN[2:4], (0, 1), strict=True):
        async with ada.makes(game, action):
            places = ada.ends(game, action)
            await places[first].tap(position=CORNER)
            await places[1 - first].tap(position=CORNER)
    await prefer(ada, "oneTap", "auto")

    # A drag starts after 10 px and can be cancelled. A long press reads the column.
    (x, y), end = [await point_of(place) for place in ada.ends(game, WIN[4])]
    finger = await fingers.down((x, y))
    await fingers.move(finger, x + 6, y + 6)  # not yet 10 px
    await expect(lifted(ada)).to_have_count(0)
    await fingers.move(finger, x + 30, y + 30)
    await expect(lifted(ada)).to_have_count(4)
    await expect(page.locator("[data-pile][data-marks~=open]")).not_to_have_count(0)
    fingers.points.clear()
    await fingers.send("touchCancel", {})
    await expect(lifted(ada)).to_have_count(0)
    await ada.sees(game)
    async with ada.makes(game, WIN[4]):
        finger = await fingers.down((x, y))
        await expect(contents).to_be_visible()
        await fingers.move(finger, x + 30, y + 30)
        await expect(contents).to_be_hidden()
        await fingers.move(finger, *end)
        await fingers.up(finger)

    # Taps in quick succession count as repeats.
    place = await point_of(ada.ends(game, WIN[5])[0])
    now = await page.evaluate("Date.now() / 1000")
    async with ada.makes(game, WIN[5]):
        for at in range(3):
            finger = await fingers.down(place, timestamp=now + at * 0.18)
            await fingers.up(finger, timestamp=now + at * 0.18 + 0.02)
    await expect(held(ada)).to_have_count(0)

    # Any finger plays while another one rests elsewhere; a second finger on the cards cancels.
    (x, y), end = [await point_of(place) for place in ada.ends(game, WIN[6])]
    async with ada.makes(game, WIN[6]):
        resting = await fingers.down(HEADER)
        finger = await fingers.down((x, y))
        await fingers.move(finger, x + 30, y + 30)
        await fingers.move(finger, *end)
        await fingers.up(finger)
    await fingers.up(resting)
    (x, y), end = [await point_of(place) for place in ada.ends(game, WIN[7])]
    finger = await fingers.down((x, y))
    await fingers.move(finger, x - 30, y + 30)
    await expect(lifted(ada)).to_have_count(1)
    second = await fingers.down(await point_of(ada.end(game, 4)))
    await expect(lifted(ada)).to_have_count(0)
    await fingers.move(finger, *end)
    await fingers.up(finger)
    await fingers.up(second)
    one = await fingers.down((x, y))
    two = await fingers.down((x + 4, y + 8))
    for part in (0.3, 0.6, 1.0):
        await fingers.move(one, x + (end[0] - x) * part, y + (end[1] - y) * part)
        await fingers.move(two, x - (end[0] - x) * part, y + 60 * part)
    await fingers.up(one)
    await fingers.up(two)
    await expect(held(ada)).to_have_count(0)
    await ada.sees(game)
    async with ada.makes(game, WIN[7]):  # the next press plays again
        finger = await fingers.down((x, y))
        await fingers.move(finger, *end)
        await fingers.up(finger)

    # Two taps remove a complete suit, even if the second one hits the next card.
    await play_on(ada, game, *WIN[game.at : len(to_first_complete())])
    await prefer(ada, "oneTap", "off")
    column = actions.source(WIN[game.at])
    x, y = await point_of(ada.card(game, column, len(game.pile(column).cards) - 4))
    now = await page.evaluate("Date.now() / 1000")
    async with ada.makes(game, WIN[game.at]):
        for down, at in ((-10, now), (14, now + 0.15)):
            finger = await fingers.down((x, y + down), timestamp=at)
            await fingers.up(finger, timestamp=at + 0.02)


async def test_a_page_that_was_pinched_is_pinched_back_on_the_table(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", *WIN[:2], **PHONE)
    session = await ada.page.context.new_cdp_session(ada.page)
    await session.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 5})
    await expect(ada.page.locator("#board")).to_have_attribute("data-zoomed", "")
    fingers = Fingers(session)
    one, two = await fingers.down((20, 200)), await fingers.down((370, 600))
    for part in range(1, 9):
        await fingers.move(one, 20 + 20 * part, 200 + 24 * part)
        await fingers.move(two, 370 - 20 * part, 600 - 24 * part)
    await fingers.up(one)
    await fingers.up(two)
    await ada.page.wait_for_function("() => visualViewport.scale < 3")
    await ada.sees(game)

    # One finger plays, even while the page is zoomed.
    await session.send("Emulation.setPageScaleFactor", {"pageScaleFactor": 1.2})
    await ada.page.evaluate("() => scrollTo(0, 0)")
    finger = await fingers.down((20, 300))
    await fingers.move(finger, 60, 330)
    await expect(lifted(ada)).not_to_have_count(0)
    await fingers.up(finger)


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
async def test_a_dropped_card_flies_straight_to_its_place(address: str, touch: bool) -> None:
    # Regression: it first swung to its old column, since the old table was drawn once more.
    how = {**PHONE, **DESKTOP} if touch else DESKTOP
    ada, game = await at_a_table(address, "spider-1", *WIN[:2], **how, **MOVING)
    session = await ada.page.context.new_cdp_session(ada.page)
    await session.send("Animation.enable")
    await session.send("Animation.setPlaybackRate", {"playbackRate": SLOWLY})
    start, (x, y) = [await point_of(place) for place in ada.ends(game, WIN[2])]
    near = x - 14, y + 60  # dropped beside its destination
    async with ada.makes(game, WIN[2]):
        if touch:
            fingers = Fingers(session)
            finger = await fingers.down(start)
            await fingers.move(finger, *near)
        else:
            await ada.page.mouse.move(*start)
            await ada.page.mouse.down()
            await ada.page.mouse.move(*near)
        await ada.page.evaluate(WATCH_LANDING)
        await (fingers.up(finger) if touch else ada.page.mouse.up())
        landing: list[float] = await ada.page.evaluate("() => window.landing")
    assert landing[0] > 10
    assert landing == pytest.approx(sorted(landing, reverse=True), abs=0.5)


async def test_keys_type_undo_and_ask_for_an_exception(address: str) -> None:
    (racer,) = await start_race(address, "Ada", game="spider-4", exceptions="hard", undo="any")
    ada = await at_a_page(racer, **DESKTOP)
    page = ada.page
    game = new_game(RULES, secret_deck("spider-4", SEED))
    await ada.sees(game)
    names = game.variant.pile_names

    # After seven typed moves two runs of mixed suits have a destination.
    await page.keyboard.press("/")
    for text in ["t6x1-t0", "t5x1-t8", "t0x1-t6", "t4x1-t6", "t9x1-t1", "t6x2-t0", "t5x1-t4"]:
        await type_move(ada, game, actions.parse_action(text, names))
    await page.keyboard.type("2x2 6")
    await page.keyboard.press("Enter")
    await said(ada, "Ask for an exception first")
    async with ada.makes(game, actions.parse_action("t1x2-t5!", names)):
        await page.keyboard.type("x 2x2 6")
        await page.keyboard.press("Enter")
    await said(ada, "That was exception 1.")
    await expect(page.locator("#exceptions")).to_have_text("1")
    await page.keyboard.press("Escape")
    await page.locator("#looks").focus()  # the system's shortcuts need no focus on the board
    for key, act in (("Control+z", UNDO), ("Control+y", REDO)):
        async with ada.makes(game, act):
            await page.keyboard.press(key)
    await page.locator("#board [data-pile][tabindex='0']").focus()
    async with ada.makes(game, UNDO):
        await page.keyboard.press("z")
    keys = Keys(ada)
    await keys.press("x")
    await keys.go(4)
    await expect(page.locator('[data-in="t4"][data-marks~=cursor]')).to_have_count(2)
    async with ada.makes(game, actions.parse_action("t4x2-t5!", names)):
        await keys.press("Enter")
        await keys.go(5)
        await keys.press("Enter")
    await page.reload()
    await ada.on("race")
    await ada.sees(game)


async def test_a_long_column_folds_on_a_low_screen_and_unfolds(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", *WIN[: PART_OF_A_RUN - 1], **LOW)
    page = ada.page
    column, run = 1, longest(game, 1)
    runs = page.locator(f'[data-fold=run][data-of="t{column}"]')
    top = page.locator(f'[data-fold=top][data-of="t{column}"]')
    await expect(runs.last).to_be_visible()
    keys = Keys(ada)
    await keys.go(column)
    await keys.press("u")
    await said(ada, "Unfolded.")
    await expect(runs).to_have_count(0)
    await expect(top).to_have_count(1)
    await keys.press("u")
    await expect(runs.last).to_be_visible()
    await runs.last.click(force=True)  # the badge lies on a card
    await expect(runs).to_have_count(0)
    await keys.press("ArrowDown", 2)  # the first key shows the cursor again
    await said(ada, f"{run - 1} cards from column {column + 1}: ")
    await accessible(page)
    await keys.press("u")

    # The marks of 1987 show unfolded columns.
    await prefer(ada, "keys", "classic")
    mark = page.locator(f'[data-mark-of="t{column}"][data-fold-mark="unfolded"]')
    await ClassicKeys(ada).go(column)
    for count in (1, 0):  # F4 folds it again
        await page.keyboard.press("F4")
        await expect(mark).to_have_count(count)


def answer_late(line: WebSocketRoute) -> None:
    """Delay the server's answers to a page."""
    server = line.connect_to_server()
    loop = asyncio.get_running_loop()
    server.on_message(lambda message: loop.call_later(DELAY_S, line.send, message))
    line.on_message(server.send)


async def test_fast_play_over_a_slow_line_keeps_its_order_and_the_focus(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP)
    page = ada.page
    await page.route_web_socket(re.compile("/ws$"), answer_late)
    await page.reload()
    await ada.on("race")
    await ada.sees(game)
    await expect(page.locator("#standings li")).to_have_count(1)  # after the delay
    await page.evaluate(WATCH_SHIFTS)
    await page.keyboard.press("/")
    for action in WIN[:12]:  # without waiting for answers
        await enter(ada, action)
        game.apply(action)
    await expect(page.locator("#score")).to_have_text(str(game.score))
    await ada.sees(game)
    await page.keyboard.press("Escape")
    await keeps_focus(ada)
    shifts = await page.evaluate("() => window.shifts")
    assert not shifts, "\n".join(shifts)
