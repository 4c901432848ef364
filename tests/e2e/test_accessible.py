"""Every screen passes the accessibility checker, by day and by night."""

from pprint import pformat
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, given_up
from tests.e2e.wire import join

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

# The policy of the page refuses scripts that its server has not sent.
INJECT = """() => {
  try {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.body.append(script);
  } catch ({name}) {
    return name;
  }
  return window.ran;
}"""
TABLES = [
    *("baize", "lagoon", "midnight", "plum", "claret", "walnut", "slate", "coal"),
    *("fern", "olive", "copper", "ruby", "rose", "violet", "cobalt", "emerald"),
]
LOOKS = [{"table": table, "light": light} for table in TABLES for light in ("light", "dark")]
WEAR = "(looks) => Object.assign(document.documentElement.dataset, looks)"


class Checks:
    """What the checker has found, by screen."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    async def check(self, screen: str, *people: Person, **how: Any) -> None:
        """Check the screen of some people."""
        for number, person in enumerate(people):
            if wrong := await complaints(person.page, **how):
                self.found[f"{screen}, {number}"] = wrong


@pytest.mark.complains("Content Security Policy", "TrustedScript")
async def test_every_screen_passes_the_checker(ada: Person, patient: str, address: str) -> None:
    checks = Checks()
    bob = await Person.at(address, **PHONE, color_scheme="dark")
    page = ada.page
    assert await page.evaluate(INJECT) == "TypeError"

    # The looks that are chosen stay.
    await bob.page.click("#preferences")
    await expect(bob.page.locator("dialog#preferences-dialog")).to_be_visible()
    await checks.check("preferences", bob)
    chosen = {"table": "walnut", "cards": "strong", "light": "dark", "indices": "german"}
    for name, value in chosen.items():
        await bob.page.check(f"[name=pref-{name}][value={value}]", force=True)
    await bob.page.uncheck("#pref-muted")
    await bob.page.click("#preferences-done")
    await bob.page.reload()
    for name, value in chosen.items():
        await expect(bob.page.locator("html")).to_have_attribute(f"data-{name}", value)
    await expect(bob.page.locator('link[href="/css/cards-german.css"]')).to_be_attached()
    await checks.check("landing", ada, bob)

    await page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada", rules_open=True)
    await page.select_option("#set-spectate", "boards")
    await page.check("#set-approve")
    await bob.page.goto(link)
    await bob.on("join")
    await checks.check("join", bob)
    await bob.page.fill("#name", "Bob")
    await bob.page.click("#join")
    await bob.on("waiting")
    await checks.check("waiting", bob)
    await page.click("#requests [data-action=admit]")
    await bob.on("room")
    await page.uncheck("#set-approve")
    await page.click("#set-programs")  # they may join
    don = await Person.at(link, **DESKTOP, **STILL, color_scheme="dark")
    await don.on("join")
    await don.watch("Don")
    await bob.opens_rules()
    for each in ("details:has(> #watchers) summary", "#colours summary", ".fairness summary"):
        await page.click(each)
    await expect(page.locator("#watchers [data-action=kick]")).to_be_visible()
    await checks.check("room", ada, bob)
    await ada.invites()
    await checks.check("invitation", ada)
    await page.keyboard.press("Escape")
    await bob.page.click("#ready")
    await page.click("#ready")
    for person in (ada, bob, don):
        await person.on("race")
    await expect(bob.page.locator("#mute")).to_have_attribute("aria-pressed", "true")
    await expect(don.page.locator("#board-grid")).to_be_visible()
    await checks.check("race", ada, bob, don)
    await page.click("#help")
    await expect(page.locator("dialog[open]")).to_be_visible()
    await checks.check("help", ada)
    await page.keyboard.press("Escape")
    await page.click("#chat-toggle")
    await expect(page.locator("#chat-line")).to_be_visible()
    await checks.check("chat", ada)
    await page.click("#chat-close")
    await page.click("#forfeit")
    await checks.check("question", ada)
    await page.click("#ask-yes")
    await expect(page.locator("#game-over")).to_be_visible()
    await checks.check("given up", ada)
    await given_up(bob)
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#replay-at")).to_be_visible()
        # At the end of the page the bar at its foot covers no part of a control.
        await person.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    await checks.check("results", ada, bob)
    await page.goto(f"{address}strategy")
    await expect(page.locator("#little-spider")).to_be_visible()
    await checks.check("advice", ada)

    cy = await Person.at(patient, **PHONE, color_scheme="dark")
    await cy.create("Cy", rules_open=True)
    await cy.takes_preset("dos-hard")
    await cy.page.click("#start")
    await cy.on("countdown")
    await checks.check("countdown", cy)
    assert not checks.found, pformat(checks.found, width=200)


@pytest.mark.night  # 128 runs of the checker; the palette's sums are in tests/client/css
async def test_text_can_be_read_on_every_table(ada: Person, address: str) -> None:
    checks, page = Checks(), ada.page

    async def in_all_looks(screen: str) -> None:
        for looks in LOOKS:
            await page.evaluate(WEAR, looks)
            await checks.check(f"{screen} {looks}", ada, tags=["cat.color"])

    await page.click("#preferences")  # which fetches the later tables
    await expect(page.locator('link[href="/css/tables.css"]')).to_be_attached()
    await page.wait_for_load_state("networkidle")
    await page.click("#preferences-done")
    await in_all_looks("landing")
    link = await ada.create("Ada")
    await join(address, link, "Don", role="spectator")
    await in_all_looks("room")
    await page.click("#start")
    await ada.on("race")
    await expect(page.locator("[data-pile]").first).to_be_attached()
    await in_all_looks("race")
    await given_up(ada)
    await expect(page.locator("#replay-at")).to_be_visible()
    await in_all_looks("results")
    assert not checks.found, pformat(checks.found, width=200)
