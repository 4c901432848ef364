"""Ways to play on the page: with keys, or by typing moves."""

from playwright.async_api import expect

from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.cards import format_cards
from server.games.game import Game
from tests.e2e.pages import PATIENCE_MS, Person

# Record a property of some elements from now on, since a test may miss a short change.
RECORD = """([selector, property]) => {
  const seen = ((window.seen ??= {})[selector] = []);
  const look = () => {
    const now = [...document.querySelectorAll(selector)].map((each) => each[property]).join();
    if (now !== seen.at(-1)) seen.push(now);
  };
  look();
  new MutationObserver(look).observe(document,
    {attributes: true, characterData: true, childList: true, subtree: true});
}"""
SEEN = "([selector, words]) => window.seen[selector].some((each) => each.includes(words))"

# Record layout shifts from now on that no act caused. Cards and rows of the standings may move.
WATCH_SHIFTS = """() => {
  window.shifts = [];
  const keep = (list) => window.shifts.push(...list.getEntries()
    .filter((each) => !each.hadRecentInput)
    .flatMap(({sources}) => sources)
    .filter(({node}) => node && !node.parentElement?.closest('#board, #standings'))
    .map(({node, previousRect, currentRect}) =>
      `${node.outerHTML?.slice(0, 90)} ${JSON.stringify([previousRect, currentRect])}`));
  new PerformanceObserver(keep).observe({type: 'layout-shift'});
}"""

IN_FOCUS = "() => document.activeElement?.closest('#board') !== null"
SIGNS = str.maketrans({"S": "♠", "H": "♥", "D": "♦", "C": "♣", "T": "10"})


def printed(card: int) -> str:
    """Return the printed name of a card, e.g. `10♥`."""
    return format_cards([card]).translate(SIGNS)


def announcement(game: Game, action: Action) -> str:
    """Return the announcement of `action`; `game` has the state before it."""
    match actions.kind(action):
        case ActionKind.MOVE:
            source, target = actions.source(action), actions.target(action)
            down, cards = game.pile(source)
            count = actions.count(action)
            moved = [printed(card) for card in cards[-count:]]
            what = f"{moved[0]} to {moved[-1]}" if count > 3 else " ".join(moved)
            turned = (
                f"; turned {printed(cards[down - 1])}" if 0 < down == len(cards) - count else ""
            )
            return f"{what} moved to column {target + 1}{turned}."
        case ActionKind.REMOVE:
            return "Complete suit removed"
        case ActionKind.DEAL:
            return "Dealt "
        case kind:
            raise AssertionError(kind)


def longest(game: Game, source: int) -> int:
    """Return how many cards the cursor surrounds when it arrives at a column."""
    counts = [
        actions.count(each)
        for each in game.legal_actions()
        if actions.kind(each) is ActionKind.MOVE and actions.source(each) == source
    ]
    return max(counts, default=1)


async def said(person: Person, words: str) -> None:
    """Wait until the status line says this."""
    await expect(person.page.locator("#status")).to_contain_text(words)


async def record(person: Person, selector: str, what: str = "textContent") -> None:
    """Record a property of elements from now on, for `was_seen`, until the next page load."""
    await person.page.evaluate(RECORD, [selector, what])


async def was_seen(person: Person, selector: str, words: str) -> None:
    """Wait until the recorded elements have contained these words, if only for a moment."""
    await person.page.wait_for_function(SEEN, arg=[selector, words], timeout=PATIENCE_MS)


async def keeps_focus(person: Person) -> None:
    """Wait until the keys go to the board, perhaps after a dialog has closed."""
    await person.page.wait_for_function(IN_FOCUS, timeout=PATIENCE_MS)


class Keys:
    """Plays with keys alone; the cursor stays where the last key left it."""

    left, right, fewer, pick = "ArrowLeft", "ArrowRight", "ArrowDown", "Enter"
    deal, remove = "d", "r"

    def __init__(self, person: Person) -> None:
        self.person = person
        self.at: int | None = None

    async def press(self, key: str, times: int = 1) -> None:
        """Press a key some times."""
        for _ in range(times):
            await self.person.page.keyboard.press(key)

    async def go(self, column: int) -> None:
        """Move the cursor to a column."""
        if self.at is None:
            await self.press("Home")
            self.at = 0
        steps = column - self.at
        await self.press(self.right if steps > 0 else self.left, abs(steps))
        self.at = column

    async def do(self, game: Game, action: Action) -> None:
        """Make an action on the page and on `game`; check the announcement and the focus."""
        words = announcement(game, action)
        match actions.kind(action):
            case ActionKind.MOVE:
                source, target = actions.source(action), actions.target(action)
                if self.at == source:
                    await self.go(target)  # on arrival the cursor surrounds the longest run
                await self.go(source)
                await self.press(self.fewer, longest(game, source) - actions.count(action))
                await self.press(self.pick)
                await self.go(target)
                await self.press(self.pick)
            case ActionKind.REMOVE:
                await self.go(actions.source(action))
                await self.press(self.remove)
            case _:
                await self.press(self.deal)
        game.apply(action)
        await self.person.sees(game)
        if game.outcome is None:
            await said(self.person, words)
            await keeps_focus(self.person)


class ClassicKeys(Keys):
    """Plays with the keys of the manual of 1987."""

    left, right, fewer, pick = "Numpad4", "Numpad6", "Numpad2", "F1"
    deal, remove = "F9", "F3"


def typed(action: Action) -> str:
    """Return the text to type for an action."""
    match actions.kind(action):
        case ActionKind.MOVE:
            source, target = actions.source(action) + 1, actions.target(action) + 1
            return f"{source}x{actions.count(action)} {target}"
        case ActionKind.REMOVE:
            return f"r {actions.source(action) + 1}"
        case ActionKind.DEAL:
            return "d"
        case kind:
            raise AssertionError(kind)


async def enter(person: Person, action: Action) -> None:
    """Type an action without waiting for anything."""
    await person.page.keyboard.type(typed(action))
    await person.page.keyboard.press("Enter")


async def type_move(person: Person, game: Game, action: Action) -> None:
    """Make an action with the box for typed moves."""
    await enter(person, action)
    game.apply(action)
    await person.sees(game)


async def prefer(person: Person, name: str, value: object) -> None:
    """Set a preference, as the dialog would."""
    script = (
        "async ([name, value]) => (await import('/src/browser/storage.js')).prefer(name, value)"
    )
    await person.page.evaluate(script, [name, value])
