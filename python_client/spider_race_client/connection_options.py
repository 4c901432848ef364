"""The way in which the connections of a client are opened."""

import ssl
from collections.abc import Callable
from dataclasses import dataclass

from spider_race_client.addresses import ServerAddress
from spider_race_client.observer import Observer


@dataclass(frozen=True, slots=True)
class ConnectionOptions:
    """The options of `connect`, for all connections of a client."""

    locate: Callable[[], ServerAddress]
    """The address of the next connection; an OSError means that there is none at present."""
    observer: Observer
    """Receives all traffic."""
    tls: ssl.SSLContext | None
    """The context of addresses with TLS; None for that of the system."""
    longest_wait_s: float
    """The longest wait before a lost connection is opened again."""
    silence_s: float
    """The longest wait for a connection to open, and for an answer to a ping."""
