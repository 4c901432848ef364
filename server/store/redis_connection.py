"""One connection to one Redis, and a pipeline at a time on it.

Law: as many replies come out as commands went in. What was not answered is StoreAway; an error
of Redis is passed on as it is, and `verdict` says what it means.
"""

import asyncio
import math
from collections.abc import Sequence
from typing import Any, cast

import hiredis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MasterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from server.store.address import BROKEN, PATIENCE, Address, hang_up
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable

Word = str | bytes | int
Reply = Any  # what hiredis makes of a reply, a RedisError that Redis answered, or a StoreError

# After a failure nobody tries again for this long, so that refusals are quick; doubled each time.
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 0.5
# What a node of a cluster answers when it has certainly not executed a command, and somebody
# will, perhaps a little later. MovedError is an AskError.
REDIRECTIONS = (AskError, TryAgainError, ClusterDownError)
# What a server answers that was made a replica, or has lost its master.
DEMOTED = (ReadOnlyError, MasterDownError)
LATER = (*REDIRECTIONS, ReadOnlyError, NoScriptError)
LATER_PREFIXES = ("MISCONF", "NOREPLICAS", "BUSY")


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # It takes any number of words; its stub says one.
    return cast("bytes", hiredis.pack_command(words))  # type: ignore[arg-type]


def verdict(error: RedisError) -> StoreError:
    """Return the store's error for one that Redis answered, which is then its cause."""
    meaning: StoreError
    if isinstance(error, OutOfMemoryError) or str(error).startswith("OOM"):
        meaning = StoreFull(f"Redis has no memory left: {error}")
    elif isinstance(error, LATER) or str(error).startswith(LATER_PREFIXES):
        meaning = StoreAway(f"Redis does not take it: {error}")
    elif str(error).startswith("WRONGTYPE"):
        meaning = Unreadable("a key of another type")
    else:
        meaning = StoreError(f"Redis refused a command of ours: {error}")
    meaning.__cause__ = error
    return meaning


class RedisConnection:
    """A connection that is made anew whenever it breaks; `preamble` is sent on each."""

    def __init__(self, address: Address, preamble: Sequence[bytes] = ()) -> None:
        self._address = address
        self._preamble = preamble
        self._connection: AbstractConnection | None = None
        self._pause = FIRST_PAUSE
        self._not_before = 0.0

    async def exchange(self, commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        """Return the replies to a pipeline within `PATIENCE`, and whether no error is among them.

        Cancelling may leave the wire out of step: drop it then.
        """
        replies: list[Reply] = []
        smooth = False
        try:
            async with asyncio.timeout(PATIENCE):
                if self._connection is not None and await self._connection.can_read():
                    # Nobody asked: it was closed meanwhile. Nothing of this is lost yet.
                    await self.drop()
                connection = self._connection or await self._connect()
                smooth = await _pipeline(connection, commands, replies)
                if not smooth:
                    await self._repeat(connection, commands, replies)
            self._pause, self._not_before = FIRST_PAUSE, 0.0
        except (*BROKEN, StoreAway) as error:
            await self.drop()
            why = f"Redis does not answer: {str(error) or 'timed out'}"
            replies += [StoreAway(why) for _ in range(len(commands) - len(replies))]
        if not smooth and any(isinstance(reply, DEMOTED) for reply in replies):
            # This server lost its rank; its name may lead to another by now.
            await self.drop()
        return replies, smooth

    async def _repeat(
        self, connection: AbstractConnection, commands: Sequence[bytes], replies: list[Reply]
    ) -> None:
        """Send again what found no script, because someone has flushed them."""
        lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if lost:
            # An act behind a lost one is then STALE, which is true when it was said.
            await _pipeline(connection, self._preamble, [])
            again: list[Reply] = []
            await _pipeline(connection, [commands[i] for i in lost], again)
            for i, reply in zip(lost, again, strict=True):
                replies[i] = reply

    async def _connect(self) -> AbstractConnection:
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise StoreAway("the last attempt was just now")
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_PAUSE)
        connection = await self._address.connect()
        try:
            await _pipeline(connection, self._preamble, [])
        except BaseException:
            await hang_up(connection)
            raise
        self._connection = connection
        return connection

    async def drop(self) -> None:
        """Hang up; the next exchange connects again."""
        if self._connection is not None:
            connection, self._connection = self._connection, None
            await hang_up(connection)


async def _pipeline(
    connection: AbstractConnection, commands: Sequence[bytes], replies: list[Reply]
) -> bool:
    """Append the replies; return whether no error is among them."""
    smooth = True
    await connection.send_packed_command(commands, check_health=False)
    for _ in commands:
        try:
            # Without a limit of its own: one for the whole pipeline is cheaper.
            replies.append(await connection.read_response(timeout=math.inf))
        except ResponseError as error:
            replies.append(error)
            smooth = False
    return smooth
