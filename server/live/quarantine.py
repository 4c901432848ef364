"""Rooms that this release cannot read: each is logged once and set aside in the store."""

import contextlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache

import structlog
from pydantic import ValidationError

from protocol.vocabulary import Presence, RoomState
from server.games.catalogue import check
from server.games.errors import BadRules, GameError
from server.rooms.record import Room, Round, Seat
from server.rooms.rounds import rules_of
from server.store import Store, StoreAway, Unreadable

KEPT = 10_000
"""Unreadable rooms remembered, at most; a forgotten room is logged again."""

PARSED = 64
"""Parsed rooms that are cached, at most: what is read again is read in the next moments."""

WITH_A_ROUND = {RoomState.COUNTDOWN, RoomState.RUNNING, RoomState.FINISHED}

log = structlog.get_logger()


class Quarantine:
    """The unreadable rooms that this process has found; it remembers the latest `kept` ones."""

    def __init__(self, store: Store, kept: int = KEPT) -> None:
        self._store = store
        self._kept = kept
        self._rooms: OrderedDict[str, bool] = OrderedDict()  # whether it is the record

    def __contains__(self, code: str) -> bool:
        """Return whether this process has found the room unreadable."""
        return code in self._rooms

    @contextlib.asynccontextmanager
    async def reading_record(self, code: str) -> AsyncIterator[None]:
        """Put a room into quarantine if the block cannot read its record; release it if it can.

        A room whose logs are unreadable stays: its record says nothing about them.
        """
        try:
            yield
        except Unreadable as error:
            await self.add(code, error, record=True)
            raise
        if self._rooms.get(code):
            self.forget(code)

    @contextlib.asynccontextmanager
    async def reading(self, code: str) -> AsyncIterator[None]:
        """Put the room into quarantine if the block cannot read something of it."""
        try:
            yield
        except Unreadable as error:
            await self.add(code, error)
            raise

    async def add(self, code: str, error: Unreadable, *, record: bool = False) -> None:
        """Log an unreadable room and set it aside, unless it is in quarantine already."""
        if code in self._rooms:
            self._rooms.move_to_end(code)
            return
        self._rooms[code] = record
        while len(self._rooms) > self._kept:
            self._rooms.popitem(last=False)
        log.error("room cannot be read", room=code, why=str(error))
        with contextlib.suppress(StoreAway):  # the sweep finds it again at its deadline
            await self._store.set_aside(code)

    def forget(self, code: str) -> None:
        """Release a room that can be read again, or that is gone: its code may be drawn again."""
        self._rooms.pop(code, None)


@lru_cache(maxsize=PARSED)
def read_room(code: str, doc: str) -> Room:
    """Return the room of a stored document; cached, since each version is read several times.

    Raises:
        Unreadable: the document is no room, or one that this release cannot serve.
    """
    try:
        room = Room.model_validate_json(doc)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{where or 'document'}: {first['msg']}") from None
    for why in _defects(code, room):
        raise Unreadable(why)
    return room


@contextlib.contextmanager
def replaying() -> Iterator[None]:
    """Raise `Unreadable` for errors of the block, which replays a stored log.

    Raises:
        Unreadable: the rules of this release do not allow an entry of the log.
    """
    try:
        yield
    except (GameError, ValueError, LookupError):
        raise Unreadable("a log that these rules do not allow") from None


def _defects(code: str, room: Room) -> Iterator[str]:
    """Yield the conditions between fields that transitions and views need and the room lacks."""
    played = room.round
    if room.code != code:
        yield "code: another room's"
    if room.state in WITH_A_ROUND and played is None:
        yield f"round: {room.state} without one"
    if room.state is RoomState.FINISHED and played is not None and played.ended is None:
        yield "round.ended: missing of a round that is over"
    for one in (*room.rounds, *(() if played is None else (played,))):
        yield from _round_defects(one)
    if any(one.ended is None for one in room.rounds):
        yield "rounds.ended: missing of a round that is over"
    if any(_lacks_left_at(one) for one in (*room.seats, *room.waiting)):
        yield "seats.left_at: missing of a seat that was lost"


def _lacks_left_at(seat: Seat) -> bool:
    return seat.connection is Presence.GRACE and seat.left_at is None


def _round_defects(played: Round) -> Iterator[str]:
    if played.deal.seed is None and played.deal.number is None:
        yield "round.deal: neither a seed nor a number"
    try:
        check(rules_of(played.settings))
        bytes.fromhex((played.deal.seed or "") + (played.deal.salt or ""))
    except BadRules as error:
        yield f"round.settings: {error}"
    except ValueError:
        yield "round.deal: a seed or salt that is no number"
