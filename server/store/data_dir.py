"""The directory of the embedded store: its owner, its rights, and whether the data are there.

Law: one process owns it, as long as it holds the lock. The directory is 0700 and a file in it
0600, whoever made them and whatever the umask: the seeds of running rounds stand there. Data that
were there once are there at every start, or there is no start: an empty store in their place
would lose all rooms without a word.
"""

import fcntl
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

import structlog

from server.store.errors import StoreUnusable

PRIVATE_DIR, PRIVATE_FILE = 0o700, 0o600
PRIVATE_UMASK = 0o077
OTHERS = 0o077
FILES = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
PART = "appendonly.aof."
OURS = {"lock", "valkey.log", "valkey.log.1", "valkey.where", "valkey.sock", "valkey.kept", FILES}
# What may lie in a directory that is made for the store alone.
HARMLESS = {*OURS, "lost+found"}
KEPT = f"Rooms are kept in {FILES}. Without it the server does not start.\n"
# Where the server begins to advise a program that does not come along.
ADVICE = ": make a backup of"
PROBE_BYTES = 1 << 20
# An append-only file without any room in it: a header, a few fields, a checksum.
EMPTY_BASE = 512

log = structlog.get_logger(__name__)


class DataDir:
    """A data directory that this process owns, and the names in it."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self.path = path
        self.lock = lock  # closing it gives the directory up
        self.log = path / "valkey.log"
        self.where = path / "valkey.where"  # the path of the socket
        self._kept = path / "valkey.kept"  # there is, or was, something in `FILES`

    @classmethod
    def open(cls, path: Path) -> Self:
        """Make the directory if there is none, own it, and close it to other users.

        Raises:
            StoreUnusable: it cannot be written, is somebody else's, or another server has it.
        """
        try:
            path.mkdir(mode=PRIVATE_DIR, parents=True, exist_ok=True)
            _check(path)
            # 0600 for one that is made here; the law for the rest follows once it is ours.
            lock = open_private(path / "lock", "w")
        except OSError as error:
            raise StoreUnusable(
                f"The data directory {path} cannot be written: {error.strerror}."
            ) from error
        try:
            _lock(lock, path)
            _close_to_others(path)
        except BaseException:
            lock.close()
            raise
        return cls(path, lock)

    def check_data(self) -> None:
        """Return if what was kept here is here, as far as its names tell.

        Raises:
            StoreUnusable: it is not.
        """
        files = self.path / FILES
        parts = sorted(files.glob(f"{PART}*"))
        if files / MANIFEST in parts:
            return  # what it lists, the server looks for itself
        if parts and not self._kept.exists() and all(map(_is_empty, parts)):
            # A first start that was killed before it had written the manifest.
            for part in parts:
                part.unlink()
        elif parts or self._kept.exists():
            missing = f"{FILES}/{MANIFEST}" if parts else FILES
            raise StoreUnusable(
                f"The rooms in {self.path} cannot be read, {missing} is missing; "
                f"{restore(self.path)}."
            )

    def mark(self) -> None:
        """Note that data are kept here from now on.

        Raises:
            StoreUnusable: the directory cannot be written.
        """
        if not self._kept.exists():
            self.write(self._kept, KEPT)

    def warnings(self) -> list[str]:
        """Return what the server wrote of its troubles, without advice to use what it lacks."""
        try:
            text = self.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return []
        words = [line.partition(" # ")[2].partition(ADVICE)[0] for line in text.splitlines()]
        return [each for each in words if each and not each.startswith("WARNING ")]

    def has_space(self) -> bool:
        """Return whether the disk takes a file of some size."""
        probe = self.path / "valkey.probe"
        try:
            with open_private(probe, "w") as file:
                file.write(" " * PROBE_BYTES)
                file.flush()
                os.fsync(file.fileno())
        except OSError:
            return False
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
        return True

    def write(self, path: Path, text: str) -> None:
        """Write a file that is only the owner's.

        Raises:
            StoreUnusable: the directory cannot be written.
        """
        try:
            with open_private(path, "w") as file:
                file.write(text)
        except OSError as error:
            raise StoreUnusable(
                f"The data directory {self.path} cannot be written: {error.strerror}."
            ) from error


def restore(path: Path) -> str:
    """Say what an operator can do whose files are damaged."""
    return f"put {FILES} back from a copy, or move {path} away to begin without rooms"


def open_private(path: Path, mode: str) -> IO[str]:
    """Open a file to write it; one that is made is only the owner's, whatever the umask."""
    return open(  # Path.open takes no opener; the caller closes it
        path, mode, encoding="utf-8", opener=lambda name, flags: os.open(name, flags, PRIVATE_FILE)
    )


def _lock(lock: IO[str], path: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise StoreUnusable(
            f"Another server uses the data directory {path}; give another --data-dir."
        ) from error


def _check(path: Path) -> None:
    """Refuse a directory that another user owns, or that is open to others for other things."""
    found = path.stat()
    if found.st_uid not in {os.geteuid(), 0}:
        raise StoreUnusable(
            f"The data directory {path} belongs to another user; give a --data-dir of your own."
        )
    if not found.st_mode & OTHERS:
        return
    names = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")}
    if found.st_mode & stat.S_ISVTX or ("lock" not in names and names - HARMLESS):
        raise StoreUnusable(
            f"The data directory {path} is open to other users and has more in it than rooms; "
            f"give a --data-dir of its own."
        )


def _close_to_others(path: Path) -> None:
    """Take all rights of others away, in the directory and in all of ours that is there."""
    found = path.stat()
    paths = [path / name for name in sorted(OURS)]
    with suppress(OSError):  # there are none yet, or it is none: the server says so
        paths += sorted((path / FILES).iterdir())
    if found.st_uid == os.geteuid():
        paths.append(path.resolve())
    elif found.st_mode & OTHERS:
        # Root's, as volumes are that a group may write: its files are ours alone all the same.
        log.warning("the data directory is open to other users", path=str(path))
    closed = [each.name for each in paths if _restrict(each)]
    if closed:
        log.info("the store was open to other users and is closed now", path=str(path), was=closed)


def _restrict(path: Path) -> bool:
    """Take all rights of others away; return whether they had any."""
    try:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode) or not found.st_mode & OTHERS:
            return False
        path.chmod(stat.S_IMODE(found.st_mode) & ~OTHERS)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreUnusable(
            f"The file {path} belongs to another user; give a --data-dir of your own."
        ) from error
    return True


def _is_empty(part: Path) -> bool:
    """Return whether a part of the append-only file is what a first start makes."""
    with part.open("rb") as file:
        text = file.read(EMPTY_BASE + 1)
    return not text or (text.startswith((b"REDIS", b"VALKEY")) and len(text) <= EMPTY_BASE)
