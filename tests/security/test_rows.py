"""The tests named in the table of attacks and faults exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TABLE = Path(__file__).with_name("README.md").read_text("utf-8")
ROWS = [line for line in TABLE.splitlines() if line.startswith("| ") and "| test |" not in line]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


@cache
def defined_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {
        node.id if isinstance(node, ast.Name) else node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    }


@pytest.mark.parametrize("row", ROWS, ids=[row[2:50] for row in ROWS])
def test_every_row_names_existing_tests(row: str) -> None:
    cell = row.rsplit(" | ", 1)[-1].removesuffix(" |")
    named = NAMED.findall(cell)
    assert named, "a row without a test is a promise"
    assert ", ".join(f"`{path}::{name}`" for path, name in named) == cell
    for path, name in named:
        assert name in defined_in(Path(path)), f"{path}::{name}"


def test_no_row_is_overlooked() -> None:
    assert len(ROWS) > 45
