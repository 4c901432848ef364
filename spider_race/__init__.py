"""The command `spider-race`, whose own packages no other folder replaces.

The packages are called `server`, `protocol` and `web_client`, as many a folder is. Once this one
is imported, they are those that lie beside it, wherever else Python would look first: in the
current folder, in `PYTHONPATH`, or in another installed package. All other imports stay as they
are.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

OURS = frozenset({"server", "protocol", "web_client"})
HERE = str(Path(__file__).parent.parent)


class OwnPackages(MetaPathFinder):
    """Finds this project's packages in the folder that has this one too."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where to find a package of this project; None for all other modules."""
        del path
        return PathFinder.find_spec(fullname, [HERE], target) if fullname in OURS else None


# A worker begins with the import of the script that was started, so it has the finder as well.
sys.meta_path.insert(0, OwnPackages())


def main() -> int:
    """Run the command; return its exit code."""
    from server.__main__ import main as run  # noqa: PLC0415  # only now it is the right one

    return run()
