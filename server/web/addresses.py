"""The addresses that the server listens on, and the one in links for other people."""

import contextlib
import errno
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from server.config import Config
from server.networks import is_loopback
from server.web.proxies import FORWARDED_FOR, FORWARDED_PROTO, is_trusted
from server.web.requests import HttpRequest

BACKLOG = 4_096
"""How many connections may wait to be accepted. Players of a killed server reconnect all at once,
and a client that finds the backlog full only tries again after seconds."""

SEND_BUFFER_BYTES = 64 * 1024
"""The size of the system's send buffer for each socket. With the default, which is megabytes, the
server would notice a slow reader too late."""

OPERATORS_HOST = "127.0.0.1"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}
EVERYWHERE = {"", "0.0.0.0", "::"}  # noqa: S104  # all stand for every address of the machine

ROOT = Path("/")
CONTAINER_MARKERS = (".dockerenv", "run/.containerenv", "var/run/secrets/kubernetes.io")
"""Files that Docker, Podman and Kubernetes put into a container."""

HOST = re.compile(r"[\w.-]{1,253}(:[0-9]{1,5})?|\[[0-9a-fA-F:.]{2,45}\](:[0-9]{1,5})?", re.ASCII)


def bind(config: Config, *, listening: bool = True) -> socket.socket:
    """Return the players' socket; without `listening` it only reserves the port for the workers.

    The workers of one server share its port, but two servers cannot. If the address does not
    exist or the port is taken, raise OSError; its `filename` has the host and the port.
    """
    return _bind(config.host, config.port, config, listening=listening)


def bind_operations(config: Config, port: int, *, listening: bool = True) -> socket.socket:
    """Return the operators' socket of a server whose players use `port`, or raise OSError.

    Unless the configuration names its port, it uses the one after `port` or, if that is taken, any
    free one.
    """
    if config.operations is not None:
        host, _, chosen = config.operations.rpartition(":")
        host = host.removeprefix("[").removesuffix("]")
        overlaps = host == config.host or bool({host, config.host} & EVERYWHERE)
        # Workers may share a port, so this would succeed, and players would reach /metrics.
        if overlaps and int(chosen) == port != 0:
            why = "players and operators cannot share a port"
            raise OSError(errno.EADDRINUSE, why, f"{host} port {port}")
        return _bind(host, int(chosen), config, listening=listening)
    try:
        return _bind(OPERATORS_HOST, port + 1, config, listening=listening)
    except (OSError, OverflowError):
        return _bind(OPERATORS_HOST, 0, config, listening=listening)


def _bind(host: str, port: int, config: Config, *, listening: bool) -> socket.socket:
    """Bind a socket to the first address of `host`; unless `listening`, just reserve the port."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        if not listening:
            # If another server's workers share the port, this fails, but the bind below would not.
            _bound_socket(family, address, shared=False).close()
        bound = _bound_socket(family, address, shared=config.workers > 1)
        if listening:
            # The sockets of accepted connections inherit this size.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            bound.listen(BACKLOG)
    except (OSError, UnicodeError) as error:  # UnicodeError: no host can have such a name
        number = getattr(error, "errno", None) or errno.EADDRNOTAVAIL
        why = getattr(error, "strerror", None) or "there is no such host"
        raise OSError(number, why, f"{host} port {port}") from error
    return bound


def _bound_socket(family: int, address: Any, *, shared: bool) -> socket.socket:
    """Return a socket bound to an address; if `shared`, other processes can bind to it too."""
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


def container_hides_network(root: Path = ROOT) -> bool:
    """Return whether this process runs in a container with its own network.

    Such a network has no real device, and other machines cannot reach its addresses.
    """
    is_in_container = any((root / marker).exists() for marker in CONTAINER_MARKERS)
    return is_in_container and not any((root / "sys/class/net").glob("*/device"))


def lan_address(root: Path = ROOT) -> str | None:
    """Return this machine's address on the local network, if it has one."""
    if container_hides_network(root):
        return None
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: connecting a datagram socket only selects the source address.
        probe.connect(("192.0.2.1", 9))
        address = str(probe.getsockname()[0])
        return None if is_loopback(address) else address
    return None


class ServerAddress:
    """The base URLs of links to this server."""

    def __init__(
        self, config: Config, port: Callable[[], int], lan: Callable[[], str | None] = lan_address
    ) -> None:
        """`port` returns the players' port, `lan` this machine's address on the local network."""
        self._config, self._port, self._lan_address = config, port, lan

    def base(self, request: HttpRequest) -> str | None:
        """Return the base URL of links for other people, or None if no valid host is known."""
        host = _host(request)
        if host is None:
            return self._config.public_url
        scheme = "https" if self.is_secure(request.peer, request.headers) else "http"
        return self.better_base(request) or f"{scheme}://{host}"

    def better_base(self, request: HttpRequest) -> str | None:
        """Return the base URL of links if it differs from the request's own, or None.

        It is the public URL, if there is one. A loopback address, which only works on this
        machine, is replaced by the address on the local network, unless a proxy is in between.
        """
        if self._config.public_url is not None:
            return self._config.public_url
        host, trusted = _host(request), self._config.trusted_proxies
        is_proxied = FORWARDED_FOR in request.headers or is_trusted(request.peer, trusted)
        if host is None or not is_local(host) or is_proxied:
            return None
        if not is_loopback(request.peer) or self._config.host not in EVERYWHERE:
            return None  # asked from elsewhere, or only this machine can connect
        address = self._lan_address()
        return None if address is None else f"http://{address}:{self._port()}"

    def is_secure(self, peer: str, headers: Headers) -> bool:
        """Return whether a request came over TLS, as the public URL or a trusted proxy says."""
        if self._config.public_url is not None:
            return self._config.public_url.partition(":")[0] == "https"
        if not is_trusted(peer, self._config.trusted_proxies):
            return False
        # The trusted proxy has written only the last entry.
        return ",".join(headers.get_all(FORWARDED_PROTO)).split(",")[-1].strip() == "https"


def _host(request: HttpRequest) -> str | None:
    """Return the `Host` header of a request, or None if it is missing or invalid."""
    hosts = request.headers.get_all("Host")
    return hosts[0] if len(hosts) == 1 and HOST.fullmatch(hosts[0]) else None


def is_local(host: str) -> bool:
    """Return whether a `Host` header names an address that only works on this machine."""
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    return name in {"localhost", *EVERYWHERE} or name.endswith(".localhost") or is_loopback(name)
