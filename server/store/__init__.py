"""The only package that talks to Redis.

Law: commit first, then publish. A write that a method has confirmed is in Redis. The outcome of a
write that it has not confirmed is unknown until the record is read again.
"""

from server.store.clock import Clock
from server.store.errors import (
    StoreAway,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreTooOld,
    StoreUnusable,
    Unreadable,
)
from server.store.held_seat import HeldSeat
from server.store.openings import Quota
from server.store.pubsub import PubSub
from server.store.records import (
    Commit,
    CommitAnswer,
    CommitFailure,
    FiguresText,
    HintCount,
    LogRecord,
    NewSeat,
    Notification,
    RoomChange,
    SeatFigures,
    SeatRecord,
    StoredRoom,
)
from server.store.room_copies import Parts, RoomCopy
from server.store.store import Store
from server.store.timings import STORE_TIMINGS, StoreTimings

__all__ = [
    "STORE_TIMINGS",
    "Clock",
    "Commit",
    "CommitAnswer",
    "CommitFailure",
    "FiguresText",
    "HeldSeat",
    "HintCount",
    "LogRecord",
    "NewSeat",
    "Notification",
    "Parts",
    "PubSub",
    "Quota",
    "RoomChange",
    "RoomCopy",
    "SeatFigures",
    "SeatRecord",
    "Store",
    "StoreAway",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreTimings",
    "StoreTooOld",
    "StoreUnusable",
    "StoredRoom",
    "Unreadable",
]
