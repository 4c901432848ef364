"""Pictures of every main screen, on a desk by day and on a phone by night; or a film of a race.

`python -m tests.tools.pictures [FOLDER] [--locale de-DE]`, or with `--film [FILE]`. Both
drive the real page in Chromium against a real server. Look at what they leave.
"""

import argparse
import asyncio
import base64
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, expect
from spider_race_client import Race

from server.games.actions import DEAL, Action
from tests.e2e.pages import DESKTOP, MOVING, PHONE, Person, chromium, race, serving
from tests.e2e.wire import join, on_the_wire, play
from tests.games.wins import one_suit_game, one_suit_win

DESK, HAND = ("desk", 1280, 800), ("phone", 390, 844)
COUNTDOWN_MS = 5_000
PATIENCE_MS = 180_000
"""A review comes late, at the lowest priority of the system."""
OTHERS = ("Cleo", "Maximiliane-Friederike", "\u05d3\u05e0\u05d4", "Eli", "Finn", "Gül")
"""Players without a page, so that lists have a length and names of all kinds."""
PLAYED = 45
SETTLE_S = 0.5
# A race is as large as its window.
SCROLLS = "() => !['race', 'countdown'].includes(document.body.dataset.screen)"


@dataclass
class Camera:
    """Takes screens."""

    folder: Path

    async def keep(self, name: str, person: Person) -> None:
        """Take a screen in each look, of the whole page where it is longer than the window."""
        page = person.page
        for look, width, height in (DESK, HAND):
            await page.set_viewport_size({"width": width, "height": height})
            await page.emulate_media(color_scheme="dark" if look == "phone" else "light")
            await page.evaluate("() => scrollTo(0, 0)")
            await asyncio.sleep(SETTLE_S)
            path = self.folder / f"{name}-{look}.png"
            await page.screenshot(path=path, full_page=await page.evaluate(SCROLLS))
        await page.set_viewport_size(DESKTOP["viewport"])

    async def open(self, button: str, name: str, person: Person) -> None:
        """Take what a button opens and Escape closes."""
        await person.page.click(button)
        await self.keep(name, person)
        await person.page.keyboard.press("Escape")


async def before_the_race(
    camera: Camera, ada: Person, bob: Person, don: Person
) -> tuple[str, list[Race]]:
    """The front page, pages of no room, a link, and the room; returns the link and the others."""
    front = ada.page.url
    await camera.keep("landing", ada)
    await camera.open("#preferences", "preferences", ada)
    await ada.page.click("#tips")
    await expect(ada.page.locator("#little-spider")).to_be_visible()
    await camera.keep("strategy", ada)
    await ada.page.goto(front)
    await don.page.goto(f"{front}r/ZZZZZZZ")
    await don.on("missing")
    await camera.keep("missing", don)
    link = await ada.create("Ada")
    await camera.open("#invite", "invitation", ada)
    await ada.opens_rules()
    await ada.page.uncheck("#set-winnable")  # else the deal may be one from the pool
    await ada.page.select_option("#set-spectate", "boards")
    await ada.page.fill("#set-board-delay-s", "0")
    await ada.page.press("#set-board-delay-s", "Tab")
    others = [await join(front, link, name) for name in OTHERS]
    await bob.page.goto(link)
    await bob.on("join")
    await camera.keep("join", bob)
    await bob.join("Bob")
    await don.page.goto(link)
    await don.on("join")
    await don.watch("Donatella")
    await camera.keep("rules", ada)
    await ada.page.click("#rules-done")
    await others[0].say("Hello from afar!")
    await camera.keep("room", ada)
    return link, others


async def in_the_race(
    camera: Camera, ada: Person, bob: Person, don: Person, others: list[Race]
) -> None:
    """The countdown, tables, what may lie over them, the boards, and the own end."""
    for other in others:
        await other.ready()
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    await bob.on("countdown")
    await camera.keep("countdown", bob)
    for person in (ada, bob, don):
        await person.on("race")
    game = one_suit_game()
    await ada.sees(game)
    await asyncio.gather(
        *(play(other, one_suit_win()[: 7 * n]) for n, other in enumerate(others, 1))
    )
    for action in one_suit_win()[:PLAYED]:
        await ada.do(game, action)
    await camera.keep("race", ada)
    await camera.keep("boards", don)
    await camera.open("#forfeit", "question", ada)
    await camera.open("#chat-toggle", "chat", ada)
    await camera.open("#help", "help", ada)
    await bob.gives_up()
    await camera.keep("own-end", bob)
    for other in others:
        await other.forfeit()
    await ada.page.click("#game-over-look")  # all others are done, and the page asks what now
    for action in one_suit_win()[PLAYED:]:
        await ada.do(game, action)


async def after_the_race(camera: Camera, ada: Person, bob: Person, don: Person, link: str) -> None:
    """The results, a rematch that is wanted, and the link to the result with its review."""
    for person in (ada, bob):
        await person.on("results")
    await expect(ada.page.locator("#boards")).to_be_visible()
    await camera.keep("results", ada)
    await ada.page.click("#rematch")
    await expect(bob.page.locator("#next-steps")).to_be_visible()
    await camera.keep("rematch", bob)
    await don.page.goto(f"{link}/1")
    await don.on("finished")
    reviewed = don.page.locator("#ranking button").first
    await expect(reviewed).to_be_visible(timeout=PATIENCE_MS)
    await camera.keep("finished", don)


async def alone(camera: Camera, eve: Person) -> None:
    """The lesson of practice, a match of 1987, and a race against the computer."""
    front = eve.page.url
    await eve.gives_name("Eve")
    await eve.page.click("#practice")
    await expect(eve.page.locator("#lesson-dialog")).to_be_visible()
    await camera.keep("lesson", eve)
    await eve.page.goto(front)
    await eve.create("Eve", rules_open=True)
    await eve.page.check("[name=preset][value=dos-hard]")
    await eve.page.click("#start")
    await eve.on("race")
    await camera.keep("exceptions", eve)
    await eve.gives_up()
    await eve.on("results")
    await camera.keep("match", eve)
    await eve.page.goto(front)
    await eve.page.click('[data-strength="club"]')
    await eve.on("race")
    await camera.keep("computer", eve)


async def take_pictures(address: str, folder: Path, locale: str) -> None:
    """Take all screens."""
    camera, how = Camera(folder), {**DESKTOP, **MOVING, "locale": locale}
    async with chromium(), on_the_wire():
        await alone(camera, await Person.at(address, **how, novice=True))
        ada, bob, don = [await Person.at(address, **how) for _ in range(3)]
        link, others = await before_the_race(camera, ada, bob, don)
        await in_the_race(camera, ada, bob, don, others)
        await after_the_race(camera, ada, bob, don, link)


HEIGHT = 800
FRAMES_S = 25
LOOK_S = 2.5
"""The time in which a viewer understands a new screen."""


@dataclass
class Reel:
    """The frames of a page. A page sends one only when it changes."""

    folder: Path
    session: CDPSession
    times: list[float] = field(default_factory=list)
    """The time of each frame, in seconds."""
    acknowledged: list[asyncio.Future[Any]] = field(default_factory=list)

    @classmethod
    async def of(cls, person: Person, folder: Path) -> "Reel":
        """Begin to film a page."""
        reel = cls(folder, await person.page.context.new_cdp_session(person.page))
        reel.session.on("Page.screencastFrame", reel._keep)
        await reel.session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
        return reel

    def _keep(self, frame: dict[str, Any]) -> None:
        path = self.folder / f"{len(self.times):05}.jpg"
        path.write_bytes(base64.b64decode(frame["data"]))
        self.times.append(frame["metadata"]["timestamp"])
        answer = self.session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})
        self.acknowledged.append(asyncio.ensure_future(answer))

    def write(self, start: float, end: float) -> Path:
        """Write the list of the frames with their durations; the first one stands from `start`."""
        changes = [start, *self.times[1:], end]
        lines = ["ffconcat version 1.0"]
        for frame in range(len(self.times)):
            seconds = max(0.0, changes[frame + 1] - changes[frame])
            lines += [f"file {frame:05}.jpg", f"duration {seconds:.4f}"]
        path = self.folder / "frames.ffconcat"
        path.write_text("\n".join(lines) + "\n")
        return path


def develop(reels: Sequence[Reel], film: Path) -> None:
    """Put the reels side by side into one file."""
    import imageio_ffmpeg  # noqa: PLC0415  # only the group `film` has it

    start = min(reel.times[0] for reel in reels)
    end = max(reel.times[-1] for reel in reels) + LOOK_S
    inputs = [part for reel in reels for part in ("-i", str(reel.write(start, end)))]
    scaled = "".join(f"[{i}]fps={FRAMES_S},scale=-2:{HEIGHT}[s{i}];" for i in range(len(reels)))
    together = "".join(f"[s{i}]" for i in range(len(reels))) + f"hstack={len(reels)}[film]"
    options = ["-filter_complex", scaled + together, "-map", "[film]"]
    options += ["-c:v", "libx264", "-crf", "27", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-y", "-loglevel", "error", *inputs, *options]
    subprocess.run([*command, str(film)], check=True)


async def race_by_hand(person: Person, acts: Sequence[Action], pause_s: float) -> None:
    """Play a part of a win, partly by drags, as a mouse would."""
    game = one_suit_game()
    for number, action in enumerate(acts):
        await person.do(game, action, drag=number % 2 == 0 and action != DEAL)
        await asyncio.sleep(pause_s)


async def film_race(address: str, folders: Sequence[Path]) -> list[Reel]:
    """Two people meet, race, look at the results, and begin again."""
    async with chromium(), on_the_wire():
        phone = {**PHONE, **MOVING, "is_mobile": False, "device_scale_factor": 1}
        ada = await Person.at(address, **DESKTOP, **MOVING)
        bob = await Person.at(address, **phone, color_scheme="dark")
        both = (ada, bob)
        reels = [await Reel.of(each, folder) for each, folder in zip(both, folders, strict=True)]
        await asyncio.sleep(LOOK_S)
        await ada.page.check("[name=game][value=spider-1]", force=True)
        await ada.page.click("#create")
        await ada.page.locator("#name").press_sequentially("Ada", delay=90)
        await ada.page.click("#create")
        await ada.on("room")
        await asyncio.sleep(LOOK_S)
        await ada.opens_rules()
        await ada.page.uncheck("#set-winnable")  # the deal is the one whose win is known here
        await ada.page.click("#rules-done")
        await bob.page.goto(ada.page.url)
        await bob.on("join")
        await bob.page.locator("#name").press_sequentially("Bob", delay=90)
        await bob.page.click("#join")
        await bob.on("room")
        await asyncio.sleep(LOOK_S)
        await race(ada, bob)
        slow = asyncio.create_task(race_by_hand(bob, one_suit_win()[:60], 1))
        await race_by_hand(ada, one_suit_win(), 0)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        await bob.gives_up()
        for person in both:
            await person.on("results")
            await asyncio.sleep(2 * LOOK_S)
            await person.page.mouse.wheel(0, 600)
        for person in (bob, ada):
            await asyncio.sleep(LOOK_S)
            await person.page.click("#rematch")
        await ada.on("race")
        await asyncio.sleep(LOOK_S)
        for reel in reels:
            await reel.session.send("Page.stopScreencast")
        return reels


def main() -> None:
    """Take all pictures, or the film."""
    parser = argparse.ArgumentParser(description="Take pictures of every screen, or film a race.")
    parser.add_argument("into", nargs="?", type=Path, help="a folder, or the file of the film")
    parser.add_argument("--film", action="store_true")
    parser.add_argument("--locale", default="en-GB")
    chosen = parser.parse_args()
    into = chosen.into or Path("film.mp4" if chosen.film else "screenshots")
    with tempfile.TemporaryDirectory() as scratch:
        data, desk, phone = (Path(scratch, name) for name in ("data", "desk", "phone"))
        for folder in (data, desk, phone):
            folder.mkdir()
        if chosen.film:
            with serving(data) as address:
                reels = asyncio.run(film_race(address, (desk, phone)))
            develop(reels, into)
        else:
            into.mkdir(parents=True, exist_ok=True)
            options = ("--thinkers", "1", "--bots", "10")
            with serving(data, *options, countdown_ms=COUNTDOWN_MS) as address:
                asyncio.run(take_pictures(address, into, chosen.locale))
    print(f"Look at {into}")


if __name__ == "__main__":
    main()
