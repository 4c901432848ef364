"""Folders called as our packages, on the path of the person who starts the repository's command.

`test_wheel.py` has the same for the wheel.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from build_backend import FOLDERS

PATIENCE_S = 60
SCRIPT = """
import sys
from spider_race import main
if __name__ == '__main__':
    sys.exit(main())
"""
"""The console script, as installers write it."""
STRANGE = "raise SystemExit('this is another project')"


@pytest.fixture
def strangers(tmp_path: Path) -> Path:
    """A folder with packages of other projects that are called as ours."""
    for name in FOLDERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(STRANGE)
        (tmp_path / name / "__main__.py").write_text(STRANGE)
    return tmp_path


@pytest.mark.faults
@pytest.mark.timeout(120)
def test_a_command_and_its_workers_find_their_own_packages(strangers: Path) -> None:
    script = strangers / "spider-race"  # whose folder comes first on the path
    script.write_text(SCRIPT)
    options = ("--workers", "2", "--host", "127.0.0.1", "--port", "0")
    process = subprocess.Popen(
        [sys.executable, script, *options, "--data-dir", str(strangers / "data")],
        cwd=strangers,
        env=os.environ | {"PYTHONPATH": str(strangers)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert "ready" in process.stdout.readline()
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0
