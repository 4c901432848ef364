"""A challenge to a second browser, and back."""

import pytest
from playwright.async_api import expect

from tests.e2e.axe import accessible
from tests.e2e.pages import DESKTOP, PHONE, Person
from tests.e2e.wire import at_a_page, play, start_race
from tests.games.wins import one_suit_game, one_suit_win

pytestmark = pytest.mark.browser

# Catch the link that a person shares, by the clipboard or by the dialog of a phone.
PASSES_ON = """() => {
  navigator.clipboard.writeText = async (text) => { window.passed = text; };
  navigator.share = async ({ url }) => { window.passed = url; };
}"""


async def passes_on(person: Person, button: str) -> str:
    """Press a button, and return the link that it shares."""
    await person.page.evaluate(PASSES_ON)
    await person.page.click(button)
    passed = await person.page.wait_for_function("() => window.passed")
    return str(await passed.json_value())


async def test_a_friend_races_a_challenge_and_sends_the_answer_back(address: str) -> None:
    (player,) = await start_race(address, "Ada", game="spider-1", max_players=1)
    await play(player, one_suit_win())
    ada = await at_a_page(player, **DESKTOP)
    await ada.on("results")
    link = await passes_on(ada, "#challenge")
    assert link.endswith(f"/g/{player.code}/1/{player.seat}")
    await expect(ada.page.locator("#status")).to_have_text("Link copied. Send it to a friend.")

    # Bob reads who challenges him, types a name, and races the ghost.
    bob = await Person.at(link, **PHONE)
    gate = bob.page.locator("#gate")
    await expect(gate.locator("#winner")).to_have_text("Ada challenges you")
    await expect(gate).to_contain_text("to beat")
    await accessible(bob.page)
    await bob.page.fill("#name", "Bob")
    await bob.page.click("#ghost-play")
    await bob.on("race")
    await expect(bob.page.locator("#standings [data-ghost]")).to_contain_text("Ada")
    await bob.do(one_suit_game(), *one_suit_win()[:5])
    await bob.gives_up()

    # The duel shows both games side by side.
    await bob.on("results")
    await expect(bob.page.locator("#winner")).to_have_text("Ada beat you")
    await expect(bob.page.locator("#ranking tbody tr")).to_have_count(2)
    await accessible(bob.page)
    await bob.page.click("#replay-open")
    for name, side in (("Bob", "left"), ("Ada", "right")):
        chosen = bob.page.locator(f"#board-{side} option:checked")
        await expect(chosen).to_have_text(name)
    ends = bob.page.locator("#boards [data-part=act]")
    await expect(ends.last).to_contain_text("Complete suit removed")
    await expect(ends.first).to_contain_text("moved")

    # Bob sends his own game back.
    await expect(bob.page.locator("#rematch")).to_have_text("Try again")
    answer = await passes_on(bob, "#challenge")
    await ada.page.goto(answer)
    await expect(ada.page.locator("#winner")).to_have_text("Bob challenges you")
    await ada.page.click("#ghost-play")
    await ada.on("race")
    await expect(ada.page.locator("#standings [data-ghost]")).to_contain_text("Bob")
