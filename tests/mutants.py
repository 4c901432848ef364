"""Put small faults into the code, one at a time, and find the tests that notice them.

    .venv/bin/python -m tests.mutants [--areas games store]

A mutant that no test notices survives: a gap in the tests, or a change without a difference. The
program chooses lines by their hashes, so the mutants stay the same as long as the lines do. It
puts each into a copy of the project and runs the tests that depend on the file, nearest first.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fast import UNIT, js_imports, nearest, python_imports, with_readers

ROOT = Path(__file__).parents[1]
AREAS = {
    "server/games": 5,
    "server/rooms": 7,
    "server/views": 4,
    "server/sessions": 7,
    "server/live": 7,
    "server/store": 8,
    "server/web": 9,
    "python_client/spider_race_client": 5,
    "web_client/src/state": 4,
    "web_client/src/game": 4,
    "web_client/src/play": 4,
    "web_client/src/board": 4,
}
"""The number of mutants by folder."""
CHANGES = [
    (re.compile(rf"(?<=\s){re.escape(old)}(?=\s|:)"), new)
    for pair in (
        ("==", "!="), ("===", "!=="), ("<", "<="), (">", ">="), ("and", "or"), ("&&", "||"),
        ("+", "-"), ("True", "False"), ("true", "false"), ("is not None", "is None"),
    )
    for old, new in (pair, pair[::-1])
]  # fmt: skip
NOTHING = {".py": "pass", ".lua": "do end", ".js": ";"}
"""The replacement of a call, by the suffix of a file."""
CALL = re.compile(r"^( +)(?:await )?[\w.]+\((?:[^()]|\([^()]*\))*\);?$")
LITERAL = re.compile(r'"[^"\n]*"|\'[^\'\n]*\'|`[^`\n]*`')
LEFT_OUT = re.compile(
    r"^\s*(?:#|//|\*|/\*|--|@|import |from |export type|assert |log|\w+: |\w+ = \w+\[)"
)
NEAR = 12
"""How many test files to run first, so that the others are mostly not even loaded."""
NO_TESTS = 5
"""Pytest's exit code when no test is left."""
TESTS_S = 900
"""A mutant survives if no test notices it by then; each test has its own limit, too."""


@dataclass(frozen=True)
class Mutant:
    path: str
    line: int
    old: str
    new: str

    @property
    def place(self) -> str:
        """Return its rank among the mutants of its area, independent of other lines."""
        return hashlib.sha256(f"{self.path} {self.old} {self.new}".encode()).hexdigest()


def mutants(area: str) -> list[Mutant]:
    """Return the mutants of an area, at most one per file, in a stable order."""
    files = [path for path in (ROOT / area).rglob("*") if path.suffix in NOTHING]
    made = [min(changes_of(path), key=lambda one: one.place, default=None) for path in files]
    return sorted(filter(None, made), key=lambda one: one.place)[: AREAS[area]]


def changes_of(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file's code, without its comments, docstrings and strings."""
    text = path.read_text("utf-8")
    code = re.sub(
        r'"""(?:.|\n)*?"""|/\*(?:.|\n)*?\*/', lambda found: "\n" * found[0].count("\n"), text
    )
    for number, (line, old) in enumerate(zip(code.splitlines(), text.splitlines(), strict=True)):
        plain = LITERAL.sub(lambda found: "_" * len(found[0]), line)
        plain = re.sub(r"  #.*| // .*| -- .*", "", plain)
        if LEFT_OUT.match(line):
            continue
        found_at = [(at, new) for known, new in CHANGES for at in known.finditer(plain)]
        made = [old[: at.start()] + new + old[at.end() :] for at, new in found_at]
        if found := CALL.match(plain):
            made.append(found[1] + NOTHING[path.suffix])
        for new in made:
            yield Mutant(str(path.relative_to(ROOT)), number, old, new)


def tests_of(folder: Path, mutant: Mutant) -> list[list[str]]:
    """Return the commands that run the tests of the mutant's file, nearest first."""
    changed = ROOT / mutant.path
    if changed.suffix == ".js":
        reached = nearest([changed], js_imports())
        near = [path for path in reached if path.name.endswith(".test.js")]
        # The test of old browsers reads the packages, which a copy has elsewhere.
        tests = [folder / path.relative_to(ROOT) for path in near if path.name != "oldest.test.js"]
        rest = f"{folder}/tests/client/!(engines)/*.test.js"
        return [["node", "--test", *map(str, tests)], ["node", "--test", rest]]
    imports = python_imports()
    reached = nearest(with_readers([changed], imports), imports)
    names = [path.relative_to(ROOT) for path in reached if path.name.startswith("test_")]
    files = [str(name) for name in names if name.parts[1] not in {"e2e", "engines"}]
    words = ["-q", "-x", "-p", "no:cacheprovider", "--tb=no", "-r", "f"]
    # A mutant that never ends may catch an exception or fill the memory, so kill its process.
    words += ["--timeout", "90", "--timeout-method", "thread"]
    pytest = [sys.executable, "-m", "pytest", *words, "-m", UNIT]
    return [[*pytest, *some] for some in (files[:NEAR], files[NEAR:]) if some]


def run(mutant: Mutant) -> str:
    """Return the test that notices a mutant in a copy of the project; empty if it survives."""
    with TemporaryDirectory(prefix="mutant-") as made:
        folder = Path(made) / "copy"
        left = (".git", ".venv", "node_modules", "__pycache__", ".*_cache", ".hypothesis")
        shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*left))
        (folder / "web_client" / "node_modules").symlink_to(ROOT / "web_client" / "node_modules")
        path = folder / mutant.path
        lines = path.read_text("utf-8").split("\n")
        lines[mutant.line] = mutant.new
        path.write_text("\n".join(lines), "utf-8")
        commands = tests_of(folder, mutant)
        return next(filter(None, (notice(each, folder) for each in commands)), "")


def notice(command: list[str], folder: Path) -> str:
    """Run tests; return the one that fails, or an empty text."""
    variables = os.environ | {
        "PYTHONPATH": f"{folder}:{folder / 'python_client'}",
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    captured: Any = {"capture_output": True, "text": True, "timeout": TESTS_S}
    try:
        done = subprocess.run(command, cwd=folder, env=variables, check=False, **captured)
    except subprocess.TimeoutExpired:
        return ""
    if done.returncode in {0, NO_TESTS}:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)|^(?:not ok|✖) (.+)", done.stdout, re.MULTILINE)
    return (failed[1] or failed[2]) if failed else f"exit code {done.returncode}"


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    options.add_argument("--areas", nargs="*", default=[""], help="ends of folders; else all")
    options.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = options.parse_args()
    areas = [area for area in AREAS if area.endswith(tuple(given.areas))]
    chosen = [mutant for area in areas for mutant in mutants(area)]
    found = []
    with ThreadPoolExecutor(given.workers) as pool:
        for mutant, killed_by in zip(chosen, pool.map(run, chosen), strict=True):
            found.append(killed_by)
            name = f"{mutant.path}:{mutant.line + 1}"
            print(f"{name:60} {killed_by or 'SURVIVED'}", flush=True)
            if not killed_by:
                print(f"  - {mutant.old.strip()}\n  + {mutant.new.strip()}")
    print(f"{len(found)} mutants, {found.count('')} survived")


if __name__ == "__main__":
    main()
