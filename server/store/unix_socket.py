"""The Unix socket of the embedded store: its path, and the process that listens on it."""

import os
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

LONGEST_SOCKET_PATH = 103
"""Bytes of a path that fit into a Unix socket's address on all systems, without the final zero."""
# Process, user and group.
PEER = struct.Struct("3i")


def socket_in(data_dir: Path) -> Path:
    """Return a path for a socket: in this directory, or elsewhere if its path is too long."""
    path = data_dir / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="spider-race-")) / path.name


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
