"""What an installation of the client needs."""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import spider_race_client
from spider_race_client import Client

from tests.python_client.races import EASY, output
from tests.python_client.test_readme import EXAMPLE, FIRST, README

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


@pytest.mark.parametrize(
    ("missing", "called", "sentence"),
    [
        ("structlog", "spider_race; sys.exit(spider_race.main())", "`pip install .`"),
        ("tomllib", "build_backend", "Python 3.11"),
    ],
)
def test_an_install_without_the_server_or_on_an_old_python_says_a_sentence(
    missing: str, called: str, sentence: str
) -> None:
    program = f"import sys; sys.modules[{missing!r}] = None; import {called}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=README.parents[1] / "deploy/wheel",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert sentence in done.stderr


def test_a_star_imports_the_names_of_the_client_and_no_modules() -> None:
    bound = {name: getattr(spider_race_client, name) for name in spider_race_client.__all__}
    assert {"connect", "fetch_day", "Race", "RoundOver", "Event"} <= bound.keys()
    assert not any(name.startswith("_") for name in bound)
    assert not any(isinstance(value, ModuleType) for value in bound.values())


@pytest.mark.faults
@pytest.mark.timeout(300)
async def test_the_first_program_runs_after_the_small_install_on_the_oldest_and_newest_python(
    real_client: Client, tmp_path: Path
) -> None:
    for python in await asyncio.to_thread(pythons):
        empty = tmp_path / f"environment of {python.parts[-3]}"
        installing = await asyncio.create_subprocess_exec(
            *("sh", "-ec", f"{python} -m venv '{empty}'\n{SMALL}"),
            cwd=README.parents[1],
            env=os.environ | {"PATH": f"{empty}/bin:{os.environ['PATH']}"},
        )
        assert await installing.wait() == 0
        host = await real_client.create("Ada", EASY)
        program = FIRST.replace(f"{EXAMPLE}/r/ABC-DEFG", host.link)
        running = asyncio.create_task(output(empty / "bin/python", "-c", program))
        await host.wait_until(lambda race: len(race.room.seats) == 2)
        await host.ready()
        await host.wait_for_table()
        await host.forfeit()
        assert "First legal action" in await running
