"""The only package that talks to Redis.

Law: commit first, then publish. A write that a method has confirmed is in Redis. The outcome of a
write that it has not confirmed is unknown until the record is read again.
"""

from server.store.acts import (
    AnswerHandler,
    Commit,
    CommitAnswer,
    CommitFailure,
    HintCount,
    LogRecord,
    LogWriter,
)
from server.store.errors import (
    StoreAway,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreNotReady,
    StoreRefused,
    StoreTooOld,
    StoreUnusable,
    Unreadable,
)
from server.store.interfaces import (
    BotPlaces,
    Clock,
    Commits,
    DealLabels,
    Guards,
    Logs,
    OpenRooms,
    Processes,
    PubSub,
    Reviews,
    Rooms,
    Seats,
    SharedGuesses,
    StoreParts,
    UnreadableRooms,
)
from server.store.records import (
    NewSeat,
    Notification,
    ProgressNotification,
    Quota,
    RoomChange,
    SeatProgress,
    StoredReview,
    StoredRoom,
)
from server.store.seats import SeatRecord
from server.store.store import Store
from server.store.timings import STORE_TIMINGS, StoreTimings

__all__ = [
    "STORE_TIMINGS",
    "AnswerHandler",
    "BotPlaces",
    "Clock",
    "Commit",
    "CommitAnswer",
    "CommitFailure",
    "Commits",
    "DealLabels",
    "Guards",
    "HintCount",
    "LogRecord",
    "LogWriter",
    "Logs",
    "NewSeat",
    "Notification",
    "OpenRooms",
    "Processes",
    "ProgressNotification",
    "PubSub",
    "Quota",
    "Reviews",
    "RoomChange",
    "Rooms",
    "SeatProgress",
    "SeatRecord",
    "Seats",
    "SharedGuesses",
    "Store",
    "StoreAway",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreNotReady",
    "StoreParts",
    "StoreRefused",
    "StoreTimings",
    "StoreTooOld",
    "StoreUnusable",
    "StoredReview",
    "StoredRoom",
    "Unreadable",
    "UnreadableRooms",
]
