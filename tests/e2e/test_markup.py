"""Names and lines that are markup, in real pages: they are shown as they are, and do nothing."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import create, join

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

EVIL = "<img src=x onerror=r()>"
HOST = "<svg onload=r()>&lt;b>"
LINES = (
    "<script>r()</script><img src=x onerror=r()>",
    "\"><iframe srcdoc='<script>parent.r()</script>'></iframe>",
    "javascript:r() {{constructor.constructor('r()')()}} ${r()}",
    "\u202ereversed\u202c \u0007\u0000bell" + "x" * 150,
)
SHOWN = (*LINES[:3], "reversed bell" + "x" * 150)

# What would be there if any of it were taken for markup.
MADE = """() => [...document.querySelectorAll('body *')].filter((element) =>
  element.matches('img:not(#qr), iframe, script:not([type=module]), object, [style*=url]')
  || [...element.attributes].some((attribute) => attribute.name.startsWith('on'))
).map((element) => element.outerHTML)"""


class Watched(Person):
    """Somebody whose page can tell that a script ran."""

    async def inert(self, *texts: str) -> None:
        """Waits until the page shows these texts; none of them has done anything."""
        for text in texts:
            await expect(self.page.locator("body")).to_contain_text(text)
        assert await self.page.evaluate(MADE) == []
        assert RAN == []


RAN: list[str] = []


async def watched(address: str, **how: Any) -> Watched:
    person = await Watched.at(address, **how)
    assert isinstance(person, Watched)
    await person.page.expose_function("r", lambda: RAN.append(person.page.url))
    assert await person.page.evaluate("typeof r") == "function"
    return person


async def test_markup_in_names_and_lines_is_inert_everywhere(address: str) -> None:
    eve = await create(address, HOST, public=True)
    mallory = await join(address, eve.code, EVIL)
    front = await watched(address, **DESKTOP)
    await front.inert(HOST)

    link = f"{address.rstrip('/')}/r/{eve.code}"
    ada = await watched(link, **DESKTOP)
    await ada.join("Ada")
    don = await watched(link, **PHONE)
    await don.watch("Don")
    for line in LINES:
        await eve.say(line)
    for person in (ada, don):
        await person.inert(HOST, EVIL, *SHOWN)

    await mallory.ready()
    await eve.ready()
    await ada.page.click("#ready")
    for person in (ada, don):
        await person.on("race")
        await expect(person.page.locator('#standings [data-seat="1"]')).to_contain_text("img")
    await ada.inert(HOST, EVIL)
    await ada.page.keyboard.press("t")  # spoken standings
    await expect(ada.page.locator("#status")).to_contain_text(HOST)
    await ada.inert(HOST)

    await eve.forfeit()
    await mallory.forfeit()
    await ada.gives_up()
    for person in (ada, don):
        await person.on("results")
        await person.inert(HOST, EVIL)
    eve.close()
    mallory.close()
