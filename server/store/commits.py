"""The hot path: acts and hints, which are stored in the order in which they are queued."""

from collections.abc import Callable
from functools import lru_cache, partial

import structlog

from server.store import keys
from server.store.clock import Clock
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway
from server.store.exchange import Reply
from server.store.records import Commit, CommitAnswer, CommitFailure, HintCount
from server.store.scripts import COMMIT, COUNT_HINT, FAILURES
from server.store.slots import slot_of
from server.store.words import pack

Answer = Callable[[CommitAnswer], None]

log = structlog.get_logger(__name__)


class Commits:
    """Send acts and hints to Redis.

    `client` must be for acts and hints alone, so that no act waits behind the long reply to
    another command.
    """

    def __init__(self, client: ClusterClient, clock: Clock) -> None:
        self._pipelines = client.pipelines
        self._clock = clock

    def commit(self, commit: Commit, answer: Answer) -> None:
        """Queue an act for the next group commit.

        `answer` is called once, later, with the act's time in ms since t0 or with the reason why
        the act was not stored; within a room in the order of queueing. It must not block. An
        exception that it raises is logged.
        """
        code, seat, n, generation, act_id, at, action, standing, gained, over = commit
        slot, head = _head(code, seat, n, generation)
        now = self._clock.now()
        gained_flag, over_flag = b"1" if gained else b"0", b"1" if over else b"0"
        rest = pack(now, act_id, at, action, gained_flag, over_flag, standing)
        command = head + rest[_COUNT:]
        self._pipelines[slot].send(command, partial(_translate, answer), slot)

    def count_hint(self, hint: HintCount, answer: Answer) -> None:
        """Queue a hint to be counted.

        `answer` is called as for `commit`, but with the number of hints instead of a time.
        """
        code, seat, n, generation, at = hint
        touched = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat))
        limits = (keys.TTL_SECONDS, keys.channel(code))
        command = COUNT_HINT.command(touched, n, *limits, generation, self._clock.now(), at)
        slot = slot_of(touched[0])
        self._pipelines[slot].send(command, partial(_translate, answer), slot)


_COUNT = len(b"*7\r\n")
"""The length of the count with which the last seven words of a commit are packed."""


@lru_cache(maxsize=16_384)
def _head(code: str, seat: int, n: int, generation: int) -> tuple[int, bytes]:
    """Return the slot of a holder's commits and the bytes with which all of them begin.

    Packing these bytes for each commit would double its cost.
    """
    room = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat))
    about = (n, keys.TTL_SECONDS, keys.channel(code), generation)
    words = ("EVALSHA", COMMIT.sha, len(room), *room, *about)
    _, packed = pack(*words).split(b"\r\n", 1)
    return slot_of(room[0]), b"*%d\r\n%b" % (len(words) + 7, packed)


def _translate(answer: Answer, reply: Reply) -> None:
    if isinstance(reply, int):
        answer(reply if reply >= 0 else FAILURES[reply])
        return
    if not isinstance(reply, StoreAway):
        # The error is a bug of this server; the act is answered all the same.
        log.error("an act could not be stored", reply=str(reply))
    answer(CommitFailure.AWAY)
