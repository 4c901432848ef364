"""The compiled wheel: `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1`, or `make wheel`.

The modules that `pyproject.toml` lists are compiled with mypyc, and lie in the wheel beside their
sources, which Python then does not read. Without the variable a wheel is pure and needs no
compiler. `SPIDER_RACE_HOME` is the address of the project that any wheel names.
"""

import os
import shutil
import sys
import tempfile
from contextlib import chdir
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

GROUP = "spider_race.compiled"
"""The name of the library that has the code of all compiled modules."""


class ProjectUrls(MetadataHookInterface):
    """Name the project's home, which nobody knows but the one who publishes the wheel."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the address, if `SPIDER_RACE_HOME` has one."""
        home = os.environ.get("SPIDER_RACE_HOME")
        if home:
            metadata["urls"] = {"Homepage": home}


class CompiledModules(BuildHookInterface[Any]):
    """Compile the modules of `modules`, and add them to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a directory of its own: the folders of the sources stay as they are."""
        if version == "editable":
            return
        self.made = tempfile.TemporaryDirectory()
        made = Path(self.made.name)
        self.copy_sources(made / "tree")
        with chdir(made / "tree"):
            self.compile(made)
        libraries = [path for path in made.glob("lib/**/*") if path.is_file()]
        build_data["force_include"] |= {
            str(path): path.relative_to(made / "lib").as_posix() for path in libraries
        }
        build_data["infer_tag"], build_data["pure_python"] = True, False

    def copy_sources(self, tree: Path) -> None:
        """Copy the modules to where they lie in the wheel: that decides their names."""
        for file in self.build_config.builder.recurse_selected_project_files():
            if file.path.endswith(".py"):
                path = tree / file.distribution_path
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.path, path)
        shutil.copy(Path(self.root) / "pyproject.toml", tree)

    def compile(self, made: Path) -> None:
        """Write the libraries to `lib`."""
        # mypyc reads mypy's options from pyproject.toml and looks for its modules below the
        # working directory. Neither it nor setuptools is there when a pure wheel is built.
        sys.path.insert(0, str(Path.cwd()))
        from mypyc.build import mypycify  # noqa: PLC0415
        from setuptools import Distribution  # noqa: PLC0415

        paths = map(self.build_config.get_distribution_path, self.config["modules"])
        modules = mypycify(
            [f"--cache-dir={os.devnull}", *paths],
            opt_level="2",  # 3 takes longer and is no faster
            debug_level="0",
            group_name=GROUP,
            target_dir=str(made / "c"),
        )
        for module in modules:
            module.extra_compile_args.append("-fvisibility=hidden")  # calls among them are direct
        built = Distribution({"name": GROUP, "ext_modules": modules})
        command = built.get_command_obj("build_ext")
        command.build_lib, command.build_temp = str(made / "lib"), str(made / "objects")
        command.ensure_finalized()
        command.run()

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was made; the wheel has it."""
        del build_data, artifact_path
        if version != "editable":
            self.made.cleanup()
