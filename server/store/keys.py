"""The names of all keys and channels.

The keys of one room share the hash tag `{code}`, so that they are in one slot of a cluster and a
script can use them together; those of a day share its date. All other keys belong to no single
room. Every name begins with the prefix of its installation, so that several installations can
share one Redis.
"""

from typing import Final

TTL_SECONDS: Final = 15 * 24 * 3600
"""Time after its last write at which a key expires, of a room or of the lists of all rooms.

A log that is closed on the first day of a window of a week is read until a week after its end.
"""
FORM: Final = 1
"""The form of rooms: the only one that this release writes and reads. See `rooms.py`."""

TYPES: Final = {
    **dict.fromkeys(("attempt", "guard", "label"), "string"),
    **dict.fromkeys(
        ("bans", "bots", "deadlines", "kept", "opened", "processes", "public", "unreadable"),
        "zset",
    ),
    **dict.fromkeys(("clock", "guesses"), "hash"),
    "process": "set",
}
"""The types of the keys that belong to no room, by the first part of their names."""
DISPENSABLE: Final = {"attempt", "bans", "bots", "guard", "guesses", "kept", "label"}
"""The first parts of the names on which no room depends: these keys only count, label or guard."""


def belongs_to_room(key: str) -> bool:
    """Return whether a key is that of a room, or of a day: others do not depend on it."""
    return "{" in key


class Keys:
    """The names with one prefix.

    `bans` is a sorted set of networks by the end of their bans, ms.
    `deadlines` is a sorted set of codes by deadline, ms. `unreadable` is a sorted set of codes by
    the time at which each was first found unreadable, ms. `public` is a sorted set of codes by the
    time of their last change, ms. `clock` is a hash of the shift and the latest comparison (at,
    raw, by); see compare_clocks.lua. `processes` is a sorted set of processes by the time of their
    last heartbeat, ms. `probe` is a key that is written to test whether a Redis can be written.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.bans = f"{prefix}bans"
        self.clock = f"{prefix}clock"
        self.deadlines = f"{prefix}deadlines"
        self.probe = f"{prefix}spider-race:probe"
        self.processes = f"{prefix}processes"
        self.public = f"{prefix}public"
        self.unreadable = f"{prefix}unreadable"

    def opened(self, network: str = "") -> str:
        """Return the key of the open rooms of a network, or of all: a sorted set of their codes.

        The score of a name, here, in `kept` and in `bots`, is the time until which it is counted,
        ms.
        """
        return f"{self.prefix}opened:{network}" if network else f"{self.prefix}opened"

    def kept(self, network: str = "") -> str:
        """Return the key of the kept tables of a network, or of all: a sorted set of codes."""
        return f"{self.prefix}kept:{network}" if network else f"{self.prefix}kept"

    def bots(self, name: str = "") -> str:
        """Return the key of the computer players of a list, or of all: a sorted set of names."""
        return f"{self.prefix}bots:{name}" if name else f"{self.prefix}bots"

    def guesses(self, network: str) -> str:
        """Return the key of the wrong guesses of a network: a hash; see count_guess.lua."""
        return f"{self.prefix}guesses:{network}"

    def attempt(self, attempt: str) -> str:
        """Return the key of an attempt to open a room, by its hash: a string, the room's code."""
        return f"{self.prefix}attempt:{attempt}"

    def label(self, deal: str) -> str:
        """Return the key of the label of a numbered deal: a string."""
        return f"{self.prefix}label:{deal}"

    def guard(self, work: str) -> str:
        """Return the key of the guard of a work: a string, the process that does the work."""
        return f"{self.prefix}guard:{work}"

    def room(self, code: str) -> str:
        """Return the key of a record: a hash of doc, v, deadline, public, row and form.

        `row` is the entry in the list of public rooms, empty in a room that is not public.
        Rooms that the code before 1.0.0 has written have no `form`, and are of form 1.
        """
        return f"{self.prefix}{{{code}}}:room"

    def events(self, code: str) -> str:
        """Return the key of a room's events: a stream with ids `<v>-0` and one field `e`."""
        return f"{self.prefix}{{{code}}}:events"

    def seat(self, code: str, number: int) -> str:
        """Return the key of a seat: a hash of gen, token, n, writer, id, hints, hints_n, hints_at.

        See `SeatRecord`; `hints_at` is the position of the latest hint.
        """
        return f"{self.prefix}{{{code}}}:seat:{number}"

    def log(self, code: str, n: int, number: int, writer: int = 0) -> str:
        """Return the key of a seat's log in round n: a list of a header and packed entries.

        The generation of its `writer` is part of the name; a log without one is closed, or new.
        """
        name = f"{self.prefix}{{{code}}}:log:{n}:{number}"
        return f"{name}:{writer}" if writer else name

    def review(self, code: str, n: int) -> str:
        """Return the key of the review of round n: a hash of t0, a text by seat, and `done`."""
        return f"{self.prefix}{{{code}}}:review:{n}"

    def history(self, code: str) -> str:
        """Return the key of the history of a kept table: a list of entries, the earliest first."""
        return f"{self.prefix}{{{code}}}:history"

    def shelf(self, code: str) -> str:
        """Return the key of a kept table's rounds that left its record: a hash by number."""
        return f"{self.prefix}{{{code}}}:shelf"

    def day(self, day: str, name: str, game: str) -> str:
        """Return a key of a game of a day, by its name in `days.DAY_KEYS`.

        `deal` is a string, `begun` and `released` are hashes of claims by player, `board` is a
        sorted set of entries, `results` and `logs` are hashes by entry.
        """
        return f"{self.prefix}{{{day}}}:{name}:{game}"

    def channel(self, code: str) -> str:
        """Return the sharded channel of a room's notifications."""
        return f"{self.prefix}{{{code}}}:changes"

    def shared(self) -> tuple[str, ...]:
        """Return the keys that exist once, for all rooms together."""
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
        """Return the key of the set of rooms in which a process has sessions."""
        return f"{self.prefix}process:{name}"


UNPREFIXED: Final = Keys()  # the names without a prefix
