"""Check pages with the accessibility checker axe."""

from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TAGS = [*WCAG, "best-practice"]
TARGETS = "target-size"
ENHANCED = "color-contrast-enhanced"
"""The contrast of WCAG AAA, which we do not promise."""
COLOURS = ["cat.color"]
"""Rules with another result in the dark."""

# Wait for words to fade in. An animation that follows the scrolling does not count.
STILL = """() => document.getAnimations().every(({playState, effect, timeline}) =>
  playState !== 'running' || effect.getTiming().iterations === Infinity
  || timeline !== document.timeline)"""


async def complaints(page: Page, *, tags: list[str] = TAGS) -> list[str]:
    """Return violations of WCAG 2.2 AA and best practice, and unmeasured targets."""
    options: dict[str, Any] = {
        "runOnly": {"type": "tag", "values": tags},
        "resultTypes": ["violations", "incomplete"],
        "rules": {TARGETS: {"enabled": True}, ENHANCED: {"enabled": False}},
    }
    await page.wait_for_function(STILL)
    await page.evaluate("() => scrollTo(0, 0)")  # the head would cover the rest
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(Axe().axe_script)
    result = await page.evaluate("(options) => axe.run(document, options)", options)
    unmeasured = [each for each in result["incomplete"] if each["id"] == TARGETS]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in [*result["violations"], *unmeasured]
        for node in found["nodes"]
    ]


async def accessible(page: Page) -> None:
    """Assert that axe finds no violation of WCAG 2.2 AA."""
    found = await complaints(page, tags=WCAG)
    assert not found, found
