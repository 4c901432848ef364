"""The service for systemd, checked by systemd's own tools where they are."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from server.config import Config

UNIT = Path(__file__).parents[1] / "deploy/systemd/spider-race.service"
PROGRAM = "/opt/spider-race/bin/spider-race"
EXPOSURE = 2.0
"""Systemd's figure from 0 to 10; a service without protection has more than 9."""


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service with a program that exists here."""
    text = UNIT.read_text()
    assert f"ExecStart={PROGRAM} " in text
    path = tmp_path / UNIT.name
    path.write_text(text.replace(PROGRAM, sys.executable))
    return path


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("no systemd-analyze on the PATH")
    return subprocess.run([tool, *words], capture_output=True, text=True, check=False)


def test_systemd_finds_nothing_wrong_in_the_service(unit: Path) -> None:
    found = analyze("verify", str(unit))
    assert unit.name not in found.stderr, found.stderr
    assert found.returncode == 0, found.stderr


def test_the_service_is_hardened(unit: Path) -> None:
    found = analyze("security", "--offline=true", "--no-pager", str(unit))
    level = re.search(r"exposure level for \S+: ([\d.]+)", found.stdout)
    assert level, found.stderr
    assert float(level[1]) < EXPOSURE


def test_a_store_that_is_away_for_long_does_not_end_the_service() -> None:
    (unit,) = re.findall(r"^\[Unit\]\n(.*?)^\[", UNIT.read_text(), re.MULTILINE | re.DOTALL)
    assert "\nStartLimitIntervalSec=0\n" in unit


def test_the_services_options_are_options_of_the_server() -> None:
    (line,) = re.findall(r"^ExecStart=(.*)$", UNIT.read_text(), re.MULTILINE)
    for option in re.findall(r"--([a-z-]+)", line):
        assert option.replace("-", "_") in Config.model_fields
