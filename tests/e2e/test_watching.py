"""Spectators' boards, and a match, in a real browser."""

import re
from typing import Any, Literal

import pytest
from playwright.async_api import Locator, expect

from tests.e2e.axe import WCAG, accessible, complaints
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person
from tests.e2e.test_shifts import STILL_MS, WATCH
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import at_a_page, create, join, play, race_on_the_wire, start_race
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


async def says(part: Locator, words: re.Pattern[str], does: bool) -> None:
    """Waits until a part of the page contains the words, or checks that it does not."""
    if does:
        await expect(part).to_contain_text(words)
    else:
        await expect(part).not_to_contain_text(words)


async def test_a_spectator_watches_boards_and_all_see_them_when_it_is_over(ada: Person) -> None:
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-spectate", "boards")
    await ada.page.fill("#set-board-delay-s", "0")
    await ada.page.press("#set-board-delay-s", "Tab")
    don = await Person.at(link, **DESKTOP)
    await don.on("join")
    await don.watch("Don")
    await ada.page.click("#start")
    for person in (ada, don):
        await person.on("race")
    game = one_suit_game()
    await ada.sees(game)
    for action in one_suit_win()[:3]:
        await ada.do(game, action)
    await don.sees(game)
    await expect(don.page.locator('#board-grid [data-seat="0"]')).to_contain_text("Ada")
    await ada.gives_up()
    for person in (ada, don):
        await person.on("results")
        await person.sees(game)


async def test_who_only_sees_the_standings_sees_a_track_and_all_see_who_leads(
    address: str,
) -> None:
    ada = await create(address, "Ada", game="spider-1")
    bob = await Person.at(f"{address}r/{ada.code}", **PHONE)
    await bob.join("Bob")
    don = await Person.at(f"{address}r/{ada.code}", **DESKTOP)
    await don.on("join")
    await don.watch("Don")
    await bob.page.click("#ready")
    await ada.ready()
    await ada.wait_for_table()
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
    await expect(bob.page.locator('#standings [data-seat="1"]')).to_have_attribute("data-own", "")
    await expect(lane).to_have_attribute("data-leads", "")
    await don.page.wait_for_function(
        "([runner, before]) => runner.getBoundingClientRect().x > before",
        arg=[await runner.element_handle(), before],
    )
    await accessible(don.page)

    ada.close()
    await expect(don.page.locator('#standings [data-seat="0"]')).to_contain_text("offline")
    await bob.gives_up()
    await expect(don.page.locator("#status")).to_contain_text("Bob gave up")
    await expect(don.page.locator('#track [data-seat="1"]')).to_contain_text("gave up")


@pytest.mark.parametrize("shows", ["boards", "standings"])
async def test_after_the_own_end_the_race_of_the_others_is_there_at_once(
    address: str, shows: str
) -> None:
    """Regression: the page said "you can watch the others", and an empty table stayed."""
    ada = await create(address, "Ada", game="spider-1", deal="numbered", number=24, spectate=shows)
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada)
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
        await expect(bob.page.locator('#board-grid [data-seat="0"]')).to_have_attribute(
            "data-size", "large"
        )
    else:
        await expect(bob.page.locator('#track [data-seat="0"]')).to_contain_text("Ada")
        events = bob.page.locator("#board-grid #events")
        await expect(events.locator("li").first).to_contain_text("You gave up")
    assert await complaints(bob.page, tags=WCAG) == []
    await bob.page.reload()
    await expect(bob.page.locator("#board-grid")).to_be_visible()
    await bob.page.click("#chat-toggle")
    await expect(bob.page.locator("#chat-line")).to_be_visible()
    await ada.forfeit()
    await bob.on("results")


@pytest.mark.parametrize("how", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_after_a_win_the_loser_may_play_on_and_both_know_for_how_long(
    address: str, how: dict[str, Any]
) -> None:
    winner, loser = await start_race(address, "Ada", "Bob", game="spider-1", after_win_s=120)
    bob = await at_a_page(loser, **how, **STILL)
    await bob.on("race")
    await play(winner, one_suit_win())
    question = bob.page.locator("#game-over")
    await expect(question).to_contain_text(re.compile(r"Ada wins\..*: 1:\d\d left", re.DOTALL))
    assert await complaints(bob.page, tags=WCAG) == []
    ada = await at_a_page(winner, **how, **STILL)
    waits = ada.page.locator("#game-over")
    await expect(waits).to_contain_text(re.compile(r"1 player still racing, 1:\d\d left"))
    await expect(waits).to_contain_text("Your win counts even if you leave.")
    await bob.page.click("text=Play on for 2nd")
    await expect(question).to_be_hidden()
    await bob.page.click("#deal")
    await bob.gives_up()
    await bob.on("results")
    await expect(bob.page.locator("#podium li")).to_have_count(1)


# Where a board rests.
READ_PLACE = """async (board) => {
  await Promise.all(board.getAnimations().map(({finished}) => finished));
  return [board.offsetLeft, board.offsetTop, board.offsetWidth];
}"""
LARGE = '#board-grid [data-size="large"]'


async def test_the_boards_of_the_two_who_lead_are_large_and_one_is_enlarged_by_a_tap(
    address: str,
) -> None:
    players = await start_race(
        address, *"ABCD", game="spider-1", spectate="boards", board_delay_s=0
    )
    ada, _, cleo, dan = players
    don = await Person.at(ada.link, **DESKTOP)
    await don.on("join")
    await don.page.fill("#name", "Don")
    await don.page.click("#watch")
    await don.on("race")
    page = don.page
    await expect(page.locator("#board-grid [data-size]")).to_have_count(4)
    await play(cleo, one_suit_win()[:8])
    await play(dan, one_suit_win()[:6])
    for seat in (cleo.seat, dan.seat):
        await expect(page.locator(f'{LARGE}[data-seat="{seat}"]')).to_be_visible()
    await expect(page.locator(LARGE)).to_have_count(2)
    boards = [page.locator(f'#board-grid [data-seat="{player.seat}"]') for player in (cleo, dan)]
    places = [await board.evaluate(READ_PLACE) for board in boards]
    await play(dan, one_suit_win()[6:12])
    await expect(boards[1]).to_have_attribute("data-leads", "")
    now = [await board.evaluate(READ_PLACE) for board in boards]
    assert now == places, "leaders who pass each other stay where they are"
    fits = "(wall) => wall.scrollHeight <= wall.clientHeight"
    assert await page.locator("#board-grid").evaluate(fits)
    first = page.locator('#board-grid [data-seat="0"]')
    await first.locator("[data-action=enlarge]").click()
    await expect(first).to_have_attribute("data-large", "")
    await expect(page.locator('#board-grid [data-size="small"]')).to_have_count(3)
    await page.keyboard.press("Escape")
    await expect(page.locator(LARGE)).to_have_count(2)
    assert await complaints(page, tags=WCAG) == []


@pytest.mark.parametrize("others", [1, 4])
async def test_a_small_race_has_its_track_and_its_events_below_the_leaderboard(
    address: str, others: int
) -> None:
    ada = await create(address, "Ada", game="spider-1")
    more = [await join(address, ada.code, f"Bot {n}") for n in range(1, others)]
    bob = await Person.at(f"{address}r/{ada.code}", **DESKTOP)
    await bob.join("Bob")
    await race_on_the_wire(bob, ada, *more)
    page = bob.page
    await expect(page.locator("#standings li")).to_have_count(others + 1)
    report = page.locator("#report")
    if others == 4:
        await expect(report).to_be_hidden()
        return
    await expect(report).to_be_visible()
    await page.evaluate(WATCH)
    await play(ada, one_suit_win()[:45])
    events = report.locator("#events")
    for words in ("Ada: 1 of 8 suits", "Ada took the lead"):
        await expect(events).to_contain_text(words)
    await expect(events.locator("li:not([hidden])").last).to_contain_text("0:00Go!")
    assert await page.locator("#report [aria-live]").count() == 0
    await page.wait_for_timeout(STILL_MS)
    assert not [shift for shift in await page.evaluate("() => window.shifts") if not shift["card"]]
    assert await complaints(page, tags=WCAG) == []
    await page.set_viewport_size(PHONE["viewport"])
    await expect(report).to_be_hidden()
    await bob.gives_up()
    await expect(report).to_be_visible()
    await expect(page.locator("#standings li").first).to_be_in_viewport()
    await ada.forfeit()
    await bob.on("results")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_coming_home_is_celebrated_and_stands_still_where_motion_is_unwelcome(
    address: str, motion: Literal["no-preference", "reduce"]
) -> None:
    ada, bob = await start_race(address, "Ada", "Bob", game="spider-1")
    *most, last = one_suit_win()
    await play(ada, most)
    game = one_suit_game()
    for action in most:
        game.apply(action)
    person = await at_a_page(ada, **DESKTOP, reduced_motion=motion)
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
    bob.close()


async def test_a_match_shows_its_card_between_the_rounds_and_at_the_end(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    await ada.create("Ada", rules_open=True)
    await ada.takes_preset("dos-hard")
    await expect(ada.page.locator("#set-rounds")).to_have_value("6")
    await ada.page.fill("#set-rounds", "2")
    await ada.page.press("#set-rounds", "Tab")
    for n in (1, 2):
        await expect(ada.page.locator("#rules, #settings").first).to_be_attached()
        await ada.page.click("#start")
        await ada.on("race")
        await ada.gives_up()
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
