"""Notifications of changes in the rooms that this process subscribes to, by sharded pub/sub.

Law: each new version of a room is announced once, by its number; a deletion, by the next number.
Such a notification does not contain the change: the subscriber must read the room from the store.
A notification may be missed only if LOST comes after it.

The process that stores acts publishes the seat's progress afterwards, but not after every act.
So progress may be missed without LOST, if that process dies or the store does not answer it. One
process's notifications arrive in order. After a seat has moved to another process, older ones may
arrive after newer ones. A process does not receive its own.

A subscription is confirmed by the reply to its own command, not to an earlier one. A
confirmation that nobody waits for means that a lost subscription was renewed.
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
from server.store.address import BROKEN, Address, StoreTimings
from server.store.cluster import ClusterClient, Topology, slot_of
from server.store.connection import OnReply, RedisProtocol, keyed, pack
from server.store.errors import StoreAway
from server.store.keys import Keys
from server.store.pipeline import FIRST_BACKOFF_S, LONGEST_BACKOFF_S, ignore, resolve
from server.store.records import Notification, OnNotification, ProgressNotification, SeatProgress

log = structlog.get_logger(__name__)

MESSAGE = b"smessage"
SUBSCRIBE, UNSUBSCRIBE = b"ssubscribe", b"sunsubscribe"
PING = pack("PING")
PROBES = 8  # test this many channels, in random slots: a master of a cluster may be away
Sent = tuple[bytes, bytes]  # a command and its channel, compared by identity


@dataclass(eq=False)
class Channel:
    """A channel that this process subscribes to."""

    name: bytes
    callback: OnNotification
    waiting: Future[None] | None = None  # of the call of `subscribe` that awaits a confirmation
    published: Collection[bytes] = ()  # our latest messages, which Redis sends back to us
    via: "Subscription | None" = None  # the connection, to one master, that receives it
    sent: Sent | None = None  # our latest command for it, the only one whose confirmation counts
    is_current: bool = False  # whether it is confirmed, and the connection has not broken since


class Subscription:
    """A connection to one master, for its channels. Its task reconnects whenever it breaks."""

    def __init__(self, address: Address, pubsub: "PubSub", timings: StoreTimings) -> None:
        self.address = address
        self.opened = asyncio.Event()  # set by the first reply to a PING
        self._pubsub, self._timings = pubsub, timings
        self._sent: deque[Sent] = deque()  # commands that Redis has not answered yet
        self.protocol: RedisProtocol | None = None  # while there is a connection
        self._lost: Future[Exception] | None = None  # gets the reason when the connection is lost
        self._heard_at_s = 0.0  # when Redis last sent something
        self._backoff_s = FIRST_BACKOFF_S
        self.task = asyncio.create_task(self._run(), name="redis pub/sub")  # cancelled by `PubSub`

    def subscribe(self, channel: Channel) -> None:
        """Subscribe to a channel now; without a connection, `_run` does it once there is one."""
        channel.via, channel.is_current = self, False
        channel.sent = self._post(SUBSCRIBE, channel.name)

    def unsubscribe(self, channel: Channel) -> None:
        """Unsubscribe from a channel; without a connection, only forget it."""
        channel.via, channel.sent, channel.is_current = None, None, False
        self._post(UNSUBSCRIBE, channel.name)

    def channels(self) -> list[Channel]:
        """Return the channels that this connection receives."""
        return [channel for channel in self._pubsub.channels.values() if channel.via is self]

    def _post(self, command: bytes, channel: bytes) -> Sent | None:
        """Send a command and return it, or return None if there is no connection."""
        if self.protocol is None or self.protocol.is_lost:
            return None
        sent = (command, channel)
        self._sent.append(sent)
        self.protocol.send((pack(*sent),))
        return sent

    async def _run(self) -> None:
        """Connect and subscribe to all channels; start over whenever the connection is lost."""
        while True:
            try:
                lost = self._lost = asyncio.get_running_loop().create_future()
                self.protocol = await self.address.open(self._receive, self._lose)
                for channel in self.channels():
                    self.subscribe(channel)
                await self._watch(self.protocol, lost)
            except Exception as error:
                metrics.store_errors.inc()
                if self._backoff_s == FIRST_BACKOFF_S:  # log an outage once
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
            await asyncio.sleep(self._backoff_s)
            self._backoff_s = min(2 * self._backoff_s, LONGEST_BACKOFF_S)

    async def _watch(self, protocol: RedisProtocol, lost: Future[Exception]) -> None:
        """Ping Redis until the connection is lost, then raise the reason."""
        while not lost.done():
            # Without pings, a half-open TCP connection would stay silent for ever.
            asked_at_s = time.monotonic()
            protocol.send((PING,))
            await asyncio.wait([lost], timeout=self._timings.pubsub_reply_s)
            if not lost.done() and self._heard_at_s < asked_at_s:
                raise StoreAway("the subscription is silent")
            await asyncio.wait([lost], timeout=self._timings.ping_after_s)
        raise lost.result()

    def _lose(self, error: Exception) -> None:
        """Let `_watch` raise the reason why the connection is lost."""
        if self._lost is not None and not self._lost.done():
            self._lost.set_result(error)

    def _receive(self, message: Any) -> None:
        """Handle a message in a channel, or the reply to a command."""
        self._heard_at_s = time.monotonic()
        if type(message) is list and message[0] == MESSAGE:  # nearly all of them
            self._pubsub.handle_message(message[1], message[2])
            return
        match message:
            case MovedError():
                command, name = self._sent.popleft()
                if command == SUBSCRIBE:
                    self._pubsub.handle_moved_channel(name, self)
            case ResponseError():
                raise StoreAway(f"Redis refuses a subscription: {message}")
            case [b"ssubscribe", name, _]:
                sent, channel = self._sent.popleft(), self._pubsub.channels.get(name)
                if channel is not None and channel.sent is sent:
                    self._pubsub.handle_confirmation(channel)
            case [b"sunsubscribe", name, _]:
                if self._sent and self._sent[0] == (UNSUBSCRIBE, name):
                    self._sent.popleft()
                else:
                    # Redis unsubscribes us when the slot has moved to another master.
                    self._pubsub.handle_moved_channel(name, self)
            case _:  # a pong: Redis has confirmed all subscriptions before it
                self._backoff_s = FIRST_BACKOFF_S
                self.opened.set()


class PubSub:
    """This process's subscriptions to rooms, each at the master that owns the room's slot."""

    def __init__(
        self, topology: Topology, client: ClusterClient, timings: StoreTimings, keys: Keys
    ) -> None:
        self._topology, self._client, self._keys = topology, client, keys
        self._timings = timings
        self.channels: dict[bytes, Channel] = {}  # by name
        self.subscriptions: dict[Address, Subscription] = {}  # one to each master with channels
        self._probe_channels = [self._keys.channel(token_hex(8)) for _ in range(PROBES)]
        self._probes: dict[object, Future[None]] = {}  # under way, by payload
        self.interrupted_at_s = time.monotonic()  # when a connection last broke or was refused
        for name in self._probe_channels:
            self._add(Channel(name.encode(), self._finish_probe))
        topology.on_moved.append(self._follow_owners)

    async def wait_until_open(self) -> None:
        """Wait for the first connections; raise StoreAway after `pubsub_reply_s` without one."""
        opened = [subscription.opened for subscription in self.subscriptions.values()]
        with suppress(TimeoutError):
            async with asyncio.timeout(self._timings.pubsub_reply_s):
                await asyncio.gather(*(event.wait() for event in opened))
        if not any(event.is_set() for event in opened):
            raise StoreAway("Redis takes no subscription.")

    async def subscribe(self, code: str, callback: OnNotification) -> None:
        """Call `callback` for each notification of the room, in place of an earlier callback.

        Changes before this method returns may be missed, so read the room afterwards. `callback`
        must not block; its exceptions are logged. Cancelling, or a StoreAway, unsubscribes.
        """
        confirmed = asyncio.get_running_loop().create_future()
        channel = Channel(self._keys.channel(code).encode(), callback, confirmed)
        subscription = self._add(channel)
        if subscription.opened.is_set() and subscription.protocol is None:
            # Do not let the caller wait for the next connection, which may take long.
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
        """Unsubscribe from the room, if it is subscribed."""
        channel = self.channels.pop(self._keys.channel(code).encode(), None)
        if channel is not None and channel.via is not None:
            channel.via.unsubscribe(channel)

    def publish(self, code: str, progress: Collection[SeatProgress], on_reply: OnReply) -> None:
        """Publish the progress of seats to the room's subscribers in other processes.

        `on_reply` is called later for each seat, with a StoreError if Redis refuses or does not
        answer.
        """
        name = self._keys.channel(code)
        encoded, slot = name.encode(), slot_of(name)
        payloads = dict.fromkeys(map(ProgressNotification.write, progress))
        if (channel := self.channels.get(encoded)) is not None:
            channel.published = payloads  # to recognise them: Redis sends them back
        send = self._client.pipelines[slot].send
        for payload in payloads:
            send(pack(b"SPUBLISH", encoded, payload), on_reply, slot)

    def is_subscribed(self, code: str) -> bool:
        """Return whether this process can rely on getting the room's notifications now.

        If not, a failover could set the room back to an earlier version without our noticing.
        """
        name = self._keys.channel(code).encode()
        channel = self.channels.get(name)
        return channel is not None and channel.is_current and channel.via is self._owner_of(name)

    async def probe(self) -> None:
        """Send this process messages through random masters; raise StoreAway if none arrives."""
        if all(each.protocol is None for each in self.subscriptions.values()):
            raise StoreAway("Redis passes no messages on now.")
        token = randbits(60)  # a number, so that it arrives like a room's version
        arrived = self._probes[token] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(self._timings.pubsub_reply_s):
                for channel in self._probe_channels:
                    self._client.send(keyed("SPUBLISH", channel, token), ignore)
                await arrived
        except TimeoutError as error:
            raise StoreAway("Redis passes no messages on.") from error
        finally:
            del self._probes[token]

    async def close(self) -> None:
        """Disconnect and stop calling back."""
        self._fail_waiting(self.channels.values(), StoreAway("Closed."))
        self.channels.clear()
        tasks = [subscription.task for subscription in self.subscriptions.values()]
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)

    # The subscriptions call these methods, which must not block or raise.

    def handle_message(self, name: bytes, payload: bytes) -> None:
        """Pass a message on to its channel, unless this process sent it or its kind is unknown."""
        channel = self.channels.get(name)
        if channel is None or payload in channel.published:
            return
        if payload.startswith(records.PROGRESS):  # nearly all of them
            _notify(channel, ProgressNotification(payload))
        elif payload.isdigit():
            _notify(channel, int(payload))
        elif payload == records.DELETED:
            _notify(channel, Notification.DELETED)

    def handle_confirmation(self, channel: Channel) -> None:
        """Finish a call of `subscribe`, or notify a channel that may have missed something."""
        channel.is_current = True
        waiting, channel.waiting = channel.waiting, None
        if waiting is not None:
            resolve(waiting, None)
            return
        # Stop ignoring our own messages: after a failover, another process may send the same.
        channel.published = ()
        _notify(channel, Notification.LOST)

    def handle_moved_channel(self, name: bytes, former: Subscription) -> None:
        """Move a channel, after a pause, to the new master of its slot; `former` rejects it."""
        channel = self.channels.get(name)
        if channel is not None and channel.via is former:
            channel.via, channel.sent, channel.is_current = None, None, False
            self._topology.request_refresh(former.address)
            # Without a pause, two masters that disagree would redirect it in a tight loop.
            asyncio.get_running_loop().call_later(FIRST_BACKOFF_S, self._follow_owners)

    def handle_lost_connection(self, subscription: Subscription) -> None:
        """Fail the `subscribe` calls waiting for this connection; request a new map of slots."""
        self.interrupted_at_s = time.monotonic()
        self._topology.request_refresh()  # a replica may have replaced the master
        self._fail_waiting(subscription.channels(), StoreAway("Redis passes no messages on now."))

    def _fail_waiting(self, channels: Collection[Channel], error: StoreAway) -> None:
        """Make the calls of `subscribe` that wait for these channels raise an error."""
        for channel in channels:
            if channel.waiting is not None:
                resolve(channel.waiting, error)

    def _add(self, channel: Channel) -> Subscription:
        """Subscribe to a new channel at the master of its slot; return the subscription there."""
        self.channels[channel.name] = channel
        subscription = self._owner_of(channel.name)
        subscription.subscribe(channel)
        return subscription

    def _owner_of(self, name: bytes) -> Subscription:
        """Return the subscription at the master of a channel's slot; create it if needed."""
        owner = self._topology.owners[slot_of(name.decode())]
        if owner not in self.subscriptions:
            self.subscriptions[owner] = Subscription(owner, self, self._timings)
        return self.subscriptions[owner]

    def _follow_owners(self, _moved_slots: Collection[int] = ()) -> None:
        """Move each channel to the master of its slot; disconnect from masters without slots."""
        for channel in self.channels.values():
            owner = self._owner_of(channel.name)
            if channel.via is not owner:
                if channel.via is not None:
                    channel.via.unsubscribe(channel)
                owner.subscribe(channel)
        for address in self.subscriptions.keys() - set(self._topology.owners):
            self.subscriptions.pop(address).task.cancel()

    def _finish_probe(self, notification: object) -> None:
        """Finish the call of `probe` that sent this message."""
        if notification in self._probes:
            resolve(self._probes[notification], None)


def _notify(channel: Channel, notification: int | Notification | ProgressNotification) -> None:
    try:
        channel.callback(notification)
    except Exception:
        # Other rooms must still get their notifications.
        log.exception("the callback of a notification failed")
