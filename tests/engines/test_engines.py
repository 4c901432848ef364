"""A short race of two in each engine: clicks, drags, keys, a reload, a lost connection, results.

All other browser tests drive a current Chromium.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from spider_race_client import connect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.game import Game
from tests.e2e.pages import (
    SHORT_COUNTDOWN_MS,
    WAIT_FOR_CARDS,
    Person,
    chromium,
    given_up,
    serving,
    shown,
)
from tests.e2e.wire import play, port_of
from tests.engines.firefox import firefox_path, running_firefox
from tests.engines.webkit import running_webkit, webkit_path
from tests.engines.window import Window
from tests.games.wins import one_suit_game, one_suit_win
from tests.server.relay import relayed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

DESK, PHONE = (1280, 800), (390, 844)
CLICKED, PLAYED, FIRST_DEAL, LAST = 2, 4, 21, 2
"""Acts of the win: clicks, then drags, the first deal by key, and clicks at the end."""

IS_READY = """() => document.body.dataset.screen === 'race'
  && document.querySelector('#connection').dataset.connection === 'on'
  && document.querySelector('#deal')?.disabled === false
  && document.querySelector('#standings [data-own]') !== null
  && document.readyState === 'complete' && document.fonts.status === 'loaded'"""
HAS_TAKEN = "() => document.querySelector('[data-marks~=held], [data-marks~=chosen]') !== null"
TOKENS_ARE_ROUND = """() => [...document.querySelectorAll('#standings li')].every((row) => {
  const token = getComputedStyle(row.querySelector('[data-part=turned]'), '::after');
  const hasMoved = row.dataset.own === undefined || Number.parseFloat(token.left) > 0;
  return hasMoved && token.width === token.height && row.scrollHeight <= row.offsetHeight;
})"""
WATCH_THE_CONNECTION = """() => {
  const line = document.querySelector('#connection');
  new MutationObserver(() => { window.wasCut ||= line.dataset.connection !== 'on'; })
    .observe(line, {attributes: true});
}"""

Running = Callable[[], AbstractAsyncContextManager[Any]]
ENGINES: dict[str, tuple[Callable[[], object], Running]] = {
    "firefox": (firefox_path, running_firefox),
    "webkit": (webkit_path, running_webkit),
}
OLDEST = Path("~/.cache/spider-race/chromium-111.0.0").expanduser()
"""The folder where `.ci/engines` puts the oldest supported Chromium."""
MIXED_COLOURS = "--enable-blink-features=CSSColor4"
"""Released versions of 111 have `color-mix()`; this build is a few weeks older."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("engines"), countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


@pytest.mark.parametrize("name", ENGINES)
async def test_two_race_to_the_end(name: str, address: str) -> None:
    path, running = ENGINES[name]
    if path() is None:
        pytest.skip(f"{name} is not on this machine")
    win, game = one_suit_win(), one_suit_game()
    async with running() as window_of, relayed(port_of(address)) as relay:
        ada, bob = Window(await window_of()), Window(await window_of())
        await ada.engine.resize(*DESK)
        await bob.engine.resize(*PHONE)
        await ada.open(f"http://127.0.0.1:{relay.port}/")
        await ada.click("#create")
        await ada.write("#name", "Ada")
        await ada.click("#create")
        await ada.on("room")
        await bob.open(await ada.engine.call("() => location.href"))
        await bob.write("#name", "Bob")
        await bob.click("#join")
        await bob.on("room")
        await ada.sees("#players", "Bob")
        await bob.click("#ready")
        await bob.sees("#ready", "Cancel")
        await ada.click("#ready")
        for window in (ada, bob):
            await window.until(IS_READY)
            await sees(window, game)
        for number, action in enumerate(win[:PLAYED]):
            await act(ada, game, action, by_drag=number >= CLICKED)
        await ada.sees("#standings [data-own]", str(game.score))
        await ada.until(TOKENS_ARE_ROUND)

        await race_on(ada, game, win[PLAYED:FIRST_DEAL])
        await ada.open(await ada.engine.call("() => location.href"))
        await ada.until(IS_READY)
        await act(ada, game, win[FIRST_DEAL])
        await ada.engine.call(WATCH_THE_CONNECTION)
        relay.cut()
        await ada.until("() => window.wasCut === true")
        await ada.until(IS_READY)
        await act(ada, game, win[FIRST_DEAL + 1])

        await race_on(ada, game, win[FIRST_DEAL + 2 : -LAST])
        for action in win[-LAST:]:
            await act(ada, game, action)
        await bob.sees("#standings", "990")
        await bob.click("#forfeit")
        await bob.click("#ask-yes")
        for window in (ada, bob):
            await window.on("results")
            await window.sees("#winner", "Ada")
            await window.until(
                "() => document.querySelector('#verified')?.dataset.verdict === 'good'"
            )
            assert await window.engine.call("() => window.faults") == []


@pytest.mark.night  # tests/client/engines finds code that it does not support
@pytest.mark.skipif(not OLDEST.exists(), reason="the oldest Chromium is not on this machine")
async def test_the_oldest_chromium_plays(address: str) -> None:
    async with chromium(str(OLDEST), "--headless", MIXED_COLOURS):
        ada = await Person.at(address)
        await ada.practise("spider-1")
        game = one_suit_game()
        for number, action in enumerate(one_suit_win()[: FIRST_DEAL + 1]):
            await ada.do(game, action, drag=number % 2 == 0)
        await given_up(ada)
        assert ada.complaints == []


async def sees(window: Window, game: Game) -> None:
    """Wait until the page shows exactly the table of `game`, except the stock."""
    wanted = shown(game)
    while await window.engine.call(WAIT_FOR_CARDS, wanted) != wanted:
        pass  # it has waited for a while


async def act(window: Window, game: Game, action: Action, *, by_drag: bool = False) -> None:
    """Make an action on the page and on `game`, and wait until they agree."""
    match actions.kind(action):
        case ActionKind.MOVE:
            source, target = actions.source(action), actions.target(action)
            names, there = game.variant.pile_names, len(game.pile(target).cards)
            index = len(game.pile(source).cards) - actions.count(action)
            first = f'[data-in="{names[source]}"][data-index="{index}"]'
            last = f'[data-in="{names[target]}"][data-index="{there - 1}"]'
            place = last if there else f'[data-pile="{names[target]}"]'
            if by_drag:
                await window.drag(first, place)
            else:
                await window.click(first)
                await window.until(HAS_TAKEN)
                await window.click(place)
        case ActionKind.DEAL:
            await window.engine.press("d")
        case kind:
            await window.click(f"#{kind.name.lower()}")
    game.apply(action)
    await sees(window, game)


async def race_on(window: Window, game: Game, log: Sequence[Action]) -> None:
    """Make acts at the same seat over the wire; then let the page take it back."""
    link = await window.engine.call("() => location.href")
    seats = json.loads(await window.engine.call("() => localStorage.getItem('spider-race.seats')"))
    held = seats[link.rpartition("/")[2]]
    async with connect(link) as client:
        player = await client.resume(link, held["seat"], held["token"])
        await player.wait_for_table()
        await window.sees("dialog#ask[open]", "Play here")
        await play(player, log)
    for action in log:
        game.apply(action)
    await window.click("#ask-yes")
    await window.until("() => document.querySelector('dialog#ask[open]') === null")
    await window.until(IS_READY)
    await sees(window, game)
