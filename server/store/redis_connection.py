"""One connection to one Redis, which exchanges one batch of commands at a time.

Law: an exchange returns exactly one reply for each command. The reply to a command that Redis did
not answer is StoreAway. An error that Redis answered is returned unchanged; `to_store_error`
translates it into an error of the store.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
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
class Batch:
    """Commands under way; `on_done` is called once, with the reason if replies are missing."""

    replies: list[Reply]
    size: int
    on_done: "Callable[[Batch, Exception | None], None]"
    clean: bool = True
    """Whether no error is among the replies."""


class RedisConnection:
    """A connection that reconnects whenever it breaks; `preamble` is sent on each new one."""

    def __init__(self, address: Address, preamble: Sequence[bytes] = ()) -> None:
        self._address = address
        self._reply_s = address.reply_s
        self._preamble = preamble
        self._protocol: RedisProtocol | None = None
        self._batch: Batch | None = None
        self._until = 0.0  # when the batch under way has taken too long, by the loop's time
        self._timer: asyncio.Handle | None = None
        self._pause = FIRST_BACKOFF_S
        self._not_before = 0.0

    @property
    def ready(self) -> bool:
        """Whether a batch can be sent at once."""
        return self._protocol is not None and not self._protocol.lost

    def start(
        self, commands: Sequence[bytes], on_done: Callable[[Batch, Exception | None], None]
    ) -> None:
        """Send a batch; the connection must be `ready`, and no batch under way.

        `on_done` is called in the call that receives the last reply. Unless all replies are there
        and clean, the caller must complete them with `repair` before the next batch.
        """
        assert self._protocol is not None, "the connection is ready"
        until = asyncio.get_running_loop().time() + self._reply_s
        batch = Batch([], len(commands), on_done)
        try:
            self._send(self._protocol, commands, batch, until)
        except (*BROKEN, StoreAway) as error:
            on_done(batch, error)

    async def exchange(self, commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        """Return the replies to a batch, and whether no error is among them; connect if needed.

        Commands that Redis does not answer within the address's `reply_s` get StoreAway.
        Cancelling may leave the connection out of step; the caller must then `drop` it.
        """
        replies: list[Reply] = []
        try:
            if self._protocol is not None and self._protocol.lost:
                await self.drop()  # no command of this batch was sent yet
            until = asyncio.get_running_loop().time() + self._reply_s
            protocol = self._protocol or await self._connect(until)
            clean = await self._pipeline(protocol, commands, replies, until)
        except (*BROKEN, StoreAway) as error:
            await self.repair(commands, replies, error)
            return replies, False
        self._pause, self._not_before = FIRST_BACKOFF_S, 0.0
        if not clean:
            await self.repair(commands, replies)
        return replies, clean

    async def repair(
        self, commands: Sequence[bytes], replies: list[Reply], error: Exception | None = None
    ) -> None:
        """Complete the replies to a batch that are not all there and clean.

        `error` is the reason if some are missing. Cancelling has the effect of `exchange`'s.
        """
        try:
            if error is None:
                await self._repeat(commands, replies)
        except (*BROKEN, StoreAway) as broken:
            error = broken
        if error is not None:
            why = f"Redis does not answer: {str(error) or 'timed out'}"
            replies += [StoreAway(why) for _ in range(len(commands) - len(replies))]
        # A server that is no longer the master: its host name may lead to the new one by now.
        if error is not None or any(isinstance(reply, DEMOTED) for reply in replies):
            await self.drop()

    async def _repeat(self, commands: Sequence[bytes], replies: list[Reply]) -> None:
        """Load the scripts again and repeat the commands that failed because they were flushed."""
        lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if lost:
            # An act after a lost one was answered STALE, and was so at that time.
            until = asyncio.get_running_loop().time() + self._reply_s
            if self._protocol is None:
                raise StoreAway("the connection is lost")
            await self._pipeline(self._protocol, self._preamble, [], until)
            again: list[Reply] = []
            await self._pipeline(self._protocol, [commands[i] for i in lost], again, until)
            for i, reply in zip(lost, again, strict=True):
                replies[i] = reply

    async def _connect(self, until: float) -> RedisProtocol:
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise StoreAway("the last attempt was just now")
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)
        async with asyncio.timeout_at(until):
            protocol = await RedisProtocol.open(self._address, self._receive, self._end)
        try:
            await self._pipeline(protocol, self._preamble, [], until)
        except BaseException:
            await protocol.close()
            raise
        self._protocol = protocol
        return protocol

    async def drop(self) -> None:
        """Disconnect; the next exchange connects again."""
        self._batch = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
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
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        batch = Batch(replies, len(replies) + len(commands), partial(_settle, answered))
        try:
            self._send(protocol, commands, batch, until)
            await answered
        finally:
            self._batch = None
        return batch.clean

    def _send(
        self, protocol: RedisProtocol, commands: Sequence[bytes], batch: Batch, until: float
    ) -> None:
        """Send the commands of a batch, whose replies must come until then."""
        protocol.send(commands)
        self._batch, self._until = batch, until
        # One timer for many batches: to set and cancel one for each costs more than Redis does.
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(until, self._check_time, 2)

    def _check_time(self, turns: int) -> None:
        """Fail the batch under way some turns of the loop after its time.

        It may be this process that stood still: then the replies are here, but not read yet.
        """
        self._timer = None
        if self._batch is None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._until:  # another batch than that for which the timer was set
            self._timer = loop.call_at(self._until, self._check_time, 2)
        elif turns:
            self._timer = loop.call_soon(self._check_time, turns - 1)
        else:
            self._end(TimeoutError())

    def _receive(self, reply: Reply) -> None:
        """Take a reply to the batch under way.

        Raises:
            StoreAway: it replies to no command, so the connection is out of step.
        """
        batch = self._batch
        if batch is None:
            raise StoreAway("a reply to no command")
        batch.replies.append(reply)
        if isinstance(reply, ResponseError):
            batch.clean = False
        if len(batch.replies) == batch.size:
            self._end(None)

    def _end(self, error: Exception | None) -> None:
        """End the batch under way, if there is one."""
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.on_done(batch, error)


def _settle(answered: asyncio.Future[None], _batch: Batch, error: Exception | None) -> None:
    """End the wait for a batch, which may have been cancelled."""
    if answered.done():
        return
    if error is None:
        answered.set_result(None)
    else:
        answered.set_exception(error)
