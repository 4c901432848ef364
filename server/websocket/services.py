from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

from server.websocket.limits import WEBSOCKET_LIMITS, WebsocketLimits
from server.websocket.unread_bytes import UnreadBytes


@dataclass(frozen=True, slots=True)
class WebsocketServices:
    """The objects that all websockets of a process share."""

    now: Callable[[], float]
    """Return the event loop's time, in seconds."""
    spawn: Callable[[Coroutine[Any, Any, None], str], None]
    """Run a coroutine in a task of the given name."""
    limits: WebsocketLimits = WEBSOCKET_LIMITS
    unread: UnreadBytes = field(default_factory=UnreadBytes)  # the unread bytes of all websockets
