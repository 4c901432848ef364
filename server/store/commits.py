"""The hot path: acts on their way into Redis, and advice, which is told in its turn among them."""

from collections.abc import Callable
from functools import lru_cache, partial

import structlog

from server.store import keys
from server.store.clock import Clock
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway
from server.store.records import Commit, CommitAnswer, CommitFailure, HintCount
from server.store.redis_connection import Reply, pack
from server.store.scripts import COMMIT, COUNT_HINT, FAILURES
from server.store.slots import slot_of

Answer = Callable[[CommitAnswer], None]

log = structlog.get_logger(__name__)


class Commits:
    """Sends acts down lines of their own, so that no long answer stands before one."""

    def __init__(self, pipelines: ClusterClient, clock: Clock) -> None:
        self._client = pipelines.pipelines
        self._clock = clock

    def commit(self, commit: Commit, answer: Answer) -> None:
        """Queue an act; `answer` is called once, later, for each room in the order of queueing.

        It gets the milliseconds since t0, or why the act was not stored. It must not block; what
        it raises is logged.
        """
        slot, head = _head(commit.code, commit.n, commit.seat)
        rest = pack(
            commit.generation,
            self._clock.now(),
            commit.id,
            commit.at,
            commit.action,
            b"1" if commit.gained else b"0",
            b"1" if commit.over else b"0",
            commit.standing,
        )
        line = self._client[slot]
        line.send(head + rest[len(b"*8\r\n") :], partial(_translate, answer), slot)

    def count_hint(self, advice: HintCount, answer: Answer) -> None:
        """Queue advice to be counted; as `commit`, but that a count comes instead of the time."""
        code, seat, n, generation, at = advice
        touched = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat))
        limits = (keys.TTL_SECONDS, keys.channel(code))
        command = COUNT_HINT.command(touched, n, *limits, generation, self._clock.now(), at)
        slot = slot_of(touched[0])
        self._client[slot].send(command, partial(_translate, answer), slot)


@lru_cache(maxsize=16_384)
def _head(code: str, n: int, seat: int) -> tuple[int, bytes]:
    """Return the slot of a seat's commits and what they all begin with.

    Packing that each time would double the cost.
    """
    room = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat))
    words = ("EVALSHA", COMMIT.sha, len(room), *room, n, keys.TTL_SECONDS, keys.channel(code))
    _, packed = pack(*words).split(b"\r\n", 1)
    return slot_of(room[0]), b"*%d\r\n%b" % (len(words) + 8, packed)


def _translate(answer: Answer, reply: Reply) -> None:
    if isinstance(reply, int):
        answer(reply if reply >= 0 else FAILURES[reply])
        return
    if not isinstance(reply, StoreAway):
        # Ours: but nobody is helped by an act without an answer.
        log.error("an act could not be stored", reply=str(reply))
    answer(CommitFailure.AWAY)
