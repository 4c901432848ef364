from collections import Counter

from websockets.http11 import Response

from server.http.limits import HTTP_LIMITS, HttpLimits
from server.http.responses import too_much_unread
from server.websocket.unread_bytes import UnreadBytes

PIECE_BYTES = 64 * 1024  # bytes of a body that one connection has in its buffer, at most
SMALL_BYTES = 4 * 1024  # bytes of a body up to which it is sent however much is unread


class UnreadBodies:
    """The bodies that peers are reading; one that several read is in memory once."""

    def __init__(self, limits: HttpLimits = HTTP_LIMITS) -> None:
        self.unread = UnreadBytes(limits.unread_of_address, limits.unread)
        self._readers: Counter[tuple[str | None, int]] = Counter()
        self._readers_in_all: Counter[int] = Counter()

    def hold(self, address: str | None, body: bytes) -> None:
        """Count a body that a peer of this address has not read."""
        reader = (address, id(body))
        self._count(address, body, 1)
        self._readers[reader] += 1
        self._readers_in_all[id(body)] += 1

    def release(self, address: str | None, body: bytes) -> None:
        """Stop counting the body of a peer that has read it, or is gone."""
        reader = (address, id(body))
        self._readers[reader] -= 1
        self._readers_in_all[id(body)] -= 1
        self._count(address, body, -1)
        if not self._readers[reader]:
            del self._readers[reader]
        if not self._readers_in_all[id(body)]:
            del self._readers_in_all[id(body)]

    def refusal(self, address: str | None, size: int) -> Response | None:
        """Return the refusal of a body of this size while too much is unread, else None."""
        if size <= SMALL_BYTES or not self.unread.is_full(address):
            return None
        return too_much_unread(of_address=self.unread.is_address_full(address))

    def _count(self, address: str | None, body: bytes, sign: int) -> None:
        """Count the connection's own piece, and the whole body for its first or last reader."""
        own = min(len(body), PIECE_BYTES)
        first = not self._readers[address, id(body)]
        first_in_all = not self._readers_in_all[id(body)]
        self.unread.add(
            address, sign * (own + len(body) * first), sign * (own + len(body) * first_in_all)
        )
