"""The names of all keys.

The keys of one room share the hash tag `{code}`, so that they are in one slot of a cluster and a
script can use them together. All other keys belong to no single room.
"""

DEADLINES = "deadlines"  # sorted set: code by deadline, ms
UNREADABLE = "unreadable"  # sorted set: code by the time it was first found unreadable, ms
OPENED = "opened"  # sorted set: code of each open room by the time until which it is counted, ms
PUBLIC = "public"  # sorted set: code by time of its last change, ms

CLOCK = "clock"  # hash: shift, and the latest comparison (at, raw, by); see clock.lua

PROCESSES = "processes"  # sorted set: process by the time of its last heartbeat, ms

TTL_SECONDS = 7 * 24 * 3600
"""Time after its last write at which a key expires, of a room or of the lists of all rooms."""


def opened(network: str = "") -> str:
    """Return the key of the open rooms of a network: a sorted set like `OPENED` for all rooms."""
    return f"{OPENED}:{network}" if network else OPENED


def guesses(network: str) -> str:
    """Return the key of the wrong codes and tokens of a network: a hash; see guess.lua."""
    return f"guesses:{network}"


def room(code: str) -> str:
    """Return the key of a record: a hash of doc, v, state, n, t0, t_end, deadline, public, hinted.

    `hinted` is the time of the latest notification of the standings, in ms.
    """
    return f"{{{code}}}:room"


def events(code: str) -> str:
    """Return the key of a room's events: a stream with ids `<v>-0` and one field `e`."""
    return f"{{{code}}}:events"


def seat(code: str, number: int) -> str:
    """Return the key of a seat.

    It is a hash of gen, token, id, first, n, standing, gained, over, out, and of the count of
    hints with its round and position: advised, advised_n, advised_at.
    """
    return f"{{{code}}}:seat:{number}"


def log(code: str, n: int, number: int) -> str:
    """Return the key of a seat's log in round n: a list of packed entries."""
    return f"{{{code}}}:log:{n}:{number}"


def channel(code: str) -> str:
    """Return the sharded channel of a room's notifications."""
    return f"{{{code}}}:hints"


def process(name: str) -> str:
    """Return the key of the set of rooms in which a process has sessions."""
    return f"process:{name}"
