"""The server. Between two releases its version also names the commit."""

import re
import subprocess
from functools import cache
from pathlib import Path

__version__ = "1.0.0"
"""The release. The build of a wheel, which has no git to ask, writes the whole version here."""

DIGITS = 8  # of a commit's hash


@cache
def version() -> str:
    """Return the version of this code: `1.0.0`, or `1.0.0+g49daee5b` between two releases."""
    is_checkout = __name__ == "server"  # in a wheel it is `spider_race.server`
    return version_of(Path(__file__).parents[1]) if is_checkout else __version__


def version_of(checkout: Path) -> str:
    """Return the version of a copy of the repository; without git it ends in `+unknown`.

    Read git's files first: the program git may be missing, as in the build of an image.
    """
    # Only this folder counts: one above might be another repository.
    git, tag = checkout / ".git", f"refs/tags/v{__version__}"
    try:
        commit, tagged = _read_files(git, tag)
    except (OSError, ValueError):  # no repository, or a worktree, whose files are elsewhere
        commit = tagged = ""
    # The tag may be an object of its own, or kept in other files: then only git itself knows.
    if git.exists() and (not commit or tagged not in {"", commit}):
        commit, tagged = _ask_program(git, tag) or (commit, "")
    if not commit:
        return f"{__version__}+unknown"
    return __version__ if commit == tagged else f"{__version__}+g{commit[:DIGITS]}"


def _read_files(git: Path, tag: str) -> tuple[str, str]:
    """Return the checked-out commit and the commit of `tag`, from the files in the folder `git`.

    Each is empty if unknown; `tag` is the full name of a reference.
    """
    packed = git / "packed-refs"
    lines = packed.read_text("utf-8") if packed.exists() else ""

    def commit_of(reference: str) -> str:
        loose = git / reference
        if loose.is_file():
            return loose.read_text("utf-8").strip()
        # The commit of an annotated tag is in the line below it.
        found = re.search(rf"^(\w+) {re.escape(reference)}(?:\n\^(\w+))?$", lines, re.MULTILINE)
        return (found[2] or found[1]) if found else ""

    head = (git / "HEAD").read_text("utf-8").strip()
    branch = head.removeprefix("ref: ")
    return head if branch == head else commit_of(branch), commit_of(tag)


def _ask_program(git: Path, tag: str) -> tuple[str, str] | None:
    """Return the checked-out commit, and `tag`'s if it is the same; None without git."""
    shown = ["log", "-1", "--format=%H %D", "--decorate=full", f"--decorate-refs={tag}"]
    command = ["git", f"--git-dir={git}", *shown]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    commit, _, tags = done.stdout.strip().partition(" ")
    return commit, commit if tags else ""
