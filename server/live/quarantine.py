"""The rooms that this process has met and cannot read: each is logged once."""

import contextlib
from collections import OrderedDict
from collections.abc import Iterator
from functools import lru_cache

import structlog
from pydantic import ValidationError

from protocol.vocabulary import Connection, RoomState
from server.games.catalogue import check
from server.games.errors import BadRules, GameError
from server.rooms.record import Room, Round, Seat
from server.rooms.rounds import rules_of
from server.store import Store, StoreAway, Unreadable

KEPT = 10_000
"""Unreadable rooms that are remembered, at most; a room that was forgotten is logged again."""

PARSED = 512
"""Rooms that are kept as they were parsed: a megabyte or two."""

WITH_A_ROUND = {RoomState.COUNTDOWN, RoomState.RUNNING, RoomState.FINISHED}

log = structlog.get_logger()


class Quarantine:
    """What this process knows of rooms that it cannot read."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._met: OrderedDict[str, None] = OrderedDict()

    async def meet(self, code: str, error: Unreadable) -> None:
        """Log and set aside a room that cannot be read, if it is not known already."""
        if code in self._met:
            self._met.move_to_end(code)
            return
        self._met[code] = None
        while len(self._met) > KEPT:
            self._met.popitem(last=False)
        log.error("room cannot be read", room=code, why=str(error))
        with contextlib.suppress(StoreAway):  # then it comes up again at its deadline
            await self._store.set_aside(code)

    def forget(self, code: str) -> None:
        """Note that a room is gone: should there be one of its code again, that is another."""
        self._met.pop(code, None)


@lru_cache(maxsize=PARSED)
def read_room(code: str, doc: str) -> Room:
    """Return the room of a stored document; kept, since each version is read several times.

    Raises:
        Unreadable: it is none, or one that this release would not know how to serve.
    """
    try:
        room = Room.model_validate_json(doc)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise Unreadable(f"{where or 'document'}: {first['msg']}") from None
    for why in _oddities(code, room):
        raise Unreadable(why)
    return room


@contextlib.contextmanager
def replaying() -> Iterator[None]:
    """Plays a stored log again.

    Raises:
        Unreadable: the rules of this release do not allow what it says.
    """
    try:
        yield
    except (GameError, ValueError, LookupError):
        raise Unreadable("a log that these rules do not allow") from None


def _oddities(code: str, room: Room) -> Iterator[str]:
    """What no field alone can show: what transitions and views take for granted."""
    played = room.round
    if room.code != code:
        yield "code: another room's"
    if room.state in WITH_A_ROUND and played is None:
        yield f"round: {room.state} without one"
    if room.state is RoomState.FINISHED and played is not None and played.ended is None:
        yield "round.ended: missing of a round that is over"
    for one in (*room.rounds, *(() if played is None else (played,))):
        yield from _oddities_of(one)
    if any(one.ended is None for one in room.rounds):
        yield "rounds.ended: missing of a round that is over"
    if any(_lost_at_no_time(one) for one in (*room.seats, *room.waiting)):
        yield "seats.left_at: missing of a seat that was lost"


def _lost_at_no_time(seat: Seat) -> bool:
    return seat.connection is Connection.GRACE and seat.left_at is None


def _oddities_of(played: Round) -> Iterator[str]:
    if played.deal.seed is None and played.deal.number is None:
        yield "round.deal: neither a seed nor a number"
    try:
        check(rules_of(played.settings))
        bytes.fromhex((played.deal.seed or "") + (played.deal.salt or ""))
    except BadRules as error:
        yield f"round.settings: {error}"
    except ValueError:
        yield "round.deal: a seed or salt that is no number"
