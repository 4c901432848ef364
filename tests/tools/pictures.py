"""Pictures of the page: the README's two, or every main screen.

`python -m tests.tools.pictures` takes the README's. With a FOLDER it takes every screen at
two sizes: `[--locale de-DE] [--engine firefox|webkit] [--dark]`. `--beside OTHERS` puts each next
to the picture of the same name in another folder. Page and server are real.
"""

import argparse
import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Page
from spider_race_client import Race, fetch_review

from protocol.from_client import Keep
from server.games.actions import ActionKind, kind
from server.live.days import day_of, days_from
from tests.e2e.pages import MOVING, SHORT_COUNTDOWN_MS, chromium, serving
from tests.e2e.wire import create, join, on_the_wire, play, start_race
from tests.engines.firefox import running_firefox
from tests.engines.webkit import running_webkit
from tests.engines.window import Window, with_arguments
from tests.games.wins import one_suit_win

DESK, PHONE = (1280, 800), (390, 844)
README = Path("tests/e2e/screenshots")
COLOURS = 192
"""So few that a picture has some 100 KB."""
SETTLE_S = 1.5
REVIEW_S = 120
"""A review comes late, at the lowest priority of the system."""
DAY_S = 86_400
CLICK = "(selector) => document.querySelector(selector).click()"
KEEP = """(kept) => { for (const [name, value] of Object.entries(kept))
  localStorage.setItem(`spider-race.${name}`, JSON.stringify(value)); }"""
IS_THERE = "(selector) => document.querySelector(selector) !== null"
HEIGHT = "() => document.documentElement.scrollHeight"
TALLEST = 4_000
WIN = one_suit_win()
SUITS = [at for at, action in enumerate(WIN) if kind(action) is ActionKind.REMOVE]
"""The number of acts after which each suit of the win can come home."""
_END = len(WIN)
RESULTS = (
    *(("Mia", 221, _END), ("tschakka", 238, _END), ("Finn", 242, _END), ("Aylin", 260, _END)),
    *(("Hanna", 271, _END), ("\u05d3\u05e0\u05d4", 290, _END), ("Olga", 335, _END)),
    *(("Maximiliane-Friederike", 372, _END), ("berti", 420, SUITS[6]), ("Gül", 431, SUITS[4])),
    *(("Mr. Web", 500, SUITS[4]), ("Eli", 620, SUITS[2]), ("Sibel", 655, 30)),
)
"""The results of today's race, in order: name, seconds and acts."""
HANNA = 4
OTHERS = ("Finn", "Aylin", "Jonas")
LIMIT_S = 900
RULES: dict[str, Any] = {"game": "spider-1", "spectate": "boards", "winnable": False}
"""A winnable deal would differ from the one of `WIN`."""
PACES = (
    (SUITS[4] + 2, 10, 0.8),
    (SUITS[5], 14, 1.1),
    (SUITS[4], 14, 0.9),
    (SUITS[2] + 4, 14, 1.3),
)
"""The acts of Hanna and the others, their minutes, and their haste (1 is an even pace)."""

EVENING = ((0, 1, 2), (1, 0, 2), (1, 2, 0), (0, 2, 1), (1, 0, 2), (2, 1, 0))
"""The winner, the second and the loser of each race of an evening at a kept table."""
PLAYED = (_END, _END, SUITS[4])
"""Their acts."""


class ChromiumWindow:
    """A window of Chromium, with the methods of the other engines' windows."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def open(self, url: str) -> None:
        await self._page.goto(url)

    async def call(self, function: str, *arguments: Any) -> Any:
        return await self._page.evaluate(with_arguments(function, arguments))

    async def resize(self, width: int, height: int) -> None:
        await self._page.set_viewport_size({"width": width, "height": height})

    async def shoot(self, path: Path) -> None:
        await self._page.screenshot(path=path)


@asynccontextmanager
async def running_chromium(
    scheme: str, locale: str
) -> AsyncIterator[Callable[[], Awaitable[ChromiumWindow]]]:
    """Run Chromium; yield a function that opens windows."""
    async with chromium() as browser:

        async def window() -> ChromiumWindow:
            how: dict[str, Any] = {**MOVING, "color_scheme": scheme, "locale": locale}
            context = await browser.new_context(**how, service_workers="block")
            return ChromiumWindow(await context.new_page())

        yield window


@dataclass
class Studio:
    """Opens pages of a server, moves its clock, and takes pictures."""

    address: str
    clock: Path
    folder: Path
    window: Callable[[], Awaitable[Any]]
    language: str
    beside: Path | None
    sizes: tuple[tuple[int, int], ...] = (DESK, PHONE)
    shift_s: float = -DAY_S

    async def at(self, path: str, **kept: Any) -> Window:
        """Open a page in a browser that has stored these values."""
        window = Window(await self.window())
        await window.engine.resize(*DESK)
        await window.engine.open(f"{self.address}icons/touch.png")
        await window.engine.call(KEEP, {"language": self.language, **kept})
        await window.open(path if "://" in path else f"{self.address}{path}")
        return window

    async def seat(self, player: Race, screen: str) -> Window:
        """Let a player continue on a page, in a browser."""
        player.close()
        seats = {player.code: {"seat": player.seat, "token": player.token}}
        window = await self.at(player.link, seats=seats)
        await window.on(screen)
        return window

    def later(self, seconds: float) -> None:
        """Move the server's clock."""
        self.shift_s += seconds
        self.clock.with_suffix(".new").write_text(str(round(self.shift_s * 1_000)))
        self.clock.with_suffix(".new").replace(self.clock)  # the server reads it at any moment

    def now_s(self) -> float:
        """Return the server's time, in seconds since the epoch."""
        return time.time() + self.shift_s

    def today(self, days: int = 0) -> str:
        """Return the server's date, some days later."""
        return days_from(day_of(round(self.now_s() * 1_000)), days)

    async def keep(
        self, name: str, window: Window, before: Callable[[], Awaitable[object]] | None = None
    ) -> None:
        """Take a screen at all sizes, each after `before`, and long pages also as a whole."""
        for width, height in self.sizes:
            await window.engine.resize(width, height)
            if before:
                await before()
            await window.engine.call("() => scrollTo(0, 0)")
            await asyncio.sleep(SETTLE_S)
            await self._shoot(f"{name}-{width}x{height}", window)
            tall = await window.engine.call(HEIGHT)
            if tall > height + 1:
                await window.engine.resize(width, min(tall, TALLEST))
                await asyncio.sleep(SETTLE_S)
                await self._shoot(f"{name}-full-{width}", window)

    async def _shoot(self, name: str, window: Window) -> None:
        path = self.folder / f"{name}.png"
        await window.engine.shoot(path)
        others = sorted(self.beside.glob(f"{name}.*")) if self.beside else []
        if others:
            put_beside(path, others[0], self.folder / f"beside-{name}.png")


def put_beside(ours: Path, other: Path, into: Path) -> None:
    """Join two pictures, ours on the right."""
    left, right = Image.open(other).convert("RGB"), Image.open(ours).convert("RGB")
    both = Image.new("RGB", (left.width + right.width, max(left.height, right.height)), "white")
    both.paste(left, (0, 0))
    both.paste(right, (left.width, 0))
    both.save(into)


async def the_front(studio: Studio) -> None:
    """Take the front page for somebody new and for somebody who returns."""
    hanna = await play_days(studio)
    jonas = await create(studio.address, "Jonas", public=True)
    await join(studio.address, jonas.code, "Leonie")
    await start_race(studio.address, "Aylin", "Ben", "Gül", public=True, game="spider-2")
    studio.later(372)
    window = await studio.at("")
    await window.on("landing")
    await window.until(IS_THERE, "#public li")
    await studio.keep("front", window)
    if studio.sizes == (DESK,):
        return
    await window.engine.call(CLICK, "#preferences")
    await studio.keep("preferences", window)
    await window.engine.call(CLICK, "#preferences-close")
    await window.engine.call(CLICK, "#create")
    await studio.keep("front-when", window)
    cards = hanna.room.round.cards if hanna.room.round else ""
    await window.open(f"{studio.address}d/{cards}")
    await window.until(IS_THERE, "#day-best bdi")
    await studio.keep("gate", window)
    race = await create(studio.address, "Hanna", cards=cards, browser="picture")
    await race.wait_for_table()
    for acts in range(0, SUITS[2] + 1, 4):
        studio.later(4)
        await play(race, WIN[acts : min(acts + 4, SUITS[2] + 1)])
    window = await studio.seat(race, "race")
    await window.until(IS_THERE, "#standings [data-ghost]")
    await studio.keep("day-race", window)
    guest = await join(studio.address, jonas.code, "Hanna")
    known = {
        "name": "Hanna",
        "room": jonas.code,
        "history": history(studio),
        "seats": {jonas.code: {"seat": guest.seat, "token": guest.token}},
        "day": {cards: hanna.room.round.key if hanna.room.round else ""},
    }
    guest.close()
    window = await studio.at("", **known)
    await window.on("landing")
    await studio.keep("front-back", window)
    await window.open(f"{studio.address}d/{cards}")
    await window.on("day")
    await studio.keep("day", window)
    await window.open(f"{studio.address}yours")
    await window.on("yours")
    await studio.keep("yours", window)


async def play_days(studio: Studio) -> Race:
    """Let many people play the races of yesterday and today; return Hanna's game."""
    for results in (RESULTS[:3], RESULTS):
        now_s, games = 0, []
        cards = f"{studio.today()}/spider-1"
        for n, (name, _, _) in enumerate(results):
            games.append(await create(studio.address, name, cards=cards, browser=f"{n}"))
        for game, (_, seconds, acts) in zip(games, results, strict=True):
            await game.wait_for_table()
            studio.later(seconds - now_s)
            now_s = seconds
            await play(game, WIN[:acts])
            if game.is_playing:
                await game.forfeit()
        if results is not RESULTS:
            studio.later(DAY_S - now_s)
    return games[HANNA]


def history(studio: Studio) -> list[list[object]]:
    """Return stored races, in the format of `state/entries.js`."""
    rows: list[list[object]] = []
    for n in range(24):
        kind, day = ("day", studio.today(-n)) if n % 3 == 0 else ("race", None)
        place, of = (3 + n % 9, 40 + n) if day else (1 + n % 3, 3)
        rivals = [] if day else ["Finn", "Aylin" if n % 2 else "Jonas"]
        figures = [place, of, n % 4 != 3, (240 + 37 * n % 300) * 1_000, 700 + 7 * n, 120 + n]
        link = f"/d/{day}/spider-1" if day else f"/r/AAAAAAA/{n}"
        at = round(studio.now_s() * 1_000) - n * DAY_S * 500
        rows.append([f"{kind}{n}", at, kind, "spider-1", *figures, link, rivals, day, n % 4 == 3])
    return rows


async def the_lobby(studio: Studio) -> None:
    """Take the room of one, the room of four, and the page of its link."""
    host = await create(studio.address, "Hanna", **RULES)
    window = await studio.seat(host, "room")
    await studio.keep("lobby-alone", window)
    finn, aylin, jonas = [await join(studio.address, host.link, each) for each in OTHERS]
    for player in (finn, jonas):
        await player.ready()
    await aylin.say("One more coffee, then I'm there")
    await finn.say("You'll need it")
    await studio.keep("lobby-four", window)
    guest = await studio.at(host.link)
    await guest.on("join")
    await studio.keep("join", guest)


async def the_race(studio: Studio) -> None:
    """Take a race of four to its end, and its results for the loser and the winner."""
    rules = {**RULES, "time_limit_s": LIMIT_S}
    players = await start_race(studio.address, "Hanna", *OTHERS, **rules)
    hanna, finn, aylin, _ = players
    done = dict.fromkeys(players, 0)

    async def goes_on(player: Race, acts: int) -> None:
        await play(player, WIN[done[player] : acts])
        done[player] = max(done[player], acts)

    window = None
    for minute in range(1, 15):
        studio.later(60)
        if window:  # a page notices a moved clock only when it loads
            await window.open(hanna.link)
            await window.until(IS_THERE, "#standings [data-own]")
        for player, (acts, minutes, haste) in zip(players, PACES, strict=True):
            if minute <= minutes:
                await goes_on(player, round(acts * (minute / minutes) ** haste))
        if minute == PACES[0][1]:
            window = await studio.seat(hanna, "race")
    assert window is not None
    moments = iter(((finn, SUITS[5] + 1), (aylin, SUITS[4] + 1)))
    await studio.keep("race-moment", window, lambda: goes_on(*next(moments)))
    if studio.sizes == (DESK,):
        return
    await window.engine.call(CLICK, "#help")
    await studio.keep("help", window)
    await window.engine.call(CLICK, "#help-close")
    await goes_on(finn, len(WIN))
    studio.later(60)
    await window.on("results")
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REVIEW_S):
            while (await fetch_review(studio.address, hanna.code, 1)).state != "done":
                await asyncio.sleep(1)
    await studio.keep("results-loser", window)
    await studio.keep("results-winner", await studio.seat(finn, "results"))


async def the_window(studio: Studio) -> None:
    """Take a race over days, before the player's game and after it."""
    host = await create(studio.address, "Hanna", **RULES, window_s=3 * DAY_S)
    await host.start()
    done = []
    for name, acts in zip(OTHERS, (len(WIN), SUITS[3], 0), strict=True):
        player = await join(studio.address, host.link, name)
        if acts:
            await player.chase()
            await player.wait_for_table()
            await play(player, WIN[:acts])
            if player.is_playing:
                await player.forfeit()
            done.append(player)
    await studio.keep("window", await studio.seat(host, "race"))
    await studio.keep("window-played", await studio.seat(done[1], "race"))


async def win_in(studio: Studio, player: Race, seconds: float, haste: float = 1) -> None:
    """Win a game in some seconds; a haste of 1 is an even pace."""
    done, steps = 0, 40
    for step in range(1, steps + 1):
        studio.later(seconds / steps)
        acts = round(len(WIN) * (step / steps) ** haste)
        await play(player, WIN[done:acts])
        done = max(done, acts)


async def challenge_of_hanna(studio: Studio) -> str:
    """Let Hanna win a game in 6:44; return its cards."""
    rules = {**RULES, "time_limit_s": LIMIT_S, "max_players": 1}
    (hanna,) = await start_race(studio.address, "Hanna", **rules)
    await win_in(studio, hanna, 404, 0.9)
    return f"{hanna.code}/1/{hanna.seat}"


async def the_challenge(studio: Studio) -> None:
    """Take the page of a challenge for somebody new."""
    window = await studio.at(f"g/{await challenge_of_hanna(studio)}")
    await window.on("ghost")
    await window.until(IS_THERE, "#ghost-play")
    await studio.keep("challenge", window)


async def the_duel(studio: Studio) -> None:
    """Take the results of two races against a ghost: one won, one lost."""
    cards = await challenge_of_hanna(studio)
    for name, seconds, haste in (("won", 381, 1.2), ("lost", 427, 0.8)):
        finn = await create(studio.address, "Finn", cards=cards, browser=name)
        await finn.wait_for_table()
        await win_in(studio, finn, seconds, haste)
        window = await studio.seat(finn, "results")
        await window.until(IS_THERE, "#podium li")
        await studio.keep(f"duel-{name}", window)


async def the_table(studio: Studio) -> None:
    """Take a kept table a day after an evening of three, its menu, and the front page."""
    players = await start_race(studio.address, "Hanna", *OTHERS[:2], **RULES)
    hanna = players[0]
    await hanna.command(Keep(name="Friday table"))
    for n, order in enumerate(EVENING):
        if n:
            await asyncio.gather(*(player.rematch() for player in players))
            await asyncio.gather(*(player.wait_for_table() for player in players))
        for at, seconds, acts in zip(order, (221 + 9 * n, 38, 61), PLAYED, strict=True):
            studio.later(seconds)
            await play(players[at], WIN[:acts])
        await players[order[2]].forfeit()
        await asyncio.gather(*(player.wait_for_result() for player in players))
    studio.later(DAY_S)
    window = await studio.seat(hanna, "results")
    await studio.keep("table-results", window)
    await window.engine.call(CLICK, "#view-table")
    await window.until(IS_THERE, "#table-races li")
    await studio.keep("table", window)
    await window.engine.call(CLICK, "#table-menu")
    await studio.keep("table-menu", window)
    await window.engine.call(CLICK, "#table-do-carry")
    await window.until(IS_THERE, "#carry-dialog")
    await studio.keep("table-carry", window)
    await window.open(studio.address)
    await window.until(IS_THERE, "#tables [data-live]")
    await studio.keep("front-tables", window)


PARTS = {
    "front": the_front,
    "lobby": the_lobby,
    "race": the_race,
    "window": the_window,
    "challenge": the_challenge,
    "duel": the_duel,
    "table": the_table,
}


async def take(address: str, data: Path, into: Path, chosen: argparse.Namespace) -> None:
    engines: dict[str, Callable[[], AbstractAsyncContextManager[Any]]] = {
        "chromium": lambda: running_chromium("dark" if chosen.dark else "light", chosen.locale),
        "firefox": lambda: running_firefox(is_dark=chosen.dark),
        "webkit": running_webkit,
    }
    async with engines[chosen.engine]() as window, on_the_wire():
        language = chosen.locale.partition("-")[0]
        studio = Studio(address, data / "clock", into, window, language, chosen.beside)
        if chosen.into is None:
            studio.sizes = (DESK,)
        for part in chosen.only or (PARTS if chosen.into else ("front", "race")):
            await PARTS[part](studio)


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description="Take the README's pictures, or every screen's.")
    parser.add_argument("into", nargs="?", type=Path, help="a folder for every screen")
    parser.add_argument("--only", nargs="+", choices=PARTS)
    parser.add_argument("--locale", default="en-GB")
    parser.add_argument("--engine", choices=("chromium", "firefox", "webkit"), default="chromium")
    parser.add_argument("--dark", action="store_true", help="where the system is set to dark")
    parser.add_argument("--beside", type=Path, help="a folder with pictures to compare with")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        data, into = Path(scratch, "data"), chosen.into or Path(scratch, "pictures")
        data.mkdir(mode=0o700)
        (data / "clock").write_text(str(-DAY_S * 1_000))
        into.mkdir(parents=True, exist_ok=True)
        options = ("--thinkers", "1", "--bots", "10")
        os.environ["EVERY_GAME"] = "1"
        with serving(data, *options, countdown_ms=SHORT_COUNTDOWN_MS) as address:
            asyncio.run(take(address, data, into, chosen))
        if chosen.into is None:
            for name, taken in (("front", "front"), ("race", "race-moment")):
                picture = Image.open(into / f"{taken}-{DESK[0]}x{DESK[1]}.png").convert("RGB")
                few = picture.quantize(
                    COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
                )
                few.save(README / f"{name}.png", optimize=True)
    print(f"Look at {chosen.into or README}")


if __name__ == "__main__":
    main()
