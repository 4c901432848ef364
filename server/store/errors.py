"""The exceptions of the store, by cause.

StoreError
├── StoreAway      Redis cannot answer now: try again later
│   ├── StoreFull     Redis has no memory left for new data: existing rooms go on
│   ├── StoreDamaged  a key that belongs to no room holds another type: an operator must act
│   └── StoreRefused  Redis refuses a command: an operator must act, or this server has a bug
├── Unreadable     a room's data cannot be read by this release; another release may read them
├── StoreTooOld    the operator's Redis is older than 7.0: exit code 2
└── StoreUnusable  the operator's address, directory or Redis cannot be used: exit code 2
    └── StoreNotReady  the Redis does not answer yet: a server waits for a while

`str()` of the last three is one sentence for the operator, who gets no traceback.
"""


class StoreError(Exception):
    """Base class of the store's exceptions."""


class StoreAway(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """Redis did not answer, or refused to write: the command was not executed, or may have been.

    The store reconnects by itself; the caller must read again before it tries again.
    """


class StoreFull(StoreAway):
    """Redis has reached its memory limit: the command was not executed."""


class StoreDamaged(StoreAway):
    """A key that belongs to no room holds another type; everything works again without it."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The key {key} of the store holds another type.")
        self.key = key


class StoreRefused(StoreAway):
    """Redis refused a command; the server goes on, and works once Redis takes its commands."""


class Unreadable(StoreError):  # noqa: N818  # a state of a room, as its readers call it
    """A room's data, which are left unchanged, cannot be read; `str()` quotes none of them."""


class StoreTooOld(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """The Redis at this address is older than 7.0."""

    def __init__(self, version: str) -> None:
        super().__init__(f"Redis 7.0 or newer is needed, or Valkey; the one given is {version}.")


class StoreUnusable(StoreError):  # noqa: N818  # a state of the store, as its readers call it
    """The store cannot be opened, for a reason that only the operator can remove."""


class StoreNotReady(StoreUnusable):
    """The Redis does not answer yet, as while its machine starts; it may a moment later."""
