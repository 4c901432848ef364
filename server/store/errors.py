"""The exceptions of the store, by cause.

StoreError
├── StoreAway      Redis cannot answer now: try again later
│   ├── StoreFull     Redis has no memory left for new data: existing rooms go on
│   ├── StoreDamaged  a key that belongs to no room has the wrong type: an operator must act
│   └── StoreRefused  Redis refuses a command: an operator must act, or this server has a bug
├── Unreadable     this release cannot read a room's data; another release may
├── StoreTooOld    the operator's Redis is older than 7.0: exit code 2
└── StoreUnusable  the operator's address, directory or Redis cannot be used: exit code 2
    └── StoreNotReady  the Redis does not answer yet: a server waits for a while

`str()` of the last three is one sentence for the operator, who gets no traceback.
"""


class StoreError(Exception):
    """Base class of the store's exceptions."""


class StoreAway(StoreError):  # noqa: N818  # named for a state, not an error
    """Redis did not answer, or refused to write. The command may have been executed.

    The store reconnects on its own. Read again before you try again.
    """


class StoreFull(StoreAway):
    """Redis has reached its memory limit: the command was not executed."""


class StoreDamaged(StoreAway):
    """A key that belongs to no room has the wrong type. Removing the key repairs everything."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The key {key} of the store holds another type.")


class StoreRefused(StoreAway):
    """Redis refused a command. The server keeps running, and recovers once Redis accepts it."""


class Unreadable(StoreError):  # noqa: N818  # named for a state, not an error
    """A room's data cannot be read, and is left unchanged. `str()` quotes none of it."""


class StoreTooOld(StoreError):  # noqa: N818  # named for a state, not an error
    """The Redis at this address is older than 7.0."""

    def __init__(self, version: str) -> None:
        super().__init__(f"Redis 7.0 or newer is needed, or Valkey; the one given is {version}.")


class StoreUnusable(StoreError):  # noqa: N818  # named for a state, not an error
    """The store cannot be opened until the operator does something about it."""


class StoreNotReady(StoreUnusable):
    """The Redis does not answer yet, perhaps because its machine is starting."""
