"""The names of all keys and channels.

The keys of a room share the hash tag `{code}`, so they are in one slot of a cluster, and a script
can use them together. Those of a day share its date. All other keys belong to no single room.
Every name starts with the prefix of its installation, so that several installations can share one
Redis.
"""

import time
from collections.abc import Mapping
from typing import Final

import structlog

from server.store.connection import OnReply, Reply
from server.store.errors import StoreAway, StoreDamaged, StoreError, StoreRefused, Unreadable

TTL_SECONDS: Final = 15 * 24 * 3600
"""A key expires this long after its last write.

A log that is closed on the first day of a week-long race is read until a week after the race.
"""
FORM: Final = 1
"""The only form of rooms that this release writes and reads. See `rooms.py`."""

TYPES: Final = {
    **dict.fromkeys(("attempt", "guard", "label"), "string"),
    **dict.fromkeys(
        ("bans", "bots", "deadlines", "kept", "opened", "processes", "public", "unreadable"),
        "zset",
    ),
    **dict.fromkeys(("clock", "guesses"), "hash"),
    "process": "set",
}  # the types of the keys that belong to no room, by the first part of their names
DISPENSABLE: Final = {"attempt", "bans", "bots", "guard", "guesses", "kept", "label"}
"""The first parts of keys that only count, label or guard something: no room needs them."""
REFUSED_FOR_S = 10.0  # a key that Redis has not refused for this long counts as usable again
NOTHING = "none"  # the type of a key that does not exist
ROOMS = "of rooms"  # logged instead of a key if the error affects all rooms
NO_RIGHT = "permission"  # Redis's errors contain this word if its user lacks a right

log = structlog.get_logger(__name__)


class Keys:
    """The names with one prefix. All scores in the sorted sets below are times in ms."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.bans = f"{prefix}bans"  # networks by the end of their bans: a sorted set
        self.clock = f"{prefix}clock"  # the shift and the latest comparison: a hash
        self.deadlines = f"{prefix}deadlines"  # codes by deadline: a sorted set
        self.probe = f"{prefix}spider-race:probe"  # written to test whether Redis takes writes
        self.processes = f"{prefix}processes"  # processes by their latest heartbeat: a sorted set
        self.public = f"{prefix}public"  # codes by the time of their last change: a sorted set
        self.unreadable = f"{prefix}unreadable"  # codes by the first failure: a sorted set

    def opened(self, network: str = "") -> str:
        """Return the key of a network's open rooms, or of all open rooms: a sorted set of codes.

        The score of a code, and of a name in `kept` and `bots`, is when it stops counting.
        """
        return f"{self.prefix}opened:{network}" if network else f"{self.prefix}opened"

    def kept(self, network: str = "") -> str:
        """Return the key of a network's kept tables, or of all of them: a sorted set of codes."""
        return f"{self.prefix}kept:{network}" if network else f"{self.prefix}kept"

    def bots(self, name: str = "") -> str:
        """Return the key of a sorted set: the computer players of one list, or of all lists."""
        return f"{self.prefix}bots:{name}" if name else f"{self.prefix}bots"

    def guesses(self, network: str) -> str:
        """Return the key of a network's guesses: a hash; see count_guess.lua."""
        return f"{self.prefix}guesses:{network}"

    def attempt(self, attempt_hash: str) -> str:
        """Return the key of the code drawn for an attempt to open a room: a string."""
        return f"{self.prefix}attempt:{attempt_hash}"

    def label(self, deal: str) -> str:
        """Return the key of a numbered deal's label: a string."""
        return f"{self.prefix}label:{deal}"

    def guard(self, work: str) -> str:
        """Return the key of a guard: a string, which names the process that does this work."""
        return f"{self.prefix}guard:{work}"

    def room(self, code: str) -> str:
        """Return the key of a record: a hash of doc, v, deadline, public, row and form.

        `row` is the room's entry in the list of public rooms, or empty. Rooms from before 1.0.0
        have no `form`, and are of form 1.
        """
        return f"{self.prefix}{{{code}}}:room"

    def events(self, code: str) -> str:
        """Return the key of a room's events: a stream with ids `VERSION-0` and a field `e`."""
        return f"{self.prefix}{{{code}}}:events"

    def seat(self, code: str, seat: int) -> str:
        """Return the key of a seat's hash: gen, token, n, writer, id, hints, hints_n and hints_at.

        See `SeatRecord`; `hints_at` is the position of the latest hint.
        """
        return f"{self.prefix}{{{code}}}:seat:{seat}"

    def log(self, code: str, n: int, seat: int, writer: int = 0) -> str:
        """Return the key of a seat's log in round n: a list of a header and packed entries.

        The name of an open log ends with the generation of its `writer`.
        """
        name = f"{self.prefix}{{{code}}}:log:{n}:{seat}"
        return f"{name}:{writer}" if writer else name

    def review(self, code: str, n: int) -> str:
        """Return the key of round `n`'s review: a hash of t0, done and each seat's text."""
        return f"{self.prefix}{{{code}}}:review:{n}"

    def history(self, code: str) -> str:
        """Return the key of a kept table's history: a list of entries, oldest first."""
        return f"{self.prefix}{{{code}}}:history"

    def shelf(self, code: str) -> str:
        """Return the key of the rounds moved out of a kept table's record: a hash by number."""
        return f"{self.prefix}{{{code}}}:shelf"

    def day(self, day: str, name: str, game: str) -> str:
        """Return a key of a day's game, for one kind of data (`name`).

        `deal` is a string. `begun` and `released` are hashes of claims by player: a claim names
        the room of the game, and is released if the room could not be created. `board` is a
        sorted set of entries by order. `results` and `logs` are hashes by entry.
        """
        return f"{self.prefix}{{{day}}}:{name}:{game}"

    def channel(self, code: str) -> str:
        """Return the sharded channel of a room's notifications."""
        return f"{self.prefix}{{{code}}}:changes"

    def shared(self) -> tuple[str, ...]:
        """Return the keys that every room depends on."""
        lists = self.deadlines, self.public, self.unreadable, self.opened()
        return self.clock, self.processes, *lists

    def type_of(self, key: str) -> str | None:
        """Return the type of a key that belongs to no room; None for an unknown name."""
        return TYPES.get(self._first_part(key))

    def is_dispensable(self, key: str) -> bool:
        """Return whether no room depends on a key."""
        return self._first_part(key) in DISPENSABLE

    def _first_part(self, key: str) -> str:
        return key.removeprefix(self.prefix).partition(":")[0]

    def process(self, name: str) -> str:
        """Return the key of the rooms where a process has sessions: a set of codes."""
        return f"{self.prefix}process:{name}"


UNPREFIXED: Final = Keys()  # the names without a prefix


class DamagedKeys:
    """The keys that belong to no room and cannot be used: of the wrong type, or refused by Redis.

    An error with a room's key affects only that room, unless this server lacks a right. An error
    with any other key affects all rooms. So it is treated like an unavailable store: it is logged
    once, and the server is not ready until the key works again. If no room depends on a key, its
    errors are only logged.
    """

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._wrong: dict[str, str] = {}  # each damaged key's type; `NOTHING` until it is read
        self._refusals: dict[str, tuple[StoreRefused, float]] = {}  # the latest and its time (s)

    def pass_on(self, key: str, on_reply: OnReply, reply: Reply) -> None:
        """Give `on_reply` the reply to a command with this key; record it if it is an error."""
        on_reply(self._record_error(key, reply) if isinstance(reply, StoreError) else reply)

    def _record_error(self, key: str, error: StoreError) -> StoreError:
        """Record an error of a key if it affects all rooms; return the error for the caller."""
        is_shared = "{" not in key  # the keys of a room or day have a hash tag
        precise = error
        if type(error) is StoreError:  # an error reply that `to_store_error` does not know
            precise = StoreRefused(str(error))
        elif isinstance(error, Unreadable) and is_shared:
            precise = StoreDamaged(key)
            self._wrong.setdefault(key, NOTHING)  # until `update` is given its type
        if precise is not error:
            precise.__cause__ = error.__cause__
        # A refusal for a room's key affects the other rooms only if this server lacks a right.
        affects_all = is_shared or NO_RIGHT in str(precise).lower()
        if isinstance(precise, StoreRefused) and affects_all:
            refused = key if is_shared else ROOMS
            if refused not in self._refusals:
                log.error("the store refuses commands", key=refused, why=str(precise))
            self._refusals[refused] = (precise, time.monotonic())
        return precise

    def error(self) -> StoreAway | None:
        """Return the error that keeps the store from being used, if a key causes one."""
        damaged = (StoreDamaged(key) for key in self._wrong if not self._keys.is_dispensable(key))
        return next(damaged, None) or next((error for error, _ in self._refusals.values()), None)

    def to_check(self) -> list[str]:
        """Return the keys whose types `update` needs to know."""
        return list(dict.fromkeys((*self._keys.shared(), *self._wrong)))

    def update(self, types: Mapping[str, str]) -> None:
        """Record which of these keys have the wrong type; forget old refusals."""
        for key, type_ in types.items():
            needed = self._keys.type_of(key)
            before = self._wrong.pop(key, NOTHING)  # it comes back if it is still wrong
            if type_ not in {needed, NOTHING}:
                self._wrong[key] = type_
                if type_ != before:
                    wrong = "a key of the store holds another type: it must be removed"
                    log.error(wrong, key=key, holds=type_, needs=needed)
            elif before != NOTHING:
                log.info("a key of the store can be used again", key=key)
        since_s = time.monotonic() - REFUSED_FOR_S
        for key in [key for key, (_, at_s) in self._refusals.items() if at_s < since_s]:
            del self._refusals[key]
            log.info("the store takes commands again", key=key)
