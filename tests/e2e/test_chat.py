"""What people say to each other, on every screen of a room."""

import asyncio

import pytest
from playwright.async_api import Browser, WebSocketRoute, expect

from tests.e2e.pages import DESKTOP, PHONE, Person, amiss
from tests.e2e.wire import create

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

# By how much the window covers the table.
COVERED = """() => {
  const {bottom} = document.querySelector('#board').getBoundingClientRect();
  const {top, height} = document.querySelector('#chat-panel').getBoundingClientRect();
  return height > 0 && bottom <= top ? [] : [{bottom, top, height}];
}"""


async def test_talk_in_the_room_in_the_race_and_after(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")

    await ada.page.fill("#chat-line", "<b>Hello</b> Bob")
    await ada.page.press("#chat-line", "Enter")
    await expect(bob.page.locator("#chat-log")).to_contain_text("Ada<b>Hello</b> Bob")
    assert await bob.page.locator("#chat-log span b").count() == 0
    await expect(ada.page.locator("#chat-line")).to_have_value("")
    await bob.page.click("#chat-toggle")
    await bob.page.click("[data-emote=good_luck]")
    await expect(ada.page.locator("#chat-log")).to_contain_text("Good luck!")

    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    toggle = bob.page.locator("#chat-toggle")
    await expect(toggle).to_have_attribute("aria-expanded", "false")
    await ada.page.click("#chat-toggle")
    await expect(ada.page.locator("#chat-line")).to_be_focused()
    await ada.page.fill("#chat-line", "Catch me")
    await ada.page.press("#chat-line", "Enter")
    await expect(toggle).to_have_attribute("aria-label", "Chat, 1 unread")
    await expect(bob.page.locator("#status")).to_have_text("Ada: Catch me")

    await bob.page.click("#chat-toggle")
    await expect(toggle).to_have_attribute("aria-label", "Chat")
    assert await amiss(bob.page, COVERED) == []
    await bob.page.keyboard.press("Escape")
    await expect(toggle).to_be_focused()

    await bob.gives_up()
    await expect(bob.page.locator("#game-over")).to_be_visible()
    await bob.has_stepped_back()
    await bob.page.reload()
    await bob.on("race")
    await bob.page.click("#chat-toggle")
    await expect(bob.page.locator("#chat-log p")).to_have_count(3)
    await ada.gives_up()
    await ada.on("results")
    await bob.on("results")
    await expect(ada.page.locator("#chat-log p")).to_have_count(3)


async def test_whoever_is_muted_is_not_read(ada: Person) -> None:
    link = await ada.create("Ada")
    eve = await Person.at(link, **DESKTOP)
    await eve.join("Eve")
    await eve.page.fill("#chat-line", "Look here")
    await eve.page.press("#chat-line", "Enter")
    said = ada.page.locator("#chat-log p")
    await expect(said).to_have_count(1)

    await ada.page.click("#chat-mute summary")
    await ada.page.get_by_role("button", name="Mute Eve").click()
    await expect(said).to_be_hidden()
    await eve.page.fill("#chat-line", "And here")
    await eve.page.press("#chat-line", "Enter")
    await expect(said).to_have_count(2)
    await ada.page.reload()
    await ada.on("room")
    await expect(said).to_have_count(2)
    for number in range(2):
        await expect(said.nth(number)).to_be_hidden()

    await ada.page.click("#chat-mute summary")
    await ada.page.get_by_role("button", name="Unmute Eve").click()
    await expect(said.first).to_be_visible()


async def test_an_answer_takes_nothing_that_was_written_meanwhile(
    address: str, browser: Browser
) -> None:
    """The field was emptied when a line came back, with what had been written after it."""
    answers: list[str | bytes] = []
    held = asyncio.Event()

    def delay(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def receive(message: str | bytes) -> None:
            if '"said"' in str(message) and not held.is_set():
                answers.append(message)
            else:
                socket.send(message)

        server.on_message(receive)
        sockets.append(socket)

    sockets: list[WebSocketRoute] = []
    context = await browser.new_context(**DESKTOP)
    await context.route_web_socket("**/*", delay)
    ada = await Person.of(context, address)
    await ada.create("Ada")
    line, log = ada.page.locator("#chat-line"), ada.page.locator("#chat-log p")
    await line.fill("Hello")
    await line.press("Enter")
    await line.press("End")
    await ada.page.keyboard.type(" again")
    while not answers:
        await asyncio.sleep(0.01)
    held.set()
    sockets[-1].send(answers.pop())
    await expect(log).to_have_count(1)
    await expect(line).to_have_value("again")

    held.clear()
    await line.press("Enter")
    await line.fill("Anybody?")
    while not answers:
        await asyncio.sleep(0.01)
    held.set()
    sockets[-1].send(answers.pop())
    await expect(log).to_have_count(2)
    await expect(line).to_have_value("Anybody?")
    await line.press("Enter")
    await expect(log).to_have_count(3)
    await expect(line).to_have_value("")


# Six lines at once: a slow page could take as long for them as the server allows.
TALK = """() => {
  const line = document.querySelector('#chat-line');
  for (let number = 0; number < 6; number += 1) {
    line.value = `Line ${number}`;
    line.form.requestSubmit();
  }
}"""


async def test_too_much_talk_is_refused_in_words_and_kept(ada: Person) -> None:
    await ada.create("Ada")
    page = ada.page
    await expect(page.locator("#chat-line")).to_be_visible()
    await page.evaluate(TALK)
    await expect(page.locator("#chat-problem")).to_contain_text("Slow down a moment.")
    await expect(page.locator("#chat-log p")).to_have_count(5)
    await expect(page.locator("#chat-line")).to_have_value("Line 5")


# Buttons under the window of the chat.
UNDER = """() => {
  const chat = document.querySelector('#chat-panel').getBoundingClientRect();
  if (chat.height === 0) return ['the chat is closed'];
  return ['#next', '#leave'].filter((selector) => {
    const button = document.querySelector(selector);
    button.scrollIntoView({block: 'nearest'});
    const {right, bottom} = button.getBoundingClientRect();
    return right > chat.left && bottom > chat.top;
  });
}"""
SIZES = [(1280, 800), (390, 844), (844, 390), (320, 640)]


async def test_the_window_leaves_the_way_on_free_after_the_race(ada: Person) -> None:
    await ada.create("Ada")
    await ada.page.click("#start")
    await ada.on("race")
    await ada.gives_up()
    await ada.on("results")
    for width, height in SIZES:
        await ada.page.set_viewport_size({"width": width, "height": height})
        await ada.page.click("#chat-toggle")
        assert await amiss(ada.page, UNDER) == [], (width, height)
        await ada.page.click("#chat-close")


async def test_after_a_reload_only_what_was_missed_is_new(address: str) -> None:
    """Only what was missed is announced; what was not read before the reload stays unread."""
    bob = await create(address, "Bob")
    ada = await Person.at(f"{address}r/{bob.code}", **DESKTOP)
    await ada.join("Ada")
    await bob.say("In the room")
    await expect(ada.page.locator("#chat-log p")).to_have_count(1)
    await ada.page.click("#ready")
    await bob.ready()
    await ada.on("race")
    badge = ada.page.locator("#chat-badge")
    await bob.say("In the race")
    await bob.emote("wow")
    await expect(badge).to_have_text("2")
    await ada.page.reload()
    await ada.on("race")
    await expect(ada.page.locator("#chat-log p")).to_have_count(3)
    await expect(badge).to_have_text("2")  # she has not opened the chat
    await expect(ada.page.locator("#status")).not_to_contain_text("Bob")
    assert await ada.page.locator("[data-part=emote]").count() == 0
    url = ada.page.url
    await ada.page.goto("about:blank")
    await bob.say("While you were away")
    await ada.page.goto(url)
    await expect(ada.page.locator("#chat-log p")).to_have_count(4)
    await expect(badge).to_have_text("3")
    await expect(ada.page.locator("#status")).to_contain_text("While you were away")
    await ada.page.click("#chat-toggle")
    await ada.page.click("#chat-close")
    await ada.page.reload()
    await expect(ada.page.locator("#chat-log p")).to_have_count(4)
    await expect(badge).to_be_empty()
    await bob.say("And now")
    await expect(badge).to_have_text("1")
