"""The origin of a request: the page that opens a websocket, and the address behind a proxy."""

import re
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

from websockets.datastructures import Headers

from server.networks import is_loopback, networks_of, parsed_address, unknown_clients_of

IpNetwork = IPv4Network | IPv6Network

FORWARDED_FOR = "X-Forwarded-For"
HOP = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?")
"""An address in an entry of `X-Forwarded-For`, with or without a port."""

BROWSER_HEADERS = ("Sec-Fetch-Mode", "Sec-Fetch-Site", "Cookie")
NODE = "node"
"""The user agent of the websockets of Node."""
SENT_BY_NODE = "Sec-Fetch-Mode"
"""The one of these headers that Node sends too."""


def origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Return whether the page named in these headers may open a websocket.

    Pages of the server's own host and of the allow-list may. Browsers always send the origin of
    a websocket; other programs need not, and have no cookies that a page could abuse.
    """
    origins = headers.get_all("Origin")
    if not origins:
        agent = "".join(headers.get_all("User-Agent"))
        names = [name for name in BROWSER_HEADERS if agent != NODE or name != SENT_BY_NODE]
        return "Mozilla/" not in agent and not any(name in headers for name in names)
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


class Sender(NamedTuple):
    """The sender of a request, as far as trusted proxies name it."""

    address: str  # its address, or that of the last proxy whose client is unknown
    hidden: str | None = None
    """What that proxy forwards instead of its client's address; None if that is known."""


def client_of(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> Sender:
    """Return the client: the peer, or the one that trusted proxies forward.

    `X-Forwarded-For` is read from its end, as long as the address that added an entry is trusted.
    What stands before an entry that is no address may be forged, so nothing there is read.
    """
    if not trusted or not is_trusted(peer, trusted):
        return Sender(peer)
    entries = headers.get_all(FORWARDED_FOR)
    chain = ",".join(entries).split(",") if entries else []
    address = peer
    while chain and is_trusted(address, trusted):
        hop = chain.pop()
        forwarded = address_of_hop(hop)
        if forwarded is None:
            return Sender(address, hop.strip())
        address = forwarded
    return Sender(address)


def address_of_hop(hop: str) -> str | None:
    """Return the address of an entry, which may have a port, brackets and quotes; else None."""
    text = hop.strip().removeprefix('"').removesuffix('"')
    if _is_address(text):
        return text
    parts = HOP.fullmatch(text)
    address = "" if parts is None else parts[1] or parts[2]
    return address if _is_address(address) else None


def network_of(address: str) -> str:
    """Return the network that limits count as one address: of IPv6 its /64."""
    return networks_of(address)[0].name


def counted_as(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> str | None:
    """Return the network that limits count a request or connection for; None is not limited.

    Loopback is not limited: it stands for all clients of an unnamed proxy. A trusted proxy is not
    limited either, when it forwards no client, or one whose address it hides.
    """
    client = client_of(peer, headers, trusted)
    network = network_of(client.address)
    itself = client.address == peer and is_trusted(peer, trusted)
    return None if client.hidden is not None or itself or is_loopback(network) else network


def limited_as(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> str:
    """Return the network for limits that hold for everybody, as those of guesses do.

    Clients whose address a trusted proxy hides have one together, whose limits are larger.
    """
    client = client_of(peer, headers, trusted)
    if client.hidden is not None:
        return unknown_clients_of(client.address)
    return network_of(client.address)


def is_trusted(address: str, trusted: Sequence[IpNetwork]) -> bool:
    """Return whether the forwarding headers of this address are trusted.

    A socket that listens on `::` shows an IPv4 peer as `::ffff:127.0.0.1`; networks may be written
    in either way.
    """
    if not trusted or not _is_address(address):
        return False
    written = (ip_address(address), parsed_address(address))
    return any(each in network for network in trusted for each in written if each is not None)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
