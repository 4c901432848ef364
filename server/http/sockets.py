"""The sockets that the server listens on."""

import socket
from typing import Any

from server.config import Config

BACKLOG = 4_096
"""Connections that may wait to be accepted: players of a killed server come back all at once.

A client that finds no place tries for seconds.
"""

SYSTEM_BUFFER = 64 * 1024
"""The system by itself queues megabytes for a peer that does not read, and shows us none of it."""

LOOPBACK = "127.0.0.1"


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """The socket to listen on; one that does not listen only holds the port for workers.

    It shares the port with them, but not with those of somebody else.

    Raises:
        OSError: there is no such address, or the port is taken; `filename` says which it is.
    """
    return _bind(config.host, config.port, config, listening=listening)


def bind_operations(config: Config, port: int, *, listening: bool = True) -> socket.socket:
    """The socket for operators, of a server whose players come to `port`; as `bind`.

    Where no address was chosen it is the port after that one, or any that is free.
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
            _bound(family, address, shared=False).close()  # while others listen, this fails
        listening_socket = _bound(family, address, shared=config.workers > 1)
        if listening:
            try:
                # Whoever is taken here inherits it.
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
