"""The server with its fencing broken on purpose: `python -m tests.faults.unfenced`.

A replaced holder of a seat can go on writing. The module only serves to show that the checker
notices a missing fence.
"""

import re
import sys
from pathlib import Path

FENCE = re.compile(rb"if seat\[1\] ~= ARGV\[[0-9]\] then\n(?:  .*\n)*?  return .*-3\nend\n")

_read_bytes = Path.read_bytes


def _without_fence(path: Path) -> bytes:
    text = _read_bytes(path)
    if path.name == "fence.lua":
        text, found = FENCE.subn(b"", text)
        assert found == 1, "the fence looks different now"
    return text


if __name__ == "__main__":
    Path.read_bytes = _without_fence  # type: ignore[assignment]  # before the scripts are read
    from server.__main__ import main

    sys.exit(main())
