"""Pictures of every screen, on a desk and on a phone: `make screenshots`, then look at them.

`python -m tests.e2e.screenshots [FOLDER]`; the README's own stand beside this file.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.e2e.pages import DESKTOP, PHONE, Person, chromium, serving
from tests.games.wins import SEED, one_suit_game, one_suit_win

FOLDER = Path(__file__).parent / "screenshots"
PLAYED = 45


async def take(address: str, folder: Path) -> None:
    """Two people play a race; each screen is kept as they see it."""
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP, color_scheme="light")
        bob = await Person.at(browser, address, **PHONE, color_scheme="dark")

        async def keep(name: str) -> None:
            for person, size in ((ada, "desk"), (bob, "phone")):
                await person.page.screenshot(path=folder / f"{name}-{size}.png")

        await keep("landing")
        await ada.page.check("[name=game][value=spider-1]", force=True)
        link = await ada.create("Ada")
        await bob.page.goto(link)
        await bob.join("Bob")
        await keep("room")
        await bob.page.click("#ready")
        await ada.page.click("#ready")
        for person in (ada, bob):
            await person.on("countdown")
        await keep("countdown")
        for person in (ada, bob):
            await person.on("race")
        mine, his = one_suit_game(), one_suit_game()
        await ada.sees(mine)
        await bob.sees(his)
        for action in one_suit_win()[:PLAYED]:
            await ada.do(mine, action)
        for action in one_suit_win()[: PLAYED // 2]:
            await bob.do(his, action)
        await ada.page.wait_for_timeout(1_500)
        await keep("race")
        for action in one_suit_win()[PLAYED:]:
            await ada.do(mine, action)
        await bob.page.click("#forfeit")
        await bob.page.click("#ask-yes")
        for person in (ada, bob):
            await person.on("results")
        await ada.page.wait_for_timeout(1_500)
        await keep("results")


def main(arguments: list[str]) -> None:
    """Takes all pictures."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data_dir,
        serving(Path(data_dir), SEED.hex()) as address,
    ):
        asyncio.run(take(address, folder))
    print(f"Look at {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
