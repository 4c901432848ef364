"""How much memory there is for this process: the machine's, or less in a container."""

import os
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")
UNKNOWN = 1 << 30
"""Bytes of memory that are assumed of a system that does not say."""


def memory(cgroups: Path = CGROUPS, own: Path = OWN_CGROUP) -> int:
    """Return the bytes of memory that this process and its children can have in all."""
    return min(_machine(), *_limits(cgroups, own))


def _machine() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return UNKNOWN


def _limits(cgroups: Path, own: Path) -> list[int]:
    """Return the limits of this process's control groups, of either version; of 0 there is one."""
    found = [2**63]
    try:
        pipelines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return found  # not Linux
    for line in pipelines:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            root, name = cgroups, "memory.max"
        elif "memory" in controllers.split(","):
            root, name = cgroups / "memory", "memory.limit_in_bytes"
        else:
            continue
        # Every group on the way up has its say. In a container the path may be the host's.
        group = root / path.lstrip("/")
        for place in (group, *group.parents):
            found += _limit(place / name)
            if place == root:
                break
    return found


def _limit(file: Path) -> list[int]:
    try:
        return [int(file.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return []  # there is none: "max", or no such group
