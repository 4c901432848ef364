"""The virtual environment of the Makefile: whole, or made anew."""

import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on the PATH")


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    return tmp_path / ".venv"


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A Python whose environments are there at once; it writes down that it made one."""
    made = script(tmp_path / "whole", "exit 0")
    return script(
        tmp_path / "python",
        f"echo made >> {tmp_path}/log; rm -rf .venv; mkdir -p .venv/bin\n"
        f"cp {made} .venv/bin/python",
    )


def make(python: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "-f", MAKEFILE, ".venv/.made", f"PYTHON={python}"],
        cwd=python.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_environment_that_was_left_half_made_is_made_anew_once(
    venv: Path, python: Path
) -> None:
    """Regression: its python was there, so it counted as made, and every later step failed."""
    script(venv / "bin" / "python", "exit 1  # No module named pip")
    (venv / "left").touch()
    for _ in range(2):
        assert make(python).returncode == 0
    assert (python.parent / "log").read_text() == "made\n"
    assert not (venv / "left").exists()


def test_one_that_cannot_be_made_leaves_nothing_and_names_the_missing_package(
    venv: Path, python: Path
) -> None:
    broken = script(
        python.parent / "debians",
        "mkdir -p .venv/bin; touch .venv/bin/python; echo no ensurepip; exit 1",
    )
    done = make(broken)
    assert done.returncode != 0
    assert "apt install python3-venv" in done.stderr
    assert not venv.exists()
    assert make(python).returncode == 0
