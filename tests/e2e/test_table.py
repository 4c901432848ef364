"""The table itself: what it shows, what it refuses, and that nothing is ever in the way."""

import asyncio
import itertools
import re
from typing import Any

import pytest
from playwright.async_api import Browser, Page, WebSocketRoute, expect

from server.games import actions
from server.games.actions import DEAL, REDO, UNDO, Action, ActionKind, kind
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.rules import Rules
from tests.e2e.axe import accessible, complaints
from tests.e2e.pages import DESKTOP, PHONE, READ_REST, STILL, Person, amiss
from tests.e2e.test_games import start_alone
from tests.e2e.ways import (
    ClassicKeys,
    Keys,
    enter,
    keeps_focus,
    longest,
    prefer,
    printed,
    record,
    said,
    type_move,
    was_seen,
)
from tests.e2e.wire import at_a_page, at_a_table, play_on, start_race
from tests.games.wins import SEED, one_suit_game, one_suit_win, to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

TIMES = "\N{MULTIPLICATION SIGN}"
FIRST_SPACE = 61
"""The acts of the win after which a column is empty for the first time."""
RULES = Rules("spider-4", exceptions="hard", undo="any")
LOW: dict[str, Any] = {"viewport": {"width": 640, "height": 320}}
WATCH_SHIFTS = """() => {
  window.shifts = [];
  const keep = (list) => window.shifts.push(...list.getEntries());
  new PerformanceObserver(keep).observe({type: 'layout-shift'});
}"""
READ_SHIFTS = """() => window.shifts
  .filter((each) => !each.hadRecentInput)
  .flatMap(({sources}) => sources.map(({node, previousRect, currentRect}) =>
    `${node?.outerHTML?.slice(0, 90)} ${JSON.stringify([previousRect, currentRect])}`))"""


def longest_run(game: Game) -> tuple[int, int]:
    """The longest run at the end of a column, and that column."""
    best = (0, 0)
    for column in range(10):
        down, cards = game.pile(column)
        run = min(1, len(cards))
        while run < len(cards) - down and cards[-run - 1] == cards[-run] + 1:
            run += 1
        best = max(best, (run, column))
    return best


def to_a_long_run() -> tuple[Action, ...]:
    """The acts of the win after which a run of eight cards stands on the table."""
    game = one_suit_game()
    for number, action in enumerate(one_suit_win()):
        if longest_run(game)[0] >= 8:
            return one_suit_win()[:number]
        game.apply(action)
    raise AssertionError


async def test_a_long_column_folds_and_unfolds(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", *to_a_long_run(), **LOW)
    await ada.page.keyboard.press("/")
    await expect(ada.page.locator("#typed")).to_be_focused()
    run, column = longest_run(game)
    page = ada.page
    runs = page.locator(f'[data-fold=run][data-of="t{column}"]')
    await expect(runs.last).to_have_text(f"{TIMES}{run}")

    await page.keyboard.press("Escape")
    await keeps_focus(ada)
    keys = Keys(ada)
    await keys.go(column)
    await keys.press("u")
    await said(ada, "Unfolded.")
    await expect(runs).to_have_count(0)
    await expect(page.locator(f'[data-fold=top][data-of="t{column}"]')).to_have_count(1)
    await keys.press("u")
    await expect(runs.last).to_have_text(f"{TIMES}{run}")

    await page.mouse.click(*await middle_of(page, f'[data-fold=run][data-of="t{column}"]'))
    await expect(runs).to_have_count(0)
    await keys.press("ArrowDown", 2)  # the first one shows the cursor again
    await said(ada, f"{longest(game, column) - 1} cards from column {column + 1}: ")
    action = next(
        each
        for each in game.legal_actions()
        if kind(each) is ActionKind.MOVE
        and actions.source(each) == column
        and actions.count(each) < run - 2
    )
    await page.keyboard.press("/")  # Escape has closed the box
    await expect(page.locator("#typed")).to_be_focused()
    await accessible(page)
    await type_move(ada, game, action)
    await expect(runs.last).to_have_text(f"{TIMES}{run - actions.count(action)}")


async def test_the_middle_button_takes_a_part_of_a_run(address: str) -> None:
    """It showed the list of the column, which a long press shows; text 1 breaks up runs by it."""
    ada, game = await at_a_table(address, "spider-1", *to_a_long_run(), **DESKTOP)
    page = ada.page
    await prefer(ada, "oneTap", "on")  # a click makes a move at once
    run, column = longest_run(game)
    action = next(
        each
        for each in game.legal_actions()
        if kind(each) is ActionKind.MOVE
        and actions.source(each) == column
        and 1 < actions.count(each) < run
    )
    cards = game.pile(column).cards
    first = ada.card(game, column, len(cards) - actions.count(action))
    held = page.locator("[data-in][data-marks~=held]")
    await first.click(button="middle", position={"x": 8, "y": 6})
    await expect(held).to_have_count(actions.count(action))
    await expect(page.locator("#pile-contents")).to_be_hidden()
    await first.click(button="middle", position={"x": 8, "y": 6})
    await expect(held).to_have_count(0)

    await first.click(button="middle", position={"x": 8, "y": 6})
    await expect(held).to_have_count(actions.count(action))
    await page.locator('[data-in="stock"]').last.click(button="middle")  # deals nothing
    await ada.end(game, actions.target(action)).click(button="middle")
    game.apply(action)
    await ada.sees(game)


async def test_the_marks_of_1987_show_folded_and_unfolded_columns(address: str) -> None:
    lowest = {"viewport": {"width": 640, "height": 220}}
    deals = (DEAL,) * 5
    ada, _ = await at_a_table(address, "spider-1", *deals, **lowest, **STILL)
    page = ada.page
    folded = page.locator('[data-fold="top"]')
    await expect(folded.first).to_be_visible()
    marks = page.locator('[data-fold-mark="folded"]')
    await expect(marks.first).to_be_hidden()
    await prefer(ada, "keys", "classic")
    await expect(marks.first).to_be_visible()
    assert await marks.count() == await folded.count()

    ada, game = await at_a_table(address, "spider-1", *to_a_long_run(), **LOW)
    page = ada.page
    await prefer(ada, "keys", "classic")
    _, column = longest_run(game)
    mark = page.locator(f'[data-mark-of="t{column}"][data-fold-mark="unfolded"]')
    await expect(page.locator(f'[data-fold=run][data-of="t{column}"]')).not_to_have_count(0)
    await expect(mark).to_have_count(0)
    await ClassicKeys(ada).go(column)
    for count in (1, 0):  # F4 again folds it
        await page.keyboard.press("F4")
        await expect(mark).to_have_count(count)


# Cards that lie face up on the stock, since their flights have not begun.
WATCH_DEAL = """() => {
  window.early = [];
  window.flights = 0;
  const look = () => {
    for (const card of document.querySelectorAll('#board [data-in^=t][data-card]')) {
      const flight = card.getAnimations().find((each) => each.effect.getTiming().delay > 0);
      if (!flight) continue;
      window.flights += 1;
      if (flight.currentTime < flight.effect.getTiming().delay
          && getComputedStyle(card).opacity !== '0') window.early.push(card.dataset.card);
    }
    requestAnimationFrame(look);
  };
  look();
}"""
FLIGHTS = "() => new Promise((done) => setTimeout(() => done(window.flights), 1000))"


async def test_cards_that_wait_for_their_deal_do_not_lie_face_up_on_the_stock(
    address: str,
) -> None:
    flights = 0
    while not flights:  # a page that comes late to the deal shows it as it is
        ada = await Person.at(address, **DESKTOP)
        await ada.page.evaluate(WATCH_DEAL)
        await ada.practise("spider-1")
        await ada.sees(one_suit_game())
        flights = await ada.page.evaluate(FLIGHTS)
    await ada.page.wait_for_function(
        "() => document.getAnimations().every((each) => !each.effect.target?.dataset?.card)"
    )
    assert await ada.page.evaluate("window.early") == []


async def middle_of(page: Page, selector: str) -> tuple[float, float]:
    """Where the last element of a kind is, when it rests."""
    await page.locator(selector).last.evaluate(
        "(each) => Promise.allSettled(each.getAnimations().map(({finished}) => finished))"
    )
    box = await page.locator(selector).last.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


async def test_cards_are_marked_found_and_read(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP)
    page, board = ada.page, page_board(ada)
    movable = {
        actions.source(each) for each in game.legal_actions() if kind(each) is ActionKind.MOVE
    }
    await page.keyboard.press("m")
    await said(ada, f"{len(movable)} columns can move.")
    marked = page.locator("[data-in][data-marks~=movable]")
    await expect(marked.nth(len(movable) - 1)).to_be_attached()
    await page.keyboard.press("m")
    await expect(page.locator("[data-in][data-marks~=movable]")).to_have_count(0)

    card = game.pile(6).cards[-1]
    places = [i for i in range(10) if game.pile(i).cards[-1] == card]
    await page.keyboard.press("l")
    await said(ada, "Which rank")
    await page.keyboard.press(printed(card)[0] if printed(card) != "10♠" else "0")
    await said(ada, "Which suit")
    await page.keyboard.press("s")
    await said(ada, f"{printed(card)}: column {places[0] + 1} at its end")
    await expect(page.locator("[data-in][data-marks~=found]")).to_have_count(len(places))

    await page.keyboard.press("Home")
    await page.keyboard.press("p")
    label = await board.locator('[data-pile="t0"]').get_attribute("aria-label")
    await said(ada, str(label))
    await expect(page.locator("#pile-contents")).to_contain_text("5 face down")
    await accessible(page)
    await page.keyboard.press("Escape")
    await expect(page.locator("#pile-contents")).to_be_hidden()
    await page.locator('[data-pile="f0"]').click()
    await expect(page.locator("#pile-contents")).to_contain_text("None yet")

    x, y = await middle_of(page, '[data-in="t4"][data-index="4"]')
    await page.mouse.move(x, y)
    await page.mouse.down()
    await expect(page.locator("#pile-contents")).to_contain_text("Column 5")
    await page.mouse.up()
    await expect(page.locator("[data-in][data-marks~=held]")).to_have_count(0)
    await expect(page.locator("#clock[role=timer][aria-live=off]")).to_have_count(1)

    await page.keyboard.press("t")
    await said(ada, "you, 0.")
    await page.keyboard.press("?")
    await expect(page.locator("#help-status")).to_have_text("5 deals left. No suits removed yet.")
    await page.keyboard.press("Escape")
    await keeps_focus(ada)


def page_board(person: Person) -> Any:
    """The board of a page."""
    return person.page.locator("#board")


async def test_the_player_s_wishes_are_kept(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP)
    page = ada.page
    await prefer(ada, "confirmDeal", value=True)
    await page.click("#deal")
    await expect(page.locator("#deal")).to_have_text("Sure?")
    await page.keyboard.press("Escape")
    await expect(page.locator("#deal")).to_have_text("Deal")
    await ada.sees(game)
    await page.keyboard.press("d")
    await said(ada, "Deal a row?")
    await page.keyboard.press("d")
    game.apply(DEAL)
    await ada.sees(game)

    await prefer(ada, "reasons", "on-request")
    columns = [game.pile(i).cards[-1] for i in range(10)]
    wrong = next(
        (a, b) for a in range(10) for b in range(10) if a != b and columns[b] != columns[a] + 1
    )
    for column in wrong:
        await page.keyboard.press(str((column + 1) % 10))
    await said(ada, "Not possible.")
    await page.keyboard.press("?")
    await said(ada, printed(columns[wrong[0]]))
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await page.keyboard.press("?")
    await page.click("#help-letters")
    await page.keyboard.press("Escape")
    await page.keyboard.press("d")
    await page.keyboard.press("Space")
    await said(ada, "Deal a row?")
    await page.keyboard.press("Escape")

    await prefer(ada, "oneTap", "on")
    one = next(a for a in game.legal_actions() if goes_alone(game, a))
    cards = game.pile(actions.source(one)).cards
    card = ada.card(game, actions.source(one), len(cards) - actions.count(one))
    await card.dblclick(position={"x": 8, "y": 6})  # the second click does nothing more
    game.apply(one)
    await ada.sees(game)


def goes_alone(game: Game, action: Action) -> bool:
    """Whether these cards have one place, and it is not a space."""
    if kind(action) is not ActionKind.MOVE or not game.pile(actions.target(action)).cards:
        return False
    same = [
        each
        for each in game.legal_actions()
        if kind(each) is ActionKind.MOVE
        and actions.source(each) == actions.source(action)
        and actions.count(each) == actions.count(action)
    ]
    return same == [action]


READ_SIZE = "(element) => [element.offsetWidth, element.offsetHeight]"


async def test_the_list_of_a_column_stays_with_it_when_the_phone_is_turned(address: str) -> None:
    ada, _ = await at_a_table(address, "spider-1", **PHONE)
    page = ada.page
    finger = await page.context.new_cdp_session(page)
    box = await page.locator('[data-in="t8"][data-index="4"]').evaluate(READ_REST)
    point = {"x": box["x"] + 10, "y": box["y"] + 30}
    await finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    await expect(page.locator("#pile-contents")).to_be_visible()
    await page.set_viewport_size({"width": 844, "height": 390})
    assert await amiss(page, FAR_FROM_COLUMN) == []


FAR_FROM_COLUMN = """() => {
  const list = document.querySelector('#pile-contents').getBoundingClientRect();
  const column = document.querySelector('[data-pile=t8]').getBoundingClientRect();
  return list.left <= column.left && list.right >= column.right ? [] : [list.left, column.left];
}"""


async def test_a_drag_begins_late_and_can_be_called_off(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE)
    page = ada.page
    move = next(a for a in game.legal_actions() if kind(a) is ActionKind.MOVE)
    start = await ada.end(game, actions.source(move)).evaluate(READ_REST)
    end = await ada.end(game, actions.target(move)).evaluate(READ_REST)
    finger = await page.context.new_cdp_session(page)

    async def touch(type_: str, *at: float) -> None:
        points = [{"x": at[0], "y": at[1]}] if at else []
        await finger.send("Input.dispatchTouchEvent", {"type": type_, "touchPoints": points})

    x, y = start["x"] + 10, start["y"] + 30
    lifted = page.locator("[data-part=lift] [data-card]")
    await touch("touchStart", x, y)
    await touch("touchMove", x + 6, y + 6)  # not yet 10 px
    await expect(lifted).to_have_count(0)
    await touch("touchMove", x + 30, y + 30)
    await expect(lifted).to_have_count(actions.count(move))
    layer, card = page.locator("[data-part=lift]"), lifted.first
    assert await layer.evaluate(READ_SIZE) == await card.evaluate(READ_SIZE)
    await expect(page.locator("[data-pile][data-marks~=open]")).not_to_have_count(0)
    await touch("touchCancel")
    await expect(lifted).to_have_count(0)
    await ada.sees(game)

    await touch("touchStart", x, y)
    await expect(page.locator("#pile-contents")).to_be_visible()  # held long enough to be read
    await touch("touchMove", x + 30, y + 30)
    await expect(page.locator("#pile-contents")).to_be_hidden()
    await touch("touchMove", end["x"] + 10, end["y"] + 34)
    await touch("touchEnd")
    game.apply(move)
    await ada.sees(game)

    other = next(a for a in game.legal_actions() if kind(a) is ActionKind.MOVE)
    start = await ada.end(game, actions.source(other)).evaluate(READ_REST)
    await page.mouse.move(start["x"] + 8, start["y"] + 30)
    await page.mouse.down()
    await page.mouse.move(start["x"] + 20, start["y"] + 60)
    await expect(lifted).not_to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(lifted).to_have_count(0)
    await page.mouse.up()
    await ada.sees(game)


class SlowLine:
    """Between a page and its server: answers come late, and the line can be cut."""

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._routes: list[WebSocketRoute] = []

    async def put_on(self, page: Page) -> None:
        """Every websocket of the page goes through here."""
        await page.route_web_socket(re.compile("/ws$"), self._connected)

    def _connected(self, route: WebSocketRoute) -> None:
        self._routes.append(route)
        server = route.connect_to_server()
        loop = asyncio.get_running_loop()

        def later(message: str | bytes) -> None:
            loop.call_later(self._delay_s, route.send, message)

        server.on_message(later)
        route.on_message(server.send)

    async def cut(self) -> None:
        """The line is lost; the page comes back by itself."""
        await self._routes[-1].close(code=4001)


async def slowly(browser: Browser, address: str, line: SlowLine) -> Person:
    """Somebody far away."""
    page = await (await browser.new_context(**DESKTOP)).new_page()
    await line.put_on(page)
    person = Person(page)
    await page.goto(address)
    return person


async def shifts_nothing(page: Page) -> None:
    """Since it was asked to watch, nothing has moved but what the player has moved."""
    shifts = await page.evaluate(READ_SHIFTS)
    assert not shifts, "\n".join(shifts)


async def test_fast_play_over_a_slow_line_keeps_its_order_and_shifts_nothing(
    address: str, browser: Browser
) -> None:
    line = SlowLine(0.7)
    ada = await slowly(browser, address, line)
    game = await start_alone(ada, "spider-1")
    page = ada.page
    await page.evaluate(WATCH_SHIFTS)
    await page.keyboard.press("/")
    for action in one_suit_win()[:12]:  # typed without waiting for any answer
        await enter(ada, action)
        game.apply(action)
    await expect(page.locator("#score")).to_have_text(str(game.score), timeout=30_000)
    await ada.sees(game)
    await page.keyboard.press("Escape")
    await keeps_focus(ada)

    await shifts_nothing(page)

    await page.keyboard.press("Home")
    connection = page.locator("#connection")
    await record(ada, "#connection", "outerHTML")
    await line.cut()
    await was_seen(ada, "#connection", 'data-connection="connecting"')
    await keeps_focus(ada)
    await expect(connection).to_have_attribute("data-connection", "on", timeout=30_000)
    await keeps_focus(ada)
    await ada.sees(game)
    await page.keyboard.press("d")
    game.apply(DEAL)
    await ada.sees(game)
    await keeps_focus(ada)


@pytest.mark.parametrize("by", ["clicks", "keys"])
async def test_a_run_follows_a_card_whose_move_is_not_answered_yet(address: str, by: str) -> None:
    """Regression: the page took the count of the earlier move, and sent one card."""
    win = one_suit_win()
    first = next(
        number
        for number, (card, run) in enumerate(itertools.pairwise(win))
        if kind(card) is kind(run) is ActionKind.MOVE
        and actions.source(card) == actions.source(run)
        and actions.target(card) == actions.target(run)
        and actions.count(card) == 1 < actions.count(run)
    )
    ada, game = await at_a_table(address, "spider-1", *win[:first], **DESKTOP, **STILL)
    await SlowLine(0.7).put_on(ada.page)
    await ada.page.reload()
    await ada.on("race")
    await ada.sees(game)
    await keeps_focus(ada)
    for action in win[first : first + 2]:
        if by == "clicks":
            await ada.do(game, action)
            continue
        for column in (actions.source(action), actions.target(action)):
            await ada.page.keyboard.press(str((column + 1) % 10))
        game.apply(action)
    await ada.sees(game)


async def test_an_exception_is_asked_for_by_a_key_or_in_writing(ada: Person) -> None:
    """DOS rules, hard: seven plain moves lead to two runs of mixed suits that have a place."""
    await ada.create("Ada", rules_open=True)
    page = ada.page
    await page.select_option("#set-game", "spider-4")
    await expect(page.locator("#set-game")).to_have_value("spider-4")
    await page.select_option("#set-exceptions", "hard")
    await page.select_option("#set-undo", "any")
    await expect(page.locator("#rules")).to_contain_text("xception")
    await page.click("#start")
    await ada.on("race")
    game = new_game(RULES, secret_deck("spider-4", SEED))
    await ada.sees(game)
    await page.keyboard.press("/")
    names = game.variant.pile_names
    plain = "t6x1-t0 t5x1-t8 t0x1-t6 t4x1-t6 t9x1-t1 t6x2-t0 t5x1-t4"
    for text in plain.split():
        await type_move(ada, game, actions.parse_action(text, names))

    await page.keyboard.type("2x2 6")
    await page.keyboard.press("Enter")
    await said(ada, "Ask for an exception first")
    await expect(page.locator("#exceptions")).to_have_text("0")
    await page.keyboard.type("x 2x2 6")
    await page.keyboard.press("Enter")
    game.apply(actions.parse_action("t1x2-t5!", names))
    await ada.sees(game)
    await said(ada, "That was exception 1.")
    await expect(page.locator("#exceptions")).to_have_text("1")
    await expect(page.locator("#exception")).to_have_attribute("aria-pressed", "false")

    await page.keyboard.press("Escape")
    await page.keyboard.press("z")
    game.apply(actions.UNDO)
    await ada.sees(game)
    keys = Keys(ada)
    await keys.press("x")
    await said(ada, "your next move can take a run of mixed suits")
    await keys.go(4)
    await expect(page.locator('[data-in][data-marks~=cursor][data-in="t4"]')).to_have_count(2)
    await keys.press("Enter")
    await keys.go(5)
    await keys.press("Enter")
    game.apply(actions.parse_action("t4x2-t5!", names))
    await ada.sees(game)


async def test_the_other_keys_of_the_manual_and_its_questions(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP)
    page = ada.page
    await page.keyboard.press("?")
    await page.check("[name=help-keys][value=classic]")
    await expect(page.locator("#help-keys h4").first).to_contain_text("1987")
    await accessible(page)
    await page.click("#help-close")
    await keeps_focus(ada)
    for key, words in (
        ("F5", "No move was refused."),
        ("F6", "Exceptions are off in this room."),
        ("s", "Score 0, 0 moves, 0 suits removed."),
        ("F8", "press F7 first."),
        ("F10", "press F9 first."),
    ):
        await page.keyboard.press(key)
        await said(ada, words)
    await prefer(ada, "confirmDeal", value=True)
    await page.keyboard.press("F9")
    await expect(page.locator("#prompt")).to_contain_text("Deal a new row of cards?")
    await page.keyboard.press("F10")
    game.apply(DEAL)
    await ada.sees(game)
    await page.keyboard.press("F2")
    await expect(page.locator("#help-status")).to_contain_text("4 deals left.")
    await page.keyboard.press("Escape")
    await page.reload()
    await ada.on("race")
    await ada.sees(game)
    await page.keyboard.press("F6")
    await said(ada, "Exceptions are off in this room.")  # the preset is kept


async def test_suits_glow_go_home_and_can_be_looked_at_and_a_deal_wants_no_space(
    address: str,
) -> None:
    start = to_first_complete()
    ada, game = await at_a_table(address, "spider-1", *start, **DESKTOP)
    page = ada.page
    remove = one_suit_win()[game.at]
    column = actions.source(remove)
    complete = page.locator("[data-in][data-marks~=complete]")
    await expect(page.locator(f'[data-marks~=complete][data-in="t{column}"]')).to_have_count(13)
    await expect(complete).to_have_count(13)
    await page.click("#remove")
    game.apply(remove)
    await ada.sees(game)
    await expect(complete).to_have_count(0)
    await page.locator('[data-in="f0"][data-index="12"]').click()
    await expect(page.locator("#pile-contents")).to_contain_text("K♠ Q♠ J♠ 10♠ 9♠")

    await play_on(ada, game, *one_suit_win()[game.at : FIRST_SPACE])
    spaces = [i for i in range(10) if not game.pile(i).cards]
    assert spaces
    await page.keyboard.press("/")
    await page.keyboard.type("d")
    await page.keyboard.press("Enter")
    await said(ada, f"You can’t deal while column {spaces[0] + 1}")
    await expect(page.locator("[data-highlight]")).to_have_count(len(spaces))


async def test_a_double_click_on_any_card_removes_a_complete_suit(address: str) -> None:
    for index in (-1, -5):
        ada, game = await at_a_table(address, "spider-1", *to_first_complete(), **DESKTOP, **STILL)
        remove = one_suit_win()[game.at]
        cards = game.pile(actions.source(remove)).cards
        card = ada.card(game, actions.source(remove), len(cards) + index)
        await card.dblclick(position={"x": 8, "y": 6})
        game.apply(remove)
        await ada.sees(game)
        await ada.page.context.close()


async def test_a_tap_of_a_finger_plays_the_best_move(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    one = next(a for a in game.legal_actions() if goes_alone(game, a))
    cards = game.pile(actions.source(one)).cards
    card = ada.card(game, actions.source(one), len(cards) - actions.count(one))
    await card.tap(position={"x": 8, "y": 6})
    game.apply(one)
    await ada.sees(game)
    await expect(ada.page.locator("[data-marks~=held]")).to_have_count(0)
    await ada.page.click("#looks")
    await expect(ada.page.locator("#pref-oneTap")).to_be_checked()
    await ada.page.uncheck("#pref-oneTap")
    await ada.page.click("#preferences-done")
    other = next(a for a in game.legal_actions() if goes_alone(game, a))
    cards = game.pile(actions.source(other)).cards
    card = ada.card(game, actions.source(other), len(cards) - actions.count(other))
    await card.tap(position={"x": 8, "y": 6})
    await expect(ada.page.locator("[data-in][data-marks~=held]")).not_to_have_count(0)
    await ada.sees(game)


async def test_a_tap_or_a_double_tap_of_a_finger_removes_a_complete_suit(address: str) -> None:
    for wish in ("auto", "off"):
        ada, game = await at_a_table(address, "spider-1", *to_first_complete(), **PHONE, **STILL)
        await prefer(ada, "oneTap", wish)
        remove = one_suit_win()[game.at]
        column = actions.source(remove)
        cards = game.pile(column).cards
        box = await ada.card(game, column, len(cards) - 4).evaluate(READ_REST)
        await ada.page.touchscreen.tap(box["x"] + 8, box["y"] + 6)
        if wish == "off":  # a finger may hit the next card the second time
            await ada.page.touchscreen.tap(box["x"] + 8, box["y"] + 34)
        game.apply(remove)
        await ada.sees(game)
        await ada.page.context.close()


async def test_help_on_a_phone_is_about_touching_and_folds_the_keys(address: str) -> None:
    bob, _ = await at_a_table(address, "spider-1", **PHONE, **STILL)
    page = bob.page
    await page.tap("#help")
    first = page.locator("#help-dialog section").first
    await expect(first).to_have_id("help-touch")
    await expect(first.locator("li").first).to_contain_text("Tap a card to play its best move")
    await expect(first.locator("li").nth(1)).to_contain_text("glows: tap it to remove it")
    await expect(page.locator("#help-mouse")).to_have_count(0)
    await expect(page.locator("#help-keys")).to_be_hidden()
    await page.tap("#help-dialog summary")
    await expect(page.locator("#help-keys")).to_be_visible()
    assert await complaints(page) == []
    await page.tap("#help-close")
    await prefer(bob, "oneTap", "off")
    await page.tap("#help")
    await expect(first.locator("li").first).to_contain_text("and then a column")

    ada, _ = await at_a_table(address, "spider-1", **DESKTOP, **STILL)
    await ada.page.click("#help")
    await expect(ada.page.locator("#help-mouse")).to_be_visible()
    await expect(ada.page.locator("#help-keys")).to_be_visible()
    await expect(ada.page.locator("#help-touch")).to_have_count(0)


READ_TITLES = """() => ['deal', 'remove', 'undo', 'hint']
  .map((id) => document.getElementById(id).title)"""


def to_an_undo() -> tuple[Action, ...]:
    """The acts of the win after which one can be taken back."""
    game = one_suit_game()
    for number, action in enumerate(one_suit_win()):
        if UNDO in game.legal_actions():
            return one_suit_win()[:number]
        game.apply(action)
    raise AssertionError


async def test_shortcuts_work_on_every_layout_and_titles_name_those_in_use(address: str) -> None:
    ada, game = await at_a_table(address, "spider-1", *to_an_undo(), **DESKTOP, **STILL)
    page = ada.page
    keys = await page.context.new_cdp_session(page)

    async def press(key: str, code: str, modifiers: int = 0) -> None:
        for type_ in ("rawKeyDown", "keyUp"):
            event = {"type": type_, "key": key, "code": code, "modifiers": modifiers}
            await keys.send("Input.dispatchKeyEvent", event)

    control, command, shift = 2, 4, 8
    await page.locator("#looks").focus()  # shortcuts do not need the focus on the board
    for undo, redo in (
        (("z", "KeyZ", control), ("y", "KeyY", control)),
        (("\N{CYRILLIC SMALL LETTER YA}", "KeyZ", control), ("z", "KeyZ", control | shift)),
        (("z", "KeyZ", command), ("z", "KeyZ", command | shift)),
    ):
        for key, act in ((undo, UNDO), (redo, REDO)):
            await press(*key)
            game.apply(act)
            await ada.sees(game)
    modern = ["Deal (D)", "Remove suit (R)", "Undo (Z)", "Hint (H)"]
    assert await page.evaluate(READ_TITLES) == modern
    await prefer(ada, "keys", "classic")
    classic = ["Deal (F9)", "Remove suit (F3)", "Undo (Z)", "Hint"]
    assert await page.evaluate(READ_TITLES) == classic


# A press that ends at once, but its end comes late: the browser was busy in between.
LATE_END = """async (card) => {
  const {x, y} = card.getBoundingClientRect();
  const how = {pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true,
    clientX: x + 8, clientY: y + 6};
  const [down, up] = ['pointerdown', 'pointerup'].map((type) => new PointerEvent(type, how));
  card.dispatchEvent(down);
  await new Promise((resolve) => setTimeout(resolve, 700));
  card.dispatchEvent(up);
}"""


async def test_a_short_press_is_a_click_however_late_its_end_comes(address: str) -> None:
    """Regression: it was taken for a long one on a busy device, and the move was lost."""
    ada, game = await at_a_table(address, "spider-1", **DESKTOP, **STILL)
    card = ada.end(game, 0)
    await card.hover(position={"x": 8, "y": 6})
    await card.evaluate(LATE_END)
    await expect(card).to_have_attribute("data-marks", re.compile("chosen|held"))
    await expect(ada.page.locator("#pile-contents")).to_be_hidden()


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_the_help_begins_with_the_game_that_is_played(
    address: str, how: dict[str, Any]
) -> None:
    ada, _ = await at_a_table(address, "spider-1", **how)
    await ada.page.click("#help")
    lesson = ada.page.locator("#help-dialog .lesson")
    await expect(lesson).to_be_visible()
    assert await ada.page.evaluate(
        """() => document.querySelector('.lesson').compareDocumentPosition(
          document.querySelector('#help-keys')) & Node.DOCUMENT_POSITION_FOLLOWING"""
    )
    little, _ = await at_a_table(address, "little-spider", **how)
    await little.page.click("#help")
    words = little.page.locator("#help-dialog")
    await expect(words).to_contain_text("two down from the king")
    await expect(words.locator(".lesson")).to_have_count(0)
    for spider in ("Suits removed", "suit glows", "folded run"):
        await expect(words).not_to_contain_text(spider)


async def test_exceptions_are_explained_at_the_table(address: str) -> None:
    ada, *_ = await start_race(address, "Ada", "Bob", exceptions="easy", game="spider-2")
    person = await at_a_page(ada, **PHONE)
    await person.on("race")
    await person.page.click("#figures button:has(#exceptions)")
    await said(person, "a run of mixed suits")
    await person.page.click("#help")
    await expect(person.page.locator("#help-exceptions")).to_contain_text(
        "everyone sees the count"
    )


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_a_phone_shows_place_and_score_where_hints_are_counted(
    address: str, locale: str
) -> None:
    ada, *_ = await start_race(address, "Ada", "Bob", hints=True, game="spider-2")
    person = await at_a_page(ada, **PHONE, locale=locale)
    await person.on("race")
    figures = await person.page.locator("#figures").bounding_box()
    assert figures is not None
    for name in ("#place", "#score", "#hints"):
        await expect(person.page.locator(name)).to_be_visible()
        box = await person.page.locator(name).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= figures["y"] + figures["height"] + 1, name
