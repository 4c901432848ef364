"""The memory of a process, by the machine and by the control groups of a container."""

import os
from pathlib import Path

import pytest

from server.store.embedded import UNKNOWN_BYTES, usable_bytes

MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
GROUPS = "sys/fs/cgroup"


@pytest.mark.parametrize(
    ("own", "limits", "usable"),
    [
        ("0::/\n", {}, MACHINE),
        ("0::/\n", {"memory.max": "max\n"}, MACHINE),
        ("0::/\n", {"memory.max": "67108864\n"}, 64 << 20),
        # A group has no more memory than its parents.
        ("0::/a/b\n", {"a/b/memory.max": "max\n", "a/memory.max": "33554432\n"}, 32 << 20),
        # A container with groups of version 1 has its own group at the root.
        (
            "12:cpu,cpuacct:/docker\n9:memory:/docker\n0::/docker\n",
            {"memory/memory.limit_in_bytes": "16777216\n"},
            16 << 20,
        ),
    ],
)
def test_a_process_has_the_memory_of_its_groups(
    tmp_path: Path, own: str, limits: dict[str, str], usable: int
) -> None:
    for name, text in {
        "proc/self/cgroup": own,
        **{f"{GROUPS}/{name}": limit for name, limit in limits.items()},
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert usable_bytes(tmp_path) == usable


def test_a_system_that_reports_no_memory_gets_a_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert usable_bytes(tmp_path) == MACHINE

    def unknown(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr(os, "sysconf", unknown)
    assert usable_bytes(tmp_path) == UNKNOWN_BYTES
