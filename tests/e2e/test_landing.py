"""The front page, the pages behind links, and what they say before a name is asked for."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, expect

from protocol.from_client import Kick
from protocol.vocabulary import CODE_LENGTH
from server.http.server_address import lan_address
from tests.e2e.axe import WCAG, accessible, complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, serving
from tests.e2e.wire import create

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

NO_CODE = "0" * CODE_LENGTH
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
COPIED = "() => document.querySelector('#copy').textContent === 'Copied'"
PHONE_SHARES = "navigator.share = async (what) => { window.shared = what; }"


@pytest.mark.complains("Cross-Origin-Opener-Policy")
async def test_the_link_of_a_room_names_an_address_that_friends_can_use(tmp_path: Path) -> None:
    """The host of a party opens `localhost`; friends cannot."""
    lan = lan_address()
    with serving(tmp_path, "--host", "0.0.0.0") as address:  # noqa: S104  # for the local network
        ada = await Person.at(address, **DESKTOP)
        await ada.create("Ada")
        link = await ada.page.locator("#share-link").input_value()
        warning = ada.page.locator(".text-warning")
        if lan is None:
            await expect(warning).to_contain_text("only on this computer")
            return
        port = address.rstrip("/").rpartition(":")[2]
        assert link.startswith(f"http://{lan}:{port}/r/")
        await expect(warning).to_be_hidden()
        bob = await Person.at(link, **PHONE)
        await bob.join("Bob")


async def test_a_link_that_works_on_one_computer_only_says_so(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    await ada.create("Ada")
    await expect(ada.page.locator(".text-warning")).to_contain_text("only on this computer")


@pytest.mark.complains("Cross-Origin-Opener-Policy")
async def test_links_are_copied_without_a_clipboard_and_shared_by_phones(
    tmp_path: Path, browser: Browser
) -> None:
    """On plain HTTP over a local network there is no `navigator.clipboard`."""
    lan = lan_address()
    with serving(tmp_path, "--host", "0.0.0.0") as address:  # noqa: S104  # for the local network
        context, plain = await browser.new_context(**PHONE), address
        await context.add_init_script(PHONE_SHARES)
        if lan is None:
            await context.add_init_script(NO_CLIPBOARD)
        else:
            plain = re.sub(r"//[^:]+", f"//{lan}", address)
        ada = await Person.of(context, plain)
        page = ada.page
        assert await page.evaluate("() => navigator.clipboard === undefined")
        link = await ada.create("Ada")
        await ada.invites()
        await asyncio.gather(page.wait_for_function(COPIED), page.tap("#copy"))
        await page.tap("#invite-close")
        await page.tap("#chat-toggle")
        await page.focus("#chat-line")
        await page.keyboard.press("Control+v")
        await expect(page.locator("#chat-line")).to_have_value(link)
        await page.tap("#chat-close")
        await ada.invites()
        await page.tap("#share")
        shared = await page.wait_for_function("() => window.shared")
        assert await shared.evaluate("({url}) => url") == link


async def test_a_link_shows_who_invites_to_what_before_a_name_is_asked_for(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.on("join")
    page = bob.page
    await expect(page.locator("#join-host")).to_contain_text("Ada")
    await expect(page.locator("#join-facts")).to_contain_text("1 player")
    await expect(page.locator("#join-state")).to_have_text("Waiting for players")
    await accessible(page)
    await ada.page.click("#start")
    await ada.on("race")
    late = await Person.at(link, **DESKTOP)
    state = late.page.locator("#join-state")
    await expect(state).to_contain_text(re.compile(r"Race running 0:\d\d"))
    await expect(late.page.locator("#join-note")).to_contain_text("This race has started")
    before = await state.text_content()
    await expect(state).not_to_have_text(before or "")
    await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    await expect(page.locator("#join-state")).to_contain_text("Race running")


async def test_locked_and_full_rooms_say_so_before_a_name_is_asked_for(ada: Person) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.fill("#set-max-players", "1")
    await ada.page.press("#set-max-players", "Tab")
    bob = await Person.at(link, **DESKTOP)
    await expect(bob.page.locator("#join-note")).to_contain_text("All places are taken")
    await expect(bob.page.locator("#join")).to_be_hidden()
    await expect(bob.page.locator("#watch")).to_be_visible()
    await ada.page.check("#set-locked")
    await expect(bob.page.locator("#join-note")).to_contain_text("Nobody new can join")
    await expect(bob.page.locator("#name")).to_be_hidden()


@pytest.mark.complains("404 (Not Found)")
@pytest.mark.parametrize("path", ["nonexistent", "r/abc", f"r/{NO_CODE}"])
async def test_addresses_that_lead_nowhere_have_a_page_with_a_way_home(
    address: str, path: str
) -> None:
    ada = await Person.at(address, **PHONE)
    answer = await ada.page.goto(f"{address}{path}")
    assert answer is not None
    assert answer.status == 404
    await ada.on("missing")
    title = "This room is closed" if path.endswith(NO_CODE) else "There is nothing here"
    await expect(ada.page.locator("h1:visible")).to_have_text(title)
    await expect(ada.page.locator("#name")).to_have_count(0)
    await accessible(ada.page)
    await ada.page.click("#front")
    await ada.on("landing")


@pytest.mark.complains("404 (Not Found)")
async def test_a_code_without_a_room_is_told_where_it_is_typed(ada: Person) -> None:
    await ada.page.fill("#code", NO_CODE)
    await ada.page.press("#code", "Enter")
    await expect(ada.page.locator("#problem")).to_contain_text("closed")
    await ada.on("landing")
    await expect(ada.page.locator("#code")).to_be_focused()


async def test_the_list_of_open_rooms_says_which_are_full_or_racing(
    ada: Person, address: str
) -> None:
    await ada.create("Ada Full", rules_open=True)
    await ada.page.check("#set-public")
    await ada.page.fill("#set-max-players", "1")
    await ada.page.press("#set-max-players", "Tab")
    bob = await Person.at(address, **DESKTOP)
    row = bob.page.locator("#public li", has_text="Ada Full")
    await expect(row).to_contain_text("full", timeout=20_000)
    await expect(row.locator("button")).to_have_text("Watch")
    await ada.page.click("#leave")
    await expect(row).to_have_count(0, timeout=25_000)


async def test_a_browser_without_scripts_gets_friendly_words(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, java_script_enabled=False)
    text = await ada.page.locator("noscript").inner_text()
    assert "Please switch it on" in text
    assert "Bitte schalte es ein" in text


async def test_practice_begins_at_once_and_shows_how_to_play_once(address: str) -> None:
    ada = await Person.at(address, **PHONE, novice=True)
    page = ada.page
    await expect(page.locator(".page-title p")).to_contain_text("solitaire")
    await page.locator("#lesson").scroll_into_view_if_needed()
    await expect(page.locator("#lesson figure")).to_have_count(3)
    await accessible(page)
    await page.tap("#practice")
    await ada.on("race")
    dialog = page.locator("#lesson-dialog")
    await expect(dialog.locator("figure")).to_have_count(3)
    await accessible(page)
    await page.tap("#lesson-close")
    await expect(dialog).to_have_count(0)
    await page.click("#help")
    await expect(page.locator("#help-dialog .lesson figure")).to_have_count(3)
    await page.goto(address)
    await page.tap("#practice")
    await ada.on("race")
    await expect(page.locator("#deal")).to_be_enabled()
    await expect(dialog).to_have_count(0)


async def test_the_clock_of_practice_begins_after_the_lesson(address: str) -> None:
    ada = await Person.at(address, **PHONE, novice=True)
    page = ada.page
    await page.tap("#practice")
    await expect(page.locator("#lesson-dialog")).to_be_visible()
    await expect(page.locator("#clock")).to_have_text("0:02")
    await page.tap("#lesson-close")
    await expect(page.locator("#clock")).to_have_text("0:00")
    await ada.on("race")
    await expect(page.locator("#deal")).to_be_enabled()


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_practice_has_its_own_card_and_nothing_is_announced(
    address: str, how: dict[str, Any], locale: str
) -> None:
    ada = await Person.at(address, **how, locale=locale)
    await expect(ada.page.locator("#alone #practice")).to_be_visible()
    text = await ada.page.locator("#screen").inner_text()
    assert not re.search("soon|bald|today|des Tages", text, re.IGNORECASE)


async def test_a_typed_name_and_a_code_lead_to_a_seat(ada: Person, address: str) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(address, **PHONE)
    await bob.page.fill("#name", "Bob")
    await bob.page.fill("#code", link)
    await bob.page.tap("#join")
    await bob.on("room")
    await expect(ada.page.locator("#players")).to_contain_text("Bob")
    # A full room is shown first, with the name that is known.
    await ada.opens_rules()
    await ada.page.fill("#set-max-players", "2")
    await ada.page.press("#set-max-players", "Enter")
    await expect(bob.page.locator("#players [data-free]")).to_have_count(0)
    cy = await Person.at(address, **PHONE)
    await cy.page.fill("#name", "Cy")
    await cy.page.fill("#code", link)
    await cy.page.tap("#join")
    await cy.on("join")
    await expect(cy.page.locator("#name")).to_have_value("Cy")


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_the_request_for_a_name_moves_nothing(address: str, how: dict[str, Any]) -> None:
    ada = await Person.at(address, **how)
    ways = ada.page.locator("#create")
    before = await ways.bounding_box()
    await ways.click()
    await expect(ada.page.locator("#name-problem")).to_be_visible()
    assert await ways.bounding_box() == before
    await ada.page.fill("#name", "A")
    await expect(ada.page.locator("#name-problem")).to_be_empty()


async def test_the_pictures_stand_still_where_less_motion_is_wanted(address: str) -> None:
    for motion, playing in (("reduce", 0), ("no-preference", 3)):
        ada = await Person.at(address, **DESKTOP, reduced_motion=motion)
        await ada.page.locator("#lesson").scroll_into_view_if_needed()
        await ada.page.locator(".fairness").first.scroll_into_view_if_needed()
        await expect(ada.page.locator(".lesson-stage[data-playing]")).to_have_count(playing)


async def test_fairness_is_explained_on_the_front_page_and_in_the_room(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    page = ada.page
    await page.locator("#lesson").scroll_into_view_if_needed()
    await page.click("#lesson .fairness summary")
    await expect(page.locator("#lesson .fairness")).to_contain_text("your browser checks")
    await ada.create("Ada", rules_open=True)
    line = page.locator("#room-players .fairness")
    await expect(line).to_contain_text("nobody can change it, not even the owner")
    await page.select_option("#set-deal", "numbered")
    await expect(line).to_be_hidden()


@pytest.mark.parametrize(
    ("locale", "title", "place"),
    [
        ("en-GB", "You’re offline", "your place is kept"),
        ("de-DE", "Du bist offline", "Dein Platz bleibt dir"),
    ],
)
async def test_a_lost_network_has_a_page_and_nothing_else_is_kept(
    address: str, locale: str, title: str, place: str
) -> None:
    ada = await Person.at(address, **DESKTOP, service_workers="allow", locale=locale)
    page = ada.page
    await page.click("#name")
    await page.evaluate("() => navigator.serviceWorker.ready")
    kept = await page.evaluate(
        """async () => {
          const caches_ = await Promise.all((await caches.keys()).map((n) => caches.open(n)));
          const keys = await Promise.all(caches_.map((each) => each.keys()));
          return keys.flat().map(({url}) => new URL(url).pathname);
        }"""
    )
    assert kept == ["/offline.html"]
    ada.expected.append("ERR_INTERNET")
    await page.context.set_offline(True)
    await page.goto(f"{address}strategy")
    await expect(page.locator("h1:visible")).to_have_text(title)
    await expect(page.locator("p:visible")).to_contain_text(place)
    await expect(page.locator("main")).to_have_css("border-radius", "16px")
    assert await complaints(page, tags=WCAG) == []
    await page.context.set_offline(False)
    await page.click("a:visible")
    await ada.on("strategy")


async def test_the_way_back_to_a_running_race_is_the_first_thing(address: str) -> None:
    bob = await create(address, "Bob")
    ada = await Person.at(address, **PHONE)
    page = ada.page
    await page.goto(f"{address}r/{bob.code}")
    await ada.join("Ada")
    await page.click("#ready")
    await bob.ready()
    await ada.on("race")
    await page.go_back()
    await page.click("#ask-yes")
    await ada.on("landing")
    back = page.locator("#back")
    await expect(back).to_have_text("Back to the race")
    assert await page.locator("#screen button").first.get_attribute("id") == "back"
    await accessible(page)
    await back.click()
    await ada.on("race")

    # A race that is over meanwhile is offered as a room.
    await page.go_back()
    await page.click("#ask-yes")
    await ada.on("landing")
    await expect(back).to_have_text("Back to the race")
    await page.goto("about:blank")
    await bob.forfeit()
    await bob.command(Kick(seat=1))
    await bob.wait_for_result()
    await page.goto(address)
    await expect(back).not_to_have_text("Back to the race")
    bob.close()


WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(
  ...list.getEntries().filter(({hadRecentInput}) => !hadRecentInput).map(({value}) => value)
)).observe({type: 'layout-shift', buffered: true});
"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_nothing_moves_while_the_first_pages_come(
    ada: Person, browser: Browser, address: str, how: dict[str, Any], locale: str
) -> None:
    link = await ada.create("Ada")
    for page in (address, link):
        context = await browser.new_context(**how, locale=locale)
        await context.add_init_script(WATCH_SHIFTS)
        bob = await Person.of(context, page)
        await expect(bob.page.locator("#create, #join-host").first).to_be_visible()
        await bob.page.wait_for_timeout(700)
        assert await bob.page.evaluate("() => window.shifts") == []


# The cards of the tables, as text that changes with every act.
READ_TABLES = """() => [...document.querySelectorAll('.living-table')].map(
  (table) => [...table.children].map(({dataset, style}) => dataset.card + style.cssText).join())"""
# Controls that the race that plays itself reaches.
REACHED = """() => {
  const cards = [...document.querySelectorAll('.living .card')].filter((each) => each.offsetParent)
    .map((each) => each.getBoundingClientRect());
  const controls = document.querySelectorAll('a, button, input, select, summary');
  return [...controls].filter((each) => {
    const its = each.getBoundingClientRect();
    return its.width && cards.some(({left, right, top, bottom}) =>
      left < its.right && its.left < right && top < its.bottom && its.top < bottom);
  }).map(({id}) => id);
}"""
SIZES = [(1280, 800), (390, 844), (820, 1180), (1920, 1080)]


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_a_race_plays_itself_above_the_title_and_no_control_is_over_it(
    address: str, width: int, height: int
) -> None:
    ada = await Person.at(address, viewport={"width": width, "height": height})
    page = ada.page
    await expect(page.locator(".living-table")).to_have_count(2)
    before = await page.evaluate(READ_TABLES)
    await page.wait_for_function(
        f"(before) => ({READ_TABLES})().every((now, at) => now !== before[at])", arg=before
    )
    assert await page.evaluate(REACHED) == []
    await expect(page.locator("[aria-hidden=true] > .living")).to_have_count(1)
    await expect(page.locator(".living :is(a, button, input, [tabindex])")).to_have_count(0)
    await accessible(page)
    await ada.create("Ada")
    await expect(page.locator(".living")).to_have_count(0)


async def test_the_race_of_the_front_page_stands_still_where_less_motion_is_wanted(
    address: str,
) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await expect(page.locator(".living-table")).to_have_count(2)
    before = await page.evaluate(READ_TABLES)
    await page.wait_for_timeout(2_500)
    assert await page.evaluate(READ_TABLES) == before
