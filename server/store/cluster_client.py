"""The pipelines to all masters, and the pipeline of each slot.

Law: a slot goes from one pipeline to another only while the first is idle, and together with all
its queued commands. A single Redis is a cluster with one pipeline.
"""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial

from redis.exceptions import AskError, MovedError, TryAgainError

from server.store.address import Address
from server.store.batch_exchange import Reply
from server.store.damaged_keys import DamagedKeys
from server.store.errors import StoreAway, StoreError
from server.store.keys import UNPREFIXED
from server.store.packed_commands import Word, pack
from server.store.pipeline import Pipeline, resolve
from server.store.redis_connection import REDIRECTIONS
from server.store.redis_protocol import OnReply
from server.store.slots import slot_of
from server.store.topology import Topology

ASKING = pack("ASKING")


class ClusterClient:
    """One pipeline to each master of a topology; `preamble` is sent on each connection.

    Where a method takes a `key`, it may be any key of the room; the command must use only keys in
    the slot of this key. Errors of keys that belong to no room are recorded in `damage`.
    """

    def __init__(
        self, topology: Topology, preamble: Sequence[bytes], damage: DamagedKeys | None = None
    ) -> None:
        self._topology = topology
        self._damage = damage or DamagedKeys(UNPREFIXED)
        self._preamble = preamble
        self._by_master: dict[Address, Pipeline] = {}
        # By slot. The list is never replaced, so that the hot path may keep a reference to it.
        pipelines = {owner: self._pipeline_to(owner) for owner in dict.fromkeys(topology.owners)}
        self.pipelines = [pipelines[owner] for owner in topology.owners]
        self._last_answered = self.pipelines[0]
        topology.on_moved(self._moved)

    async def ask(self, key: str, command: bytes) -> Reply:
        """Return the reply to a packed command; see `Pipeline.ask`."""
        answered: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.send(key, command, partial(resolve, answered))
        return await answered

    async def call(self, key: str, *words: Word) -> Reply:
        """Pack a command, send it, and return the reply; see `ask`."""
        return await self.ask(key, pack(*words))

    async def ask_all(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands, each given with a key.

        Commands to the same node are sent together.

        Raises:
            StoreAway: Redis did not answer one of the commands.
        """
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        replies: list[Reply] = [None] * len(commands)
        missing = len(commands)

        def on_reply(place: int, reply: Reply) -> None:
            nonlocal missing
            replies[place] = reply
            missing -= 1
            if isinstance(reply, StoreError) or not missing:
                resolve(answered, reply if isinstance(reply, StoreError) else None)

        for place, (key, command) in enumerate(commands):
            self.send(key, command, partial(on_reply, place))
        if commands:
            await answered
        return replies

    async def ask_in_order(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands, each given with a key and executed after the one before.

        Raises:
            StoreAway: Redis did not answer one of the commands; later ones may not have been sent.
        """
        replies: list[Reply] = []
        together: list[tuple[str, bytes]] = []
        for key, command in commands:
            # One of two slots may move at any time, even if both are on the same node now.
            if together and len(self._by_master) > 1 and slot_of(key) != slot_of(together[-1][0]):
                replies += await self.ask_all(*together)
                together = []
            together.append((key, command))
        return replies + await self.ask_all(*together)

    async def ask_any_master(self, command: bytes) -> Reply:
        """Return the reply of any master, preferably of the one that answered last time.

        Raises:
            StoreAway: no master answers.
        """
        failure = StoreAway("There is no Redis.")
        for pipeline in dict.fromkeys((self._last_answered, *self._by_master.values())):
            try:
                reply = await pipeline.ask(command)
            except StoreAway as error:
                failure = error
            else:
                self._last_answered = pipeline
                return reply
        raise failure

    async def ask_master(self, address: Address, command: bytes) -> Reply:
        """Return the reply of one master.

        Raises:
            StoreAway: the Redis at `address` does not answer, or is no longer a master.
        """
        pipeline = self._by_master.get(address)
        if pipeline is None:
            raise StoreAway(f"The Redis at {address} is no master.")
        return await pipeline.ask(command)

    def send(self, key: str, command: bytes, on_reply: OnReply) -> None:
        """Queue a packed command with this key; see `Pipeline.send`.

        A refusal reaches `on_reply` as StoreRefused.
        """
        slot = slot_of(key)
        self.pipelines[slot].send(command, self._damage.judged(key, on_reply), slot)

    async def close(self) -> None:
        """Wait until queued commands are answered, then disconnect; cancelling does so at once."""
        await asyncio.gather(*(pipeline.close() for pipeline in self._by_master.values()))

    # The pipelines' `Redirects`.

    def request_refresh(self) -> None:
        """Request a new map of the slots."""
        self._topology.request_refresh()

    def moved(self, by: Address, error: MovedError) -> None:
        """Record the owner of a slot that a node has named."""
        self._topology.moved(by, error)

    async def follow_ask(self, by: Address, error: AskError, command: bytes) -> Reply:
        """Return the reply of the node to which the slot is being moved."""
        pipeline = self._pipeline_to(self._topology.named(by, error))
        pipeline.send(ASKING, _ignore)
        try:
            return await pipeline.ask(command)
        except StoreError as failure:
            # If this node has not executed the command either, the first node gets it again.
            cause = failure.__cause__
            return TryAgainError(str(cause)) if isinstance(cause, REDIRECTIONS) else failure

    def _pipeline_to(self, address: Address) -> Pipeline:
        if address not in self._by_master:
            self._by_master[address] = Pipeline(
                address, self._preamble, self, tasks=self._topology.tasks
            )
        return self._by_master[address]

    def _moved(self, slots: Collection[int]) -> None:
        """Hand slots with new owners over, once the pipelines that had them are idle."""
        losing: dict[Pipeline, set[int]] = {}
        for slot in slots:
            losing.setdefault(self.pipelines[slot], set()).add(slot)
        for pipeline, lost in losing.items():
            pipeline.when_idle(partial(self._hand_over, pipeline, lost))

    def _hand_over(self, pipeline: Pipeline, slots: Collection[int]) -> None:
        """Give slots and their queued commands to the pipelines of their owners."""
        for slot in slots:
            # A slot that another pipeline has got meanwhile is handed over by that pipeline.
            if self.pipelines[slot] is pipeline:
                self.pipelines[slot] = self._pipeline_to(self._topology.owners[slot])
        for entry in pipeline.extract(slots):
            self.pipelines[entry[2]].enqueue(entry)
        if pipeline not in self.pipelines and self._by_master.get(pipeline.address) is pipeline:
            del self._by_master[pipeline.address]
            pipeline.shut_down()


def _ignore(reply: Reply) -> None:
    """Ignore the reply to ASKING."""
