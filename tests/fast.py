"""`make fast`: format, lint, types, and the tests of what changed, in seconds.

It takes the changes since the last commit or, if there are none, since the branch left `main`. It
runs the tests that import a changed file, directly or through others: the nearest first, and as
many as fit into the time. `make check` runs all of them.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import pytest

ROOT = Path(__file__).parents[1]
CLIENT = ROOT / "web_client"
BIN = Path(sys.executable).parent
TESTS_S = 6.0
"""No test starts later than this after the first one."""
FILES = 16
"""How many of the nearest test files to load, besides all that import a changed module."""
NEAR = 2
"""Client tests that are more imports away from a change wait for `make check`."""
LEFT_OUT = {"containers", "e2e", "engines", "faults"}
"""Folders without unit tests."""
Command = list[str | Path]
STATIC = ("format", "lint", "types", "imports", "generated")
"""Checks of the Makefile."""
UNIT = "not browser and not faults and not night"
IMPORT = re.compile(
    r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|[^\n]*)|import ([^\n]*))", re.MULTILINE
)
JS_IMPORT = re.compile(r"""\bfrom\s+['"](\.[^'"]+)['"]""")

Imports = dict[Path, set[Path]]


def changed() -> list[Path]:
    """Return the files changed since the last commit, or else since the branch left `main`."""
    names = _git("diff", "--name-only", "HEAD")
    names += _git("ls-files", "--others", "--exclude-standard")
    if not names and (left := _git("merge-base", "HEAD", "main")):
        names = _git("diff", "--name-only", left[0])
    return [ROOT / name for name in names]


def _git(*words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines()


def python_imports() -> Imports:
    """Return the imports of each Python file; a test also imports its `conftest.py` files."""
    tops = ("server", "protocol", "python_client", "tests", "bench")
    files = {path for top in tops for path in (ROOT / top).rglob("*.py")}
    return {path: {each for each in _imported(path) if each in files} for path in files}


def _imported(path: Path) -> Iterator[Path]:
    if path.name.startswith("test_"):
        yield from (folder / "conftest.py" for folder in path.parents if ROOT in folder.parents)
    for origin, names, alone in IMPORT.findall(path.read_text("utf-8")):
        modules = re.findall(r"[\w.]+", alone)
        if origin:
            modules = [origin, *(f"{origin}.{name}" for name in re.findall(r"\w+", names))]
        for module in modules:
            for root in (ROOT, ROOT / "python_client"):
                found = root.joinpath(*module.split("."))
                yield from (found.with_suffix(".py"), found / "__init__.py")


def js_imports() -> Imports:
    """Return the imports of each file of the client and its tests."""
    folders = (CLIENT / "src", ROOT / "tests" / "client", ROOT / "bench")
    files = [path for folder in folders for path in folder.rglob("*.js")]
    texts = {path: path.read_text("utf-8") for path in files}
    return {
        path: {(path.parent / name).resolve() for name in JS_IMPORT.findall(text)}
        for path, text in texts.items()
    }


def nearest(changes: Iterable[Path], imports: Imports) -> dict[Path, int]:
    """Return all files that depend on a change, nearest first, with their distance in imports."""
    importers: Imports = {}
    for path, found in imports.items():
        for each in found:
            importers.setdefault(each, set()).add(path)
    away = dict.fromkeys(changes, 0)
    queue = deque(away)
    while queue:
        path = queue.popleft()
        for importer in sorted(importers.get(path, set()) - away.keys()):
            away[importer] = away[path] + 1
            queue.append(importer)
    return away


def with_readers(changes: list[Path], imports: Imports) -> list[Path]:
    """Return the changes, and the modules that name a changed file of another kind."""
    names = [path.name for path in changes if path.suffix in {".lua", ".json", ".md", ".toml"}]
    readers = [
        path
        for path in imports
        if names and any(name in path.read_text("utf-8") for name in names)
    ]
    return [*changes, *readers]


def tests_in(reached: dict[Path, int]) -> list[Path]:
    """Return the test files to load: the nearest ones, and all at a distance of one import."""
    tests = [path for path in reached if path.name.startswith("test_") and path.is_file()]
    files = [path for path in tests if path.relative_to(ROOT).parts[1] not in LEFT_OUT]
    return [path for place, path in enumerate(files) if place < FILES or reached[path] <= 1]


class Budget:
    """A plugin that starts no test after the time is up."""

    def __init__(self) -> None:
        self.left_out = 0
        self._began = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        self._began = self._began or time.monotonic()
        if time.monotonic() - self._began < TESTS_S:
            return None
        self.left_out += 1
        return True


def main() -> int:
    changes = changed()
    imports = python_imports()
    commands: dict[str, Command] = {name: ["make", "-s", f"check-{name}"] for name in STATIC}
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    js = [path for path in changes if path.suffix in {".js", ".css", ".html", ".ts"}]
    if js and shutil.which("node", path=environment["PATH"]):
        modules = CLIENT / "node_modules" / ".bin"
        commands["client"] = [modules / "biome", "check", *(path for path in js if path.is_file())]
        commands["client's types"] = [modules / "tsc", "--project", CLIENT]
        reached = nearest(js, js_imports())
        tests = [p for p, n in reached.items() if p.name.endswith(".test.js") and n <= NEAR]
        if tests:
            commands["client's tests"] = ["node", "--test", *tests]
    running = [(name, *_start(command, environment)) for name, command in commands.items()]
    reached = nearest(with_readers(changes, imports), imports)
    failed = _test(tests_in(reached))
    for name, process, output in running:
        if process.wait() != 0:
            failed = True
            output.seek(0)
            print(f"\n--- {name}\n{output.read()}", flush=True)
    print("Not yet." if failed else f"Good so far: {len(changes)} changed files.", flush=True)
    return int(failed)


def _start(command: Command, environment: dict[str, str]) -> tuple[subprocess.Popen[str], IO[str]]:
    output = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115  # read when it has ended
    process = subprocess.Popen(
        command,
        cwd=CLIENT if "node_modules" in str(command[0]) else ROOT,
        env=environment,
        stdout=output,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return process, output


def _test(files: list[Path]) -> bool:
    """Run the tests in these files, in this order; return whether one failed."""
    if not files:
        return False
    budget = Budget()
    options = ["-q", "-x", "-r", "", "-m", UNIT]
    code = pytest.main([*options, *map(str, files)], plugins=[budget])
    if budget.left_out:
        print(f"{budget.left_out} of their tests are left to `make check`.", flush=True)
    return code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}


if __name__ == "__main__":
    sys.exit(main())
