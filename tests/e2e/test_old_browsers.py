"""Older browsers than those that play show one sentence."""

import pytest
from playwright.async_api import expect

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
