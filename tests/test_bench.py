"""The benchmark reports parts that it cannot measure; `make night` runs all parts."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import __main__ as program
from bench import peers
from bench.figures import Figure, LeftOut

CELL: dict[str, Any] = {
    "peer": peers.OURS, "mode": "closed", "players": 40, "moves": 9, "firstError": "",
    "movesPerSec": 9.0, "serverCpuPct": 9.0, "otherCpuPct": {}, "bytesInPerSec": 9.0,
    "ackMs": {"p99": 9.0}, "rssPerConn": 9.0, "boardMs": None,
}  # fmt: skip
ENDED = {"peer": peers.OURS, "mode": "open", "players": 1_000, "failed": "node load.js ended: "}


@pytest.mark.parametrize(
    ("cell", "why"),
    [(ENDED, "ended"), (CELL | {"firstError": "refused"}, "refused"), (CELL | {"moves": 0}, "no")],
)
def test_a_cell_that_fails_is_left_out_with_its_output(cell: dict[str, Any], why: str) -> None:
    """Regression: it only said "ended" when the adapter imported a missing name."""
    assert peers.figures_of([json.dumps(CELL)]) == []
    with pytest.raises(LeftOut, match=rf"ours, .*: .*{why}(.|\n)*SyntaxError: no such export"):
        peers.figures_of([json.dumps(CELL), json.dumps(cell)], "SyntaxError: no such export")


@pytest.mark.parametrize(("part", "code"), [("rules", 0), ("peers", 0), ("memory", 1)])
def test_a_run_fails_if_it_leaves_out_a_part_other_than_missing_peers(
    part: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave_out(_scale: object) -> list[Figure]:
        raise LeftOut("not here")

    parts = {"rules": lambda _: [], "memory": leave_out, "peers": leave_out}
    monkeypatch.setattr(program, "PARTS", parts)
    words = [part, "--json", str(tmp_path / "json"), "--peers", str(tmp_path / "none")]
    monkeypatch.setattr("sys.argv", ["bench", *words])
    assert program.main() == code
