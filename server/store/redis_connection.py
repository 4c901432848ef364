"""One connection to one Redis, which exchanges one batch of commands at a time.

Law: an exchange returns exactly one reply for each command. The reply to a command that Redis did
not answer is StoreAway. An error that Redis answered is returned unchanged; `to_store_error`
translates it into an error of the store.
"""

import asyncio
from collections.abc import Sequence
from functools import partial

import structlog
from redis.exceptions import (
    AskError,
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)

from server.store.address import BROKEN, Address, hang_up
from server.store.batch_exchange import Batch, BatchExchange, Reply
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable
from server.store.redis_protocol import RedisProtocol

log = structlog.get_logger(__name__)

FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 0.02, 0.5
"""The backoff after a failed connection, doubled each time; commands fail at once meanwhile."""
# The errors of a cluster node that has certainly not executed a command, while another node may,
# or the same node a little later. MovedError is an AskError.
REDIRECTIONS = (AskError, TryAgainError, ClusterDownError)
# The errors of a server that has become a replica, or has lost its master.
DEMOTED = (ReadOnlyError, MasterDownError)
LATER = (*REDIRECTIONS, ReadOnlyError, NoScriptError)
LATER_PREFIXES = ("MISCONF", "NOREPLICAS", "BUSY")


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
        meaning = StoreError(f"Redis refuses a command: {error}")
    meaning.__cause__ = error
    return meaning


class RedisConnection:
    """A connection that reconnects whenever it breaks; `preamble` is sent on each new one."""

    def __init__(self, address: Address, preamble: Sequence[bytes] = ()) -> None:
        self._address = address
        self._preamble = preamble
        self.batches = BatchExchange(address.reply_s)
        """The exchange over the open connection; the caller may start batches there itself."""
        self._pause = FIRST_BACKOFF_S
        self._not_before = 0.0
        self._why = "The last attempt was just now."

    async def exchange(self, commands: Sequence[bytes]) -> tuple[list[Reply], bool]:
        """Return the replies to a batch, and whether no error is among them; connect if needed.

        Commands that Redis does not answer within the address's `reply_s` get StoreAway.
        Cancelling may leave the connection out of step; the caller must then `drop` it.
        """
        replies: list[Reply] = []
        try:
            if self.batches.protocol is not None and self.batches.protocol.lost:
                await self.drop()  # no command of this batch was sent yet
            until = asyncio.get_running_loop().time() + self.batches.reply_s
            protocol = self.batches.protocol or await self._connect(until)
            clean = await self._pipeline(protocol, commands, replies, until)
        except Exception as error:  # noqa: BLE001  # any error breaks the connection
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
        except Exception as broken:  # noqa: BLE001  # any error breaks the connection
            error = broken
        if error is not None:
            why = self._why = _reason(error)
            replies += [StoreAway(why) for _ in range(len(commands) - len(replies))]
        # A server that is no longer the master: its host name may lead to the new one by now.
        if error is not None or any(isinstance(reply, DEMOTED) for reply in replies):
            await self.drop()

    async def _repeat(self, commands: Sequence[bytes], replies: list[Reply]) -> None:
        """Load the scripts again and repeat the commands that failed because they were flushed."""
        lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if lost:
            # An act after a lost one was answered STALE, and was so at that time.
            until = asyncio.get_running_loop().time() + self.batches.reply_s
            if self.batches.protocol is None:
                raise StoreAway("the connection is lost")
            await self._pipeline(self.batches.protocol, self._preamble, [], until)
            again: list[Reply] = []
            await self._pipeline(self.batches.protocol, [commands[i] for i in lost], again, until)
            for i, reply in zip(lost, again, strict=True):
                replies[i] = reply

    async def _connect(self, until: float) -> RedisProtocol:
        """Open the connection and send the preamble, unless the last attempt was just now."""
        now = asyncio.get_running_loop().time()
        if now < self._not_before:
            raise StoreAway(self._why)
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)
        async with asyncio.timeout_at(until):
            protocol = await self._address.open(self.batches.receive, self.batches.end)
        try:
            await self._pipeline(protocol, self._preamble, [], until)
        except BaseException:
            await hang_up(protocol.stop())
            raise
        self.batches.protocol = protocol
        return protocol

    async def drop(self) -> None:
        """Disconnect; the next exchange connects again."""
        self.batches.stop()
        if self.batches.protocol is not None:
            protocol, self.batches.protocol = self.batches.protocol, None
            await hang_up(protocol.stop())

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
            self.batches.begin(protocol, commands, batch, until)
            await answered
        finally:
            self.batches.forget()
        return batch.clean


def _reason(error: Exception) -> str:
    """Return a sentence about a lost or refused connection; never a secret."""
    if isinstance(error, StoreAway):
        return str(error)
    if isinstance(error, AuthenticationError):
        return f"Redis asks for a password: {error}"
    if not isinstance(error, BROKEN):
        log.error("the connection to the store is made anew", exc_info=error)
        return "the connection failed"
    return f"Redis does not answer: {str(error) or 'timed out'}"


def _settle(answered: asyncio.Future[None], _batch: Batch, error: Exception | None) -> None:
    """End the wait for a batch, which may have been cancelled."""
    if answered.done():
        return
    if error is None:
        answered.set_result(None)
    else:
        answered.set_exception(error)
