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

log = structlog.get_logger(__name__)

Word = str | bytes | int
Reply = Any  # a reply as hiredis parses it, a RedisError that Redis answered, or a StoreError
OnReply = Callable[[Reply], None]
OnLost = Callable[[Exception], None]
OnDone = Callable[[list[Reply], bool, Exception | None], None]
# The packed command, the callback for the reply, the slot, and until when the command may be
# redirected (0: it was not redirected yet). Each act makes one, so it is a plain tuple.
Entry = tuple[bytes, OnReply, int, float]

NO_SLOT: Final = -1  # the slot of a command without a key, or for one certain node
REFUSED: Final = b""  # the placeholder for a command that is not sent
TURNS: Final = 2  # the turns of the loop after which replies that are here have been read
_INCOMPLETE = object()


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # hiredis takes any number of words, though its stub declares one.
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]
    return packed


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


class CommandQueue:
    """The commands to one Redis that wait, and the batch under way; sent while all goes well.

    `wake` is called when something must be done that takes more than sending a batch: connecting,
    or the repair of a batch that has `failed`. Replies later than `reply_s` seconds are missing.
    """

    def __init__(
        self, wake: Callable[[], None], reply_s: float, max_batch: int, max_queued: int
    ) -> None:
        self.reply_s = reply_s
        self.protocol: RedisProtocol | None = None
        """The open connection, if there is one; it calls `receive` and `end`."""
        self.has_answered = False  # whether a batch was answered since this was last set to False
        self.under_way: list[Entry] = []
        # The replies to the batch under way, if it has failed, and the reason if some are missing.
        self.failed: tuple[list[Reply], Exception | None] | None = None
        self.closing = False  # whether new commands are refused
        self.closed = False  # whether the queue is empty and stays so
        self._wake = wake
        self._max_batch, self._max_queued = max_batch, max_queued
        self._waiting: list[Entry] = []
        self._idle_callbacks: list[Callable[[], None]] = []
        # Whether a batch is under way, or will be sent in the next turn of the loop.
        self._busy = False
        self._has_refused = False  # whether a refused command may wait or be under way
        # The exchange under way, if there is one: its replies, their number, and who gets them.
        self._replies: list[Reply] = []
        self._size = 0
        self._is_clean = True  # whether no error is among the replies
        self._on_done: OnDone | None = None
        self._until = 0.0  # when the exchange has taken too long, by the loop's time
        self._timer: asyncio.Handle | None = None
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
        if self.closing or len(self._waiting) >= self._max_queued:
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
    def is_connected(self) -> bool:
        """Whether a batch can be sent at once."""
        return self.protocol is not None and not self.protocol.lost

    def take_batch(self) -> list[Entry]:
        """Let the commands at the head of the queue be those under way, and return them."""
        batch = self.under_way = self._waiting[: self._max_batch]
        del self._waiting[: self._max_batch]
        return batch

    def end_batch(self, again: Iterable[Entry] = ()) -> list[Entry]:
        """Return the batch under way, which has ended; queue commands of it again, before all."""
        batch, self.under_way, self.failed = self.under_way, [], None
        self._waiting[:0] = again
        return batch

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
        for entry in self.end_batch():
            deliver(entry[1], StoreAway(why))
        self.run_idle_callbacks()

    def close(self) -> None:
        """Answer all commands with StoreAway, from now on at once."""
        self.closed = True
        unanswered = [*self.end_batch(), *self._waiting]
        self._waiting.clear()
        for entry in unanswered:
            deliver(entry[1], StoreAway("Closed."))

    def exchange(self, commands: Sequence[bytes], on_done: OnDone) -> None:
        """Send commands over the open connection, while no other exchange is under way.

        `on_done` is called once, with the replies, whether no error is among them, and the reason
        if some are missing: in the call that receives the last reply, or that finds the reason.
        """
        assert self.protocol is not None, "there is a connection"
        self._replies, self._size, self._is_clean = [], len(commands), True
        self._on_done = on_done
        if not commands:
            self.end(None)
            return
        try:
            self.protocol.send(commands)
        except Exception as error:  # noqa: BLE001  # any error breaks the connection
            self.end(error)
            return
        self._until = self._loop.time() + self.reply_s
        # One timer for many batches: to set and cancel one for each costs more than Redis does.
        if self._timer is None:
            self._timer = self._loop.call_at(self._until, self._check_time, TURNS)

    def receive(self, reply: Reply) -> None:
        """Take a reply to the exchange under way.

        Raises:
            StoreAway: it replies to no command, so the connection is out of step.
        """
        if self._on_done is None:
            raise StoreAway("a reply to no command")
        replies = self._replies
        replies.append(reply)
        if isinstance(reply, ResponseError):
            self._is_clean = False
        if len(replies) == self._size:
            self.end(None)

    def end(self, error: Exception | None) -> None:
        """End the exchange under way, if there is one; `error` is why replies are missing."""
        on_done, self._on_done = self._on_done, None
        if on_done is not None:
            on_done(self._replies, self._is_clean, error)

    def disconnect(self) -> AbstractConnection | None:
        """Forget the exchange under way; return the connection, which the caller must close."""
        self._on_done = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        protocol, self.protocol = self.protocol, None
        return None if protocol is None else protocol.stop()

    def _send(self) -> None:
        """Send the next batch, or wake the pipeline if more than that is to be done."""
        if self._waiting and self.is_connected:
            commands = [entry[0] for entry in self.take_batch()]
            if self._has_refused:
                commands = [command for command in commands if command != REFUSED]
            self.exchange(commands, self._replied)
        elif self._waiting or self.closing:
            self._wake()
        else:
            self._busy = False

    def _replied(self, replies: list[Reply], is_clean: bool, error: Exception | None) -> None:  # noqa: FBT001  # as `OnDone`
        """Answer the commands of a batch, or wake the pipeline if the replies have errors."""
        if self._has_refused:
            self._add_refusals(replies)
        if error is None:
            self.has_answered = True
            if is_clean:
                batch, self.under_way = self.under_way, []
                for place, entry in enumerate(batch):
                    deliver(entry[1], replies[place])
                self.run_idle_callbacks()
                self.send_next()
                return
        self.failed = (replies, error)
        self._wake()

    def _add_refusals(self, replies: list[Reply]) -> None:
        """Put StoreAway in the place of each refused command, which was not sent."""
        why = "Closed." if self.closing else "Redis has too much to do."
        for place, entry in enumerate(self.under_way):
            if entry[0] == REFUSED and place <= len(replies):
                replies.insert(place, StoreAway(why))
        self._has_refused = any(entry[0] == REFUSED for entry in self._waiting)

    def _check_time(self, turns: int) -> None:
        """Fail the exchange when its time is over, and `turns` of the loop have passed too.

        If this process stood still for a while, the replies are here, but the loop reads them only
        in its next turn.
        """
        self._timer = None
        if self._on_done is None:
            return
        if self._loop.time() < self._until:  # another one than that for which the timer was set
            self._timer = self._loop.call_at(self._until, self._check_time, TURNS)
        elif turns:
            self._timer = self._loop.call_soon(self._check_time, turns - 1)
        else:
            self.end(TimeoutError())


def deliver(on_reply: OnReply, reply: Reply) -> None:
    """Answer a command; an exception is logged."""
    try:
        on_reply(reply)
    except Exception:
        # A bug in one callback must not keep replies from the next ones.
        log.exception("an answer of Redis was not taken")
