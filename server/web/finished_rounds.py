"""Files of finished rounds, for every client that has their address.

1. A round that is not over gets the same response as a round that does not exist.
2. A file is written in slices in the background: other work runs between any two.
3. A file is kept for later requests of the same record: a finished round does not change any more,
   unless a backup is restored or a failover takes its end back.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b

from protocol.vocabulary import Language
from server.live.long_work import LongWork
from server.live.repository import Repository
from server.live.unreadable import replaying
from server.rooms.record import Room, Round
from server.rooms.refusal import Refusal
from server.rooms.reviews import SeatReview, is_expected
from server.sessions.rate_limit import RateLimits
from server.store import LogRecord, StoredReview
from server.views.documents import (
    Document,
    course_document,
    proof_document,
    replay_document,
    round_document,
    text_document,
)
from server.views.finished_rounds import finished_round
from server.views.replays import proof_log
from server.views.result_pictures import result_picture
from server.views.reviews import round_review, win_log
from server.views.timed_action import TimedAction
from server.web.files import File, FileCache, FileKey, make_file, make_json
from server.web.limits import HTTP_LIMITS, HttpLimits

BATCH = 256  # texts that are encoded together: single ones would take three times the memory
EFFORT = 6  # level of compression: the highest takes three times as long for 5 % less

PICTURE_TYPE = "image/svg+xml"

DOCUMENTS: Mapping[str, Callable[[Room, Round], Document]] = {
    "whole": lambda room, played: round_document(finished_round(room, played, {}), played),
    "text": lambda _room, played: text_document(played),
    "course": course_document,
}
"""The files of a whole round: deal and logs, the same as a text, and the progress of all."""

Read = Callable[[int], Awaitable[Sequence[TimedAction]]]


class FinishedRounds:
    """Finished rounds, as files to be served.

    `address` is charged for the work of making a file; None is not limited. Every method may
    raise StoreAway, Unreadable, and TooMuchWork for an address or a room above its limit.
    """

    def __init__(
        self,
        repository: Repository,
        long_work: LongWork,
        limits: HttpLimits = HTTP_LIMITS,
        *,
        has_thinkers: bool = True,
    ) -> None:
        """Serve the rounds; a server that `has_thinkers` expects reviews from them."""
        self._has_thinkers = has_thinkers
        self._repository = repository
        self._long_work = long_work
        self.batch = BATCH
        self.kept = FileCache(
            of_address=RateLimits(*limits.work_of_address),
            of_room=RateLimits(*limits.work_of_room),
        )

    async def document(
        self, what: str, code: str, n: int, address: str | None = None
    ) -> File | None:
        """Return a file of the whole round, one of `DOCUMENTS`; None if no such round is over."""
        found = await self._find(code, n)
        if found is None:
            return None

        async def make() -> tuple[File, float]:
            return await self._write(DOCUMENTS[what](*found), partial(self._read, code, n))

        return await self.kept.get(
            FileKey(what, code, n, version=_version(found[1])), address, make
        )

    async def replay(
        self, code: str, n: int, seat: int, address: str | None = None
    ) -> File | None:
        """Return one player's game, act by act; None if no such round with this seat is over."""
        found = await self._find(code, n)
        if found is None or seat not in found[1].names:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            log = await self._read(code, n, seat)

            async def read(_seat: int) -> Sequence[LogRecord]:
                return log

            return await self._write(replay_document(played, seat, len(log)), read)

        return await self.kept.get(
            FileKey("replay", code, n, seat, version=_version(played)), address, make
        )

    async def proof(self, code: str, n: int, address: str | None = None) -> File | None:
        """Return the line that wins the round's deal, like a game; None if none was known."""
        found = await self._find(code, n)
        log = [] if found is None else proof_log(found[1])
        if found is None or not log:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            async def read(_seat: int) -> Sequence[TimedAction]:
                return log

            return await self._write(proof_document(played, len(log)), read)

        return await self.kept.get(
            FileKey("proof", code, n, version=_version(played)), address, make
        )

    async def picture(
        self, code: str, n: int, language: Language, address: str | None = None
    ) -> File | None:
        """Return the picture of a result, to save and to share; None if no such round is over."""
        found = await self._find(code, n)
        if found is None:
            return None
        _, played = found

        async def make() -> tuple[File, float]:
            return await asyncio.to_thread(_drawn, played, language)

        key = FileKey("picture", code, n, language=language, version=_version(played))
        return await self.kept.get(key, address, make)

    async def review(self, code: str, n: int) -> File | None:
        """Return the review of a round as far as it is made; None if no such round is over."""
        found = await self._find(code, n)
        if found is None:
            return None
        room, played = found
        stored, reviews = await self._reviews(code, played)
        is_done = stored.is_done or not await self._is_expected(played, stored)
        view = round_review(room, played, reviews, has_begun=stored.has_begun, is_done=is_done)
        return make_json(view)

    async def win(self, code: str, n: int, seat: int, address: str | None = None) -> File | None:
        """Return the last known win of a player, like a game; None if there is none."""
        found = await self._find(code, n)
        if found is None:
            return None
        _, played = found
        _, reviews = await self._reviews(code, played)
        if seat not in reviews or reviews[seat].known_at is None:
            return None

        async def make() -> tuple[File, float]:
            log = win_log(reviews[seat], await self._read(code, n, seat))

            async def read(_seat: int) -> Sequence[TimedAction]:
                return log

            return await self._write(replay_document(played, seat, len(log)), read)

        return await self.kept.get(
            FileKey("win", code, n, seat, version=_version(played)), address, make
        )

    async def _is_expected(self, played: Round, stored: StoredReview) -> bool:
        """Return whether more may come of a review."""
        store = self._repository.store
        now = store.clock.now()
        # Own processes that are not there will be: they are started, or started again.
        seen_ms = now if self._has_thinkers else await store.reviews.maker_seen_ms()
        return is_expected(played, now, seen_ms, has_begun=stored.has_begun)

    async def _reviews(
        self, code: str, played: Round
    ) -> tuple[StoredReview, Mapping[int, SeatReview]]:
        """Return the review of a round as it is stored, and what it says of each game.

        Raises:
            Unreadable: this release cannot read it.
        """
        stored = await self._repository.store.reviews.read(code, played.n, played.t0)
        with replaying():
            return stored, {
                seat: SeatReview.model_validate_json(text)
                for seat, text in stored.texts.items()
                if seat in played.names
            }

    async def _find(self, code: str, n: int) -> tuple[Room, Round] | None:
        try:
            room = (await self._repository.read(code)).room
        except Refusal:
            return None
        return next(
            ((room, played) for played in room.rounds if played.n == n and played.has_logs), None
        )

    async def _read(self, code: str, n: int, seat: int) -> Sequence[LogRecord]:
        return await self._repository.store.logs.read(code, n, seat)

    async def _write(self, document: Document, read: Read) -> tuple[File, float]:
        """Return the file and the seconds of work; one log is held in memory at a time."""
        texts = [document.head.encode()]
        seconds = 0.0
        for seat in document.seats:
            part = document.part(seat, await read(seat))
            if seat != document.seats[0]:
                texts.append(document.between.encode())
            with replaying():
                seconds += await self._long_work.in_background(_gathered(part, texts, self.batch))
        texts.append(document.tail.encode())
        file, more = await asyncio.to_thread(_finished, texts, document.content_type)
        return file, seconds + more


def _gathered(part: Iterator[str], texts: list[bytes], size: int) -> Iterator[None]:
    """Add the texts of a part in batches of this size."""
    batch: list[str] = []
    for text in part:
        batch.append(text)
        if len(batch) == size:
            texts.append("".join(batch).encode())
            batch.clear()
        yield
    texts.append("".join(batch).encode())


def _version(played: Round) -> str:
    return blake2b(played.model_dump_json().encode(), digest_size=16).hexdigest()


def _drawn(played: Round, language: Language) -> tuple[File, float]:
    """Draw a result and compress it; it runs in a thread. Return the file and the CPU seconds."""
    began = time.thread_time()
    date = time.gmtime(played.t0 / 1_000)
    day = (date.tm_year, date.tm_mon, date.tm_mday)
    picture = result_picture(played, day, language).encode()
    return make_file(picture, PICTURE_TYPE, EFFORT), time.thread_time() - began


def _finished(texts: Sequence[bytes], content_type: str) -> tuple[File, float]:
    """Join and compress a file; it runs in a thread. Return the file and the CPU seconds."""
    began = time.thread_time()
    file = make_file(b"".join(texts), content_type, EFFORT)
    return file, time.thread_time() - began
