"""A room in a hidden tab, and the screen that stays on."""

from typing import Any

import pytest
from playwright.async_api import expect

from protocol.vocabulary import SeatState
from tests.e2e.pages import DESKTOP, Person
from tests.e2e.wire import join

pytestmark = pytest.mark.browser

TICK_HZ, GO_HZ = 520, 1_040
COUNTED = ["6…", "5…", "4…", "3…", "2…", "1…", "Go!", "Spider Race"]
# A hidden tab gets its animation frames only when it is shown again.
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
window.titles = []; window.signs = []; window.notices = []; window.locks = []; window.tones = [];
const {start} = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) {
  window.tones.push(this.frequency.value);
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
  constructor(title) { window.notices.push(title); }
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


async def test_a_hidden_tab_counts_down_sounds_and_notifies(unhurried: str) -> None:
    async def recorded(name: str) -> list[Any]:
        found: list[Any] = await ada.page.evaluate("(name) => window[name]", name)
        return found

    ada = await Person.at(unhurried, **DESKTOP, script=RECORD)
    page = ada.page

    # Practice keeps the screen on without asking for permission.
    await ada.practise()
    await expect(page.locator("#deal")).to_be_enabled()
    await page.wait_for_function("() => window.locks.includes('screen')")
    assert await page.evaluate("() => Notification.permission") == "default"
    assert await recorded("notices") == []
    await page.goto(unhurried)

    link = await ada.create("Ada")
    notify = page.locator("#notify")
    await expect(notify).to_have_attribute("aria-pressed", "false")
    await notify.click()
    await expect(notify).to_have_attribute("aria-pressed", "true")
    bob = await join(unhurried, link, "Bob")
    await expect(page.locator("#players")).to_contain_text("Bob")
    await page.click("#ready")
    await bob.wait_until(lambda race: race.room.seats[0].state is SeatState.READY)
    await page.evaluate(TWO_FRAMES)  # an earlier frame would show the countdown
    await page.evaluate(LOOK_AWAY, True)
    await bob.ready()
    await page.wait_for_function("(hz) => window.tones.includes(hz)", arg=GO_HZ, polling=50)
    await expect(page).to_have_title("Spider Race")
    assert TICK_HZ in await recorded("tones")
    # Each number stays for a second. A busy page may skip one, or guess the time at first.
    titles = [title.partition(" · ")[0] for title in await recorded("titles")]
    counted = titles[next(i for i, title in enumerate(titles) if title.endswith("…")) :]
    assert counted == [title for title in COUNTED if title in counted]
    assert {*await recorded("signs")} & {*"12345"}
    assert await recorded("notices") == ["The race is about to start"]
    await ada.on("room")  # drawing waits for a frame
    await expect(page.locator("link[rel=icon]")).to_have_attribute("href", "/favicon.svg")

    for line in ("Hello", "Are you there?"):
        await bob.say(line)
    await expect(page).to_have_title("(2) Spider Race")
    await expect(page.locator("link[rel=icon]")).to_have_attribute("data-sign", "•")
    await page.evaluate(LOOK_AWAY, False)
    await expect(page).to_have_title("Spider Race")
    await ada.on("race")
    assert (await recorded("locks"))[-1:] == ["screen"]
    await ada.gives_up()
    await page.wait_for_function("() => window.locks.at(-1) === 'released'", polling=50)
