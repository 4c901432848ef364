"""The room before the race: rules, seats, and admission."""

import re

import pytest
from playwright.async_api import expect
from spider_race_client import connect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.ways import record, was_seen
from tests.e2e.wire import join

pytestmark = pytest.mark.browser


async def test_a_host_sets_the_rules_and_everybody_reads_what_has_changed(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    link = await ada.create("Ada", rules_open=True)
    rules = page.locator("#rules")
    await page.select_option("#set-game", "spiderette-2")
    await expect(rules).to_contain_text("7 columns")

    # Numbered deals have the layout of PySolFC, unless the host chooses otherwise.
    await page.check("[name=preset][value=friends]")
    await page.select_option("#set-deal", "numbered")
    await expect(page.locator("#set-layout")).to_have_value("spread")
    await page.select_option("#set-layout", "left4")
    await page.fill("#set-number", "24")
    await page.press("#set-number", "Enter")
    await expect(rules).to_contain_text("deal number 24 of PySolFC, but")
    await page.check("[name=preset][value=four-suits]")
    await expect(page.locator("#gist")).to_contain_text("four suits")

    # A guest reads the rules, and the changes beside Ready.
    bob = await Person.at(link, **PHONE)
    await bob.join("Bob")
    await expect(bob.page.locator("#gist")).to_contain_text("Spider, four suits · 30 min")
    await bob.opens_rules()
    changes, ready = bob.page.locator("#changes"), bob.page.locator("#ready")
    await bob.page.click("#ready")
    await expect(ready).to_have_text("Cancel ready")
    await page.select_option("#set-time-limit-s", "300")
    await expect(ready).to_have_text("Ready")
    await expect(bob.page.locator(".rules-book [data-changed] h3")).to_have_text(["The end"])
    await page.check("#set-hints")
    await expect(changes).to_contain_text("Hints: on")
    await expect(changes).to_contain_text("Time limit: 5 minutes")
    await ready.click()
    await expect(changes).to_be_empty()


async def test_a_host_asks_for_a_degree_and_the_results_say_how_hard_the_deal_was(
    thinking: str,
) -> None:
    ada = await Person.at(thinking, **PHONE)
    page = ada.page
    await ada.create("Ada", rules_open=True)
    await page.evaluate("() => { document.querySelector('#more-rules').open = true; }")
    await page.select_option("#set-degree", "easy")  # the server may not find a hard one in time
    await expect(page.locator("#rules")).to_contain_text("Its difficulty is easy")
    await page.click("#rules-done")
    known = page.locator("#known-win")
    words = "This deal can be won. Difficulty: easy."
    for _ in range(4):  # a busy machine may find none, and says so
        await page.click("#start")
        await ada.on("race")
        await ada.gives_up()
        await ada.on("results")
        await expect(known).to_have_text(re.compile(r"\."))
        if await known.text_content() == words:
            break
        await page.click("#next")
        await ada.on("room")
    await expect(known).to_have_text(words)


# Whether the card at a seat is face up.
TURNED = """([seat, up]) => {
  const width = (each) => Number(getComputedStyle(
    document.querySelector(`#players [data-seat="${seat}"] ${each}`)).scale.replace('none', '1')
    .split(' ')[0]);
  const [face, back] = [width('[data-card]'), width('[data-back]')];
  return up ? face === 1 && back === 0 : face === 0 && back === 1;
}"""


async def test_players_sit_down_choose_a_colour_and_are_ready(patient: str) -> None:
    ada = await Person.at(patient, **DESKTOP)
    page = ada.page
    link = await ada.create("Ada")

    # Free seats invite. A player who leaves is no longer ready.
    free = page.locator("#players [data-free]")
    await expect(page.locator("#share-link")).to_have_value(link)
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await record(ada, "#copy")
    await free.first.locator("[data-action=invite]").click()
    await was_seen(ada, "#copy", "Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == link
    bob = await join(patient, link, "Bob")
    await free.first.locator("[data-action=invite]").click()
    await expect(page.locator("#invitation #qr")).to_be_visible()
    await page.keyboard.press("Escape")
    await record(ada, "#copy-code")
    await page.click("#copy-code")
    await was_seen(ada, "#copy-code", "Copied")
    await expect(free).to_have_count(2)
    row = page.locator(f"#players [data-seat='{bob.seat}']")
    for ready in (True, False, True):
        await bob.ready(ready=ready)
        await page.wait_for_function(TURNED, arg=[bob.seat, ready])
    bob.close()
    await expect(row).to_have_attribute("data-state", "SEATED")

    # Each player has a different colour, and everybody sees it.
    await page.click("#players [data-own] [data-action=colour]")
    await page.get_by_role("button", name="Gold").click()
    await expect(page.locator("#colours")).to_be_hidden()
    cleo = await Person.at(link, **PHONE)
    await cleo.join("Cleo")
    for each in (page, cleo.page):
        mark = each.locator('#players [data-seat="0"] [data-part="mark"]')
        await expect(mark).to_have_attribute("data-colour", "gold")


async def test_a_host_decides_who_comes_in(address: str) -> None:
    ada = await Person.at(address, **DESKTOP)
    page = ada.page
    link = await ada.create("Ada", rules_open=True)

    # Newcomers wait for the host's answer, even over a reload.
    await page.check("#set-approve")
    eve = await Person.at(link, **DESKTOP)
    await eve.join("Eve", screen="waiting")
    await eve.page.reload()
    await eve.on("waiting")
    await accessible(eve.page)
    await page.click("#requests [data-action=admit]")
    await eve.on("room")
    await expect(page.locator("#requests")).to_have_count(0)
    mallory = await Person.at(link, **PHONE)
    await mallory.join("Mallory", "#watch", "waiting")
    await page.click("#requests [data-action=turn-away]")
    await mallory.on("landing")
    await page.uncheck("#set-approve")

    # Banned people cannot come back; kicked ones can.
    await page.get_by_role("button", name="Remove Eve").click()
    await page.check("#kick-ban")
    await page.click("#ask-yes")
    await eve.on("landing")
    await eve.page.goto(link)
    await eve.page.fill("#name", "Eve again")
    await eve.page.click("#join")
    await expect(eve.page.locator("#problem")).to_contain_text("removed you from this room")
    bob = await Person.at(link, **DESKTOP)
    await bob.join("Bob")

    # The host may allow one seat for each browser.
    await page.check("#set-one-seat")
    await expect(bob.page.locator("#changes")).to_contain_text("One seat")
    state = await page.context.storage_state()
    for origin in state["origins"]:  # the same browser, without its stored seat
        kept = origin["localStorage"]
        origin["localStorage"] = [each for each in kept if each["name"] != "spider-race.seats"]
    second = await Person.at(link, storage_state=state)
    await second.on("join")
    await second.page.fill("#name", "Ada's other eyes")
    await second.page.click("#join")
    await expect(second.page.locator("#problem")).to_contain_text("one seat per person")

    # A program is marked for everybody.
    await bob.page.click("#leave")
    await bob.on("landing")
    async with connect(address) as programs:
        await page.check("#set-approve")
        robo = await programs.join(link, "Robo")
        await expect(page.locator("#requests [data-part=program]")).to_be_visible()
        await page.click("#requests [data-action=admit]")
        await expect(page.locator("#players").get_by_role("img", name="Program")).to_have_count(1)
        await robo.ready()
        await page.click("#ready")
        await ada.on("race")
        await expect(page.locator("#standings [data-part=program]")).to_be_visible()
        await ada.gives_up()
        await robo.forfeit()
        await ada.on("results")
        await robo.leave()
        await expect(page.locator("#ranking").get_by_role("img", name="Program")).to_have_count(1)

        # The host returns to the room and changes the rules at once.
        await page.click("#next")
        await ada.on("room")
        await expect(page.locator("#set-preset")).to_be_in_viewport()
