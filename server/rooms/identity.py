"""Hashes that tell seats of one person from those of another: of the network and of the browser.

They are salted for each room, stored with its seats, compared, and never sent to any client.
"""

import hashlib
from typing import NamedTuple

from server.networks import is_limited, networks_of

HASH_DIGITS = 16


class Origin(NamedTuple):
    """Where a connection comes from: its address, or network, and the id of its browser."""

    address: str
    browser: str = ""


class Identity(NamedTuple):
    """The origin of a seat as hashes; `networks` are nested, the smallest first.

    `networks` is empty where it says nothing: on the loopback, where everybody is behind a
    proxy that was not named, and for seats that were stored before there were identities.
    """

    networks: tuple[str, ...] = ()
    browser: str = ""

    def same_person(self, other: "Identity") -> bool:
        """Return whether both may be one person: the same browser or the same network."""
        browser = self.browser != "" and self.browser == other.browser
        return browser or (self.networks != () and self.networks[:1] == other.networks[:1])


def identify(salt: str, origin: Origin) -> Identity:
    """Return the identity of an origin in the room of this salt.

    Clients without an id of their browser count as one browser for each address.
    """
    browser = f"browser {origin.browser}" if origin.browser else f"address {origin.address}"
    own = networks_of(origin.address) if is_limited(origin.address) else ()
    networks = tuple(_hash(salt, network.name) for network in own)
    return Identity(networks, _hash(salt, browser))


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt} {text}".encode()).hexdigest()[:HASH_DIGITS]
