"""The table's answers beyond the moves themselves: reasons beside the cards, motion, and drama."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect
from spider_race_client import Race

from protocol import from_client
from protocol.views import Standing
from server.games import actions
from server.games.game import Game
from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PATIENCE_MS, PHONE, READ_REST, STILL, Person, amiss, serving
from tests.e2e.test_games import start_alone
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.ways import keeps_focus, prefer, record, said, type_move, was_seen
from tests.e2e.wire import (
    at_a_page,
    at_a_table,
    create,
    join,
    play,
    play_on,
    race_on_the_wire,
    start_race,
)
from tests.games.wins import one_suit_game, one_suit_win, to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# What lies under the bubble, and whether it catches a pointer.
READ_BUBBLE = """() => {
  const bubble = document.querySelector('#refusal-bubble');
  const its = bubble.getBoundingClientRect();
  const under = [...document.querySelectorAll('[data-in]')].filter((card) => {
    const box = card.getBoundingClientRect();
    return Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 &&
      Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 1;
  });
  const hit = document.elementFromPoint(its.x + its.width / 2, its.y + its.height / 2);
  return {under: under.length, catches: bubble.contains(hit), of: bubble.dataset.of,
    left: its.left, right: its.right};
}"""

# Records how tall the figure of each second is without its beat.
MEASURE = """(figure) => {
  window.heights = [];
  new MutationObserver(() => {
    const beats = figure.getAnimations();
    for (const beat of beats) beat.cancel();
    window.heights.push(figure.getBoundingClientRect().height);
    for (const beat of beats) beat.play();
  }).observe(figure, {characterData: true, childList: true, subtree: true});
}"""


def wrong_move(game: Game) -> tuple[int, int]:
    """Two columns between which no card may go."""
    ends = [game.pile(column).cards[-1] for column in range(10)]
    return next(
        (a, b) for a in range(10) for b in range(9, -1, -1) if a != b and ends[b] != ends[a] + 1
    )


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_a_refusal_stands_beside_its_column_until_the_next_input(
    address: str, how: dict[str, Any]
) -> None:
    ada, game = await at_a_table(address, "spider-1", **how, **STILL)
    page = ada.page
    bubble = page.locator("#refusal-bubble")
    source, target = wrong_move(game)
    for column in (source, target):
        await ada.end(game, column).click(position={"x": 8, "y": 6})
    await expect(bubble).to_be_visible()
    words = await bubble.text_content()
    await said(ada, words or "?")
    seen = await page.evaluate(READ_BUBBLE)
    assert (seen["under"], seen["catches"], seen["of"]) == (0, False, f"t{target}")
    assert seen["left"] >= 0
    assert seen["right"] <= how["viewport"]["width"]
    await ada.end(game, source).click(position={"x": 8, "y": 6})
    await expect(bubble).to_be_hidden()
    await ada.sees(game)

    await prefer(ada, "reasons", "on-request")
    await ada.end(game, target).click(position={"x": 8, "y": 6})
    await said(ada, "Not possible.")
    await expect(bubble).to_be_hidden()
    await page.keyboard.press("?")
    await expect(bubble).to_be_visible()


# All animations of cards that begin later than at once, as delays in milliseconds.
WATCH_FLIGHTS = """() => {
  window.flights = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    if (this.matches?.('[data-in]'))
      window.flights.push({card: this.dataset.card ?? '', of: this.dataset.in, ...how});
    return animate.call(this, frames, how);
  };
}"""
READ_FLIGHTS = "() => window.flights.splice(0)"


@pytest.mark.parametrize("how", [{}, STILL], ids=["motion", "still"])
async def test_the_deal_and_a_complete_suit_fly_and_block_nothing(
    address: str, how: dict[str, Any]
) -> None:
    ada = await Person.at(address, **DESKTOP, **how)
    page = ada.page
    await page.evaluate(WATCH_FLIGHTS)
    game = await start_alone(ada, "spider-1")
    first = one_suit_win()[0]
    await type_first(ada, game, first)  # while cards are on their way
    dealt = await page.evaluate(READ_FLIGHTS)
    late = [flight for flight in dealt if flight.get("delay")]
    assert (len(late) > 50) == (not how)
    assert all(flight["delay"] + flight["duration"] <= 800 for flight in late)
    start = to_first_complete()
    await play_on(ada, game, *start[1:])
    await page.evaluate(WATCH_FLIGHTS)
    await page.click("#remove")
    game.apply(one_suit_win()[len(start)])
    await ada.sees(game)
    home = [flight for flight in await page.evaluate(READ_FLIGHTS) if flight["of"] == "f0"]
    if how:
        assert home == []
    else:
        assert len(home) == 13
        assert len({flight["delay"] for flight in home}) == 13, "one after another"
        next_delay = {flight["card"]: flight["delay"] for flight in home}
        assert next_delay["AS"] == 0
        assert next_delay["KS"] == max(next_delay.values()) < 600


async def type_first(person: Person, game: Game, action: actions.Action) -> None:
    """Makes a move in writing, as soon as the table is there."""
    await person.page.keyboard.press("/")
    await type_move(person, game, action)


async def test_a_phone_is_felt_at_a_refusal_and_not_by_those_who_do_not_want_it(
    address: str,
) -> None:
    ada, game = await at_a_table(address, "spider-1", **PHONE, **STILL)
    page = ada.page
    await page.evaluate(
        "() => { window.felt = []; navigator.vibrate = (p) => window.felt.push(p); }"
    )
    source, target = wrong_move(game)
    for wanted in (True, False):
        await prefer(ada, "haptics", wanted)
        for column in (source, target):
            await ada.end(game, column).click(position={"x": 8, "y": 6})
        await expect(page.locator("#refusal-bubble")).to_be_visible()
        assert len(await page.evaluate("() => window.felt.splice(0)")) == int(wanted)
        await page.wait_for_timeout(400)  # no double click


# Cards that lie in another order than that of their pile.
READ_DISORDER = """() => [...document.querySelectorAll('[data-in]')]
  .filter(({style, dataset}) => style.zIndex !== dataset.index)
  .map(({dataset}) => [dataset.in, dataset.index])"""
WATCH_DEAL = """() => {
  window.deal = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, how) {
    const animation = animate.call(this, frames, how);
    if (this.matches?.('[data-in]')) window.deal.push(animation);
    return animation;
  };
}"""
READ_DEAL = """async () => {
  const until = performance.now() + 15_000;
  while (window.deal.length < 54 && performance.now() < until)
    await new Promise((resolve) => setTimeout(resolve, 50));
  while (window.deal.some(({playState}) => playState === 'running'))
    await new Promise((resolve) => setTimeout(resolve, 50));
  return window.deal.filter(({playState}) => playState === 'finished').length;
}"""


async def test_a_deal_is_seen_to_its_end_and_leaves_the_cards_in_order(
    ada: Person, address: str
) -> None:
    """The cards are there before the table is: its first size must not cut the deal short."""
    bob = await Person.at(address, **DESKTOP)
    await bob.page.goto(await ada.create("Ada"))
    await bob.join("Bob")
    for person in (ada, bob):
        await person.page.evaluate(WATCH_DEAL)
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    await bob.page.set_viewport_size({"width": 900, "height": 700})
    assert await ada.page.evaluate(READ_DEAL) >= 54
    await bob.page.evaluate(READ_DEAL)
    for person in (ada, bob):
        assert await amiss(person.page, READ_DISORDER) == []


# The sounds and vibrations of a page that has been pressed, by the pitches of each tone.
LISTEN = """() => {
  window.heard = [];
  window.felt = [];
  navigator.vibrate = (pattern) => window.felt.push(String(pattern));
  const {start} = OscillatorNode.prototype;
  const {exponentialRampToValueAtTime: ramp} = AudioParam.prototype;
  AudioParam.prototype.exponentialRampToValueAtTime = function (to, at) {
    if (to > 20) this.glidesTo = to;
    return ramp.call(this, to, at);
  };
  OscillatorNode.prototype.start = function (at) {
    window.heard.push(`${this.frequency.value}>${this.frequency.glidesTo ?? ''}`);
    return start.call(this, at);
  };
}"""
TONES = """(cue) => import('/src/browser/tones.js').then(({TONES}) =>
  TONES[cue].pitch.map((each) => [each].flat()).map(([from, to]) => `${from}>${to ?? ''}`))"""


async def listens(person: Person) -> None:
    """Notes all that a player hears and feels from now on."""
    await person.page.evaluate(LISTEN)
    await person.page.keyboard.press("Shift")  # no browser sounds before a key or a press


async def hears(person: Person, cue: str) -> None:
    """Waits until a player has heard all tones of a cue, in their order."""
    tones = await person.page.evaluate(TONES, cue)
    await person.page.wait_for_function(
        "(tones) => window.heard.join().includes(tones.join())", arg=tones
    )


async def two_on_a_deal(
    address: str, how: dict[str, Any], **settings: object
) -> tuple[Person, Race]:
    """Bob at a page, and Ada on the wire, in a race of a deal whose win is known."""
    ada = await create(address, "Ada", game="spider-1", **settings)
    bob = await Person.at(f"{address}r/{ada.code}", **how)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada)
    await expect(bob.page.locator("#standings li")).to_have_count(2)
    return bob, ada


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_the_lead_is_felt_when_it_is_taken_and_when_it_is_lost(
    address: str, how: dict[str, Any]
) -> None:
    bob, ada = await two_on_a_deal(address, how)
    page = bob.page
    word = page.locator("#lead" if how is DESKTOP else "#lead-line")
    own = page.locator("#standings [data-own]")
    await expect(word).to_be_hidden()
    await page.evaluate(WATCH)
    await listens(bob)
    game = one_suit_game()
    mine = one_suit_win()[:8]
    for action in mine:
        await bob.do(game, action)
    await expect(word).to_be_visible()
    await expect(word).to_contain_text("You lead")
    await expect(word).not_to_have_attribute("data-change", "ahead")  # the first lead is no change
    await play(ada, one_suit_win()[:20])
    await expect(word).to_have_text("Ada leads")
    await expect(word).to_have_attribute("data-change", "behind")
    await expect(own).to_have_attribute("data-behind", "")
    await hears(bob, "behind")
    await page.wait_for_timeout(STILL_MS)
    for action in one_suit_win()[8:40]:
        await bob.do(game, action)
    await expect(word).to_have_attribute("data-change", "ahead")
    await expect(word).to_have_text("You lead")
    await expect(own).to_have_attribute("data-ahead", "")
    await hears(bob, "ahead")
    felt = await page.evaluate("() => window.felt")
    assert felt.count("120") == felt.count("20,40,80") == 1, felt
    shifts = await page.evaluate("() => window.shifts")
    assert not [shift for shift in shifts if not shift["card"] and not shift["asked"]], shifts


async def test_the_suit_of_a_rival_has_its_number_and_the_colour_of_the_player(
    address: str,
) -> None:
    bob, ada = await two_on_a_deal(address, DESKTOP)
    await record(bob, "#banner")
    await record(bob, "#standings [data-suit-home]")
    banner = bob.page.locator("#banner")
    await play(ada, to_first_complete())
    await play(ada, [one_suit_win()[len(to_first_complete())]])
    await was_seen(bob, "#banner", "Ada: 1 of 8 suits")
    await was_seen(bob, "#standings [data-suit-home]", "Ada")
    colour = await bob.page.locator('#standings [data-seat="0"]').get_attribute("data-colour")
    await expect(banner).to_have_attribute("data-colour", colour or "?")
    await expect(banner.locator("[data-part=mark]")).to_have_attribute(
        "data-colour", colour or "?"
    )


# The effects over the table that catch a pointer.
CATCHES = """() => [...document.querySelectorAll('#last-seconds *, #start-beat, #sweep, #sweep *')]
  .filter((each) => {
    const {x, y, width, height} = each.getBoundingClientRect();
    const at = [x + width / 2, y + height / 2].map((n, i) =>
      Math.min(Math.max(n, 1), (i ? innerHeight : innerWidth) - 1));
    return each.contains(document.elementFromPoint(...at));
  })
  .map((each) => each.className)"""

# The countdown as it was last seen, with the distance of its digit from the middle. Then the word
# of the start, and whether it catches a pointer, when it comes.
WATCH_BEAT = """() => {
  new MutationObserver((_, watcher) => {
    const digit = document.querySelector('#digit');
    if (digit) {
      const {offsetTop, offsetHeight} = digit;
      const marks = document.querySelectorAll('#racers [data-part=mark]').length;
      window.countdown = {marks, off: offsetTop + offsetHeight / 2 - innerHeight / 2};
    }
    const word = document.querySelector('#start-beat');
    if (!word) return;
    watcher.disconnect();
    window.beat = {words: word.textContent, catches: (CATCHES)()};
  }).observe(document, {childList: true, subtree: true});
}""".replace("CATCHES", CATCHES)


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_the_last_seconds_grow_tick_and_block_nothing(
    address: str, how: dict[str, Any]
) -> None:
    bob, ada = await two_on_a_deal(address, how)
    page = bob.page
    await page.evaluate(WATCH)
    await listens(bob)
    shown = page.locator("#last-seconds")
    figure = page.locator("#last-seconds [data-part=last-figure]")
    await expect(shown).to_have_attribute("hidden", "")
    await figure.evaluate(MEASURE)
    await page.wait_for_timeout(STILL_MS)
    await ada.command(from_client.End(grace_s=7))
    await expect(figure).to_be_visible()
    assert await page.evaluate(CATCHES) == []
    await hears(bob, "last")
    await page.wait_for_function("() => window.heights.length > 2", timeout=PATIENCE_MS)
    await page.wait_for_timeout(200)  # the beat of a second lasts one frame even without motion
    moving = "(each) => each.getAnimations({subtree: true}).length"
    if how is not DESKTOP:
        assert await shown.evaluate(moving) == 0, "a still form"
    heights = await page.evaluate("() => window.heights")
    assert heights == sorted(set(heights))
    shifts = await page.evaluate("() => window.shifts")
    assert not [shift for shift in shifts if not shift["card"]], shifts
    await bob.on("results")
    await expect(shown).to_have_count(0)
    assert "15" in await page.evaluate("() => window.felt")


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_the_start_has_a_beat_in_the_middle_of_the_page(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    with serving(tmp_path, countdown_ms=2_500) as address:
        bob = await Person.at(address, **how)
        link = await bob.create("Bob")
        ada = await join(address, link, "Ada")
        await ada.ready()
        await listens(bob)
        await bob.page.evaluate(WATCH_BEAT)
        await bob.page.click("#ready")
        await bob.on("race")
        countdown = await bob.page.evaluate("() => window.countdown")
        assert countdown["marks"] == 2
        assert abs(countdown["off"]) < 20
        await hears(bob, "go")
        beat = await bob.page.evaluate("() => window.beat")
        assert beat["words"] == "Go!"
        assert beat["catches"] == []
        await expect(bob.page.locator("#start-beat")).to_have_count(0)
        heard = await bob.page.evaluate("() => window.heard")
        assert heard.count("520>") >= 2, heard
        ada.close()


# The sweep of a win as it comes: its words, its colour, the pointers that it catches, its motion.
WATCH_SWEEP = """() => {
  window.sweep = null;
  new MutationObserver((_, watcher) => {
    const its = document.querySelector('#sweep');
    if (!its) return;
    watcher.disconnect();
    const {position, pointerEvents} = getComputedStyle(its);
    window.sweep = {words: its.textContent, colour: its.dataset.colour, catches: (CATCHES)(),
      position, pointerEvents, moving: its.getAnimations({subtree: true}).length};
  }).observe(document, {childList: true, subtree: true});
}""".replace("CATCHES", CATCHES)


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_a_win_sweeps_over_the_tables_of_the_others(
    address: str, how: dict[str, Any]
) -> None:
    bob, ada = await two_on_a_deal(address, how)
    page = bob.page
    await listens(bob)
    *most, last = one_suit_win()
    await play(ada, most)
    row = page.locator('#standings [data-seat="0"]')
    await expect(row.locator("[data-part=suits]")).to_have_text("7/8")
    await page.evaluate(WATCH)
    await page.evaluate(WATCH_SWEEP)
    await play(ada, [last])
    await page.wait_for_function("() => window.sweep")
    seen = await page.evaluate("() => window.sweep")
    assert seen["words"] == "Ada wins!"
    assert seen["colour"] == await row.get_attribute("data-colour")
    assert (seen["position"], seen["pointerEvents"]) == ("fixed", "none")
    assert seen["catches"] == []
    assert (seen["moving"] > 0) == (how is DESKTOP)
    await hears(bob, "other")
    await bob.do(one_suit_game(), one_suit_win()[0])  # nothing is blocked
    await expect(page.locator("#sweep")).to_have_count(0)
    shifts = await page.evaluate("() => window.shifts")
    assert not [shift for shift in shifts if not shift["card"] and not shift["asked"]], shifts


# Two players who finish at the same moment would tie, so the last act of one comes later.
LAST_ACT = "(ms) => void setTimeout(() => document.querySelector('#remove').click(), ms)"


async def test_a_photo_finish_says_by_how_much_to_both_players(address: str) -> None:
    players = await start_race(address, "Ada", "Bob", "Cleo", game="spider-1")
    *most, _ = one_suit_win()
    for player in players[:2]:
        await play(player, most)
    ada, bob = [await at_a_page(player, **DESKTOP) for player in players[:2]]
    for person in (ada, bob):
        await expect(person.page.locator("#remove")).to_be_enabled()
        await expect(person.page.locator("#standings li")).to_have_count(3)
        await listens(person)
        await record(person, "#banner")
    await asyncio.gather(ada.page.evaluate(LAST_ACT, 0), bob.page.evaluate(LAST_ACT, 200))
    standings = (await players[2].wait_until(lambda race: both_home(race.standings))) or ()
    first, second = (ada, bob) if standings[0].name == "Ada" else (bob, ada)
    await was_seen(first, "#banner", f"s before {standings[1].name}")
    await was_seen(second, "#banner", f"s behind {standings[0].name}")
    for person in (first, second):
        await was_seen(person, "#banner", "Photo finish: ")
        await hears(person, "photo")
    await players[2].forfeit()
    for person, words in ((first, "before"), (second, "behind")):
        await person.on("results")
        await expect(person.page.locator("#margin")).to_contain_text("Photo finish: ")
        await expect(person.page.locator("#margin")).to_contain_text(f"s {words} ")


def both_home(standings: Sequence[Standing]) -> Sequence[Standing] | None:
    """The standings, best first, when two players are home."""
    return standings if sum(each.won for each in standings) == 2 else None


# The steps of the podium in the order in which they rise, and whether they move.
READ_PODIUM = """() => [...document.querySelectorAll('#podium li')].map((each) => {
  const [animation] = each.getAnimations();
  const frames = animation?.effect.getKeyframes() ?? [];
  const begins = frames.findLast(({opacity}) => opacity === '0')?.offset ?? null;
  return [Number(each.dataset.place), begins];
})"""


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_the_podium_rises_from_the_third_place_to_the_first(
    address: str, how: dict[str, Any]
) -> None:
    ada, second, cleo = await start_race(address, "Ada", "Bob", "Cleo", game="spider-1")
    await play(ada, one_suit_win())
    await play(second, one_suit_win())
    bob = await at_a_page(second, **how)
    await bob.on("race")
    await listens(bob)
    await play(cleo, one_suit_win())
    await bob.on("results")
    await expect(bob.page.locator("#podium li")).to_have_count(3)
    steps = dict(await bob.page.evaluate(READ_PODIUM))
    if how is DESKTOP:
        assert steps[3] < steps[2] < steps[1], steps
    else:
        assert steps == {1: None, 2: None, 3: None}
    await hears(bob, "over")


@pytest.mark.parametrize("how", [DESKTOP, {**PHONE, **STILL}], ids=["desk", "phone still"])
async def test_a_reaction_is_shown_and_heard_at_the_row_of_its_sender(
    address: str, how: dict[str, Any]
) -> None:
    bob, ada = await two_on_a_deal(address, how)
    page = bob.page
    has_all = how is DESKTOP
    await expect(page.locator("#react")).to_be_visible(visible=not has_all)
    await listens(bob)
    await record(bob, "#standings [data-own] [data-part=emote]")
    await record(bob, '#standings [data-seat="0"] [data-part=emote]')
    await page.evaluate(WATCH)
    if not has_all:
        await page.click("#react")
    assert await complaints(page, tags=WCAG) == []
    await page.click("[data-reaction=wow]")
    await was_seen(bob, "#standings [data-own] [data-part=emote]", "Wow!")
    await keeps_focus(bob)
    assert await page.evaluate("() => window.heard") == [], "the own one makes no sound"
    await ada.emote("oops")
    await was_seen(bob, '#standings [data-seat="0"] [data-part=emote]', "Oops!")
    await hears(bob, "react")
    await page.wait_for_timeout(STILL_MS)
    shifts = await page.evaluate("() => window.shifts")
    assert not [shift for shift in shifts if not shift["card"] and not shift["asked"]], shifts

    await page.click("#chat-toggle")
    await page.click("#chat-mute summary")
    await page.click("#chat-mute button")
    await page.click("#chat-close")
    await expect(page.locator("#standings [data-part=emote]")).to_have_count(0)
    await page.evaluate("() => window.heard.splice(0)")
    await ada.emote("hurry")
    await ada.say("Do you see me?")
    await expect(page.locator("#chat-log p")).to_have_count(4)
    assert await page.locator('#standings [data-seat="0"] [data-part=emote]').count() == 0
    assert await page.evaluate("() => window.heard") == []

    for _ in range(20):  # more than anybody may say
        if not has_all:
            await page.click("#react")
        await page.click("[data-reaction=thanks]")
    await said(bob, "Slow down a moment.")


# The degrees at which the carried cards lie now.
READ_TILT = """() => {
  const {transform} = getComputedStyle(document.querySelector('[data-part=lift]'));
  const {a, b} = new DOMMatrix(transform);
  return Math.atan2(b, a) * 180 / Math.PI;
}"""


@pytest.mark.parametrize("how", [{}, STILL], ids=["motion", "still"])
async def test_dragged_cards_tilt_with_their_speed_and_lie_straight_when_they_stand(
    address: str, how: dict[str, Any]
) -> None:
    ada, game = await at_a_table(address, "spider-1", **DESKTOP, **how)
    page = ada.page
    start = await ada.end(game, 0).evaluate(READ_REST)
    x, y = start["x"] + 20, start["y"] + 40
    await page.mouse.move(x, y)
    await page.mouse.down()
    tilts = []
    for step in range(12):
        await page.mouse.move(x + 90 * (step + 1), y + 10)
        tilts.append(await page.evaluate(READ_TILT))
    if how:
        assert set(tilts) == {0}
    else:
        assert 0.1 < max(tilts) <= 3
        await page.wait_for_function(f"() => ({READ_TILT})() === 0")
    box = await page.locator("[data-part=lift]").bounding_box()
    assert box is not None
    assert round(box["x"] - start["x"]) == 1080  # it is where the pointer has carried it
    await page.keyboard.press("Escape")
    await page.mouse.up()
    await ada.sees(game)
