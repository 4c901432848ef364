"""Limits of connections by address, so that no address takes all of them.

Plain connections and websockets are counted by separate limits. Behind a trusted proxy the
connections are the proxy's: there a visitor is a request that is being answered. `counted_as` in
`origin.py` defines one address.
"""

from collections import Counter

from server.networks import is_loopback, networks_of


class ConnectionLimit:
    """At most `limit` connections of one address; any number of loopback.

    Loopback may be an unnamed proxy. Of IPv6 the networks around the address have limits too:
    see `networks.py`.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a connection; return False, and count nothing, if the address is at its limit."""
        networks = networks_of(address)
        if not is_loopback(address) and any(
            self._here[name] >= self._limit * share for name, share in networks
        ):
            return False
        self._here.update(name for name, _ in networks)
        return True

    def leave(self, address: str) -> None:
        """Remove one counted connection."""
        for name, _ in networks_of(address):
            self._here[name] -= 1
            if not self._here[name]:
                del self._here[name]

    def __len__(self) -> int:
        """Return the number of networks with connections."""
        return len(self._here)
