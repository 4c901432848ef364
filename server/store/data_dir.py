"""The directory of the embedded store: its owner, its permissions, and the check for lost data.

Law: the process that holds the lock owns the directory. The directory has mode 0700 and each file
in it 0600, whatever the umask: the files contain the seeds of running rounds. If a directory once
had data that are now missing, the server does not start: an empty store in their place would lose
all rooms without an error.
"""

import fcntl
import os
import re
import shutil
import stat
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

import structlog

from server.store.errors import StoreUnusable

PRIVATE_UMASK = OTHER_USERS = 0o077
SOCKET = "valkey.sock"
DATA_FOLDER = "appendonlydir"
MANIFEST = "appendonly.aof.manifest"
DATA_PREFIX = "appendonly.aof."  # all names of data files start with it, the manifest's too
FILE_IN_USE = re.compile(r"^file (\S+) .*\btype [bi]\b", re.MULTILINE)  # a line of a manifest
MARKER_FILE = "valkey.kept"  # exists once the directory has had data
OURS = {"lock", "valkey.log", "valkey.log.1", SOCKET, MARKER_FILE, DATA_FOLDER}
# At the first start, a directory that other users can open may contain only these names.
HARMLESS = {*OURS, "lost+found"}  # lost+found is in the root of a disk
MARKER_TEXT = f"Rooms are kept in {DATA_FOLDER}. Without it the server does not start.\n"
PROBLEM_SIGN = " # "  # in the server's log, the text of a problem follows it
SYSTEM_ADVICE = "WARNING "  # starts advice on the system's settings, which isn't a problem
REPAIR_ADVICE = ": make a backup of"  # starts advice about a tool that is not installed
DOCTOR_S = 0.1  # the command `doctor` can hold the lock for this long
LEAST_SPACE_BYTES = 1 << 20
EMPTY_BASE_BYTES = 512  # a file without rooms is smaller: a header, a few fields, a checksum

log = structlog.get_logger(__name__)


class DataDir:
    """A data directory that this process owns."""

    def __init__(self, path: Path, lock: IO[str]) -> None:
        self.path = path
        self.lock = lock  # closing it releases the directory
        self._identity = identity(path)  # differs once another directory is in its place
        self.log = path / "valkey.log"
        self.socket = path / SOCKET
        self._marker = path / MARKER_FILE

    @classmethod
    def open(cls, path: Path, user: int | None = None) -> Self:
        """Create the directory if needed, lock it, and close it to other users.

        Symbolic links in the path are resolved here, once. `user` is the uid of the server; by
        default, this process's. Raise StoreUnusable if the directory cannot be written, or
        belongs to another user or server.
        """
        user = os.geteuid() if user is None else user
        path = resolve(path)
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            _check_owner(path, user)
            # A new lock file gets mode 0600 here; existing files get it once we hold the lock.
            lock = open_private(path / "lock")
        except OSError as error:
            if not os.access(path, os.F_OK):
                check_directory(path)  # its error names the parent folder that cannot be written
            advice = f"; {_owner_advice(path, user)}" if isinstance(error, PermissionError) else ""
            raise _unusable(path, f"cannot be written: {error.strerror}{advice}") from error
        try:
            _lock(lock)
            _close_to_others(path, user)
        except OSError as error:
            lock.close()
            used = f"Another server uses the data directory {path}; give another --data-dir."
            raise StoreUnusable(used) from error
        except BaseException:
            lock.close()
            raise
        return cls(path, lock)

    def check_data(self) -> None:
        """Raise StoreUnusable if data files are missing or the directory was moved.

        Remove the empty files of a first start that was killed.
        """
        if identity(self.path) != self._identity:
            advice = "put it back before the next start"
            raise _unusable(self.path, f"was moved or removed while the server ran; {advice}")
        for leftover in _leftovers(self.path):  # raises an error if data files are missing
            leftover.unlink()

    def record_data(self) -> None:
        """Create the file that marks this directory as one with data, or raise StoreUnusable."""
        if not self._marker.exists():
            try:
                with open_private(self._marker) as file:
                    file.write(MARKER_TEXT)
            except OSError as error:
                raise _unusable(self.path, f"cannot be written: {error.strerror}") from error

    def logged_problems(self) -> list[str]:
        """Return the problems in the server's log, without its advice."""
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return []
        problems = (line.partition(PROBLEM_SIGN)[2].partition(REPAIR_ADVICE)[0] for line in lines)
        return [text for text in problems if text and not text.startswith(SYSTEM_ADVICE)]

    def has_space(self) -> bool:
        """Return whether the disk has at least `LEAST_SPACE_BYTES` free."""
        with suppress(OSError):
            return shutil.disk_usage(self.path).free >= LEAST_SPACE_BYTES
        return False


def identity(directory: Path) -> str | None:
    """Return a directory's device and inode, which survive a move; None if it is missing."""
    try:
        status = directory.stat()
    except (OSError, ValueError):  # ValueError: characters that no path can have
        return None
    return f"{status.st_dev} {status.st_ino}"


def resolve(path: Path) -> Path:
    """Return the path without symbolic links, or raise StoreUnusable if they loop."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise _unusable(path, "cannot be found; its links loop") from error


def check_directory(path: Path) -> os.stat_result | None:
    """Check whether a server could use a directory, without changing anything.

    Return its status, or None if the server would create it. For root, check what the directory's
    owner could do. Raise StoreUnusable where `DataDir.open` or `check_data` would.
    """
    path = resolve(path)
    try:
        status = path.stat()
    except FileNotFoundError:
        parent = next(parent for parent in path.parents if os.access(parent, os.F_OK))
        if os.access(parent, os.W_OK | os.X_OK):
            return None
        raise _unusable(path, f"cannot be made: {parent} cannot be written") from None
    except OSError as error:
        raise _unusable(path, f"cannot be written: {error.strerror}") from error
    user = os.geteuid() or status.st_uid
    if not stat.S_ISDIR(status.st_mode):
        raise _unusable(path, "cannot be written: it is not a directory")
    _check_owner(path, user)
    can_write, lock = os.access(path, os.W_OK | os.X_OK), path / "lock"
    if can_write and lock.exists():
        can_write = lock.is_file() and os.access(lock, os.W_OK)
    if not can_write:
        raise _unusable(path, f"cannot be written; {_owner_advice(path, user)}")
    for file in _files(path):
        with suppress(FileNotFoundError):
            if (found := file.lstat()).st_uid != user and _is_shared(found):
                raise _belongs_to_another(file)
    _leftovers(path)  # raises an error if data files are missing
    return status


def _lock(lock: IO[str]) -> None:
    """Lock a file, or raise BlockingIOError; try twice, as `doctor` may hold it for a moment."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        time.sleep(DOCTOR_S)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(path: Path) -> bool:
    """Return whether any process holds the lock of a data directory."""
    with suppress(OSError), (path / "lock").open(encoding="utf-8") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)  # released when the file is closed
        except BlockingIOError:
            return True
    return False


def _leftovers(path: Path) -> list[Path]:
    """Return the empty files of a first start that was killed before it wrote a manifest.

    Usually it is empty. Raise StoreUnusable if data files are missing.
    """
    folder, had_data = path / DATA_FOLDER, (path / MARKER_FILE).exists()
    files, missing = sorted(folder.glob(f"{DATA_PREFIX}*")), list[Path]()
    if folder / MANIFEST in files:  # the server itself checks the contents of its files
        try:
            used = FILE_IN_USE.findall((folder / MANIFEST).read_text(errors="replace"))
        except OSError as error:
            raise _belongs_to_another(folder / MANIFEST) from error
        missing = [folder / name for name in used if not (folder / name).exists()]
    elif files and not had_data and all(map(_is_empty, files)):
        return files  # there were never any data
    elif files or had_data:  # there were data, but the manifest or all their files are lost
        missing = [folder / MANIFEST if files else folder]
    if missing:
        why = f"cannot be read, {missing[0].relative_to(path)} is missing; {repair_steps(path)}"
        raise StoreUnusable(f"The rooms in {path} {why}.")
    return []


def has_had_data(path: Path) -> bool:
    """Return whether a directory has ever had data; raise StoreUnusable if it is unreadable."""
    for name in (DATA_FOLDER, MARKER_FILE):
        try:
            (path / name).lstat()
        except PermissionError as error:
            advice = "run the command as root, or as the user of the server"
            raise _unusable(path, f"cannot be read; {advice}") from error
        except OSError:
            continue
        return True
    return False


def repair_steps(path: Path) -> str:
    """Return how an operator can repair damaged files, as part of a sentence."""
    return f"put {DATA_FOLDER} back from a copy, or move {path} away to begin without rooms"


def open_private(path: Path) -> IO[str]:
    """Open a file for writing; a new file gets mode 0600 under any umask."""

    def open_at_once(name: str, flags: int) -> int:
        # Without O_NONBLOCK, a named pipe in the file's place would make this hang.
        return os.open(name, flags | os.O_NONBLOCK, 0o600)

    return open(path, "w", encoding="utf-8", opener=open_at_once)  # Path.open takes no opener


def _unusable(path: Path, why: str) -> StoreUnusable:
    return StoreUnusable(f"The data directory {path} {why}.")


def _owner_advice(path: Path, user: int) -> str:
    """Return the advice to make `user` the owner of a directory, as part of a sentence."""
    owner = f"let it belong to uid {user}, as which this server runs (chown {user} {path})"
    return f"{owner}, or give a --data-dir of your own"


def _check_owner(path: Path, user: int) -> None:
    """Raise StoreUnusable for another user's directory, or a shared one such as /tmp."""
    status = path.stat()
    if status.st_uid not in {user, 0}:
        other = f"belongs to another user (uid {status.st_uid})"
        raise _unusable(path, f"{other}; {_owner_advice(path, user)}")
    if not status.st_mode & OTHER_USERS:
        return
    names = {entry.name for entry in path.iterdir() if not entry.name.startswith(".")}
    # Directories such as /tmp are sticky. Without a lock file, no server has used this one yet.
    if status.st_mode & stat.S_ISVTX or ("lock" not in names and names - HARMLESS):
        shared = "is open to other users and has more in it than rooms"
        raise _unusable(path, f"{shared}; give a --data-dir of its own")


def _close_to_others(path: Path, user: int) -> None:
    """Close the store's files to other users, and the directory too if `user` owns it."""
    status = path.stat()
    paths = _files(path)
    if status.st_uid == user:
        paths.append(path.resolve())
    elif status.st_mode & OTHER_USERS:
        # Root owns it: perhaps it is a volume that a group may write to. Restrict only its files.
        log.warning("the data directory is open to other users", path=str(path))
    if closed := [file.name for file in paths if _restrict(file)]:
        log.info("the store was open to other users and is closed now", path=str(path), was=closed)


def _files(path: Path) -> list[Path]:
    """Return the paths of the store's files in a directory; some may not exist."""
    return [*(path / name for name in sorted(OURS)), *sorted((path / DATA_FOLDER).glob("*"))]


def _is_shared(status: os.stat_result) -> bool:
    """Return whether other users may read, write or execute a file."""
    return not stat.S_ISLNK(status.st_mode) and bool(status.st_mode & OTHER_USERS)


def _belongs_to_another(file: Path) -> StoreUnusable:
    advice = "give a --data-dir of your own"
    return StoreUnusable(f"The file {file} belongs to another user; {advice}.")


def _restrict(path: Path) -> bool:
    """Close a file or folder to other users; return whether it was open to them."""
    try:
        status = path.lstat()
        if not _is_shared(status):
            return False
        path.chmod(stat.S_IMODE(status.st_mode) & ~OTHER_USERS)
    except FileNotFoundError:  # before the first start, most files are missing
        return False
    except OSError as error:
        raise _belongs_to_another(path) from error
    return True


def _is_empty(path: Path) -> bool:
    """Return whether a file of the append-only log has no data yet."""
    with path.open("rb") as file:
        text = file.read(EMPTY_BASE_BYTES + 1)
    return not text or (text.startswith((b"REDIS", b"VALKEY")) and len(text) <= EMPTY_BASE_BYTES)
