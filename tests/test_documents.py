"""The documents name existing paths, links, modules, targets, commands and options."""

import re
from pathlib import Path

import pytest

from server.__main__ import COMMANDS, options_class
from tests.present import present

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    {
        str(path.relative_to(ROOT))
        for pattern in ("*.md", "{}/**/*.md", "web_client/*.md")
        for top in ("bench", "docs", "python_client", "server", "tests")
        for path in ROOT.glob(pattern.format(top))
    }
    - {"CHANGELOG.md"}  # it uses former names
)
TOPS = "server|protocol|python_client|tests|bench|web_client|docs|deploy"
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"(?:{TOPS})/[\w./-]+|[\w-]+(?:/[\w.-]+)*\.(?:py|lua|js|md|css|toml)")
LINK = re.compile(r"\]\(([^)\s#]*)#?([^)\s]*)\)")
MODULE = re.compile(r"\bpython -m ((?:server|protocol|tests|bench)[\w.]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
COMMAND = re.compile(r"^(?:\S*/)?spider-race(?!/)((?: [a-z]+(?![\w/-]))*)(.*)")
OPTION = re.compile(r"(?<!\S)--([a-z][a-z-]+)")
EXAMPLES = {"verify.py"}
"""Files that readers write."""
LONGEST_RELEASE = 40  # lines; nobody reads more about a release
OF_OTHERS = {"force-reinstall", "no-deps", "rdb"}
"""Options of pip and redis-cli."""

RULES = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_everything_named_in_a_document_exists(document: str) -> None:
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


def options_of(command: str) -> set[str]:
    """Return the options of a command, as users write them."""
    fields = options_class(command).model_fields.items()
    names = ((info.alias or name).replace("_", "-").removeprefix("as-") for name, info in fields)
    return {"help", "version", *names}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_program_knows_the_commands_and_options_of_a_document(document: str) -> None:
    text = (ROOT / document).read_text("utf-8")
    lines = "\n".join(FENCE.findall(text)).replace("\\\n", " ").splitlines()
    for line in [*lines, *CODE.findall(text)]:
        if (found := COMMAND.match(line.strip())) is not None:
            words = found[1].split()
            names = " ".join(words[:2]), " ".join(words[:1]) or "serve"
            name = next((each for each in names if each in {"serve", *COMMANDS}), None)
            assert name is not None, line
            unknown = set(OPTION.findall(found[2].partition(" # ")[0])) - options_of(name)
            assert not unknown, line


def test_operators_read_about_all_options_and_no_others() -> None:
    page = (ROOT / "docs/operating.md").read_text("utf-8")
    named = {
        OPTION.findall(span)[0] for span in CODE.findall(FENCE.sub("", page)) if OPTION.match(span)
    }
    assert named - OF_OTHERS <= set().union(*map(options_of, ["serve", *COMMANDS]))
    table = page.partition("\n## Options\n")[2].partition("\n## ")[0]
    shown = {OPTION.findall(span)[0] for span in CODE.findall(table) if OPTION.match(span)}
    assert options_of("serve") - {"help", "version"} <= shown, "the table has every option"


def test_the_changelog_is_short_and_in_the_order_of_releases() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    _, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    heads = [section.partition("\n")[0] for section in sections]
    assert heads[0] == "Unreleased"
    release = re.compile(r"\d+\.\d+\.\d+ \N{EN DASH} (\d{4}-\d\d-\d\d)")
    dates = [present(release.fullmatch(head))[1] for head in heads[1:]]
    assert dates == sorted(dates, reverse=True)
    for head, section in zip(heads, sections, strict=True):
        lines = [line for line in section.splitlines()[1:] if line]
        assert len(lines) <= LONGEST_RELEASE, head
        entries = [line for line in lines if not line.startswith("### ")]
        first = 0 if head == "Unreleased" else 1  # a release opens with one paragraph
        assert all(line.startswith("- ") for line in entries[first:]), head
        assert not any(line.startswith("- ") for line in entries[:first]), head


def anchors(text: str) -> set[str]:
    """Return the anchors that GitHub makes from a page's headings."""
    headings = re.findall(r"^#+ (.*)", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}
