"""The times of the rooms' updates, which a caller may choose."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiveTimings:
    """The intervals of updates, reads and retries in one process, in seconds."""

    room_interval_s: float = 0.2
    """Interval in which changed seats of a large room are collected for one message."""
    retry_s: float = 1.0
    """Interval between attempts to read a room, or to subscribe to it, while the store is away."""
    unseen_s: float = 20.0
    """Longest time between two reads of a room: a notification may have been lost."""
    believed_s: float = 1.0
    """Age of a read after which a new subscriber triggers another: a notification may be lost."""

    standings_interval_s: float = 0.1
    publish_interval_s: float = 0.025
    """Interval at which the progress of a seat is published to other processes, at least."""
    pass_slice_s: float = 0.0005
    """Time that a pass over rooms takes in one turn of the event loop, about."""
    progress_interval_s: float = 5.0
    """Time between two reads of progress that changes, in rooms that other processes serve too."""
    progress_retry_s: float = 0.2

    sweep_s: float = 1.0  # interval between two sweeps for rooms whose deadline has passed


LIVE_TIMINGS = LiveTimings()
