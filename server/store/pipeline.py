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
from collections import deque
from collections.abc import Callable, Collection, Sequence
from functools import partial

import structlog
from redis.exceptions import MovedError, RedisError

from server import metrics
from server.store.address import Address
from server.store.errors import StoreAway, StoreError
from server.store.redirections import (
    Entry,
    OnReply,
    Redirects,
    follow_asks,
    report,
    to_resend,
)
from server.store.redis_connection import (
    FIRST_BACKOFF_S,
    Batch,
    RedisConnection,
    Reply,
    Word,
    pack,
    to_store_error,
)
from server.store.slots import NO_SLOT

log = structlog.get_logger(__name__)

MAX_BATCH = 512
"""Commands in a batch, at most: the first of them waits for the last."""
MAX_QUEUED = 65_536
"""Commands in the queue, at most: when Redis is stuck, further ones are refused in their turn."""
REFUSED = b""
"""The placeholder for a command that is not sent."""


class Pipeline:
    """A queue of commands to one Redis, and its connection.

    `preamble` is sent on each new connection.
    """

    def __init__(
        self,
        address: Address,
        preamble: Sequence[bytes] = (),
        redirects: Redirects | None = None,
        *,
        max_batch: int = MAX_BATCH,
        max_queued: int = MAX_QUEUED,
    ) -> None:
        self.address = address
        self._redirects = redirects
        self._max_batch, self._max_queued = max_batch, max_queued
        self._connection = RedisConnection(address, preamble)
        self._waiting: deque[Entry] = deque()
        self._under_way: list[Entry] = []
        self._idle_callbacks: list[Callable[[], None]] = []
        # The replies to the batch under way, if it has failed, and the reason if some are missing.
        self._failed: tuple[list[Reply], Exception | None] | None = None
        # Whether a batch is under way, or will be sent in the next turn of the loop.
        self._busy = False
        self._closing = False
        self._has_refused = False  # whether the queue may contain a refused command
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()  # the task does what takes more than sending a batch
        self._task = self._loop.create_task(self._run(), name="redis pipeline")

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command.

        `on_reply` is called with the reply, or with a StoreError, in a later turn of the loop. A
        command with a slot follows this slot through the cluster. When the queue is full or the
        pipeline is closed, `on_reply` gets StoreAway, but only after the earlier commands are
        answered. The queue itself is not bounded: callers must limit how many replies they wait
        for.
        """
        if self._task.done():
            asyncio.get_running_loop().call_soon(_deliver, on_reply, StoreAway("Closed."))
            return
        if self._closing or len(self._waiting) >= self._max_queued:
            command = REFUSED
            self._has_refused = True
        self._waiting.append((command, on_reply, slot, 0.0))
        self._send_soon()

    async def ask(self, command: bytes, slot: int = NO_SLOT) -> Reply:
        """Return the reply to a packed command; cancelling does not recall the command.

        Raises:
            StoreAway: Redis did not answer; the command may have been executed or not.
        """
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(command, partial(settle, future), slot)
        return await future

    async def call(self, *words: Word) -> Reply:
        """Pack a command, send it to this Redis, and return the reply; see `ask`."""
        return await self.ask(pack(*words))

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Call `callback` when no batch is under way: now, or after the current batch."""
        if self._under_way:
            self._idle_callbacks.append(callback)
        else:
            callback()

    def extract(self, slots: Collection[int]) -> list[Entry]:
        """Remove the queued commands of these slots and return them.

        The caller must run within `when_idle`.
        """
        extracted = [entry for entry in self._waiting if entry[2] in slots]
        if extracted:
            self._waiting = deque(entry for entry in self._waiting if entry[2] not in slots)
        return extracted

    def enqueue(self, entry: Entry) -> None:
        """Queue a command that was extracted from another pipeline."""
        if self._task.done():
            _deliver(entry[1], StoreAway("Closed."))
            return
        self._has_refused = self._has_refused or entry[0] == REFUSED
        self._waiting.append(entry)
        self._send_soon()

    def shut_down(self) -> None:
        """Refuse new commands, send the queued ones, and disconnect after their replies."""
        self._closing = True
        self._send_soon()

    async def close(self) -> None:
        """Shut down, and wait for the replies to queued commands; cancelling disconnects."""
        self.shut_down()
        try:
            await self._task
        finally:
            self._task.cancel()

    def _send_soon(self) -> None:
        """Send a batch in the next turn of the loop: commands of this turn go together."""
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._send)

    def _send(self) -> None:
        """Send the next batch, or wake the task if more than that is to be done."""
        if not self._can_send:
            self._wake.set()
        elif self._waiting:
            self._under_way = batch = self._next_batch(len(self._waiting))
            self._connection.start([entry[0] for entry in batch], self._replied)
        else:
            self._busy = False

    @property
    def _can_send(self) -> bool:
        """Whether the next batch takes no more than sending it."""
        return not self._closing and not self._has_refused and self._connection.ready

    def _replied(self, batch: Batch, error: Exception | None) -> None:
        """Answer the commands of a batch, or wake the task if the replies have errors."""
        if error is not None or not batch.clean:
            self._failed = (batch.replies, error)
            self._wake.set()
            return
        self._answer(batch.replies)
        self._send_next()

    def _send_next(self) -> None:
        if self._waiting or self._closing:
            self._loop.call_soon(self._send)
        else:
            self._busy = False

    def _next_batch(self, size: int) -> list[Entry]:
        return [self._waiting.popleft() for _ in range(min(size, self._max_batch))]

    def _answer(self, replies: list[Reply]) -> None:
        """Deliver clean replies to the batch under way."""
        batch, self._under_way = self._under_way, []
        for (_, on_reply, _, _), reply in zip(batch, replies, strict=True):
            _deliver(on_reply, reply)
        self._run_idle_callbacks()

    async def _run(self) -> None:
        """Do what takes more than sending a batch: connect, refuse, repair, close."""
        try:
            while self._waiting or self._under_way or not self._closing:
                await self._wake.wait()
                self._wake.clear()
                if self._failed is not None:
                    (replies, error), self._failed = self._failed, None
                    batch = self._under_way
                    await self._connection.repair([entry[0] for entry in batch], replies, error)
                    await self._fail(batch, replies)
                while self._waiting and not self._can_send:
                    await self._exchange()
                self._send_next()
        finally:
            unanswered = [*self._under_way, *self._waiting]
            self._under_way = []
            self._waiting.clear()
            for _, on_reply, *_ in unanswered:
                _deliver(on_reply, StoreAway("Closed."))
            await self._connection.drop()

    async def _exchange(self) -> None:
        """Refuse the commands at the head of the queue, and exchange a batch of the next ones."""
        size = self._refuse() if self._has_refused else len(self._waiting)
        if not size:
            return
        batch = self._under_way = self._next_batch(size)
        replies, clean = await self._connection.exchange([entry[0] for entry in batch])
        if clean:
            self._answer(replies)
        else:
            await self._fail(batch, replies)

    def _refuse(self) -> int:
        """Answer refused commands at the head of the queue; return the number before the next."""
        while self._waiting and self._waiting[0][0] == REFUSED:
            why = "Closed." if self._closing else "Redis has too much to do."
            _deliver(self._waiting.popleft()[1], StoreAway(why))
        for before, entry in enumerate(self._waiting):
            if entry[0] == REFUSED:
                return before
        self._has_refused = False
        return len(self._waiting)

    async def _fail(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Handle a batch with errors: answer what is settled and queue the rest again."""
        if self._redirects is not None:
            await follow_asks(self._redirects, self.address, batch, replies)
        self._under_way = []
        again = to_resend(batch, replies)
        self._waiting.extendleft(reversed(again.values()))
        for i, (entry, reply) in enumerate(zip(batch, replies, strict=True)):
            if i not in again:
                if isinstance(reply, RedisError | StoreError):
                    metrics.store_errors.inc()
                _deliver(
                    entry[1], to_store_error(reply) if isinstance(reply, RedisError) else reply
                )
        if self._redirects is not None:
            report(self._redirects, self.address, replies)
        self._run_idle_callbacks()
        if any(batch[i][3] or not isinstance(replies[i], MovedError) for i in again):
            await asyncio.sleep(FIRST_BACKOFF_S)

    def _run_idle_callbacks(self) -> None:
        if self._idle_callbacks:
            callbacks, self._idle_callbacks = self._idle_callbacks, []
            for callback in callbacks:
                callback()


def _deliver(on_reply: OnReply, reply: Reply) -> None:
    try:
        on_reply(reply)
    except Exception:
        # A bug in one callback must not keep replies from the next ones.
        log.exception("an answer of Redis was not taken")


def settle(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Set a reply as the result or exception of a future that may have been cancelled."""
    if future.done():
        return
    if isinstance(reply, StoreError):
        future.set_exception(reply)
    else:
        future.set_result(reply)
