"""People who use the pages of the game in a real Chromium."""

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
from server.games.cards import card_names
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
# Otherwise every window starts a process for the suggestions below the address bar.
WINDOWED = ["--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"]
PATIENCE_MS = 100_000
"""Long, since no test judges speed, but shorter than the time after which pytest ends a test."""
expect.set_options(timeout=PATIENCE_MS)
SHORT_COUNTDOWN_MS = 400
"""The countdown for tests about something else."""
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
STILL: dict[str, Any] = {"reduced_motion": "reduce"}
"""For all tests but the ones about motion: an idle page then needs a fifth of the CPU time."""
MOVING: dict[str, Any] = {"reduced_motion": "no-preference"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}

# The page ignores a second deal that comes sooner, as part of a double click.
NO_DOUBLE_DEAL = "(at) => Date.now() - at > 500"

CORNER: Any = {"x": 8, "y": 6}
"""A point on a card that no other card of its column covers."""

BROWSERS: list[Browser] = []
"""The browser of this process."""

WAIT_FOR_FRAME = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
IS_ON = "(screen) => document.body?.dataset.screen === screen"

Piles = dict[str, list[str | None]]

ACTED = re.compile(r'\{"type": ?"acted"')

KNOWS_HOW_TO_PLAY = "try { localStorage.setItem('spider-race.lesson', 'true'); } catch {}"

# Wait until some piles have these cards; return the cards, right or wrong.
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

# The resting place of a card. A mouse that goes there too early picks up the card below.
READ_REST = """async (element) => {
  await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
  const board = element.offsetParent.getBoundingClientRect();
  return {x: board.x + element.offsetLeft, y: board.y + element.offsetTop};
}"""


# Wait until a script finds nothing amiss, since a layout may still settle; return its findings.
SETTLE = """async (argument) => {
  const until = performance.now() + 60_000;
  for (;;) {
    const found = (FIND)(argument);
    if (found.length === 0 || performance.now() > until) return found;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)));
  }
}"""


# Wait until the page obeys its route; return how many requests came too early.
OBEYS = """async () => {
  let missed = 0;
  while ((await fetch('/healthz?routed')).status !== 204) missed += 1;
  return missed;
}"""


async def routed(page: Page, files: str | re.Pattern[str], answer: Callable[[Route], Any]) -> None:
    """Answer the requests of a page for some files from now on.

    The browser confirms a route before the page obeys it, so wait for that.
    """
    await page.route(files, answer)
    await page.route(re.compile(r"/healthz\?routed$"), lambda route: route.fulfill(status=204))
    await page.evaluate(OBEYS)


async def amiss(page: Page, find: str, argument: object = None) -> list[Any]:
    """Return the faults that a script finds on a page whose layout has settled."""
    found: list[Any] = await page.evaluate(SETTLE.replace("FIND", find), argument)
    return found


# Otherwise a click may hit another card: one that glides may stand still for two frames.
AT_REST = "(each) => Promise.allSettled(each.getAnimations().map(({finished}) => finished))"


@contextmanager
def serving(data_dir: Path, *options: str, countdown_ms: int = COUNTDOWN_MS) -> Iterator[str]:
    """Run a server process; yield its address."""
    chosen = (str(countdown_ms), "--data-dir", str(data_dir), *options)
    with process_of("tests.e2e.serve", *chosen) as (_, address):
        yield address


@contextmanager
def process_of(module: str, *options: str) -> Iterator[tuple[int, str]]:
    """Run a program that serves on the loopback; yield its process id and its address."""
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
    """Run the system's Chromium, or the one at a path, without a window."""
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
    """Somebody who uses a page. The test fails at its end if the page has complained."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    """Errors of the page, and on its console."""
    dealt_at: float | None = None
    """The page's time at its last deal."""
    acts: int = 0
    """How many acts of this page the server has answered so far."""

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
        """Open an address in a new browser, on a `DESKTOP` or a `PHONE`.

        Unless a test asks for it, the person is no novice, has unfolded the rules, and has no
        motion and no service worker. `script` runs before the page's; `prepare` gets the browser.
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
        """Wait until the server has answered so many acts of this page."""
        async with asyncio.timeout(PATIENCE_MS / 1_000):
            while self.acts < acts:
                self._answered.clear()
                await self._answered.wait()

    def _handle_line(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.complaints.append(line.text)

    async def on(self, screen: str) -> None:
        """Wait for a screen."""
        await self.page.wait_for_function(IS_ON, arg=screen, polling=20)

    async def create(self, name: str, *, rules_open: bool = False) -> str:
        """Open a room, and perhaps its rules; return its link."""
        await self.gives_name(name)
        await self.page.click("#create")
        await self.on("room")
        if rules_open:
            await self.opens_rules()
        return self.page.url

    async def gives_name(self, name: str) -> None:
        """Type a name on the front page, which asks for it when it opens a table."""
        kept = await self.page.locator("#rename").is_visible()
        await self.page.click("#rename" if kept else "#create")
        await self.page.fill("#name", name)

    async def opens_rules(self) -> None:
        """Open the rules of the room, where a host finds the settings."""
        button = self.page.locator("#change-rules")
        if await button.get_attribute("aria-expanded") == "false":
            await button.click()
        await expect(self.page.locator("#table-rules")).to_be_visible()

    async def invites(self) -> None:
        """Open the invitation, with the link and the codes."""
        await self.page.click("#invite")
        await expect(self.page.locator("#invitation")).to_be_visible()

    async def has_stepped_back(self) -> None:
        """Wait until the page has left the history entry that guards a race, as in a reload."""
        await self.page.wait_for_function("() => !history.state?.race")

    async def practise(self, game: str | None = None) -> None:
        """Start a practice game of this kind, or of the chosen one."""
        if game is not None:
            await self.page.check(f"[name=game][value={game}]", force=True)
        await self.gives_name("Ada")
        await self.page.click("#practice")
        await self.on("race")

    async def join(self, name: str, button: str = "#join", screen: str = "room") -> None:
        """Join the room of the page's address, or `#watch` it, and wait for a screen."""
        await self.on("join")
        await self.page.fill("#name", name)
        await self.page.click(button)
        await self.on(screen)

    async def gives_up(self) -> None:
        """Give up, confirm it, and wait for the server."""
        await self.page.click("#forfeit")
        await self.page.click("#ask-yes")
        await expect(self.page.locator("#forfeit")).to_be_hidden()

    async def sees(self, game: Game) -> None:
        """Wait until the page shows exactly the table of `game`, except the stock."""
        wanted = shown(game)
        piles: Piles = await self.page.evaluate(WAIT_FOR_CARDS, wanted)
        assert piles == wanted

    def card(self, game: Game, pile: int, index: int) -> Locator:
        """Return a card of the player's table; boards of others may linger for a moment."""
        name = game.variant.pile_names[pile]
        return self.page.locator(f'[data-in="{name}"][data-index="{index}"]:not(.miniature *)')

    def end(self, game: Game, pile: int) -> Locator:
        """Return the place to drop cards on a pile: its last card, or its empty place."""
        cards = game.pile(pile).cards
        if cards:
            return self.card(game, pile, len(cards) - 1)
        return self.page.locator(f'[data-pile="{game.variant.pile_names[pile]}"]')

    @asynccontextmanager
    async def makes(self, game: Game, action: Action) -> AsyncIterator[None]:
        """After a gesture, wait for the answer to its act, and until page and `game` agree."""
        acts = self.acts
        yield
        game.apply(action)
        await self.has_acted(acts + 1)
        await self.sees(game)

    async def do(self, game: Game, *log: Action, drag: bool = False) -> None:
        """Make actions on the page and on `game`."""
        for action in log:
            async with self.makes(game, action):
                match actions.kind(action):
                    case ActionKind.MOVE:
                        await (self.drag if drag else self.click)(game, action)
                    case ActionKind.DEAL:
                        await self.deals()
                    case kind:
                        await self.page.click(f"#{kind.name.lower()}")

    async def deals(self) -> None:
        """Deal a row, but late enough for the page to accept a second deal."""
        if self.dealt_at is not None:
            await self.page.wait_for_function(NO_DOUBLE_DEAL, arg=self.dealt_at)
        await self.page.click("#deal")
        self.dealt_at = await self.page.evaluate("Date.now()")

    def ends(self, game: Game, action: Action) -> tuple[Locator, Locator]:
        """Return the first card of a move and its destination."""
        source, target = actions.source(action), actions.target(action)
        cards = game.pile(source).cards
        return self.card(game, source, len(cards) - actions.count(action)), self.end(game, target)

    async def click(self, game: Game, action: Action) -> None:
        """Click on the cards of a move and on their destination."""
        first, target = self.ends(game, action)
        await first.evaluate(AT_REST)
        await first.click(position=CORNER)
        await target.evaluate(AT_REST)
        await target.click()

    async def drag(self, game: Game, action: Action) -> None:
        """Drag the cards of a move to their destination."""
        first, target = self.ends(game, action)
        start, end = await first.evaluate(READ_REST), await target.evaluate(READ_REST)
        mouse = self.page.mouse
        await mouse.move(start["x"] + 8, start["y"] + 6)
        await mouse.down()
        await mouse.move(end["x"] + 8, end["y"] + 20, steps=6)
        await mouse.up()


PEOPLE: list[Person] = []
"""Everybody who has opened a page in the current test."""


async def race(host: Person, *others: Person) -> None:
    """Make everybody ready and start the race."""
    for person in (*others, host):
        await person.page.click("#ready")
    for person in (*others, host):
        await person.on("race")


async def given_up(*people: Person) -> None:
    """Let everybody give up, so that the race ends without a winner."""
    for person in people:
        await person.gives_up()
    for person in people:
        await person.on("results")


def game_of(name: str) -> Game:
    """Return the game that the tests' server deals, with its usual rules."""
    return new_game(Rules(name, score=GAMES[name].scores[0]), secret_deck(name, SEED))


def shown(game: Game) -> Piles:
    """Return the cards that a page must show."""
    piles: Piles = {}
    for index, spec in enumerate(game.variant.piles):
        down, cards = game.pile(index)
        if spec.role == "tableau" and cards:
            piles[spec.id] = [
                None if place < down else name for place, name in enumerate(card_names(cards))
            ]
    return piles
