"""The host's form: what was not chosen follows what was."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.wire import join, play, with_settings
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_a_numbered_deal_is_laid_out_as_in_pysolfc_unless_the_host_says_other(
    ada: Person,
) -> None:
    await ada.create("Ada", rules_open=True)
    layout, rules = ada.page.locator("#set-layout"), ada.page.locator("#rules")
    await ada.page.select_option("#set-deal", "numbered")
    await expect(layout).to_have_value("spread")
    await expect(rules).to_contain_text("of PySolFC, laid out as it is there")
    await layout.select_option("left4")
    await expect(rules).to_contain_text("extra cards on other columns than there")
    await ada.page.fill("#set-number", "24")
    await ada.page.check("#set-hints")
    await expect(rules).to_contain_text("deal number 24 of PySolFC, but")
    await expect(layout).to_have_value("left4")
    await layout.select_option("spread")
    await expect(rules).to_contain_text("laid out as it is there")
    await ada.page.select_option("#set-deal", "secret")
    await expect(rules).to_contain_text("Columns 1, 4, 7 and 10 get one more card")
    await expect(layout).to_have_value("spread")
    await ada.takes_preset("friends")
    await expect(layout).to_have_value("left4")
    await ada.page.select_option("#set-deal", "numbered")
    await expect(layout).to_have_value("spread")
    await expect(ada.page.locator("#settings-problem")).to_be_empty()


async def test_a_form_that_the_host_fills_in_is_not_redrawn(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    link = await ada.create("Ada", rules_open=True)
    seed, deal = ada.page.locator("#set-seed"), ada.page.locator("#set-deal")
    await deal.select_option("seed")
    await ada.page.keyboard.type("0123")
    bob = await join(address, link, "Bob")
    await bob.ready()
    await expect(ada.page.locator("#players")).to_contain_text(re.compile("Bob.*Ready"))
    await expect(seed).to_be_focused()
    await expect(seed).to_have_value("0123")
    await ada.page.check("#set-hints")  # the host may look at other rules meanwhile
    await expect(ada.page.locator("#rules")).to_contain_text("Hints")
    await expect(deal).to_have_value("seed")
    await expect(seed).to_have_value("0123")
    await seed.fill("0123" * 8)
    await seed.blur()
    await with_settings(bob, deal="seed", seed="0123" * 8, hints=True)
    await deal.select_option("secret")
    await expect(seed).to_be_hidden()


async def test_each_game_comes_with_its_usual_score(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    await ada.create("Ada", rules_open=True)
    game, score = ada.page.locator("#set-game"), ada.page.locator("#set-score")
    await game.select_option("little-spider")
    await expect(score).to_have_value("cards")
    await game.select_option("spider-2")
    await expect(score).to_have_value("woods")
    await score.select_option("moves")
    await expect(ada.page.locator("#rules")).to_contain_text("500 points")
    await game.select_option("spiderette-2")
    await expect(game).to_have_value("spiderette-2")
    await expect(ada.page.locator("#rules")).to_contain_text("7 columns")
    await expect(score).to_have_value("moves")
    await expect(ada.page.locator("#settings-problem")).to_be_empty()


async def test_answers_to_earlier_choices_do_not_move_a_host_who_goes_through_a_list(
    address: str, browser: Browser
) -> None:
    def delay(socket: WebSocketRoute) -> None:
        loop = asyncio.get_running_loop()
        server = socket.connect_to_server()

        def receive(message: str | bytes) -> None:
            loop.call_later(0.3, socket.send, message)

        server.on_message(receive)

    context = await browser.new_context(**DESKTOP)
    await context.route_web_socket("**/*", delay)
    ada = await Person.of(context, address)
    await ada.create("Ada", rules_open=True)
    await ada.takes_preset("friends")
    await expect(ada.page.locator("#rules strong")).to_have_text("Friends’ race")
    await ada.page.focus("[name=preset][value=friends]")
    for _ in range(6):
        await ada.page.keyboard.press("ArrowDown")
        await asyncio.sleep(0.1)  # answers come between the keys, later than each of them
    chosen = ada.page.locator("[name=preset]:checked")
    await expect(chosen).to_have_value("serenity-1")
    await expect(ada.page.locator("#rules")).to_contain_text("Serenity, one suit")
    await expect(chosen).to_have_value("serenity-1")


async def test_a_click_hits_its_box_though_the_answer_to_an_earlier_choice_comes_meanwhile(
    ada: Person,
) -> None:
    await ada.create("Ada", rules_open=True)
    page = ada.page
    await page.select_option("#set-deal", "numbered")
    await expect(page.locator("#set-layout")).to_have_value("spread")
    await page.fill("#set-number", "21189")
    await page.keyboard.press("Tab")
    await page.select_option("#set-layout", "left4")
    await expect(page.locator("#changes")).to_contain_text("21189")
    await page.fill("#set-number", "24")  # sent as the box is pressed; the text gets shorter
    hints = page.locator("#set-hints")
    await hints.hover()
    await page.mouse.down()
    await asyncio.sleep(0.3)
    await page.mouse.up()
    await expect(hints).to_be_checked()
    await expect(page.locator("#changes")).to_contain_text("Deal number: 24")
    await expect(page.locator("#rules")).to_contain_text("deal number 24 of PySolFC, but")
    await expect(hints).to_be_checked()


WIDTHS = (320, 390, 820, 1280, 2560)

# What is cut off or sticks out, of the room that is shown. The arrow of a menu takes 20 pixels.
TRUNCATED = """() => {
  const found = [];
  const pen = document.createElement('canvas').getContext('2d');
  for (const each of document.querySelectorAll('.room select')) {
    if (!each.checkVisibility()) continue;
    const style = getComputedStyle(each);
    pen.font = style.font;
    const room = each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    for (const {text} of each.options)
      if (pen.measureText(text).width > room - 20) found.push(`${each.id}: ${text}`);
  }
  for (const each of document.querySelectorAll('.room :is(li, p, label, h2, h3, ul, button)'))
    if (each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth)
      found.push(each.id || each.textContent);
  const {scrollWidth} = document.documentElement;
  return scrollWidth > innerWidth ? [...found, `${scrollWidth} px wide`] : found;
}"""


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
async def test_nothing_in_the_room_is_cut_off_at_any_width(address: str, locale: str) -> None:
    ada = await Person.at(address, **{**DESKTOP, "locale": locale})
    await ada.create("Ada", rules_open=True)
    page = ada.page
    await page.select_option("#set-deal", "numbered")
    await expect(page.locator("#set-layout")).to_have_value("spread")
    await page.select_option("#set-undo", "any")
    await page.select_option("#set-spectate", "boards")
    await page.select_option("#set-after-win-s", "120")
    await expect(page.locator("#set-board-delay-s")).to_be_visible()
    for width in WIDTHS:
        await page.set_viewport_size({"width": width, "height": 800})
        assert await amiss(page, TRUNCATED) == [], width
        edges = await page.eval_on_selector_all(
            "#settings .field:not([hidden]) > :last-child",
            "all => all.map((each) => Math.round(each.getBoundingClientRect().left))",
        )
        assert len(set(edges)) <= 2, width  # the fields stand in columns


async def test_preset_game_and_time_are_in_view_and_the_rest_folds(
    address: str, browser: Browser
) -> None:
    context = await browser.new_context(**PHONE)
    await context.add_init_script("localStorage.setItem('spider-race.rules', '\"folded\"')")
    ada = await Person.of(context, address)
    await ada.create("Ada", rules_open=True)
    page = ada.page
    for first in ("#set-preset", "#set-game", "#set-time-limit-s", "#set-locked"):
        await expect(page.locator(first)).to_be_visible()
    for rest in ("#set-deal", "#set-undo", "#set-after-win-s", "#set-hints"):
        await expect(page.locator(rest)).to_be_hidden()
    await expect(page.locator("#set-max-players")).to_have_value("100")
    await ada.takes_preset("four-suits")  # one tap away
    await expect(page.locator("#gist")).to_have_text(
        "Spider, four suits · 30 min · undo that reveals nothing"
    )
    await page.click("#more-rules summary")
    await expect(page.locator("#set-undo")).to_have_value("no_reveal")
    await expect(page.locator("#set-auto-remove")).to_be_checked()


async def test_everybody_sees_what_the_host_has_changed_beside_ready(ada: Person) -> None:
    """Regression: the players were not ready any more, and nothing said why."""
    link = await ada.create("Ada", rules_open=True)
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    await expect(bob.page.locator("#gist")).to_have_text(
        "Spider, one suit · 15 min · undo that reveals nothing"
    )
    changes, ready = bob.page.locator("#changes"), bob.page.locator("#ready")
    await expect(changes).to_be_empty()
    await bob.page.click("#ready")
    await expect(ready).to_have_text("Cancel ready")
    # What stands beside Ready at the very moment when it asks again.
    await bob.page.evaluate("""() => {
      const ready = document.getElementById('ready');
      new MutationObserver(() => {
        window.said ??= document.getElementById('changes').textContent;
      }).observe(ready, {childList: true, characterData: true, subtree: true});
    }""")
    await ada.page.select_option("#set-time-limit-s", "300")
    await expect(ready).to_have_text("Ready")
    await expect(changes).to_contain_text("changed: Time limit: 5 minutes")
    await expect(changes).to_contain_text("Please press Ready again.")
    assert "Time limit: 5 minutes" in await bob.page.evaluate("window.said")
    await expect(bob.page.locator(".rules-book [data-changed] h3")).to_have_text(["The end"])
    await expect(ada.page.locator(".settings [data-changed]")).to_have_count(1)
    await ada.page.check("#set-hints")
    await expect(changes).to_contain_text("Hints: on")
    await expect(changes).to_contain_text("Time limit: 5 minutes")
    await bob.page.click("#ready")
    await expect(changes).to_be_empty()
    await expect(bob.page.locator(".rules-book [data-changed]")).to_have_count(0)
    await ada.takes_preset("windows")
    await expect(changes).to_contain_text("changed the rules: Windows")
    await expect(ada.page.locator("[name=preset]:checked")).to_have_value("windows")
    # What spectators see is part of no preset.
    await expect(ada.page.locator("#set-spectate")).to_have_value("boards")
    await expect(ada.page.locator("#ready")).to_have_attribute("data-kind", "primary")


async def test_friends_are_awaited_before_a_host_starts_alone(ada: Person) -> None:
    await ada.create("Ada")
    start, ready = ada.page.locator("#start"), ada.page.locator("#ready")
    invite = ada.page.locator("#invite")
    await expect(start).to_have_text("Start alone")
    await expect(start).not_to_have_attribute("data-kind", "primary")
    await expect(ready).not_to_have_attribute("data-kind", "primary")
    await expect(invite).to_have_attribute("data-kind", "primary")
    await expect(invite).to_be_focused()  # so that the keyboard goes on from here
    await ready.click()
    await expect(ready).to_have_text("Cancel ready")
    await expect(start).not_to_have_attribute("data-kind", "primary")


async def test_practice_starts_at_once_and_has_no_limit(unhurried: str) -> None:
    ada = await Person.at(unhurried, **DESKTOP)
    screens = """() => new MutationObserver(() => {
      (window.screens ??= []).push(document.body.dataset.screen);
    }).observe(document.body, {attributeFilter: ['data-screen']})"""
    await ada.page.evaluate(screens)
    await ada.practise()
    assert "countdown" not in await ada.page.evaluate("window.screens")
    await expect(ada.page.locator("#deal")).to_be_enabled()
    await expect(ada.page.locator("#clock")).to_have_text(re.compile("^0:0[1-9]"))
    await expect(ada.page.locator("#time-left")).to_be_empty()


async def test_the_first_win_leaves_the_others_what_the_host_has_set(
    ada: Person, address: str
) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-after-win-s", "120")
    bob = await join(address, link, "Bob")
    await with_settings(bob, after_win_s=120)
    await bob.ready()
    await ada.page.click("#ready")
    await asyncio.gather(ada.on("race"), bob.wait_for_table())
    await play(bob, one_suit_win())
    await expect(ada.page.locator("#status")).to_contain_text("Last two minutes")
    left = ada.page.locator("#time-left")
    await expect(left).to_have_text(re.compile(r"^1:[0-5]\d left"))
