"""The server. Its version also names the commit, unless that is a release."""

import re
import subprocess
from functools import cache
from pathlib import Path

__version__ = "1.0.0"
"""The release. The build of a wheel writes the whole version here: a wheel has no git to ask."""

DIGITS = 8  # of the commit's hash that a version shows


@cache
def version() -> str:
    """Return the version of this code: `1.0.0`, or `1.0.0+g49daee5b` between two releases."""
    is_checkout = __name__ == "server"  # in a wheel it is `spider_race.server`
    return version_of(Path(__file__).parents[1]) if is_checkout else __version__


def version_of(checkout: Path) -> str:
    """Return the version of a copy of the repository; without git it ends in `+unknown`.

    Git's files are read first, because git itself may not be installed, as when an image is built.
    """
    # Do not look in the folders above, as git does: they might belong to another repository.
    git, tag = checkout / ".git", f"refs/tags/v{__version__}"
    try:
        commit, tagged = _read_files(git, tag)
    except (OSError, ValueError):  # no repository, or a worktree, whose files are elsewhere
        commit = tagged = ""
    # Only git finds the commit of a tag that is an object of its own, or is stored elsewhere.
    if git.exists() and (not commit or tagged not in {"", commit}):
        commit, tagged = _ask_program(git, tag) or (commit, "")
    if not commit:
        return f"{__version__}+unknown"
    return __version__ if commit == tagged else f"{__version__}+g{commit[:DIGITS]}"


def _read_files(git: Path, tag: str) -> tuple[str, str]:
    """Return the checked-out commit and the commit of `tag`, from the files in the folder `git`.

    A commit is empty if these files do not name it. `tag` is a full name: `refs/tags/v1.0.0`.
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
    """Return the checked-out commit, and the tag's commit if it is the same; None without git."""
    shown = ["log", "-1", "--format=%H %D", "--decorate=full", f"--decorate-refs={tag}"]
    command = ["git", f"--git-dir={git}", *shown]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return None
    commit, _, tags = done.stdout.strip().partition(" ")
    return commit, commit if tags else ""
