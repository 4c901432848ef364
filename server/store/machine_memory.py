"""The memory that this process can use: the machine's, or less in a container."""

import os
from collections.abc import Callable
from pathlib import Path

CGROUPS = Path("/sys/fs/cgroup")
OWN_CGROUP = Path("/proc/self/cgroup")
UNKNOWN = 1 << 30  # bytes of memory that are assumed if the system does not report them


def usable_bytes(
    cgroups: Path = CGROUPS,
    own_cgroup: Path = OWN_CGROUP,
    sysconf: Callable[[str], int] = os.sysconf,
) -> int:
    """Return the bytes of memory that this process and its children can use in total."""
    return min(_installed(sysconf), *_limits(cgroups, own_cgroup))


def _installed(sysconf: Callable[[str], int]) -> int:
    try:
        return sysconf("SC_PAGE_SIZE") * sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return UNKNOWN


def _limits(cgroups: Path, own_cgroup: Path) -> list[int]:
    """Return the memory limits of this process's control groups, of version 1 and 2, in bytes.

    `cgroups` is the directory of all groups, `own_cgroup` the file that lists those of this
    process. The result always contains a very large limit, so it is never empty.
    """
    limits = [2**63]
    try:
        lines = own_cgroup.read_text(encoding="utf-8").splitlines()
    except OSError:
        return limits  # not Linux
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if not controllers:  # version 2: one group for all controllers
            root, name = cgroups, "memory.max"
        elif "memory" in controllers.split(","):
            root, name = cgroups / "memory", "memory.limit_in_bytes"
        else:
            continue
        # The limits of all parent groups apply. In a container the path may be the host's.
        group = root / path.lstrip("/")
        for folder in (group, *group.parents):
            limits += _read_limit(folder / name)
            if folder == root:
                break
    return limits


def _read_limit(file: Path) -> list[int]:
    try:
        return [int(file.read_text(encoding="utf-8"))]
    except (OSError, ValueError):
        return []  # no limit: the text is "max", or there is no such group
