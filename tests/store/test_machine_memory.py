"""The memory of a process, by the machine and by the control groups of a container."""

import os
from pathlib import Path

import pytest

from server.store import machine_memory

MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


@pytest.mark.parametrize(
    ("own", "limits", "usable"),
    [
        ("0::/\n", {}, MACHINE),
        ("0::/\n", {"memory.max": "max\n"}, MACHINE),
        ("0::/\n", {"memory.max": "67108864\n"}, 64 << 20),
        # A group has no more memory than its parents.
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": "33554432\n"}, 32 << 20),
        # The groups of version 1.
        (
            "12:cpu,cpuacct:/docker\n9:memory:/docker\n0::/docker\n",
            {"memory/docker/memory.limit_in_bytes": "16777216\n"},
            16 << 20,
        ),
    ],
)
def test_a_process_has_the_memory_of_its_groups(
    tmp_path: Path, own: str, limits: dict[str, str], usable: int
) -> None:
    (tmp_path / "own").write_text(own)
    for name, limit in limits.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(limit)
    assert machine_memory.usable_bytes(tmp_path, tmp_path / "own") == usable


def test_a_system_that_reports_no_memory_gets_a_default(tmp_path: Path) -> None:
    def unknown(name: str) -> int:
        raise ValueError(name)

    usable = machine_memory.usable_bytes(tmp_path, tmp_path / "none", unknown)
    assert usable == machine_memory.UNKNOWN
    assert machine_memory.usable_bytes(tmp_path, tmp_path / "none") == MACHINE
