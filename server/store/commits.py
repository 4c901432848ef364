"""The hot path: acts and hints, which are stored in the order in which they are queued."""

from functools import partial
from typing import Final

import structlog

from server.store.batch_exchange import Reply
from server.store.clock import RedisClock
from server.store.cluster_client import ClusterClient
from server.store.errors import StoreAway
from server.store.keys import TTL_SECONDS, UNPREFIXED, Keys
from server.store.records import AnswerHandler, Commit, CommitFailure, HintCount
from server.store.scripts import COUNT_HINT

log = structlog.get_logger(__name__)


class RedisCommits:
    """Send acts and hints to Redis.

    `client` must be for acts and hints alone, so that no act waits behind the long reply to
    another command.
    """

    def __init__(self, client: ClusterClient, clock: RedisClock, keys: Keys = UNPREFIXED) -> None:
        self._keys = keys
        self._pipelines = client.pipelines
        self._now = clock.now

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        """Queue an act for the next group commit.

        `answer` is called once, later, with the act's time in ms since t0 or with the reason why
        the act was not stored; within a room in the order of queueing. It must not block. An
        exception that it raises is logged.
        """
        held, act_id, at, action, stats_json, has_gained, is_over = commit
        if not held.head:
            held.prepare(self._keys)
        now, flags = self._now(), _FLAGS[has_gained * 2 + is_over]
        act = f"{now} {act_id} {at} {action}{flags}{stats_json}".encode()
        command = held.head + b"$%d\r\n" % len(act) + act + b"\r\n"
        self._pipelines[held.slot].send(command, partial(_translate, answer), held.slot)

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        """Queue a hint to be counted; `answer` gets the number of hints instead of a time."""
        held, at = hint
        if not held.head:
            held.prepare(self._keys)
        request = f"{self._now()} {at}"
        command = COUNT_HINT.command(held.keys, held.n, TTL_SECONDS, held.generation, request)
        self._pipelines[held.slot].send(command, partial(_translate, answer), held.slot)


_FLAGS: Final[tuple[str, ...]] = (" 0 0 ", " 0 1 ", " 1 0 ", " 1 1 ")
"""The words of a commit that say whether it gained anything, and whether it is the last one."""

_FAILURES: Final = {
    -1: CommitFailure.REPEATED,
    -2: CommitFailure.STALE,
    -3: CommitFailure.REPLACED,
    -4: CommitFailure.EARLY,
    -5: CommitFailure.TOO_LATE,
    -6: CommitFailure.NOT_RUNNING,
    -7: CommitFailure.TAKEN_BACK,
}
"""The values that the two fenced scripts return instead of a time or a count."""


def _translate(answer: AnswerHandler, reply: Reply) -> None:
    if isinstance(reply, int):
        answer(reply if reply >= 0 else _FAILURES[reply])
        return
    if not isinstance(reply, StoreAway):
        # The error is a bug of this server; the act is answered all the same.
        log.error("an act could not be stored", reply=str(reply))
    answer(CommitFailure.AWAY)
