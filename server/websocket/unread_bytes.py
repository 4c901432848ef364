"""Bounds of the bytes that peers have not read yet, by address and in all.

What one connection may leave unread is bounded by its own limits; addresses have many of them.
"""

import sys
from collections import Counter

from server.networks import networks_of


class UnreadBytes:
    """The unread bytes of a process's peers; of IPv6 the networks around an address count too.

    `None` stands for peers that count for no address, such as the loopback.
    """

    def __init__(self, of_address: int = sys.maxsize, in_all: int = sys.maxsize) -> None:
        """Bound the bytes of an address and of all peers."""
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


class UnreadShare:
    """The unread bytes of one peer, counted for its address and for the process."""

    __slots__ = ("_address", "_all_unread", "_spare_bytes", "size")

    def __init__(self, all_unread: UnreadBytes, address: str | None, spare_bytes: int) -> None:
        """Count for an address; a peer may always leave `spare_bytes` unread."""
        self._all_unread = all_unread
        self._address = address
        self._spare_bytes = spare_bytes
        self.size = 0  # bytes, as they were counted last

    def count(self, size: int) -> None:
        """Count the bytes that the peer has not read now."""
        self._all_unread.add(self._address, size - self.size)
        self.size = size

    @property
    def is_too_large(self) -> bool:
        """Whether the peer has unread bytes while too many are unread in all or of the address."""
        return self.size > self._spare_bytes and self._all_unread.is_full(self._address)
