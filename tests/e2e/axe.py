"""What the accessibility checker axe says of a page."""

from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TAGS = [*WCAG, "best-practice"]
TARGETS = "target-size"

# Words that come and go are judged as they are while they can be read.
STILL = """() => document.getAnimations().every(({playState, effect}) =>
  playState !== 'running' || effect.getTiming().iterations === Infinity)"""

# Contrast in many looks: a text is asked about again only where colours at its place are others.
FAINT = """async (looks) => {
  const html = document.documentElement;
  const before = {...html.dataset};
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    element.checkVisibility()
    && (element.matches('input, select, textarea')
      || [...element.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim())));
  const under = new Map(texts.map((element) => {
    const {left, top, width, height} = element.getBoundingClientRect();
    const all = new Set(document.elementsFromPoint(left + width / 2, top + height / 2));
    for (let each = element; each; each = each.parentElement) all.add(each);
    return [element, [...all]];
  }));
  const colours = (element) => under.get(element).map((each) => {
    const {color, backgroundColor, backgroundImage, opacity} = getComputedStyle(each);
    return [each === element && color, backgroundColor, backgroundImage, opacity].join();
  }).join();
  const asked = new Map(texts.map((element) => [element, new Set()]));
  const found = [];
  for (const look of looks) {
    Object.assign(html.dataset, look);
    const other = texts.filter((element) => {
      const now = colours(element);
      if (asked.get(element).has(now)) return false;
      asked.get(element).add(now);
      return true;
    });
    if (other.length === 0) continue;
    const {violations} = await axe.run({include: other}, {
      runOnly: {type: 'rule', values: ['color-contrast']},
      resultTypes: ['violations'],
    });
    for (const {nodes} of violations)
      for (const {target, failureSummary} of nodes)
        found.push(`${Object.values(look).join(', ')}: ${target} ${failureSummary}`);
  }
  for (const name of Object.keys(html.dataset)) delete html.dataset[name];
  Object.assign(html.dataset, before);
  return found;
}"""


async def _at_hand(page: Page) -> None:
    """Brings the checker into the page, where nothing moves any more."""
    await page.emulate_media(reduced_motion="reduce")
    await page.wait_for_function(STILL)
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(Axe().axe_script)


async def complaints(page: Page, *, tags: list[str] = TAGS) -> list[str]:
    """Violations of WCAG 2.2 AA and of good practice, and targets it could not measure."""
    await _at_hand(page)
    options: dict[str, Any] = {
        "runOnly": {"type": "tag", "values": tags},
        "resultTypes": ["violations", "incomplete"],
        "rules": {TARGETS: {"enabled": True}},
    }
    told = await page.evaluate("(options) => axe.run(document, options)", options)
    await page.emulate_media(reduced_motion="no-preference")
    unmeasured = [each for each in told["incomplete"] if each["id"] == TARGETS]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in [*told["violations"], *unmeasured]
        for node in found["nodes"]
    ]


async def faint(page: Page, looks: list[dict[str, str]]) -> list[str]:
    """Texts that can hardly be read in one of the looks, each given as the data of the root."""
    await _at_hand(page)
    found: list[str] = await page.evaluate(FAINT, looks)
    await page.emulate_media(reduced_motion="no-preference")
    return found


async def accessible(page: Page) -> None:
    """Asserts that nothing is against WCAG 2.2 AA, and no target is too small to tell."""
    found = await complaints(page, tags=WCAG)
    assert not found, found
