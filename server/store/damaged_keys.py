"""The keys that belong to no room and cannot be used: they hold a wrong type, or are refused.

An error of a room's key concerns that room alone, except a missing right. An error of any other
key keeps all rooms from being opened, listed or ended. So it counts as if the store were away: it
is logged once, and the server is not ready until the key can be used again. If no room depends on
a key, its errors are only logged.
"""

import time
from collections.abc import Mapping

import structlog

from server.store.connection import OnReply, Reply
from server.store.errors import StoreAway, StoreDamaged, StoreError, StoreRefused, Unreadable
from server.store.keys import Keys, belongs_to_room

REFUSED_FOR_S = 10.0  # a key without a refusal for this long works again
NOTHING = "none"  # the type of a key that does not exist
ROOMS = "of rooms"  # how the log calls the keys of all rooms
RIGHT = "permission"  # Redis says so if this server lacks a right, which affects every room

log = structlog.get_logger(__name__)


class DamagedKeys:
    """The keys that this process has found unusable."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._types: dict[str, str] = {}  # their wrong types; `NOTHING` until one is read
        self._refusals: dict[str, tuple[StoreRefused, float]] = {}  # the latest, and when (s)

    def pass_on(self, key: str, on_reply: OnReply, reply: Reply) -> None:
        """Pass on the reply to a command with this key, after recording an error."""
        on_reply(self._record_error(key, reply) if isinstance(reply, StoreError) else reply)

    def _record_error(self, key: str, error: StoreError) -> StoreError:
        """Record an error of a key; return the error that the caller gets."""
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
        """Return why the store cannot be used, if a key is the reason."""
        damaged = (StoreDamaged(key) for key in self._types if not self._keys.is_dispensable(key))
        return next(damaged, None) or next((each for each, _ in self._refusals.values()), None)

    def to_check(self) -> list[str]:
        """Return the keys whose types `record` needs to know."""
        return list(dict.fromkeys((*self._keys.shared(), *self._types)))

    def record(self, types: Mapping[str, str]) -> None:
        """Record the present types of keys, and log changes."""
        for key, found in types.items():
            needed, before = self._keys.type_of(key), self._types.pop(key, NOTHING)
            if found not in {needed, NOTHING}:
                self._types[key] = found
                if found != before:
                    wrong = "a key of the store holds another type: it must be removed"
                    log.error(wrong, key=key, holds=found, needs=needed)
            elif before != NOTHING:
                log.info("a key of the store can be used again", key=key)
        since_s = time.monotonic() - REFUSED_FOR_S
        for key in [key for key, (_, at_s) in self._refusals.items() if at_s < since_s]:
            del self._refusals[key]
            log.info("the store takes commands again", key=key)
