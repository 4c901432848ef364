"""Pictures of every screen at every size: `make screenshots`, then look at them.

`python -m tests.e2e.screenshots [FOLDER]`; the README's own stand beside this file. What is
wrong at a glance of the program's own, it says: what is wider than the page, and what a finger
cannot hit.
"""

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from server.games import actions
from tests.e2e.pages import DESKTOP, Person, chromium, serving
from tests.games.wins import one_suit_game, one_suit_win

FOLDER = Path("screenshots")
SIZES = {
    "desk": (1280, 800),
    "phone": (390, 844),
    "side": (844, 390),
    "small": (320, 640),
}
PLAYED = 45

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
    const name = `${each.tagName.toLowerCase()}#${each.id}.${each.className}`;
    if (Math.min(width, height) < 23.5 && !each.closest('p, dd, label'))
      amiss.push(`${name} is ${Math.round(width)} x ${Math.round(height)}`);
    if (right > innerWidth + 1 || left < -1)
      amiss.push(`${name} reaches from ${Math.round(left)} to ${Math.round(right)}`);
  }
  return amiss;
}"""


class Camera:
    """Takes one screen at all sizes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def keep(self, name: str, person: Person, sizes: dict[str, Any] | None = None) -> None:
        """One picture a size."""
        for size, (width, height) in (sizes or SIZES).items():
            await person.page.set_viewport_size({"width": width, "height": height})
            await person.page.evaluate("() => scrollTo(0, 0)")
            await person.page.wait_for_timeout(250)
            await person.page.screenshot(path=self._folder / f"{name}-{size}.png")
            for line in await person.page.evaluate(AMISS):
                print(f"{name}-{size}: {line}")
        await person.page.set_viewport_size(DESKTOP["viewport"])


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


async def before_the_race(camera: Camera, ada: Person, bob: Person, don: Person) -> None:
    """The front page, the preferences, a link, and the room with three people."""
    await camera.keep("landing", ada)
    await ada.page.click("#tips")
    await ada.on("strategy")
    await expect(ada.page.locator("#little-spider")).to_be_visible()
    await camera.keep("strategy", ada)
    await ada.page.go_back()
    await ada.on("landing")
    await open_and_keep(camera, ada, "#preferences", "preferences")
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    await bob.page.goto(link)
    await bob.on("join")
    await camera.keep("join", bob)
    await bob.join("Bob")
    await ada.page.select_option("#set-spectate", "boards")
    await ada.page.fill("#set-board-delay-s", "0")
    await ada.page.press("#set-board-delay-s", "Tab")
    await don.page.goto(link)
    await don.on("join")
    await don.page.fill("#name", "Donatella")
    await don.page.click("#watch")
    await don.on("room")
    await camera.keep("room-host", ada)
    await camera.keep("room-guest", bob)
    await open_chat(bob)
    await bob.page.fill("#chat-line", "Hello from the phone!")
    await bob.page.click("#chat-send")
    await bob.page.wait_for_timeout(500)
    await camera.keep("chat-room", bob)
    await close_chat(bob)


async def in_the_race(camera: Camera, ada: Person, bob: Person, don: Person) -> None:
    """The countdown, tables early and late, what may lie over them, and the wall."""
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("countdown")
    await camera.keep("countdown", bob)
    for person in (ada, bob, don):
        await person.on("race")
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
    await camera.keep("wall", don)
    await open_and_keep(camera, ada, "#forfeit", "dialog")
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
    await camera.keep("given-up", bob)
    for action in one_suit_win()[PLAYED:]:
        await ada.do(mine, action)
    for person in (ada, bob):
        await person.on("results")
    await ada.page.wait_for_timeout(1_500)
    await camera.keep("results", ada)


async def match_card(camera: Camera, eve: Person) -> None:
    """The card of a match, after its first round."""
    await eve.create("Eve")
    await eve.page.select_option("#set-preset", "dos-hard")
    await eve.page.click("#start")
    await eve.on("race")
    await camera.keep("exceptions", eve)
    await eve.page.click("#forfeit")
    await eve.page.click("#ask-yes")
    await eve.on("results")
    await camera.keep("match", eve)


async def take(address: str, folder: Path) -> None:
    """Three people in a race, and one in a match; each screen is kept as they see it."""
    camera = Camera(folder)
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, color_scheme="light")
        bob = await Person.at(browser, address, **DESKTOP, color_scheme="dark")
        don = await Person.at(browser, address, **DESKTOP, color_scheme="light")
        eve = await Person.at(browser, address, **DESKTOP, color_scheme="dark")
        await wear(eve.page, table="walnut", cards="strong")
        await match_card(camera, eve)
        await wear(bob.page, table="midnight", cards="four")
        await wear(don.page, table="claret")
        await before_the_race(camera, ada, bob, don)
        await in_the_race(camera, ada, bob, don)
        with (
            tempfile.TemporaryDirectory() as data_dir,
            serving(Path(data_dir)) as elsewhere,
        ):
            fay = await Person.at(browser, elsewhere, **DESKTOP, color_scheme="light")
            await wear(fay.page, table="slate", cards="strong")
            await fay.page.fill("#name", "Fay")
            await fay.page.click("#practice")
            await fay.on("race")
        await fay.page.wait_for_timeout(1_500)
        await camera.keep("lost", fay)


def main(arguments: list[str]) -> None:
    """Takes all pictures."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data_dir,
        serving(Path(data_dir)) as address,
    ):
        asyncio.run(take(address, folder))
    print(f"Look at {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
