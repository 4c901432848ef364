"""Races against computer players: one click from the front page, or a room of the host."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, SHORT_COUNTDOWN_MS, STILL, Person, process_of, serving
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]

PATIENCE_MS = 60_000
STRENGTHS = "#strengths [data-strength]"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with computer players, which others of the tests do without."""
    data_dir = tmp_path_factory.mktemp("server")
    with serving(data_dir, "--bots", "20", countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


async def test_a_race_against_the_computer_is_one_click_and_is_won(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    page = ada.page
    await page.fill("#name", "Ada")
    await expect(page.locator(STRENGTHS)).to_have_count(3)
    await accessible(page)
    await page.click('[data-strength="beginner"]')
    await ada.on("race")
    rival = page.locator("#standings li").filter(has=page.locator('[data-part="program"]'))
    await expect(rival).to_contain_text("Beginner")
    game = one_suit_game()
    await ada.sees(game)
    for action in one_suit_win():
        await ada.do(game, action)
    await expect(page.locator("#game-over-title")).to_contain_text("You win!")
    await accessible(page)
    await page.click("#game-over-end")
    await ada.on("results")
    await expect(page.locator("#winner")).to_contain_text("Ada")
    await expect(page.locator("#ranking")).to_contain_text("Beginner")
    await accessible(page)
    await page.click("#rematch")
    await ada.on("race")
    await page.goto(address)
    await expect(page.locator("#name")).to_have_value("Ada")


async def test_on_a_phone_nobody_needs_a_name_to_race_the_computer(address: str) -> None:
    """She gives up; nobody waits for the computer to finish."""
    eve = await Person.at(address, **PHONE, locale="de-DE")
    page = eve.page
    await accessible(page)
    await page.tap('[data-strength="expert"]')
    await eve.on("race")
    await expect(page.locator("#standings")).to_contain_text("Experte")
    await page.tap("#forfeit")
    await page.tap("#ask-yes")
    await page.tap("#game-over-end")
    await eve.on("results")
    await expect(page.locator("#ranking")).to_contain_text("Ich")
    await accessible(page)


async def test_the_keyboard_alone_races_the_computer(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    await page.focus("#join")
    await page.keyboard.press("Tab")
    await expect(page.locator('[data-strength="beginner"]')).to_be_focused()
    await page.keyboard.press("Tab")
    await expect(page.locator('[data-strength="club"]')).to_be_focused()
    await page.keyboard.press("Enter")
    await ada.on("race")


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_the_host_adds_and_removes_computer_players(
    address: str, how: dict[str, Any]
) -> None:
    ada = await Person.at(address, **how)
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    await expect(bob.page.locator("#computer-players")).to_be_hidden()
    await ada.page.select_option('#computer-players [data-field="pace"]', "faster")
    for strength in ("club", "club", "beginner"):
        await ada.page.click(f'#computer-players [data-strength="{strength}"]')
    marked = '#players li:has([data-part="program"])'
    for person in (ada, bob):
        await expect(person.page.locator(marked)).to_have_count(3)
        await expect(person.page.locator(marked).first).to_contain_text("Club")
        await expect(person.page.locator(marked).last).to_contain_text("Ready")
    await accessible(ada.page)
    await ada.page.locator(marked).first.locator('[data-action="kick"]').click()
    for person in (ada, bob):
        await expect(person.page.locator(marked)).to_have_count(2)
    await ada.page.click("#ready")
    await expect(ada.page.locator("#waiting")).to_contain_text("Bob")
    await bob.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_a_server_without_computer_players_says_so_and_the_room_stays(
    tmp_path: Path, how: dict[str, Any]
) -> None:
    with serving(tmp_path, "--bots", "0") as address:
        ada = await Person.at(address, **how)
        await ada.page.fill("#name", "Ada")
        await ada.page.click('[data-strength="club"]')
        await ada.on("room")
        await expect(ada.page.locator("#status")).to_have_text(
            "This server has no computer players."
        )
        bob = await Person.at(ada.page.url, **DESKTOP)
        await bob.join("Bob")
        await ada.page.click("#ready")
        await bob.page.click("#ready")
        await ada.on("race")


def process_of_bots(server: int) -> int:
    """Return the id of the process of computer players, the only one that a server started so."""
    children = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    (found,) = [
        int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
    return found


async def test_a_page_sees_a_computer_player_go_on_after_its_process_was_killed(
    tmp_path: Path,
) -> None:
    options = (str(SHORT_COUNTDOWN_MS), "--data-dir", str(tmp_path), "--bots", "2")
    with process_of("tests.e2e.serve", *options, "--thinkers", "0") as (server, address):
        ada = await Person.at(address, **DESKTOP)
        await ada.page.select_option('[data-field="pace"]', "faster")
        await ada.page.click('[data-strength="expert"]')
        await ada.on("race")
        rival = ada.page.locator("#standings li").filter(
            has=ada.page.locator('[data-part="program"]')
        )
        points = rival.locator('[data-part="points"]')
        await expect(points).not_to_have_text("0", timeout=PATIENCE_MS)
        os.kill(process_of_bots(server), signal.SIGKILL)
        await expect(rival).to_contain_text("offline")
        before = await points.inner_text()
        await expect(rival).not_to_contain_text("offline", timeout=PATIENCE_MS)
        await expect(points).not_to_have_text(before, timeout=PATIENCE_MS)


async def test_the_host_lets_a_computer_finish_for_a_player_who_is_gone(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE, locale="de-DE")
    await bob.join("Bob")
    await ada.page.click("#ready")
    await bob.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    context = bob.page.context
    await bob.page.close()
    await ada.page.click("#host")
    row = ada.page.locator("#host-controls li[data-seat='1']")
    button = row.locator('[data-action="stand-in"]')
    await expect(button).to_be_visible(timeout=PATIENCE_MS)
    await expect(row).to_contain_text("away")
    await accessible(ada.page)
    await button.click()
    await expect(row.locator('[data-part="program"]')).to_be_visible()
    await expect(button).to_be_hidden()
    await ada.page.click("#host-controls-close")
    bobs = ada.page.locator("#standings li[data-seat='1']")
    await expect(bobs).to_contain_text("by computer, unranked", timeout=PATIENCE_MS)
    await expect(bobs.locator('[data-part="points"]')).not_to_have_text("0", timeout=PATIENCE_MS)
    bob.page = await context.new_page()
    await bob.page.goto(link)
    await bob.on("race")
    own = bob.page.locator("#standings li[data-own]")
    await expect(own).to_contain_text("vom Computer, ohne Wertung")
    await expect(own.locator('[data-part="points"]')).not_to_have_text("0")
    await accessible(bob.page)
