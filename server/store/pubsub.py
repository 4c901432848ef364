"""What other processes did to the rooms that this one follows: sharded pub/sub.

Law: a hint may be missed only if LOST comes after it. Nobody learns from a hint what has
changed, only that it is worth reading.
"""

import asyncio
from asyncio import Future, Task
from collections.abc import Callable, Collection
from secrets import token_hex

import structlog
from redis.exceptions import MovedError

from server.store import keys
from server.store.address import PATIENCE, Address
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway, StoreError
from server.store.pipeline import settle
from server.store.records import Notification
from server.store.redis_connection import FIRST_PAUSE, Reply, pack
from server.store.slots import slot_of
from server.store.subscription import Confirmation, Subscription
from server.store.topology import Topology

OnNotification = Callable[[Notification], None]

log = structlog.get_logger(__name__)

NOTIFICATIONS = {b"room": Notification.ROOM, b"standings": Notification.STANDINGS}
# Channels through which a probe is sent, by chance all over a cluster: one that loses a master
# still passes messages on, and nobody is helped by a process that is called dead for that.
PROBES = 8


class PubSub:
    """The subscriptions of this process: each room's at the master that owns its slot."""

    def __init__(self, topology: Topology, pipelines: ClusterClient) -> None:
        self._topology = topology
        self._client = pipelines
        self._callbacks: dict[bytes, OnNotification] = {}
        self._homes: dict[bytes, Subscription] = {}
        self._subscriptions: dict[Address, Subscription] = {}
        self._shutting_down: set[Task[None]] = set()
        self._probes = {keys.channel(token_hex(8)).encode() for _ in range(PROBES)}
        self._probing: dict[bytes, Future[None]] = {}
        for owner in dict.fromkeys(topology.owners):
            self._to(owner)
        for channel in self._probes:
            self._place(channel)
        topology.watch(self._moved)

    async def opened(self) -> None:
        """Wait for the first connections.

        Raises:
            StoreAway: there is none after two seconds.
        """
        waits = [asyncio.ensure_future(one.opened.wait()) for one in self._subscriptions.values()]
        try:
            await asyncio.wait(waits, timeout=PATIENCE)
            if not any(wait.done() for wait in waits):
                raise StoreAway("Redis takes no subscription.")
        finally:
            for wait in waits:
                wait.cancel()

    async def subscribe(self, code: str, callback: OnNotification) -> None:
        """Let `callback` get the room's hints, in place of whoever followed it before.

        When this returns, no change after it goes unheard; so read the room then. `callback` must
        not block; what it raises is logged. Cancelling leaves the room unfollowed.

        Raises:
            StoreAway: no subscription now; the room is not followed.
        """
        channel = keys.channel(code).encode()
        self._callbacks[channel] = callback
        confirmation: Future[None] = asyncio.get_running_loop().create_future()
        home = self._home(channel)
        try:
            async with asyncio.timeout(PATIENCE):
                await home.opened.wait()
                home = self._place(channel, confirmation)
                await confirmation
        except BaseException as error:
            if self._callbacks.get(channel) is callback:
                self.unsubscribe(code)
            if isinstance(error, TimeoutError):
                await home.restart()
                raise StoreAway("Redis confirms no subscription.") from error
            raise

    def unsubscribe(self, code: str) -> None:
        """Hear no more of the room; nothing happens if it is not followed."""
        channel = keys.channel(code).encode()
        self._callbacks.pop(channel, None)
        home = self._homes.pop(channel, None)
        if home is not None:
            home.remove(channel)

    async def probe(self) -> None:
        """Send a message to this process through Redis and receive it; any part of a cluster does.

        Raises:
            StoreAway: it did not come back in time.
        """
        token = token_hex(8).encode()
        met: Future[None] = asyncio.get_running_loop().create_future()
        failures = 0

        def on_reply(reply: Reply) -> None:
            nonlocal failures
            failures += isinstance(reply, StoreError)
            if failures == len(self._probes):
                settle(met, reply)

        self._probing[token] = met
        self._give_up()
        try:
            async with asyncio.timeout(PATIENCE):
                for channel in map(bytes.decode, self._probes):
                    self._client.send(channel, pack("SPUBLISH", channel, token), on_reply)
                await met
        except TimeoutError as error:
            raise StoreAway("Redis passes no messages on.") from error
        finally:
            del self._probing[token]

    async def close(self) -> None:
        """Hang up; nobody hears anything after this."""
        self._callbacks.clear()
        self._probes.clear()
        tasks = self._shutting_down.union(one.shut_down() for one in self._subscriptions.values())
        await asyncio.wait(tasks)

    # What the subscriptions tell.

    def received(self, channel: bytes, payload: bytes) -> None:
        """Pass a hint on, or a probe."""
        notification = NOTIFICATIONS.get(payload)
        if notification is not None:
            self._tell(channel, notification)
        elif payload in self._probing:
            settle(self._probing[payload], None)

    def renewed(self, channel: bytes) -> None:
        """Tell the follower that hints may have been missed."""
        self._tell(channel, Notification.LOST)

    def channel_moved(
        self, channel: bytes, confirmation: Confirmation, by: Address, error: MovedError | None
    ) -> None:
        """Look for the new owner of a channel that a master has not, or no more."""
        self._homes.pop(channel, None)
        if error is None:
            self._topology.request_refresh()
        else:
            self._topology.moved(by, error)
        # Not at once: two masters that do not agree would keep each other busy.
        asyncio.get_running_loop().call_later(FIRST_PAUSE, self._seek, channel, confirmation)

    def interrupted(self) -> None:
        """Have the map drawn again: the master may be dead and have an heir."""
        self._topology.request_refresh()
        self._give_up()

    def _seek(self, channel: bytes, confirmation: Confirmation) -> None:
        if channel in self._callbacks or channel in self._probes:
            self._place(channel, confirmation)

    def _place(self, channel: bytes, confirmation: Confirmation = None) -> Subscription:
        home = self._homes[channel] = self._home(channel)
        home.add(channel, confirmation)
        return home

    def _home(self, channel: bytes) -> Subscription:
        return self._to(self._topology.owners[slot_of(channel.decode())])

    def _to(self, owner: Address) -> Subscription:
        if owner not in self._subscriptions:
            self._subscriptions[owner] = Subscription(owner, self)
        return self._subscriptions[owner]

    def _moved(self, _slots: Collection[int]) -> None:
        for channel, home in list(self._homes.items()):
            if home is not self._home(channel):
                home.remove(channel)
                self._place(channel)
        owners = dict.fromkeys(self._topology.owners)
        for owner in owners:
            self._to(owner)
        for address in list(self._subscriptions):
            if address not in owners:
                task = self._subscriptions.pop(address).shut_down()
                self._shutting_down.add(task)
                task.add_done_callback(self._shutting_down.discard)

    def _give_up(self) -> None:
        """Let no probe wait for a message that cannot come."""
        if not any(one.connected for one in self._subscriptions.values()):
            for met in self._probing.values():
                settle(met, StoreAway("Redis passes no messages on now."))

    def _tell(self, channel: bytes, notification: Notification) -> None:
        callback = self._callbacks.get(channel)
        if callback is None:
            return
        try:
            callback(notification)
        except Exception:
            # One room's bug must not silence the others.
            log.exception("a hint was not taken")
