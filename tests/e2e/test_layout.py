"""Every screen with the longest words and names, at sizes from a phone to a wall.

Nothing is wider than the window, cut off or covered, and fingers can hit every control. Each
screen passes the accessibility checker, in light, dark and forced colours. `make test` checks
the sizes with the least space: narrow, low, and a desk.
"""

from collections.abc import Sequence
from pprint import pformat
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import COLOURS, complaints
from tests.e2e.pages import DESKTOP, WAIT_FOR_FRAME, Person, amiss
from tests.e2e.wire import at_a_page, create, join, play, start_race
from tests.games.wins import one_suit_win, to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(1800)]

Size = tuple[int, int]
LEAST: tuple[Size, ...] = ((320, 568), (844, 390), (1280, 800))
LOW = 300
"""Below this height, buttons may scroll out of view."""
DESK = LEAST[-1]
ALL: tuple[Size, ...] = (
    *((568, 320), (667, 375), (360, 780), (390, 844), (430, 932), (600, 800), (699, 800)),
    *((700, 800), (768, 1024), (820, 1180), (900, 800), (1000, 800), (1101, 800), (1240, 800)),
    *((1366, 800), (1500, 800), (1920, 1080), (2560, 1440)),
)
SWEEPS = [
    pytest.param("de-DE", LEAST, id="de"),
    # Twenty sizes in two languages take minutes.
    pytest.param("de-DE", ALL, marks=pytest.mark.night, id="de-all"),
    pytest.param("en-GB", (*LEAST, *ALL), marks=pytest.mark.night, id="en-all"),
]
LONG = "W" * 24
NAMES = ("Maximiliane-Friederike", LONG, "\u05d3\u05e0\u05d4", *(f"Gast {n}" for n in range(7)))

# Stores a row for "Your races".
KEEP = """(rows) => localStorage.setItem(
  'spider-race.history', JSON.stringify(rows.map((row) => [...row, null])))"""

# Faults of a screen. The buttons `always` must stay in the window, however it scrolls.
READ = """([width, always]) => {
  const found = [];
  const root = document.documentElement;
  const report = (each, what) => found.push(
    `${each.tagName}#${each.id}.${each.className} "${each.textContent.slice(0, 30)}" ${what}`);
  const seen = (each) => each.checkVisibility({visibilityProperty: true, opacityProperty: true});
  const apart = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 1
    || Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 1;

  if (root.scrollWidth > width || innerWidth > width) found.push(`${root.scrollWidth} px wide`);
  const scrolls = (each) => each && each !== document.body && each !== root
    && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
  for (const each of document.querySelectorAll('body *')) {
    const {left, right} = each.getBoundingClientRect();
    if (left >= -1 && right <= width + 1 || !seen(each)) continue;
    if (getComputedStyle(each).clipPath !== 'none' || scrolls(each.parentElement)) continue;
    report(each, `reaches from ${left} to ${right}`);
  }

  // Words that are cut off, but for names, which are shortened where there is no room.
  const top = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
  const worded = 'button, label, legend, summary, p, h1, h2, h3, figcaption';
  for (const each of top.querySelectorAll(worded)) {
    const style = getComputedStyle(each);
    if (!each.clientWidth || !seen(each) || style.clipPath !== 'none') continue;
    if (style.textOverflow === 'ellipsis') continue;
    if (each.querySelector('[data-part=name], [type=range]')) continue;
    const {clientWidth, scrollWidth} = each;
    const {left, right} = each.getBoundingClientRect();
    const words = document.createRange();
    words.selectNodeContents(each);
    const lines = [...words.getClientRects()];
    const isOut = lines.some((line) => line.left < left || line.right > right);
    if (scrollWidth > clientWidth + 1 && isOut) // else it is the space after a line that is out
      report(each, `is cut at ${clientWidth} of ${scrollWidth}`);
  }
  const pen = document.createElement('canvas').getContext('2d');
  for (const each of top.querySelectorAll('select')) {
    if (!seen(each) || each.closest('#boards, #table-versus')) continue;
    const style = getComputedStyle(each);
    pen.font = style.font;
    const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    for (const {text} of each.options)  // the arrow of a menu takes 20 pixels
      if (pen.measureText(text).width > room - 20) report(each, `cuts ${text}`);
  }

  // Controls that cannot be hit when they are scrolled to, or are too small for a finger.
  const controls = 'button, a[href], input, select, summary, [role=button]';
  for (const each of top.querySelectorAll(controls)) {
    if (!seen(each) || each.disabled || each.closest('[inert], #board, .miniature')) continue;
    const label = each.closest('label');
    const target = label ?? each;
    target.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    const box = target.getBoundingClientRect();
    if (getComputedStyle(target).clipPath !== 'none' || !box.width) continue;
    if (Math.min(box.width, box.height) < 23.5 && !each.closest('p, dd, li > a, figcaption'))
      report(each, `is ${Math.round(box.width)} x ${Math.round(box.height)}`);
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (hit?.closest('#requests') && !each.closest('#requests')) continue; // it scrolls away
    if (!hit || !(target.contains(hit) || hit.contains(target) && hit.closest('button, a, label')))
      report(each, `lies below ${hit?.id || hit?.className}`);
  }

  for (const part of [0, 0.5, 1]) {
    root.scrollTop = part * root.scrollHeight;
    for (const name of always) {
      const each = document.querySelector(name);
      const {left, right, top, bottom} = each.getBoundingClientRect();
      const inside = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      const hits = [left + 3, (left + right) / 2, right - 3]
        .map((x) => document.elementFromPoint(x, (top + bottom) / 2));
      if (!inside || hits.some((hit) => !each.contains(hit))) report(each, `is hidden at ${part}`);
    }
  }
  root.scrollTop = 0;

  // Parts of the head, the room's table, the countdown or the race that lie on each other.
  const line = document.querySelector('#figures')?.getBoundingClientRect();
  for (const parts of ['#top :is(a, button, h1, p)',
      '#players > li, #table-title, #gist, #change-rules', '#racers, #digit, #abort, #chat-toggle',
      '#race-top :is(#clock, #time-left, [data-part=figure], button), #race-actions button']) {
    const boxes = [...document.querySelectorAll(parts)].filter(seen)
      .map((each) => [each, each.getBoundingClientRect()])
      .filter(([each, box]) => !each.matches('[data-part=figure]') || box.top < line.bottom - 2);
    for (const [i, [each, box]] of boxes.entries())
      for (const [other, its] of boxes.slice(i + 1))
        if (!apart(box, its)) report(each, `lies on ${other.id || other.textContent}`);
  }

  // The table of a race holds its cards, and neither words nor a question below it cover any.
  const board = document.querySelector('#board')?.getBoundingClientRect();
  if (board?.width) {
    const cards = [...document.querySelectorAll('#board :is([data-in], [data-of])')].filter(seen);
    const words = [...document.querySelectorAll('#status, #connection, #game-over')]
      .filter(seen).map((each) => each.getBoundingClientRect());
    for (const card of cards) {
      const box = card.getBoundingClientRect();
      if (box.left < board.left - 1 || box.right > board.right + 1 || box.top < board.top - 1
        || box.bottom > board.bottom + 1) report(card, 'is outside of the table');
      if (words.some((its) => !apart(box, its))) report(card, 'is covered by words');
    }
  }
  return found;
}"""
# Letters as wide as on any system.
WIDEN = "document.documentElement.style.setProperty('--font', 'DejaVu Sans, Verdana, sans-serif')"


class Sweep:
    """Collects faults, by screen and size."""

    def __init__(self, sizes: Sequence[Size]) -> None:
        self.found: dict[tuple[str, Size], list[str]] = {}
        self._sizes = sizes

    async def see(self, screen: str, person: Person, always: Sequence[str] = ()) -> None:
        """Check a screen at all sizes, and its accessibility at the last one in all lights."""
        page = person.page
        await page.evaluate(WIDEN)
        for size in self._sizes:
            await page.set_viewport_size({"width": size[0], "height": size[1]})
            await page.evaluate(WAIT_FOR_FRAME)
            shown = always if size[1] > LOW else ()
            if found := await amiss(page, READ, [size[0], list(shown)]):
                self.found[screen, size] = found[:6]
        # At the end of the page the bar at the foot covers no control.
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        wrong = await complaints(page)
        await page.emulate_media(color_scheme="dark")
        wrong += await complaints(page, tags=COLOURS)
        await page.emulate_media(color_scheme="light", forced_colors="active")
        wrong += await complaints(page, tags=COLOURS)
        await page.emulate_media(forced_colors="none")
        if wrong:
            self.found[screen, size] = wrong


@pytest.mark.parametrize(("locale", "sizes"), SWEEPS)
async def test_no_screen_before_a_race_cuts_covers_or_widens_anything(
    patient: str, locale: str, sizes: Sequence[Size]
) -> None:
    sweep = Sweep(sizes)
    ada = await Person.at(patient, **DESKTOP, locale=locale)
    await before_the_race(sweep, ada, patient)
    assert not sweep.found, pformat(sweep.found, width=160)


@pytest.mark.parametrize(("locale", "sizes"), SWEEPS)
async def test_no_screen_of_a_race_cuts_covers_or_widens_anything(
    address: str, locale: str, sizes: Sequence[Size]
) -> None:
    sweep = Sweep(sizes)
    await in_a_race(sweep, address, {**DESKTOP, "locale": locale})
    assert not sweep.found, pformat(sweep.found, width=160)


async def before_the_race(sweep: Sweep, ada: Person, address: str) -> None:
    """See the front page, the pages in its head, a room of twelve, and the countdown."""
    page = ada.page
    await page.locator("#lesson").scroll_into_view_if_needed()
    await expect(page.locator("#lesson figure")).to_have_count(3)
    await sweep.see("landing", ada)
    other = await create(address, LONG, public=True, spectate="boards")
    await page.reload()
    await expect(page.locator("#public li").first).to_be_visible()
    await page.click("#create")
    await page.fill("#name", LONG)
    await sweep.see("name", ada)
    await page.click("#preferences")
    await expect(page.locator("dialog[open] .preferences-tables label").last).to_be_visible()
    await sweep.see("preferences", ada)
    for table in await page.locator("[name=pref-table]").all():
        await table.check(force=True)
        if wrong := await complaints(page, tags=COLOURS):
            sweep.found[str(await table.get_attribute("value")), DESK] = wrong
    await page.click("#preferences-close")
    await page.goto(f"{address}strategy")
    await expect(page.locator("#little-spider")).to_be_visible()
    await sweep.see("strategy", ada)
    await page.evaluate(
        KEEP, [["A/1", 0, "race", "spider-2", 998, 999, True, 99_999, 9, 9, "/", NAMES]]
    )
    await page.goto(f"{address}yours")
    await ada.on("yours")
    await sweep.see("yours", ada)
    await page.goto(address)
    await expect(page.locator("#create")).to_be_visible()
    await sweep.see("landing again", ada)
    await page.goto(other.link)
    await ada.on("join")
    await sweep.see("join", ada)
    await page.goto(address)

    link = await ada.create("Ada", rules_open=True)
    await sweep.see("room alone", ada, ["#start", "#invite"])
    await page.select_option("#set-deal", "numbered")
    await expect(page.locator("#set-layout")).to_have_value("spread")
    await page.select_option("#set-undo", "any")
    await page.select_option("#set-spectate", "boards")
    await page.select_option("#set-after-win-s", "120")
    await expect(page.locator("#set-board-delay-s")).to_be_visible()
    players = [await join(address, link, name) for name in NAMES]
    await join(address, link, LONG, role="spectator")
    await page.check("#set-approve")
    applicant = await join(address, link, LONG, kind="program")
    await expect(page.locator("#requests")).to_be_visible()
    await expect(page.locator("#players [data-seat]")).to_have_count(1 + len(players))
    await sweep.see("room with rules", ada, ["#ready"])
    applicant.close()
    await page.click("#rules-done")
    await ada.invites()
    await sweep.see("invitation", ada)
    await page.keyboard.press("Escape")
    await page.click("#players [data-seat='1'] [data-action=kick]")
    await sweep.see("question", ada)
    await page.click("#ask-no")
    await players[0].say(LONG * 4)
    for player in players:
        await player.ready()
    await page.click("#ready")
    await ada.on("countdown")
    await expect(page.locator("#racers li")).to_have_count(1 + len(players))
    await sweep.see("countdown", ada)


async def in_a_race(sweep: Sweep, address: str, how: dict[str, Any]) -> None:
    """See a race with every option, the boards of others, the end of a game, and the results."""
    allowed = {"exceptions": "hard", "hints": True, "rounds": 2, "board_delay_s": 0}
    host, *others = await start_race(
        address, LONG, *NAMES[:4], game="spider-1", spectate="boards", **allowed
    )
    await play(host, to_first_complete())
    ada = await at_a_page(host, **how)
    page = ada.page
    await ada.on("race")
    await expect(page.locator("#remove")).to_be_visible()
    await expect(page.locator("#standings [data-own]")).to_be_visible()
    await sweep.see("race", ada)
    await page.click("#help")
    await sweep.see("help", ada)
    await page.keyboard.press("Escape")
    await page.click("#host")
    await sweep.see("host's tools", ada)
    await page.keyboard.press("Escape")
    don = await Person.at(host.link, **how)
    await don.join(LONG, "#watch", "race")
    await expect(don.page.locator("#board-grid [data-size]")).to_have_count(5)
    await sweep.see("wall", don)
    await don.page.context.close()
    await others[0].say(LONG * 4)
    await page.click("#chat-toggle")
    await sweep.see("chat", ada)
    await page.keyboard.press("Escape")
    await play(others[0], one_suit_win())
    await expect(page.locator("#game-over")).to_be_visible()
    await sweep.see("loss", ada)
    for player in others[1:]:
        await player.forfeit()
    await page.click("#game-over-look")
    await ada.gives_up()
    await ada.on("results")
    await page.click("#replay-open")
    await expect(page.locator("#boards")).to_be_visible()
    await expect(page.locator("#match-card")).to_be_visible()
    for player in others:
        await player.rematch()
    await expect(page.locator("#next-steps")).to_be_visible()
    await sweep.see("results", ada, ["#rematch", "#leave", "#chat-toggle"])
    await page.click("#keep")
    await page.click("#view-table")
    await expect(page.locator("#table-races li")).to_have_count(1)
    await sweep.see("table", ada, ["#view-room", "#table-menu", "#table-race"])
    await page.click("#table-menu")
    await sweep.see("menu of the table", ada)
    await page.click("#table-do-members")
    await expect(page.locator("#members-dialog li").first).to_be_visible()
    await sweep.see("members", ada)
    await page.click("#members-close")
    await page.click("#table-menu")
    await page.click("#table-do-carry")
    await expect(page.locator("#carry-dialog")).to_be_visible()
    await sweep.see("seat to carry", ada)
    await page.goto(f"{host.link}/1")
    await ada.on("finished")
    await page.click("#replay-open")
    await expect(page.locator("#boards")).to_be_visible()
    await sweep.see("finished", ada)
    for screen, path in (("ghost", f"g/{host.code}/1/1"), ("days", "days")):
        await page.goto(f"{address}{path}")
        await ada.on(screen)
        await sweep.see(screen, ada)
    await page.context.close()
    await in_a_window(sweep, address, how)


async def in_a_window(sweep: Sweep, address: str, how: dict[str, Any]) -> None:
    """See an open race: before, during and after the player's game."""
    host = await create(address, LONG, game="spider-1", window_s=604_800, spectate="boards")
    await host.start()
    others = [await join(address, host.code, name) for name in NAMES]
    for player in others[:2]:
        await player.chase()
        await player.wait_for_table()
        await play(player, one_suit_win())
    ada = await at_a_page(host, **how)
    await ada.on("race")
    await expect(ada.page.locator("#window-players li")).to_have_count(1 + len(NAMES))
    await sweep.see("window", ada)
    await ada.page.click("#begin")
    await expect(ada.page.locator("#window-count")).to_be_visible()
    await sweep.see("game in a window", ada)
    await ada.gives_up()
    await expect(ada.page.locator("#board-grid [data-size]")).to_have_count(2)
    await sweep.see("end in a window", ada)


# The focused element, if a sticky bar covers its middle.
BELOW_A_BAR = """() => {
  const each = document.activeElement;
  const {left, right, top, bottom} = each.getBoundingClientRect();
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const meets = each.contains(hit) || hit?.closest('label')?.contains(each);
  return [each.id || each.tagName, each === document.body || meets];
}"""


async def test_no_bar_covers_the_focus(address: str) -> None:
    """Regression: Tab went behind the bar of the rules, Shift+Tab behind the head of a dialog."""
    low = await Person.at(address, viewport={"width": 844, "height": 390})
    await low.create("Ada", rules_open=True)
    for key, last, opens in (("Tab", "rules-done", None), ("Shift+Tab", "INPUT", "#preferences")):
        if opens is not None:
            await low.page.click(opens)
            await expect(low.page.locator("#preferences-dialog")).to_be_visible()
        reached = []
        for _ in range(50):
            await low.page.keyboard.press(key)
            name, is_seen = await low.page.evaluate(BELOW_A_BAR)
            assert is_seen, (key, name)
            reached.append(name)
        assert last in reached
