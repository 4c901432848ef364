"""The files that browsers get: the client's, without the comments that fill whole lines."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.web.files import read_files, without_comment_lines

CLIENT = Path(__file__).parents[2] / "web_client"
COMPARISON = Path(__file__).with_name("same_program.cjs")
SERVED = read_files(CLIENT)


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ("// why\nlet a;\n", "\nlet a;\n"),
        ("/** One\n * two. */\nlet a;\n", "\n\nlet a;\n"),
        ("  /* one */\n  let a; // beside\n", "\n  let a; // beside\n"),
        ("/** @type {A} */ (a).b();\n", "/** @type {A} */ (a).b();\n"),
        ("/* one */ let a; /* two */\n", "/* one */ let a; /* two */\n"),
        ("/* one */\nlet a;\n/* two */\n", "\nlet a;\n\n"),
        ("let a = 1 // 2\n  / 3;\n", "let a = 1 // 2\n  / 3;\n"),
    ],
)
def test_lines_of_comments_are_empty_and_others_stay(source: str, served: str) -> None:
    assert without_comment_lines(source) == served


def test_served_modules_are_the_same_programs_line_by_line() -> None:
    """Otherwise a text that looks like a comment would be missing, in a template for example."""
    modules = [path for path in SERVED if path.endswith(".js")]
    pairs = {
        path: [(CLIENT / path[1:]).read_text(encoding="utf-8"), SERVED[path].body.decode()]
        for path in modules
    }
    node = Path(sys.executable).with_name("node")
    command = [str(node), "--expose-internals", str(COMPARISON)]
    different = subprocess.run(
        command, input=json.dumps(pairs), capture_output=True, text=True, check=True
    )
    assert len(modules) > 100
    assert json.loads(different.stdout) == []


def test_served_stylesheets_have_the_same_rules() -> None:
    for path in (path for path in SERVED if path.endswith(".css")):
        sheet = CLIENT / path[1:]
        source = sheet.read_text(encoding="utf-8")
        for line, part in re.findall(r'(@import "(.+)";)', source):
            source = source.replace(line, (sheet.parent / part).read_text(encoding="utf-8"))
        served = SERVED[path].body.decode()
        assert "@import" not in served
        assert served.count("\n") == source.count("\n")
        assert _rules(served) == _rules(source)


def _rules(stylesheet: str) -> list[str]:
    return re.sub(r"/\*.*?\*/", "", stylesheet, flags=re.DOTALL).split()


def test_files_without_comments_are_served_as_they_are() -> None:
    for path in ("/index.html", "/favicon.svg"):
        assert SERVED[path].body == (CLIENT / path[1:]).read_bytes()
