from typing import Protocol

from protocol.vocabulary import CloseCode


class Socket(Protocol):
    """A socket as a session sees it. Neither call waits, and neither fails on a dead socket."""

    def send(self, text: str) -> None:
        """Queues one message; a peer that does not read is closed by the wire itself."""

    def close(self, code: CloseCode | int, reason: str = "") -> None:
        """Closes the socket after what was queued; nothing is heard from it any more."""

    def behind(self) -> bool:
        """Whether the peer is slow to read, so that passing news is better skipped."""
