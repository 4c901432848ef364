"""Every table, palette and light can be read, and every screen passes the checker."""

import itertools
import re
from pprint import pformat

import pytest
from playwright.async_api import expect

from server.http.routes import ROOT
from tests.e2e.axe import complaints, faint
from tests.e2e.pages import DESKTOP, PHONE, STILL, Person, amiss
from tests.e2e.wire import at_a_table
from tests.games.wins import one_suit_win, to_first_complete

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

TABLES = [
    *("baize", "lagoon", "midnight", "plum", "claret", "walnut", "slate", "coal"),
    *("fern", "olive", "copper", "ruby", "rose", "violet", "cobalt", "emerald"),
]
CARDS = ["two", "four", "strong"]
LIGHTS = ["light", "dark"]

TEXT, LARGE, PART = 4.5, 3.0, 3.0
"""WCAG 1.4.3 for text and for large text, 1.4.11 for parts of controls and of the table."""

# What stands on what: custom properties, or colours that a sheet gives to an element.
PAIRS = [
    ("--ink", "--page", TEXT),
    ("--ink", "--panel", TEXT),
    ("--ink", "--field", TEXT),
    ("--ink", "--flash", TEXT),
    ("--soft", "--page", TEXT),
    ("--soft", "--panel", TEXT),
    ("--accent", "--panel", TEXT),
    ("--accent-ink", "--accent", TEXT),
    ("--accent-ink", "--accent-hover", TEXT),
    ("--danger", "--panel", TEXT),
    ("--danger-ink", "--danger", TEXT),
    ("--good", "--panel", TEXT),
    ("--gold-ink", "--gold", TEXT),
    ("--gold-ink", "--gold-hover", TEXT),
    ("--on-felt", "--felt", TEXT),
    ("--on-felt", "--felt-deep", TEXT),
    ("--on-felt-soft", "--felt", TEXT),
    ("--on-felt-soft", "--felt-deep", TEXT),
    ("--on-felt-soft", "--bar", TEXT),
    ("--gold", "--bar", TEXT),
    ("--ring", "--page", PART),
    ("--ring", "--panel", PART),
    ("--soft", "--field", PART),
    ("--card", "--felt", PART),
    ("--card-edge", "--card", PART),
    ("--gold", "--felt", PART),
    ("outline board-slot open", "--felt", PART),
    ("outline board-slot chosen", "--felt", PART),
    ("outline card cursor", "--felt", PART),
    ("outline card held", "--card", PART),
]
# Colours as the browser resolves them, laid over each other, as a ratio.
CONTRAST = """({pairs, cards}) => {
  const pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
    .getContext('2d', {willReadFrequently: true});
  const board = document.querySelector('#board');
  const paint = (...layers) => {
    pen.clearRect(0, 0, 1, 1);
    for (const colour of layers) {
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
    }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const colour = (what) => {
    const probe = document.createElement('div');
    board.append(probe);
    if (what.startsWith('--')) probe.style.color = `var(${what})`;
    else [, probe.className, probe.dataset.marks] = what.split(' ');
    const style = getComputedStyle(probe);
    const found = what.startsWith('--')
      ? style.color
      : /(?:rgba?|color)\\([^)]*\\)/.exec(style.boxShadow)?.[0];
    probe.remove();
    return found;
  };
  const light = (rgb) => rgb
    .map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (front, back) => {
    const [a, b] = [light(paint(back, front)), light(paint(back))].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const found = pairs.map(([front, back]) => ratio(colour(front), colour(back)));
  for (const card of cards) {
    const face = document.createElement('div');
    face.dataset.card = card;
    board.append(face);
    const drawn = decodeURIComponent(getComputedStyle(face).backgroundImage);
    face.remove();
    const ink = /fill='(#[0-9a-f]+)'/.exec(drawn)[1];
    found.push(ratio(ink, colour('--card')));
  }
  return found;
}"""


async def test_all_looks_have_contrast(ada: Person) -> None:
    await ada.page.click("#preferences")
    for cards in CARDS:  # each palette is fetched when it is first wanted
        await ada.page.check(f"[name=pref-cards][value={cards}]", force=True)
    await ada.page.wait_for_load_state("networkidle")
    await ada.page.click("#preferences-done")
    await ada.practise()
    await expect(ada.page.locator("[data-pile]").first).to_be_attached()
    pale = []
    for table, cards, light in itertools.product(TABLES, CARDS, LIGHTS):
        await ada.page.evaluate(
            "(looks) => Object.assign(document.documentElement.dataset, looks)",
            {"table": table, "cards": cards, "light": light},
        )
        faces = [f"A{suit}" for suit in "SHDC"]
        wanted = [*PAIRS, *[(face, "--card", TEXT) for face in faces]]
        ratios = await ada.page.evaluate(
            CONTRAST, {"pairs": [pair[:2] for pair in PAIRS], "cards": faces}
        )
        pale += [
            f"{table}, {cards}, {light}: {front} on {back} is {ratio:.2f}, not {least}"
            for (front, back, least), ratio in zip(wanted, ratios, strict=True)
            if ratio < least
        ]
    assert pale == []


async def test_the_looks_that_are_chosen_stay(address: str) -> None:
    ada = await Person.at(address, **PHONE)
    html = ada.page.locator("html")
    await ada.page.click("#preferences")
    await ada.page.check("[name=pref-table][value=walnut]", force=True)
    await ada.page.check("[name=pref-cards][value=strong]", force=True)
    await ada.page.check("[name=pref-light][value=dark]", force=True)
    await ada.page.check("[name=pref-indices][value=german]", force=True)
    await ada.page.check("#pref-motion")
    await ada.page.uncheck("#pref-muted")
    await ada.page.click("#preferences-done")
    for _ in range(2):
        await expect(html).to_have_attribute("data-table", "walnut")
        await expect(html).to_have_attribute("data-cards", "strong")
        await expect(html).to_have_attribute("data-light", "dark")
        await expect(html).to_have_attribute("data-indices", "german")
        await expect(ada.page.locator('link[href="/css/cards-german.css"]')).to_be_attached()
        await expect(html).to_have_attribute("data-motion", "less")
        await ada.page.reload()
    await ada.practise()
    await expect(ada.page.locator("#mute")).to_have_attribute("aria-pressed", "true")


# Choices whose values do not use the whole width, or are not equally wide.
READ_CHOICES = """() => [...document.querySelectorAll('.choice')].filter((choice) => {
  const widths = [...choice.querySelectorAll('label')].map((each) => each.offsetWidth);
  const wide = widths.reduce((sum, each) => sum + each, 0);
  return wide < choice.clientWidth - 2 || Math.max(...widths) - Math.min(...widths) > 1;
}).map((choice) => choice.textContent)"""


async def test_the_values_of_a_choice_share_its_width(ada: Person) -> None:
    """Two values stood in the first two of three columns."""
    assert await amiss(ada.page, READ_CHOICES) == []
    await ada.page.click("#preferences")
    await expect(ada.page.locator("dialog .choice").first).to_be_visible()
    for width in (320, 390, 1280):
        await ada.page.set_viewport_size({"width": width, "height": 800})
        assert await amiss(ada.page, READ_CHOICES) == [], width


async def test_the_countdown_passes_the_checker(patient: str) -> None:
    ada = await Person.at(patient, **PHONE, color_scheme="dark")
    await ada.create("Ada")
    await ada.page.click("#start")
    await ada.on("countdown")
    assert await complaints(ada.page) == []


async def test_every_screen_but_the_countdown_passes_the_checker(
    ada: Person, address: str
) -> None:
    bob = await Person.at(address, **PHONE, color_scheme="dark")
    found: dict[str, list[str]] = {}

    async def check(name: str, *people: Person) -> None:
        for person in people or (ada, bob):
            wrong = await complaints(person.page)
            if wrong:
                found[f"{name}, {'Ada' if person is ada else 'Bob'}"] = wrong

    await check("landing")
    await ada.page.click("#preferences")
    await expect(ada.page.locator("dialog#preferences-dialog")).to_be_visible()
    await check("preferences", ada)
    await ada.page.click("#preferences-done")
    await ada.page.check("[name=game][value=spider-1]", force=True)
    link = await ada.create("Ada")
    await bob.page.goto(link)
    await bob.on("join")
    await check("join", bob)
    await bob.join("Bob")
    await check("room")
    await bob.page.click("#ready")
    await ada.page.click("#ready")
    for person in (ada, bob):
        await person.on("race")
    await check("race")
    await ada.page.click("#help")
    await expect(ada.page.locator("dialog[open]")).to_be_visible()
    await check("help", ada)
    await ada.page.keyboard.press("Escape")
    await ada.page.click("#chat-toggle")
    await expect(ada.page.locator("#chat-line")).to_be_visible()
    await check("chat", ada)
    await ada.page.click("#chat-close")
    await ada.page.click("#forfeit")
    await check("question", ada)
    await ada.page.click("#ask-yes")
    await expect(ada.page.locator("#game-over")).to_be_visible()
    await check("given up", ada)
    await bob.gives_up()
    for person in (ada, bob):
        await person.on("results")
        await expect(person.page.locator("#replay-at")).to_be_visible()
        # At the end of the page the bar at its foot covers no part of a control.
        await person.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    await check("results")
    assert not found, pformat(found, width=200)


async def test_the_wall_and_the_card_of_a_match_pass_the_checker(address: str) -> None:
    ada = await Person.at(address, **DESKTOP, color_scheme="dark")
    link = await ada.create("Ada", rules_open=True)
    await ada.takes_preset("dos-hard")
    await expect(ada.page.locator("#set-rounds")).to_have_value("6")
    await ada.page.select_option("#set-spectate", "boards")
    await expect(ada.page.locator("#rules")).to_contain_text("boards")
    don = await Person.at(link, **PHONE)
    await don.on("join")
    await don.watch("Don")
    await ada.page.click("#start")
    for person in (ada, don):
        await person.on("race")
    await expect(don.page.locator("#board-grid")).to_be_visible()
    wall = await complaints(don.page)
    await ada.gives_up()
    await ada.on("results")
    await expect(ada.page.locator("#match-card")).to_be_visible()
    card = await complaints(ada.page)
    assert (wall, card) == ([], [])


async def test_text_can_be_read_on_every_table(address: str) -> None:
    looks = [
        {"table": table, "light": light} for table, light in itertools.product(TABLES, LIGHTS)
    ]
    ada = await Person.at(address, **DESKTOP)
    await ada.page.click("#preferences")  # which fetches the later tables
    await expect(ada.page.locator('link[href="/css/tables.css"]')).to_be_attached()
    await ada.page.wait_for_load_state("networkidle")
    await ada.page.click("#preferences-done")
    wrong = {"landing": await faint(ada.page, looks)}
    await ada.create("Ada")
    wrong["room"] = await faint(ada.page, looks)
    await ada.page.click("#start")
    await ada.on("race")
    await expect(ada.page.locator("[data-pile]").first).to_be_attached()
    wrong["race"] = await faint(ada.page, looks)
    await ada.gives_up()
    await ada.on("results")
    for late in ("#chart-summary", "#replay-at"):
        await expect(ada.page.locator(late)).to_be_visible()
    wrong["results"] = await faint(ada.page, looks)
    assert wrong == {"landing": [], "room": [], "race": [], "results": []}


def test_the_list_of_tables_is_that_of_the_page() -> None:
    source = (ROOT / "web_client" / "src" / "browser" / "storage.js").read_text()
    listed = re.search(r"  table: \[(.*?)\]", source, re.DOTALL)
    assert listed is not None
    assert re.findall(r"\w+", listed[1]) == TABLES


async def test_completed_suits_lie_face_down_if_the_player_prefers_it(address: str) -> None:
    first = to_first_complete()
    remove = one_suit_win()[len(first)]
    ada, _ = await at_a_table(address, "spider-1", *first, remove, **DESKTOP, **STILL)
    home = ada.page.locator("#board [data-home]")
    await expect(home).to_have_count(1)
    for box, expected in ((True, ""), (False, None)):
        await ada.page.click("#looks")
        await ada.page.set_checked("#pref-removed", box)
        await ada.page.click("#preferences-done")
        assert await home.get_attribute("data-back") == expected
