"""The hot path: acts on their way into Redis."""

from collections.abc import Callable
from functools import lru_cache, partial

import structlog

from server.store import keys
from server.store.errors import StoreAway
from server.store.line import Line, Reply, pack
from server.store.records import Commit, CommitAnswer, CommitFailure
from server.store.scripts import COMMIT, FAILURES

Answer = Callable[[CommitAnswer], None]

log = structlog.get_logger(__name__)


class Commits:
    """Sends acts down a line of their own, so that no long answer stands before one."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def commit(self, commit: Commit, answer: Answer) -> None:
        """Queue an act; `answer` is called once, later, in the order of queueing.

        It gets the milliseconds since t0, or why the act was not stored. It must not block; what
        it raises is logged. AWAY comes at once, ahead of those that wait, when too many wait.
        """
        head = _head(commit.code, commit.n, commit.seat)
        rest = pack(
            commit.generation,
            commit.id,
            commit.at,
            commit.action,
            b"1" if commit.gained else b"0",
            b"1" if commit.over else b"0",
            commit.standing,
        )
        self._line.send(head + rest[len(b"*7\r\n") :], partial(_translate, answer))


@lru_cache(maxsize=16_384)
def _head(code: str, n: int, seat: int) -> bytes:
    """Return what all commits of a seat begin with: packing it each time doubles the cost."""
    room = (keys.room(code), keys.seat(code, seat), keys.log(code, n, seat), keys.channel(code))
    words = ("EVALSHA", COMMIT.sha, len(room), *room, n, keys.TTL_SECONDS)
    _, packed = pack(*words).split(b"\r\n", 1)
    return b"*%d\r\n%b" % (len(words) + 7, packed)


def _translate(answer: Answer, reply: Reply) -> None:
    if isinstance(reply, int):
        answer(reply if reply >= 0 else FAILURES[reply])
        return
    if not isinstance(reply, StoreAway):
        # Ours: but nobody is helped by an act without an answer.
        log.error("an act could not be stored", reply=str(reply))
    answer(CommitFailure.AWAY)
