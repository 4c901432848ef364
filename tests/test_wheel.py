"""What the wheel says of itself, and which names it takes."""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from zipfile import ZipFile

import pytest

from build_backend import FOLDERS, as_in_the_wheel
from tests.compiled import install

ROOT = Path(__file__).parents[1]
PROGRAM = Path(__file__).with_name("wheel_program.py")
PATIENCE_S = 60
INTERFACES = {
    "hatchling.builders.hooks.plugin.interface": "BuildHookInterface",
    "hatchling.metadata.plugin.interface": "MetadataHookInterface",
}
HOME = "https://code.example.org/spider-race"


class Interface:
    """The bases of hooks as far as they matter here: hatchling is only there while it builds."""

    def __class_getitem__(cls, _: object) -> type:
        return cls


def test_the_wheel_names_the_home_that_its_publisher_gives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, interface in INTERFACES.items():
        module = ModuleType(name)
        setattr(module, interface, Interface)
        monkeypatch.setitem(sys.modules, name, module)
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["ProjectUrls"]()
    for home, metadata in (("", {}), (HOME, {"urls": {"Homepage": HOME}})):
        monkeypatch.setenv("SPIDER_RACE_HOME", home)
        found: dict[str, Any] = {}
        hook.update(found)
        assert found == metadata


@pytest.mark.parametrize(
    ("source", "in_the_wheel"),
    [
        ("from server.app import serve", "from spider_race.server.app import serve"),
        (
            "if x:\n    from protocol import a, b",
            "if x:\n    from spider_race.protocol import a, b",
        ),
        ("import os, server.app as app", "import os, spider_race.server.app as app"),
        ("x = 'é', 'server.http.routes.ROOT'", "x = 'é', 'spider_race.server.http.routes.ROOT'"),
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
def test_modules_have_the_names_of_the_wheel_in_it(source: str, in_the_wheel: str) -> None:
    assert as_in_the_wheel(source, ROOT) == in_the_wheel


def test_an_import_of_a_bare_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"import server\.app as"):
        as_in_the_wheel("import server.app", ROOT)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pure wheel, which pip builds in an environment of its own."""
    made = tmp_path_factory.mktemp("wheel")
    constraints = str(ROOT / "constraints.txt")
    variables = os.environ | {"PIP_CONSTRAINT": constraints, "PIP_BUILD_CONSTRAINT": constraints}
    variables.pop("HATCH_BUILD_HOOK_ENABLE_CUSTOM", None)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-w", str(made), str(ROOT)], env=variables, check=True)
    (path,) = made.iterdir()
    return path


@pytest.mark.faults
def test_the_wheel_has_two_names(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    with ZipFile(wheel) as archive:
        names = {name.partition("/")[0] for name in archive.namelist()}
    assert {name for name in names if not name.endswith(".dist-info")} == {
        "spider_race",
        "spider_race_client",
    }


@pytest.mark.faults
@pytest.mark.timeout(180)
def test_a_program_has_folders_called_as_ours(wheel: Path, tmp_path: Path) -> None:
    """It races with a server of two processes that was started in the same folder."""
    python = install(wheel, tmp_path / "environment")
    folder = tmp_path / "program"
    for name in FOLDERS:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text(f"OWNER = 'the program, {name}'\n")
    program = folder / "program.py"
    program.write_text(PROGRAM.read_text())
    variables = os.environ | {"PYTHONPATH": str(folder)}
    command = [str(python.with_name("spider-race")), "--workers", "2"]
    server = subprocess.Popen(
        [*command, "--host", "127.0.0.1", "--port", "0", "--data-dir", str(folder / "data")],
        cwd=folder,
        env=variables,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        done = subprocess.run(
            [python, program, url],
            cwd=folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    finally:
        server.terminate()
        server.communicate(timeout=PATIENCE_S)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The race is over, and its acts are played again.\n"
    assert server.returncode == 0
