"""The memory of a process, by the machine and by the control groups of a container."""

import os
from pathlib import Path

from server.store import machine_memory

MACHINE = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def cgroups(root: Path, own: str, **limits: str) -> int:
    """Return the memory of a process in these groups; `limits` is by file, with `__` for `/`."""
    (root / "own").write_text(own)
    for name, limit in limits.items():
        file = root / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(limit)
    return machine_memory.usable_bytes(root, root / "own")


def test_without_a_container_the_machines_memory_counts(tmp_path: Path) -> None:
    assert machine_memory.usable_bytes(tmp_path, tmp_path / "none") == MACHINE
    assert cgroups(tmp_path, "0::/\n") == MACHINE
    assert cgroups(tmp_path, "0::/\n", memory_max="max\n") == MACHINE


def test_a_container_has_the_memory_of_its_group(tmp_path: Path) -> None:
    assert cgroups(tmp_path, "0::/\n", memory_max="67108864\n") == 64 << 20


def test_a_group_has_no_more_memory_than_its_parents(tmp_path: Path) -> None:
    limits = {"a__b__memory_max": "max\n", "a__memory_max": "33554432\n"}
    assert cgroups(tmp_path, "0::/a/b\n", **limits) == 32 << 20


def test_groups_of_cgroup_version_1_count(tmp_path: Path) -> None:
    (tmp_path / "memory" / "docker").mkdir(parents=True)
    limit = tmp_path / "memory" / "docker" / "memory.limit_in_bytes"
    limit.write_text("16777216\n")
    own = "12:cpu,cpuacct:/docker\n9:memory:/docker\n0::/docker\n"
    assert cgroups(tmp_path, own) == 16 << 20


def test_a_system_that_reports_no_memory_gets_a_default(tmp_path: Path) -> None:
    def unknown(name: str) -> int:
        raise ValueError(name)

    assert (
        machine_memory.usable_bytes(tmp_path, tmp_path / "none", unknown) == machine_memory.UNKNOWN
    )
