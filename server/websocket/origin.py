"""Who is asking: the page that a websocket comes from, and the address behind a proxy."""

from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from server.networks import is_loopback, networks_of

Network = IPv4Network | IPv6Network

BROWSER_HEADERS = ("Sec-Fetch-Mode", "Sec-Fetch-Site", "Cookie")


def origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Whether a websocket may be opened by the page that these headers speak of.

    Pages of the server's own host may, and those of an allow-list. A browser always says
    where a websocket comes from; a program need not, and has no cookies to be tricked out of.
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
    """The client's address: the peer's, or what trusted proxies say is behind them.

    `X-Forwarded-For` is read from its end for as long as the speaker is trusted.
    """
    chain = ",".join(headers.get_all("X-Forwarded-For")).split(",")
    address = peer
    while is_trusted(address, trusted) and chain:
        hop = chain.pop().strip()
        if not _is_address(hop):
            break
        address = hop
    return address


def network_of(address: str) -> str:
    """What limits count as one address: of IPv6 the /64 that it is in."""
    return networks_of(address)[0].name


def counted_as(peer: str, headers: Headers, trusted: Sequence[Network]) -> str | None:
    """What limits count a request or a connection as: the client's network; None is not limited.

    Loopback has no limits: it is everybody, behind a proxy that nobody named. Nor has a trusted
    proxy, where it speaks for itself and not for a client.
    """
    address = client_address(peer, headers, trusted)
    network = network_of(address)
    if is_loopback(network) or (address == peer and is_trusted(peer, trusted)):
        return None
    return network


def is_trusted(address: str, trusted: Sequence[Network]) -> bool:
    """Whether what this address says of its clients is believed."""
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
