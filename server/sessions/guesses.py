"""Guesses at codes and tokens: each address has one limit for all ways to look up a room.

1. A guess is taken before the look-up, and given back if it was right. So when many guesses arrive
   at once, the address gets only as many replies as it has guesses left.
2. All processes count together in the store. While it is unavailable, each counts alone.
3. Right guesses that arrive at once wait for one another: a classroom joins from one address.
"""

import asyncio
import contextlib
import math
from collections import OrderedDict
from collections.abc import AsyncIterator

from protocol.vocabulary import ErrorCode
from server.live.work import KeyedLocks
from server.networks import hashed_names
from server.rooms.events import Refusal
from server.sessions.limits import MAX_ADDRESSES, Monotonic, Rate, RateLimits
from server.store import SharedGuesses, StoreError

RETRY_S = 0.005  # between two tries while running look-ups have taken all guesses
MAX_WAIT_S = 5.0  # refuse a guess that has waited this long for running look-ups


class TooManyGuesses(Refusal):
    """An address has guessed too often. The reply does not show whether this guess is right."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(ErrorCode.TOO_MANY_JOINS)
        self.wait_s = wait_s  # until the address may guess again


class Guesses:
    """The guesses that each address has left."""

    def __init__(self, rate: Rate, shared: SharedGuesses | None, monotonic_s: Monotonic) -> None:
        """Limit each address to `rate` in all processes; without `shared`, in this one only."""
        self._rate, self._shared, self._monotonic_s = rate, shared, monotonic_s
        self._local = RateLimits(rate, monotonic_s)  # used while the store cannot count
        self._turns = KeyedLocks(patience_s=None)  # by address
        # By address, oldest first; at most `MAX_ADDRESSES` of each.
        self._refused_until_s: OrderedDict[str, float] = OrderedDict()
        self._stored_until_s: OrderedDict[str, float] = OrderedDict()  # expiry of the store's key

    @contextlib.asynccontextmanager
    async def look_up(self, address: str) -> AsyncIterator[None]:
        """Look up a room in the `with` block; this costs a guess unless there is such a room.

        Raise TooManyGuesses before the block runs if the address has no guess left.
        """
        in_store, is_right = await self._take(address), True
        try:
            yield
        except Refusal as refusal:
            is_right = refusal.code is not ErrorCode.NO_SUCH_ROOM
            raise
        finally:
            self._end(address, in_store=in_store, is_right=is_right)

    async def spend(self, address: str) -> None:
        """Count a wrong guess, or raise TooManyGuesses. Call this before replying."""
        self._end(address, in_store=await self._take(address), is_right=False)

    def check(self, address: str) -> None:
        """Raise TooManyGuesses if the address was refused recently and must still wait."""
        wait_s = self._refused_until_s.get(address, -math.inf) - self._monotonic_s()
        if wait_s > 0:
            raise TooManyGuesses(wait_s)

    async def _take(self, address: str) -> bool:
        """Take a guess, after waiting for look-ups if need be; or raise TooManyGuesses.

        Return True if the store counts the guess, False if only this process does.
        """
        if (in_store := await self._try(address)) is not None:
            return in_store
        # Only one waiting guess at a time tries again, since each try is a command to the store.
        until_s = self._monotonic_s() + MAX_WAIT_S
        async with self._turns.of(address):
            while (in_store := await self._try(address)) is None:
                if self._monotonic_s() >= until_s:
                    raise TooManyGuesses(1 / self._rate.per_s)
                await asyncio.sleep(RETRY_S)
        return in_store

    async def _try(self, address: str) -> bool | None:
        """Try once to take a guess: True if the store counts it, False if only this process does.

        None means that all are taken, but a running look-up may give one back: then try again.
        """
        self.check(address)
        stored, now_s = self._stored_until_s, self._monotonic_s()
        while stored and next(iter(stored.values())) <= now_s:
            stored.popitem(last=False)  # this key has expired
        # Each address takes up a key in the store, so only `MAX_ADDRESSES` may be counted there.
        if self._shared is not None and (address in stored or len(stored) < MAX_ADDRESSES):
            with contextlib.suppress(StoreError):
                is_taken, wait_ms = await self._shared.take(hashed_names(address), *self._rate)
                if is_taken:
                    return True
                if wait_ms is None:
                    return None
                _remember(self._refused_until_s, address, self._monotonic_s() + wait_ms / 1_000)
                raise TooManyGuesses(wait_ms / 1_000)
        if not self._local.take(address):
            raise TooManyGuesses(self._local.wait_s(address))
        return False

    def _end(self, address: str, *, in_store: bool, is_right: bool) -> None:
        """End a look-up: give its guess back if it `is_right`. `in_store`: the store counts it."""
        if not in_store:
            if is_right:
                self._local.owe(address, -1)
            return
        assert self._shared is not None, "the store has counted the guess"
        self._shared.end(hashed_names(address), *self._rate, right=is_right)
        if not is_right:
            # After this time all guesses are regained, so the key in the store expires.
            until_s = self._monotonic_s() + self._rate.burst / self._rate.per_s
            _remember(self._stored_until_s, address, until_s)


def _remember(times: OrderedDict[str, float], address: str, until_s: float) -> None:
    """Note `until_s` for an address; keep only the `MAX_ADDRESSES` noted last."""
    times[address] = until_s
    times.move_to_end(address)
    while len(times) > MAX_ADDRESSES:
        times.popitem(last=False)
