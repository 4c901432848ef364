"""What the host may do, and how everybody goes on together afterwards."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.e2e.pages import DESKTOP, PHONE, Person, amiss, given_up, race
from tests.e2e.ways import said
from tests.e2e.wire import join, play, with_settings
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


# This player is no newcomer: the hint for a first move would replace the countdown in the status.
HAS_MOVED = "try { localStorage.setItem('spider-race.moved', 'true'); } catch {}"


async def test_the_host_shows_somebody_out(ada: Person) -> None:
    link = await ada.create("Ada")
    eve = await Person.at(link, **DESKTOP)
    await eve.join("Eve")
    assert await eve.page.locator("[data-action=kick]:visible").count() == 0

    await ada.page.get_by_role("button", name="Remove Eve").click()
    await ada.page.click("#ask-no")
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)
    await ada.page.get_by_role("button", name="Remove Eve").click()
    await ada.page.click("#ask-yes")
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(1)
    await expect(ada.page.locator("#status")).to_contain_text("Eve left.")
    await eve.on("landing")
    await expect(eve.page.locator("#status")).to_contain_text("The host removed you")


async def test_the_host_ends_the_race_for_the_slow_and_goes_on(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP, script=HAS_MOVED)
    await bob.join("Bob")
    await race(ada, bob)
    await expect(bob.page.locator("#host")).to_be_hidden()
    await ada.page.click("#host")
    await ada.page.click("[data-grace='30']")
    status = bob.page.locator("#status")
    await expect(status).to_have_text(re.compile(r"^The race ends in (30|2\d) seconds\.$"))
    await expect(status).not_to_have_text(await status.inner_text())
    await expect(status).to_have_text(re.compile(r"^The race ends in [12]\d seconds\.$"))
    await expect(status).to_have_attribute("aria-live", "off")  # it is read out once

    await ada.page.click("#host")
    await ada.page.click("#abort")
    await ada.page.click("#ask-yes")
    for person in (ada, bob):
        await person.on("room")
    await expect(status).to_contain_text("stopped the race")
    await expect(status).to_have_attribute("aria-live", "polite")


@pytest.mark.parametrize("locale", ["en-US", "de-DE"])
async def test_a_race_that_somebody_has_won_can_only_be_ended(address: str, locale: str) -> None:
    why = {"en-US": "Someone has already won.", "de-DE": "Es hat schon jemand gewonnen."}[locale]
    ada = await Person.at(address, **{**PHONE, "locale": locale})
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-game", "spider-1")
    bob = await join(address, link, "Bob")
    await with_settings(bob, game="spider-1")
    await bob.ready()
    await ada.page.click("#ready")
    await asyncio.gather(ada.on("race"), bob.wait_for_table())
    *before, last = one_suit_win()
    await play(bob, before)
    await ada.page.click("#host")
    await ada.page.focus("#abort")
    await play(bob, [last])
    await expect(ada.page.locator("#abort")).to_be_hidden()
    await expect(ada.page.locator("#host-controls")).to_contain_text(why)
    await expect(ada.page.locator("#host-controls-close")).to_be_focused()
    assert bob.room.round is not None
    limit = bob.room.round.t_end
    assert limit is not None
    await ada.page.click("[data-grace='30']")
    await bob.wait_until(lambda race: race.room.round and (race.room.round.t_end or 0) < limit)
    await ada.page.click("#host")
    await expect(ada.page.locator("#abort")).to_be_hidden()


async def test_a_new_host_is_announced(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    cleo = await Person.at(link, **DESKTOP)
    await cleo.join("Cleo")
    await ada.page.click("#leave")
    await expect(bob.page.locator("#status")).to_have_text("Ada left. You’re the host now.")
    await expect(cleo.page.locator("#status")).to_have_text("Ada left. Bob is the host now.")


async def test_a_rematch_is_one_button_for_all_in_the_same_room(ada: Person) -> None:
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    cy = await Person.at(link, **DESKTOP)
    await cy.join("Cy")
    everybody = (ada, bob, cy)
    await race(*everybody)
    await given_up(*everybody)
    for person in everybody:  # all gave up, so nobody has won
        await expect(person.page.locator("#tally")).to_be_hidden()
    await bob.page.click("#rematch")
    await expect(bob.page.locator("#next-steps")).to_have_text("Waiting for Ada and Cy…")
    for person in (ada, cy):
        await expect(person.page.locator("#next-steps")).to_have_text("Bob wants a rematch.")
        words = await person.page.locator("#status").bounding_box()
        button = await person.page.locator("#rematch").bounding_box()
        assert words is not None
        assert button is not None
        assert words["x"] + words["width"] <= button["x"], "the news covers the button"
    await bob.page.click("#rematch")
    await expect(ada.page.locator("#next-steps")).to_be_hidden()
    await expect(bob.page.locator("#rematch")).to_have_text("Rematch")
    for person in (bob, ada):
        await person.page.click("#rematch")
    await expect(cy.page.locator("#next-steps")).to_have_text("Ada and Bob want a rematch.")
    await cy.page.click("#rematch")
    for person in everybody:
        await person.on("race")
        assert person.page.url == link


DRAWN = "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
# The page waits at most a second for the end of a press, which is too short for a slow test.
LONG_PRESS = """{
  const set = window.setTimeout;
  window.setTimeout = (act, ms, ...args) => set(act, ms === 1_000 ? 60_000 : ms, ...args);
}"""


async def test_a_press_on_rematch_hits_it_though_another_wish_comes_meanwhile(
    address: str,
) -> None:
    """The line about the wish moved the button from below the pointer."""
    ada = await Person.at(address, **DESKTOP, script=LONG_PRESS)
    link = await ada.create("Ada")
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    await race(ada, bob)
    await given_up(ada, bob)
    rematch = ada.page.locator("#rematch")
    await rematch.hover(position={"x": 10, "y": 5})
    await ada.page.mouse.down()
    await bob.page.click("#rematch")
    await said(ada, "Bob wants a rematch.")
    await ada.page.evaluate(DRAWN)
    await ada.page.mouse.up()
    for person in (ada, bob):
        await person.on("race")


async def test_the_host_begins_the_next_round_without_the_one_who_does_not_answer(
    ada: Person,
) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.fill("#set-rounds", "2")
    await ada.page.press("#set-rounds", "Tab")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")
    await race(ada, bob)
    await given_up(ada, bob)
    await expect(ada.page.locator("#rematch")).to_have_text("Next round (2 of 2)")
    await ada.page.click("#rematch")
    await expect(bob.page.locator("#next-steps")).to_have_text("Ada is ready for the next round.")
    start = ada.page.locator("#start")
    await expect(start).to_be_hidden()
    await expect(start).to_have_text("Start without Bob", timeout=30_000)
    await start.click(timeout=30_000)
    await ada.on("race")
    await bob.on("race")
    await expect(bob.page.locator("#board-grid")).to_be_visible()


async def test_a_late_comer_plays_after_the_others_where_the_host_allows_it(ada: Person) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.check("#set-chasers")
    await expect(ada.page.locator("#rules")).to_contain_text("unranked")
    await ada.page.click("#start")
    await ada.on("race")
    bob = await Person.at(link, **PHONE)
    await bob.page.fill("#name", "Bob")
    await bob.page.click("#join")
    await bob.on("race")
    await bob.page.click("#chase")
    await expect(bob.page.locator("#deal")).to_be_enabled()
    await bob.page.click("#deal")
    await expect(bob.page.locator("#status")).to_contain_text("Dealt")
    await expect(bob.page.locator("#chase")).to_be_hidden()
    await expect(ada.page.locator('#standings [data-seat="1"]')).to_be_visible()


# How far the button to give up reaches beyond the screen.
OUTSIDE = """(width) => {
  const {right} = document.querySelector('#forfeit').getBoundingClientRect();
  return right > 0 && right <= width ? [] : [right];
}"""


@pytest.mark.parametrize("width", [390, 320])
async def test_the_last_seconds_leave_room_for_the_way_out(address: str, width: int) -> None:
    how = {**PHONE, "viewport": {"width": width, "height": 640}, "locale": "de-DE"}
    ada = await Person.at(address, **how)
    link = await ada.create("Ada")
    bob = await join(address, link, "Bob")
    await bob.ready()
    await ada.page.click("#ready")
    await ada.on("race")
    await ada.page.click("#host")
    await ada.page.click("[data-grace='30']")
    await expect(ada.page.locator("#time-left")).to_have_attribute("data-soon", "")
    assert await amiss(ada.page, OUTSIDE, width) == []
    bob.close()
