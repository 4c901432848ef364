"""The listening sockets of the server."""

import socket
from typing import Any

from server.config import Config

BACKLOG = 4_096
"""Connections that may wait to be accepted: players of a killed server reconnect all at once.

A client that finds the backlog full retries for seconds.
"""

SYSTEM_BUFFER = 64 * 1024
"""Size of a socket's send buffer in bytes.

By default the system buffers megabytes, and a slow reader is noticed too late.
"""

LOOPBACK = "127.0.0.1"


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """Return the players' socket; without `listening` it only reserves the port for workers.

    The port is shared with this server's workers, but not with other servers.

    Raises:
        OSError: there is no such address, or the port is taken; `filename` names it.
    """
    return _bind(config.host, config.port, config, listening=listening)


def bind_operations(config: Config, port: int, *, listening: bool = True) -> socket.socket:
    """Return the operators' socket of a server whose players use `port`; raises as `bind`.

    By default it is the port after `port`, or any free one.
    """
    if config.operations is not None:
        host, _, chosen = config.operations.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        return _bind(host, int(chosen), config, listening=listening)
    try:
        return _bind(LOOPBACK, port + 1, config, listening=listening)
    except (OSError, OverflowError):
        return _bind(LOOPBACK, 0, config, listening=listening)


def _bind(host: str, port: int, config: Config, *, listening: bool) -> socket.socket:
    """Return a socket at the first address of `host`; raise as `bind`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not listening:
            # A shared bind succeeds beside a server with several workers; this one fails.
            _bound_socket(family, address, shared=False).close()
        bound = _bound_socket(family, address, shared=config.workers > 1)
        if listening:
            _listen(bound)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), f"{host} port {port}") from error
    return bound


def _bound_socket(family: int, address: Any, *, shared: bool) -> socket.socket:
    """Return a socket bound to an address that, if `shared`, other processes can bind too."""
    bound = socket.socket(family)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        bound.bind(address)
    except OSError:
        bound.close()
        raise
    return bound


def _listen(bound: socket.socket) -> None:
    """Listen on a socket; close it if that fails."""
    try:
        # Accepted sockets inherit the size of the send buffer.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER)
        bound.listen(BACKLOG)
    except OSError:
        bound.close()
        raise
