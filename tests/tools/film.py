"""A film of a race, from the front page to the rematch, on a desk and a phone by night.

`python -m tests.tools.film [FILE]` drives two real pages against a real server.
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

from playwright.async_api import CDPSession

from server.games.actions import DEAL, Action
from tests.e2e.pages import DESKTOP, MOVING, PHONE, Person, chromium, race, serving
from tests.e2e.wire import on_the_wire
from tests.games.wins import one_suit_game, one_suit_win

HEIGHT = 800
FRAMES_S = 25
LOOK_S = 2.5
"""How long a viewer needs to understand a new screen."""


@dataclass
class Reel:
    """The frames of a page, which sends one only when it changes."""

    folder: Path
    session: CDPSession
    times: list[float] = field(default_factory=list)
    """The time of each frame, in seconds."""
    acknowledged: list[asyncio.Future[Any]] = field(default_factory=list)

    @classmethod
    async def of(cls, person: Person, folder: Path) -> "Reel":
        """Start filming a page."""
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
        """Write the frames and their durations to a list; the first frame starts at `start`."""
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
    """Play a part of a win, with clicks and drags."""
    game = one_suit_game()
    for number, action in enumerate(acts):
        await person.do(game, action, drag=number % 2 == 0 and action != DEAL)
        await asyncio.sleep(pause_s)


async def film_race(address: str, folders: Sequence[Path]) -> list[Reel]:
    """Let two people meet, race, look at the results, and start again."""
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
        await ada.page.uncheck("#set-winnable")  # deal the cards whose win is known here
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
            await person.page.click("#replay-open")
        for person in (bob, ada):
            await asyncio.sleep(LOOK_S)
            await person.page.click("#rematch")
        await ada.on("race")
        await asyncio.sleep(LOOK_S)
        for reel in reels:
            await reel.session.send("Page.stopScreencast")
        return reels


def main() -> None:
    """Film a race."""
    parser = argparse.ArgumentParser(description="Film a race.")
    parser.add_argument("into", nargs="?", type=Path, default=Path("film.mp4"))
    film = parser.parse_args().into
    with tempfile.TemporaryDirectory() as scratch:
        data, *folders = (Path(scratch, name) for name in ("data", "desk", "phone"))
        for folder in (data, *folders):
            folder.mkdir()
        with serving(data) as address:
            reels = asyncio.run(film_race(address, folders))
        develop(reels, film)
    print(f"Look at {film}")


if __name__ == "__main__":
    main()
