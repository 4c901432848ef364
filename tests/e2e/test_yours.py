"""The page "Your races": the list, saving, deleting, and a browser without storage."""

import asyncio
import csv
import json

import pytest
from playwright.async_api import FilePayload, Page, expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import create, race_on_the_wire

pytestmark = pytest.mark.browser

NO_STORAGE = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off') } })"
RIVAL = "W" * 24


async def plays_alone(ada: Person, *, novice: bool = False) -> None:
    """Make one act in practice, and give up."""
    await ada.practise("spider-1")
    if novice:
        await ada.page.click("#lesson-close")
    await ada.page.click("#deal")
    await ada.has_acted(1)
    await ada.gives_up()
    await ada.on("results")


async def saved(page: Page, button: str) -> str:
    """Return the text of the file that a button saves."""
    await page.click("#yours-menu")
    async with page.expect_download() as download:
        await page.click(button)
    path = await (await download.value).path()
    return await asyncio.to_thread(path.read_text, encoding="utf-8-sig")


async def test_races_are_listed_saved_and_deleted(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    await page.click("#to-yours")
    await ada.on("yours")
    await expect(page.locator("#yours-empty")).to_be_visible()
    await expect(page.locator("#yours-unstorable")).to_have_count(0)
    await page.goto(address)
    await plays_alone(ada)

    # The list opens in a new tab, and the results keep the seat. A reload adds no second entry.
    await page.reload()
    await ada.on("results")
    async with page.context.expect_page() as opened:
        await page.click("#to-yours")
    yours = await opened.value
    lines = yours.locator("#yours-list [data-entry]")
    await expect(lines).to_contain_text(["practice · gave up"])
    await expect(yours.locator("[data-game=spider-1]")).to_contain_text("1 race · 0 finished")
    await expect(yours.locator("#yours-rivals")).to_have_count(0)

    # A race that ends in the other tab appears, with its rival and a link to its page.
    await page.click("#leave")
    await ada.on("landing")
    host = await create(address, RIVAL, game="spider-1")
    await page.goto(host.link)
    await ada.join("Ada")
    await race_on_the_wire(ada, host)
    await page.click("#deal")
    await ada.has_acted(1)
    await host.forfeit()
    await ada.gives_up()
    await ada.on("results")
    await expect(lines).to_contain_text([f"with {RIVAL}", "practice · "])
    await expect(yours.locator("#yours-rivals li")).to_have_count(1)
    await expect(lines.locator("a").first).to_have_attribute("href", f"/r/{host.code}/1")

    rows = csv.DictReader((await saved(yours, "#yours-csv")).splitlines())
    assert [row["kind"] for row in rows] == ["race", "practice"]
    entries = json.loads(await saved(yours, "#yours-json"))
    assert [entry["rivals"] for entry in entries] == [[RIVAL], []]
    assert entries[0]["link"] == f"{address}r/{host.code}/1"

    # "No" changes nothing. After "Yes" the results do not add the race again.
    for answer, left in (("#ask-no", 2), ("#ask-yes", 0)):
        await yours.click("#yours-menu")
        await yours.click("#yours-delete")
        await yours.click(answer)
        await expect(lines).to_have_count(left)
    await expect(yours.locator("#yours h1")).to_be_focused()
    await expect(yours.locator("#status")).to_have_text("Your races are deleted.")
    await page.reload()
    await ada.on("results")
    await yours.reload()
    await expect(yours.locator("#yours-empty")).to_be_visible()

    # The saved file restores everything; a wrong file changes nothing.
    for name, text, said, left in (
        ("card.json", "♠", "This isn’t a file of saved races.", 0),
        ("spider-race.json", json.dumps(entries), "2 races added.", 2),
        ("spider-race.json", json.dumps(entries), "All races in this file are here already.", 2),
    ):
        file: FilePayload = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
        if await yours.locator("#yours-menu").count():
            await yours.click("#yours-menu")
        async with yours.expect_file_chooser() as chooser:
            await yours.click("#yours-read")
        await (await chooser.value).set_files(file)
        await expect(yours.locator("#status")).to_have_text(said)
        await expect(lines).to_have_count(left)
    await accessible(yours)


async def test_without_storage_a_race_ends_as_ever_and_the_page_says_so(address: str) -> None:
    ada = await Person.at(address, **PHONE, locale="de-DE", script=NO_STORAGE)
    await plays_alone(ada, novice=True)  # the page does not remember that she knows the game
    await ada.page.goto(f"{address}yours")
    await expect(ada.page.locator("#yours-unstorable")).to_contain_text("ausgeschaltet oder voll")
    # The page does not promise to keep races that this browser cannot keep.
    await expect(ada.page.locator("#yours-empty")).to_have_count(0)
    await expect(ada.page.locator("#yours > header p")).to_be_empty()
    await expect(ada.page.locator("#yours-list")).to_have_count(0)
