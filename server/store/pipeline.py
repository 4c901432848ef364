"""The pipeline of commands to one Redis, sent in batches, one batch at a time; no coroutines.

Commands that are queued while a batch is under way are sent together in the next one. This is the
group commit, and it makes acts cheap: redis-py needs more time for one call than Redis does.

Law: every command is sent once at most, and answered exactly once, by Redis or with StoreAway.
Commands of one slot are answered in the order of sending. A slot that moves leaves its commands
here, answered with StoreAway: as after a lost connection, a process then takes its seats anew. A
caller that is cancelled while it waits for a reply cannot put the connection out of step.
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

# The packed command, the callback for the reply, and the slot; a tuple, as each act makes one.
Entry = tuple[bytes, OnReply, int]
OnErrors = Callable[[Address, Sequence[Reply]], None]

log = structlog.get_logger(__name__)

NO_SLOT: Final = -1  # the slot of a command without a key, or for one certain node
MAX_BATCH: Final = 512  # commands in a batch, at most: the first of them waits for the last
TURNS: Final = 2  # the turns of the loop after which replies that are here have been read
FIRST_BACKOFF_S, LONGEST_BACKOFF_S = 0.02, 0.5
"""The backoff after a failed connection, doubled each time; commands fail at once meanwhile."""
# The errors after which another connection is better: its host name may lead to another master by
# now, and each new connection loads the scripts.
RECONNECT = (ReadOnlyError, exceptions.MasterDownError, NoScriptError)
REDIRECTED = (exceptions.AskError, exceptions.TryAgainError, exceptions.ClusterDownError)
LATER = (*REDIRECTED, ReadOnlyError, NoScriptError)
LATER_PREFIXES = ("MISCONF", "NOREPLICAS", "BUSY")


def to_store_error(error: RedisError) -> StoreError:
    """Return the store's error for an error that Redis answered, which becomes its cause."""
    meaning: StoreError
    if isinstance(error, exceptions.OutOfMemoryError) or str(error).startswith("OOM"):
        meaning = StoreFull(f"Redis has no memory left: {error}")
    elif isinstance(error, LATER) or str(error).startswith(LATER_PREFIXES):
        meaning = StoreAway(f"Redis does not take it: {error}")
    elif str(error).startswith("WRONGTYPE"):
        meaning = Unreadable("a key of another type")
    else:
        meaning = StoreError(f"Redis refuses a command: {error}")
    meaning.__cause__ = error
    return meaning


class Pipeline:
    """A queue of commands to one Redis, and its connection, which is made anew when it breaks.

    `preamble` is sent first on each new connection. `on_errors` gets the replies to a batch that
    has errors, once it is answered. Replies later than the address's `reply_s` are missing. The
    queue is not bounded: callers must limit how many replies they wait for.
    """

    def __init__(
        self, address: Address, preamble: Sequence[bytes] = (), on_errors: OnErrors | None = None
    ) -> None:
        self.address = address
        self._preamble: list[Entry] = [(each, ignore, NO_SLOT) for each in preamble]
        self._on_errors = on_errors
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Entry] = []
        self._under_way: list[Entry] = []
        self._replies: list[Reply] = []  # to the batch under way
        self._is_clean = True  # whether no error is among them
        self._until = 0.0  # when the batch has taken too long, by the loop's time
        self._timer: asyncio.Handle | None = None
        self.busy = False  # whether a batch is under way or due, or a connection is being opened
        self._connecting: asyncio.Task[RedisProtocol] | None = None
        self._protocol: RedisProtocol | None = None
        self._pause = FIRST_BACKOFF_S
        self._not_before = 0.0  # when the next attempt to connect may be made, by the loop's time
        self._why = ""  # why the last connection was lost or not made
        self._closed = False

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command.

        `on_reply` is called with the reply, or with a StoreError, in a later turn of the loop. A
        closed pipeline answers with StoreAway.
        """
        if self._closed:
            self._loop.call_soon(deliver, on_reply, StoreAway("Closed."))
            return
        self._waiting.append((command, on_reply, slot))
        # Commands of this turn of the loop go together.
        if not self.busy:
            self.busy = True
            self._loop.call_soon(self._send)

    def abandon(self, slots: Collection[int]) -> None:
        """Answer all commands of these slots, which have moved, with StoreAway, sent or not."""
        left = [each for each in (*self._under_way, *self._waiting) if each[2] in slots]
        self._waiting = [each for each in self._waiting if each[2] not in slots]
        gone = b"", ignore, NO_SLOT
        self._under_way = [gone if each[2] in slots else each for each in self._under_way]
        for _, on_reply, _ in left:
            deliver(on_reply, StoreAway("The slot is moving to another master."))

    def ask(self, command: bytes, slot: int = NO_SLOT) -> Awaitable[Reply]:
        """Return the reply; after cancelling or StoreAway the command may have been executed."""
        future: asyncio.Future[Reply] = self._loop.create_future()
        self.send(command, partial(resolve, future), slot)
        return future

    def close(self) -> None:
        """Disconnect, and answer with StoreAway what is left and what comes later."""
        self._closed = True
        if self._connecting is not None:
            self._connecting.cancel()
        if self._protocol is not None:
            self._protocol.stop()
        left = self._under_way + self._waiting
        self._under_way, self._waiting = [], []
        for entry in left:
            deliver(entry[1], StoreAway("Closed."))

    def _send(self) -> None:
        """Send the next batch, or connect first."""
        if not self._waiting:
            self.busy = False
        elif self._protocol is not None and not self._protocol.lost:
            batch = self._under_way = self._waiting[:MAX_BATCH]
            del self._waiting[:MAX_BATCH]
            self._replies, self._is_clean = [], True
            self._until = self._loop.time() + self.address.reply_s
            # One timer for many batches: one for each would cost more than Redis does.
            if self._timer is None:
                self._timer = self._loop.call_at(self._until, self._check_time, TURNS)
            try:
                self._protocol.send([entry[0] for entry in batch])
            except Exception as error:  # noqa: BLE001  # any error breaks the connection
                self._protocol.lose(error)
        elif (now := self._loop.time()) < self._not_before:
            self._fail()
        else:
            self._not_before = now + self._pause
            self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)
            self._connecting = self._loop.create_task(self.address.open(self._receive, self._lose))
            self._connecting.add_done_callback(self._connected)

    def _connected(self, connecting: asyncio.Task[RedisProtocol]) -> None:
        """Send what waits on the new connection, after the preamble, or fail it without one."""
        self._connecting = None
        if connecting.cancelled():
            return
        error = connecting.exception()
        if error is None and self._closed:  # since it was made
            connecting.result().stop()
        elif error is None:
            self._protocol = connecting.result()
            self._waiting[:0] = self._preamble
            self._send()
        else:
            self._why = _reason(error)
            self._fail()

    def _fail(self) -> None:
        """Answer all commands that wait with StoreAway, as there is no connection."""
        batch, self._waiting = self._waiting, []
        self._settle(batch, [StoreAway(self._why) for _ in batch])

    def _receive(self, reply: Reply) -> None:
        """Take a reply to the batch under way, and answer the batch with the last one."""
        batch, replies = self._under_way, self._replies
        if not batch:
            raise StoreAway("a reply to no command")  # the connection is out of step
        replies.append(reply)
        if isinstance(reply, ResponseError):
            self._is_clean = False
        if len(replies) < len(batch):
            return
        self._pause, self._not_before = FIRST_BACKOFF_S, 0.0
        self._under_way = []
        if not self._is_clean:
            self._settle(batch, replies)
            return
        for place, entry in enumerate(batch):
            deliver(entry[1], replies[place])
        self._loop.call_soon(self._send)

    def _lose(self, error: Exception) -> None:
        """Answer the batch under way as far as replies are here: the connection is lost."""
        self._protocol = None
        batch, self._under_way = self._under_way, []
        if batch:
            self._why = _reason(error)
            missing = len(batch) - len(self._replies)
            self._settle(batch, self._replies + [StoreAway(self._why)] * missing)

    def _settle(self, batch: list[Entry], replies: list[Reply]) -> None:
        """Answer a batch with errors; for some of them another connection is better."""
        if self._protocol is not None and any(isinstance(each, RECONNECT) for each in replies):
            self._protocol.stop()
            self._protocol = None
        for (_, on_reply, _), reply in zip(batch, replies, strict=True):
            if isinstance(reply, RedisError | StoreError):
                metrics.store_errors.inc()
            deliver(on_reply, to_store_error(reply) if isinstance(reply, RedisError) else reply)
        self._loop.call_soon(self._send)
        if self._on_errors is not None:
            self._on_errors(self.address, replies)

    def _check_time(self, turns: int) -> None:
        """End the connection when the time of a batch is over, and `turns` of the loop too.

        If this process stood still, the loop reads replies that are here only in its next turn.
        """
        self._timer = None
        if not self._under_way or self._protocol is None:
            return
        if self._loop.time() < self._until:  # another one than that for which the timer was set
            self._timer = self._loop.call_at(self._until, self._check_time, TURNS)
        elif turns:
            self._timer = self._loop.call_soon(self._check_time, turns - 1)
        else:
            self._protocol.lose(TimeoutError())


def deliver(on_reply: OnReply, reply: Reply) -> None:
    """Answer a command; an exception is logged."""
    try:
        on_reply(reply)
    except Exception:
        # A bug in one callback must not keep replies from the next ones.
        log.exception("an answer of Redis was not taken")


def resolve(future: asyncio.Future[Reply], reply: Reply) -> None:
    """Set a reply as the result or exception of a future that may have been cancelled."""
    if not future.done():
        if isinstance(reply, StoreError):
            future.set_exception(reply)
        else:
            future.set_result(reply)


def ignore(reply: Reply) -> None:
    """Ignore the reply to a command."""


def _reason(error: BaseException) -> str:
    """Return a sentence about a lost or refused connection; never a secret."""
    if isinstance(error, StoreAway):
        return str(error)
    if isinstance(error, exceptions.AuthenticationError):
        return f"Redis asks for a password: {error}"
    if not isinstance(error, BROKEN):
        log.error("the connection to the store is made anew", exc_info=error)
        return "the connection failed"
    return f"Redis does not answer: {str(error) or 'timed out'}"
