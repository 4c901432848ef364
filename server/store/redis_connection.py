"""One connection to one Redis, which exchanges one batch of commands at a time.

Law: an exchange returns exactly one reply for each command. The reply to a command that Redis did
not answer is StoreAway. An error that Redis answered is returned unchanged; `to_store_error`
translates it into an error of the store.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import hiredis
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

from server.store.address import BROKEN, Address
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable
from server.store.redis_protocol import RedisProtocol

Word = str | bytes | int
Reply = Any  # a reply as hiredis parses it, a RedisError that Redis answered, or a StoreError

FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 0.02, 0.5
"""The backoff after a failed connection, doubled each time; commands fail at once meanwhile."""
# The errors of a cluster node that has certainly not executed a command, while another node may,
# or the same node a little later. MovedError is an AskError.
REDIRECTIONS = (AskError, TryAgainError, ClusterDownError)
# The errors of a server that has become a replica, or has lost its master.
DEMOTED = (ReadOnlyError, MasterDownError)
LATER = (*REDIRECTIONS, ReadOnlyError, NoScriptError)
LATER_PREFIXES = ("MISCONF", "NOREPLICAS", "BUSY")


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # hiredis takes any number of words, though its stub declares one.
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]
    return packed


def to_store_error(error: RedisError) -> StoreError:
    """Return the store's error for an error that Redis answered, which becomes its cause."""
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


@dataclass(slots=True)
class _Batch:
    """Commands under way; `replies` is complete with `size` replies, and then `answered`."""

    replies: list[Reply]
    size: int
    answered: asyncio.Future[None]
    clean: bool = True


class RedisConnection:
    """A connection that reconnects whenever it breaks; `preamble` is sent on each new one."""

    def __init__(self, address: Address, preamble: Sequence[bytes] = ()) -> None:
        self._address = address
        self._reply_s = address.reply_s
        self._preamble = preamble
        self._protocol: RedisProtocol | None = None
        self._batch: _Batch | None = None
        self._pause = FIRST_BACKOFF_S
        self._not_before = 0.0

    async def exchange(self, commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        """Return the replies to a batch, and whether no error is among them.

        Commands that Redis does not answer within the address's `reply_s` get StoreAway.
        Cancelling may leave the connection out of step; the caller must then `drop` it.
        """
        replies: list[Reply] = []
        clean = False
        try:
            if self._protocol is not None and self._protocol.lost:
                await self.drop()  # no command of this batch was sent yet
            until = asyncio.get_running_loop().time() + self._reply_s
            protocol = self._protocol or await self._connect(until)
            clean = await self._pipeline(protocol, commands, replies, until)
            if not clean:
                await self._repeat(protocol, commands, replies, until)
            self._pause, self._not_before = FIRST_BACKOFF_S, 0.0
        except (*BROKEN, StoreAway) as error:
            await self.drop()
            why = f"Redis does not answer: {str(error) or 'timed out'}"
            replies += [StoreAway(why) for _ in range(len(commands) - len(replies))]
        if not clean and any(isinstance(reply, DEMOTED) for reply in replies):
            # This server is no longer the master; its host name may lead to the new one by now.
            await self.drop()
        return replies, clean

    async def _repeat(
        self,
        protocol: RedisProtocol,
        commands: Sequence[bytes],
        replies: list[Reply],
        until: float,
    ) -> None:
        """Load the scripts again and repeat the commands that failed because they were flushed."""
        lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if lost:
            # An act after a lost one was answered STALE, and was so at that time.
            await self._pipeline(protocol, self._preamble, [], until)
            again: list[Reply] = []
            await self._pipeline(protocol, [commands[i] for i in lost], again, until)
            for i, reply in zip(lost, again, strict=True):
                replies[i] = reply

    async def _connect(self, until: float) -> RedisProtocol:
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise StoreAway("the last attempt was just now")
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)
        async with asyncio.timeout_at(until):
            protocol = await RedisProtocol.open(self._address, self._receive, self._lose)
        try:
            await self._pipeline(protocol, self._preamble, [], until)
        except BaseException:
            await protocol.close()
            raise
        self._protocol = protocol
        return protocol

    async def drop(self) -> None:
        """Disconnect; the next exchange connects again."""
        if self._protocol is not None:
            protocol, self._protocol = self._protocol, None
            await protocol.close()

    async def _pipeline(
        self,
        protocol: RedisProtocol,
        commands: Sequence[bytes],
        replies: list[Reply],
        until: float,
    ) -> bool:
        """Append the replies; return whether no error is among them.

        Raises:
            TimeoutError: not all replies have come at `until`, by the loop's time.
        """
        if not commands:
            return True
        answered = asyncio.get_running_loop().create_future()
        batch = self._batch = _Batch(replies, len(replies) + len(commands), answered)
        try:
            protocol.send(commands)
            await _wait(answered, until)
        finally:
            self._batch = None
        return batch.clean

    def _receive(self, reply: Reply) -> None:
        """Take a reply to the batch under way.

        Raises:
            StoreAway: it replies to no command, so the connection is out of step.
        """
        batch = self._batch
        if batch is None or len(batch.replies) == batch.size:
            raise StoreAway("a reply to no command")
        batch.replies.append(reply)
        if isinstance(reply, ResponseError):
            batch.clean = False
        if len(batch.replies) == batch.size and not batch.answered.done():
            batch.answered.set_result(None)

    def _lose(self, error: Exception) -> None:
        """Fail the batch under way; the next one connects again."""
        batch = self._batch
        if batch is not None and not batch.answered.done():
            batch.answered.set_exception(error)


async def _wait(answered: asyncio.Future[None], until: float) -> None:
    """Wait for the replies to a batch, until a time of the loop.

    Raises:
        TimeoutError: the replies have not come in time.
    """
    # A timer of our own: `asyncio.wait` costs more than Redis does for a batch of one act.
    timer = asyncio.get_running_loop().call_at(until, _expire, answered, 2)
    try:
        await answered
    finally:
        timer.cancel()


def _expire(answered: asyncio.Future[None], turns: int) -> None:
    """Fail a wait after some more turns of the loop.

    It may be this process that stood still: then the replies are here, but not read yet.
    """
    if answered.done():
        return
    if turns:
        asyncio.get_running_loop().call_soon(_expire, answered, turns - 1)
    else:
        answered.set_exception(TimeoutError())
