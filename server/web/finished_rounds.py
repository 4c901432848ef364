"""Files of finished rounds, for every client that knows their URL.

1. The response about a round that is not over is the same as if there were no such round.
2. A file is made in slices in the background, so that other work runs in between.
3. A file is kept in a cache while the round's record stays the same. The record of a finished
   round only changes if a backup is restored, or if a failover undoes the end of the round.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b

from protocol.vocabulary import Language
from server.games.actions import TimedAction
from server.live.unreadable import raising_unreadable
from server.rooms.events import Refusal
from server.rooms.record import Room, Round
from server.sessions.services import Services
from server.store import StoredReview
from server.views import replays
from server.views.sharing import result_picture
from server.web.files import (
    BY_LANGUAGE,
    NO_SEAT,
    File,
    FileCache,
    FileKey,
    Make,
    make_json,
    make_timed,
)
from server.web.limits import HttpLimits
from server.web.requests import HttpRequest, language_of

BATCH = 256  # texts that are encoded together: singly they would take three times the memory

DOCUMENTS: Mapping[str, Callable[[Room, Round], replays.Document]] = {
    "whole": replays.round_document,
    "text": replays.text_document,
    "course": replays.course_document,
}
"""The files of a whole round: deal and logs as data and as text, and everybody's score chart."""

FROM_THE_DEAL = ("proof", "whole", "text")  # they need the deal, and acts from its start

Log = Sequence[TimedAction]
ReadLog = Callable[[int], Awaitable[Log]]
"""Returns the log of a seat."""


class FinishedRounds:
    """Finished rounds, as files to be served.

    The work of making a file is charged to `address`, if any. Every method may raise StoreAway,
    Unreadable, and TooMuchWork for an address or a room above its limit.
    """

    def __init__(self, services: Services, limits: HttpLimits) -> None:
        """A process without `thinking` serves only the reviews that are stored."""
        thinking = services.thinking
        self._reviewer = None if thinking is None else thinking.reviewer
        self._repository, self._long_work = services.repository, services.long_work
        self.cache = FileCache(limits)

    async def file(self, key: FileKey, address: str | None = None) -> File | None:
        """Return the file with this key, or None if there is no such file or finished round.

        A version in `key` is ignored: the file is made from the stored round.
        """
        found = await self._find(key.room_code, key.n)
        if found is None:
            return None
        read_log = partial(self._repository.read_log, key.room_code, key.n)
        return await self.get(key, *found, read_log, address)

    async def get(
        self, key: FileKey, room: Room, played: Round, read_log: ReadLog, address: str | None
    ) -> File | None:
        """Return the file of the round `played` with this key, or None if it has no such file."""
        # A secret deal is never shown. If a game continued another, its first acts have no log.
        if key.kind in FROM_THE_DEAL and (played.secret or played.deal.played):
            return None
        make = await self._maker(key, room, played, read_log)
        if make is None:
            return None
        # A failover may replace the round's record; files of the old record must not be served.
        version = blake2b(played.model_dump_json().encode(), digest_size=16).hexdigest()
        return await self.cache.get(key._replace(version=version), address, make)

    async def review(self, room_code: str, n: int) -> File | None:
        """Return the part of a round's review that is ready, and start the rest.

        Return None if there is no such finished round.
        """
        found = await self._find(room_code, n)
        if found is None:
            return None
        room, played = found
        stored, reviews = await self._reviews(room_code, played)
        # Without a reviewer, this process can only show stored reviews.
        is_done = stored.is_done or self._reviewer is None or not replays.seats_to_review(played)
        if self._reviewer is not None and not is_done:
            await self._reviewer.request(room, played)
        view = replays.round_review(
            room, played, reviews, has_begun=stored.has_begun, is_done=is_done
        )
        return make_json(view)

    async def _maker(
        self, key: FileKey, room: Room, played: Round, read_log: ReadLog
    ) -> Make | None:
        """Return a function that makes the file of `key`; None if the round has no such file."""
        match key.kind:
            case "picture":
                drawn = partial(_draw_picture, played, key.language or "en")
                return partial(asyncio.to_thread, make_timed, drawn, "image/svg+xml", BY_LANGUAGE)
            case "proof":  # a line that wins the deal, shown like a game
                line = replays.proof_log(played)
                return partial(self._make_replay, played, replays.NOBODY, line) if line else None
            case "replay":  # one player's game, act by act
                is_there = key.seat in played.names
                return partial(self._make_seat_replay, key, played, read_log) if is_there else None
            case "win":  # the last win that a player could still have had, shown like a game
                _, reviews = await self._reviews(key.room_code, played)
                review = reviews.get(key.seat)
                if review is None or review.known_at is None:  # no position had a known win
                    return None
                edit = partial(replays.win_log, review)
                return partial(self._make_seat_replay, key, played, read_log, edit)
            case kind:
                return partial(self._file_of, DOCUMENTS[kind](room, played), read_log)

    async def _reviews(
        self, room_code: str, played: Round
    ) -> tuple[StoredReview, Mapping[int, replays.SeatReview]]:
        """Return a round's stored review, and the reviews of games in it by seat."""
        stored = await self._repository.store.reviews.read(room_code, played.n, played.t0)
        with raising_unreadable():
            return stored, {
                seat: replays.SeatReview.model_validate_json(text)
                for seat, text in stored.texts.items()
                if seat in played.names
            }

    async def _find(self, room_code: str, n: int) -> tuple[Room, Round] | None:
        """Return a room and its finished round `n`, or None if there is no such room or round."""
        try:
            room = (await self._repository.read(room_code)).room
        except Refusal:
            return None
        played = await self._repository.finished_round(room, n)
        return None if played is None else (room, played)

    async def _make_seat_replay(
        self, key: FileKey, played: Round, read_log: ReadLog, edit: Callable[[Log], Log] = tuple
    ) -> tuple[File, float]:
        """Make the replay of a seat's log after `edit(log)`; return it and the seconds of work."""
        return await self._make_replay(played, key.seat, edit(await read_log(key.seat)))

    async def _make_replay(self, played: Round, seat: int, log: Log) -> tuple[File, float]:
        """Make the replay of a log; `seat` may be `NOBODY`. Return it and the seconds of work."""

        async def read_log(_seat: int) -> Log:
            return log

        return await self._file_of(replays.replay_document(played, seat, len(log)), read_log)

    async def _file_of(self, document: replays.Document, read_log: ReadLog) -> tuple[File, float]:
        """Make the file of a document, one seat at a time; return it and the seconds of work."""
        texts = [document.head.encode()]
        seconds = 0.0
        for seat in document.seats:
            part = document.write_part(seat, await read_log(seat))
            if seat != document.seats[0]:
                texts.append(document.between.encode())
            with raising_unreadable():
                seconds += await self._long_work.in_background(_gather(part, texts))
        texts.append(document.tail.encode())
        join_texts = partial(b"".join, texts)
        file, join_s = await asyncio.to_thread(make_timed, join_texts, document.content_type)
        return file, seconds + join_s


def key_of(
    kind: str, room_code: str, n: int, request: HttpRequest, match: re.Match[str]
) -> FileKey:
    """Return the key of a requested file of a `kind`; `match` has the seat, if any."""
    seat = int(match.groupdict().get("seat") or NO_SEAT)
    return FileKey(kind, room_code, n, seat, language_of(request) if kind == "picture" else None)


def _gather(part: Iterator[str], texts: list[bytes]) -> Iterator[None]:
    """Append the texts of `part` to `texts`, encoded in batches; pause after each text."""
    batch: list[str] = []
    for text in part:
        batch.append(text)
        if len(batch) == BATCH:
            texts.append("".join(batch).encode())
            batch.clear()
        yield
    texts.append("".join(batch).encode())


def _draw_picture(played: Round, language: Language) -> bytes:
    date = time.gmtime(played.t0 / 1_000)
    return result_picture(played, (date.tm_year, date.tm_mon, date.tm_mday), language).encode()
