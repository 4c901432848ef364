from typing import Protocol

from protocol.vocabulary import CloseCode
from server.live.room import SharedText


class Socket(Protocol):
    """A socket, as a session needs it.

    No call waits, none fails on a dead socket, and nothing is sent after `close`.
    """

    @property
    def is_open(self) -> bool:
        """Return whether the socket is neither closed nor lost."""

    def send(self, text: str) -> None:
        """Queue one message; the socket closes itself if the peer does not read."""

    def send_passing(self, message: SharedText) -> bool:
        """Queue an update that other sockets send as well, with the same frame.

        Return False, and queue nothing, if the peer is slow to read.
        """

    def close(self, code: CloseCode | int) -> None:
        """Close the socket after the queued messages; handle no message any more."""

    def is_behind(self) -> bool:
        """Return whether the peer is slow to read, so that passing updates should be skipped."""
