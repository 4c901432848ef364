"""Bounds of the bytes that peers have not read yet, by address and in all.

What one connection may leave unread is bounded by its own limits; addresses have many of them.
"""

from collections import Counter

from server.networks import networks_of


class Unread:
    """The unread bytes of a process's peers; of IPv6 the networks around an address count too.

    `None` stands for peers that count for no address, such as the loopback.
    """

    def __init__(self, of_address: int, in_all: int) -> None:
        self._limit_of_address, self._limit = of_address, in_all
        self._of: Counter[str] = Counter()
        self.total = 0

    def add(self, address: str | None, size: int, in_all: int | None = None) -> None:
        """Count bytes, or remove counted ones; `in_all` is given if it differs from `size`."""
        self.total += size if in_all is None else in_all
        if address is None:
            return
        for name, _ in networks_of(address):
            self._of[name] += size
            if not self._of[name]:
                del self._of[name]

    def is_address_full(self, address: str | None) -> bool:
        """Return whether the address, or a network around it, has reached its limit."""
        return address is not None and any(
            self._of[name] >= self._limit_of_address * share
            for name, share in networks_of(address)
        )

    def is_full(self, address: str | None) -> bool:
        """Return whether the address or the process has reached its limit."""
        return self.total >= self._limit or self.is_address_full(address)
