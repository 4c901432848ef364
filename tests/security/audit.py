"""Check the pinned packages for known vulnerabilities: `make audit`.

pip-audit runs in its own environment. A vulnerability fails. If pip-audit cannot be installed or
cannot reach its data, one line reports that, and nothing fails.
"""

import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

AUDITOR = "pip-audit==2.10.1"
ROOT = Path(__file__).parents[2]
ENVIRONMENT = ROOT / ".venv" / "audit"
PATIENCE_S = 300


def verdict(report: dict[str, Any]) -> tuple[int, str]:
    """Return the exit code and the output for pip-audit's report.

    If its source answers "no such package" for all packages, pip-audit itself reports success.
    """
    found = report["dependencies"]
    looked_up = [package for package in found if "skip_reason" not in package]
    holes = [
        f"{package['name']} {package['version']}: {hole['id']}"
        + (f", mended in {', '.join(hole['fix_versions'])}" if hole["fix_versions"] else "")
        for package in looked_up
        for hole in package["vulns"]
    ]
    if holes:
        return 1, "\n".join(["Known holes in the pinned packages:", *holes])
    if not looked_up:
        return 0, f"AUDIT SKIPPED: nothing is known here of any of the {len(found)} packages."
    unknown = len(found) - len(looked_up)
    rest = f"; nothing is known here of {unknown} others" if unknown else ""
    return 0, f"No known holes in {len(looked_up)} packages{rest}."


def run_python(*words: str | Path) -> None:
    """Run the Python of the environment; its report matters more than its exit code."""
    python = ENVIRONMENT / "bin" / "python"
    subprocess.run([python, *words], capture_output=True, timeout=PATIENCE_S, check=False)


def audit(pinned: Path) -> tuple[int, str]:
    """Run pip-audit over a file of pins; return the exit code and the output."""
    report = ENVIRONMENT / "report.json"
    report.unlink(missing_ok=True)
    try:
        if not (ENVIRONMENT / "bin" / "python").exists():
            venv.create(ENVIRONMENT, with_pip=True)
        run_python("-m", "pip", "install", "--quiet", "--disable-pip-version-check", AUDITOR)
        run_python(
            *("-m", "pip_audit", "--requirement", pinned, "--no-deps", "--disable-pip"),
            *("--progress-spinner", "off", "--timeout", "15"),
            *("--format", "json", "--output", report),
        )
        return verdict(json.loads(report.read_text("utf-8")))
    except (OSError, subprocess.SubprocessError) as error:
        why = f"pip-audit cannot be run or cannot reach its data ({type(error).__name__})"
        return 0, f"AUDIT SKIPPED: {why}."


if __name__ == "__main__":
    code, said = audit(ROOT / "deploy/constraints.txt")
    print(said)
    sys.exit(code)
