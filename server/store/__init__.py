"""The only place that touches Redis.

Law: commit, then tell. What a method has answered is in Redis; what it has not answered is
unknown until it is read again.
"""

from server.store.clock import Clock
from server.store.errors import (
    StoreAway,
    StoreError,
    StoreFull,
    StoreTooOld,
    StoreUnusable,
    Unreadable,
)
from server.store.openings import Quota
from server.store.pubsub import PubSub
from server.store.records import (
    Commit,
    CommitAnswer,
    CommitFailure,
    HintCount,
    LogRecord,
    NewSeat,
    Notification,
    RoomChange,
    SeatRecord,
    StoredRoom,
)
from server.store.store import Store

__all__ = [
    "Clock",
    "Commit",
    "CommitAnswer",
    "CommitFailure",
    "HintCount",
    "LogRecord",
    "NewSeat",
    "Notification",
    "PubSub",
    "Quota",
    "RoomChange",
    "SeatRecord",
    "Store",
    "StoreAway",
    "StoreError",
    "StoreFull",
    "StoreTooOld",
    "StoreUnusable",
    "StoredRoom",
    "Unreadable",
]
