"""`deploy/upgrade` checks the health of new servers itself, and does not trust Compose."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.scripts import install_script

SCRIPT = Path(__file__).parents[1] / "deploy/upgrade"
DOCKER = """
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
UPGRADED = (0, ["new-1", "new-2"], "Upgraded: 2 servers.")
KEPT = (
    1,
    ["old-1", "old-2"],
    "The new servers are not healthy. They are removed; the old ones serve.",
)


def upgraded(folder: Path, new: list[str], code: int, **more: str) -> tuple[int, list[str], str]:
    """Upgrade two servers, and `more`, to new ones in these states; Compose exits with the code.

    Return the exit code of the upgrade, the remaining servers, and its last line.
    """
    states = {"servers/old-1": HEALTHY, "servers/old-2": HEALTHY}
    states |= {f"servers/{name}": state for name, state in more.items()}
    states |= {f"new/new-{number}": state for number, state in enumerate(new, 1)}
    for name in ("servers", "new", "deploy"):
        (folder / name).mkdir()
    for path, state in states.items():
        (folder / path).write_text(f"{state}\n")
    install_script(folder / "bin/docker", DOCKER.format(folder=folder, code=code))
    install_script(folder / "bin/sleep", "")
    variables = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "UPGRADE_WAIT_S": "2"}
    done = subprocess.run(
        [shutil.copy(SCRIPT, folder / "deploy")],
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    left = sorted(path.name for path in (folder / "servers").iterdir())
    return done.returncode, left, done.stdout.splitlines()[-1]


@pytest.mark.parametrize("code", [0, 1])
@pytest.mark.parametrize(
    ("new", "end"),
    [
        ([HEALTHY, f"{STARTING}\n{HEALTHY}"], UPGRADED),
        ([HEALTHY, UNHEALTHY], KEPT),
        ([HEALTHY, f"{STARTING}\nrestarting starting"], KEPT),
        ([HEALTHY, "exited unhealthy"], KEPT),
        ([HEALTHY, STARTING], KEPT),  # for longer than the upgrade waits
        ([HEALTHY], KEPT),  # and no second one
    ],
    ids=["healthy", "unhealthy", "restarting", "exited", "starting", "missing"],
)
def test_the_old_servers_stop_only_when_all_new_ones_are_healthy(
    tmp_path: Path, new: list[str], code: int, end: tuple[int, list[str], str]
) -> None:
    """Regression: Compose may succeed although a server is unhealthy."""
    assert upgraded(tmp_path, new, code) == end


def test_a_stopped_server_does_not_count_as_a_new_one(tmp_path: Path) -> None:
    """Compose starts it with the new ones, from the old image."""
    assert upgraded(tmp_path, [HEALTHY, HEALTHY], 0, old_3="exited unhealthy") == UPGRADED
    assert "--scale server=5" in (tmp_path / "scaled").read_text()
