"""Getting into a room: front page, links, lists, and pages that cannot start."""

import asyncio
import re

import pytest
from playwright.async_api import BrowserContext, Page, expect

from protocol.vocabulary import CODE_LENGTH
from server import version
from tests.e2e.axe import WCAG, accessible, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.ways import record, was_seen
from tests.waiting import until_answer

pytestmark = pytest.mark.browser

NO_CODE = "0" * CODE_LENGTH


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until an element has the focus; some elements appear late."""
    await expect(page.locator(selector).first).to_be_visible()
    await expect(page.locator(selector).first).to_be_enabled()
    for _ in range(60):
        if await page.locator(f"{selector}:focus").count():
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


async def test_a_host_gets_from_the_front_page_to_the_countdown_by_keyboard_alone(
    patient: str,
) -> None:
    ada = await Person.at(patient, **DESKTOP)
    page = ada.page
    await tab_to(page, "[name=game]")
    await page.keyboard.press("ArrowRight")  # from one suit
    await tab_to(page, "#create")
    await page.keyboard.press("Enter")
    await expect(page.locator("#name")).to_be_focused()
    await page.keyboard.type("Ada")
    await page.keyboard.press("Enter")
    await ada.on("room")
    await expect(page.locator("#rules")).to_contain_text("two suits")
    await expect(page.locator("#invite")).to_be_focused()
    await page.keyboard.press("Enter")
    for control in ("#share-link", "#copy"):
        await tab_to(page, control)
    await page.keyboard.press("Escape")
    await tab_to(page, "#change-rules")
    await page.keyboard.press("Enter")
    for control in ("[name=preset]", "#set-public"):
        await tab_to(page, control)
    await page.keyboard.press("Space")
    await expect(page.locator("#set-public")).to_be_checked()
    await tab_to(page, "#start")
    await page.keyboard.press("Enter")
    await ada.on("countdown")
    await tab_to(page, "#abort")
    await page.keyboard.press("Enter")
    await ada.on("room")


async def test_the_foot_of_the_front_page_says_which_version_runs(ada: Person) -> None:
    await expect(ada.page.locator("#version")).to_have_text(f"Spider Race {version()}")


@pytest.mark.complains("404 (Not Found)")
async def test_a_link_the_list_and_the_way_back_lead_to_a_room(ada: Person, address: str) -> None:
    host, front = ada.page, await Person.at(address, **PHONE)
    link = await ada.create("Ada the host", rules_open=True)
    await expect(host.locator("#link-warning")).to_contain_text("only on this computer")

    # A link shows who invites you and to which game, before it asks for a name.
    bob = await Person.at(link, **PHONE)
    await bob.on("join")
    await expect(bob.page.locator("#join-host")).to_contain_text("Ada")
    await bob.join("Bob")
    await expect(host.locator("#players")).to_contain_text("Bob")

    # The list has public rooms, and lets you watch full ones.
    await host.check("#set-public")
    await host.fill("#set-max-players", "2")
    await host.press("#set-max-players", "Enter")
    await expect(bob.page.locator("#players [data-free]")).to_have_count(0)
    page = front.page
    await page.reload()
    row = page.locator("#public li", has_text="Ada the host")
    await row.get_by_role("button", name="Watch").click()
    await front.on("join")
    assert page.url == link
    await page.goto(address)
    await front.gives_name("Cy")
    await page.fill("#code", f" {link} ")
    await page.tap("#join")
    await front.on("join")
    await page.click("#watch")
    await front.on("room")
    await expect(host.locator("#watchers")).to_contain_text("Cy")

    # A player leaves, so a spectator can take the seat.
    await bob.page.click("#leave")
    await bob.on("landing")
    await expect(page.locator("#ready")).to_have_text("Join the race")
    await page.click("#ready")
    await expect(host.locator("#players")).to_contain_text("Cy")

    # The front page leads back to a seat, and to a room that you left.
    await host.goto(address)
    await host.click("#back")
    await ada.on("room")
    await expect(page.locator("#players [data-seat]")).to_have_count(2)
    await host.click("#leave")
    await ada.on("landing")
    await expect(page.locator("#status")).to_contain_text("Ada the host left.")
    await host.click("#back")
    await ada.on("join")
    assert host.url == link

    # Unknown addresses have a page that leads home.
    for path in ("nonexistent", "r/abc", f"r/{NO_CODE}"):
        answer = await page.goto(f"{address}{path}")
        assert answer is not None
        assert answer.status == 404
        await front.on("missing")
        title = "This room is closed" if path.endswith(NO_CODE) else "There is nothing here"
        await expect(page.locator("h1:visible")).to_have_text(title)
        await page.click("#front")
        await front.on("landing")


# Whether the clock has ever gone back.
WENT_BACK = """() => {
  const times = window.seen['#clock'].map((text) => Number(text.replace(':', '')));
  return times.some((time, at) => time < times[at - 1]);
}"""


async def test_a_newcomer_reads_the_lesson_and_the_strategy_before_and_in_a_practice_game(
    address: str,
) -> None:
    ada = await Person.at(address, **PHONE, novice=True)
    page = ada.page
    await page.locator("#lesson").scroll_into_view_if_needed()
    await expect(page.locator("#lesson figure")).to_have_count(3)

    # The strategy has its own page, with links to its sections.
    await page.click("#tips")
    await ada.on("strategy")
    await expect(page).to_have_title(re.compile("^Tips & strategy"))
    await page.click("[data-part=contents] a >> text=Little Spider")
    await expect(page.locator("#little-spider")).to_be_in_viewport()
    await expect(page).to_have_url(re.compile("/strategy#little-spider$"))
    await page.go_back()
    await page.go_back()
    await ada.on("landing")

    # Practice starts at once, with the lesson. The clock starts when the lesson is closed.
    await page.tap("#practice")
    await ada.on("race")
    dialog = page.locator("#lesson-dialog")
    await expect(dialog.locator("figure")).to_have_count(3)
    await record(ada, "#clock")
    await was_seen(ada, "#clock", "0:02")
    await page.tap("#lesson-close")
    await expect(dialog).to_have_count(0)
    await page.wait_for_function(WENT_BACK)

    # The strategy opens over the race, at the section of this game.
    where = page.url
    await page.focus("#board")
    await page.keyboard.press("?")
    await expect(page.locator("#help-dialog figure")).to_have_count(3)
    await page.click("#help-tips")
    heading = page.locator("#strategy-dialog #spider")
    await expect(heading).to_be_focused()
    await expect(heading).to_be_in_viewport()
    await expect(page.locator("#help-dialog")).to_have_count(0)
    assert page.url == where
    await page.keyboard.press("Escape")
    await expect(page.locator("dialog[open]")).to_have_count(0)
    await expect(page.locator("#board")).to_be_focused()
    await page.goto(address)
    await page.tap("#practice")
    await ada.on("race")
    await expect(page.locator("#deal")).to_be_enabled()
    await expect(dialog).to_have_count(0)


LACKS = {
    "a method of lists": "delete Array.prototype.toSorted",
    "mixed colours": "CSS.supports = () => false",
    "a part of regular expressions": """window.RegExp = new Proxy(RegExp, {
      construct: (made, [source, ...rest]) => {
        if (source.includes('?<=')) throw new SyntaxError('invalid group');
        return new made(source, ...rest);
      }})""",
}
KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const caches_ = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const keys = await Promise.all(caches_.map((each) => each.keys()));
  return keys.flat().map(({url}) => new URL(url).pathname);
}"""


@pytest.mark.complains("ERR_FAILED", "ERR_INTERNET")
async def test_a_page_that_cannot_start_says_why_and_starts_when_it_can(address: str) -> None:
    # The browser is too old, or its scripts are switched off.
    eve = await Person.at(address, **DESKTOP, java_script_enabled=False)
    text = await eve.page.locator("noscript").inner_text()
    assert "Please switch it on" in text
    assert "Bitte schalte es ein" in text
    for lacking in LACKS.values():
        old = await Person.at(address, script=lacking, **PHONE)
        said = old.page.locator(".old-browser")
        await expect(said).to_contain_text("too old")
        await expect(said.locator("[lang=de]")).to_contain_text("zu alt")
        await expect(old.page.locator("body > :not(.old-browser):visible")).to_have_count(0)

    # If a file fails once, the page reloads itself; if it keeps failing, the player may.
    async def losing(files: str, *, times: int | None = None) -> Person:
        async def prepare(browser: BrowserContext) -> None:
            await browser.route(files, lambda route: route.abort(), times=times)

        return await Person.at(address, **PHONE, prepare=prepare)

    person = await losing("**/src/main.js", times=1)
    await expect(person.page.locator("#create")).to_be_visible(timeout=60_000)
    # The page asks after its last retry, or after ten seconds without the retry script.
    lost = {
        "**/src/page/frame.js": "[data-asks]",
        "**/src/strings/**": "[data-asks]",
        "**/src/**": ":not([data-asks])",
    }
    people = await asyncio.gather(*map(losing, lost))
    for person, mark in zip(people, lost.values(), strict=True):
        asked = person.page.locator(f"#not-started{mark}")
        await expect(asked).to_be_visible(timeout=120_000)
        await expect(asked).to_contain_text("couldn’t be loaded")
        assert await complaints(person.page, tags=WCAG) == []
        await person.page.context.unroute_all()
        await person.page.get_by_role("button", name="Try again").click()
        await expect(person.page.locator("#create")).to_be_visible()
        await expect(asked).to_be_hidden()
    bare = await losing("**/css/**")  # like a server below a path
    await expect(bare.page.locator("#create")).to_be_visible()
    await expect(bare.page.locator(".old-browser")).to_be_hidden()

    # The only cached page is the one for a lost network.
    ada = await Person.at(address, **DESKTOP, service_workers="allow")
    page = ada.page
    await expect(page.locator(".old-browser")).to_be_hidden()
    await page.click("#create")
    assert await page.evaluate(KEPT) == ["/offline.html"]
    await page.context.set_offline(True)

    async def title() -> str:
        await page.goto(f"{address}strategy")
        return "".join(await page.locator("h1:visible").all_inner_texts())

    # A service worker that is just starting may still reach the network.
    await until_answer(title, lambda text: text == "You’re offline")
    await expect(page.locator("p:visible")).to_contain_text("your place is kept")
    await accessible(page)
    await page.context.set_offline(False)  # the page comes back on its own
    await ada.on("strategy")
