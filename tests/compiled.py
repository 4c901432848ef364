"""Test the rules, the messages and a whole race on a compiled wheel.

`python -m tests.compiled [--wheel dist/spider_race-….whl]` builds the wheel, unless one is given,
installs it into a new virtual environment, and runs the tests in a folder without sources, with
the module names of the wheel. It borrows the other packages from its own environment. Without a
compiler it says so and does nothing.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from build_backend import as_in_the_wheel

ROOT = Path(__file__).parents[1]
VARIABLE = "SPIDER_RACE_TESTS_COMPILED"
"""With this variable `test_compiled.py` expects compiled modules."""
TESTS = (
    "tests/test_compiled.py",
    "tests/games",
    "tests/protocol",
    "tests/web/test_bad_input.py",
    "tests/web/test_frames.py",
    "tests/web/test_handshake.py",
    "tests/web/test_websocket.py",
    "tests/store/test_pipeline.py",
    "tests/server/test_race.py",
)


def build(into: Path) -> Path:
    """Build the compiled wheel and return it."""
    subprocess.run(["make", "--silent", "wheel", f"WHEELS={into}"], cwd=ROOT, check=True)
    (wheel,) = into.glob("spider_race-*.whl")
    return wheel


def build_wheel(source: Path, into: Path, *, compiled: bool, **variables: str) -> None:
    """Build the wheel of a checkout with pip, in an isolated environment with pinned packages."""
    pins = str(source / "deploy/constraints.txt")
    switch = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": str(int(compiled))}
    variables |= {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins, **switch}
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    command = [*pip, "--no-deps", "-w", str(into), str(source)]
    subprocess.run(command, env=os.environ | variables, check=True)


def install(wheel: Path, into: Path) -> Path:
    """Install a wheel into a new environment and return its Python."""
    venv.create(into, symlinks=True)
    paths = sysconfig.get_paths("venv", {"base": str(into), "platbase": str(into)})
    packages = Path(paths["purelib"])
    python = Path(paths["scripts"]) / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--quiet", "--no-deps", str(wheel)], check=True)
    # Such a file is not followed for other .pth files, so the sources of this project stay out.
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def prepare(made: Path, wheel: Path | None = None) -> tuple[Path, Path]:
    """Install a wheel, building it unless one is given; return its Python and a folder.

    The folder has no sources, only tests with the module names of the wheel, and their files.
    """
    python = install(wheel or build(made / "wheel"), made / "environment")
    folder = made / "folder"
    ignored = ["__pycache__", "*.png"]
    for programs in ("bench", "tests"):
        ignore = shutil.ignore_patterns(*ignored)
        shutil.copytree(ROOT / programs, folder / programs, ignore=ignore)
    for path in folder.rglob("*.py"):
        path.write_text(as_in_the_wheel(path.read_text("utf-8"), ROOT), "utf-8")
    for documents in ("docs", "protocol", "server"):  # for the tests
        ignore = shutil.ignore_patterns(*ignored, "*.py")
        shutil.copytree(ROOT / documents, folder / documents, ignore=ignore)
    for document in ("README.md", "pyproject.toml", "deploy/wheel/build_backend.py"):
        shutil.copy(ROOT / document, folder)
    return python, folder


def run_compiled(module: str) -> None:
    """Run this program again, without its option `--compiled`, on a compiled wheel."""
    with TemporaryDirectory() as made:
        python, folder = prepare(Path(made))
        words = [word for word in sys.argv[1:] if word != "--compiled"]
        subprocess.run([python, "-m", module, *words], cwd=folder, check=True)


def has_compiler(*, install: bool = True) -> bool:
    """Return whether modules can be compiled here, perhaps after installing a compiler."""
    command = [str(ROOT / ".ci/compiler"), sys.executable, *([] if install else ["--check"])]
    return subprocess.run(command, check=False).returncode == 0


def main() -> int:
    """Build, install and test; return the exit code."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--wheel", type=Path, help="build none, but test this one")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = options.parse_args()
    if given.wheel is None and not has_compiler():
        print("SKIPPED: no compiler here, so the compiled modules were not built and not tested.")
        return 0
    with TemporaryDirectory() as made:
        python, folder = prepare(Path(made), given.wheel)
        pytest = [str(python), "-m", "pytest", "-q", "-n", str(given.workers)]
        chosen = ["-m", "not browser and not faults and not night and not interpreted", *TESTS]
        variables = os.environ | {VARIABLE: "1"}
        done = subprocess.run([*pytest, *chosen], cwd=folder, env=variables, check=False)
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
