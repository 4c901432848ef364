"""The pipeline of commands to one Redis, which are sent in batches, one batch at a time.

Commands that are queued while a batch is under way are sent together in the next one. This is the
group commit, and it makes acts cheap: redis-py needs more time for one call than Redis does.

Law: every command is answered exactly once, by Redis or with StoreAway. Commands of one slot are
answered in the order of sending, even if the slot moves to another node meanwhile. Therefore all
unanswered commands of a slot are in one pipeline, and leave it only between two batches. A node
that changes within a batch may execute a command after it has redirected an earlier one: then the
earlier one is answered with StoreAway, and an act behind it is `STALE` by the fence. A caller that
is cancelled while it waits for a reply cannot put the connection out of step.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Sequence
from functools import partial
from typing import Protocol

import structlog
from redis.exceptions import (
    AskError,
    AuthenticationError,
    ClusterDownError,
    MasterDownError,
    MovedError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisError,
    TryAgainError,
)

from server import metrics
from server.store.address import BROKEN, Address, hang_up
from server.store.connection import (
    NO_SLOT,
    Batch,
    BatchExchange,
    CommandQueue,
    Entry,
    RedisProtocol,
    Reply,
    Word,
    deliver,
    pack,
)
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable
from server.store.watched_tasks import WatchedTasks

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


# Replies of a node that may no longer be a master.
FAILOVER_SIGNS = (StoreAway, ClusterDownError, ReadOnlyError)
REDIRECTION_SECONDS = 1.0
"""Time for which a command is sent again that the cluster has certainly not executed."""


class Redirects(Protocol):
    """The pipeline's access to the other nodes of a cluster."""

    def request_refresh(self) -> None:
        """Request a new map of the slots, because a node is gone or the cluster has changed."""

    def moved(self, by: Address, error: MovedError) -> None:
        """Handle a node's reply that another node owns a slot."""

    async def follow_ask(self, by: Address, error: AskError, command: bytes) -> Reply:
        """Return the reply of the node to which the slot is being moved."""


async def follow_asks(
    redirects: Redirects, by: Address, batch: list[Entry], replies: list[Reply]
) -> None:
    """Replace each ASK redirection by the reply of the node that it names.

    A redirection behind a command of its slot that goes again stays, and goes again too: followed,
    it would overtake that command.
    """
    places: list[int] = []
    held_up = {NO_SLOT}
    for i, (reply, (_, _, slot, _)) in enumerate(zip(replies, batch, strict=True)):
        if slot in held_up:
            continue
        if type(reply) is AskError:
            places.append(i)
        elif isinstance(reply, REDIRECTIONS):
            held_up.add(slot)
    # The pipeline sends nothing else meanwhile: a later command could overtake these.
    answers = await asyncio.gather(
        *(redirects.follow_ask(by, replies[i], batch[i][0]) for i in places)
    )
    for i, answer in zip(places, answers, strict=True):
        replies[i] = answer


def report(redirects: Redirects, by: Address, replies: list[Reply]) -> None:
    """Report slots that have moved, and signs of a failover, to the pipeline's owner."""
    moved = {reply.slot_id: reply for reply in replies if isinstance(reply, MovedError)}
    for reply in moved.values():
        redirects.moved(by, reply)
    if any(isinstance(reply, FAILOVER_SIGNS) for reply in replies):
        redirects.request_refresh()


def to_resend(batch: list[Entry], replies: list[Reply]) -> dict[int, Entry]:
    """Return by place, in order, the commands that were certainly not executed and go again."""
    now = asyncio.get_running_loop().time()
    again: dict[int, Entry] = {}
    settled = {NO_SLOT}
    for i, (command, on_reply, slot, until) in reversed(list(enumerate(batch))):
        # A command before a settled one would be answered after it, so it is not sent again.
        if (
            slot not in settled
            and isinstance(replies[i], REDIRECTIONS)
            and now < (until or now + 1)
        ):
            again[i] = (command, on_reply, slot, until or now + REDIRECTION_SECONDS)
        else:
            settled.add(slot)
    return dict(reversed(again.items()))


MAX_BATCH = 512  # commands in a batch, at most: the first of them waits for the last
MAX_QUEUED = 65_536
"""Commands in the queue, at most: when Redis is stuck, further ones are refused in their turn."""


class Pipeline:
    """A queue of commands to one Redis, and its connection; a new one begins with `preamble`."""

    def __init__(
        self,
        address: Address,
        preamble: Sequence[bytes] = (),
        redirects: Redirects | None = None,
        *,
        max_batch: int = MAX_BATCH,
        max_queued: int = MAX_QUEUED,
        tasks: WatchedTasks | None = None,
    ) -> None:
        self.address = address
        self._redirects = redirects
        self._connection = RedisConnection(address, preamble)
        self._wake = asyncio.Event()  # the task does what takes more than sending a batch
        self._queue = CommandQueue(self._connection.batches, self._wake.set, max_batch, max_queued)
        self.send = self._queue.send
        """Queue a packed command; see `CommandQueue.send`. Acts come here without another call."""
        # What a move of slots does with the queue of this pipeline.
        self.when_idle, self.extract = self._queue.when_idle, self._queue.extract
        self.enqueue = self._queue.enqueue
        self._task = (tasks or WatchedTasks()).start(self._run(), "redis pipeline")

    def ask(self, command: bytes, slot: int = NO_SLOT) -> Awaitable[Reply]:
        """Return the reply to a packed command; cancelling does not recall the command.

        Raises:
            StoreAway: Redis did not answer; the command may have been executed or not.
        """
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(command, partial(resolve, future), slot)
        return future

    async def call(self, *words: Word) -> Reply:
        """Pack a command, send it to this Redis, and return the reply; see `ask`."""
        return await self.ask(pack(*words))

    def shut_down(self) -> None:
        """Refuse new commands, send the queued ones, and disconnect after their replies."""
        self._queue.closing = True
        self._queue.send_soon()

    async def close(self) -> None:
        """Shut down, and wait for the replies to queued commands; cancelling disconnects."""
        self.shut_down()
        try:
            with contextlib.suppress(Exception):  # of a task that has died, which is logged
                await self._task
        finally:
            self._task.cancel()

    async def _run(self) -> None:
        """Do what takes more than sending a batch: connect, refuse, repair, close."""
        queue = self._queue
        try:
            while queue or queue.under_way or not queue.closing:
                await self._wake.wait()
                self._wake.clear()
                try:
                    if queue.failed is not None:
                        await self._repair(*queue.failed)
                    while queue and not queue.can_send:
                        await self._exchange()
                except Exception:
                    log.exception("a connection to the store is made anew")
                    await self._connection.drop()
                    queue.abandon("the connection is lost")
                    await asyncio.sleep(FIRST_BACKOFF_S)
                queue.send_next()
        finally:
            queue.close()
            await self._connection.drop()

    async def _repair(self, replies: list[Reply], error: Exception | None) -> None:
        """Handle the batch under way, which has failed."""
        batch, self._queue.failed = self._queue.under_way, None
        await self._connection.repair([entry[0] for entry in batch], replies, error)
        await self._fail(batch, replies)

    async def _exchange(self) -> None:
        """Refuse the commands at the head of the queue, and exchange a batch of the next ones."""
        batch = self._queue.next_batch()
        if not batch:
            return
        replies, clean = await self._connection.exchange([entry[0] for entry in batch])
        if clean:
            self._queue.answer(replies)
        else:
            await self._fail(batch, replies)

    async def _fail(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Handle a batch with errors: answer some commands, and queue the others again.

        Commands that the cluster has certainly not executed are queued again, for a short time,
        unless a later one of their slot is answered. All others are answered.
        """
        if self._redirects is not None:
            await follow_asks(self._redirects, self.address, batch, replies)
        again = to_resend(batch, replies)
        self._queue.under_way = []
        self._queue.put_back(again.values())
        for i, (entry, reply) in enumerate(zip(batch, replies, strict=True)):
            if i not in again:
                if isinstance(reply, RedisError | StoreError):
                    metrics.store_errors.inc()
                deliver(
                    entry[1], to_store_error(reply) if isinstance(reply, RedisError) else reply
                )
        if self._redirects is not None:
            report(self._redirects, self.address, replies)
        self._queue.run_idle_callbacks()
        # There is no pause if all of them were redirected for the first time.
        if any(batch[i][3] or not isinstance(replies[i], MovedError) for i in again):
            await asyncio.sleep(FIRST_BACKOFF_S)


def resolve(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Set a reply as the result or exception of a future that may have been cancelled."""
    if future.done():
        return
    if isinstance(reply, StoreError):
        future.set_exception(reply)
    else:
        future.set_result(reply)
