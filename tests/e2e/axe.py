"""What the accessibility checker axe says of a page."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
TAGS = [*WCAG, "best-practice"]
TARGETS = "target-size"

# Words that come and go are judged as they are while they can be read.
STILL = """() => document.getAnimations().every(({playState, effect}) =>
  playState !== 'running' || effect.getTiming().iterations === Infinity)"""

# What the page wishes of motion otherwise; the browser cannot be told to go back to it.
MOTION = """() =>
  matchMedia('(prefers-reduced-motion: reduce)').matches ? 'reduce' : 'no-preference'"""

# Contrast in many looks. The checker takes a quarter of a second for any part of a page, so it
# judges all texts in the first look and in the last. Where plain sums come to its results in
# both, they do in the others too. The other texts are the checker's in each look in which colours
# at their places are others; but texts that it judges in no colours stay as they are.
FAINT = """async (looks) => {
  const blind = ['bgGradient', 'bgImage', 'bgOverlap', 'imgNode', 'elmPartiallyObscured',
    'elmPartiallyObscuring', 'nonBmp', 'pseudoContent', 'shortTextContent'];
  const html = document.documentElement;
  const before = {...html.dataset};
  const texts = [...document.body.querySelectorAll('*')].filter((element) =>
    element.checkVisibility()
    && (element.matches('input, select, textarea')
      || [...element.childNodes].some(({nodeType, data}) => nodeType === 3 && data.trim())));
  const parents = (element) => {
    const all = [];
    for (let each = element; each; each = each.parentElement) all.push(each);
    return all;
  };
  // What a text may lie on: what the page has at its middle, or what it is part of.
  const under = new Map(texts.map((element) => {
    const {left, top, width, height} = element.getBoundingClientRect();
    const there = document.elementsFromPoint(left + width / 2, top + height / 2);
    const at = there.indexOf(element);
    return [element, [at < 0 ? [] : there.slice(at), parents(element)]];
  }));
  const colours = (element) => [...new Set(under.get(element).flat())].map((each) => {
    const {color, backgroundColor, backgroundImage, opacity} = getComputedStyle(each);
    return [each === element && color, backgroundColor, backgroundImage, opacity].join();
  }).join();
  const pictures = (element) => [...new Set(under.get(element).flat())]
    .map((each) => getComputedStyle(each).backgroundImage !== 'none').join();

  // Red, green, blue and opacity of a colour.
  const pen = Object.assign(document.createElement('canvas'), {width: 1, height: 1})
    .getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const plain = (colour) => {
    if (!known.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [red, green, blue, opacity] = pen.getImageData(0, 0, 1, 1).data;
      known.set(colour, [red, green, blue, opacity / 255]);
    }
    return known.get(colour);
  };
  const over = ([red, green, blue, a], below) =>
    [red, green, blue].map((value, i) => value * a + below[i] * (1 - a));
  const light = (colour) => colour
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  // The contrast of a text on the colours that it lies on.
  const ratio = (element, layers) => {
    const backs = [];
    for (const each of layers) {
      backs.push(plain(getComputedStyle(each).backgroundColor));
      if (backs.at(-1)[3] === 1) break;
    }
    const back = backs.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
    const [red, green, blue, a] = plain(getComputedStyle(element).color);
    const opacity = parents(element).reduce((all, e) => all * getComputedStyle(e).opacity, a);
    const two = [light(over([red, green, blue, opacity], back)), light(back)];
    return (Math.max(...two) + 0.05) / (Math.min(...two) + 0.05);
  };

  const found = [];
  const tell = (look, what) => found.push(`${Object.values(look).join(', ')}: ${what}`);
  // What the checker says of texts: for each of those that it judges, the numbers behind it.
  const ask = async (look, elements) => {
    const {violations, passes, incomplete} = await axe.run({include: elements}, {
      runOnly: {type: 'rule', values: ['color-contrast']},
      resultTypes: ['violations', 'passes', 'incomplete'],
      elementRef: true,
    });
    for (const {nodes} of violations)
      for (const {target, failureSummary} of nodes) tell(look, `${target} ${failureSummary}`);
    const judged = [...violations, ...passes, ...incomplete].flatMap(({nodes}) => nodes);
    return new Map(judged.map(({element, any: [{data}]}) => [element, data ?? {}]));
  };
  const agree = (element, {contrastRatio}) => under.get(element)
    .map((layers) => Math.abs(ratio(element, layers) / contrastRatio - 1) < 0.01);

  Object.assign(html.dataset, looks[0]);
  const first = await ask(looks[0], texts);
  const agreed = new Map([...first].map(([element, data]) => [element, agree(element, data)]));
  Object.assign(html.dataset, looks.at(-1));
  const last = await ask(looks.at(-1), texts);
  const sums = new Map();
  const other = new Map();
  for (const [element, data] of new Map([...first, ...last])) {
    const both = agree(element, data).map((yes, i) => yes && agreed.get(element)?.[i]);
    const layers = under.get(element)[both.indexOf(true)];
    const state = blind.includes(data.messageKey) ? pictures : colours;
    if (layers) sums.set(element, [layers, Number.parseFloat(data.expectedContrastRatio)]);
    else other.set(element, [state, new Set([state(element)])]);
  }
  for (const look of looks.slice(1, -1)) {
    Object.assign(html.dataset, look);
    for (const [element, [layers, least]] of sums) {
      const contrast = ratio(element, layers);
      if (contrast < least) tell(look, `${element.outerHTML} has ${contrast}, not ${least}`);
    }
    const unseen = [...other].filter(([element, [state, seen]]) => {
      const now = state(element);
      return !seen.has(now) && seen.add(now);
    });
    if (unseen.length > 0) await ask(look, unseen.map(([element]) => element));
  }
  for (const name of Object.keys(html.dataset)) delete html.dataset[name];
  Object.assign(html.dataset, before);
  return found;
}"""


@asynccontextmanager
async def _at_hand(page: Page) -> AsyncIterator[None]:
    """Brings the checker into the page, where nothing moves meanwhile."""
    wish = await page.evaluate(MOTION)
    await page.emulate_media(reduced_motion="reduce")
    await page.wait_for_function(STILL)
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(Axe().axe_script)
    yield
    await page.emulate_media(reduced_motion=wish)


async def complaints(page: Page, *, tags: list[str] = TAGS) -> list[str]:
    """Violations of WCAG 2.2 AA and of good practice, and targets it could not measure."""
    options: dict[str, Any] = {
        "runOnly": {"type": "tag", "values": tags},
        "resultTypes": ["violations", "incomplete"],
        "rules": {TARGETS: {"enabled": True}},
    }
    async with _at_hand(page):
        told = await page.evaluate("(options) => axe.run(document, options)", options)
    unmeasured = [each for each in told["incomplete"] if each["id"] == TARGETS]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in [*told["violations"], *unmeasured]
        for node in found["nodes"]
    ]


async def faint(page: Page, looks: list[dict[str, str]]) -> list[str]:
    """Texts that can hardly be read in one of the looks, each given as the data of the root."""
    async with _at_hand(page):
        found: list[str] = await page.evaluate(FAINT, looks)
    return found


async def accessible(page: Page) -> None:
    """Asserts that nothing is against WCAG 2.2 AA, and no target is too small to tell."""
    found = await complaints(page, tags=WCAG)
    assert not found, found
