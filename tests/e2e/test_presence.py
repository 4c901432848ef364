"""What players see of a room while they look at something else, and the screen that stays on."""

from typing import Any

import pytest
from playwright.async_api import Browser, expect

from protocol.vocabulary import SeatState
from tests.e2e.pages import DESKTOP, Person
from tests.e2e.wire import join

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

TICK_HZ, GO_HZ = 520, 1_040
COUNTED = ["5…", "4…", "3…", "2…", "1…", "Go!", "Spider Race"]
# A hidden tab has no frames: those that it asks for come when it is shown again.
LOOK_AWAY = """(away) => {
  window.served ??= {now: window.requestAnimationFrame.bind(window), asked: []};
  window.requestAnimationFrame = away ? (draw) => served.asked.push(draw) : served.now;
  if (!away) served.asked.splice(0).forEach(served.now);
  Object.defineProperty(document, 'visibilityState',
    {configurable: true, get: () => away ? 'hidden' : 'visible'});
  document.dispatchEvent(new Event('visibilitychange'));
}"""
TWO_FRAMES = """() => new Promise((drawn) =>
  requestAnimationFrame(() => requestAnimationFrame(drawn)))"""
RECORD = """
window.titles = []; window.signs = []; window.told = []; window.locks = []; window.heard = [];
const {start} = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) {
  window.heard.push(this.frequency.value);
  return start.call(this, at);
};
document.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(() => window.titles.push(document.title))
    .observe(document.querySelector('title'), {childList: true});
  const icon = document.querySelector('link[rel=icon]');
  new MutationObserver(() => window.signs.push(icon.dataset.sign))
    .observe(icon, {attributeFilter: ['data-sign']});
});
window.Notification = class {
  static permission = 'default';
  static async requestPermission() { return this.permission = 'granted'; }
  constructor(title) { window.told.push(title); }
  close() {}
};
Object.defineProperty(navigator, 'wakeLock', {value: {
  request: async (kind) => {
    window.locks.push(kind);
    const lock = {released: false, async release() {
      lock.released = true;
      window.locks.push('released');
    }};
    return lock;
  },
}});
"""


async def recorded(person: Person, name: str) -> list[Any]:
    found: list[Any] = await person.page.evaluate("(name) => window[name]", name)
    return found


async def test_a_hidden_tab_counts_down_sounds_and_notifies(
    unhurried: str, browser: Browser
) -> None:
    context = await browser.new_context(**DESKTOP, service_workers="block")
    await context.add_init_script(RECORD)
    ada = await Person.of(context, unhurried)
    link = await ada.create("Ada")
    notify = ada.page.locator("#notify")
    await expect(notify).to_have_attribute("aria-pressed", "false")
    await notify.click()
    await expect(notify).to_have_attribute("aria-pressed", "true")
    bob = await join(unhurried, link, "Bob")
    await expect(ada.page.locator("#players")).to_contain_text("Bob")
    await ada.page.click("#ready")
    await bob.wait_until(lambda race: race.room.seats[0].state is SeatState.READY)
    await ada.page.evaluate(TWO_FRAMES)  # one that was asked for before would show the countdown
    await ada.page.evaluate(LOOK_AWAY, True)
    await bob.ready()
    await ada.page.wait_for_function("(hz) => window.heard.includes(hz)", arg=GO_HZ, polling=50)
    await expect(ada.page).to_have_title("Spider Race")
    assert (await recorded(ada, "heard")).count(TICK_HZ) > 1
    # Each of them is there for a second; a busy page may pass over one.
    titles = [title.partition(" · ")[0] for title in await recorded(ada, "titles")]
    counted = titles[next(i for i, title in enumerate(titles) if title.endswith("…")) :]
    assert counted == [title for title in COUNTED if title in counted]
    assert len(counted) > len(COUNTED) // 2
    assert {*await recorded(ada, "signs")} & {*"12345"}
    assert await recorded(ada, "told") == ["The race is about to start"]
    await ada.on("room")  # what is drawn waits for a frame
    await expect(ada.page.locator("link[rel=icon]")).to_have_attribute("href", "/favicon.svg")

    for line in ("Hello", "Are you there?"):
        await bob.say(line)
    await expect(ada.page).to_have_title("(2) Spider Race")
    await expect(ada.page.locator("link[rel=icon]")).to_have_attribute("data-sign", "•")
    await ada.page.evaluate(LOOK_AWAY, False)
    await expect(ada.page).to_have_title("Spider Race")
    await ada.on("race")

    assert (await recorded(ada, "locks"))[-1:] == ["screen"]
    await ada.gives_up()
    await ada.page.wait_for_function("() => window.locks.at(-1) === 'released'", polling=50)
    bob.close()


async def test_nobody_is_asked_for_permissions_unasked(address: str, browser: Browser) -> None:
    context = await browser.new_context(**DESKTOP, service_workers="block")
    await context.add_init_script(RECORD)
    ada = await Person.of(context, address)
    await ada.practise()
    await expect(ada.page.locator("#deal")).to_be_enabled()
    await ada.page.wait_for_function("() => window.locks.includes('screen')")  # it is loaded
    assert await ada.page.evaluate("() => Notification.permission") == "default"
    assert await recorded(ada, "told") == []
