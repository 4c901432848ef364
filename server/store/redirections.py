"""The redirections of a cluster: which commands of a batch go again, and to which node.

Commands of one slot are answered in the order of sending, so a command goes again only if no later
one of its slot is settled.
"""

import asyncio
from typing import Protocol

from redis.exceptions import AskError, ClusterDownError, MovedError, ReadOnlyError

from server.store.address import Address
from server.store.batch_exchange import Reply
from server.store.errors import StoreAway
from server.store.redis_connection import REDIRECTIONS
from server.store.redis_protocol import OnReply
from server.store.slots import NO_SLOT

# The packed command, the callback for the reply, the slot, and until when the command may be
# redirected (0: it was not redirected yet). Each act makes one, so it is a plain tuple.
Entry = tuple[bytes, OnReply, int, float]

# Replies of a node that may no longer be a master.
FAILOVER_SIGNS = (StoreAway, ClusterDownError, ReadOnlyError)
REDIRECTION_SECONDS = 1.0
"""Time for which a command is sent again that the cluster has certainly not executed."""


class Redirects(Protocol):
    """The pipeline's access to the other nodes of a cluster."""

    def request_refresh(self) -> None:
        """Request a new map of the slots, because a node is gone or the cluster has changed."""

    def moved(self, by: Address, error: MovedError) -> None:
        """Handle a node's reply that another node owns a slot."""

    async def follow_ask(self, by: Address, error: AskError, command: bytes) -> Reply:
        """Return the reply of the node to which the slot is being moved."""


async def follow_asks(
    redirects: Redirects, by: Address, batch: list[Entry], replies: list[Reply]
) -> None:
    """Replace each ASK redirection by the reply of the node that it names.

    A redirection behind a command of its slot that goes again stays, and goes again too: followed,
    it would overtake that command.
    """
    places: list[int] = []
    held_up = {NO_SLOT}
    for i, (reply, (_, _, slot, _)) in enumerate(zip(replies, batch, strict=True)):
        if slot in held_up:
            continue
        if type(reply) is AskError:
            places.append(i)
        elif isinstance(reply, REDIRECTIONS):
            held_up.add(slot)
    # The pipeline sends nothing else meanwhile: a later command could overtake these.
    answers = await asyncio.gather(
        *(redirects.follow_ask(by, replies[i], batch[i][0]) for i in places)
    )
    for i, answer in zip(places, answers, strict=True):
        replies[i] = answer


def report(redirects: Redirects, by: Address, replies: list[Reply]) -> None:
    """Report slots that have moved, and signs of a failover, to the pipeline's owner."""
    moved = {reply.slot_id: reply for reply in replies if isinstance(reply, MovedError)}
    for reply in moved.values():
        redirects.moved(by, reply)
    if any(isinstance(reply, FAILOVER_SIGNS) for reply in replies):
        redirects.request_refresh()


def to_resend(batch: list[Entry], replies: list[Reply]) -> dict[int, Entry]:
    """Return by place, in order, the commands that were certainly not executed and go again."""
    now = asyncio.get_running_loop().time()
    again: dict[int, Entry] = {}
    settled = {NO_SLOT}
    for i, (command, on_reply, slot, until) in reversed(list(enumerate(batch))):
        # A command before a settled one would be answered after it, so it is not sent again.
        if (
            slot not in settled
            and isinstance(replies[i], REDIRECTIONS)
            and now < (until or now + 1)
        ):
            again[i] = (command, on_reply, slot, until or now + REDIRECTION_SECONDS)
        else:
            settled.add(slot)
    return dict(reversed(again.items()))
