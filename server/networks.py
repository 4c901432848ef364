"""What counts as one address for every limit, and the larger networks around it.

An IPv6 customer has at least a /64, often a /56, and a /48 costs nothing. So the limit of one
address applies to the /64, and larger limits to the /56 and the /48 around it: 256 IPv4 addresses
belong to about 256 people, but 256 IPv6 networks may belong to one.
"""

from functools import lru_cache
from hashlib import sha256
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

SHARES = {64: 1, 56: 4, 48: 16}
"""How many times the limit of one address an IPv6 network has, by the length of its prefix."""

UNKNOWN_CLIENTS = "unknown clients of "  # followed by the proxy that hides their addresses
UNKNOWN_SHARE = 16  # all clients whose addresses a proxy hides share this many times the limit
HASH_LENGTH = 16  # hexadecimal digits


class Network(NamedTuple):
    """Addresses with a common limit, which is `share` times the limit of a single address."""

    name: str
    share: int


@lru_cache(maxsize=4_096)
def is_loopback(address: str) -> bool:
    """Return whether this is a loopback address, which all clients of a local proxy may share."""
    parsed = parsed_address(address)
    return parsed is not None and parsed.is_loopback


def locates_client(address: str) -> bool:
    """Return whether this is an IP address that identifies a client; the loopback does not."""
    parsed = parsed_address(address)
    return parsed is not None and not parsed.is_loopback


@lru_cache(maxsize=4_096)
def networks_of(address: str) -> tuple[Network, ...]:
    """Return the networks around an address: first the smallest, which counts as one address.

    `address` may also be the name of such a smallest network. Any other text is a network of its
    own: the peer of a Unix socket, or the name of all clients that a proxy hides.
    """
    if address.startswith(UNKNOWN_CLIENTS):
        return (Network(address, UNKNOWN_SHARE),)
    parsed = parsed_address(address)
    if not isinstance(parsed, IPv6Address) or parsed.is_loopback:
        return (Network(address if parsed is None else str(parsed), 1),)
    around = [IPv6Network((int(parsed), length), strict=False) for length in SHARES]
    return tuple(map(Network, map(str, around), SHARES.values()))


def unknown_clients_of(proxy: str) -> str:
    """Return the name of the network of all clients whose addresses this proxy hides."""
    return f"{UNKNOWN_CLIENTS}{proxy}"


def named_network(name: str) -> tuple[Network, ...]:
    """Return a network with this name, for limits by seat and other limits without an address."""
    return (Network(name, 1),)


def hashed_networks(address: str) -> dict[str, int]:
    """Return the `share` of each network around an address, by the hash that rooms store.

    Empty for the loopback, which has no limits. The hash can be reversed by trying all addresses.
    """
    return {} if is_loopback(address) else hashed_names(address)


def hashed_names(address: str) -> dict[str, int]:
    """Return the `share` of each network around an address, by the hash of its name."""
    names = {name.encode(): share for name, share in networks_of(address)}
    return {sha256(name).hexdigest()[:HASH_LENGTH]: share for name, share in names.items()}


@lru_cache(maxsize=4_096)
def parsed_address(address: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address, or None for other text; IPv4 mapped to IPv6 becomes IPv4.

    An IPv6 network such as `2001:db8::/64` stands for its first address.
    """
    try:
        parsed = ip_address(address.removesuffix("/64"))
    except ValueError:
        return None
    mapped = None if isinstance(parsed, IPv4Address) else parsed.ipv4_mapped
    return parsed if mapped is None else mapped
