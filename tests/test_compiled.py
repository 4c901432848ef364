"""This run tests the right modules: sources, or with `python -m tests.compiled` compiled ones."""

import ast
import importlib
import importlib.metadata
import os
import sysconfig
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from pathlib import Path

import pytest

from tests.compiled import VARIABLE

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
HOOK = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]
COMPILED = VARIABLE in os.environ
NAMESPACE = "spider_race." if COMPILED else ""


@pytest.mark.parametrize("path", HOOK["modules"])
def test_listed_modules_are_compiled_only_in_a_run_on_the_wheel(path: str) -> None:
    module = importlib.import_module(NAMESPACE + path.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    suffixes = EXTENSION_SUFFIXES if COMPILED else SOURCE_SUFFIXES
    assert module.__file__.endswith(tuple(suffixes))
    if COMPILED:
        assert Path(module.__file__).is_relative_to(sysconfig.get_path("purelib"))


@pytest.mark.interpreted  # it reads the sources
@pytest.mark.parametrize("path", HOOK["modules"])
def test_no_coroutine_is_compiled(path: str) -> None:
    """In mypyc 2.4 a cancelled coroutine that awaits in its clean-up leaves its error behind.

    The CancelledError stays the thread's current exception, and each later coroutine that awaits
    in such a place raises it again.
    """
    tree = ast.parse((ROOT / path).read_text())
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
    guarded = [node for node in ast.walk(tree) if isinstance(node, ast.Try | ast.With)]
    inside = [each for node in guarded for each in ast.walk(node)]
    assert not [node for node in inside if isinstance(node, ast.Yield | ast.YieldFrom)]


@pytest.mark.skipif(not COMPILED, reason="it looks at the compiled wheel")
def test_the_compiled_wheel_has_two_packages() -> None:
    files = importlib.metadata.files("spider_race") or []
    tops = {path.parts[0] for path in files if path.parts[0] != ".."}  # where the command is
    tops = {top for top in tops if not top.endswith(".dist-info")}
    assert tops == {"spider_race", "spider_race_client"}
