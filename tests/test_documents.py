"""The documents for engineers, held against the sources that they name."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from protocol.settings import Settings
from server.config import DoctorOptions, VerifyOptions

ROOT = Path(__file__).parents[1]
HISTORY = {"CHANGELOG.md", "tests/mutants.md"}
"""Documents that name things as they were."""
DOCUMENTS = sorted(
    {
        str(path.relative_to(ROOT))
        for pattern in ("*.md", "{}/**/*.md", "web_client/*.md")
        for top in ("docs", "python_client", "server", "tests")
        for path in ROOT.glob(pattern.format(top))
    }
    - HISTORY
)
SPECIFICATIONS = {"server/games/NOTATION.md", "server/games/RULES.md", "tests/e2e/classic.md"}
IN_SHORT_SENTENCES = [name for name in DOCUMENTS if name not in SPECIFICATIONS]
MOST_WORDS = 25
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]*)#?([^)\s]*)\)")
MODULE = re.compile(r"\bpython -m ((?:server|protocol|tests)[\w.]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
OPTION = re.compile(r"(?<![\w-])--[a-zA-Z][\w-]+")
DRAWN = re.compile(r"(?<![\w/$.-])[a-z_][\w/-]*\.(?:py|lua|js|css)\b")
NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
LINKED = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
COMMENT = {
    ".py": re.compile(r'"""(?:.|\n)*?"""|#[^\n]*'),
    ".js": re.compile(r"/\*(?:.|\n)*?\*/|(?<!:)//[^\n]*"),
    ".lua": re.compile(r"--[^\n]*"),
}
SUFFIXES = (".py", ".lua", ".js", ".json", ".md", ".css", ".toml", ".yml", ".ts")
SOURCES = {*SUFFIXES, ".html", ".conf", ".service", ""} - {".md"}
TOPS = ("server", "protocol", "python_client", "spider_race", "tests", "web_client", "docs")
EXAMPLES = {"bench.json", "peers.json", "verify.py", "with_ours.json"}
"""Files that a reader of the document may write, or finds elsewhere."""
OF_OTHERS = {"--noEmit", "--now", "--pin", "--randomly-seed", "DOC", "pipx", "compiled__mypyc"}
"""Names of other programs that no source of ours has."""


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def spans(document: str) -> list[str]:
    """Return the texts between backticks outside of blocks."""
    return CODE.findall(FENCE.sub("", text_of(document)))


def all_code(document: str) -> str:
    return "\n".join([*FENCE.findall(text_of(document)), *spans(document)])


def cited(document: str) -> set[str]:
    """Return the paths between backticks, without the name of a test or a line behind them."""
    words = (word.partition("::")[0] for span in spans(document) for word in span.split())
    return {word for word in words if is_path(word)} - EXAMPLES


def is_path(word: str) -> bool:
    if not re.fullmatch(r"[\w./-]+", word) or word.startswith(("/", ".")):
        return False
    return word.endswith(SUFFIXES) or (word.split("/", maxsplit=1)[0] in TOPS and "/" in word)


def is_there(path: str, document: str) -> bool:
    """Return whether a path leads to a file from the root.

    A page about a folder may leave out the name of that folder, and `web_client/src`.
    """
    starts = (ROOT, (ROOT / document).parent, ROOT / "web_client" / "src")
    return any((start / path).exists() for start in starts)


@cache
def sources() -> dict[str, str]:
    """Return the code of the project without comments and docstrings, by path from the root."""
    folders = (*TOPS[:-1], "deploy", ".ci")
    files = [path for top in folders for path in (ROOT / top).rglob("*")]
    files += [ROOT / name for name in ("Makefile", "pyproject.toml", "docker-compose.yml")]
    return {
        str(path.relative_to(ROOT)): without_comments(path)
        for path in files
        if path.suffix in SOURCES and "node_modules" not in path.parts and path.is_file()
    }


def without_comments(path: Path) -> str:
    text, comment = path.read_text("utf-8"), COMMENT.get(path.suffix)
    return comment.sub("", text) if comment else text


@cache
def words() -> set[str]:
    """Return all words of the code, and of the names of its files."""
    return set(re.findall(r"\w+", "\n".join([*sources(), *sources().values()])))


@cache
def words_of_class(name: str) -> set[str]:
    """Return the words in the body of a class of ours; none if there is no such class."""
    body = re.compile(rf"^class {name}\b.*?(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
    found = (body.search(text) for path, text in sources().items() if path.endswith(".py"))
    return {word for match in found if match for word in re.findall(r"\w+", match[0])}


@cache
def options() -> set[str]:
    """Return all options that a source has: as text, or as a field of the options of a command."""
    fields = DoctorOptions.model_fields | VerifyOptions.model_fields
    written = OPTION.findall("\n".join(sources().values()))
    return {*written, *("--" + name.replace("_", "-") for name in fields)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_name_that_a_document_cites_is_in_the_sources(document: str) -> None:
    """A name is any single word, with dots or with the brackets of a call."""
    missing = set()
    for span in spans(document):
        if is_path(span) or not NAME.fullmatch(span):
            continue
        first, *rest = span.removesuffix("()").split(".")
        known = (first[0].isupper() and words_of_class(first)) or words()
        missing |= {span for word in (first, *rest) if word not in known | OF_OTHERS}
    assert sorted(missing) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_option_that_a_document_names_is_there(document: str) -> None:
    assert sorted(set(OPTION.findall(all_code(document))) - options() - OF_OTHERS) == []


@pytest.mark.parametrize("document", IN_SHORT_SENTENCES)
def test_sentences_are_short(document: str) -> None:
    long = [text for text in sentences(document) if len(text.split()) > MOST_WORDS]
    assert long == []


def sentences(document: str) -> Iterator[str]:
    """Yield the sentences outside of blocks, tables and headings; code counts as one word."""
    text = LINKED.sub(r"\1", CODE.sub("CODE", FENCE.sub("", text_of(document))))
    prose = "\n".join("" if line.startswith(("|", "#")) else line for line in text.splitlines())
    for paragraph in re.split(r"\n\s*\n|\n\s*(?=[-*] |\d+\. )", prose):
        yield from re.split(r"(?<=[.?!:])[*”\")]*\s+(?=[^a-z])", " ".join(paragraph.split()))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_a_document_names_is_there(document: str) -> None:
    missing = sorted(path for path in cited(document) if not is_there(path, document))
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_file_in_a_drawing_is_there(document: str) -> None:
    """A drawing leaves out the folders above, but no part of a name."""
    for drawing in FENCE.findall(text_of(document)):
        for drawn in DRAWN.findall(drawing) if drawing.startswith("```\n") else ():
            assert any(f"/{path}".endswith(f"/{drawn}") for path in sources()), drawn


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
def test_every_module_that_a_document_runs_is_there(document: str) -> None:
    for module in set(MODULE.findall(text_of(document))):
        path = ROOT.joinpath(*module.split("."))
        runs = path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
        assert runs, module


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_target_that_a_document_makes_is_in_the_makefile(document: str) -> None:
    rules = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(TARGET.findall(all_code(document))) <= rules


def test_every_decision_is_in_the_list_of_decisions() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = {link for link, _ in LINK.findall((folder / "README.md").read_text("utf-8"))}
    assert listed == {path.name for path in folder.glob("*.md")} - {"README.md"}


def test_the_steps_of_contributing_name_functions_that_are_there() -> None:
    """The drawing of a move's way names functions beside their file."""
    steps = re.findall(
        r"^ +(\S+\.(?:py|js)) {2,}(\w+)\(\):", text_of("CONTRIBUTING.md"), re.MULTILINE
    )
    for file, name in steps:
        (code,) = (code for path, code in sources().items() if path.endswith(f"/{file}"))
        assert re.search(rf"\b(?:def|function|const) {name}\b", code), file
    assert len(steps) >= 5


def test_each_setting_has_one_row_among_the_house_rules() -> None:
    """The game and its score have tables of their own."""
    table = text_of("docs/playing.md").partition("## House rules")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| .* \| ([^|]*) \|$", table, re.MULTILINE)
    described = [name for cell in cells for name in CODE.findall(cell)]
    assert sorted(described) == sorted(set(Settings.model_fields) - {"game", "score"})


@pytest.mark.parametrize(("document", "words"), [("README.md", 900), ("CONTRIBUTING.md", 1_900)])
def test_the_first_documents_can_be_read_in_one_sitting(document: str, words: int) -> None:
    assert len(text_of(document).split()) <= words
