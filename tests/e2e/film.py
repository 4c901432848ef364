"""A film of a whole race, from the front page to the rematch: `make film`, then look at it.

`python -m tests.e2e.film [FILE]`. A desk and a phone stand side by side. Two people open a room
and race for about two minutes; both play with the real page against a real server.
"""

import argparse
import asyncio
import base64
import random
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import imageio_ffmpeg
from playwright.async_api import CDPSession, expect

from server.games.actions import DEAL, Action
from tests.e2e.pages import DESKTOP, Person, chromium, serving
from tests.e2e.wire import on_the_wire
from tests.games.wins import one_suit_game, one_suit_win

FILE = Path("film.mp4")
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
HEIGHT = 800
FRAMES_S = 25
LOOK_S = 2.5
"""The time in which a viewer understands a new screen."""
SEED = 5

# A film shows no pointer by itself.
POINTER = """addEventListener('DOMContentLoaded', () => {
  const dot = document.createElement('div');
  Object.assign(dot.style, {
    position: 'fixed', left: '-9px', top: '-9px', width: '18px', height: '18px',
    borderRadius: '50%', zIndex: 2147483647, background: '#ffffffb0', boxShadow: '0 0 0 2px #000a',
    pointerEvents: 'none', transform: 'translate(-99px, -99px)',
  });
  dot.ariaHidden = 'true';
  document.documentElement.append(dot);
  const follow = ({clientX: x, clientY: y}) => (dot.style.transform = `translate(${x}px, ${y}px)`);
  for (const type of ['pointermove', 'pointerdown'])
    addEventListener(type, follow, {capture: true, passive: true});
});"""


@dataclass
class Reel:
    """The frames of a page. A page sends one only when it changes."""

    folder: Path
    session: CDPSession
    times: list[float] = field(default_factory=list)
    """The time of each frame, in seconds."""
    tasks: set[asyncio.Task[Any]] = field(default_factory=set)

    @classmethod
    async def of(cls, person: Person, folder: Path) -> "Reel":
        """Begins to film a page."""
        reel = cls(folder, await person.page.context.new_cdp_session(person.page))
        reel.session.on("Page.screencastFrame", reel._keep)
        await reel.session.send("Page.startScreencast", {"format": "jpeg", "quality": 90})
        return reel

    def _keep(self, frame: dict[str, Any]) -> None:
        self._path(len(self.times)).write_bytes(base64.b64decode(frame["data"]))
        self.times.append(frame["metadata"]["timestamp"])
        acknowledged = self.session.send(
            "Page.screencastFrameAck", {"sessionId": frame["sessionId"]}
        )
        task = asyncio.ensure_future(acknowledged)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def end(self) -> None:
        """Ends the film."""
        await self.session.send("Page.stopScreencast")

    def _path(self, frame: int) -> Path:
        return self.folder / f"{frame:05}.jpg"

    def write(self, start: float, end: float) -> Path:
        """Write the list of the frames with their durations; the first one stands from `start`."""
        changes = [start, *self.times[1:], end]
        lines = ["ffconcat version 1.0"]
        for frame in range(len(self.times)):
            seconds = max(0.0, changes[frame + 1] - changes[frame])
            lines += [f"file {self._path(frame).name}", f"duration {seconds:.4f}"]
        path = self.folder / "frames.ffconcat"
        path.write_text("\n".join(lines) + "\n")
        return path


def develop(reels: Sequence[Reel], film: Path) -> None:
    """Put the reels side by side into one file."""
    start = min(reel.times[0] for reel in reels)
    end = max(reel.times[-1] for reel in reels) + LOOK_S
    inputs = [part for reel in reels for part in ("-i", str(reel.write(start, end)))]
    scaled = [f"[{i}]fps={FRAMES_S},scale=-2:{HEIGHT}[s{i}]" for i in range(len(reels))]
    together = "".join(f"[s{i}]" for i in range(len(reels))) + f"hstack={len(reels)}[film]"
    subprocess.run(
        [
            imageio_ffmpeg.get_ffmpeg_exe(),
            *("-y", "-loglevel", "error"),
            *inputs,
            *("-filter_complex", ";".join([*scaled, together]), "-map", "[film]"),
            *("-c:v", "libx264", "-crf", "27", "-pix_fmt", "yuv420p", "-movflags", "+faststart"),
            str(film),
        ],
        check=True,
    )


async def look(seconds: float = LOOK_S) -> None:
    """Keeps the present picture for a moment."""
    await asyncio.sleep(seconds)


async def meet(ada: Person, bob: Person) -> None:
    """Ada opens a room, and Bob comes by its link."""
    await look()
    await ada.page.locator("#name").press_sequentially("Ada", delay=90)
    await ada.page.check("[name=game][value=spider-1]", force=True)
    await look(1)
    await ada.page.click("#create")
    await ada.on("room")
    await look()
    await ada.page.click("#invite")
    await look()
    await ada.page.keyboard.press("Escape")
    await bob.page.goto(ada.page.url)
    await bob.on("join")
    await look(1)
    await bob.page.locator("#name").press_sequentially("Bob", delay=90)
    await bob.page.click("#join")
    await bob.on("room")
    await look()


async def start(*people: Person) -> None:
    """All are ready, one after the other."""
    for person in people:
        await person.page.click("#ready")
        await look(1)
    for person in people:
        await person.on("race")


async def play(person: Person, acts: Sequence[Action], pause_s: float) -> None:
    """Plays a part of a win, partly by drags, as a mouse would."""
    game, chance = one_suit_game(), random.Random(SEED)
    for action in acts:
        await person.do(game, action, drag=chance.random() < 0.5 and action != DEAL)
        await look(pause_s)


async def film_race(address: str, folders: Sequence[Path]) -> list[Reel]:
    """Two people meet, race, look at the results, and begin again."""
    async with chromium(), on_the_wire():
        ada = await Person.at(address, **DESKTOP, script=POINTER)
        bob = await Person.at(address, **PHONE, script=POINTER, color_scheme="dark")
        reels = [
            await Reel.of(person, folder)
            for person, folder in zip((ada, bob), folders, strict=True)
        ]
        await meet(ada, bob)
        await ada.opens_rules()
        await ada.page.uncheck("#set-winnable")  # the deal is the one whose win is known here
        await ada.page.click("#rules-done")
        await start(bob, ada)
        slow = asyncio.create_task(play(bob, one_suit_win()[:60], 1))
        await play(ada, one_suit_win(), 0)
        await look()
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        await bob.gives_up()
        for person in (ada, bob):
            await person.on("results")
        await look(4)
        for person in (ada, bob):
            await person.page.mouse.wheel(0, 600)
        await look(4)
        for person in (bob, ada):
            await person.page.click("#rematch")
            await look(1)
        await expect(ada.page.locator("body")).to_have_attribute("data-screen", "race")
        await look()
        for reel in reels:
            await reel.end()
        return reels


def main() -> None:
    """Film a race."""
    parser = argparse.ArgumentParser(description="Film a race from the front page to the rematch.")
    parser.add_argument("film", nargs="?", type=Path, default=FILE)
    chosen = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as desk,
        tempfile.TemporaryDirectory() as phone,
        tempfile.TemporaryDirectory() as data_dir,
    ):
        with serving(Path(data_dir)) as address:
            reels = asyncio.run(film_race(address, (Path(desk), Path(phone))))
        develop(reels, chosen.film)
    print(f"Look at {chosen.film}")


if __name__ == "__main__":
    main()
