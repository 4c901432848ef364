"""Guesses at codes and tokens: one limit of an address for all ways to look up a room.

1. A guess is taken before the look-up and given back if it was right. So of many guesses that come
   at once, no more get an answer than the address has left, whatever order they come in.
2. All processes count together, in the store. While it does not count, each counts for itself.
3. Right guesses that come at once wait for one another: a classroom joins from one address.
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
from server.sessions.limits import ADDRESSES, Now, Rate, RateLimits
from server.store import SharedGuesses, StoreError

LOOKUPS_S = 0.005  # interval between two tries while all guesses that are left are being looked up
LONGEST_WAIT_S = 5.0  # time after which a guess that waits for look-ups is refused


class TooManyGuesses(Refusal):
    """An address has guessed too often; the reply does not show whether this guess is right."""

    def __init__(self, wait_s: float) -> None:
        super().__init__(ErrorCode.TOO_MANY_JOINS)
        self.wait_s = wait_s


class Guesses:
    """The guesses that each address has left."""

    def __init__(self, rate: Rate, shared: SharedGuesses | None, clock: Now) -> None:
        """Allow `rate` in all processes that have the same `shared` count, or in this one."""
        self._rate, self._shared, self._clock = rate, shared, clock
        self._local = RateLimits(*rate, clock)
        self._turns = KeyedLocks(patience_s=None)
        # By address, the one that ends first at the front; both are bounded by `ADDRESSES`.
        self._refused_until: OrderedDict[str, float] = OrderedDict()
        self._counted_until: OrderedDict[str, float] = OrderedDict()  # has a key in the store

    @contextlib.asynccontextmanager
    async def look_up(self, address: str) -> AsyncIterator[None]:
        """Take a guess for a look-up in the block; give it back unless there is no such room.

        Raises:
            TooManyGuesses: the address has no guess left, and the block is not executed.
        """
        is_shared, right = await self._take(address), True
        try:
            yield
        except Refusal as refusal:
            right = refusal.code is not ErrorCode.NO_SUCH_ROOM
            raise
        finally:
            self._end(address, is_shared=is_shared, right=right)

    async def spend(self, address: str) -> None:
        """Count a wrong guess; call it before the client is answered that the guess is wrong.

        Raises:
            TooManyGuesses: the address has no guess left.
        """
        self._end(address, is_shared=await self._take(address), right=False)

    def check(self, address: str) -> None:
        """Return if the address has a guess left, as far as this process knows.

        Raises:
            TooManyGuesses: none is left.
        """
        wait_s = self._refused_until.get(address, -math.inf) - self._clock()
        if wait_s > 0:
            raise TooManyGuesses(wait_s)

    async def _take(self, address: str) -> bool:
        """Take a guess, or wait for look-ups under way; return whether the store counts it."""
        if (is_shared := await self._try(address)) is not None:
            return is_shared
        # One of those that wait tries for all: each try is a command to the store.
        until = self._clock() + LONGEST_WAIT_S
        async with self._turns.of(address):
            while (is_shared := await self._try(address)) is None:
                if self._clock() >= until:
                    raise TooManyGuesses(1 / self._rate.per_s)
                await asyncio.sleep(LOOKUPS_S)
        return is_shared

    async def _try(self, address: str) -> bool | None:
        """Take a guess as `_take`; return None while one may be given back soon."""
        self.check(address)
        if self._shared is not None and self._may_share(address):
            with contextlib.suppress(StoreError):
                is_taken, wait_ms = await self._shared.take(hashed_names(address), *self._rate)
                if is_taken:
                    return True
                if wait_ms is None:
                    return None
                _remember(self._refused_until, address, self._clock() + wait_ms / 1_000)
                raise TooManyGuesses(wait_ms / 1_000)
        if not self._local.take(address):
            raise TooManyGuesses(self._local.wait_s(address))
        return False

    def _end(self, address: str, *, is_shared: bool, right: bool) -> None:
        if not is_shared:
            self._local.owe(address, -1 if right else 0)
            return
        assert self._shared is not None, "the store has counted the guess"
        self._shared.end(hashed_names(address), *self._rate, right=right)
        if not right:
            until = self._clock() + self._rate.burst / self._rate.per_s
            _remember(self._counted_until, address, until)

    def _may_share(self, address: str) -> bool:
        """Return whether the store may count this address: each has keys there for a while."""
        counted = self._counted_until
        while counted and next(iter(counted.values())) <= self._clock():
            counted.popitem(last=False)
        return address in counted or len(counted) < ADDRESSES


def _remember(times: OrderedDict[str, float], address: str, until: float) -> None:
    times[address] = until
    times.move_to_end(address)
    while len(times) > ADDRESSES:
        times.popitem(last=False)
