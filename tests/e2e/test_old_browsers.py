"""Pages that cannot start: in older browsers than those that play, and if files do not come."""

from urllib.parse import urlsplit

import pytest
from playwright.async_api import Browser, Page, Route, expect

from tests.e2e.axe import WCAG, complaints
from tests.e2e.pages import PHONE, Person

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]

LACKS = {
    "a method of lists": "delete Array.prototype.toSorted",
    "mixed colours": "CSS.supports = () => false",
    "CSS.supports": "delete window.CSS",
    "a part of regular expressions": """window.RegExp = new Proxy(RegExp, {
      construct: (made, [source, ...rest]) => {
        if (source.includes('?<=')) throw new SyntaxError('invalid group');
        return new made(source, ...rest);
      }})""",
}


@pytest.mark.parametrize("lacking", LACKS)
async def test_an_old_browser_gets_one_sentence_in_two_languages(
    address: str, lacking: str
) -> None:
    ada = await Person.at(address, script=LACKS[lacking], **PHONE)
    said = ada.page.locator(".old-browser")
    await expect(said).to_contain_text("too old")
    await expect(said.locator("[lang=de]")).to_contain_text("zu alt")
    for element in await ada.page.locator("body > *").all():
        assert await element.is_visible() == (
            "old-browser" in (await element.get_attribute("class") or "")
        )


async def test_browsers_that_play_show_nothing_of_it(ada: Person) -> None:
    await expect(ada.page.locator("#create")).to_be_visible()
    await expect(ada.page.locator(".old-browser")).to_be_hidden()


class Losses:
    """Loses a file of a page for some loads of the page, or for all of them."""

    def __init__(self, page: Page, file: str) -> None:
        self.loads, self.lost = 0, 0.0
        self._page, self._file = page, file

    async def begin(self, lost: float) -> None:
        """Lose it from now on, in so many loads."""
        self.lost = lost
        await self._page.route("**/*", self._answer)

    async def _answer(self, route: Route) -> None:
        self.loads += route.request.is_navigation_request()
        is_file = urlsplit(route.request.url).path.startswith(self._file)
        await (route.abort() if is_file and self.loads <= self.lost else route.continue_())


FILES = ["/src/main.js", "/src/page/stage.js", "/src/strings/"]


@pytest.mark.complains("ERR_FAILED")
@pytest.mark.parametrize("file", FILES)
async def test_a_start_that_fails_is_tried_twice_more_and_then_the_player_is_asked(
    address: str, browser: Browser, file: str
) -> None:
    context = await browser.new_context(**PHONE, service_workers="block")
    person = Person(await context.new_page())
    page = person.page
    losses = Losses(page, file)
    await losses.begin(lost=float("inf"))
    await page.goto(address)
    asked = page.locator("#not-started")
    await expect(asked).to_be_hidden()
    await expect(asked).to_be_visible(timeout=40_000)
    await expect(asked).to_contain_text("couldn’t be loaded")
    assert await complaints(page, tags=WCAG) == []
    losses.lost = 0
    await page.get_by_role("button", name="Try again").click()
    await expect(page.locator("#create")).to_be_visible()
    await expect(asked).to_be_hidden()


@pytest.mark.complains("ERR_FAILED")
async def test_a_start_that_fails_once_needs_nobody(address: str, browser: Browser) -> None:
    context = await browser.new_context(**PHONE, service_workers="block")
    person = Person(await context.new_page())
    losses = Losses(person.page, "/src/state/state.js")
    await losses.begin(lost=float("inf"))
    await person.page.goto(address)
    await person.page.wait_for_event("requestfailed")
    losses.lost = 0
    await expect(person.page.locator("#create")).to_be_visible()
    assert losses.loads == 2


@pytest.mark.complains("ERR_FAILED")
async def test_a_page_without_any_script_says_so_too(address: str, browser: Browser) -> None:
    context = await browser.new_context(**PHONE, service_workers="block")
    person = Person(await context.new_page())
    losses = Losses(person.page, "/src/")
    await losses.begin(lost=float("inf"))
    await person.page.goto(address)
    asked = person.page.locator("#not-started")
    await expect(asked).to_be_visible()
    losses.lost = 0
    await person.page.get_by_role("button", name="Try again").click()
    await expect(person.page.locator("#create")).to_be_visible()
