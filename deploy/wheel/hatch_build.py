"""The compiled wheel: `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1`, or `make wheel`.

mypyc compiles the modules listed in `pyproject.toml`. The wheel has them beside their sources,
which Python then ignores. Without the variable a wheel is pure and needs no compiler. Every wheel
has the home page in `SPIDER_RACE_HOME`.
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
"""The name of the library with the code of all compiled modules."""


class ProjectUrls(MetadataHookInterface):
    """Set the project's home page, which only the publisher of the wheel knows."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the address, if `SPIDER_RACE_HOME` has one."""
        home = os.environ.get("SPIDER_RACE_HOME")
        if home:
            metadata["urls"] = {"Homepage": home}


class CompiledModules(BuildHookInterface[Any]):
    """Compile the modules of `modules`, and add them to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile into a temporary directory, and leave the source folders alone."""
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
        """Copy the modules to their places in the wheel, which decide their names."""
        for file in self.build_config.builder.recurse_selected_project_files():
            if file.path.endswith(".py"):
                path = tree / file.distribution_path
                path.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.path, path)
        shutil.copy(Path(self.root) / "pyproject.toml", tree)

    def compile(self, made: Path) -> None:
        """Write the libraries to `lib`."""
        # mypyc reads mypy's options from pyproject.toml and looks for modules below the working
        # directory. A pure build installs neither mypyc nor setuptools.
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
        """Remove the temporary directory once the wheel is built."""
        del build_data, artifact_path
        if version != "editable":
            self.made.cleanup()
