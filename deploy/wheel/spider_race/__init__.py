"""The command `spider-race`. In the wheel the other packages of the project lie below this one."""

import sys
from pathlib import Path

HERE = Path(__file__).parent

# In a copy of the repository they lie at its top: before folders of these names in `PYTHONPATH`.
if not (HERE / "server").is_dir():
    sys.path.insert(0, str(HERE.parents[2]))


def main() -> int | str:
    """Run the command; return its exit code, or a sentence for `sys.exit`."""
    # The client imports this package too, but not the server.
    try:
        from server.__main__ import main as run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        return (
            f"spider-race: {error}. The server needs all packages that `pip install .` installs."
        )
    return run()
