"""Tests that fail beside others run once more."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ONCE = """
from pathlib import Path

def test_once():
    seen = Path("seen")
    missing = not seen.exists()
    seen.touch()
    assert not missing

def test_other():
    with Path("others").open("a") as others:
        others.write("ran ")
"""


def run(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    """Runs the tests of this source in a folder."""
    (folder / "test_it.py").write_text(source)
    words = [sys.executable, "-m", "tests.again", "-p", "no:randomly", "--rootdir", str(folder)]
    path = {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        words, cwd=folder, env=os.environ | path, capture_output=True, text=True, check=False
    )


def test_a_test_that_passes_alone_does_not_fail_the_run_and_is_named(tmp_path: Path) -> None:
    ran = run(tmp_path, ONCE)
    assert ran.returncode == 0, ran.stdout
    assert ran.stdout.rstrip().endswith("test_it.py::test_once")
    assert (tmp_path / "others").read_text() == "ran "


@pytest.mark.parametrize(
    ("source", "code"),
    [("def test(): assert False", pytest.ExitCode.TESTS_FAILED), ("import nothing_such", 2)],
)
def test_what_fails_twice_or_does_not_run_at_all_fails(
    tmp_path: Path, source: str, code: int
) -> None:
    ran = run(tmp_path, source)
    assert ran.returncode == code
    assert "passed alone" not in ran.stdout


def test_failures_of_an_earlier_run_are_not_run_again(tmp_path: Path) -> None:
    run(tmp_path, "def test_gone(): assert False")
    ran = run(tmp_path, "def test_here(): pass")
    assert ran.returncode == 0
    assert "Once more" not in ran.stdout
