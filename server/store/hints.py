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
from server.store.errors import StoreAway, StoreError
from server.store.line import settle
from server.store.records import Hint
from server.store.slots import slot_of
from server.store.subscription import Asked, Subscription
from server.store.switchboard import Switchboard
from server.store.topology import Topology
from server.store.wire import FIRST_PAUSE, Reply, pack

Hear = Callable[[Hint], None]

log = structlog.get_logger(__name__)

HINTS = {b"room": Hint.ROOM, b"standings": Hint.STANDINGS}
# Channels through which a probe is sent, by chance all over a cluster: one that loses a master
# still passes messages on, and nobody is helped by a process that is called dead for that.
PROBES = 8


class Hints:
    """The subscriptions of this process: each room's at the master that owns its slot."""

    def __init__(self, topology: Topology, lines: Switchboard) -> None:
        self._topology = topology
        self._lines = lines
        self._followers: dict[bytes, Hear] = {}
        self._homes: dict[bytes, Subscription] = {}
        self._subscriptions: dict[Address, Subscription] = {}
        self._retired: set[Task[None]] = set()
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

    async def follow(self, code: str, hear: Hear) -> None:
        """Let `hear` get the room's hints, in place of whoever followed it before.

        When this returns, no change after it goes unheard; so read the room then. `hear` must
        not block; what it raises is logged. Cancelling leaves the room unfollowed.

        Raises:
            StoreAway: no subscription now; the room is not followed.
        """
        channel = keys.channel(code).encode()
        self._followers[channel] = hear
        asked: Future[None] = asyncio.get_running_loop().create_future()
        home = self._home(channel)
        try:
            async with asyncio.timeout(PATIENCE):
                await home.opened.wait()
                home = self._place(channel, asked)
                await asked
        except BaseException as error:
            if self._followers.get(channel) is hear:
                self.unfollow(code)
            if isinstance(error, TimeoutError):
                await home.restart()
                raise StoreAway("Redis confirms no subscription.") from error
            raise

    def unfollow(self, code: str) -> None:
        """Hear no more of the room; nothing happens if it is not followed."""
        channel = keys.channel(code).encode()
        self._followers.pop(channel, None)
        home = self._homes.pop(channel, None)
        if home is not None:
            home.remove(channel)

    async def probe(self) -> None:
        """Send a message to this process through Redis and hear it; of a cluster, any part does.

        Raises:
            StoreAway: it did not come back in time.
        """
        token = token_hex(8).encode()
        met: Future[None] = asyncio.get_running_loop().create_future()
        failures = 0

        def hear(reply: Reply) -> None:
            nonlocal failures
            failures += isinstance(reply, StoreError)
            if failures == len(self._probes):
                settle(met, reply)

        self._probing[token] = met
        self._give_up()
        try:
            async with asyncio.timeout(PATIENCE):
                for channel in map(bytes.decode, self._probes):
                    self._lines.send(channel, pack("SPUBLISH", channel, token), hear)
                await met
        except TimeoutError as error:
            raise StoreAway("Redis passes no messages on.") from error
        finally:
            del self._probing[token]

    async def close(self) -> None:
        """Hang up; nobody hears anything after this."""
        self._followers.clear()
        self._probes.clear()
        tasks = self._retired.union(one.retire() for one in self._subscriptions.values())
        await asyncio.wait(tasks)

    # What the subscriptions tell.

    def heard(self, channel: bytes, payload: bytes) -> None:
        """Pass a hint on, or a probe."""
        hint = HINTS.get(payload)
        if hint is not None:
            self._tell(channel, hint)
        elif payload in self._probing:
            settle(self._probing[payload], None)

    def renewed(self, channel: bytes) -> None:
        """Tell the follower that hints may have been missed."""
        self._tell(channel, Hint.LOST)

    def astray(self, channel: bytes, asked: Asked, by: Address, error: MovedError | None) -> None:
        """Look for the new owner of a channel that a master has not, or no more."""
        self._homes.pop(channel, None)
        if error is None:
            self._topology.doubt()
        else:
            self._topology.moved(by, error)
        # Not at once: two masters that do not agree would keep each other busy.
        asyncio.get_running_loop().call_later(FIRST_PAUSE, self._seek, channel, asked)

    def interrupted(self) -> None:
        """Have the map drawn again: the master may be dead and have an heir."""
        self._topology.doubt()
        self._give_up()

    def _seek(self, channel: bytes, asked: Asked) -> None:
        if channel in self._followers or channel in self._probes:
            self._place(channel, asked)

    def _place(self, channel: bytes, asked: Asked = None) -> Subscription:
        home = self._homes[channel] = self._home(channel)
        home.add(channel, asked)
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
                task = self._subscriptions.pop(address).retire()
                self._retired.add(task)
                task.add_done_callback(self._retired.discard)

    def _give_up(self) -> None:
        """Let no probe wait for a message that cannot come."""
        if not any(one.connected for one in self._subscriptions.values()):
            for met in self._probing.values():
                settle(met, StoreAway("Redis passes no messages on now."))

    def _tell(self, channel: bytes, hint: Hint) -> None:
        hear = self._followers.get(channel)
        if hear is None:
            return
        try:
            hear(hint)
        except Exception:
            # One room's bug must not silence the others.
            log.exception("a hint was not taken")
