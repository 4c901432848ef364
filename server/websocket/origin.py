"""The origin of a request: the page that opens a websocket, and the address behind a proxy."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from server.networks import is_loopback, networks_of

Network = IPv4Network | IPv6Network

BROWSER_HEADERS = ("Sec-Fetch-Mode", "Sec-Fetch-Site", "Cookie")


def origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Return whether the page named in these headers may open a websocket.

    Pages of the server's own host and of the allow-list may. Browsers always send the origin of
    a websocket; other programs need not, and have no cookies that a page could abuse.
    """
    origins = headers.get_all("Origin")
    if not origins:
        agent = "".join(headers.get_all("User-Agent"))
        return "Mozilla/" not in agent and not any(name in headers for name in BROWSER_HEADERS)
    if len(origins) > 1:
        return False
    origin = origins[0].lower()
    if origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    hosts = headers.get_all("Host")
    return (
        parts.scheme in {"http", "https"}
        and len(hosts) == 1
        and bool(parts.netloc)
        and parts.netloc == hosts[0].lower()
    )


def client_address(peer: str, headers: Headers, trusted: Sequence[Network]) -> str:
    """Return the client's address: the peer's, or the one that trusted proxies forward.

    `X-Forwarded-For` is read from its end, as long as the address that added an entry is trusted.
    """
    if not trusted:
        return peer
    chain = ",".join(headers.get_all("X-Forwarded-For")).split(",")
    address = peer
    while is_trusted(address, trusted) and chain:
        hop = chain.pop().strip()
        if not _is_address(hop):
            break
        address = hop
    return address


def network_of(address: str) -> str:
    """Return the network that limits count as one address: of IPv6 its /64."""
    return networks_of(address)[0].name


def counted_as(peer: str, headers: Headers, trusted: Sequence[Network]) -> str | None:
    """Return the network that limits count a request or connection for; None is not limited.

    Loopback is not limited: it stands for all clients of an unnamed proxy. A trusted proxy is not
    limited either, when it forwards no client.
    """
    address = client_address(peer, headers, trusted)
    network = network_of(address)
    if is_loopback(network) or (address == peer and is_trusted(peer, trusted)):
        return None
    return network


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    """Return whether the forwarding headers of this address are trusted."""
    if not trusted or not _is_address(address):
        return False
    parsed = ip_address(address)
    return any(parsed in network for network in trusted)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
