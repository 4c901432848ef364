"""What the host may do in a race, and how everybody goes on together afterwards."""

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, given_up, race
from tests.e2e.wire import join, play
from tests.games.wins import one_suit_win
from tests.present import present

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

# This player is no newcomer: the hint for a first move would replace the countdown in the status.
HAS_MOVED = "try { localStorage.setItem('spider-race.moved', 'true'); } catch {}"


async def test_a_host_ends_or_stops_a_race_and_another_one_takes_over(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    page = ada.page
    await page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP, script=HAS_MOVED)
    await bob.join("Bob")

    # The host leaves the slow ones some minutes, and stops the race after all.
    cleo = await join(address, link, "Cleo")
    await cleo.ready()
    await race(ada, bob)
    await cleo.wait_for_table()
    await expect(bob.page.locator("#host")).to_be_hidden()
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
    await expect(page.locator("#host-controls")).to_contain_text("Someone has already won.")
    await expect(page.locator("#host-controls-close")).to_be_focused()
    await page.click("#host-controls-close")
    await given_up(ada, bob)

    # When the host leaves, another one is announced.
    await page.click("#leave")
    await ada.on("landing")
    await expect(status).to_have_text("Ada left. You’re the host now.")
    await cleo.wait_until(lambda race: race.room.host == 1)
    await expect(bob.page.locator("#next")).to_be_visible()


# The page waits at most a second for the end of a press, which is too short for a slow test.
LONG_PRESS = """{
  const set = window.setTimeout;
  window.setTimeout = (act, ms, ...args) => set(act, ms === 1_000 ? 300_000 : ms, ...args);
}"""
WISHES = ("#rematch", "#next-steps")


async def test_the_next_round_begins_when_enough_want_it(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, script=LONG_PRESS)
    page = ada.page
    link = await ada.create("Ada", rules_open=True)
    await page.fill("#set-rounds", "2")
    await page.press("#set-rounds", "Tab")
    await page.check("#set-chasers")
    await expect(page.locator("#rules")).to_contain_text("unranked")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    cy = await Person.at(link, **DESKTOP)
    await cy.join("Cy")
    everybody = (ada, bob, cy)
    await race(*everybody)
    await given_up(*everybody)
    card = page.locator("#match-card")
    await expect(card).to_contain_text("after 1 of 2")
    await expect(page.locator("#round-text")).to_have_attribute(
        "href", f"/api/rooms/{link.rpartition('/')[2]}/rounds/1.txt"
    )

    # Wishes are shown and can be taken back.
    rematch, steps = [[each.page.locator(what) for each in everybody] for what in WISHES]
    await expect(rematch[1]).to_have_text("Next round (2 of 2)")
    await rematch[1].click()
    await expect(steps[1]).to_have_text("Waiting for Ada and Cy…")
    for line in (steps[0], steps[2]):
        await expect(line).to_have_text("Bob is ready for the next round.")
    await rematch[1].click()
    await expect(steps[0]).to_be_hidden()
    await expect(rematch[1]).to_have_text("Next round (2 of 2)")
    # A press hits the button though another wish comes meanwhile.
    await rematch[0].hover(position={"x": 10, "y": 5})
    await page.mouse.down()
    await rematch[1].click()
    await expect(page.locator("#status")).to_contain_text("Bob is ready for the next round.")
    await page.mouse.up()
    await expect(steps[2]).to_have_text("Ada and Bob are ready for the next round.")

    # The last round begins without the one who does not answer, and who may play it later.
    await expect(page.locator("#start")).to_have_text("Start without Cy")
    await page.click("#start")
    await expect(cy.page.locator("#ask-title")).to_have_text("The next race starts without you")
    await cy.page.click("#ask-no")
    for person in everybody:
        await person.on("race")
        assert person.page.url == link
    await expect(cy.page.locator("#track, #board-grid").first).to_be_visible()
    await cy.page.click("#chase")
    await cy.page.click("#deal")
    await expect(cy.page.locator("#status")).to_contain_text("Dealt")
    await given_up(ada, bob)
    await expect(card).to_contain_text("wins the match")
