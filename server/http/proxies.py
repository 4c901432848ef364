"""Proxies that the operator has not named, detected by the headers that they add."""

from collections.abc import Sequence
from ipaddress import ip_address

import structlog
from websockets.datastructures import Headers

from server.websocket.origin import Network, is_trusted

FORWARDING = ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip")
MOST = 32
"""Proxies that are logged, at most."""

log = structlog.get_logger()


class UnnamedProxies:
    """Untrusted proxies of the local network in front of the server.

    All players behind such a proxy appear to come from one address, and share its limits.
    """

    def __init__(self, trusted: Sequence[Network]) -> None:
        self._trusted = trusted
        self._named: set[str] = set()

    def notice(self, peer: str, headers: Headers) -> None:
        """Log a proxy once, with the option that makes the server trust it."""
        if peer in self._named or len(self._named) >= MOST:
            return
        if not any(name in headers for name in FORWARDING) or not is_near(peer):
            return
        if not is_trusted(peer, self._trusted):
            self._named.add(peer)
            log.warning(
                "a proxy is in front that is not trusted; all its players share one address",
                proxy=peer,
                option=f"--trusted-proxies {peer}",
            )


def is_near(peer: str) -> bool:
    """Return whether the peer is on this machine or network; other peers may forge headers."""
    try:
        address = ip_address(peer)
    except ValueError:
        return False
    return address.is_loopback or address.is_private
