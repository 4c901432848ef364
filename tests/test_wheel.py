"""What the wheel says of itself; `hatch_build.py` is run as hatchling runs it."""

import runpy
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
INTERFACES = {
    "hatchling.builders.hooks.plugin.interface": "BuildHookInterface",
    "hatchling.metadata.plugin.interface": "MetadataHookInterface",
}
HOME = "https://code.example.org/spider-race"


class Interface:
    """The bases of hooks as far as they matter here: hatchling is only there while it builds."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Any:
    for name, interface in INTERFACES.items():
        module = ModuleType(name)
        setattr(module, interface, Interface)
        monkeypatch.setitem(sys.modules, name, module)
    return runpy.run_path(str(ROOT / "hatch_build.py"))["ProjectUrls"]()


def test_the_wheel_names_the_home_that_its_publisher_gives(
    hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPIDER_RACE_HOME", HOME)
    metadata: dict[str, Any] = {}
    hook.update(metadata)
    assert metadata == {"urls": {"Homepage": HOME}}


def test_the_wheel_names_no_home_that_nobody_gave(
    hook: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SPIDER_RACE_HOME", raising=False)
    metadata: dict[str, Any] = {}
    hook.update(metadata)
    assert metadata == {}


def test_the_home_is_asked_for_while_the_wheel_is_built() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert "urls" in project["project"]["dynamic"]
    assert "custom" in project["tool"]["hatch"]["metadata"]["hooks"]
