"""Spectators' boards, and a match, in a real browser."""

import re
from typing import Literal

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.axe import WCAG, accessible, complaints
from tests.e2e.pages import DESKTOP, PHONE, Person, chromium
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import at_a_page, play, port_of
from tests.games.wins import one_suit_game, one_suit_win
from tests.players import Player

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


async def says(part: Locator, words: re.Pattern[str], does: bool) -> None:
    """Waits until a part of the page contains the words, or checks that it does not."""
    if does:
        await expect(part).to_contain_text(words)
    else:
        await expect(part).not_to_contain_text(words)


async def test_a_spectator_watches_boards_and_all_see_them_when_it_is_over(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **DESKTOP)
        await ada.page.check("[name=game][value=spider-1]", force=True)
        link = await ada.create("Ada")
        await ada.page.select_option("#set-spectate", "boards")
        await ada.page.fill("#set-board-delay-s", "0")
        await ada.page.press("#set-board-delay-s", "Tab")
        don = await Person.at(browser, link, **DESKTOP)
        await don.on("join")
        await don.page.fill("#name", "Don")
        await don.page.click("#watch")
        await don.on("room")
        await ada.page.click("#start")
        for person in (ada, don):
            await person.on("race")
        game = one_suit_game()
        await ada.sees(game)
        for action in one_suit_win()[:3]:
            await ada.do(game, action)
        await don.sees(game)
        await expect(don.page.locator('#board-grid [data-seat="0"]')).to_contain_text("Ada")
        await ada.page.click("#forfeit")
        await ada.page.click("#ask-yes")
        for person in (ada, don):
            await person.on("results")
            await person.sees(game)
        assert ada.complaints == don.complaints == []


async def test_who_only_sees_the_standings_sees_a_track_and_all_see_who_leads(
    address: str,
) -> None:
    ada = await Player.create(port_of(address), "Ada", game="spider-1")
    async with chromium() as browser:
        bob = await Person.at(browser, f"{address}r/{ada.code}", **PHONE)
        await bob.join("Bob")
        don = await Person.at(browser, f"{address}r/{ada.code}", **DESKTOP)
        await don.on("join")
        await don.page.fill("#name", "Don")
        await don.page.click("#watch")
        await don.on("room")
        await bob.page.click("#ready")
        await ada.say("ready")
        await ada.race()
        for person in (bob, don):
            await person.on("race")
        lane = don.page.locator('#track [data-seat="0"]')
        await expect(lane).to_contain_text("Ada")
        runner = lane.locator("[data-part=runner]")
        before = await runner.evaluate("(runner) => runner.getBoundingClientRect().x")
        game = one_suit_game()
        for action in one_suit_win()[:20]:
            game.apply(action)
        await play(ada, one_suit_win()[:20])
        score = str(game.score)
        for person in (bob, don):
            row = person.page.locator('#standings [data-seat="0"]')
            await expect(row.locator("[data-part=points]")).to_have_text(score)
            await expect(row.locator("[data-part=place]")).to_have_text("1")
            await expect(row).to_have_attribute("data-leads", "")
        gap = game.score - one_suit_game().score
        first = don.page.locator("#standings li").first
        await expect(first).to_contain_text(f"+{gap}")
        await expect(don.page.locator('#standings [data-seat="1"]')).to_contain_text(
            f"\N{MINUS SIGN}{gap}"
        )
        await expect(bob.page.locator('#standings [data-seat="1"]')).to_have_attribute(
            "data-own", ""
        )
        await expect(lane).to_have_attribute("data-leads", "")
        await don.page.wait_for_function(
            "([runner, before]) => runner.getBoundingClientRect().x > before",
            arg=[await runner.element_handle(), before],
        )
        await accessible(don.page)

        await ada.leave()
        await expect(don.page.locator('#standings [data-seat="0"]')).to_contain_text("offline")
        await bob.page.click("#forfeit")
        await bob.page.click("#ask-yes")
        await expect(don.page.locator("#status")).to_contain_text("Bob gave up")
        await expect(don.page.locator('#track [data-seat="1"]')).to_contain_text("gave up")
        assert bob.complaints == don.complaints == []


@pytest.mark.parametrize("shows", ["boards", "standings"])
async def test_after_the_own_end_the_race_of_the_others_is_there_at_once(
    address: str, shows: str
) -> None:
    """Regression: the page said "you can watch the others", and an empty table stayed."""
    ada = await Player.create(
        port_of(address), "Ada", game="spider-1", deal="numbered", number=24, spectate=shows
    )
    async with chromium() as browser:
        bob = await Person.at(browser, f"{address}r/{ada.code}", **DESKTOP)
        await bob.join("Bob")
        await bob.page.click("#ready")
        await ada.say("ready")
        await ada.race()
        await bob.on("race")
        await bob.page.click("#forfeit")
        offered = shows == "boards"
        words = re.compile(r"watch the others")
        question = bob.page.locator("#ask p")
        await expect(question).to_be_visible()
        await says(question, words, offered)
        await bob.page.click("#ask-yes")
        over = bob.page.locator("#game-over")
        await expect(over).to_contain_text("You gave up")
        await says(over, words, offered)
        await expect(bob.page.locator("#board")).to_be_hidden()
        if offered:
            await ada.act("deal")  # sixty seconds before a spectator would see it
            await expect(bob.page.locator("#late")).to_contain_text("live")
            await expect(bob.page.locator('#board-grid [data-seat="0"]')).to_contain_text("Ada")
            assert await bob.page.locator('#board-grid [data-seat="1"]').count() == 0
            await expect(bob.page.locator("#board-grid [data-in=t0]")).to_have_count(7)
        else:
            await expect(bob.page.locator('#track [data-seat="0"]')).to_contain_text("Ada")
        assert await complaints(bob.page, tags=WCAG) == []
        await bob.page.reload()
        await expect(bob.page.locator("#board-grid")).to_be_visible()
        await bob.page.click("#chat-toggle")
        await expect(bob.page.locator("#chat-line")).to_be_visible()
        await ada.say("forfeit")
        await bob.on("results")
        assert bob.complaints == []


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_coming_home_is_celebrated_and_stands_still_where_motion_is_unwelcome(
    address: str, motion: Literal["no-preference", "reduce"]
) -> None:
    ada = await Player.create(port_of(address), "Ada", game="spider-1")
    bob = await Player.join(port_of(address), ada.code, "Bob")
    await bob.say("ready")
    await ada.say("ready")
    await ada.race()
    *most, last = one_suit_win()
    await play(ada, most)
    game = one_suit_game()
    for action in most:
        game.apply(action)
    async with chromium() as browser:
        person = await at_a_page(browser, address, ada, **DESKTOP, reduced_motion=motion)
        await person.on("race")
        await person.sees(game)
        celebration = person.page.locator("#celebration")
        assert await celebration.count() == 0
        await record(person, "#celebration", "outerHTML")
        await person.do(game, last)
        still = motion == "reduce"
        kind = "ornament" if still else "shower"
        await was_seen(person, "#celebration", f'data-part="{kind}"')
        await expect(celebration).to_have_count(0)
        assert person.complaints == []
    await bob.leave()


async def test_a_match_shows_its_card_between_the_rounds_and_at_the_end(address: str) -> None:
    async with chromium() as browser:
        ada = await Person.at(browser, address, **PHONE)
        await ada.create("Ada")
        await ada.page.select_option("#set-preset", "dos-hard")
        await expect(ada.page.locator("#set-rounds")).to_have_value("6")
        await ada.page.fill("#set-rounds", "2")
        await ada.page.press("#set-rounds", "Tab")
        for n in (1, 2):
            await expect(ada.page.locator("#rules, #settings").first).to_be_attached()
            await ada.page.click("#start")
            await ada.on("race")
            await ada.page.click("#forfeit")
            await ada.page.click("#ask-yes")
            await ada.on("results")
            card = ada.page.locator("#match-card")
            await expect(card).to_contain_text("Totals")
            await expect(card).to_contain_text("wins the match" if n == 2 else "after 1 of 2")
            await expect(ada.page.locator("#round-text")).to_have_attribute(
                "href", f"/api/rooms/{ada.page.url.rpartition('/')[2]}/rounds/{n}.txt"
            )
            if n == 1:
                await ada.page.click("#next")
                await ada.on("room")
                await expect(card).to_be_visible()
        await ada.page.click("#again")
        await ada.on("race")
        assert ada.complaints == []
