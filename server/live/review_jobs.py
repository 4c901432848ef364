"""The jobs of reviews: each round that ends is queued, by the process that has ended it.

If that process dies first, the round has no review. The same if the queue is full, or has no place
for another round of the room's address: then the review says that no game was looked at.
"""

import contextlib
from functools import partial

from server.rooms.record import Room
from server.rooms.reviews import (
    JOB,
    MOST_OF_ADDRESS,
    TAKEN_WITHIN_MS,
    ReviewJob,
    ended_round,
)
from server.store import Queued, StoreAway, StoreParts


async def queue_review(store: StoreParts, before: Room, room: Room) -> None:
    """Queue the review of the round that a change of the room has ended, if it has."""
    played = ended_round(before, room)
    if played is None:
        return
    job = ReviewJob(room=room.code, n=played.n, networks=tuple(room.networks))
    shares = {name: MOST_OF_ADDRESS * share for name, share in room.networks.items()}
    deadline_ms = store.clock.now() + TAKEN_WITHIN_MS
    add = partial(store.jobs.add, shares=shares) if shares else store.jobs.add
    with contextlib.suppress(StoreAway):
        queued = await add(JOB, job.key, job.model_dump_json(), deadline_ms=deadline_ms)
        if queued is Queued.FULL:
            await store.reviews.finish(room.code, played.n, played.t0)
