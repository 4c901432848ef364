"""A race of nine pages, among them a phone and a tablet, from the link to the rematch."""

import asyncio
from typing import Any

import pytest
from playwright.async_api import expect

from protocol.vocabulary import MESSAGES_PER_S
from tests.e2e.pages import DESKTOP, PHONE, STILL, WAIT_FOR_CARDS, Person, Piles, game_of, shown
from tests.e2e.ways import record, typed, was_seen
from tests.games.wins import spiderette_win

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

GAME = "spiderette-1"
"""Each move of one page is drawn by nine, and this is the shortest win that there is."""
TABLET: dict[str, Any] = {
    "viewport": {"width": 820, "height": 1180},
    "is_mobile": True,
    "has_touch": True,
}
GUESTS: dict[str, dict[str, Any]] = {
    "Bob": PHONE,
    "Cleo": TABLET,
    "Maximiliane-Friederike": {**DESKTOP, **STILL},
    "\u05d3\u05e0\u05d4": {**DESKTOP, **STILL},
    "Eli": {**DESKTOP, **STILL},
    "Finn": {**PHONE, **STILL},
    "Gül": {**DESKTOP, **STILL},
    "Hugo": {**DESKTOP, **STILL},
}

# A whole game, each line of which is typed as soon as the cards lie as the one before put them.
TYPE = f"""async ([lines, pause]) => {{
  const lieAs = {WAIT_FOR_CARDS};
  const input = document.querySelector('#typed');
  for (const [line, wanted] of lines) {{
    input.value = line;
    input.form.requestSubmit();
    await new Promise((resolve) => setTimeout(resolve, pause));
    await lieAs(wanted);
  }}
}}"""


def win() -> list[tuple[str, Piles]]:
    """Return the lines that win the deal of the server, and the cards after each."""
    game = game_of(GAME)
    lines = []
    for action in spiderette_win():
        game.apply(action)
        lines.append((typed(action), shown(game)))
    return lines


async def give_up(person: Person) -> None:
    """Ends the person's own game."""
    await person.gives_up()


async def test_nine_players_race_from_the_link_to_the_rematch(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, **STILL)
    link = await ada.create("Ada", rules_open=True)
    await ada.page.select_option("#set-game", GAME)
    await expect(ada.page.locator("#set-game")).to_have_value(GAME)
    guests = await asyncio.gather(*(Person.at(link, **how) for how in GUESTS.values()))
    everybody = (ada, *guests)
    for guest, name in zip(guests, GUESTS, strict=True):
        await expect(guest.page.locator("#join-host")).to_contain_text("Ada")
        await guest.join(name)
        await expect(guest.page.locator("#gist")).to_contain_text("Spiderette")
    await asyncio.gather(*(person.page.click("#ready") for person in everybody))
    await asyncio.gather(*(person.on("race") for person in everybody))
    for person in everybody:
        await expect(person.page.locator("#standings [data-seat]")).to_have_count(9)

    bob, cleo, *others = guests
    await give_up(bob)
    await expect(bob.page.locator("#board")).to_be_hidden()
    await expect(bob.page.locator('#board-grid [data-seat="0"]')).to_contain_text("Ada")
    await ada.sees(game_of(GAME))
    await asyncio.gather(*(record(guest, "#banner") for guest in guests))
    await ada.page.keyboard.press("/")
    await ada.page.evaluate(TYPE, [win(), 1_000 / MESSAGES_PER_S])
    await asyncio.gather(*(was_seen(guest, "#banner", "Ada finished 1st") for guest in guests))
    for person in guests:
        row = person.page.locator('#standings [data-seat="0"]')
        await expect(row.locator("[data-part=place]")).to_have_text("1")
    # The winner is at the race of the others at once, and so are those who gave up.
    await expect(ada.page.locator("#game-over")).to_contain_text("You win! ")
    await expect(ada.page.locator('#board-grid [data-seat="2"]')).to_contain_text("Cleo")
    await asyncio.gather(*(give_up(person) for person in others))
    await expect(cleo.page.locator("#board")).to_be_visible()
    await give_up(cleo)

    await asyncio.gather(*(person.on("results") for person in everybody))
    for person in everybody:
        await expect(person.page.locator("#tally")).to_contain_text("Ada 1")
        await expect(person.page.locator("#ranking tbody tr")).to_have_count(9)
        fits = "() => document.documentElement.scrollWidth <= innerWidth"
        await person.page.wait_for_function(fits)
    await cleo.page.click("#rematch")
    await expect(ada.page.locator("#next-steps")).to_have_text("Cleo wants a rematch.")
    rest = (person for person in everybody if person is not cleo)
    await asyncio.gather(*(person.page.click("#rematch") for person in rest))
    await asyncio.gather(*(person.on("race") for person in everybody))
    for person in everybody:
        assert person.page.url == link
        await expect(person.page.locator("#standings [data-seat]")).to_have_count(9)
