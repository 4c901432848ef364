"""The times of a store and of its embedded server, which a caller may choose."""

from dataclasses import dataclass

REPLY_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class StoreTimings:
    """The intervals and the longest waits of one process's store, in seconds."""

    reply_s: float = REPLY_TIMEOUT_S  # time after which a Redis that is silent counts as away
    pubsub_reply_s: float = REPLY_TIMEOUT_S  # the same for subscriptions and their tests
    ping_after_s: float = 3.0  # pause between two tests of a subscription with a PING
    health_s: float = 1.0  # interval at which the memory and the disk of all masters are checked

    sync_s: float = 1.0  # interval at which the clock is compared with the store's
    confirmation_wait_s: float = 3.0  # time in which another process may confirm it at a start
    confirmation_poll_s: float = 0.1  # interval at which the start looks for such a confirmation

    start_s: float = 60.0  # time for a start of the embedded server, which may read a long file
    stop_s: float = 10.0  # time for its stop, which writes the rest of the append-only file
    watch_s: float = 0.1  # interval at which its owner checks whether it runs, and a full disk
    pauses_s: tuple[float, ...] = (0.0, 0.2, 0.5, 1.0)
    """Pauses before each new start: even after the last one it is back within two seconds."""
    forgiven_s: float = 60.0  # time after which an end of the server is not counted any more


STORE_TIMINGS = StoreTimings()
