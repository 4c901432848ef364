"""The names of all keys and channels.

The keys of one room share the hash tag `{code}`, so that they are in one slot of a cluster and a
script can use them together. All other keys belong to no single room. Every name begins with the
prefix of its installation, so that several installations can share one Redis.
"""

import re
from typing import Final

TTL_SECONDS: Final = 7 * 24 * 3600
"""Time after its last write at which a key expires, of a room or of the lists of all rooms."""

ROOM_KEY: Final = re.compile(
    r"\{([^{}]+)\}:(?:room|events|seat:(\d{1,9})|log:(\d{1,9}):(\d{1,9}))", re.ASCII
)

TYPES: Final = {
    "clock": "hash",
    "deadlines": "zset",
    "guesses": "hash",
    "opened": "zset",
    "process": "set",
    "processes": "zset",
    "public": "zset",
    "unreadable": "zset",
}
"""The types of the keys that belong to no room, by the first part of their names."""


def belongs_to_room(key: str) -> bool:
    """Return whether a key is that of a room."""
    return "{" in key


class Keys:
    """The names with one prefix.

    `deadlines` is a sorted set of codes by deadline, ms. `unreadable` is a sorted set of codes by
    the time at which each was first found unreadable, ms. `public` is a sorted set of codes by the
    time of their last change, ms. `clock` is a hash of the shift and the latest comparison (at,
    raw, by); see clock.lua. `processes` is a sorted set of processes by the time of their last
    heartbeat, ms. `probe` is a key that is written to test whether a Redis can be written.
    """

    __slots__ = ("clock", "deadlines", "prefix", "probe", "processes", "public", "unreadable")

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.clock = f"{prefix}clock"
        self.deadlines = f"{prefix}deadlines"
        self.probe = f"{prefix}spider-race:probe"
        self.processes = f"{prefix}processes"
        self.public = f"{prefix}public"
        self.unreadable = f"{prefix}unreadable"

    def opened(self, network: str = "") -> str:
        """Return the key of the open rooms of a network, or of all rooms.

        It is a sorted set of the code of each open room by the time until which it is counted, ms.
        """
        return f"{self.prefix}opened:{network}" if network else f"{self.prefix}opened"

    def guesses(self, network: str) -> str:
        """Return the key of the wrong codes and tokens of a network: a hash; see guess.lua."""
        return f"{self.prefix}guesses:{network}"

    def room(self, code: str) -> str:
        """Return the key of a record: a hash.

        Its fields are doc, v, state, n, t0, t_end, deadline, public, row, row_v, hinted. `row` is
        the entry in the list of public rooms as of version `row_v`, empty in a room that is not
        public. `hinted` is the time of the latest notification of the standings, in ms.
        """
        return f"{self.prefix}{{{code}}}:room"

    def events(self, code: str) -> str:
        """Return the key of a room's events: a stream with ids `<v>-0` and one field `e`."""
        return f"{self.prefix}{{{code}}}:events"

    def seat(self, code: str, number: int) -> str:
        """Return the key of a seat.

        It is a hash of gen, token, id, first, n, standing, gained, over, out, and of the count of
        hints with its round and position: advised, advised_n, advised_at.
        """
        return f"{self.prefix}{{{code}}}:seat:{number}"

    def log(self, code: str, n: int, number: int) -> str:
        """Return the key of a seat's log in round n: a list of packed entries."""
        return f"{self.prefix}{{{code}}}:log:{n}:{number}"

    def staged(self, code: str, key: str) -> str:
        """Return the name under which a key of a room is written before it is put in its place."""
        return f"{self.prefix}{{{code}}}:restored:{key.removeprefix(self.prefix)}"

    def channel(self, code: str) -> str:
        """Return the sharded channel of a room's notifications."""
        return f"{self.prefix}{{{code}}}:hints"

    def shared(self) -> tuple[str, ...]:
        """Return the keys that belong to no room, but those with a name of somebody in them."""
        lists = (self.deadlines, self.public, self.unreadable, self.opened())
        return (self.clock, self.processes, *lists)

    def type_of(self, key: str) -> str | None:
        """Return the type of a key that belongs to no room; None for an unknown name."""
        return TYPES.get(key.removeprefix(self.prefix).partition(":")[0])

    def pattern(self) -> str:
        """Return the pattern of all keys of rooms, for `SCAN`."""
        return f"{self.prefix}{{*}}:*"

    def parse(self, key: str) -> tuple[str, tuple[int, ...]] | None:
        """Return the code of a room's key, and the numbers in its name.

        A seat has its number, a log its round and seat, the other keys none. Return None for all
        other keys.
        """
        if not key.startswith(self.prefix):
            return None
        found = ROOM_KEY.fullmatch(key, len(self.prefix))
        if found is None:
            return None
        return found[1], tuple(int(number) for number in found.groups()[1:] if number is not None)

    def process(self, name: str) -> str:
        """Return the key of the set of rooms in which a process has sessions."""
        return f"{self.prefix}process:{name}"


UNPREFIXED: Final = Keys()
"""The names without a prefix, as all releases before this one have them."""
CLOCK: Final = UNPREFIXED.clock
DEADLINES: Final = UNPREFIXED.deadlines
OPENED: Final = UNPREFIXED.opened()
PROCESSES: Final = UNPREFIXED.processes
PUBLIC: Final = UNPREFIXED.public
UNREADABLE: Final = UNPREFIXED.unreadable
opened, guesses, process = UNPREFIXED.opened, UNPREFIXED.guesses, UNPREFIXED.process
room, events, seat, log = UNPREFIXED.room, UNPREFIXED.events, UNPREFIXED.seat, UNPREFIXED.log
channel = UNPREFIXED.channel
