"""What an installation of the client needs."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from spider_race_client import connect

from tests.python_client.test_readme import README, show_the_first

ROOT = README.parents[1]
(SMALL,) = re.findall(r"```sh\n([^`]*--no-deps[^`]*)```", README.read_text("utf-8"))
WITHOUT_SERVER = """
import sys
sys.modules |= dict.fromkeys(("server", "spider_race.server", "redis", "matplotlib"))
from spider_race_client import connect
"""


def pythons() -> list[Path]:
    """Return the oldest and the newest Python of this machine that can run the client.

    Looks on the PATH, and beside this Python, where pyenv and uv have the others.
    """
    beside = Path(sys.base_prefix).parent.glob("*/bin/python3")
    on_path = (Path(each) / "python3" for each in os.get_exec_path())
    found = {sys.version_info[:2]: Path(sys.executable)}
    for path in filter(Path.exists, (*beside, *on_path)):
        asked = "import sys, ensurepip; print(*sys.version_info[:2])"
        said = subprocess.run([path, "-c", asked], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            major, minor = map(int, said.stdout.split())
            found.setdefault((major, minor), path)
    chosen = [found[version] for version in sorted(found) if version >= (3, 11)]
    return list(dict.fromkeys([chosen[0], chosen[-1]]))


def test_the_client_needs_no_server() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_SERVER], check=True, timeout=60)


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_the_small_install_races_on_the_oldest_and_the_newest_python(
    url: str, tmp_path: Path
) -> None:
    for number, python in enumerate(await asyncio.to_thread(pythons)):
        empty = tmp_path / f"environment-{number}"
        for command in ([python, "-m", "venv", empty], ["sh", "-ec", SMALL]):
            path = f"{empty}/bin:{os.environ['PATH']}"
            installing = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, env={**os.environ, "PATH": path}
            )
            assert await installing.wait() == 0
        async with connect(url) as client:
            await show_the_first(client, empty / "bin/python")
