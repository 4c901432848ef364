"""Whether everybody can use a page, as far as a machine can tell."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}


async def accessible(page: Page) -> None:
    """Asserts that axe finds nothing amiss, and no target that is too small to tell."""
    found = (await Axe().run(page, options=WCAG)).response
    assert [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]] == []
    assert "target-size" not in [each["id"] for each in found["incomplete"]]
