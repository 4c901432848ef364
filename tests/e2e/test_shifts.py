"""Nothing on the table moves but what somebody moves."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from server.games import actions
from tests.e2e.pages import DESKTOP, PHONE, SHORT_COUNTDOWN_MS, Person, serving
from tests.e2e.wire import join, play
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


@pytest.mark.complains("WebSocket connection to", "net::ERR_")
@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_words_of_a_lost_connection_keep_their_place(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    """Words of one line and of two took turns at each try, and moved by half a line."""
    with serving(tmp_path) as address:
        ada = await Person.at(address, **how)
        await ada.practise()
        await expect(ada.page.locator("#connection")).to_have_attribute("data-connection", "on")
        await ada.page.evaluate(WATCH_WORDS)
    places = await ada.page.evaluate("window.places")
    assert {state for state, *_ in places} == {"waiting", "connecting"}
    assert len({tuple(place) for _, *place in places}) == 1, places


@pytest.mark.complains("WebSocket connection to", "net::ERR_")
@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_news_move_nothing(tmp_path: Path, how: dict[str, Any]) -> None:
    with serving(tmp_path, countdown_ms=SHORT_COUNTDOWN_MS) as address:
        ada = await Person.at(address, **how)
        await ada.page.check("[name=game][value=spider-1]", force=True)
        link = await ada.create("Ada")
        bob = await join(address, link, "Bob")
        await bob.ready()
        await ada.page.click("#ready")
        await bob.wait_for_table()
        await ada.on("race")
        mine, his = one_suit_game(), one_suit_game()
        await ada.sees(mine)
        await ada.page.evaluate(WATCH)
        for action in one_suit_win()[:12]:
            await ada.do(mine, action)
        await ada.page.wait_for_timeout(STILL_MS)
        for action in one_suit_win()[:30]:  # Bob takes the lead
            await play(bob, [action])
            his.apply(action)
            await asyncio.sleep(0.1)  # each act is a piece of news
        row = ada.page.locator('#standings [data-seat="1"]')
        await expect(row).to_contain_text(str(his.score))
        await bob.say("Look at me!")
        await expect(ada.page.locator("#chat-badge")).to_be_visible()
        for _ in range(3):
            await ada.do(mine, actions.DEAL)
        await ada.page.wait_for_timeout(STILL_MS)
        await ada.page.click("#undo")  # a deal is not taken back: refused, in words
        await expect(ada.page.locator("#status")).to_contain_text("deal")
        await bob.forfeit()
        await expect(row).to_have_attribute("data-state", "FORFEIT")
        await ada.page.wait_for_timeout(STILL_MS)
        bob.close()
    line = ada.page.locator("#connection")
    await expect(line).to_have_attribute("data-connection", "waiting")
    await ada.page.wait_for_timeout(STILL_MS)
    shifts = await ada.page.evaluate("() => window.shifts")
    moved = [shift for shift in shifts if not shift["card"] or not shift["asked"]]
    assert not moved, moved
