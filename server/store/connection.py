"""The connection to one Redis: packed commands, parsed replies, the queue; no coroutines.

redis-py opens the connection (`Address.open`), which covers URLs, TLS and logins. From then on
hiredis's parser is fed by the transport itself: redis-py's reader takes three nested coroutines
for each reply. `pipeline.py` does what takes more than sending a batch.

Law: `on_reply` gets every reply once, in order, and `on_lost` is called once, after the last one;
neither is called after `stop`. A StoreAway that `on_reply` raises ends the connection. A batch
ends once, in the call that receives its last reply, or with the reason why replies are missing.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection, DefaultParser
from redis.exceptions import InvalidResponse, RedisError, ResponseError

from server.store.errors import StoreAway

Word = str | bytes | int


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # hiredis takes any number of words, though its stub declares one.
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]
    return packed


OnReply = Callable[[Any], None]
OnLost = Callable[[Exception], None]

log = structlog.get_logger(__name__)

_INCOMPLETE = object()


class RedisProtocol(asyncio.Protocol):
    """An open connection to a Redis; see the law of this module. The callbacks must not block.

    A reply is as hiredis parses it; an error that Redis answered is a ResponseError.
    """

    def __init__(self, connection: AbstractConnection, on_reply: OnReply, on_lost: OnLost) -> None:
        self._connection = connection
        self._on_reply = on_reply
        self._on_lost = on_lost
        self._replies = hiredis.Reader(
            protocolError=InvalidResponse,
            replyError=DefaultParser.parse_error,
            notEnoughData=_INCOMPLETE,
        )
        self._lost = False
        # redis-py has no public way to its transport.
        reader, writer = connection._reader, connection._writer  # noqa: SLF001
        if reader is None or writer is None or reader.at_eof() or writer.transport.is_closing():
            raise StoreAway("Redis has closed the connection.")
        self._transport = writer.transport
        self._transport.set_protocol(self)

    @property
    def lost(self) -> bool:
        """Whether the connection is lost or closed."""
        return self._lost

    def send(self, commands: Sequence[bytes]) -> None:
        """Send packed commands.

        Raises:
            StoreAway: the connection is lost.
        """
        if self._lost:
            raise StoreAway("the connection is lost")
        self._transport.write(b"".join(commands))

    def stop(self) -> AbstractConnection:
        """Pass nothing on any more; return the connection, which the caller must close."""
        self._lost = True
        return self._connection

    def lose(self, error: Exception) -> None:
        """Handle the connection as lost for this reason, and disconnect."""
        if not self._lost:
            self._lost = True
            self._transport.abort()
            self._on_lost(error)

    def data_received(self, data: bytes) -> None:
        """Pass on the replies that the data complete."""
        replies = self._replies
        try:
            replies.feed(data)
            while not self._lost:
                reply = replies.gets()
                if reply is _INCOMPLETE:
                    return
                if isinstance(reply, RedisError) and not isinstance(reply, ResponseError):
                    self.lose(reply)  # Redis refuses the connection, not the command
                else:
                    self._on_reply(reply)
        except (RedisError, StoreAway) as error:
            self.lose(error)
        except Exception:
            # Neither Redis nor we know any more which reply is whose.
            log.exception("a reply of the store cannot be read")
            self.lose(StoreAway("a reply cannot be read"))

    def eof_received(self) -> None:
        """Handle the end of the peer's stream."""
        self.lose(ConnectionError("Connection closed by server."))

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the loss of the connection."""
        self.lose(exc or ConnectionError("Connection closed by server."))


TURNS: Final = 2  # the turns of the loop after which replies that are here have been read
Reply = Any  # a reply as hiredis parses it, a RedisError that Redis answered, or a StoreError


class Batch:
    """Commands under way; `on_done` is called once, with the reason if replies are missing."""

    __slots__ = ("clean", "on_done", "replies", "size")

    def __init__(self, replies: list[Reply], size: int, on_done: "OnDone") -> None:
        self.replies = replies
        self.size = size
        self.on_done = on_done
        self.clean = True  # whether no error is among the replies


OnDone = Callable[[Batch, Exception | None], None]


class BatchExchange:
    """The batch under way; replies that take longer than `reply_s` are missing.

    `protocol` is the open connection, if there is one; its replies come to `receive`.
    """

    __slots__ = ("_batch", "_timer", "_until", "protocol", "reply_s")

    def __init__(self, reply_s: float) -> None:
        self.reply_s = reply_s
        self.protocol: RedisProtocol | None = None
        self._batch: Batch | None = None
        self._until = 0.0  # when the batch under way has taken too long, by the loop's time
        self._timer: asyncio.Handle | None = None

    @property
    def ready(self) -> bool:
        """Whether a batch can be sent at once."""
        return self.protocol is not None and not self.protocol.lost

    def start(self, commands: Sequence[bytes], on_done: OnDone) -> None:
        """Send a batch; the connection must be `ready`, and no batch under way.

        `on_done` is called in the call that receives the last reply. Unless all replies are there
        and clean, the caller must complete them with `RedisConnection.repair` before the next
        batch.
        """
        assert self.protocol is not None, "the connection is ready"
        until = asyncio.get_running_loop().time() + self.reply_s
        batch = Batch([], len(commands), on_done)
        try:
            self.begin(self.protocol, commands, batch, until)
        except Exception as error:  # noqa: BLE001  # any error breaks the connection
            on_done(batch, error)

    def begin(
        self, protocol: RedisProtocol, commands: Sequence[bytes], batch: Batch, until: float
    ) -> None:
        """Send the commands of a batch, whose replies must come until then.

        Raises:
            StoreAway: the connection is lost, and nothing was sent.
        """
        protocol.send(commands)
        self._batch, self._until = batch, until
        # One timer for many batches: to set and cancel one for each costs more than Redis does.
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(until, self._check_time, TURNS)

    def receive(self, reply: Reply) -> None:
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
            self.end(None)

    def end(self, error: Exception | None) -> None:
        """End the batch under way, if there is one."""
        batch, self._batch = self._batch, None
        if batch is not None:
            batch.on_done(batch, error)

    def forget(self) -> None:
        """Forget the batch under way."""
        self._batch = None

    def stop(self) -> None:
        """Forget the batch under way, and the timer."""
        self._batch = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_time(self, turns: int) -> None:
        """Fail the batch under way when its time is over, and `turns` of the loop have passed too.

        If this process stood still for a while, the replies are here, but the loop reads them only
        in its next turn.
        """
        self._timer = None
        if self._batch is None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() < self._until:  # another batch than that for which the timer was set
            self._timer = loop.call_at(self._until, self._check_time, TURNS)
        elif turns:
            self._timer = loop.call_soon(self._check_time, turns - 1)
        else:
            self.end(TimeoutError())


# The packed command, the callback for the reply, the slot, and until when the command may be
# redirected (0: it was not redirected yet). Each act makes one, so it is a plain tuple.
Entry = tuple[bytes, OnReply, int, float]
NO_SLOT: Final = -1  # the slot of a command without a key, or for one certain node
REFUSED: Final = b""  # the placeholder for a command that is not sent


class CommandQueue:
    """The waiting commands, and the batch under way.

    `wake` is called when something must be done that takes more than sending a batch.
    """

    def __init__(
        self, batches: BatchExchange, wake: Callable[[], None], max_batch: int, max_queued: int
    ) -> None:
        self._batches = batches
        self.under_way: list[Entry] = []
        # The replies to the batch under way, if it has failed, and the reason if some are missing.
        self.failed: tuple[list[Reply], Exception | None] | None = None
        self.max_batch, self.max_queued = max_batch, max_queued
        self.closing = False  # whether new commands are refused
        self.closed = False  # whether the queue is empty and stays so
        self._wake = wake
        self._waiting: list[Entry] = []
        self._idle_callbacks: list[Callable[[], None]] = []
        # Whether a batch is under way, or will be sent in the next turn of the loop.
        self._busy = False
        self._has_refused = False  # whether a refused command may wait
        self._loop = asyncio.get_running_loop()

    def __len__(self) -> int:
        return len(self._waiting)

    def send(self, command: bytes, on_reply: OnReply, slot: int = NO_SLOT) -> None:
        """Queue a packed command.

        `on_reply` is called with the reply, or with a StoreError, in a later turn of the loop. A
        command with a slot follows this slot through the cluster. When the queue is full or the
        pipeline is closed, `on_reply` gets StoreAway, but only after the earlier commands are
        answered. The queue itself is not bounded: callers must limit how many replies they wait
        for.
        """
        if self.closed:
            self._loop.call_soon(deliver, on_reply, StoreAway("Closed."))
            return
        if self.closing or len(self._waiting) >= self.max_queued:
            command = REFUSED
            self._has_refused = True
        self._waiting.append((command, on_reply, slot, 0.0))
        self.send_soon()

    def enqueue(self, entry: Entry) -> None:
        """Queue a command that was extracted from another pipeline."""
        if self.closed:
            deliver(entry[1], StoreAway("Closed."))
            return
        self._has_refused = self._has_refused or entry[0] == REFUSED
        self._waiting.append(entry)
        self.send_soon()

    def extract(self, slots: Collection[int]) -> list[Entry]:
        """Remove and return the queued commands of these slots; call it within `when_idle`."""
        extracted = [entry for entry in self._waiting if entry[2] in slots]
        if extracted:
            self._waiting = [entry for entry in self._waiting if entry[2] not in slots]
        return extracted

    def put_back(self, entries: Iterable[Entry]) -> None:
        """Queue commands of the batch that failed again, before all others."""
        self._waiting = [*entries, *self._waiting]

    def when_idle(self, callback: Callable[[], None]) -> None:
        """Call `callback` when no batch is under way: now, or after the current batch."""
        if self.under_way:
            self._idle_callbacks.append(callback)
        else:
            callback()

    def send_soon(self) -> None:
        """Send a batch in the next turn of the loop: commands of this turn go together."""
        if not self._busy:
            self._busy = True
            self._loop.call_soon(self._send)

    def send_next(self) -> None:
        """Send the next batch soon, after one that has ended."""
        if self._waiting or self.closing:
            self._loop.call_soon(self._send)
        else:
            self._busy = False

    @property
    def can_send(self) -> bool:
        """Whether the next batch takes no more than sending it."""
        return not self.closing and not self._has_refused and self._batches.ready

    def next_batch(self) -> list[Entry]:
        """Refuse the refused commands at the head of the queue; take a batch of the next ones."""
        size = self._refuse() if self._has_refused else len(self._waiting)
        self.under_way = self._take(min(size, self.max_batch))
        return self.under_way

    def answer(self, replies: list[Reply]) -> None:
        """Deliver clean replies to the batch under way."""
        batch, self.under_way = self.under_way, []
        for place, entry in enumerate(batch):
            deliver(entry[1], replies[place])
        self.run_idle_callbacks()

    def run_idle_callbacks(self) -> None:
        """Call the callbacks that wait until no batch is under way."""
        if self._idle_callbacks:
            callbacks, self._idle_callbacks = self._idle_callbacks, []
            for callback in callbacks:
                try:
                    callback()
                except Exception:
                    # The next batch is sent all the same.
                    log.exception("a slot was not handed over")

    def abandon(self, why: str) -> None:
        """Answer the batch under way with StoreAway."""
        batch, self.under_way, self.failed = self.under_way, [], None
        for entry in batch:
            deliver(entry[1], StoreAway(why))
        self.run_idle_callbacks()

    def close(self) -> None:
        """Answer all commands with StoreAway, from now on at once."""
        self.closed = True
        unanswered = [*self.under_way, *self._waiting]
        self.under_way = []
        self._waiting.clear()
        for entry in unanswered:
            deliver(entry[1], StoreAway("Closed."))

    def _send(self) -> None:
        """Send the next batch, or wake the pipeline if more than that is to be done."""
        if not self.can_send:
            self._wake()
        elif self._waiting:
            batch = self.next_batch()
            self._batches.start([entry[0] for entry in batch], self._replied)
        else:
            self._busy = False

    def _replied(self, batch: Batch, error: Exception | None) -> None:
        """Answer the commands of a batch, or wake the pipeline if the replies have errors."""
        if error is not None or not batch.clean:
            self.failed = (batch.replies, error)
            self._wake()
            return
        self.answer(batch.replies)
        self.send_next()

    def _refuse(self) -> int:
        """Answer the refused commands at the head of the queue with StoreAway.

        Return how many commands now stand before the next refused one, or before the end.
        """
        why = "Closed." if self.closing else "Redis has too much to do."
        for entry in self._take(self._count_refused()):
            deliver(entry[1], StoreAway(why))
        for before, entry in enumerate(self._waiting):
            if entry[0] == REFUSED:
                return before
        self._has_refused = False
        return len(self._waiting)

    def _count_refused(self) -> int:
        """Return the number of refused commands at the head of the queue."""
        for before, entry in enumerate(self._waiting):
            if entry[0] != REFUSED:
                return before
        return len(self._waiting)

    def _take(self, size: int) -> list[Entry]:
        """Remove commands at the head of the queue and return them."""
        taken = self._waiting[:size]
        del self._waiting[:size]
        return taken


def deliver(on_reply: OnReply, reply: Reply) -> None:
    """Answer a command; an exception is logged."""
    try:
        on_reply(reply)
    except Exception:
        # A bug in one callback must not keep replies from the next ones.
        log.exception("an answer of Redis was not taken")
