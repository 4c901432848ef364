"""How many are here from each address, so that one of them cannot take all the places.

A connection is a visitor's from its first moment, and a player's once it is a websocket; each
kind is counted by itself. Behind a trusted proxy the connections are the proxy's: there a visitor
is a request that is being answered. What counts as one address is for `origin.counted_as` to say.
"""

from collections import Counter

from server.networks import is_loopback, networks_of


class ConnectionLimit:
    """At most `limit` of one address; any number of loopback, where a proxy nobody named is.

    Of IPv6 the networks that the address is in have limits too: see `networks.py`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Counts one in; False, and not counted, if the address has its fill."""
        networks = networks_of(address)
        if not is_loopback(address) and any(
            self._here[name] >= self._limit * share for name, share in networks
        ):
            return False
        self._here.update(name for name, _ in networks)
        return True

    def leave(self, address: str) -> None:
        """Counts out one who was let in."""
        for name, _ in networks_of(address):
            self._here[name] -= 1
            if not self._here[name]:
                del self._here[name]

    def __len__(self) -> int:
        """The number of networks, those of one address counted in."""
        return len(self._here)
