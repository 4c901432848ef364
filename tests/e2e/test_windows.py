"""A race over days: players start at different times and see different things."""

import re

import pytest
from playwright.async_api import expect

from protocol.from_client import End, Start
from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import create, join, play
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser

STATES = "#window-players [data-part=state]"


async def test_players_begin_when_they_like_and_see_the_games_that_are_over_after_their_own(
    ada: Person,
) -> None:
    await ada.page.check("[name=game][value=spider-1]", force=True)
    await ada.gives_name("Ada")
    await ada.page.check("[name=when][value='86400']", force=True)
    await ada.page.click("#create")
    await ada.on("race")
    link = ada.page.url

    # Cy plays at once, and wins.
    cy = await join(link, link, "Cy")
    await cy.chase()
    await cy.wait_for_table()
    await play(cy, one_suit_win())
    cy.close()

    # The link shows Bob how long he can still play, and he starts later.
    bob = await Person.at(link, **PHONE)
    await bob.on("join")
    await expect(bob.page.locator("#join-state")).to_contain_text("Open until")
    await bob.join("Bob", screen="race")
    for person, *states in ((ada, "your turn", "not yet"), (bob, "not yet", "your turn")):
        shown = person.page.locator(STATES)
        await expect(shown).to_have_text([states[0], "played", states[1]])
        await expect(person.page.locator("#standings li")).to_have_count(0)
        assert await complaints(person.page, tags=WCAG) == []
    await bob.page.click("#begin")
    game = one_suit_game()
    await bob.sees(game)
    await bob.do(game, *one_suit_win()[:2])
    await bob.page.reload()
    await bob.sees(game)
    await expect(bob.page.locator("#time-left")).to_contain_text("14:")
    await expect(bob.page.locator("#standings li")).to_have_count(0)

    # After his game he sees Cy's time and board. Ada may still play and sees no row.
    await bob.gives_up()
    await expect(bob.page.locator("#standings li")).to_have_count(2)
    await expect(bob.page.locator('#standings [data-seat="1"]')).to_contain_text(
        re.compile(r"\d:\d\d")
    )
    await expect(bob.page.locator('#board-grid [data-seat="1"]')).to_be_visible()
    await expect(bob.page.locator("#window-place")).to_have_text("2nd of 2 so far")
    await expect(bob.page.locator(STATES)).to_have_text(["not yet"])
    await expect(ada.page.locator(STATES).nth(2)).to_have_text("played")
    await expect(ada.page.locator("#standings li")).to_have_count(0)
    assert await complaints(bob.page, tags=WCAG) == []

    # Ada starts last. The host ends the race while she plays.
    await ada.page.click("#begin")
    await ada.sees(one_suit_game())
    await ada.page.click("#host")
    await expect(ada.page.locator("#abort")).to_be_hidden()
    await ada.page.click('[data-grace="30"]')
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#winner")).to_have_text("Cy wins")
    await expect(ada.page.locator("#ranking")).to_contain_text("out of time")
    length = await ada.page.locator("#replay-at").get_attribute("max")
    assert int(length or 0) <= 900_000, "the chart is as long as the longest game"

    # The host opens another race, also for players who are away.
    await bob.page.goto("about:blank")
    await expect(bob.page.locator("#rematch")).to_have_count(0)
    await ada.page.click("#rematch")
    await ada.on("race")
    await expect(ada.page.locator(STATES)).to_have_text(["your turn", "not yet", "not yet"])


async def test_a_game_ends_at_its_time_limit_while_the_race_stays_open(address: str) -> None:
    host = await create(address, "Ada", game="spider-1", window_s=3_600, time_limit_s=10)
    await host.command(Start())
    bob = await Person.at(host.link, **DESKTOP)
    await bob.join("Bob", screen="race")
    await bob.page.click("#begin")
    await bob.sees(one_suit_game())
    await expect(bob.page.locator("#last-seconds")).to_be_visible()
    await expect(bob.page.locator("#window-title")).to_have_text("You’re done.")
    await expect(bob.page.locator('#standings [data-seat="1"]')).to_contain_text("out of time")
    await host.command(End(grace_s=5))
    await bob.on("results")
    await expect(bob.page.locator("#winner")).to_have_text("Nobody finished")


async def test_an_open_race_among_three_ends_when_all_have_played(ada: Person) -> None:
    page = ada.page
    await ada.gives_name("Ada")
    await page.check("[name=when][value='3600']", force=True)
    await expect(page.locator("#create")).to_have_text("Open the race")
    await page.click("#create")
    await ada.on("race")
    await expect(page.locator("#invitation #room-code")).to_be_visible()
    await expect(page.locator("#window-left")).to_contain_text("min left")
    link = page.url

    # Two friends follow the link; each plays once.
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob", screen="race")
    cy = await join(link, link, "Cy")
    for person in (ada, bob):
        await expect(person.page.locator(STATES)).to_have_count(3)
    await cy.chase()
    await cy.wait_for_table()
    await play(cy, one_suit_win())
    await page.click("#begin")
    game = one_suit_game()
    await ada.sees(game)
    await ada.do(game, *one_suit_win()[:2])
    await ada.gives_up()
    await expect(page.locator("#window-place")).to_have_text("2nd of 2 so far")
    await expect(page.locator("#window-until")).to_contain_text(
        "behind Cy. 1 can still pass you: "
    )
    await page.click("#window-boards")
    await expect(page.locator('#board-grid [data-seat="2"]')).to_be_in_viewport()

    # Nobody new can enter, so the race ends when the last of them has played.
    await page.click("#host")
    await page.check("#host-controls-lock")
    await page.keyboard.press("Escape")
    await bob.page.click("#begin")
    await bob.sees(one_suit_game())
    await bob.gives_up()
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#winner")).to_have_text("Cy wins")
    cy.close()


async def test_the_next_open_race_of_a_match_starts_on_its_own(address: str) -> None:
    host = await create(address, "Ada", game="spider-1", window_s=3_600, rounds=2, winnable=False)
    await host.command(Start())
    bob = await Person.at(host.link, **DESKTOP)
    await bob.join("Bob", screen="race")
    await expect(bob.page.locator("#window-until")).to_contain_text("Round 1 of 2")
    await host.command(End(grace_s=5))
    await expect(bob.page.locator("#window-until")).to_contain_text("Round 2 of 2", timeout=20_000)
    await expect(bob.page.locator(STATES)).to_have_text(["not yet", "your turn"])
    await bob.page.click("#window-last")
    await bob.on("finished")
    assert bob.page.url.endswith("/1")
