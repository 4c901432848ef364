import time
from collections import OrderedDict
from collections.abc import Callable

from server.rooms.book import Book
from server.rooms.hub import Hub
from server.sessions.boards import Boards

GUESSES = 20
GUESSES_PER_S = 0.2
ADDRESSES = 10_000


class Guesses:
    """How often an address has named a room that is not there.

    Only wrong codes count, so a classroom behind one address may join all at once. A bucket
    of `GUESSES` an address, refilled slowly; the longest idle address is forgotten first.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def may(self, address: str) -> bool:
        """Whether the address may try a code."""
        return self._now(address) >= 1

    def wrong(self, address: str) -> None:
        """The address has named a wrong code."""
        self._left[address] = (self._now(address) - 1, self._clock())
        self._left.move_to_end(address)
        while len(self._left) > ADDRESSES:
            self._left.popitem(last=False)

    def _now(self, address: str) -> float:
        left, at = self._left.get(address, (GUESSES, self._clock()))
        return min(GUESSES, left + (self._clock() - at) * GUESSES_PER_S)


class Services:
    """What all sessions of a process share."""

    def __init__(self, book: Book, hub: Hub) -> None:
        self.book = book
        self.store = book.store
        self.hub = hub
        self.clock = hub.clock
        self.guesses = Guesses()
        self.boards = Boards(book.store, hub)
