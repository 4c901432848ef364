"""The exchange of batches of commands and their replies over an open connection; no coroutines.

Law: a batch ends once, in the call that receives its last reply, or with the reason why replies
are missing.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from redis.exceptions import ResponseError

from server.store.errors import StoreAway
from server.store.redis_protocol import RedisProtocol

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
