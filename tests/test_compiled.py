"""The modules that this run tests: sources, or the compiled ones of `python -m tests.compiled`."""

import importlib
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


@pytest.mark.parametrize("path", HOOK["modules"])
def test_a_listed_module_is_compiled_exactly_if_this_run_is_about_that(path: str) -> None:
    module = importlib.import_module(path.removesuffix(".py").replace("/", "."))
    assert module.__file__ is not None
    suffixes = EXTENSION_SUFFIXES if COMPILED else SOURCE_SUFFIXES
    assert module.__file__.endswith(tuple(suffixes))
    if COMPILED:
        assert Path(module.__file__).is_relative_to(sysconfig.get_path("purelib"))


def test_a_wheel_is_pure_unless_it_is_told_otherwise() -> None:
    assert HOOK["enable-by-default"] is False
