"""The jobs of reviews: each round that ends is queued, by the process that has ended it.

If that process dies first, or the queue is full, the round has no review.
"""

import contextlib

from server.rooms.record import Room
from server.rooms.reviews import JOB, TAKEN_WITHIN_MS, ReviewJob, ended_round
from server.store import Clock, JobQueues, StoreAway


async def queue_review(jobs: JobQueues, clock: Clock, before: Room, room: Room) -> None:
    """Queue the review of the round that a change of the room has ended, if it has."""
    played = ended_round(before, room)
    if played is None:
        return
    job = ReviewJob(room=room.code, n=played.n)
    deadline_ms = clock.now() + TAKEN_WITHIN_MS
    with contextlib.suppress(StoreAway):
        await jobs.add(JOB, job.key, job.model_dump_json(), deadline_ms=deadline_ms)
