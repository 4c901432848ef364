"""The virtual environment of the Makefile: whole, or made anew."""

import shutil
import subprocess
from pathlib import Path

import pytest

MAKEFILE = Path(__file__).parents[1] / "Makefile"


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path


def make(python: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = ["make", "-f", MAKEFILE, ".venv/.made", f"PYTHON={python}"]
    return subprocess.run(command, cwd=python.parent, capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make on the PATH")
def test_an_environment_that_is_not_whole_is_made_anew_once(tmp_path: Path) -> None:
    """Regression: its python was there, so it counted as made, and every later step failed."""
    venv, made, whole = tmp_path / ".venv", tmp_path / "made", tmp_path / "whole"
    script(whole, "exit 0")
    makes = f"echo made >> {made}; rm -rf .venv; mkdir -p .venv/bin; cp {whole} .venv/bin/python"
    python = script(tmp_path / "python", makes)
    script(venv / "bin" / "python", "exit 1  # No module named pip")
    (venv / "left").touch()
    for _ in range(2):
        assert make(python).returncode == 0
    assert made.read_text() == "made\n"
    assert not (venv / "left").exists()
    # One that cannot be made leaves nothing, and the missing package is named.
    shutil.rmtree(venv)
    failed = make(
        script(tmp_path / "debians", "mkdir -p .venv/bin; touch .venv/bin/python; exit 1")
    )
    assert failed.returncode != 0
    assert "apt install python3-venv" in failed.stderr
    assert not venv.exists()
