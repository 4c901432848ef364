"""Runs pytest. Tests that fail beside others run once more, alone.

The machines of CI are shared, and browsers on them may stand still for seconds. A test that passes
alone does not fail the run; it is named at the end, so that its cause is found.

    .venv/bin/python -m tests.again -n 4 -m browser
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FAILED = Path(".pytest_cache/v/cache/lastfailed")
ALONE = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")


def run_again(arguments: list[str]) -> int:
    """Run pytest, and what fails once more; return the exit code of the last run."""
    FAILED.unlink(missing_ok=True)  # what an earlier run has left, and this one does not run
    first = _run(arguments)
    if first != pytest.ExitCode.TESTS_FAILED or not FAILED.exists():
        return first
    failed = json.loads(FAILED.read_text())
    print(f"\nFailed beside other tests: {len(failed)}. Once more, alone:\n", flush=True)
    coverage = ["--cov-append"] if "--cov" in arguments else []
    second = _run([*arguments, *coverage, *ALONE])
    if second == pytest.ExitCode.OK:
        print("\nThese failed beside other tests and passed alone. Find out why:")
        print("\n".join(f"  {name}" for name in failed), flush=True)
    return second


def _run(arguments: list[str]) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


if __name__ == "__main__":
    sys.exit(run_again(sys.argv[1:]))
