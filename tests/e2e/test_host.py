"""The host's controls during a race, and the change of hosts after it."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, given_up, race
from tests.e2e.wire import join, play
from tests.games.wins import one_suit_win
from tests.present import present

pytestmark = pytest.mark.browser

# A newcomer's hint for the first move would replace the countdown in the status.
HAS_MOVED = "try { localStorage.setItem('spider-race.moved', 'true'); } catch {}"


async def test_a_host_ends_or_stops_a_race_and_another_one_takes_over(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    page = ada.page
    await page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP, script=HAS_MOVED)
    await bob.join("Bob")

    # The host gives slow players some minutes, and then stops the race.
    cleo = await join(address, link, "Cleo")
    await cleo.ready()
    await race(ada, bob)
    await cleo.wait_for_table()
    limit = present(present(cleo.room.round).t_end)
    await page.click("#host")
    await page.click("[data-grace='300']")
    await cleo.wait_until(lambda race: present(present(race.room.round).t_end) < limit)
    status = bob.page.locator("#status")
    await expect(status).to_contain_text("The race ends in ")
    await page.click("#host")
    await page.click("#abort")
    await page.click("#ask-yes")
    for person in (ada, bob):
        await person.on("room")
    await expect(status).to_contain_text("stopped the race")

    # A race that somebody has won can only be ended.
    await cleo.ready()
    await race(ada, bob)
    await cleo.wait_for_table()
    *before, last = one_suit_win()
    await play(cleo, before)
    await page.click("#host")
    await page.focus("#abort")
    await play(cleo, [last])
    await expect(page.locator("#abort")).to_be_hidden()
    await expect(page.locator("#host-controls-close")).to_be_focused()
    await page.click("#host-controls-close")
    await given_up(ada, bob)

    # When the host leaves, another one is announced.
    await page.click("#leave")
    await ada.on("landing")
    await expect(status).to_have_text("Ada left. You’re the host now.")
    await expect(bob.page.locator("#next")).to_be_visible()
