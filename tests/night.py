"""`make night`: everything long, random or dependent on the machine, one part after another.

It ends with a table of the parts. A part that fails does not stop the others.

    .venv/bin/python -m tests.night [PART ...]
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.fast import UNIT

ROOT = Path(__file__).parents[1]
WORKERS = str(os.cpu_count() or 1)
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", WORKERS, "--dist", "worksteal"]
PURE = "server/games/*,server/rooms/*,server/views/*,protocol/*"
REPORT = [sys.executable, "-m", "coverage", "report"]
CHANCE = ["-p", "randomly", "--hypothesis-profile", "random"]
"""A random order and random examples; the first lines of the output have the seed."""

PARTS: dict[str, list[list[str]]] = {
    "coverage": [
        [*PYTEST, "-m", UNIT, "--cov", "--cov-report="],
        [*REPORT, f"--include={PURE}", "--fail-under=100"],
        [*REPORT, "--fail-under=95"],
    ],
    "random": [["env", "FUZZ=20", *PYTEST, *CHANCE, "--timeout", "3600", "-m", UNIT]],
    "long": [[*PYTEST, "-m", "night"]],
    "chaos": [[sys.executable, "-m", "tests.faults", "--minutes", "2", "--store", "both"]],
    "mutants": [[sys.executable, "-m", "tests.mutants"]],
    "bench": [[sys.executable, "-m", "bench", "--brief", "--json", os.devnull]],
    "pictures": [[sys.executable, "-m", "tests.tools.pictures", "screenshots"]],
    "containers": [["make", "--no-print-directory", "containers"]],
    "holes": [["make", "--no-print-directory", "audit"]],
}


def main(chosen: list[str]) -> int:
    """Run these parts, or all; return 1 if one fails."""
    rows = []
    for name, commands in PARTS.items():
        if chosen and name not in chosen:
            continue
        began = time.monotonic()
        codes = [subprocess.run(each, cwd=ROOT, check=False).returncode for each in commands]
        rows.append((name, any(codes), time.monotonic() - began))
    print(f"\n{'part':12} {'result':8} {'seconds':>8}")
    for name, has_failed, seconds in rows:
        print(f"{name:12} {'FAILED' if has_failed else 'passed':8} {seconds:8.0f}")
    return int(any(has_failed for _, has_failed, _ in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
