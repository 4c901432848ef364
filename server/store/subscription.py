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
from redis.exceptions import MovedError, ResponseError

from server import metrics
from server.store.address import BROKEN, Address, hang_up
from server.store.errors import StoreAway
from server.store.packed_commands import pack
from server.store.pipeline import resolve
from server.store.redis_connection import FIRST_BACKOFF_S, LONGEST_BACKOFF_S
from server.store.redis_protocol import RedisProtocol
from server.store.slots import slot_of
from server.store.timings import STORE_TIMINGS, StoreTimings
from server.store.watched_tasks import WatchedTasks

log = structlog.get_logger(__name__)

MESSAGE = b"smessage"
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

    def handle_lost_connection(self) -> None:
        """Handle a connection that was lost or could not be opened."""


class Sent(NamedTuple):
    """A command that is not confirmed yet, or waits for the first connection."""

    command: bytes
    channel: bytes
    confirmation: Confirmation


class Subscription:
    """Channels of one master; it connects by itself, and again whenever the connection breaks."""

    def __init__(
        self,
        address: Address,
        callbacks: SubscriptionCallbacks,
        timings: StoreTimings = STORE_TIMINGS,
        tasks: WatchedTasks | None = None,
    ) -> None:
        self.address = address
        self.opened = asyncio.Event()  # set by the first reply to a PING
        self._callbacks = callbacks
        self._timings = timings
        self._channels: set[bytes] = set()
        self._confirmed: set[bytes] = set()  # on the present connection
        self._protocol: RedisProtocol | None = None
        self._lost: Future[None] | None = None  # fails when the connection is lost
        self._now = asyncio.get_running_loop().time
        self._heard_at = 0.0
        self._sent: deque[Sent] = deque()
        self._pause = FIRST_BACKOFF_S
        self._well = True  # until an interruption has been logged
        self._task = (tasks or WatchedTasks()).start(self._run(), "redis pub/sub")

    @property
    def connected(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self._protocol is not None

    def passes_on(self, channel: bytes) -> bool:
        """Return whether the channel's messages arrive, as far as is known."""
        return channel in self._confirmed

    def add(self, channel: bytes, confirmation: Confirmation = None) -> None:
        """Subscribe to a channel: now, or once the connection is open.

        `confirmation` is settled by Redis's reply. It fails with StoreAway when the connection is
        lost, or at once if it is lost already; the next connection subscribes all the same.
        """
        self._channels.add(channel)
        if self._takes_commands:
            self._post(SUBSCRIBED, channel, confirmation)
        elif confirmation is not None:
            _fail(confirmation)

    def remove(self, channel: bytes) -> None:
        """Unsubscribe from a channel."""
        self._channels.discard(channel)
        self._confirmed.discard(channel)
        if self._takes_commands:
            self._post(UNSUBSCRIBED, channel, None)

    def restart(self) -> None:
        """Disconnect; the subscription's task then connects again."""
        if self._protocol is not None:
            self._protocol.lose(StoreAway("the subscription is restarted"))

    def shut_down(self) -> Task[None]:
        """Disconnect for good; return the task that does so."""
        self._task.cancel()
        return self._task

    @property
    def _takes_commands(self) -> bool:
        """Whether there is a connection, or the first one is being opened: commands wait for it.

        After a lost connection callers are not kept waiting, since the next one may take long.
        """
        return self.connected or not self.opened.is_set()

    def _post(self, command: bytes, channel: bytes, confirmation: Confirmation) -> None:
        self._sent.append(Sent(command, channel, confirmation))
        self._send(pack(command, channel))

    def _send(self, command: bytes) -> None:
        """Send a command; after a loss the subscription's task is about to connect again."""
        if self._protocol is not None and not self._protocol.lost:
            self._protocol.send((command,))

    async def _run(self) -> None:
        """Subscribe again whenever the connection is lost, after growing pauses."""
        while True:
            protocol = None
            try:
                lost = self._lost = asyncio.get_running_loop().create_future()
                protocol = await self.address.open(self._receive, self._lose)
                self._protocol = protocol
                for sent in self._sent:
                    self._send(pack(sent.command, sent.channel))
                for channel in self._channels.difference(sent.channel for sent in self._sent):
                    self._post(SUBSCRIBED, channel, None)
                # Redis answers in order, so a reply to the PING follows all confirmations.
                self._send(PING)
                await self._watch(lost)
            except Exception as error:
                metrics.store_errors.inc()
                if self._well:  # one log line for an outage, however many attempts fail
                    unexpected = not isinstance(error, (*BROKEN, StoreAway))
                    log.warning("notifications interrupted", error=str(error), exc_info=unexpected)
                self._well = False
            finally:
                self._protocol = None
                self._confirmed.clear()
                if protocol is not None:
                    await hang_up(protocol.stop())
                for sent in self._sent:
                    if sent.confirmation is not None:
                        _fail(sent.confirmation)
                self._sent.clear()
                self._callbacks.handle_lost_connection()
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)

    async def _watch(self, lost: Future[None]) -> None:
        """Wait until the connection is lost, and test it when it is silent.

        Raises:
            StoreAway, or the errors of a broken connection: it is lost.
        """
        now, timings = self._now, self._timings
        self._heard_at = now()
        while True:
            idle = now() - self._heard_at
            if idle < timings.ping_after_s:
                await asyncio.wait([lost], timeout=timings.ping_after_s - idle)
            else:
                # A half-open TCP connection stays silent for ever.
                asked_at = now()
                self._send(PING)
                await asyncio.wait([lost], timeout=timings.pubsub_reply_s)
                if not lost.done() and self._heard_at < asked_at:
                    raise StoreAway("the subscription is silent")
            if lost.done():
                lost.result()

    def _lose(self, error: Exception) -> None:
        if self._lost is not None and not self._lost.done():
            self._lost.set_exception(error)

    def _receive(self, message: Any) -> None:
        """Handle a message or a confirmation.

        Raises:
            StoreAway: Redis refuses a subscription, and not because its slot is at another node.
        """
        self._heard_at = self._now()
        if type(message) is list and message[0] == MESSAGE:  # as nearly all of them are
            self._callbacks.received(message[1], message[2])
            return
        match message:
            case MovedError():
                self._refused(message)
            case ResponseError():
                raise StoreAway(f"Redis refuses a subscription: {message}")
            case [b"ssubscribe", channel, _]:
                if channel in self._channels:
                    self._confirmed.add(channel)
                sent = self._take(lambda sent: sent[:2] == (SUBSCRIBED, channel))
                if sent is not None and sent.confirmation is not None:
                    resolve(sent.confirmation, None)
                elif channel in self._channels:
                    self._callbacks.renewed(channel)
            case [b"sunsubscribe", channel, _]:
                sent = self._take(lambda sent: sent[:2] == (UNSUBSCRIBED, channel))
                if sent is None and channel in self._channels:
                    # Redis unsubscribes by itself when the slot has moved to another master.
                    self._channels.remove(channel)
                    self._confirmed.discard(channel)
                    self._callbacks.channel_moved(channel, None, self.address, None)
            case _:  # a pong, before which Redis has confirmed all subscriptions
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
    resolve(confirmation, StoreAway("Redis passes no messages on now."))
