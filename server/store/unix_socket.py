"""The Unix socket of the embedded store: its path, and the process that listens on it.

Law: only what `socket_in` has made for a data directory is removed. A temporary directory has the
identity of its data directory in it, so that a later owner of the same directory can remove it,
and the owner of a copy cannot.
"""

import os
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

LONGEST_SOCKET_PATH = 103
"""Bytes of a path that fit into a Unix socket's address on all systems, without the final zero."""
SOCKET = "valkey.sock"
TEMPORARY = "spider-race-"  # the start of the names of temporary directories for sockets
OWNER = "owner"  # the file in a temporary directory that has the identity of its data directory
# Process, user and group.
PEER = struct.Struct("3i")


def identity(directory: Path) -> str | None:
    """Return the device and inode of a directory, which all its paths share; None without one."""
    try:
        status = directory.stat()
    except (OSError, ValueError):  # ValueError: no path can have such characters
        return None
    return f"{status.st_dev} {status.st_ino}"


def socket_in(data_dir: Path) -> Path:
    """Return a path for a socket: in this directory, or elsewhere if its path is too long."""
    path = data_dir / SOCKET
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    folder = Path(tempfile.mkdtemp(prefix=TEMPORARY))
    (folder / OWNER).write_text(str(identity(data_dir)), encoding="utf-8")
    return folder / SOCKET


def owner_of(folder: Path) -> str | None:
    """Return the identity of the data directory of a temporary one; None for all others."""
    try:
        return (folder / OWNER).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None


def remove_temporary(folder: Path, data_dir: str) -> None:
    """Remove a directory of `socket_in` for this data directory; leave all others."""
    if owner_of(folder) != data_dir:
        return
    with suppress(OSError):
        (folder / SOCKET).unlink(missing_ok=True)
        (folder / OWNER).unlink()
        folder.rmdir()


def listens(path: Path) -> bool:
    """Return whether a server accepts connections on this socket."""
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)
        try:
            client.connect(str(path))
        except BlockingIOError:
            return True  # the server's backlog is full
        except OSError:
            return False
        return True


def holder(path: Path | None) -> str:
    """Return the process that listens on this socket, in brackets, or "" if it is unknown."""
    credentials = getattr(socket, "SO_PEERCRED", None)
    if credentials is None or path is None:
        return ""
    with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
        client.setblocking(False)
        client.connect(str(path))
        pid, _, _ = PEER.unpack(client.getsockopt(socket.SOL_SOCKET, credentials, PEER.size))
        return f" (process {pid})"
    return ""
