"""The listening sockets of the server."""

import socket
from typing import Any

from server.config import Config

BACKLOG = 4_096
"""Connections that may wait to be accepted: players of a killed server reconnect all at once.

A client that finds the backlog full retries for seconds.
"""

SYSTEM_BUFFER = 64 * 1024
"""Size of a socket's send buffer in bytes; by default the system hides megabytes in it."""

LOOPBACK = "127.0.0.1"


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """Return the players' socket; one that does not listen reserves the port for workers.

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
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not listening:
            _bound(family, address, shared=False).close()  # fails while another server listens
        listening_socket = _bound(family, address, shared=config.workers > 1)
        if listening:
            try:
                # Accepted sockets inherit the option.
                listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_BUFFER)
                listening_socket.listen(BACKLOG)
            except OSError:
                listening_socket.close()
                raise
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), f"{host} port {port}") from error
    return listening_socket


def _bound(family: int, address: Any, *, shared: bool) -> socket.socket:
    listening_socket = socket.socket(family)
    try:
        listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listening_socket.bind(address)
    except OSError:
        listening_socket.close()
        raise
    return listening_socket
