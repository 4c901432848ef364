"""Notifications of changes in the rooms to which this process subscribes, by sharded pub/sub.

Law: each new version of a room is notified once, by its number, and a room that is deleted by the
next number. Such a notification does not contain the change: the subscriber must read the room
from the store. It may be missed only if LOST comes after it.

The progress of a seat is published by the process that has stored it, after the store has
answered, and not for each act. So it may be missed without LOST: if that process dies first, or
the store does not answer it. Notifications of one process come in their order. When a seat goes to
another process, older ones may come after newer ones. A process does not receive its own.

Who subscribes to a channel is answered by the confirmation of the own command and never of an
earlier one. A confirmation for which nobody waits means that a lost subscription was renewed.
"""

import asyncio
import time
from asyncio import Future
from collections import deque
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from secrets import randbits, token_hex
from typing import Any

import structlog
from redis.exceptions import MovedError, ResponseError

from server import metrics
from server.store import records
from server.store.address import BROKEN, Address
from server.store.cluster import ClusterClient, Topology, slot_of
from server.store.connection import OnReply, RedisProtocol, pack
from server.store.errors import StoreAway
from server.store.keys import Keys
from server.store.pipeline import FIRST_BACKOFF_S, LONGEST_BACKOFF_S, ignore, resolve
from server.store.records import Notification, OnNotification, ProgressNotification, SeatProgress
from server.store.timings import StoreTimings

log = structlog.get_logger(__name__)

MESSAGE = b"smessage"
SUBSCRIBED, UNSUBSCRIBED = b"ssubscribe", b"sunsubscribe"
PING = pack("PING")
PROBES = 8  # channels with random names, so in random slots: a cluster may have lost one master
Sent = tuple[bytes, bytes]  # a command and its channel; each one that is sent is another object


@dataclass(eq=False)
class Channel:
    """A channel to which this process subscribes."""

    name: bytes
    callback: OnNotification
    waiting: Future[None] | None = None  # who waits for its first confirmation
    own: Collection[bytes] = ()  # what this process has published last: it comes back
    at: "Subscription | None" = None  # the connection that receives it
    sent: Sent | None = None  # the command there whose confirmation counts
    is_current: bool = False  # whether its messages arrive, as far as is known


class Subscription:
    """Channels of one master; it connects by itself, and again whenever the connection breaks."""

    def __init__(self, address: Address, pubsub: "PubSub", timings: StoreTimings) -> None:
        self.address = address
        self.opened = asyncio.Event()  # set by the first reply to a PING
        self._pubsub = pubsub
        self._timings = timings
        self._sent: deque[Sent] = deque()  # commands to which replies are due
        self.protocol: RedisProtocol | None = None  # of the connection, while there is one
        self._lost: Future[Exception] | None = None  # why the connection is lost
        self._heard_at = 0.0
        self._pause = FIRST_BACKOFF_S  # before the next attempt to connect
        self.task = asyncio.create_task(self._run(), name="redis pub/sub")  # cancelled at the end

    def subscribe(self, channel: Channel) -> None:
        """Subscribe to a channel: now, or once the connection is open."""
        channel.at, channel.is_current = self, False
        channel.sent = self._post(SUBSCRIBED, channel.name)

    def unsubscribe(self, channel: Channel) -> None:
        """Unsubscribe from a channel."""
        channel.at, channel.sent, channel.is_current = None, None, False
        self._post(UNSUBSCRIBED, channel.name)

    def channels(self) -> list[Channel]:
        """Return the channels that this connection receives."""
        return [channel for channel in self._pubsub.channels.values() if channel.at is self]

    def _post(self, command: bytes, channel: bytes) -> Sent | None:
        """Send a command, unless there is no connection: the next one takes all channels."""
        if self.protocol is None or self.protocol.lost:
            return None
        sent = (command, channel)
        self._sent.append(sent)
        self.protocol.send((pack(*sent),))
        return sent

    async def _run(self) -> None:
        """Subscribe again whenever the connection is lost, after growing pauses."""
        while True:
            try:
                lost = self._lost = asyncio.get_running_loop().create_future()
                self.protocol = await self.address.open(self._receive, self._lose)
                for channel in self.channels():
                    self.subscribe(channel)
                await self._watch(self.protocol, lost)
            except Exception as error:
                metrics.store_errors.inc()
                if self._pause == FIRST_BACKOFF_S:  # one log line for an outage
                    unexpected = not isinstance(error, (*BROKEN, StoreAway))
                    log.warning("notifications interrupted", error=str(error), exc_info=unexpected)
            finally:
                if self.protocol is not None:
                    self.protocol.stop()
                    self.protocol = None
                for channel in self.channels():
                    channel.is_current = False
                self._sent.clear()
            self._pubsub.handle_lost_connection(self)
            await asyncio.sleep(self._pause)
            self._pause = min(2 * self._pause, LONGEST_BACKOFF_S)

    async def _watch(self, protocol: RedisProtocol, lost: Future[Exception]) -> None:
        """Test the connection again and again; raise why it is lost."""
        while not lost.done():
            # A half-open TCP connection stays silent for ever.
            asked_at = time.monotonic()
            protocol.send((PING,))
            await asyncio.wait([lost], timeout=self._timings.pubsub_reply_s)
            if not lost.done() and self._heard_at < asked_at:
                raise StoreAway("the subscription is silent")
            await asyncio.wait([lost], timeout=self._timings.ping_after_s)
        raise lost.result()

    def _lose(self, error: Exception) -> None:
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(error)

    def _receive(self, message: Any) -> None:
        self._heard_at = time.monotonic()
        if type(message) is list and message[0] == MESSAGE:  # as nearly all of them are
            self._pubsub.received(message[1], message[2])
            return
        match message:
            case MovedError():
                command, name = self._sent.popleft()
                if command == SUBSCRIBED:
                    self._pubsub.channel_moved(name, self)
            case ResponseError():
                raise StoreAway(f"Redis refuses a subscription: {message}")
            case [b"ssubscribe", name, _]:
                sent, channel = self._sent.popleft(), self._pubsub.channels.get(name)
                if channel is not None and channel.sent is sent:
                    self._pubsub.confirmed(channel)
            case [b"sunsubscribe", name, _]:
                if self._sent and self._sent[0] == (UNSUBSCRIBED, name):
                    self._sent.popleft()
                else:
                    # Redis unsubscribes by itself when the slot has moved to another master.
                    self._pubsub.channel_moved(name, self)
            case _:  # a pong, before which Redis has confirmed all subscriptions
                self._pause = FIRST_BACKOFF_S
                self.opened.set()


class PubSub:
    """The subscriptions of this process; each room's is at the master that owns its slot."""

    def __init__(
        self, topology: Topology, client: ClusterClient, timings: StoreTimings, keys: Keys
    ) -> None:
        self._topology = topology
        self._client = client
        self._keys = keys
        self._timings = timings
        self.channels: dict[bytes, Channel] = {}  # by name
        self.subscriptions: dict[Address, Subscription] = {}  # one to each master with channels
        self._probe_channels = [self._keys.channel(token_hex(8)) for _ in range(PROBES)]
        self._probes: dict[object, Future[None]] = {}  # those in flight, by their payload
        self.interrupted_at_s = time.monotonic()  # when a connection was last lost or not made
        for name in self._probe_channels:
            self._add(Channel(name.encode(), self._probed))
        topology.on_moved.append(self._follow_owners)

    async def opened(self) -> None:
        """Wait for the first connections; raise StoreAway if none opens in `pubsub_reply_s`."""
        opened = [one.opened for one in self.subscriptions.values()]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timings.pubsub_reply_s):
                await asyncio.gather(*(each.wait() for each in opened))
        if not any(each.is_set() for each in opened):
            raise StoreAway("Redis takes no subscription.")

    async def subscribe(self, code: str, callback: OnNotification) -> None:
        """Call `callback` for each notification of the room, in place of an earlier callback.

        Only changes after this method has returned are sure to be notified, so the caller must
        read the room afterwards. `callback` must not block; an exception that it raises is
        logged. The room is not subscribed after cancelling, nor after a StoreAway.
        """
        confirmed = asyncio.get_running_loop().create_future()
        channel = Channel(self._keys.channel(code).encode(), callback, confirmed)
        subscription = self._add(channel)
        if subscription.opened.is_set() and subscription.protocol is None:
            # After a lost connection nobody is kept waiting: the next one may take long.
            resolve(confirmed, StoreAway("Redis passes no messages on now."))
        try:
            async with asyncio.timeout(self._timings.pubsub_reply_s):
                await confirmed
        except BaseException as error:
            if self.channels.get(channel.name) is channel:
                self.unsubscribe(code)
            if isinstance(error, TimeoutError):
                raise StoreAway("Redis confirms no subscription.") from error
            raise

    def unsubscribe(self, code: str) -> None:
        """Unsubscribe the room; do nothing if it is not subscribed."""
        channel = self.channels.pop(self._keys.channel(code).encode(), None)
        if channel is not None and channel.at is not None:
            channel.at.unsubscribe(channel)

    def publish(self, code: str, progress: Collection[SeatProgress], on_reply: OnReply) -> None:
        """Publish the progress of seats to the other processes that subscribe to the room.

        `on_reply` is called for each of them, later, with a StoreError if Redis does not answer or
        refuses. The room's subscriber in this process is not notified.
        """
        name = self._keys.channel(code)
        encoded, slot = name.encode(), slot_of(name)
        payloads = dict.fromkeys(map(ProgressNotification.write, progress))
        if (channel := self.channels.get(encoded)) is not None:
            channel.own = payloads
        send = self._client.pipelines[slot].send
        for payload in payloads:
            send(pack(b"SPUBLISH", encoded, payload), on_reply, slot)

    def passes_on(self, code: str) -> bool:
        """Return whether the room's notifications arrive, as far as this process can see.

        While they do not, a failover may set the room back to an earlier version unnoticed.
        """
        name = self._keys.channel(code).encode()
        channel = self.channels.get(name)
        return channel is not None and channel.is_current and channel.at is self._owner_of(name)

    async def probe(self) -> None:
        """Wait until a message to this process arrives through any master, or raise StoreAway."""
        if all(one.protocol is None for one in self.subscriptions.values()):
            raise StoreAway("Redis passes no messages on now.")
        token = randbits(60)
        arrived = self._probes[token] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self._timings.pubsub_reply_s):
                for channel in self._probe_channels:
                    self._client.send(channel, pack("SPUBLISH", channel, token), ignore)
                await arrived
        except TimeoutError as error:
            raise StoreAway("Redis passes no messages on.") from error
        finally:
            del self._probes[token]

    async def close(self) -> None:
        """Disconnect; no callback is called after this."""
        self._answer_waiting(self.channels.values(), StoreAway("Closed."))
        self.channels.clear()
        tasks = [one.task for one in self.subscriptions.values()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    # What the subscriptions call; it must not block or raise.

    def received(self, name: bytes, payload: bytes) -> None:
        """Notify of a message, unless it is this process's own or of an unknown kind."""
        channel = self.channels.get(name)
        if channel is None or payload in channel.own:
            return
        if payload.startswith(records.PROGRESS):  # as nearly all of them do
            _notify(channel, ProgressNotification(payload))
        elif payload.isdigit():
            _notify(channel, int(payload))
        elif payload == records.DELETED:
            _notify(channel, Notification.DELETED)

    def confirmed(self, channel: Channel) -> None:
        """Answer who waits for a subscription, or notify that it may have missed something."""
        channel.is_current = True
        waiting, channel.waiting = channel.waiting, None
        if waiting is not None:
            resolve(waiting, None)
            return
        # A failover may have lost what this process has published, and another one may repeat it.
        channel.own = ()
        _notify(channel, Notification.LOST)

    def channel_moved(self, name: bytes, by: Subscription) -> None:
        """Subscribe to a channel at its new owner, a little later."""
        channel = self.channels.get(name)
        if channel is not None and channel.at is by:
            channel.at, channel.sent, channel.is_current = None, None, False
            self._topology.request_refresh(by.address)
            # Two masters that disagree would otherwise redirect the channel in a tight loop.
            asyncio.get_running_loop().call_later(FIRST_BACKOFF_S, self._follow_owners, ())

    def handle_lost_connection(self, subscription: Subscription) -> None:
        """Fail the subscriptions that wait for this connection, and request a new map of slots."""
        self.interrupted_at_s = time.monotonic()
        self._topology.request_refresh()  # a replica may have replaced the master
        away = StoreAway("Redis passes no messages on now.")
        self._answer_waiting(subscription.channels(), away)

    def _answer_waiting(self, channels: Collection[Channel], away: StoreAway) -> None:
        for channel in channels:
            if channel.waiting is not None:
                resolve(channel.waiting, away)

    def _add(self, channel: Channel) -> Subscription:
        self.channels[channel.name] = channel
        subscription = self._owner_of(channel.name)
        subscription.subscribe(channel)
        return subscription

    def _owner_of(self, name: bytes) -> Subscription:
        """Return the subscription to the master that owns a channel's slot, made if needed."""
        owner = self._topology.owners[slot_of(name.decode())]
        if owner not in self.subscriptions:
            self.subscriptions[owner] = Subscription(owner, self, self._timings)
        return self.subscriptions[owner]

    def _follow_owners(self, _slots: Collection[int]) -> None:
        """Subscribe channels at the owners of their slots; leave masters that own none."""
        for channel in self.channels.values():
            owner = self._owner_of(channel.name)
            if channel.at is not owner:
                if channel.at is not None:
                    channel.at.unsubscribe(channel)
                owner.subscribe(channel)
        for address in self.subscriptions.keys() - set(self._topology.owners):
            self.subscriptions.pop(address).task.cancel()

    def _probed(self, notification: object) -> None:
        if notification in self._probes:
            resolve(self._probes[notification], None)


def _notify(channel: Channel, notification: int | Notification | ProgressNotification) -> None:
    try:
        channel.callback(notification)
    except Exception:
        # A bug in one room's callback must not stop the notifications of other rooms.
        log.exception("the callback of a notification failed")
