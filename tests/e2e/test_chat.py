"""Chat and names on every screen of a room."""

from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import create, join

pytestmark = pytest.mark.browser


async def test_people_talk_in_the_room_in_the_race_and_after(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.page.set_viewport_size({"width": 360, "height": 640})
    await bob.join("Bob")
    line, toggle = page.locator("#chat-line"), bob.page.locator("#chat-toggle")
    await line.fill("Hello")
    await line.press("Enter")

    # On a low phone the chat is one line: the latest message and the number of unread ones.
    await expect(bob.page.locator("#chat-panel")).to_be_hidden()
    await expect(bob.page.locator("#chat-badge")).to_have_text("1")
    await expect(toggle).to_contain_text("Ada: Hello")
    await toggle.click()
    await expect(bob.page.locator("#chat-log")).to_contain_text("Hello")
    await bob.page.set_viewport_size({"width": 390, "height": 844})
    await expect(toggle).to_be_hidden()  # now the chat is below the table
    await bob.page.click("[data-emote=good_luck]")
    await expect(page.locator("#chat-log")).to_contain_text("Good luck!")

    # In the race a line is announced, and waits behind the button until it is read.
    await bob.page.click("#ready")
    await expect(bob.page.locator("#ready")).to_have_text("Cancel ready")
    await page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    await page.click("#chat-toggle")
    await expect(line).to_be_focused()
    await line.fill("Catch me")
    await line.press("Enter")
    await expect(toggle).to_have_attribute("aria-label", "Chat, 1 unread")
    await expect(bob.page.locator("#status")).to_have_text("Ada: Catch me")
    await toggle.click()
    await expect(bob.page.locator("#chat-line")).to_be_focused()
    await bob.page.keyboard.press("Escape")
    await expect(toggle).to_be_focused()

    # After the race all of it is there.
    for person in (bob, ada):
        await person.gives_up()
    for person in (bob, ada):
        await person.on("results")
        await expect(person.page.locator("#chat-log p")).to_have_count(3)


EVIL = "<img src=x onerror=r()>"
HOST = "<svg onload=r()>&lt;b>"
HEBREW = "\u05d3\u05e0\u05d4 \u05db\u05d4\u05df"
NAMES = ("မြို့ 🧑‍🚀", "نیم‌فاصله")
"""A name with an emoji of several characters, and one with a meaningful joiner."""
LINES = (
    "<script>r()</script><img src=x onerror=r()>",
    "\"><iframe srcdoc='<script>parent.r()</script>'></iframe>",
    "javascript:r() {{constructor.constructor('r()')()}} ${r()}",
    "\u202ereversed\u202c \u0007\u0000bell" + "x" * 150,
)
SHOWN = (*LINES[:3], "reversed bell" + "x" * 150)

# The policy of the page refuses injected scripts.
INJECT = """() => {
  try {
    const script = document.createElement('script');
    script.textContent = 'r()';
    document.body.append(script);
  } catch ({name}) {
    return name;
  }
}"""

# Elements that would exist if names or lines became markup.
MADE = """() => [...document.querySelectorAll('body *')].filter((element) =>
  element.matches('img:not(#qr), iframe, script:not([type=module]), object, [style*=url]')
  || [...element.attributes].some((attribute) => attribute.name.startsWith('on'))
).map((element) => element.outerHTML)"""


@pytest.mark.complains("Content Security Policy", "TrustedScript")
async def test_markup_in_names_and_lines_is_inert_everywhere(address: str) -> None:
    ran: list[str] = []

    async def watched(link: str, **how: Any) -> Person:
        person = await Person.at(link, **how)
        await person.page.expose_function("r", lambda: ran.append(person.page.url))
        return person

    async def inert(person: Person, *texts: str) -> None:
        """Wait until the page shows these texts, and check that none became markup."""
        for text in texts:
            await expect(person.page.locator("body")).to_contain_text(text)
        assert await person.page.evaluate(MADE) == []
        assert ran == []

    eve = await create(address, HOST, public=True)
    mallory = await join(address, eve.code, EVIL)
    dana = await join(address, eve.code, HEBREW)
    front = await watched(address, **DESKTOP)
    assert await front.page.evaluate(INJECT) == "TypeError"
    await inert(front, HOST)

    # People can type names in any script, and the page shows them whole.
    ada = await watched(eve.link, **DESKTOP)
    await ada.on("join")
    field = ada.page.locator("#name")
    await field.fill("🧑‍🚀" * 30)
    await expect(field).to_have_value("🧑‍🚀" * 24)
    await ada.join(NAMES[0])
    don = await watched(eve.link, **PHONE)
    await don.join(NAMES[1], "#watch")
    for line in LINES:
        await eve.say(line)
    for person in (ada, don):
        await inert(person, HOST, EVIL, HEBREW, *NAMES, *SHOWN)

    for player in (mallory, dana, eve):
        await player.ready()
    await ada.page.click("#ready")
    for person in (ada, don):
        await person.on("race")
        await expect(person.page.locator('#standings [data-seat="1"]')).to_contain_text("img")
    await ada.page.keyboard.press("t")  # spoken standings
    await expect(ada.page.locator("#status")).to_contain_text(HOST)
    await inert(ada, HOST, EVIL)
    for player in (eve, mallory, dana):
        await player.forfeit()
    await ada.gives_up()
    for person in (ada, don):
        await person.on("results")
        await inert(person, HOST, EVIL)
