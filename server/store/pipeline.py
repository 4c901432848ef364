"""The pipeline of commands to one Redis, which are sent in batches, one batch at a time.

Commands that are queued while a batch is under way are sent together in the next one. This is the
group commit, and it makes acts cheap: redis-py needs more time for one call than Redis does.

Law: every command is answered exactly once, by Redis or with StoreAway. Commands of one slot are
answered in the order of sending, even if the slot moves to another node meanwhile. Therefore all
unanswered commands of a slot are in one pipeline, and leave it only between two batches. A node
that changes within a batch may execute a command after it has redirected an earlier one: then the
earlier one is answered with StoreAway, and an act behind it is `STALE`, by the length of its log.
A caller that is cancelled while it waits for a reply cannot put the connection out of step.
"""

import asyncio
import contextlib
from asyncio import Task
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from functools import partial
from typing import Any

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
from server.store.connection import NO_SLOT, CommandQueue, Entry, Reply, Word, deliver, pack
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable

Redirect = Callable[[Address, list[Entry], list[Reply]], Awaitable[dict[int, Entry]]]
"""Follow the redirections in the replies of a Redis to a batch, which may be replaced.

The result has the commands that go again, by their places.
"""

log = structlog.get_logger(__name__)

MAX_BATCH = 512  # commands in a batch, at most: the first of them waits for the last
MAX_QUEUED = 65_536
"""Commands in the queue, at most: when Redis is stuck, further ones are refused in their turn."""
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


class TaskDied(StoreError):  # noqa: N818  # an event, as its readers call it
    """A task of the store has died by an error, which is the cause."""


class WatchedTasks:
    """The tasks behind the connections of a store, of which none may die unnoticed.

    A process without one of them would refuse commands, or miss notifications, for ever. So it
    logs the death and ends, and its supervisor starts another one.
    """

    def __init__(self) -> None:
        self._first: TaskDied | None = None
        self._died = asyncio.Event()

    def start(self, work: Coroutine[Any, Any, None], name: str) -> Task[None]:
        """Run `work` in a task."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        task.add_done_callback(self._ended)
        return task

    async def watch(self) -> None:
        """Wait until a task dies, which may be never.

        Raises:
            TaskDied: a task has died.
        """
        await self._died.wait()
        assert self._first is not None, "a task has died"
        raise self._first

    def _ended(self, task: Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is None:
            return
        log.critical("a task has died", task=task.get_name(), exc_info=error)
        if self._first is None:
            self._first = TaskDied(f"The task {task.get_name()!r} has died.")
            self._first.__cause__ = error
        self._died.set()


async def none_again(_by: Address, _batch: list[Entry], _replies: list[Reply]) -> dict[int, Entry]:
    """Send no command again, as is right for a Redis alone."""
    return {}


class Pipeline:
    """A queue of commands to one Redis, and its connection, which is made anew when it breaks.

    `preamble` is sent on each new connection. `redirect` handles the replies to a batch that has
    errors.
    """

    def __init__(
        self,
        address: Address,
        preamble: Sequence[bytes] = (),
        redirect: Redirect = none_again,
        *,
        max_batch: int = MAX_BATCH,
        max_queued: int = MAX_QUEUED,
        tasks: WatchedTasks | None = None,
    ) -> None:
        self.address = address
        self._preamble = preamble
        self._redirect = redirect
        self._wake = asyncio.Event()  # the task does what takes more than sending a batch
        self._queue = CommandQueue(self._wake.set, address.reply_s, max_batch, max_queued)
        self.send = self._queue.send
        """Queue a packed command; see `CommandQueue.send`. Acts come here without another call."""
        # What a move of slots does with the queue of this pipeline.
        self.when_idle, self.extract = self._queue.when_idle, self._queue.extract
        self.enqueue = self._queue.enqueue
        self._pause = FIRST_BACKOFF_S
        self._not_before = 0.0  # when the next attempt to connect may be made, by the loop's time
        self._why = "The last attempt was just now."
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
        """Do what takes more than sending a batch: connect, repair, close."""
        queue = self._queue
        try:
            while queue or queue.under_way or not queue.closing:
                await self._wake.wait()
                self._wake.clear()
                try:
                    if queue.failed is not None:
                        await self._repair(*queue.failed)
                    while queue and not queue.is_connected:
                        await self._connect()
                except Exception:
                    log.exception("a connection to the store is made anew")
                    await self._disconnect()
                    queue.abandon("the connection is lost")
                    await asyncio.sleep(FIRST_BACKOFF_S)
                queue.send_next()
        finally:
            queue.close()
            await self._disconnect()

    async def _connect(self) -> None:
        """Connect; if that fails, answer a batch with StoreAway."""
        try:
            await self._open()
        except Exception as error:  # noqa: BLE001  # any error breaks the connection
            await self._disconnect()
            self._why = _reason(error)
            batch = self._queue.take_batch()
            await self._fail(batch, [StoreAway(self._why) for _ in batch])

    async def _open(self) -> None:
        """Open a connection and send the preamble, unless the last attempt was just now.

        Raises:
            StoreAway, or the errors of a broken connection: there is none.
        """
        queue = self._queue
        await self._disconnect()  # from one that was lost while it was idle
        now = asyncio.get_running_loop().time()
        if queue.has_answered:
            queue.has_answered, self._pause, self._not_before = False, FIRST_BACKOFF_S, 0.0
        if now < self._not_before:
            raise StoreAway(self._why)
        self._not_before = now + self._pause
        self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)
        queue.protocol = await self.address.open(queue.receive, queue.end)
        await self._exchange(self._preamble)

    async def _disconnect(self) -> None:
        connection = self._queue.disconnect()
        if connection is not None:
            await hang_up(connection)

    async def _exchange(self, commands: Sequence[bytes]) -> list[Reply]:
        """Return the replies to commands, while no batch is sent.

        Raises:
            StoreAway, or the errors of a broken connection: some replies are missing.
        """
        answered: asyncio.Future[list[Reply]] = asyncio.get_running_loop().create_future()

        def on_done(replies: list[Reply], _: bool, error: Exception | None) -> None:  # noqa: FBT001  # as `OnDone`
            if answered.done():
                return  # the wait was cancelled
            if error is None:
                answered.set_result(replies)
            else:
                answered.set_exception(error)

        self._queue.exchange(commands, on_done)
        return await answered

    async def _repair(self, replies: list[Reply], error: Exception | None) -> None:
        """Complete the replies to the batch under way, which has errors or misses some."""
        batch = self._queue.under_way
        try:
            if error is None:
                await self._repeat(batch, replies)
        except Exception as broken:  # noqa: BLE001  # any error breaks the connection
            error = broken
        if error is not None:
            why = self._why = _reason(error)
            replies += [StoreAway(why) for _ in range(len(batch) - len(replies))]
        # A server that is no longer the master: its host name may lead to the new one by now.
        if error is not None or any(isinstance(reply, DEMOTED) for reply in replies):
            await self._disconnect()
        await self._fail(batch, replies)

    async def _repeat(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Load the scripts again and repeat the commands that failed because they were flushed."""
        lost = [i for i, reply in enumerate(replies) if isinstance(reply, NoScriptError)]
        if lost:
            # Scripts alone are lost, and acts are none: no act is stored behind a later one.
            await self._exchange(self._preamble)
            again = await self._exchange([batch[i][0] for i in lost])
            for i, reply in zip(lost, again, strict=True):
                replies[i] = reply

    async def _fail(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Handle a batch with errors: answer some commands, and queue the others again.

        Commands that the cluster has certainly not executed are queued again, for a short time,
        unless a later one of their slot is answered. All others are answered.
        """
        again = await self._redirect(self.address, batch, replies)
        self._queue.end_batch(again.values())
        for i, (entry, reply) in enumerate(zip(batch, replies, strict=True)):
            if i not in again:
                if isinstance(reply, RedisError | StoreError):
                    metrics.store_errors.inc()
                deliver(
                    entry[1], to_store_error(reply) if isinstance(reply, RedisError) else reply
                )
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
