"""The keys that belong to no room and cannot be used: they hold another type, or are refused.

An error of a room's key is about that room alone, except a lack of a right. An error of any other
key keeps all rooms from something: being opened, listed, or ended. So it counts as if the store
were away, is logged once, and keeps the server from being ready until the key can be used again.
Keys on which no room depends get the log alone.
"""

import time
from collections.abc import Mapping

import structlog

from server.store.connection import OnReply, Reply
from server.store.errors import StoreAway, StoreDamaged, StoreError, StoreRefused, Unreadable
from server.store.keys import Keys, belongs_to_room

REFUSED_FOR_S = 10.0  # without a refusal, after which the commands for a key count as taken again
NOTHING = "none"  # the type of a key that does not exist
ROOMS = "of rooms"  # the keys of all rooms, in the log
RIGHT = "permission"  # in Redis's texts about a right that this server lacks, for every room

log = structlog.get_logger(__name__)


class DamagedKeys:
    """The keys that this process has found unusable."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._types: dict[str, str] = {}  # what keys hold instead; `NOTHING` until it is read
        self._refusals: dict[str, tuple[StoreRefused, float]] = {}  # the latest, and its time

    def judge(self, key: str, on_reply: OnReply, reply: Reply) -> None:
        """Pass on the reply to a command with this key; an error is recorded, and passed on."""
        on_reply(self._meaning(key, reply) if isinstance(reply, StoreError) else reply)

    def _meaning(self, key: str, error: StoreError) -> StoreError:
        """Return the error for the caller: a refusal is StoreRefused; record unusable keys."""
        of_room, meaning = belongs_to_room(key), error
        if type(error) is StoreError:
            meaning = StoreRefused(str(error))
        elif isinstance(error, Unreadable) and not of_room:
            meaning = StoreDamaged(key)
            self._types.setdefault(key, NOTHING)
        if meaning is not error:
            meaning.__cause__ = error.__cause__
        if isinstance(meaning, StoreRefused) and (not of_room or RIGHT in str(meaning).lower()):
            refused = ROOMS if of_room else key
            if refused not in self._refusals:
                log.error("the store refuses commands", key=refused, why=str(meaning))
            self._refusals[refused] = (meaning, time.monotonic())
        return meaning

    def error(self) -> StoreAway | None:
        """Return the error of a key that cannot be used, if there is one."""
        damaged = (StoreDamaged(key) for key in self._types if not self._keys.is_dispensable(key))
        return next(damaged, None) or next((each for each, _ in self._refusals.values()), None)

    def to_check(self) -> list[str]:
        """Return the keys whose types must be checked."""
        return list(dict.fromkeys((*self._keys.shared(), *self._types)))

    def record(self, types: Mapping[str, str]) -> None:
        """Record the types of keys as they are now, and log what has changed."""
        for key, holds in types.items():
            needs, held = self._keys.type_of(key), self._types.pop(key, NOTHING)
            if holds not in {needs, NOTHING}:
                self._types[key] = holds
                if holds != held:
                    wrong = "a key of the store holds another type: it must be removed"
                    log.error(wrong, key=key, holds=holds, needs=needs)
            elif held != NOTHING:
                log.info("a key of the store can be used again", key=key)
        since = time.monotonic() - REFUSED_FOR_S
        for key in [key for key, (_, at) in self._refusals.items() if at < since]:
            del self._refusals[key]
            log.info("the store takes commands again", key=key)
