"""Pictures of every screen at every size: `make screenshots`, then look at them.

`python -m tests.e2e.screenshots [FOLDER] [--languages en de]`; the README's own stand beside this
file. What is wrong at a glance of the program's own, it says: what is wider than the page, and
what a finger cannot hit. A screen is opened once in each language, and its page is then resized.
"""

import argparse
import asyncio
import re
import tempfile
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Page, expect
from spider_race_client import Race

from server.games import actions
from tests.e2e.pages import DESKTOP, Person, chromium, serving
from tests.e2e.wire import join, on_the_wire
from tests.games.wins import one_suit_game, one_suit_win

FOLDER = Path("screenshots")
SIZES = {
    "desk": (1280, 800),
    "phone": (390, 844),
    "side": (844, 390),
    "small": (320, 568),
    "small-side": (568, 320),
    "tablet": (820, 1180),
    "reader": (768, 1024),
    "wide": (1920, 1080),
    "wall": (2560, 1440),
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
LANGUAGES = {"en": "en-GB", "de": "de-DE"}
COUNTDOWN_MS = 15_000
"""As long as it takes to take pictures of it at all sizes."""
OTHERS = ("Cleo", "Maximiliane-Friederike", "\u05d3\u05e0\u05d4", "Eli", "Finn", "Gül")
"""Players without a page, so that lists have a length and names of all kinds."""
PLAYED = 45
REVIEW_MS = 180_000
"""The time in which a review comes, at the lowest priority of the system."""

# The banner stays until it is looked at.
HOLD_BANNER = """() => {
  const banner = document.querySelector('#banner');
  new MutationObserver(() => { if (banner.hidden && banner.textContent) banner.hidden = false; })
    .observe(banner, {attributes: true});
}"""

# What is wider than the page, and what is smaller than 24 pixels and no link in a text.
AMISS = """() => {
  const amiss = [];
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) amiss.push(`${wide} px too wide`);
  const controls = 'button, a, input, select, summary, [role=button], [role=slider]';
  const top = document.querySelector('dialog[open]') ?? document;
  for (const each of top.querySelectorAll(controls)) {
    const {width, height, left, right} = each.getBoundingClientRect();
    if (!width || !each.checkVisibility({opacityProperty: true}) || each.closest('[inert]'))
      continue;
    if (each.closest('.chat-emotes')) continue; // they scroll sideways
    const name = `${each.tagName.toLowerCase()}#${each.id}.${each.className}`;
    if (Math.min(width, height) < 23.5 && !each.closest('p, dd, label'))
      amiss.push(`${name} is ${Math.round(width)} x ${Math.round(height)}`);
    if (right > innerWidth + 1 || left < -1)
      amiss.push(`${name} reaches from ${Math.round(left)} to ${Math.round(right)}`);
  }
  return amiss;
}"""


IS_LIGHT = "() => matchMedia('(prefers-color-scheme: light)').matches"

# A race is as large as its window.
SCROLLS = "() => !['race', 'countdown'].includes(document.body.dataset.screen)"


class Camera:
    """Takes one screen at all sizes, in one language, by day and by night."""

    def __init__(self, folder: Path, language: str) -> None:
        self._folder = folder
        self._language = language

    async def keep(self, name: str, person: Person, sizes: dict[str, Any] | None = None) -> None:
        """Two pictures a size, of the whole page where it is longer than the window."""
        page = person.page
        by_day = await page.evaluate(IS_LIGHT)
        for size, (width, height) in (sizes or SIZES).items():
            await page.set_viewport_size({"width": width, "height": height})
            await page.evaluate("() => scrollTo(0, 0)")
            await page.wait_for_timeout(250)
            picture = f"{name}-{size}" + ("" if self._language == "en" else f"-{self._language}")
            for scheme in SCHEMES:
                await page.emulate_media(color_scheme=scheme)
                path = self._folder / f"{picture}{'' if scheme == 'light' else '-dark'}.png"
                await page.screenshot(path=path, full_page=await page.evaluate(SCROLLS))
            for line in await page.evaluate(AMISS):
                print(f"{picture}: {line}")
        await page.emulate_media(color_scheme="light" if by_day else "dark")
        await page.set_viewport_size(DESKTOP["viewport"])


async def open_and_keep(camera: Camera, person: Person, button: str, name: str) -> None:
    """Something that a button opens and Escape closes."""
    await person.page.click(button)
    await person.page.wait_for_timeout(500)
    await camera.keep(name, person)
    await person.page.keyboard.press("Escape")


async def open_chat(person: Person) -> None:
    """Opens the chat, where it does not stand open."""
    toggle = person.page.locator("#chat-toggle")
    if await toggle.is_visible() and await toggle.get_attribute("aria-expanded") != "true":
        await toggle.click()
        await person.page.wait_for_timeout(300)


async def close_chat(person: Person) -> None:
    """Closes the chat, where that can be done."""
    if await person.page.locator("#chat-close").is_visible():
        await person.page.click("#chat-close")


async def wear(page: Page, **looks: str) -> None:
    """Puts on a look, as the preferences would."""
    await page.evaluate(
        """(looks) => {
          for (const [name, value] of Object.entries(looks))
            localStorage.setItem(`spider-race.${name}`, JSON.stringify(value));
        }""",
        looks,
    )
    await page.reload()


async def before_the_race(
    camera: Camera, ada: Person, bob: Person, don: Person
) -> tuple[str, list[Race]]:
    """The front page, pages of no room, a link, and the room; returns the link and the others."""
    await camera.keep("landing", ada)
    await ada.page.click("#tips")
    await ada.on("strategy")
    await expect(ada.page.locator("#little-spider")).to_be_visible()
    await camera.keep("strategy", ada)
    await ada.page.go_back()
    await ada.on("landing")
    await open_and_keep(camera, ada, "#preferences", "preferences")
    front = ada.page.url
    for name, path in (("missing-room", "r/ZZZZZZZ"), ("missing-page", "nonexistent")):
        await don.page.goto(f"{front}{path}")
        await don.on("missing")
        await camera.keep(name, don)
    link = await ada.create("Ada")
    await camera.keep("room-alone", ada)
    await open_and_keep(camera, ada, "#invite", "invitation")
    await ada.opens_rules()
    await ada.page.uncheck("#set-winnable")  # else the deal may be one from the pool
    code = link
    others = [await join(front, code, name) for name in OTHERS]
    await bob.page.goto(link)
    await bob.on("join")
    await camera.keep("join", bob)
    await bob.join("Bob")
    await bob.page.click("#ready")
    await ada.page.select_option("#set-spectate", "boards")
    await ada.page.fill("#set-board-delay-s", "0")
    await ada.page.press("#set-board-delay-s", "Tab")
    await don.page.goto(link)
    await don.on("join")
    await don.page.fill("#name", "Donatella")
    await don.page.click("#watch")
    await don.on("room")
    await camera.keep("room-rules", ada)
    await ada.page.click("#rules-done")
    await camera.keep("room-host", ada)
    await expect(bob.page.locator("#changes")).not_to_be_empty()
    await camera.keep("room-changed", bob)
    await open_chat(bob)
    await bob.page.fill("#chat-line", "Hello from the phone!")
    await bob.page.click("#chat-send")
    await bob.page.wait_for_timeout(500)
    await camera.keep("chat-room", bob)
    await close_chat(bob)
    return link, others


async def race_begins(
    camera: Camera, ada: Person, bob: Person, don: Person, others: list[Race]
) -> None:
    """The countdown."""
    for other in others:
        await other.ready()
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("countdown")
    await camera.keep("countdown", bob)
    for person in (ada, bob, don):
        await expect(person.page.locator("body")).to_have_attribute(
            "data-screen", "race", timeout=2 * COUNTDOWN_MS
        )


async def in_the_race(
    camera: Camera, ada: Person, bob: Person, don: Person, others: list[Race]
) -> None:
    """Tables early and late, what may lie over them, and the boards."""
    mine, his = one_suit_game(), one_suit_game()
    await ada.sees(mine)
    await bob.sees(his)
    await camera.keep("race-early", bob)
    for action in one_suit_win()[:PLAYED]:
        await ada.do(mine, action)
    for _ in range(5):
        await bob.do(his, actions.DEAL)
    await bob.page.click("#deal")
    await bob.page.wait_for_timeout(300)
    await camera.keep("race-long", bob)
    await camera.keep("race", ada)
    await camera.keep("boards", don)
    await open_and_keep(camera, ada, "#forfeit", "dialog")
    await ada.page.evaluate(HOLD_BANNER)
    await others[1].forfeit()
    await expect(ada.page.locator("#banner")).to_be_visible()
    await camera.keep("banner", ada)
    await open_chat(ada)
    await camera.keep("chat-race", ada)
    await close_chat(ada)
    await ada.page.click("#help")
    await ada.page.wait_for_timeout(500)
    await camera.keep("help", ada)
    await open_and_keep(camera, ada, "#help-tips", "tips")
    await bob.page.click("#forfeit")
    await bob.page.click("#ask-yes")
    await bob.page.wait_for_timeout(500)
    await camera.keep("own-end", bob)
    for other in others[:1] + others[2:]:
        await other.forfeit()
    await ada.page.click("#game-over-look")
    for action in one_suit_win()[PLAYED:]:
        await ada.do(mine, action)


async def after_the_race(camera: Camera, ada: Person, bob: Person, don: Person, link: str) -> None:
    """The results, a rematch that is wanted, and the link to the result."""
    for person in (ada, bob):
        await person.on("results")
    await ada.page.wait_for_timeout(1_500)
    await camera.keep("results", ada)
    await ada.page.click("#rematch")
    await expect(bob.page.locator("#next-steps")).to_be_visible()
    await camera.keep("rematch", bob)
    await don.page.goto(f"{link}/1")
    await don.on("finished")
    await expect(don.page.locator("#wins li").first).to_be_visible(timeout=REVIEW_MS)
    await camera.keep("finished", don)
    await don.page.locator("#wins button").first.click()
    await expect(don.page.locator("#board-right")).to_have_value(re.compile("/win$"))
    await don.page.wait_for_timeout(1_500)
    await camera.keep("review", don)


async def match_card(camera: Camera, eve: Person) -> None:
    """The card of a match, after its first round."""
    await eve.create("Eve", rules_open=True)
    await eve.takes_preset("dos-hard")
    await eve.page.click("#start")
    await eve.on("race")
    await camera.keep("exceptions", eve)
    await eve.page.click("#forfeit")
    await eve.page.click("#ask-yes")
    await eve.on("results")
    await camera.keep("match", eve)


async def against_the_computer(camera: Camera, ida: Person) -> None:
    """A race against a computer player, its end and its results, and a room with more."""
    await ida.page.fill("#name", "Ida")
    await ida.page.click('[data-strength="club"]')
    await ida.on("race")
    await ida.page.wait_for_timeout(8_000)
    await camera.keep("computer-race", ida)
    await ida.page.click("#forfeit")
    await ida.page.click("#ask-yes")
    await expect(ida.page.locator("#game-over-end")).to_be_visible()
    await camera.keep("computer-end", ida)
    await ida.page.click("#game-over-end")
    await ida.on("results")
    await ida.page.wait_for_timeout(1_500)
    await camera.keep("computer-results", ida)
    await ida.page.click("#next")
    await ida.on("room")
    await ida.page.click("#rules-done")
    for strength in ("beginner", "expert"):
        await ida.page.click(f'#computer-players [data-strength="{strength}"]')
    await expect(ida.page.locator('#players [data-part="program"]')).to_have_count(3)
    await camera.keep("computer-room", ida)


async def lesson(camera: Camera, fay: Person) -> None:
    """What practice shows at first."""
    await fay.page.fill("#name", "Fay")
    await fay.page.click("#practice")
    await expect(fay.page.locator("#lesson-dialog")).to_be_visible()
    await camera.keep("lesson", fay)


async def take(address: str, brief: str, folder: Path, language: str) -> None:
    """Three people in a race, and one in a match; each screen is kept as they see it."""
    camera = Camera(folder, language)
    how = {**DESKTOP, "locale": LANGUAGES[language]}
    async with chromium(), on_the_wire():
        ada = await Person.at(address, **how, color_scheme="light")
        bob = await Person.at(address, **how, color_scheme="dark")
        don = await Person.at(address, **how, color_scheme="light")
        eve = await Person.at(brief, **how, color_scheme="dark")
        fay = await Person.at(brief, **how, color_scheme="light", novice=True)
        ida = await Person.at(brief, **how, color_scheme="light")
        await lesson(camera, fay)
        await against_the_computer(camera, ida)
        await wear(eve.page, table="walnut", cards="strong")
        await match_card(camera, eve)
        await wear(bob.page, table="midnight", cards="four")
        await wear(don.page, table="claret")
        link, others = await before_the_race(camera, ada, bob, don)
        await race_begins(camera, ada, bob, don, others)
        eve = await Person.at(link, **how, color_scheme="light")
        await eve.on("join")
        await camera.keep("join-late", eve)
        await in_the_race(camera, ada, bob, don, others)
        await after_the_race(camera, ada, bob, don, link)
        with tempfile.TemporaryDirectory() as data_dir, serving(Path(data_dir)) as elsewhere:
            guy = await Person.at(elsewhere, **how, color_scheme="light")
            await wear(guy.page, table="slate", cards="strong")
            await guy.page.fill("#name", "Guy")
            await guy.page.click("#practice")
            await guy.on("race")
        await guy.page.wait_for_timeout(1_500)
        await camera.keep("lost", guy)


def main() -> None:
    """Takes all pictures."""
    parser = argparse.ArgumentParser(description="Take pictures of every screen at every size.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--languages", nargs="+", choices=LANGUAGES, default=["en"])
    chosen = parser.parse_args()
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for language in chosen.languages:
        with (
            tempfile.TemporaryDirectory() as data_dir,
            tempfile.TemporaryDirectory() as brief_dir,
            serving(Path(data_dir), "--thinkers", "1", countdown_ms=COUNTDOWN_MS) as address,
            serving(Path(brief_dir), "--bots", "10") as brief,
        ):
            asyncio.run(take(address, brief, chosen.folder, language))
    print(f"Look at {chosen.folder}")


if __name__ == "__main__":
    main()
