"""What the documents name is there: paths, links, modules that they run, and targets."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    {
        str(path.relative_to(ROOT))
        for pattern in ("*.md", "{}/**/*.md", "web_client/*.md")
        for top in ("bench", "docs", "python_client", "server", "tests")
        for path in ROOT.glob(pattern.format(top))
    }
    - {"CHANGELOG.md"}  # it names things as they were
)
TOPS = "server|protocol|python_client|tests|bench|web_client|docs|deploy"
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{TOPS})/[\w./-]+|[\w-]+(?:/[\w.-]+)*\.(?:py|lua|js|md|css|toml)")
LINK = re.compile(r"\]\(([^)\s#]*)#?([^)\s]*)\)")
MODULE = re.compile(r"\bpython -m ((?:server|protocol|tests|bench)[\w.]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
EXAMPLES = {"verify.py"}
"""Files that a reader of the document writes."""


RULES = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_what_a_document_names_is_there(document: str) -> None:
    """A page about a folder may leave out the name of that folder, and `web_client/src`."""
    text, folder = (ROOT / document).read_text("utf-8"), (ROOT / document).parent
    spans = CODE.findall(FENCE.sub("", text))
    words = {word.partition("::")[0] for span in spans for word in span.split()} - EXAMPLES
    for path in filter(PATH.fullmatch, words):
        starts = (ROOT, folder, ROOT / "web_client" / "src")
        assert any((start / path).exists() for start in starts), path
    for link, anchor in LINK.findall(text):
        if "://" not in link:
            target = folder / link if link else ROOT / document
            assert target.exists(), link
            assert not anchor or anchor in anchors(target.read_text("utf-8")), anchor
    for module in set(MODULE.findall(text)):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module
    code = "\n".join([*FENCE.findall(text), *CODE.findall(text)])
    assert set(TARGET.findall(code)) <= RULES


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
