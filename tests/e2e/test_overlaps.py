"""No control lies on another one, in the lobby, the race, while watching and in the results."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, STILL, Person, amiss
from tests.e2e.screenshots import HOLD_BANNER
from tests.e2e.test_sizes import SIZES, resize
from tests.e2e.wire import create, join, race_on_the_wire

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

LONG = "W" * 24

# The pairs of controls of which one lies on the other. A control below something fixed counts only
# if scrolling to that end of the page does not free it.
READ_OVERLAPS = """(atEnd) => {
  const all = 'button, a[href], input, select, textarea, summary, [role=button], [role=slider]';
  scrollTo(0, atEnd ? document.documentElement.scrollHeight : 0);
  const seen = (each) => {
    let {left, top, right, bottom} = each.getBoundingClientRect();
    let fixed = false;
    for (let at = each; at && at !== document.documentElement; at = at.parentElement) {
      const {position, overflowX, overflowY} = getComputedStyle(at);
      if (at !== each && (overflowX !== 'visible' || overflowY !== 'visible') && !fixed) {
        const box = at.getBoundingClientRect();
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      }
      fixed ||= position === 'fixed' || position === 'sticky';
    }
    [left, top] = [Math.max(left, 0), Math.max(top, 0)];
    [right, bottom] = [Math.min(right, innerWidth), Math.min(bottom, innerHeight)];
    return {each, fixed, left, top, right, bottom, low: (top + bottom) / 2 > innerHeight / 2};
  };
  const top = document.querySelector('dialog[open]') ?? document;
  const controls = [...top.querySelectorAll(all)]
    .filter((each) => each.checkVisibility({opacityProperty: true, visibilityProperty: true})
      && !each.closest('[inert]') && !each.matches('[data-pile], .text-spoken'))
    .map(seen)
    .filter(({left, right, top, bottom}) => right - left > 2 && bottom - top > 2);
  const name = ({each}) => each.id || each.ariaLabel || each.textContent.trim() || each.tagName;
  const found = [];
  for (const [i, a] of controls.entries())
    for (const b of controls.slice(i + 1)) {
      if (a.each.contains(b.each) || b.each.contains(a.each)) continue;
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) <= 1 ||
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) <= 1) continue;
      if (a.fixed !== b.fixed && (a.fixed ? a : b).low !== atEnd) continue;
      found.push(`${name(a)} and ${name(b)}`);
    }
  return found;
}"""


async def none_covered(person: Person, where: str) -> None:
    """Checks all pairs of controls of a page at all sizes."""
    for size in SIZES:
        await resize(person, size)
        for at_end in (False, True):
            found = await amiss(person.page, READ_OVERLAPS, at_end)
            assert found == [], (where, size, "at the end" if at_end else "at the top")
    await person.page.set_viewport_size(DESKTOP["viewport"])


async def with_and_without_chat(person: Person, where: str) -> None:
    """Checks a page while its chat is closed, and while it is open."""
    await none_covered(person, where)
    toggle = person.page.locator("#chat-toggle")
    if not await toggle.is_visible():
        return
    await toggle.click()
    await expect(person.page.locator("#chat-line")).to_be_visible()
    await none_covered(person, f"{where} with the chat")
    if await person.page.locator("#chat-close").is_visible():
        await person.page.click("#chat-close")


@pytest.mark.parametrize("spectate", ["standings", "boards"])
async def test_no_control_lies_on_another(address: str, spectate: str) -> None:
    ada = await create(address, LONG, game="spider-1", spectate=spectate, exceptions="hard")
    others = [await join(address, ada.code, f"{n} {LONG}"[:24]) for n in range(3)]
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP, **STILL)
    await bob.join("Bob")
    await with_and_without_chat(bob, "lobby")
    await race_on_the_wire(bob, ada, *others)
    await expect(bob.page.locator("#standings li")).to_have_count(5)
    await bob.page.evaluate(HOLD_BANNER)
    await others[0].forfeit()
    await expect(bob.page.locator("#banner")).to_be_visible()
    await with_and_without_chat(bob, "race")
    await bob.gives_up()
    shown = "#board-grid [data-size]" if spectate == "boards" else "#track"
    await expect(bob.page.locator(shown).first).to_be_visible()
    await with_and_without_chat(bob, "watching")
    for player in (ada, *others[1:]):
        await player.forfeit()
    await bob.on("results")
    await expect(bob.page.locator("#rematch")).to_be_visible()
    await expect(bob.page.locator("#chart")).to_be_visible()
    await with_and_without_chat(bob, "results")


async def test_no_control_of_a_host_lies_on_another(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    link = await ada.create("Ada")
    bob = await join(address, link, LONG)
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)
    await with_and_without_chat(ada, "lobby of the host")
    await bob.ready()
    await ada.page.click("#ready")
    await ada.on("race")
    await with_and_without_chat(ada, "race of the host")
    await bob.forfeit()
    await expect(ada.page.locator("#game-over-finish")).to_be_visible()
    await with_and_without_chat(ada, "question to the host")
