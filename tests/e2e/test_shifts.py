"""Nothing on the table moves but what somebody moves."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from server.games import actions
from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, serving
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

STILL_MS = 700
"""The browser forgives what moves within half a second of a click; news come later than that."""

WATCH = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const {value, hadRecentInput, sources} of list.getEntries())
      for (const {node} of sources)
        window.shifts.push({
          value,
          asked: hadRecentInput,
          what: node?.nodeType === 1 ? `${node.tagName}#${node.id}.${node.className}` : 'text',
          card: Boolean(node?.closest?.('#board')),
        });
  }).observe({type: 'layout-shift', buffered: false});
}"""

# Where the words about a lost connection are during two tries. A try can last less than a frame.
WATCH_WORDS = """() => {
  const places = [];
  const line = document.getElementById('connection');
  const words = document.getElementById('connection-words');
  window.places = new Promise((resolve) => {
    new MutationObserver(() => {
      const state = line.dataset.connection;
      const {x, y, height} = words.getBoundingClientRect();
      if (state !== 'on') places.push([state, Math.round(x), Math.round(y), Math.round(height)]);
      if (places.filter(([each]) => each === 'connecting').length > 1) resolve(places);
    }).observe(line, {attributeFilter: ['data-connection']});
  });
}"""


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_words_of_a_lost_connection_keep_their_place(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    """Words of one line and of two took turns at each try, and moved by half a line."""
    async with chromium() as browser:
        with serving(tmp_path) as address:
            ada = await Person.at(browser, address, **how)
            await ada.practise()
            await expect(ada.page.locator("#connection")).to_have_attribute(
                "data-connection", "on"
            )
            await ada.page.evaluate(WATCH_WORDS)
        places = await ada.page.evaluate("window.places")
        assert {state for state, *_ in places} == {"waiting", "connecting"}
        assert len({tuple(place) for _, *place in places}) == 1, places


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_news_move_nothing(tmp_path: Path, how: dict[str, Any]) -> None:
    async with chromium() as browser:
        with serving(tmp_path) as address:
            ada = await Person.at(browser, address, **how)
            bob = await Person.at(browser, address, **DESKTOP)
            await ada.page.check("[name=game][value=spider-1]", force=True)
            link = await ada.create("Ada")
            await bob.page.goto(link)
            await bob.join("Bob")
            await bob.page.click("#ready")
            await ada.page.click("#ready")
            for person in (ada, bob):
                await person.on("race")
            mine, his = one_suit_game(), one_suit_game()
            await ada.sees(mine)
            await bob.sees(his)
            await ada.page.evaluate(WATCH)
            for action in one_suit_win()[:12]:
                await ada.do(mine, action)
            await ada.page.wait_for_timeout(STILL_MS)
            for action in one_suit_win()[:30]:  # Bob takes the lead
                await bob.do(his, action)
            await expect(ada.page.locator('#standings [data-seat="1"]')).to_contain_text(
                str(his.score)
            )
            await bob.page.click("#chat-toggle")
            await bob.page.fill("#chat-line", "Look at me!")
            await bob.page.click("#chat-send")
            await expect(ada.page.locator("#chat-badge")).to_be_visible()
            for _ in range(3):
                await ada.do(mine, actions.DEAL)
            await ada.page.wait_for_timeout(STILL_MS)
            await ada.page.click("#undo")  # a deal is not taken back: refused, in words
            await expect(ada.page.locator("#status")).to_contain_text("deal")
            await bob.page.click("#forfeit")
            await bob.page.click("#ask-yes")
            await expect(ada.page.locator('#standings [data-seat="1"]')).to_have_attribute(
                "data-state", "FORFEIT"
            )
            await ada.page.wait_for_timeout(STILL_MS)
        line = ada.page.locator("#connection")
        await expect(line).to_have_attribute("data-connection", "waiting", timeout=15_000)
        await ada.page.wait_for_timeout(STILL_MS)
        shifts = await ada.page.evaluate("() => window.shifts")
        moved = [shift for shift in shifts if not shift["card"] or not shift["asked"]]
        assert not moved, moved
