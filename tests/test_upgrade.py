"""`deploy/upgrade` looks at the health of new servers itself, whatever Compose says."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCKER = """#!/bin/sh
# A container is a file in a folder. Its lines are states, one after the other.
cd "{folder}/servers"
case "$1 $2 $*" in
  "compose ps "*--all*) ls ;;
  "compose ps "*) grep -l '^running' * ;;
  "compose up "*--scale*) echo "$*" > ../scaled; mv ../new/* .; exit {code} ;;
  "inspect "*)
    shift 3
    for name; do
      head -n 1 "$name"
      [ "$(wc -l < "$name")" = 1 ] || sed -i 1d "$name"
    done ;;
  "rm "*) shift; [ "$1" != --force ] || shift; rm "$@" ;;
  "logs "*) echo "the last lines of $4" ;;
esac
"""
HEALTHY, STARTING, UNHEALTHY = "running healthy", "running starting", "running unhealthy"
OLD = {"old-1": HEALTHY, "old-2": HEALTHY}
UPGRADED = (0, ["new-1", "new-2"], "Upgraded: 2 servers.")
KEPT = (
    1,
    ["old-1", "old-2"],
    "The new servers are not healthy. They are removed; the old ones serve.",
)


def upgraded(
    folder: Path, new: list[str], code: int, old: dict[str, str] = OLD
) -> tuple[int, list[str], str]:
    """Upgrade to servers in these states, where Compose exits with a code.

    Return the exit code of the upgrade, the servers that are left, and its last line.
    """
    servers = {"servers": old, "new": {f"new-{n}": states for n, states in enumerate(new, 1)}}
    for name, states in servers.items():
        (folder / name).mkdir()
        for server, text in states.items():
            (folder / name / server).write_text(f"{text}\n")
    docker = folder / "bin/docker"
    docker.parent.mkdir()
    docker.write_text(DOCKER.format(folder=folder, code=code))
    docker.chmod(0o700)
    (folder / "deploy").mkdir()
    script = shutil.copy(ROOT / "deploy/upgrade", folder / "deploy")
    path = f"{docker.parent}:{os.environ['PATH']}"
    done = subprocess.run(
        [script],
        env=os.environ | {"PATH": path, "UPGRADE_WAIT_S": "2"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    left = sorted(path.name for path in (folder / "servers").iterdir())
    return done.returncode, left, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("code", [0, 1])
def test_the_old_servers_go_once_all_new_ones_are_healthy(tmp_path: Path, code: int) -> None:
    assert upgraded(tmp_path, [HEALTHY, f"{STARTING}\n{HEALTHY}"], code) == UPGRADED


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(
    "new",
    [
        [HEALTHY, UNHEALTHY],
        [HEALTHY, f"{STARTING}\nrestarting starting"],
        [HEALTHY, "exited unhealthy"],
        [HEALTHY, STARTING],  # for longer than the upgrade waits
        [HEALTHY],  # and no second one
    ],
    ids=["unhealthy", "restarting", "exited", "starting", "missing"],
)
def test_the_old_servers_go_on_while_a_new_one_is_not_healthy(
    tmp_path: Path, new: list[str], code: int
) -> None:
    """Regression: Compose was believed, which may succeed although a server is unhealthy."""
    assert upgraded(tmp_path, new, code) == KEPT


def test_a_stopped_server_does_not_count_as_a_new_one(tmp_path: Path) -> None:
    """Compose starts it beside the new ones, from the old image."""
    old = OLD | {"old-3": "exited unhealthy"}
    assert upgraded(tmp_path, [HEALTHY, HEALTHY], 0, old) == UPGRADED
    assert "--scale server=5" in (tmp_path / "scaled").read_text()
