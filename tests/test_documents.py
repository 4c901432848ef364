"""The documents for engineers, held against the files and modules that they name."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    "CONTRIBUTING.md",
    "README.md",
    "server/README.md",
    *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/decisions/*.md")),
]
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)[^)]*\)")
MODULE = re.compile(r"\bpython -m ((?:server|protocol|tests)[\w.]*)")
TARGET = re.compile(r"\bmake ([a-z]+)")
SUFFIXES = (".py", ".lua", ".js", ".json", ".md", ".css", ".toml", ".yml", ".ts")
TOPS = ("server", "protocol", "spider_race", "tests", "web_client", "docs")
EXAMPLES = {"tests/games/test_simple_simon.py"}
"""Files that a document names because its reader may write them."""


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def cited(document: str) -> set[str]:
    """Return the paths between backticks, without the name of a test or a line behind them."""
    words = (
        word.partition("::")[0]
        for code in CODE.findall(FENCE.sub("", text_of(document)))
        for word in code.split()
    )
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


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_path_that_a_document_names_is_there(document: str) -> None:
    missing = sorted(path for path in cited(document) if not is_there(path, document))
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_to_a_file(document: str) -> None:
    links = {link for link in LINK.findall(text_of(document)) if "://" not in link}
    folder = (ROOT / document).parent
    assert sorted(link for link in links if not (folder / link).exists()) == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_module_that_a_document_runs_is_there(document: str) -> None:
    for module in set(MODULE.findall(text_of(document))):
        path = ROOT.joinpath(*module.split("."))
        runs = path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()
        assert runs, module


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_target_that_a_document_makes_is_in_the_makefile(document: str) -> None:
    rules = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    code = " ".join([*FENCE.findall(text_of(document)), *CODE.findall(text_of(document))])
    assert set(TARGET.findall(code)) <= rules


def test_every_decision_is_in_the_list_of_decisions() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = set(LINK.findall((folder / "README.md").read_text("utf-8")))
    assert listed == {path.name for path in folder.glob("*.md")} - {"README.md"}


def test_the_steps_of_contributing_name_functions_that_are_there() -> None:
    """The table of a move's journey names a function beside its file."""
    rows = re.findall(r"^\| (.+) \| (.+) \|$", text_of("CONTRIBUTING.md"), re.MULTILINE)
    checked = 0
    for files, what in rows:
        paths = [path for path in CODE.findall(files) if path.endswith((".py", ".js"))]
        names = re.findall(r"`(\w+)\(\)`", what)
        for name in names if len(paths) == 1 else ():
            assert name in defined_in(paths[0]), f"{paths[0]}: {name}"
            checked += 1
    assert checked >= 4


def defined_in(path: str) -> set[str]:
    source = text_of(path)
    if path.endswith(".js"):
        return set(re.findall(r"\b(?:function|const) (\w+)", source))
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, kinds)}


def test_contributing_can_be_read_in_one_sitting() -> None:
    assert len(text_of("CONTRIBUTING.md").splitlines()) < 150
