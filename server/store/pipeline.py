"""The pipeline of commands to one Redis. It sends one batch at a time; no coroutines.

Commands that are queued while a batch is under way go together in the next one. This group commit
makes acts cheap: redis-py spends more time on one call than Redis does.

Law: every command is sent at most once, and gets exactly one reply: Redis's, or a StoreAway.
Commands of one slot get their replies in the order of sending. When a slot moves, its commands get
a StoreAway here; as after a lost connection, a process then takes its seats again. Cancelling a
caller that waits for a reply cannot put the connection out of step.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Final

import structlog
from redis import exceptions
from redis.exceptions import NoScriptError, ReadOnlyError, RedisError, ResponseError

from server import metrics
from server.store.address import BROKEN, Address
from server.store.connection import OnReply, RedisProtocol, Reply
from server.store.errors import StoreAway, StoreError, StoreFull, Unreadable

# The packed command, the callback for the reply, and the slot. Each act needs one: keep it cheap.
Entry = tuple[bytes, OnReply, int]
OnErrors = Callable[[Address, Sequence[Reply]], None]

log = structlog.get_logger(__name__)

NO_SLOT: Final = -1  # the slot of a command without a key, or for one particular node
MAX_BATCH: Final = 512  # commands; the replies to a batch are delivered only once all have arrived
TURNS: Final = 2  # the event loop needs this many turns to read replies that have arrived
FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 0.02, 0.5
"""The backoff after a failed connection, doubled each time. Meanwhile commands fail at once."""
# Reconnect after these errors: the host name may lead to another master by now, and each new
# connection loads the scripts.
RECONNECT = (ReadOnlyError, exceptions.MasterDownError, NoScriptError)
CLUSTER_CHANGES = (exceptions.AskError, exceptions.TryAgainError, exceptions.ClusterDownError)
# After these errors, the same command may work a little later.
TRY_LATER = (*CLUSTER_CHANGES, ReadOnlyError, NoScriptError)
TRY_LATER_PREFIXES = ("MISCONF", "NOREPLICAS", "BUSY")


def to_store_error(error: RedisError) -> StoreError:
    """Translate an error reply of Redis into a StoreError with that error as its cause."""
    meaning: StoreError
    if isinstance(error, exceptions.OutOfMemoryError) or str(error).startswith("OOM"):
        meaning = StoreFull(f"Redis has no memory left: {error}")
    elif isinstance(error, TRY_LATER) or str(error).startswith(TRY_LATER_PREFIXES):
        meaning = StoreAway(f"Redis does not take it: {error}")
    elif str(error).startswith("WRONGTYPE"):
        meaning = Unreadable("a key of another type")
    else:
        meaning = StoreError(f"Redis refuses a command: {error}")
    meaning.__cause__ = error
    return meaning


class Pipeline:
    """A queue of commands to one Redis, with a connection that reconnects when it breaks.

    Each new connection sends the commands of `preamble` first. If a reply in a batch is an error,
    `on_errors` gets all replies to it, after their callbacks have run. A connection counts as lost
    if a batch takes longer than the address's `reply_s`. The queue is not bounded: callers must
    limit the replies they wait for.
    """

    def __init__(
        self, address: Address, preamble: Sequence[bytes] = (), on_errors: OnErrors | None = None
    ) -> None:
        self.address = address
        self._preamble: list[Entry] = [(command, ignore, NO_SLOT) for command in preamble]
        self._on_errors = on_errors
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Entry] = []  # commands that were not sent yet
        self._under_way: list[Entry] = []  # the batch that was sent
        self._replies: list[Reply] = []  # to the batch under way
        self._has_error = False  # whether one of these replies is an error
        self._deadline_s = 0.0  # of the batch under way, by the loop's time
        self._timer: asyncio.Handle | None = None  # calls `_check_time`
        self.is_busy = False  # a batch is under way or due, or a connection is being opened
        self._connecting: asyncio.Task[RedisProtocol] | None = None
        self._protocol: RedisProtocol | None = None
        self._backoff_s = FIRST_BACKOFF_S
        self._not_before_s = 0.0  # when to connect again at the earliest, by the loop's time
        self._why_lost = ""  # why the last connection was lost or could not be opened
        self._is_closed = False

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command; `slot` is the slot of its key, if it has a key.

        `on_reply` gets the reply or a StoreError, in a later turn of the loop. From a closed
        pipeline it gets a StoreAway.
        """
        if self._is_closed:
            self._loop.call_soon(deliver, on_reply, StoreAway("Closed."))
            return
        self._waiting.append((command, on_reply, slot))
        # Wait for the end of this turn of the loop, and send all its commands together.
        if not self.is_busy:
            self.is_busy = True
            self._loop.call_soon(self._send)

    def abandon(self, slots: Collection[int]) -> None:
        """Fail all commands of these slots, which have moved, whether they were sent or not."""
        # `entry[2]` is the slot of its command.
        abandoned = [entry for entry in (*self._under_way, *self._waiting) if entry[2] in slots]
        self._waiting = [entry for entry in self._waiting if entry[2] not in slots]
        ignored = b"", ignore, NO_SLOT  # the replies to commands under way still arrive
        self._under_way = [ignored if entry[2] in slots else entry for entry in self._under_way]
        for _, on_reply, _ in abandoned:
            deliver(on_reply, StoreAway("The slot is moving to another master."))

    def ask(self, command: bytes, slot: int = NO_SLOT) -> Awaitable[Reply]:
        """Send a command as `send` does, and return its reply as an awaitable.

        After a cancellation or a StoreAway, the command may have been executed.
        """
        future: asyncio.Future[Reply] = self._loop.create_future()
        self.send(command, partial(resolve, future), slot)
        return future

    def close(self) -> None:
        """Disconnect; fail the commands that wait for a reply, and all later ones."""
        self._is_closed = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._protocol is not None:
            self._protocol.stop()
        unanswered = self._under_way + self._waiting
        self._under_way, self._waiting = [], []
        for _, on_reply, _ in unanswered:
            deliver(on_reply, StoreAway("Closed."))

    def _send(self) -> None:
        """Send the next batch. Without a connection, open one, or fail during the backoff."""
        if not self._waiting:
            self.is_busy = False
        elif self._protocol is not None and not self._protocol.is_lost:
            batch = self._under_way = self._waiting[:MAX_BATCH]
            del self._waiting[:MAX_BATCH]
            self._replies, self._has_error = [], False
            self._deadline_s = self._loop.time() + self.address.reply_s
            # Keep an earlier batch's timer: one per batch would cost more than Redis does.
            if self._timer is None:
                self._timer = self._loop.call_at(self._deadline_s, self._check_time, TURNS)
            try:
                self._protocol.send([command for command, _, _ in batch])
            except Exception as error:  # noqa: BLE001  # any error breaks the connection
                self._protocol.lose(error)
        elif (now := self._loop.time()) < self._not_before_s:
            self._fail_waiting()
        else:
            self._not_before_s = now + self._backoff_s
            self._backoff_s = min(2 * self._backoff_s, LONGEST_BACKOFF_S)
            self._connecting = self._loop.create_task(self.address.open(self._receive, self._lose))
            self._connecting.add_done_callback(self._connected)

    def _connected(self, connecting: asyncio.Task[RedisProtocol]) -> None:
        """Send the preamble and the waiting commands on a new connection, or fail them."""
        self._connecting = None
        if connecting.cancelled():
            return
        error = connecting.exception()
        if error is None and self._is_closed:  # closed while it was being opened
            connecting.result().stop()
        elif error is None:
            self._protocol = connecting.result()
            self._waiting[:0] = self._preamble
            self._send()
        else:
            self._why_lost = _reason(error)
            self._fail_waiting()

    def _fail_waiting(self) -> None:
        """Fail all waiting commands: there is no connection."""
        batch, self._waiting = self._waiting, []
        self._settle(batch, [StoreAway(self._why_lost) for _ in batch])

    def _receive(self, reply: Reply) -> None:
        """Collect a reply to the batch under way; deliver the replies when all have arrived."""
        batch, replies = self._under_way, self._replies
        if not batch:
            raise StoreAway("a reply to no command")  # the connection is out of step
        replies.append(reply)
        if isinstance(reply, ResponseError):
            self._has_error = True
        if len(replies) < len(batch):
            return
        self._backoff_s, self._not_before_s = FIRST_BACKOFF_S, 0.0  # the connection works
        self._under_way = []
        if self._has_error:
            self._settle(batch, replies)  # this also sends the next batch
            return
        for number, entry in enumerate(batch):
            deliver(entry[1], replies[number])  # entry[1] is its callback
        self._loop.call_soon(self._send)

    def _lose(self, error: Exception) -> None:
        """Handle a lost connection: deliver the replies that came, fail the other commands."""
        self._protocol = None
        batch, self._under_way = self._under_way, []
        if batch:
            self._why_lost = _reason(error)
            missing = len(batch) - len(self._replies)
            self._settle(batch, self._replies + [StoreAway(self._why_lost)] * missing)

    def _settle(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Deliver replies and errors; if any error is in `RECONNECT`, disconnect first."""
        if self._protocol is not None and any(isinstance(reply, RECONNECT) for reply in replies):
            self._protocol.stop()
            self._protocol = None
        for (_, on_reply, _), reply in zip(batch, replies, strict=True):
            if isinstance(reply, RedisError | StoreError):
                metrics.store_errors.inc()
            deliver(on_reply, to_store_error(reply) if isinstance(reply, RedisError) else reply)
        self._loop.call_soon(self._send)
        if self._on_errors is not None:
            self._on_errors(self.address, replies)

    def _check_time(self, turns_left: int) -> None:
        """Drop the connection if its batch is late, after `turns_left` more turns of the loop.

        If this process was suspended, replies may have arrived that the loop has not read yet.
        """
        self._timer = None
        if not self._under_way or self._protocol is None:
            return
        if self._loop.time() < self._deadline_s:  # the timer was set for an earlier batch
            self._timer = self._loop.call_at(self._deadline_s, self._check_time, TURNS)
        elif turns_left:
            self._timer = self._loop.call_soon(self._check_time, turns_left - 1)
        else:
            self._protocol.lose(TimeoutError())


def deliver(on_reply: OnReply, reply: Reply) -> None:
    """Call `on_reply`. Log any exception, since other callbacks must get their replies too."""
    try:
        on_reply(reply)
    except Exception:
        log.exception("an answer of Redis was not taken")


def resolve(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Set the result or exception of a future, unless it was cancelled."""
    if not future.done():
        if isinstance(reply, StoreError):
            future.set_exception(reply)
        else:
            future.set_result(reply)


def ignore(reply: Reply) -> None:
    """Do nothing with the reply to a command."""


def _reason(error: BaseException) -> str:
    """Return a sentence about a lost or refused connection, without secrets."""
    if isinstance(error, StoreAway):
        return str(error)
    if isinstance(error, exceptions.AuthenticationError):
        return f"Redis asks for a password: {error}"
    if not isinstance(error, BROKEN):
        log.error("the connection to the store is made anew", exc_info=error)
        return "the connection failed"
    return f"Redis does not answer: {str(error) or 'timed out'}"
