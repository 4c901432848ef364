from pathlib import Path
from typing import Any

import pytest

from tests.security import audit

WELL = {"name": "websockets", "version": "17.0.1", "vulns": []}
UNKNOWN = {"name": "pydantic", "skip_reason": "not found"}
HOLE = {
    "name": "redis",
    "version": "1",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([WELL], 0, "No known holes in 1 packages."),
        ([WELL, UNKNOWN], 0, "No known holes in 1 packages; nothing is known here of 1 others."),
        ([UNKNOWN, UNKNOWN], 0, "AUDIT SKIPPED: nothing is known here of any of the 2 packages."),
        (
            [WELL, HOLE, UNKNOWN],
            1,
            "Known holes in what is pinned:\nredis 1: PYSEC-1, mended in 1.1\nredis 1: PYSEC-2",
        ),
    ],
)
def test_holes_fail_and_unknown_packages_do_not_pass(
    packages: list[dict[str, Any]], code: int, said: str
) -> None:
    assert audit.verdict({"dependencies": packages}) == (code, said)


def test_an_audit_that_cannot_run_is_skipped_with_a_reason(tmp_path: Path) -> None:
    """Without a network nothing is installed, and nothing is written."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    code, said = audit.audit(tmp_path, Path("constraints.txt"), run=lambda *_: None)
    assert (code, said.startswith("AUDIT SKIPPED: "), "\n" in said) == (0, True, False)
