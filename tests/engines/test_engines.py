"""A race of two in each engine: click, drag and keys, a reload, a cut line, the results.

Chromium of today is what all other browser tests drive. Pictures are left in the folder that
`SPIDER_RACE_PICTURES` names.
"""

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from spider_race_client import connect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.game import Game
from tests.e2e.pages import SHORT_COUNTDOWN_MS, WAIT_FOR_CARDS, serving, shown
from tests.e2e.wire import play, port_of
from tests.engines.chromium import oldest_chromium_path, running_oldest_chromium
from tests.engines.firefox import FirefoxWindow, firefox_path, running_firefox
from tests.engines.webkit import running_webkit, webkit_path
from tests.engines.window import Engine, Window
from tests.games.wins import one_suit_game, one_suit_win
from tests.server.relay import relayed

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

DESK, PHONE = (1280, 800), (390, 844)
CLICKED, DRAGGED, FIRST_DEAL, LAST = 4, 10, 21, 6
"""Acts of the win: the first are clicked, the next are dragged, and those up to the first deal are
made by keys where two digits are enough. The last ones are clicked; the wire makes the rest."""
LEAST_PICTURE_BYTES = 15_000
"""A picture of nothing but one colour has some 3,000."""

CONNECTED = "document.querySelector('#connection').dataset.connection === 'on'"
WATCH_THE_CONNECTION = f"""() => {{
  const look = () => {{ window.wasCut ||= !({CONNECTED}) }};
  new MutationObserver(look).observe(
    document.querySelector('#connection'), {{attributes: true}});
}}"""


class Browser(Protocol):
    """A running browser."""

    async def window(self) -> Engine:
        """Open a window of another person."""


Running = Callable[[], AbstractAsyncContextManager[Any]]
ENGINES: dict[str, tuple[Callable[[], object], Running]] = {
    "firefox": (firefox_path, running_firefox),
    "webkit": (webkit_path, running_webkit),
    "chromium-111": (oldest_chromium_path, running_oldest_chromium),
}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("engines"), countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


@asynccontextmanager
async def running(name: str) -> AsyncIterator[Browser]:
    path, run = ENGINES[name]
    if path() is None:
        pytest.skip(f"{name} is not on this machine")
    async with run() as browser:
        yield browser


@pytest.mark.parametrize("name", ENGINES)
async def test_two_race_to_the_end(name: str, address: str, tmp_path: Path) -> None:
    win, game = one_suit_win(), one_suit_game()
    pictures = Path(os.environ.get("SPIDER_RACE_PICTURES", tmp_path))
    async with running(name) as browser, relayed(port_of(address)) as relay:
        ada, bob = Window(await browser.window()), Window(await browser.window())
        await ada.engine.resize(*DESK)
        await bob.engine.resize(*PHONE)
        await ada.open(f"http://127.0.0.1:{relay.port}/")
        await ada.write("#name", "Ada")
        await ada.click("#create")
        await ada.on("room")
        await bob.open(await ada.read("() => location.href"))
        await bob.write("#name", "Bob")
        await bob.click("#join")
        await bob.on("room")
        await bob.click("#ready")
        await ada.sees("#players", "Bob")
        await shows(ada, pictures / f"{name}-room.png")
        await ada.click("#ready")
        for window in (ada, bob):
            await window.on("race")
        await sees(ada, game)
        await sees(bob, game)

        for number, action in enumerate(win[: FIRST_DEAL + 1]):
            await act(
                ada, game, action, by_drag=CLICKED <= number < DRAGGED, by_keys=number >= DRAGGED
            )
        await ada.sees("#standings [data-own]", str(game.score))
        await shows(ada, pictures / f"{name}-race.png")
        await shows(bob, pictures / f"{name}-race-phone.png")

        await ada.open(await ada.read("() => location.href"))
        await sees(ada, game)
        await ada.read(WATCH_THE_CONNECTION)
        relay.cut()
        await ada.until(f"() => window.wasCut && {CONNECTED}")
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
        await shows(ada, pictures / f"{name}-results.png")
        await shows(bob, pictures / f"{name}-results-phone.png")
        assert await ada.read("() => window.faults") == []
        assert await bob.read("() => window.faults") == []


async def sees(window: Window, game: Game) -> None:
    """Wait until the page shows exactly the table of `game`, the stock aside."""
    wanted = shown(game)
    assert await window.read(WAIT_FOR_CARDS, wanted) == wanted


async def act(
    window: Window, game: Game, action: Action, *, by_drag: bool = False, by_keys: bool = False
) -> None:
    """Make an action on the page and on `game`, and wait until they agree."""
    match actions.kind(action):
        case ActionKind.MOVE:
            await move(window, game, action, by_drag=by_drag, by_keys=by_keys)
        case ActionKind.DEAL:
            await window.engine.press("d")
        case kind:
            await window.click(f"#{kind.name.lower()}")
    game.apply(action)
    await sees(window, game)


async def move(
    window: Window, game: Game, action: Action, *, by_drag: bool, by_keys: bool
) -> None:
    """Make a move by dragging, by two digits where they can mean only this, or by two clicks."""
    source, target = actions.source(action), actions.target(action)
    names = game.variant.pile_names
    cards = game.pile(source).cards
    first = f'[data-in="{names[source]}"][data-index="{len(cards) - actions.count(action)}"]'
    there = len(game.pile(target).cards)
    last = f'[data-in="{names[target]}"][data-index="{there - 1}"]'
    place = last if there else f'[data-pile="{names[target]}"]'
    alike = [
        each
        for each in game.legal_actions()
        if actions.kind(each) is ActionKind.MOVE
        and (actions.source(each), actions.target(each)) == (source, target)
    ]
    if by_drag:
        await window.drag(first, place)
    elif len(alike) == 1 and by_keys:
        for column in (source, target):
            await window.engine.press(str((column + 1) % 10))
    else:
        await window.click(first)
        await window.click(place)


async def race_on(window: Window, game: Game, log: Sequence[Action]) -> None:
    """Make acts over the wire while the page is closed, and open it again."""
    link = await window.read("() => location.href")
    code = link.rpartition("/")[2]
    seats = json.loads(await window.read("() => localStorage.getItem('spider-race.seats')"))
    await window.engine.open("about:blank")
    async with connect(link) as client:
        player = await client.resume(link, **seats[code])
        await player.wait_for_table()
        await play(player, log)
    for action in log:
        game.apply(action)
    await window.open(link)
    await window.on("race")
    await sees(window, game)


async def shows(window: Window, path: Path) -> None:
    """Take a picture, which shows something."""
    picture = await window.engine.picture()
    assert len(picture) > LEAST_PICTURE_BYTES
    save(path, picture)


def save(path: Path, picture: bytes) -> None:
    """Write a picture into a folder that may not exist yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(picture)


# The page draws nothing while it is hidden, although Firefox serves a frame now and then.
WATCH_A_HIDDEN_TAB = """() => {
  window.requestAnimationFrame = () => 0;
  window.titles = [];
  new MutationObserver(() => window.titles.push(document.title))
    .observe(document.querySelector('title'), {childList: true});
}"""
NOTE_NOTIFICATIONS = """() => {
  window.told = [];
  window.Notification = class {
    static permission = 'granted';
    static async requestPermission() { return 'granted'; }
    constructor(title) { window.told.push(title); }
  };
}"""


async def test_a_hidden_tab_tells_of_the_start(address: str) -> None:
    async with running("firefox") as browser:
        window = await browser.window()
        assert isinstance(window, FirefoxWindow)
        ada = Window(window)
        await ada.open(address)
        await ada.write("#name", "Ada")
        await ada.click("#create")
        await ada.on("room")
        async with connect(address) as client:
            bob = await client.join(await ada.read("() => location.href"), "Bob", kind="person")
            await ada.sees("#players", "Bob")
            await ada.read(NOTE_NOTIFICATIONS)
            await ada.click("#notify")
            await ada.click("#ready")
            await ada.read(WATCH_A_HIDDEN_TAB)
            await window.hide()
            await ada.until("() => document.visibilityState === 'hidden'")
            await bob.ready()
            await ada.until("() => window.titles.some((each) => each.startsWith('Go!'))")
            assert await ada.read("() => window.told") == ["The race is about to start"]
