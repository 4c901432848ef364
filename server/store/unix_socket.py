"""The Unix socket of the embedded store: where it is, and who listens there."""

import os
import socket
import struct
import tempfile
from contextlib import suppress
from pathlib import Path

# What fits into a Unix socket's address everywhere, with its closing zero.
LONGEST_SOCKET_PATH = 103
# Process, user and group.
PEER = struct.Struct("3i")


def socket_in(data_dir: Path) -> Path:
    """Return a path for a socket: in this directory, or elsewhere if that is too deep."""
    path = data_dir / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    return Path(tempfile.mkdtemp(prefix="spider-race-")) / path.name


def listens(path: Path) -> bool:
    """Return whether a server takes connections at this socket."""
    with socket.socket(socket.AF_UNIX) as client:
        client.setblocking(False)
        try:
            client.connect(str(path))
        except BlockingIOError:
            return True  # it has too much to do
        except OSError:
            return False
        return True


def holder(path: Path | None) -> str:
    """Say in brackets which process listens at this socket, where the system tells."""
    credentials = getattr(socket, "SO_PEERCRED", None)
    if credentials is None or path is None:
        return ""
    with socket.socket(socket.AF_UNIX) as client, suppress(OSError):
        client.setblocking(False)
        client.connect(str(path))
        pid, _, _ = PEER.unpack(client.getsockopt(socket.SOL_SOCKET, credentials, PEER.size))
        return f" (process {pid})"
    return ""
