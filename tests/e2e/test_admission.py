"""The admission to rooms, as people see it: the queue, the lock, a ban, and one seat for each."""

import pytest
from playwright.async_api import Browser, expect
from spider_race_client import Refused, connect

from protocol.games import GAMES
from server.games.actions import format_action
from tests.e2e.axe import complaints
from tests.e2e.pages import DESKTOP, PHONE, Person, given_up
from tests.games.wins import one_suit_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]


async def test_the_host_lets_in_who_asks(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    link = await ada.create("Ada", rules_open=True)
    await ada.page.check("#set-approve")
    eve = await Person.at(link, **DESKTOP)
    await eve.page.fill("#name", "Eve")
    await eve.page.click("#join")
    await eve.on("waiting")
    await expect(eve.page.locator("#screen")).to_contain_text("Ada decides who joins")
    await expect(ada.page.locator("#requests [data-part=name]")).to_have_text("Eve")
    await eve.page.reload()
    await eve.on("waiting")
    await ada.page.click("#requests [data-action=admit]")
    await eve.on("room")
    await expect(ada.page.locator("#requests")).to_have_count(0)
    await expect(ada.page.locator("#players [data-seat]")).to_have_count(2)

    mallory = await Person.at(link, **DESKTOP)
    await mallory.page.fill("#name", "Mallory")
    await mallory.page.click("#watch")
    await mallory.on("waiting")
    await ada.page.click("#requests [data-action=turn-away]")
    await mallory.on("landing")
    await expect(mallory.page.locator("#status")).to_contain_text("let you in")


@pytest.mark.complains("ERR_FAILED")  # of the request that is aborted
async def test_a_locked_room_and_a_ban_are_told_in_words(ada: Person) -> None:
    link = await ada.create("Ada", rules_open=True)
    eve = await Person.at(link, **DESKTOP)
    await eve.join("Eve")
    await eve.page.click("#ready")
    await expect(ada.page.locator("#players [data-state='READY']")).to_have_count(1)
    bob = await Person.at(link, **DESKTOP)
    await bob.page.route("**/api/rooms/*", lambda route: route.abort())  # he need not notice
    await bob.page.fill("#name", "Bob")
    await ada.page.check("#set-locked")
    late = await Person.at(link, **DESKTOP)
    await expect(late.page.locator("#join-note")).to_contain_text("locked this room")
    await expect(late.page.locator("#name")).to_be_hidden()
    await bob.page.click("#join")
    await expect(bob.page.locator("#problem")).to_contain_text("locked this room")
    await expect(ada.page.locator("#players [data-state='READY']")).to_have_count(1)
    await ada.page.uncheck("#set-locked")

    await ada.page.get_by_role("button", name="Remove Eve").click()
    await ada.page.check("#kick-ban")
    await ada.page.click("#ask-yes")
    await eve.on("landing")
    await eve.page.goto(link)
    await eve.page.fill("#name", "Eve again")
    await eve.page.click("#join")
    await expect(eve.page.locator("#problem")).to_contain_text("removed you from this room")
    await bob.page.click("#join")
    await bob.on("room")


async def test_a_browser_has_one_seat_where_the_host_says_so(
    ada: Person, browser: Browser
) -> None:
    link = await ada.create("Ada", rules_open=True)
    await ada.page.check("#set-one-seat")
    await ada.page.select_option("#set-undo", "any")
    await ada.page.select_option("#set-cheats", "out")
    await expect(ada.page.locator("#rules")).to_contain_text("Games with cheats")
    context = await browser.new_context(storage_state=await ada.page.context.storage_state())
    second = await Person.of(context, link)
    await second.page.evaluate("localStorage.removeItem('spider-race.seats')")
    await second.page.reload()
    await second.page.fill("#name", "Ada's other eyes")
    await second.page.click("#join")
    await expect(second.page.locator("#problem")).to_contain_text("one seat per person")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")


async def test_everybody_sees_a_program_from_the_queue_to_the_result(
    ada: Person, address: str
) -> None:
    async with connect(address) as programs:
        page = ada.page
        link = await ada.create("Ada", rules_open=True)
        await page.check("#set-approve")
        robo = await programs.join(link, "Robo")
        await expect(page.locator("#requests [data-part=program]")).to_be_visible()
        await page.click("#requests [data-action=admit]")
        await expect(page.locator("#players").get_by_role("img", name="Program")).to_have_count(1)
        assert await complaints(page) == []
        await page.click("#set-programs")
        await expect(page.locator("#rules")).to_contain_text("Programs can’t join.")
        with pytest.raises(Refused, match="no_programs"):
            await programs.join(link, "Late")
        await robo.ready()
        await page.click("#ready")
        await ada.on("race")
        await expect(page.locator("#standings [data-part=program]")).to_be_visible()
        await robo.say("Beep")
        await expect(page.locator("#chat-log [data-part=program]")).to_be_attached()
        assert await complaints(page) == []
        names = GAMES["spider-1"].pile_names
        for action in one_suit_win():
            await robo.act(format_action(action, names))
        await given_up(ada)
        await expect(page.locator("#tally", has=page.get_by_role("img"))).to_contain_text("Robo 1")
        await robo.leave()
        ranking = page.locator("#ranking tr", has=page.get_by_role("img", name="Program"))
        await expect(ranking).to_contain_text("Robo")
        await page.goto(f"{link}/1")
        await expect(page.locator("#ranking [data-part=program]")).to_be_visible()
        await expect(page.locator("#chart [data-part=program]")).to_be_visible()
        await expect(page.locator("#board-left option").first).to_have_text("Robo (program)")
