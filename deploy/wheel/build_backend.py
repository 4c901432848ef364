"""Build the wheel with hatchling, after giving the modules their names in the wheel.

In the wheel the folders of this repository are inside `spider_race`. `pyproject.toml` moves them,
and `build_wheel` rewrites the imports in a copy. `tests/compiled.py` does the same for tests that
run on the wheel. hatchling does all other steps, such as an editable installation.
"""

import ast
import re
import runpy
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

try:  # before the installer can read `requires-python`
    import tomllib
    from contextlib import chdir
except ImportError:
    sys.exit("Spider Race needs Python 3.11 or later.")

NAMESPACE = "spider_race"
FOLDERS = ("server", "protocol", "web_client")
"""The folders that are inside the namespace in the wheel."""
_DOTTED = re.compile(rf"({'|'.join(FOLDERS)})\.(\w+)[\w.]*")


def __getattr__(step: str) -> Any:
    """Return a step of hatchling, which is only installed during a build."""
    # Each import asks for names such as `__path__`. Installers take the metadata from the built
    # wheel, whose version has the commit.
    if step.startswith("_") or step == "prepare_metadata_for_build_wheel":
        raise AttributeError(step)
    from hatchling import build  # noqa: PLC0415

    return getattr(build, step)


def build_wheel(wheel_directory: str, *given: Any, **named: Any) -> str:
    """Build the wheel from a renamed copy of the sources; return its name."""
    from hatchling import build  # noqa: PLC0415

    with TemporaryDirectory() as made:
        _copy_renamed(Path.cwd(), Path(made))
        with chdir(made):
            name: str = build.build_wheel(wheel_directory, *given, **named)
    return name


def _copy_renamed(root: Path, to: Path) -> None:
    """Copy the sources of the wheel, with the module names of the wheel."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    for package in project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]:
        ignore = shutil.ignore_patterns("__pycache__", "node_modules")
        shutil.copytree(root / package, to / package, ignore=ignore)
    for path in to.rglob("*.py"):
        path.write_text(as_in_the_wheel(path.read_text("utf-8"), root), "utf-8")
    _write_version(root, to / "server/__init__.py")
    licenses = project["project"]["license-files"]
    hook = "deploy/wheel/hatch_build.py"
    for file in ("pyproject.toml", hook, project["project"]["readme"], *licenses):
        shutil.copy(root / file, to / file)


def _write_version(root: Path, module: Path) -> None:
    """Append the commit to the version, since an installed wheel has no git."""
    server = runpy.run_path(str(root / "server/__init__.py"))
    line = '__version__ = "{}"'.format
    source = module.read_text("utf-8")
    release, version = line(server["__version__"]), line(server["version_of"](root))
    assert release in source, module
    module.write_text(source.replace(release, version), "utf-8")


def as_in_the_wheel(source: str, root: Path) -> str:
    """Return the source of a module with the module names of the wheel.

    Rewrite imports, and strings that are the dotted name of a module or its content.

    Raises:
        ValueError: an import binds the bare name of a folder, like `import server.app`.
    """
    lines = source.encode().splitlines(keepends=True)
    places = [
        place for node in ast.walk(ast.parse(source)) for place in _places(node, lines, root)
    ]
    for line, column in sorted(places, reverse=True):  # from the end: earlier columns stay
        text = lines[line]
        lines[line] = text[:column] + f"{NAMESPACE}.".encode() + text[column:]
    return b"".join(lines).decode()


def _places(node: ast.AST, lines: list[bytes], root: Path) -> Iterator[tuple[int, int]]:
    """Yield line and column indices where a node needs the namespace."""
    match node:
        case ast.ImportFrom(level=0, module=str(module)) if _is_ours(module):
            yield node.lineno - 1, node.col_offset + len("from ")
        case ast.Import():
            for alias in filter(lambda alias: _is_ours(alias.name), node.names):
                if alias.asname is None:
                    raise ValueError(f"Write 'import {alias.name} as ...', or 'from ... import'.")
                yield alias.lineno - 1, alias.col_offset
        case ast.Constant(value=str(text)) if _names_a_module(text, root):
            written = re.compile(rb"[rRuU]?(?:'|\")" + re.escape(text.encode()))
            found = written.match(lines[node.lineno - 1], node.col_offset)
            if found is not None:  # not for a part of a longer string
                yield node.lineno - 1, found.end() - len(text)
        case _:
            pass


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in FOLDERS


def _names_a_module(text: str, root: Path) -> bool:
    found = _DOTTED.fullmatch(text)
    if found is None:
        return False
    path = root / found[1] / found[2]
    return path.is_dir() or path.with_suffix(".py").is_file()
