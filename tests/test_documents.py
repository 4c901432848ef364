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
TOPS = "server|protocol|python_client|spider_race|tests|bench|tools|web_client|docs|deploy"
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{TOPS})/[\w./-]+|[\w-]+(?:/[\w.-]+)*\.(?:py|lua|js|md|css|toml)")
LINK = re.compile(r"\]\(([^)\s#]*)#?([^)\s]*)\)")
MODULE = re.compile(r"\bpython -m ((?:server|protocol|tests|bench|tools)[\w.]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
EXAMPLES = {"verify.py"}
"""Files that a reader of the document writes."""


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_a_document_names_is_there(document: str) -> None:
    """A page about a folder may leave out the name of that folder, and `web_client/src`."""
    starts = (ROOT, (ROOT / document).parent, ROOT / "web_client" / "src")
    spans = CODE.findall(FENCE.sub("", text_of(document)))
    words = {word.partition("::")[0] for span in spans for word in span.split()} - EXAMPLES
    named = {word for word in words if PATH.fullmatch(word)}
    assert [path for path in named if not any((start / path).exists() for start in starts)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_to_a_file_or_a_heading(document: str) -> None:
    folder = (ROOT / document).parent
    for link, anchor in LINK.findall(text_of(document)):
        if "://" not in link:
            target = folder / link if link else ROOT / document
            assert target.exists(), link
            assert not anchor or anchor in anchors(target.read_text("utf-8")), anchor


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_that_a_document_names_can_be_run(document: str) -> None:
    for module in set(MODULE.findall(text_of(document))):
        path = ROOT.joinpath(*module.split("."))
        assert path.with_suffix(".py").is_file() or (path / "__main__.py").is_file(), module
    code = "\n".join([*FENCE.findall(text_of(document)), *CODE.findall(text_of(document))])
    rules = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(TARGET.findall(code)) <= rules
