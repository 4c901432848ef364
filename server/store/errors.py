"""What the store raises, by whose fault it is.

StoreError
├── StoreAway      Redis cannot answer now: try again later
│   └── StoreFull  Redis has no memory left for more: what is there goes on
├── Unreadable     a room holds something that this release does not know: another one may
├── StoreTooOld    the operator's Redis lacks what the game needs: exit code 2
└── StoreUnusable  the operator's address, directory or Redis is of no use: exit code 2

An operator reads `str()` of the last two: one sentence, no traceback.
"""


class StoreError(Exception):
    """Something about Redis is not as it must be; raised by itself only for our own bugs."""


class StoreAway(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """Redis did not answer, or would not write: what was asked is unknown or not done.

    The connection was lost or timed out, or Redis is loading, read-only, out of memory or
    disk. The store reconnects by itself; the caller re-reads before it tries again.
    """


class StoreFull(StoreAway):
    """Redis has reached its limit of memory: nothing was done.

    Rooms that are there can be read, changed and removed; what they gain finds no space.
    """


class Unreadable(StoreError):  # noqa: N818  # a state of a room, as its readers call it
    """What stands in a room is nothing that this release can read; it is left as it is.

    A newer release may have written it, or somebody by hand. `str()` quotes nothing of it.
    """


class StoreTooOld(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """The Redis at this address is older than 7.0."""

    def __init__(self, version: str) -> None:
        super().__init__(f"Redis 7.0 or newer is needed, or Valkey; the one given is {version}.")
        self.version = version


class StoreUnusable(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """The store cannot be opened, for a reason that only the operator can mend."""
