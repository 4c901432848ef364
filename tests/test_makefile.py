"""The Makefile installs completely, only once, and with one make at a time."""

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.present import present
from tests.scripts import install_script

MAKEFILE = Path(__file__).parents[1] / "Makefile"
NEEDS_MAKE = pytest.mark.skipif(shutil.which("make") is None, reason="no make on the PATH")


def make(python: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = ["make", "-f", MAKEFILE, ".venv/.made", f"PYTHON={python}"]
    return subprocess.run(command, cwd=python.parent, capture_output=True, text=True, check=False)


@NEEDS_MAKE
def test_an_incomplete_environment_is_made_again_once(tmp_path: Path) -> None:
    """Regression: it had a python, so it counted as made, and every later step failed."""
    venv, made, whole = tmp_path / ".venv", tmp_path / "made", tmp_path / "whole"
    install_script(whole, "exit 0")
    makes = f"echo made >> {made}; rm -rf .venv; mkdir -p .venv/bin; cp {whole} .venv/bin/python"
    python = install_script(tmp_path / "python", makes)
    install_script(venv / "bin" / "python", "exit 1  # No module named pip")
    (venv / "left").touch()
    for _ in range(2):
        assert make(python).returncode == 0
    assert made.read_text() == "made\n"
    assert not (venv / "left").exists()
    # A failure leaves nothing behind, and names the missing package.
    shutil.rmtree(venv)
    broken = "mkdir -p .venv/bin; touch .venv/bin/python; exit 1"
    failed = make(install_script(tmp_path / "debians", broken))
    assert failed.returncode != 0
    assert "apt install python3-venv" in failed.stderr
    assert not venv.exists()


WHOLE = """
case "$*" in
  *"import pip"*) ;;  # the question whether it is whole
  *pip*) echo "start" >> {log}; sleep 0.1; echo "end" >> {log} ;;
esac
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the project with programs that log their start and end."""
    for file in ("pyproject.toml", "deploy/constraints.txt", "deploy/requirements.txt"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        shutil.copy(MAKEFILE.parent / file, tmp_path / file)
    install_script(tmp_path / ".ci/compiler", "exit 0")
    program = install_script(tmp_path / "program", WHOLE.format(log=tmp_path / "log"))
    copies = f"for each in python uv spider-race; do cp {program} .venv/bin/$each; done"
    install_script(tmp_path / "python3", f"echo made >> made; mkdir -p .venv/bin; {copies}")
    return tmp_path


def start(folder: Path, target: str) -> subprocess.Popen[str]:
    make: list[str | Path] = ["make", "--no-print-directory", "-f", MAKEFILE]
    command = [*make, target, f"PYTHON={folder}/python3"]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)


@NEEDS_MAKE
@pytest.mark.skipif(shutil.which("flock") is None, reason="no flock on the PATH")
def test_several_makes_at_once_install_one_after_the_other(folder: Path) -> None:
    """Regression: pip was replaced while it built a wheel."""
    lock = os.open(folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    running = [start(folder, target) for target in ("wheel", "audit", "wheel", "run")]
    first = {present(each.stdout).readline() for each in running}
    os.close(lock)
    said = "".join(each.communicate()[0] for each in running)
    assert first == {"Waiting for another make in this folder ...\n"}
    assert [each.returncode for each in running] == [0, 0, 0, 0]
    assert (folder / "made").read_text() == "made\n"
    log = (folder / "log").read_text().split()
    assert log == ["start", "end"] * (len(log) // 2)
    assert said.count("Building the compiled wheel into dist") == 2
    assert said.count("Looking for known holes") == 1


@NEEDS_MAKE
def test_the_first_run_reports_each_step_and_later_runs_nothing(folder: Path) -> None:
    said = start(folder, "run").communicate()[0].splitlines()
    assert [line.split()[0] for line in said] == ["Making", "Installing", "Starting"]
    assert start(folder, "run").communicate()[0] == ""
