"""The packages of the wheel, and races among folders with the same names as ours."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import pytest
from build_backend import FOLDERS, as_in_the_wheel

from server import version_of
from tests.compiled import build_wheel, install

ROOT = Path(__file__).parents[1]
PROGRAM = Path(__file__).with_name("wheel_program.py")
PATIENCE_S = 60
HOME = "https://code.example.org/spider-race"
SCRIPT = """
import sys
from spider_race import main
if __name__ == '__main__':
    sys.exit(main())
"""
"""The console script that installers write for our command."""


@pytest.mark.parametrize(
    ("source", "in_the_wheel"),
    [
        ("from server.app import serve", "from spider_race.server.app import serve"),
        ("if x:\n    from protocol import a", "if x:\n    from spider_race.protocol import a"),
        ("import os, server.app as app", "import os, spider_race.server.app as app"),
        ("x = 'é', 'server.web.routes.ROOT'", "x = 'é', 'spider_race.server.web.routes.ROOT'"),
        *(
            (same, same)
            for same in (
                "from spider_race_client.protocol import views",
                "from servers import x",
                "'protocol.js', 'server', 'server.log', 'in server.app', f'{x}server.app'",
                '"""The module `server.app`."""  # from server.app import x',
            )
        ),
    ],
)
def test_imports_are_rewritten_for_the_wheel(source: str, in_the_wheel: str) -> None:
    assert as_in_the_wheel(source, ROOT) == in_the_wheel


def test_an_import_of_a_bare_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"import server\.app as"):
        as_in_the_wheel("import server.app", ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pure wheel, which pip builds in an isolated environment."""
    made = tmp_path_factory.mktemp("wheel")
    build_wheel(ROOT, made, compiled=False, SPIDER_RACE_HOME=HOME)
    (path,) = made.iterdir()
    return path


@pytest.mark.faults
def test_the_wheel_has_two_packages_and_its_publishers_home_page(wheel: Path) -> None:
    assert wheel.name == f"spider_race-{version_of(ROOT)}-py3-none-any.whl"
    with ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
        (about,) = {top for top in tops if top.endswith(".dist-info")}
        metadata = archive.read(f"{about}/METADATA").decode()
    assert tops - {about} == {"spider_race", "spider_race_client"}
    assert f"\nProject-URL: Homepage, {HOME}\n" in metadata


@contextmanager
def serving(folder: Path, *command: str | Path) -> Iterator[str]:
    """Run a server with two workers in the folder of another program; yield its address."""
    for name in FOLDERS:
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text(f"OWNER = 'the program, {name}'\n")
    options = ["--workers", "2", "--host", "127.0.0.1", "--port", "0"]
    server = subprocess.Popen(
        [*command, *options, "--data-dir", folder / "data"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE_S)
    assert server.returncode == 0


@pytest.mark.faults
@pytest.mark.timeout(180)
def test_a_program_may_have_folders_with_our_names(wheel: Path, tmp_path: Path) -> None:
    python = install(wheel, tmp_path / "environment")
    command = python.with_name("spider-race")
    printed = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert printed.stdout == f"spider-race {version_of(ROOT)}\n", "without git"
    folder = tmp_path / "program"
    folder.mkdir()
    program = folder / "program.py"
    program.write_text(PROGRAM.read_text())
    with serving(folder, command) as url:
        done = subprocess.run(
            [python, program, url],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The race is over, and its acts are played again.\n"


@pytest.mark.faults
@pytest.mark.timeout(120)
def test_the_documented_line_replaces_the_same_version(wheel: Path, tmp_path: Path) -> None:
    """Regression: pip kept the installed wheel, and an upgrade started the old code."""
    python = install(wheel, tmp_path / "environment")
    (code,) = tmp_path.glob("environment/lib/*/site-packages/spider_race/server/app.py")
    new = code.read_text()
    code.write_text("")
    page = (ROOT / "docs/operating.md").read_text("utf-8").replace("\\\n", "")
    (line,) = re.findall(r"^/opt/spider-race/bin/pip (.*)$", page, re.MULTILINE)
    (tmp_path / "dist").symlink_to(wheel.parent)
    (tmp_path / "deploy").symlink_to(ROOT / "deploy")
    command = f"{sys.executable} -m pip --python {python} {line}"
    environment = os.environ | {"PIP_NO_DEPS": "1"}  # it borrows the packages of this one
    subprocess.run(["sh", "-euc", command], cwd=tmp_path, env=environment, check=True)
    assert code.read_text() == new


@pytest.mark.faults
@pytest.mark.timeout(120)
def test_the_command_and_its_workers_find_their_own_packages(tmp_path: Path) -> None:
    script = tmp_path / "spider-race"  # whose folder comes first on the path
    script.write_text(SCRIPT)
    with serving(tmp_path, sys.executable, script) as url:
        assert url.startswith("http://")
