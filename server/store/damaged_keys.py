"""The keys that belong to no room and cannot be used: they hold another type, or are refused.

An error of a room's key is about that room alone, except a lack of a right. An error of any other
key keeps all rooms from something: being opened, listed, or ended. So it counts as if the store
were away, is logged once, and keeps the server from being ready until the key can be used again.
The guesses of a network keep no room from anything: each process then counts them for itself. Nor
does an attempt: its room is then opened without it.
"""

import time
from collections.abc import Callable, Mapping
from functools import partial

import structlog

from server.store.connection import OnReply, Reply
from server.store.errors import StoreAway, StoreDamaged, StoreError, StoreRefused, Unreadable
from server.store.keys import Keys, belongs_to_room

REFUSED_FOR_S = 10.0
"""Time without a refusal after which the commands for a key count as taken again.

All keys but those of networks and attempts are used every few seconds.
"""
NOTHING = "none"  # the type of a key that does not exist
ROOMS = "of rooms"  # the keys of all rooms, in the log
RIGHT = "permission"
"""Part of Redis's texts about a right that this server lacks: it is lacking for every room."""

log = structlog.get_logger(__name__)


class DamagedKeys:
    """The keys that this process has found unusable."""

    def __init__(self, keys: Keys, monotonic_s: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._monotonic_s = monotonic_s
        self._suspects: set[str] = set()
        self._types: dict[str, str] = {}  # of the keys that hold another type
        self._refusals: dict[str, tuple[StoreRefused, float]] = {}  # the latest, and its time

    def judged(self, key: str, on_reply: OnReply) -> OnReply:
        """Return the callback for replies to a command with this key.

        A refusal becomes StoreRefused, and an error of a key that belongs to no room is recorded.
        """
        return partial(self._judge, key, on_reply)

    def _judge(self, key: str, on_reply: OnReply, reply: Reply) -> None:
        if isinstance(reply, StoreError):
            reply = self._meaning(key, reply)
        on_reply(reply)

    def _meaning(self, key: str, reply: StoreError) -> StoreError:
        """Return what an error means for the caller; record damaged and refused keys."""
        if type(reply) is StoreError:
            refused = StoreRefused(str(reply))
            refused.__cause__ = reply.__cause__
            reply = refused
        if belongs_to_room(key):
            if isinstance(reply, StoreRefused) and RIGHT in str(reply).lower():
                self._record_refusal(ROOMS, reply)
            return reply
        if isinstance(reply, Unreadable):
            damaged = StoreDamaged(key)
            damaged.__cause__ = reply.__cause__
            self._suspects.add(key)
            return damaged
        if isinstance(reply, StoreRefused):
            self._record_refusal(key, reply)
        return reply

    def _record_refusal(self, key: str, refusal: StoreRefused) -> None:
        if key not in self._refusals:
            log.error("the store refuses commands", key=key, why=str(refusal))
        self._refusals[key] = (refusal, self._monotonic_s())

    def error(self) -> StoreAway | None:
        """Return the error of a key that cannot be used, if there is one."""
        for key in (*self._types, *self._suspects):
            if not self._keys.is_dispensable(key):
                return StoreDamaged(key)
        for refusal, _ in self._refusals.values():
            return refusal
        return None

    def to_check(self) -> list[str]:
        """Return the keys whose types must be checked."""
        return list(dict.fromkeys((*self._keys.shared(), *self._suspects, *self._types)))

    def record(self, types: Mapping[str, str]) -> None:
        """Record the types of keys as they are now, and log what has changed."""
        for key, holds in types.items():
            needs = self._keys.type_of(key)
            self._suspects.discard(key)
            if holds in {needs, NOTHING}:
                if self._types.pop(key, None) is not None:
                    log.info("a key of the store can be used again", key=key)
            elif self._types.get(key) != holds:
                self._types[key] = holds
                log.error(
                    "a key of the store holds another type: it must be removed",
                    key=key,
                    holds=holds,
                    needs=needs,
                )
        since = self._monotonic_s() - REFUSED_FOR_S
        for key in [key for key, (_, at) in self._refusals.items() if at < since]:
            del self._refusals[key]
            log.info("the store takes commands again", key=key)
