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

import structlog
from redis.exceptions import MovedError, RedisError

from server import metrics
from server.store.address import Address
from server.store.batch_exchange import Reply
from server.store.command_queue import CommandQueue, deliver
from server.store.errors import StoreError
from server.store.packed_commands import Word, pack
from server.store.redirections import Entry, Redirects, follow_asks, report, to_resend
from server.store.redis_connection import FIRST_BACKOFF_S, RedisConnection, to_store_error
from server.store.slots import NO_SLOT
from server.store.watched_tasks import WatchedTasks

log = structlog.get_logger(__name__)

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
