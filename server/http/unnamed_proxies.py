"""Proxies whose clients are not told apart, detected by the headers that they add."""

from collections.abc import Sequence

import structlog
from websockets.datastructures import Headers

from server.networks import parsed_address
from server.websocket.origin import FORWARDED_FOR, IpNetwork, client_of, is_trusted

FORWARDING = ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip")
MOST = 32  # proxies that are logged, at most
MAX_HIDDEN_LENGTH = 40

log = structlog.get_logger()


class UnnamedProxies:
    """Proxies in front of the server whose players share limits, which the log says once of each.

    All players behind an untrusted proxy of the local network appear to come from one address. Of
    those behind a trusted proxy that forwards no addresses none is known.
    """

    def __init__(self, trusted: Sequence[IpNetwork]) -> None:
        self._trusted = trusted
        self._named: set[str] = set()

    def notice(self, peer: str, headers: Headers) -> None:
        """Log a proxy once: one to be trusted, or one that forwards no address of its client."""
        if len(self._named) >= MOST:
            return
        if is_trusted(peer, self._trusted):
            self._notice_hidden(peer, headers)
        elif peer not in self._named and is_near(peer) and _forwards(headers):
            self._named.add(peer)
            log.warning(
                "a proxy is in front that is not trusted; all its players share one address",
                proxy=peer,
                option=f"--trusted-proxies {peer}",
            )

    def _notice_hidden(self, peer: str, headers: Headers) -> None:
        """Log once that a trusted proxy hides the addresses of its clients."""
        proxy, hidden = client_of(peer, headers, self._trusted)
        # Without the header it may be the proxy itself, which looks whether the server is there.
        if hidden is None and FORWARDED_FOR not in headers and _is_of_client(headers):
            hidden = "nothing"
        if proxy in self._named:
            return
        if hidden is None and proxy != peer and is_trusted(proxy, self._trusted):
            # The gateway of a container network without IPv6 stands for all players with IPv6.
            self._named.add(proxy)
            log.warning(
                "a trusted proxy names another trusted address as its client; all players behind "
                "that share one address",
                proxy=peer,
                forwarded=proxy,
            )
        elif hidden is not None:
            self._named.add(proxy)
            log.warning(
                "a trusted proxy does not forward the addresses of its clients; they share limits",
                proxy=proxy,
                header=FORWARDED_FOR,
                forwarded=hidden[:MAX_HIDDEN_LENGTH],
            )


def _forwards(headers: Headers) -> bool:
    return any(name in headers for name in FORWARDING)


def _is_of_client(headers: Headers) -> bool:
    """Return whether a client has sent this, and not a proxy for itself."""
    return "Upgrade" in headers or _forwards(headers)


def is_near(peer: str) -> bool:
    """Return whether the peer is on this machine or network; other peers may forge headers."""
    address = parsed_address(peer)
    return address is not None and (address.is_loopback or address.is_private)
