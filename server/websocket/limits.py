"""The limits and times of websockets, which a caller may choose."""

from dataclasses import dataclass

from protocol.vocabulary import FIRST_FRAME_S, MESSAGES_AT_ONCE, MESSAGES_PER_S
from server.sessions.rate_limit import Rate


@dataclass(frozen=True, slots=True)
class WebsocketLimits:
    """The limits of one websocket, and the times after which it is tested or closed."""

    messages: Rate = Rate(MESSAGES_AT_ONCE, MESSAGES_PER_S)
    first_frame_s: float = FIRST_FRAME_S
    ping_s: float = 15.0  # silence after which the peer is sent a ping
    silence_s: float = 40.0
    closing_s: float = 3.0
    skip_from_bytes: int = 64 * 1024  # unread bytes from which passing updates are skipped
    close_from_bytes: int = 256 * 1024
    unread_of_address: int = 16 * 1024 * 1024
    """Unread bytes of all websockets of an address, from which those above `spare_bytes` are
    closed. Short frames take three times their bytes in memory. A hundred slow readers of one
    address have 6 MiB: past `skip_from_bytes` they get hardly more."""
    unread: int = 64 * 1024 * 1024  # the same for all addresses together, the loopback included
    spare_bytes: int = 16 * 1024
    """Unread bytes that no websocket is closed for, however much the others leave unread."""


WEBSOCKET_LIMITS = WebsocketLimits()
