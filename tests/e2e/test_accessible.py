"""Every screen passes the accessibility checker, by day and by night."""

from pprint import pformat

import pytest
from playwright.async_api import expect

from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, given_up

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


class Checks:
    """What the checker has found, by screen."""

    def __init__(self) -> None:
        self.found: dict[str, list[str]] = {}

    async def check(self, screen: str, *people: Person) -> None:
        """Check the screen of some people."""
        for number, person in enumerate(people):
            if wrong := await complaints(person.page):
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
