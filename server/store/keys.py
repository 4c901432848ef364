"""The names of all keys.

A room's share the hash tag `{code}`, so that a script finds them in one slot of a cluster; the
others are of all rooms and no script touches them.
"""

DEADLINES = "deadlines"  # sorted set: code by deadline, ms
UNREADABLE = "unreadable"  # sorted set: code by when it was first found so, ms
OPENED = "opened"  # sorted set: code of each open room by until when it is counted, ms
PUBLIC = "public"  # sorted set: code by time of its last change, ms

CLOCK = "clock"  # hash: shift, and the latest comparison (at, raw, by); see clock.lua

PROCESSES = "processes"  # sorted set: process by when it was last heard of, ms

# Everything goes by itself this long after it was written last: a room, and in the end, when
# nobody serves any more, the lists of them too.
TTL_SECONDS = 7 * 24 * 3600


def opened(network: str = "") -> str:
    """The set of open rooms that count for a network: a sorted set like `OPENED`, which is all."""
    return f"{OPENED}:{network}" if network else OPENED


def room(code: str) -> str:
    """The record: a hash of doc, v, state, n, t0, t_end, deadline, public, hinted."""
    return f"{{{code}}}:room"


def events(code: str) -> str:
    """The stream of events, with ids `<v>-0` and one field `e`."""
    return f"{{{code}}}:events"


def seat(code: str, number: int) -> str:
    """A seat: a hash of gen, token, id, n, standing, gained, over, out, advised[_n, _at]."""
    return f"{{{code}}}:seat:{number}"


def log(code: str, n: int, number: int) -> str:
    """The log of a seat in round n: a list of packed entries."""
    return f"{{{code}}}:log:{n}:{number}"


def channel(code: str) -> str:
    """The sharded channel of the room's hints."""
    return f"{{{code}}}:hints"


def process(name: str) -> str:
    """The set of rooms in which somebody sits at a process."""
    return f"process:{name}"
