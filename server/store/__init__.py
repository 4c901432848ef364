"""The only package that talks to Redis.

Law: commit first, then publish. A write is in Redis once a method has confirmed it. Without a
confirmation its outcome is unknown until the record is read again.
"""

from server.store.acts import Commit, CommitFailure, CommitResult, HintCount, LogRecord, LogWriter
from server.store.address import STORE_TIMINGS, StoreTimings
from server.store.analysis import DealLabels, Guards, Reviews
from server.store.clock import Clock
from server.store.counts import CountedNames, OpenRooms, SharedGuesses
from server.store.days import BoardRow, ClaimStep, DayCounts, Days
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
from server.store.keys import TTL_SECONDS
from server.store.processes import Processes
from server.store.records import (
    NewSeat,
    Notification,
    ProgressNotification,
    RoomChange,
    SeatProgress,
    StoredReview,
    StoredRoom,
    TableChange,
)
from server.store.rooms import RoomLists
from server.store.seats import Logs, SeatRecord, Seats
from server.store.store import Store
