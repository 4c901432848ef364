"""The subscriptions of this process at one master: sharded channels on a connection of their own.

Law: whoever asked for a channel is answered by the confirmation of their own command, never by
that of an earlier one. A channel for which nobody asked is one that was lost and is back.
"""

import asyncio
from asyncio import Future, Task
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import structlog
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError

from server import metrics
from server.store.address import BROKEN, PATIENCE, Address, hang_up
from server.store.errors import StoreAway
from server.store.pipeline import settle
from server.store.redis_connection import FIRST_PAUSE, LONGEST_PAUSE, pack
from server.store.slots import slot_of

log = structlog.get_logger(__name__)

# A connection that is silent for so long is asked whether it lives.
SILENCE = 5.0

SUBSCRIBED, UNSUBSCRIBED = b"ssubscribe", b"sunsubscribe"
PING = pack("PING")

Confirmation = Future[None] | None


class SubscriptionCallbacks(Protocol):
    """Who hears what comes, from the task of the subscription; it must not block or raise."""

    def received(self, channel: bytes, payload: bytes) -> None:
        """Hear a message."""

    def renewed(self, channel: bytes) -> None:
        """Hear that a channel is heard again, after it may not have been."""

    def channel_moved(
        self, channel: bytes, confirmation: Confirmation, by: Address, error: MovedError | None
    ) -> None:
        """Hear that a channel is not subscribed here any more: the master does not own it."""

    def interrupted(self) -> None:
        """Hear that a connection has been lost, or could not be made."""


class Sent(NamedTuple):
    """A command whose confirmation is not here yet."""

    kind: bytes
    channel: bytes
    confirmation: Confirmation


class Subscription:
    """Channels of one master. It connects by itself, and again whenever the connection breaks."""

    def __init__(self, address: Address, callbacks: SubscriptionCallbacks) -> None:
        self.address = address
        self.opened = asyncio.Event()  # once all was well for the first time
        self._callbacks = callbacks
        self._channels: set[bytes] = set()
        self._connection: AbstractConnection | None = None
        self._outbox: list[bytes] = []
        self._sent: deque[Sent] = deque()
        self._wake = asyncio.Event()
        self._pause = FIRST_PAUSE
        self._shutting_down = False
        self._well = True  # until an interruption has been logged
        self._task = asyncio.get_running_loop().create_task(self._run(), name="redis hints")

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._connection is not None

    def add(self, channel: bytes, confirmation: Confirmation = None) -> None:
        """Subscribe a channel; `asked` is settled when it is confirmed, or gets StoreAway."""
        self._channels.add(channel)
        if self.connected:
            self._post(SUBSCRIBED, channel, confirmation)
        elif confirmation is not None:
            _disappoint(confirmation)

    def remove(self, channel: bytes) -> None:
        """Unsubscribe a channel."""
        self._channels.discard(channel)
        if self.connected:
            self._post(UNSUBSCRIBED, channel, None)

    async def restart(self) -> None:
        """Hang up, so that the connection is made anew."""
        if self._connection is not None:
            await hang_up(self._connection)

    def shut_down(self) -> Task[None]:
        """Hang up for good; return the task that does."""
        self._shutting_down = True
        self._task.cancel()
        return self._task

    def _post(self, kind: bytes, channel: bytes, confirmation: Confirmation) -> None:
        self._sent.append(Sent(kind, channel, confirmation))
        self._outbox.append(pack(kind, channel))
        self._wake.set()

    async def _run(self) -> None:
        while True:
            connection = None
            try:
                connection = self._connection = await self.address.connect()
                for channel in self._channels:
                    self._post(SUBSCRIBED, channel, None)
                # When this is answered, so are they.
                self._outbox.append(PING)
                self._wake.set()
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._write(connection))
                    tasks.create_task(self._read(connection))
            except* (*BROKEN, StoreAway) as errors:
                metrics.store_errors.inc()
                if self._well:  # an outage is one line, however long it is tried again
                    log.warning("hints interrupted", error=str(errors.exceptions[0]))
                self._well = False
            finally:
                self._connection = None
                if connection is not None:
                    await hang_up(connection)
                for sent in self._sent:
                    if sent.confirmation is not None:
                        _disappoint(sent.confirmation)
                self._sent.clear()
                self._outbox.clear()
                self._callbacks.interrupted()
            if self._shutting_down:
                return  # a task group that fails as it is cancelled forgets that it was
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_PAUSE)

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            commands, self._outbox = self._outbox, []
            if not connection.is_connected:
                raise StoreAway("the connection is gone")  # it would connect by itself
            await connection.send_packed_command(commands, check_health=False)

    async def _read(self, connection: AbstractConnection) -> None:
        patience = SILENCE
        while True:
            try:
                message: Any = await connection.read_response(timeout=patience)
            except MovedError as error:
                self._refused(error)
                continue
            if message is not None:
                self._receive(message)
                patience = SILENCE
            elif patience == SILENCE:
                # Half a TCP connection says nothing for ever.
                self._outbox.append(PING)
                self._wake.set()
                patience = PATIENCE
            else:
                raise StoreAway("the subscription is silent")

    def _receive(self, message: Any) -> None:
        match message:
            case [b"smessage", channel, payload]:
                self._callbacks.received(channel, payload)
            case [b"ssubscribe", channel, _]:
                sent = self._take(lambda sent: sent[:2] == (SUBSCRIBED, channel))
                if sent is not None and sent.confirmation is not None:
                    settle(sent.confirmation, None)
                elif channel in self._channels:
                    self._callbacks.renewed(channel)
            case [b"sunsubscribe", channel, _]:
                sent = self._take(lambda sent: sent[:2] == (UNSUBSCRIBED, channel))
                if sent is None and channel in self._channels:
                    # The master has given the slot away.
                    self._channels.remove(channel)
                    self._callbacks.channel_moved(channel, None, self.address, None)
            case _:  # pong
                self._pause = FIRST_PAUSE
                self._well = True
                self.opened.set()

    def _refused(self, error: MovedError) -> None:
        sent = self._take(lambda sent: slot_of(sent.channel.decode()) == error.slot_id)
        if sent is not None and sent.kind == SUBSCRIBED:
            self._channels.discard(sent.channel)
            self._callbacks.channel_moved(sent.channel, sent.confirmation, self.address, error)

    def _take(self, wanted: Callable[[Sent], bool]) -> Sent | None:
        """Return the first command without confirmation that is wanted, which then has one."""
        for i, sent in enumerate(self._sent):
            if wanted(sent):
                del self._sent[i]
                return sent
        return None


def _disappoint(confirmation: Future[None]) -> None:
    settle(confirmation, StoreAway("Redis passes no messages on now."))
