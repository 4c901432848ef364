"""The way of every command: the lines to all masters, and which of them a slot is on.

Law: a slot goes from one line to another only when the first is at rest, and with all that
waits for it. A single Redis is a cluster with one line.
"""

import asyncio
from collections.abc import Collection, Sequence
from functools import partial

from redis.exceptions import AskError, MovedError, TryAgainError

from server.store.address import Address
from server.store.errors import StoreAway, StoreError
from server.store.pipeline import OnReply, Pipeline, settle
from server.store.redis_connection import REDIRECTIONS, Reply, Word, pack
from server.store.slots import slot_of
from server.store.topology import Topology

ASKING = pack("ASKING")


class ClusterClient:
    """Lines of one kind to the masters of a topology; `preamble` is sent on each connection.

    Where a method takes a `key`, any key of the room does, and what is asked must be in its slot.
    """

    def __init__(self, topology: Topology, preamble: Sequence[bytes]) -> None:
        self._topology = topology
        self._preamble = preamble
        self._client: dict[Address, Pipeline] = {}
        # By slot. Always this list, so that the hot path may keep it.
        pipelines = {owner: self._to(owner) for owner in dict.fromkeys(topology.owners)}
        self.pipelines = [pipelines[owner] for owner in topology.owners]
        self._steady = self.pipelines[0]
        topology.watch(self._moved)

    async def ask(self, key: str, command: bytes) -> Reply:
        """Return the reply to a packed command; see `Line.ask`."""
        slot = slot_of(key)
        return await self.pipelines[slot].ask(command, slot)

    async def call(self, key: str, *words: Word) -> Reply:
        """Pack and `ask`."""
        return await self.ask(key, pack(*words))

    async def ask_all(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands with their keys; those of a node leave together.

        Raises:
            StoreAway: one of them was not answered.
        """
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        replies: list[Reply] = [None] * len(commands)
        left = len(commands)

        def on_reply(place: int, reply: Reply) -> None:
            nonlocal left
            replies[place] = reply
            left -= 1
            if isinstance(reply, StoreError) or not left:
                settle(answered, reply if isinstance(reply, StoreError) else None)

        for place, (key, command) in enumerate(commands):
            self.send(key, command, partial(on_reply, place))
        if commands:
            await answered
        return replies

    async def ask_in_order(self, *commands: tuple[str, bytes]) -> list[Reply]:
        """Return the replies to commands with their keys, each executed after those before it.

        Raises:
            StoreAway: one of them was not answered, and perhaps none after it sent.
        """
        replies: list[Reply] = []
        together: list[tuple[str, bytes]] = []
        for key, command in commands:
            # Two slots of a cluster may part at any time, even where they share a node now.
            if together and len(self._client) > 1 and slot_of(key) != slot_of(together[-1][0]):
                replies += await self.ask_all(*together)
                together = []
            together.append((key, command))
        return replies + await self.ask_all(*together)

    async def ask_anyone(self, command: bytes) -> Reply:
        """Return the reply of any master: of the same one as last time while it answers.

        Raises:
            StoreAway: nobody does.
        """
        failure = StoreAway("There is no Redis.")
        for line in dict.fromkeys((self._steady, *self._client.values())):
            try:
                reply = await line.ask(command)
            except StoreAway as error:
                failure = error
            else:
                self._steady = line
                return reply
        raise failure

    async def ask_master(self, address: Address, command: bytes) -> Reply:
        """Return the reply of one master.

        Raises:
            StoreAway: it does not answer, or is no master any more.
        """
        line = self._client.get(address)
        if line is None:
            raise StoreAway(f"The Redis at {address} is no master.")
        return await line.ask(command)

    def send(self, key: str, command: bytes, on_reply: OnReply) -> None:
        """Queue a packed command; see `Line.send`."""
        slot = slot_of(key)
        self.pipelines[slot].send(command, on_reply, slot)

    async def close(self) -> None:
        """Let what is queued be answered, then hang up; cancelling hangs up at once."""
        await asyncio.gather(*(line.close() for line in self._client.values()))

    # What the lines ask and tell.

    def request_refresh(self) -> None:
        """Have the map drawn again soon."""
        self._topology.request_refresh()

    def moved(self, by: Address, error: MovedError) -> None:
        """Believe a node that says who owns a slot."""
        self._topology.moved(by, error)

    async def detour(self, by: Address, error: AskError, command: bytes) -> Reply:
        """Ask the node to which the slot is on its way."""
        line = self._to(self._topology.named(by, error))
        line.send(ASKING, _ignore)
        try:
            return await line.ask(command)
        except StoreError as failure:
            # If that node has not executed it either, the one that was asked first begins again.
            cause = failure.__cause__
            return TryAgainError(str(cause)) if isinstance(cause, REDIRECTIONS) else failure

    def _to(self, address: Address) -> Pipeline:
        if address not in self._client:
            self._client[address] = Pipeline(address, self._preamble, self)
        return self._client[address]

    def _moved(self, slots: Collection[int]) -> None:
        losing: dict[Pipeline, set[int]] = {}
        for slot in slots:
            losing.setdefault(self.pipelines[slot], set()).add(slot)
        for line, lost in losing.items():
            line.when_idle(partial(self._hand_over, line, lost))

    def _hand_over(self, line: Pipeline, slots: Collection[int]) -> None:
        for slot in slots:
            # Unless another line has got it since, which then looks after it.
            if self.pipelines[slot] is line:
                self.pipelines[slot] = self._to(self._topology.owners[slot])
        for entry in line.extract(slots):
            self.pipelines[entry[2]].enqueue(entry)
        if line not in self.pipelines and self._client.get(line.address) is line:
            del self._client[line.address]
            line.shut_down()


def _ignore(reply: Reply) -> None:
    """Take an answer that says nothing."""
