"""Pages of the game in a real Chromium, and what a person does there."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Route,
    async_playwright,
    expect,
)

from protocol.games import GAMES
from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.cards import card_name
from server.games.deals import new_game, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.rooms.events import COUNTDOWN_MS
from tests.chromium import SHELL, chromium_path
from tests.games.wins import SEED

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Every window would start a process of its own for the suggestions below an address bar.
WINDOWED = ["--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"]
PATIENCE_MS = 100_000
"""No test judges how fast a page is. What never comes is told before pytest ends the test."""
expect.set_options(timeout=PATIENCE_MS)
SHORT_COUNTDOWN_MS = 400
"""For tests that are not about the countdown; their servers count down no longer."""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""The wish of everybody but those who look at motion: an idle page computes a fifth then."""
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}

# A second deal that comes sooner is ignored, as that of a double click.
NO_DOUBLE_DEAL = "(at) => Date.now() - at > 500"

CORNER: Any = {"x": 8, "y": 6}
"""A place on a card that no other card of its column covers."""

BROWSERS: list[Browser] = []
"""The browser of this process."""

IS_ON = "(screen) => document.body?.dataset.screen === screen"

Piles = dict[str, list[str | None]]

ACTED = re.compile(r'\{"type": ?"acted"')

KNOWS_HOW_TO_PLAY = "try { localStorage.setItem('spider-race.lesson', 'true'); } catch {}"

# The cards of some piles, as soon as they are those, or else as they are in the end.
WAIT_FOR_CARDS = """async (wanted) => {
  const until = performance.now() + 100_000;
  for (;;) {
    const piles = {};
    for (const {dataset: {in: pile, index, card}} of document.querySelectorAll('[data-in]'))
      if (pile in wanted) (piles[pile] ??= [])[Number(index)] = card ?? null;
    const same = Object.entries(wanted).every(
      ([pile, cards]) => String(piles[pile]) === String(cards));
    if (same || performance.now() > until) return piles;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}"""

UNFOLDED = """try {
  localStorage.getItem('spider-race.rules') ?? localStorage.setItem('spider-race.rules', '"open"');
} catch {}"""

# Where something rests. A mouse that goes there while it is still gliding takes what lies below.
READ_REST = """async (element) => {
  await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
  const board = element.offsetParent.getBoundingClientRect();
  return {x: board.x + element.offsetLeft, y: board.y + element.offsetTop};
}"""


# What is found amiss, as soon as that is nothing, or else in the end: a layout may still settle.
SETTLE = """async (argument) => {
  const until = performance.now() + 60_000;
  for (;;) {
    const found = (FIND)(argument);
    if (found.length === 0 || performance.now() > until) return found;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
  }
}"""


# The requests of a page that its route did not answer, before the first one that it did.
OBEYS = """async () => {
  let missed = 0;
  while ((await fetch('/healthz?routed')).status !== 204) missed += 1;
  return missed;
}"""


async def routed(page: Page, files: str | re.Pattern[str], answer: Callable[[Route], Any]) -> None:
    """Answer the requests of a page for some files from now on.

    The browser confirms a route before the page obeys it: a request that follows at once passes.
    """
    await page.route(files, answer)
    await page.route(re.compile(r"/healthz\?routed$"), lambda route: route.fulfill(status=204))
    await page.evaluate(OBEYS)


async def amiss(page: Page, find: str, argument: object = None) -> list[Any]:
    """Return what a script finds amiss on a page whose layout has settled."""
    found: list[Any] = await page.evaluate(SETTLE.replace("FIND", find), argument)
    return found


# A click may meet another card where one is still gliding, although it stood for two frames.
AT_REST = "(each) => Promise.allSettled(each.getAnimations().map(({finished}) => finished))"


@contextmanager
def serving(data_dir: Path, *options: str, countdown_ms: int = COUNTDOWN_MS) -> Iterator[str]:
    """A server process of its own; yields its address."""
    chosen = (str(countdown_ms), "--data-dir", str(data_dir), *options)
    with process_of("tests.e2e.serve", *chosen) as (_, address):
        yield address


@contextmanager
def process_of(module: str, *options: str) -> Iterator[tuple[int, str]]:
    """A process that serves on the loopback; yields its id and its address."""
    where = [] if "--host" in options else ["--host", "127.0.0.1"]
    where += [] if "--port" in options else ["--port", "0"]
    process = subprocess.Popen(
        [sys.executable, "-m", module, *options, *where], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        yield process.pid, process.stdout.readline().split()[-1]
    finally:
        process.terminate()
        process.communicate(timeout=60)


@asynccontextmanager
async def chromium(path: str | None = None, *more: str) -> AsyncIterator[Browser]:
    """The system's Chromium, without a window, in which people open their pages; or another."""
    path = path or chromium_path()
    assert path is not None, "the browser tests need Chromium on the PATH"
    flags = [*FLAGS, *more, *([] if path.endswith(SHELL) else WINDOWED)]
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=flags)
        BROWSERS.append(browser)
        try:
            yield browser
        finally:
            BROWSERS.remove(browser)
            await browser.close()


@dataclass
class Person:
    """Somebody in front of a page. A test fails at its end if the page has complained."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """Errors of the page and on its console."""
    dealt_at: float | None = None
    """The page's time at its last deal."""
    acts: int = 0
    """How many acts of this page the server has answered."""

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE_MS)
        self._answered = asyncio.Event()
        self.page.on("websocket", lambda line: line.on("framereceived", self._handle_frame))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._handle_line)
        PEOPLE.append(self)

    @classmethod
    async def at(
        cls,
        address: str,
        *,
        novice: bool = False,
        script: str = "",
        prepare: Callable[[BrowserContext], Awaitable[object]] | None = None,
        **how: Any,
    ) -> "Person":
        """Opens an address in a browser of their own, on a `DESKTOP` or a `PHONE`.

        They know how to play, have unfolded the rules, and have no motion and no service worker,
        unless a test wants that. A `script` runs before the page's; `prepare` gets the browser.
        """
        context = await BROWSERS[-1].new_context(**{**STILL, "service_workers": "block", **how})
        for each in (script, UNFOLDED, "" if novice else KNOWS_HOW_TO_PLAY):
            await context.add_init_script(each)
        if prepare:
            await prepare(context)
        person = cls(await context.new_page())
        await person.page.goto(address)
        return person

    def _handle_frame(self, frame: str | bytes) -> None:
        if ACTED.match(str(frame)):
            self.acts += 1
            self._answered.set()

    async def has_acted(self, acts: int) -> None:
        """Waits until the server has answered so many acts since the page was opened."""
        async with asyncio.timeout(PATIENCE_MS / 1_000):
            while self.acts < acts:
                self._answered.clear()
                await self._answered.wait()

    def _handle_line(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.complaints.append(line.text)

    async def on(self, screen: str) -> None:
        """Waits for a screen."""
        await self.page.wait_for_function(IS_ON, arg=screen, polling=20)

    async def create(self, name: str, *, rules_open: bool = False) -> str:
        """Opens a room, and its rules if they are to be changed; returns its link."""
        await self.gives_name(name)
        await self.page.click("#create")
        await self.on("room")
        if rules_open:
            await self.opens_rules()
        return self.page.url

    async def gives_name(self, name: str) -> None:
        """Types a name on the front page, which asks for it when it opens a table."""
        kept = await self.page.locator("#rename").is_visible()
        await self.page.click("#rename" if kept else "#create")
        await self.page.fill("#name", name)

    async def opens_rules(self) -> None:
        """Opens the rules of the room, among which a host finds the form of the settings."""
        button = self.page.locator("#change-rules")
        if await button.get_attribute("aria-expanded") == "false":
            await button.click()
        await expect(self.page.locator("#table-rules")).to_be_visible()

    async def invites(self) -> None:
        """Opens the invitation, with the link and the codes."""
        await self.page.click("#invite")
        await expect(self.page.locator("#invitation")).to_be_visible()

    async def has_stepped_back(self) -> None:
        """Waits until the page has left the entry that guards a race: that step ends a reload."""
        await self.page.wait_for_function("() => !history.state?.race")

    async def practise(self, game: str | None = None) -> None:
        """Begins a practice game alone, of another game than the chosen one if it is named."""
        if game is not None:
            await self.page.check(f"[name=game][value={game}]", force=True)
        await self.gives_name("Ada")
        await self.page.click("#practice")
        await self.on("race")

    async def join(self, name: str) -> None:
        """Sits down in the room of the page's address."""
        await self.on("join")
        await self.page.fill("#name", name)
        await self.page.click("#join")
        await self.on("room")

    async def watch(self, name: str) -> None:
        """Watches the room of the page's address."""
        await self.page.fill("#name", name)
        await self.page.click("#watch")
        await self.on("room")

    async def gives_up(self) -> None:
        """Gives up, confirms it, and waits until the server has heard it."""
        await self.page.click("#forfeit")
        await self.page.click("#ask-yes")
        await expect(self.page.locator("#forfeit")).to_be_hidden()

    async def sees(self, game: Game) -> None:
        """Waits until the page shows exactly the table of `game`, the stock aside."""
        wanted = shown(game)
        piles: Piles = await self.page.evaluate(WAIT_FOR_CARDS, wanted)
        assert piles == wanted

    def card(self, game: Game, pile: int, index: int) -> Locator:
        """One card of the own table; the boards of others may be there for a moment more."""
        name = game.variant.pile_names[pile]
        return self.page.locator(f'[data-in="{name}"][data-index="{index}"]:not(.miniature *)')

    def end(self, game: Game, pile: int) -> Locator:
        """Where cards are put on a pile: its last card, or its place on the table."""
        cards = game.pile(pile).cards
        if cards:
            return self.card(game, pile, len(cards) - 1)
        return self.page.locator(f'[data-pile="{game.variant.pile_names[pile]}"]')

    @asynccontextmanager
    async def makes(self, game: Game, action: Action) -> AsyncIterator[None]:
        """Waits after a gesture for the answer to its act, and until page and `game` agree."""
        acts = self.acts
        yield
        game.apply(action)
        await self.has_acted(acts + 1)
        await self.sees(game)

    async def do(self, game: Game, action: Action, *, drag: bool = False) -> None:
        """Makes an action on the page and on `game`."""
        async with self.makes(game, action):
            match actions.kind(action):
                case ActionKind.MOVE:
                    await (self.drag if drag else self.click)(game, action)
                case ActionKind.REMOVE:
                    await self.page.click("#remove")
                case ActionKind.DEAL:
                    await self.deals()
                case kind:
                    await self.page.click(f"#{kind.name.lower()}")

    async def deals(self) -> None:
        """Deals a row, not before the page takes a second deal for one that is meant."""
        if self.dealt_at is not None:
            await self.page.wait_for_function(NO_DOUBLE_DEAL, arg=self.dealt_at)
        await self.page.click("#deal")
        self.dealt_at = await self.page.evaluate("Date.now()")

    def ends(self, game: Game, action: Action) -> tuple[Locator, Locator]:
        """The first card of a move, and where it goes."""
        source, target = actions.source(action), actions.target(action)
        cards = game.pile(source).cards
        return self.card(game, source, len(cards) - actions.count(action)), self.end(game, target)

    async def click(self, game: Game, action: Action) -> None:
        """Clicks on the cards of a move and on their place."""
        first, target = self.ends(game, action)
        await first.evaluate(AT_REST)
        await first.click(position=CORNER)
        await target.evaluate(AT_REST)
        await target.click()

    async def drag(self, game: Game, action: Action) -> None:
        """Drags the cards of a move to their place."""
        first, target = self.ends(game, action)
        start, end = await first.evaluate(READ_REST), await target.evaluate(READ_REST)
        mouse = self.page.mouse
        await mouse.move(start["x"] + 8, start["y"] + 6)
        await mouse.down()
        await mouse.move(end["x"] + 8, end["y"] + 20, steps=6)
        await mouse.up()


PEOPLE: list[Person] = []
"""All whose pages the present test has opened."""


async def race(host: Person, *others: Person) -> None:
    """All are ready, and the race begins."""
    for person in (*others, host):
        await person.page.click("#ready")
    for person in (*others, host):
        await person.on("race")


async def given_up(*people: Person) -> None:
    """All give up, and the race is over without a winner."""
    for person in people:
        await person.gives_up()
    for person in people:
        await person.on("results")


def game_of(name: str) -> Game:
    """The game that everybody gets at the tests' server, by its usual rules."""
    return new_game(Rules(name, score=GAMES[name].scores[0]), secret_deck(name, SEED))


def shown(game: Game) -> Piles:
    """What a page must show of a game."""
    piles: Piles = {}
    for index, spec in enumerate(game.variant.piles):
        down, cards = game.pile(index)
        if spec.role == "tableau" and cards:
            piles[spec.id] = [
                None if place < down else card_name(card) for place, card in enumerate(cards)
            ]
    return piles
