"""The one place that says what counts as one address, and what it is a part of.

A customer of IPv6 has a /64 at least, often a /56, and a /48 costs nothing. So each limit of an
address holds for the /64, and larger ones for the /56 and the /48 around it: two hundred and
fifty-six addresses of version 4 are as many people, but of version 6 they may be one.
"""

import hashlib
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

SHARES = {64: 1, 56: 4, 48: 16}
"""How many times the limit of one address all of an IPv6 network of this length may have."""

HASH_LENGTH = 16
_BITS = 128


class Network(NamedTuple):
    """Addresses with a limit in common, which is `share` times that of a single address."""

    name: str
    share: int


def is_loopback(address: str) -> bool:
    """Whether the address is this machine's own: everybody's, behind a proxy nobody named."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_loopback


def is_limited(address: str) -> bool:
    """Whether the address says where somebody is; loopback does not, nor does what is none."""
    parsed = _parsed(address)
    return parsed is not None and not parsed.is_loopback


@lru_cache(maxsize=4_096)
def networks_of(address: str) -> tuple[Network, ...]:
    """The networks that an address is in, the smallest first, which stands for the address itself.

    `address` may be the name of such a smallest network as well. What is no address at all, as
    the peer of a Unix socket, counts as one.
    """
    parsed = _parsed(address)
    if not isinstance(parsed, IPv6Address) or parsed.is_loopback:
        return (Network(address if parsed is None else str(parsed), 1),)
    bits = int(parsed)
    return tuple(
        Network(str(IPv6Network((bits >> (_BITS - length) << (_BITS - length), length))), share)
        for length, share in SHARES.items()
    )


def hashed_networks(address: str) -> dict[str, int]:
    """The shares of an address's networks by their hashes, which is what rooms keep of them.

    None of loopback: it has no limits. A hash hides nothing from those who try all addresses.
    """
    if is_loopback(address):
        return {}
    return {
        hashlib.sha256(name.encode()).hexdigest()[:HASH_LENGTH]: share
        for name, share in networks_of(address)
    }


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        parsed = ip_address(address.removesuffix("/64"))
    except ValueError:
        return None
    mapped = None if isinstance(parsed, IPv4Address) else parsed.ipv4_mapped
    return parsed if mapped is None else mapped
