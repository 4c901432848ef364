"""How long a store and its embedded server wait; tests choose times of their own."""

from dataclasses import dataclass

REPLY_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class StoreTimings:
    """Intervals and timeouts, in seconds."""

    reply_s: float = REPLY_TIMEOUT_S  # a Redis that is silent for longer is away
    pubsub_reply_s: float = REPLY_TIMEOUT_S  # the same for subscriptions and their tests
    ping_after_s: float = 3.0  # pause between two PINGs on a subscription
    health_s: float = 1.0  # check the memory and disk of all masters this often

    sync_s: float = 1.0  # compare the clock with the store's this often
    confirmation_wait_s: float = 3.0  # at the start, wait for another process to confirm the time
    confirmation_poll_s: float = 0.1  # ask for that confirmation this often

    start_s: float = 60.0  # the embedded server may have a long file to read
    stop_s: float = 10.0  # when it stops, it writes the rest of the append-only file
    watch_s: float = 0.1  # its owner checks this often whether it runs, and a full disk for space
    pauses_s: tuple[float, ...] = (0.0, 0.2, 0.5, 1.0)
    """Pauses before each restart. Even after the last one it is back within two seconds."""
    forgiven_s: float = 60.0  # an older crash of the server no longer counts


STORE_TIMINGS = StoreTimings()
