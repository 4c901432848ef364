"""Identities of people: hashes of their networks and of their browsers.

They are salted for each room, stored with its seats, compared, and never sent to any client.
"""

import hashlib
from typing import NamedTuple

from server.networks import locates_client, networks_of

HASH_DIGITS = 16


class ClientOrigin(NamedTuple):
    """The origin of a connection: its address or network, and the id of its browser."""

    address: str
    browser: str = ""


class Identity(NamedTuple):
    """The origin of a seat as hashes; `networks` are nested, the smallest first.

    `networks` is empty where it cannot distinguish people: on the loopback, and where all clients
    are behind a proxy that is not configured.
    """

    networks: tuple[str, ...] = ()
    browser: str = ""

    def same_person(self, other: "Identity") -> bool:
        """Return whether both may be one person: the same browser or the same network."""
        browser = self.browser != "" and self.browser == other.browser
        return browser or (self.networks != () and self.networks[:1] == other.networks[:1])


def identify(salt: str, origin: ClientOrigin) -> Identity:
    """Return the identity of an origin in the room of this salt.

    Clients without an id of their browser count as one browser for each address. An address that
    locates no client gives no networks: all clients behind an unnamed proxy would share them.
    """
    browser = f"browser {origin.browser}" if origin.browser else f"address {origin.address}"
    networks = networks_of(origin.address) if locates_client(origin.address) else ()
    hashes = tuple(_hash(salt, network.name) for network in networks)
    return Identity(hashes, _hash(salt, browser))


def _hash(salt: str, text: str) -> str:
    return hashlib.sha256(f"{salt} {text}".encode()).hexdigest()[:HASH_DIGITS]
