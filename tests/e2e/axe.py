"""What the accessibility checker axe says of a page."""

from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TAGS = [*WCAG, "best-practice"]
TARGETS = "target-size"


async def complaints(
    page: Page, *, rules: list[str] | None = None, tags: list[str] = TAGS
) -> list[str]:
    """Violations of WCAG 2.2 AA and of good practice, and targets it could not measure."""
    # Words that come and go are judged as they are while they can be read.
    await page.emulate_media(reduced_motion="reduce")
    wanted: dict[str, Any] = {"type": "rule", "values": rules} if rules else {"type": "tag"}
    wanted.setdefault("values", tags)
    options = {"runOnly": wanted, "resultTypes": ["violations", "incomplete"]}
    if not rules:
        options["rules"] = {TARGETS: {"enabled": True}}
    told = (await Axe().run(page, options=options)).response
    await page.emulate_media(reduced_motion="no-preference")
    unmeasured = [each for each in told["incomplete"] if each["id"] == TARGETS]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in [*told["violations"], *unmeasured]
        for node in found["nodes"]
    ]


async def accessible(page: Page) -> None:
    """Asserts that nothing is against WCAG 2.2 AA, and no target is too small to tell."""
    assert await complaints(page, tags=WCAG) == []
