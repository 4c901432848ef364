"""The way into a race: the front page, the link, the room."""

import asyncio
import re

import pytest
from playwright.async_api import Browser, Page, Route, WebSocketRoute, expect

from protocol.vocabulary import MAX_SEATS
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss, routed
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import create, join

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until something has the focus, once it can have it: some parts come late."""
    await expect(page.locator(selector).first).to_be_visible()
    await expect(page.locator(selector).first).to_be_enabled()
    for _ in range(60):
        if await page.locator(f"{selector}:focus").count():
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


async def test_from_the_front_page_to_the_countdown_by_keyboard_alone(patient: str) -> None:
    ada = await Person.at(patient, **DESKTOP)
    page = ada.page
    await expect(page.locator("#name")).to_be_focused()
    await page.keyboard.type("Ada")
    await tab_to(page, "[name=game]")
    await page.keyboard.press("ArrowRight")  # from one suit
    await tab_to(page, "#create")
    await page.keyboard.press("Enter")
    await ada.on("room")
    await expect(page.locator("#rules")).to_contain_text("two suits")
    await tab_to(page, "#invite")
    await page.keyboard.press("Enter")
    for control in ("#share-link", "#copy"):
        await tab_to(page, control)
    await page.keyboard.press("Escape")
    await tab_to(page, "#change-rules")
    await page.keyboard.press("Enter")
    for control in ("#ready", "#chat-line", "[name=preset]"):
        await tab_to(page, control)
    await tab_to(page, "#set-public")
    await page.keyboard.press("Space")
    await expect(page.locator("#set-public")).to_be_checked()
    await tab_to(page, "#start")
    await page.keyboard.press("Enter")
    await ada.on("countdown")
    await tab_to(page, "#abort")
    await page.keyboard.press("Enter")
    await ada.on("room")


async def test_nothing_can_be_chosen_until_the_page_knows_what_goes_with_what(
    address: str,
) -> None:
    asked, answer = asyncio.Event(), asyncio.Event()

    async def late(route: Route) -> None:
        asked.set()
        await answer.wait()
        await route.continue_()

    ada = await Person.at(address, **DESKTOP)
    await routed(ada.page, "**/api/catalogue", late)
    await ada.create("Ada", rules_open=True)
    await asked.wait()
    game = ada.page.locator("#set-game")
    await expect(game).to_be_disabled()
    answer.set()
    await game.select_option("little-spider")
    await expect(ada.page.locator("#rules")).to_contain_text("Little Spider")
    await expect(ada.page.locator("#settings-problem")).to_be_empty()


async def test_a_listed_room_and_a_pasted_link_lead_to_the_room(ada: Person, address: str) -> None:
    link = await ada.create("Ada the lister", rules_open=True)
    await ada.page.check("#set-public")
    bob = await Person.at(address, **PHONE)
    await bob.page.get_by_role("button", name=re.compile("Ada the lister")).click()
    await bob.on("join")
    assert bob.page.url == link

    await bob.page.goto(address)
    await bob.page.fill("#code", "hello")
    await bob.page.click("#join")
    await expect(bob.page.locator("#problem")).to_contain_text("Enter a room code")
    await bob.page.fill("#code", f" {link} ")
    await bob.page.click("#join")
    await bob.join("Bob")
    assert bob.page.url == link


async def test_the_link_is_copied_or_selected_to_be_copied_by_hand(ada: Person) -> None:
    page = ada.page
    link = await ada.create("Ada")
    await ada.invites()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await record(ada, "#copy")
    await page.click("#copy")
    await was_seen(ada, "#copy", "Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == link

    await page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    await expect(page.locator("#copy")).to_have_text("Copy")
    await record(ada, "#copy")
    await page.click("#copy")
    await was_seen(ada, "#copy", "Copied")
    await expect(page.locator("#copy")).to_have_text("Copy")
    await page.evaluate("document.execCommand = () => false")
    await page.click("#copy")
    await expect(page.locator("#invite-note")).to_contain_text("The link is selected")
    assert await page.evaluate("getSelection().toString()") == link


async def test_who_came_to_watch_may_sit_down_to_play(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.watch("Bob")
    await expect(ada.page.locator("#watchers")).to_contain_text("Bob")
    await expect(bob.page.locator("#ready")).to_have_text("Join the race")
    await bob.page.click("#ready")
    await expect(ada.page.locator("#players")).to_contain_text("Bob")
    await ada.page.click("#ready")
    await bob.on("race")
    await expect(bob.page.locator("#deal")).to_be_enabled()


async def slowly(route: Route) -> None:
    """Load a file later than a sentence of the old screen would be dropped."""
    await asyncio.sleep(1.5)
    await route.continue_()


async def test_a_newcomer_who_acts_or_gives_up_first_is_not_told_what_to_do(
    ada: Person, address: str
) -> None:
    """The sentence waits until the one before it has been read, and came on the results too."""
    page = ada.page
    await page.clock.install()
    for end in ("#deal", "#forfeit"):
        await page.evaluate("localStorage.removeItem('spider-race.moved')")
        await ada.practise()
        await expect(page.locator("#deal")).to_be_enabled()
        await page.click(end)
        if end == "#forfeit":
            await page.click("#ask-yes")
            await ada.on("results")
        else:
            await expect(page.locator("#status")).to_contain_text("Dealt")
        await page.clock.run_for(10_000)
        await expect(page.locator("#status")).not_to_contain_text("Drag cards")
        await page.goto(address)


async def test_a_newcomer_is_told_what_to_do_first(ada: Person) -> None:
    page = ada.page
    await page.click("#create")
    await expect(page.locator("#name-problem")).to_have_text("Please enter your name.")
    await expect(page.locator("#name")).to_be_focused()
    link = await ada.create("Ada")
    await expect(page.locator("#start")).to_have_text("Start alone")
    await page.click("#start")
    await ada.on("race")
    await expect(page.locator("#status")).to_contain_text("Drag cards")

    bob = await Person.at(link, **PHONE)
    await bob.page.route("**/src/race/race.js", slowly)
    await bob.page.fill("#name", "Bob")
    await bob.page.click("#join")
    await bob.on("race")
    await expect(bob.page.locator("#status")).to_contain_text("play in the next one")

    await page.click("#deal")
    await expect(page.locator("#status")).to_contain_text("Dealt")
    await ada.gives_up()
    await ada.on("results")
    await page.click("#again")
    await ada.on("race")
    await expect(page.locator("#clock")).to_have_text(re.compile("^0:(0[6-9]|[1-5])"))
    await expect(page.locator("#status")).to_have_text("Go!")


# The parts of the countdown that are not in the window, or lie on another part or on the chat.
READ_COUNTDOWN = """() => {
  const boxes = ['#racers', '#digit', '#abort', '#chat-toggle'].map((each) =>
    [each, document.querySelector(each).getBoundingClientRect()]);
  const found = [];
  for (const [i, [name, a]] of boxes.entries()) {
    if (a.left < 0 || a.top < 0 || a.right > innerWidth || a.bottom > innerHeight)
      found.push(`${name} outside`);
    for (const [other, b] of boxes.slice(i + 1))
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        found.push(`${name} on ${other}`);
  }
  return found;
}"""


async def test_the_countdown_is_seen_whole_with_twelve_long_names(patient: str) -> None:
    ada = await Person.at(patient, **DESKTOP, **STILL)
    page = ada.page
    link = await ada.create("Ada")
    for n in range(11):
        await (await join(patient, link, f"{n} {'W' * 21}")).ready()
    await page.click("#ready")
    await ada.on("countdown")
    await expect(page.locator("#racers li")).to_have_count(12)
    for width, height in ((568, 320), (844, 390), (320, 568), (390, 844), (1280, 800)):
        await page.set_viewport_size({"width": width, "height": height})
        assert await amiss(page, READ_COUNTDOWN) == [], (width, height)


async def test_a_room_that_was_left_can_be_entered_again_from_the_front_page(
    ada: Person, address: str
) -> None:
    await expect(ada.page.locator("#create")).to_be_visible()
    await expect(ada.page.locator("#back")).to_have_count(0)
    link = await ada.create("Ada")
    await ada.page.goto(address)  # the seat is kept
    await ada.page.click("#back")
    await ada.on("room")
    assert ada.page.url == link
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    # The page of a player alone forgets the room with the seat.
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)
    await ada.page.click("#leave")
    await ada.on("landing")
    await ada.page.click("#back")
    await ada.on("join")
    await ada.page.click("#join")
    await ada.on("room")
    assert ada.page.url == link
    await bob.page.click("#leave")
    await bob.on("landing")
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(1)
    await ada.page.click("#leave")  # nobody is there any more
    await ada.on("landing")
    await expect(ada.page.locator("#back")).to_have_count(0)


# The buttons that the status line covers.
COVERED = """() => {
  const words = document.querySelector('#status').getBoundingClientRect();
  if (!words.width) return ['nothing is said'];
  const buttons = '#ready, #start, #invite, #leave, #preferences, #change-rules';
  return [...document.querySelectorAll(buttons)].filter((each) => {
    const {left, right, top, bottom} = each.getBoundingClientRect();
    return left < words.right && right > words.left && top < words.bottom && bottom > words.top;
  }).map(({id}) => id);
}"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
async def test_words_of_the_page_cover_no_button(address: str, locale: str) -> None:
    ada = await Person.at(address, **STILL, locale=locale)
    link = await ada.create("Ada")
    bob = await join(address, link, "Maximiliane-Friederike")
    await expect(ada.page.locator("#status")).to_contain_text("Maximiliane-Friederike")
    for size in ((320, 640), (390, 844), (844, 390), (820, 1180), (1101, 800), (1280, 800)):
        await ada.page.set_viewport_size({"width": size[0], "height": size[1]})
        assert await amiss(ada.page, COVERED) == [], size
    bob.close()


async def test_who_comes_to_a_full_room_is_told_so(address: str) -> None:
    host = await create(address, "Player 0")
    for n in range(1, MAX_SEATS - 1):
        await join(address, host.code, f"Player {n}")
    ada = await Person.at(f"{address}r/{host.code}", **DESKTOP)
    await ada.on("join")
    await join(address, host.code, "The last one")
    # Soon after, since her page asks every ten seconds whether a seat is left.
    await ada.page.fill("#name", "Ada")
    await ada.page.click("#join")
    await expect(ada.page.locator("#problem")).to_have_text("This room is full.")
    await ada.on("join")
    bob = await Person.at(f"{address}r/{host.code}", **DESKTOP)
    await expect(bob.page.locator("#join-note")).to_have_text("This room is full.")
    await expect(bob.page.locator("#name")).to_be_hidden()


async def test_who_can_join_is_no_rule(ada: Person) -> None:
    link = await ada.create("Ada", rules_open=True)
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    changes = bob.page.locator("#changes")
    await ada.page.check("#set-locked")
    await expect(changes).to_have_text("\u2068Ada\u2069 locked the room")
    await ada.page.check("#set-approve")
    await expect(changes).to_contain_text("locked the room. ")
    await expect(changes).to_contain_text("Newcomers wait for the host")
    await expect(changes).not_to_contain_text("rules")


async def test_a_double_click_on_the_last_ready_starts_the_race(unhurried: str) -> None:
    ada = await Person.at(unhurried, **DESKTOP)
    link = await ada.create("Ada")
    bob = await join(unhurried, link, "Bob")
    await bob.ready()
    await record(ada, "#status")
    await record(ada, "#spoken")
    await ada.page.evaluate(
        """() => {
          const ready = document.querySelector('#ready');
          for (const detail of [1, 1, 2])
            ready.dispatchEvent(new MouseEvent('click', {detail, bubbles: true}));
        }"""
    )
    await ada.on("countdown")
    await bob.wait_until(lambda race: race.room.state == "COUNTDOWN")
    assert sum(seat.state == "READY" for seat in bob.room.seats) == 2
    await was_seen(ada, "#spoken", "start")
    assert "possible" not in str(await ada.page.evaluate("window.seen['#status']"))
    bob.close()


# Ready again, as soon as a change of the rules has taken it back: two presses by a keyboard.
READY_AGAIN = """() => {
  const ready = document.querySelector('#ready');
  const press = () => ready.dispatchEvent(new MouseEvent('click', {detail: 0, bubbles: true}));
  window.pressed = new Promise((resolve) => {
    let texts = 0;
    new MutationObserver(() => {
      if (++texts === 2) resolve(press());
    }).observe(ready, {childList: true, characterData: true, subtree: true});
  });
  press();
}"""


async def test_ready_can_be_pressed_again_as_soon_as_it_was_taken_back(unhurried: str) -> None:
    """Regression: a press within half a second of the first one was taken for a double click."""
    bob = await create(unhurried, "Bob")
    ada = await Person.at(f"{unhurried}r/{bob.code}", **DESKTOP)
    await ada.join("Ada")
    await ada.page.evaluate(READY_AGAIN)
    await expect(ada.page.locator("#ready")).to_have_text("Cancel ready")
    await bob.configure(time_limit_s=300)
    await ada.page.evaluate("window.pressed")
    await expect(ada.page.locator("#ready")).to_have_text("Cancel ready")
    bob.close()


async def test_a_player_who_has_left_is_not_shown_as_ready(ada: Person, address: str) -> None:
    link = await ada.create("Ada")
    bob = await join(address, link, "Bob")
    await bob.ready()
    row = ada.page.locator(f"#players [data-seat='{bob.seat}']")
    await expect(row).to_have_attribute("data-state", "READY")
    bob.close()
    await expect(row).not_to_have_attribute("data-connection", "on")
    await expect(row).to_have_attribute("data-state", "SEATED")
    await expect(row).not_to_contain_text("Ready")


async def test_a_tab_goes_on_when_the_other_tab_has_gone(ada: Person, address: str) -> None:
    link = await ada.create("Ada")
    dialog = ada.page.locator("dialog#ask")
    for leave in ("close", "home"):
        other = await Person.of(ada.page.context, link)
        await other.on("room")
        await expect(dialog).to_be_visible()
        if leave == "close":
            await other.page.close(run_before_unload=True)
        else:
            await other.page.goto(address)
        await expect(dialog).to_be_hidden()
        await expect(ada.page.locator("#connection")).to_have_attribute("data-connection", "on")


async def test_a_player_takes_another_colour_and_everybody_sees_it(
    ada: Person, address: str
) -> None:
    link = await ada.create("Ada")
    await join(address, link, "Bob")
    mark = ada.page.locator('#players [data-seat="0"] [data-part="mark"]')
    await expect(mark).to_have_attribute("data-colour", "blue")
    await ada.page.click("#colours summary")
    await expect(ada.page.locator('#colours [data-colour="red"]').first).to_be_disabled()
    await ada.page.get_by_role("button", name="Gold").click()
    await expect(mark).to_have_attribute("data-colour", "gold")
    await expect(ada.page.get_by_role("button", name="Gold", pressed=True)).to_be_visible()
    cleo = await Person.at(address, **PHONE)
    await cleo.page.goto(link)
    await cleo.join("Cleo")
    seen = cleo.page.locator('#players [data-part="mark"]')
    colours = [await each.get_attribute("data-colour") for each in await seen.all()]
    assert colours == ["gold", "red", "blue"]


async def test_a_start_that_waits_for_a_deal_says_so(address: str, browser: Browser) -> None:
    is_answered = asyncio.Event()

    def hold(socket: WebSocketRoute) -> None:
        """Holds the answer to `ready` back, as a server does that has to find a deal."""
        server = socket.connect_to_server()

        async def pass_on(message: str | bytes) -> None:
            if '"ready"' in str(message):
                await is_answered.wait()
            server.send(message)

        socket.on_message(pass_on)

    context = await browser.new_context(**DESKTOP)
    await context.route_web_socket("**/*", hold)
    ada = await Person.of(context, address)
    await ada.create("Ada")
    bob = await join(address, ada.page.url, "Bob")
    waiting = ada.page.locator("#waiting")
    await expect(waiting).to_contain_text("Bob")
    await ada.page.click("#ready")
    await expect(waiting).to_have_text("Looking for a deal that can be won…")
    await expect(ada.page.locator("#spoken")).to_have_text("Looking for a deal that can be won…")
    await bob.say("Shall we?")
    await expect(waiting).to_have_text("Looking for a deal that can be won…")
    is_answered.set()
    await expect(waiting).to_contain_text("Waiting for Bob")
