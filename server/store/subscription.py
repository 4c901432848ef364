"""The subscriptions of this process at one master: sharded channels on a connection of their own.

Law: a caller that subscribes to a channel is answered by the confirmation of its own command and
never of an earlier one. A confirmation without a waiting caller means that a lost subscription was
renewed.
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
from server.store.address import BROKEN, REPLY_TIMEOUT_S, Address, hang_up
from server.store.errors import StoreAway
from server.store.pipeline import settle
from server.store.redis_connection import FIRST_BACKOFF_S, LONGEST_BACKOFF_S, pack
from server.store.slots import slot_of

log = structlog.get_logger(__name__)

PING_AFTER_S = 5.0
"""Seconds without a message after which the connection is tested with a PING."""

SUBSCRIBED, UNSUBSCRIBED = b"ssubscribe", b"sunsubscribe"
PING = pack("PING")

Confirmation = Future[None] | None


class SubscriptionCallbacks(Protocol):
    """Callbacks that the subscription's task calls; they must not block or raise."""

    def received(self, channel: bytes, payload: bytes) -> None:
        """Handle a message."""

    def renewed(self, channel: bytes) -> None:
        """Handle the renewal of a channel's subscription; messages may have been missed before."""

    def channel_moved(
        self, channel: bytes, confirmation: Confirmation, by: Address, error: MovedError | None
    ) -> None:
        """Handle a channel that is no longer subscribed here, because the master lost its slot."""

    def interrupted(self) -> None:
        """Handle a connection that was lost or could not be opened."""


class Sent(NamedTuple):
    """A command that is not confirmed yet."""

    command: bytes
    channel: bytes
    confirmation: Confirmation


class Subscription:
    """Channels of one master; it connects by itself, and again whenever the connection breaks."""

    def __init__(self, address: Address, callbacks: SubscriptionCallbacks) -> None:
        self.address = address
        self.opened = asyncio.Event()  # set by the first reply to a PING
        self._callbacks = callbacks
        self._channels: set[bytes] = set()
        self._confirmed: set[bytes] = set()  # on the present connection
        self._connection: AbstractConnection | None = None
        self._outbox: list[bytes] = []
        self._sent: deque[Sent] = deque()
        self._wake = asyncio.Event()
        self._pause = FIRST_BACKOFF_S
        self._shutting_down = False
        self._well = True  # until an interruption has been logged
        self._task = asyncio.get_running_loop().create_task(self._run(), name="redis pub/sub")

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._connection is not None

    def passes_on(self, channel: bytes) -> bool:
        """Return whether the channel's messages arrive, as far as is known."""
        return channel in self._confirmed

    def add(self, channel: bytes, confirmation: Confirmation = None) -> None:
        """Subscribe to a channel; `confirmation` is settled by Redis's reply or by StoreAway."""
        self._channels.add(channel)
        if self.connected:
            self._post(SUBSCRIBED, channel, confirmation)
        elif confirmation is not None:
            _fail(confirmation)

    def remove(self, channel: bytes) -> None:
        """Unsubscribe from a channel."""
        self._channels.discard(channel)
        self._confirmed.discard(channel)
        if self.connected:
            self._post(UNSUBSCRIBED, channel, None)

    async def restart(self) -> None:
        """Disconnect; the subscription's task then connects again."""
        if self._connection is not None:
            await hang_up(self._connection)

    def shut_down(self) -> Task[None]:
        """Disconnect for good; return the task that does so."""
        self._shutting_down = True
        self._task.cancel()
        return self._task

    def _post(self, command: bytes, channel: bytes, confirmation: Confirmation) -> None:
        self._sent.append(Sent(command, channel, confirmation))
        self._outbox.append(pack(command, channel))
        self._wake.set()

    async def _run(self) -> None:
        while True:
            connection = None
            try:
                connection = self._connection = await self.address.connect()
                for channel in self._channels:
                    self._post(SUBSCRIBED, channel, None)
                # Redis answers in order, so a reply to the PING follows all confirmations.
                self._outbox.append(PING)
                self._wake.set()
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(self._write(connection))
                    tasks.create_task(self._read(connection))
            except* (*BROKEN, StoreAway) as errors:
                metrics.store_errors.inc()
                if self._well:  # one log line for an outage, however many attempts fail
                    log.warning("hints interrupted", error=str(errors.exceptions[0]))
                self._well = False
            finally:
                self._connection = None
                self._confirmed.clear()
                if connection is not None:
                    await hang_up(connection)
                for sent in self._sent:
                    if sent.confirmation is not None:
                        _fail(sent.confirmation)
                self._sent.clear()
                self._outbox.clear()
                self._callbacks.interrupted()
            if self._shutting_down:
                return  # a task group that fails while being cancelled swallows the cancellation
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)

    async def _write(self, connection: AbstractConnection) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            commands, self._outbox = self._outbox, []
            if not connection.is_connected:
                raise StoreAway("the connection is gone")  # redis-py would reconnect silently
            await connection.send_packed_command(commands, check_health=False)

    async def _read(self, connection: AbstractConnection) -> None:
        timeout = PING_AFTER_S
        while True:
            try:
                message: Any = await connection.read_response(timeout=timeout)
            except MovedError as error:
                self._refused(error)
                continue
            if message is not None:
                self._receive(message)
                timeout = PING_AFTER_S
            elif timeout == PING_AFTER_S:
                # A half-open TCP connection stays silent for ever.
                self._outbox.append(PING)
                self._wake.set()
                timeout = REPLY_TIMEOUT_S
            else:
                raise StoreAway("the subscription is silent")

    def _receive(self, message: Any) -> None:
        match message:
            case [b"smessage", channel, payload]:
                self._callbacks.received(channel, payload)
            case [b"ssubscribe", channel, _]:
                if channel in self._channels:
                    self._confirmed.add(channel)
                sent = self._take(lambda sent: sent[:2] == (SUBSCRIBED, channel))
                if sent is not None and sent.confirmation is not None:
                    settle(sent.confirmation, None)
                elif channel in self._channels:
                    self._callbacks.renewed(channel)
            case [b"sunsubscribe", channel, _]:
                sent = self._take(lambda sent: sent[:2] == (UNSUBSCRIBED, channel))
                if sent is None and channel in self._channels:
                    # Redis unsubscribes by itself when the slot has moved to another master.
                    self._channels.remove(channel)
                    self._confirmed.discard(channel)
                    self._callbacks.channel_moved(channel, None, self.address, None)
            case _:  # pong
                self._pause = FIRST_BACKOFF_S
                self._well = True
                self.opened.set()

    def _refused(self, error: MovedError) -> None:
        sent = self._take(lambda sent: slot_of(sent.channel.decode()) == error.slot_id)
        if sent is not None and sent.command == SUBSCRIBED:
            self._channels.discard(sent.channel)
            self._callbacks.channel_moved(sent.channel, sent.confirmation, self.address, error)

    def _take(self, wanted: Callable[[Sent], bool]) -> Sent | None:
        """Remove and return the first unconfirmed command for which `wanted` is true, if any."""
        for i, sent in enumerate(self._sent):
            if wanted(sent):
                del self._sent[i]
                return sent
        return None


def _fail(confirmation: Future[None]) -> None:
    settle(confirmation, StoreAway("Redis passes no messages on now."))
