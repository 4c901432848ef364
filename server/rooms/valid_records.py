"""The records of rooms that this release can serve.

A record may come from another release, or be damaged: beside the types of its fields, the
conditions between fields are checked that transitions and views need.
"""

from collections.abc import Iterator
from functools import lru_cache

from pydantic import ValidationError

from protocol.vocabulary import Presence, RoomState
from server.games.errors import BadRules
from server.games.rules import check_rules
from server.rooms.record import Room, Round
from server.rooms.rounds import rules_of

PARSED = 64
"""Parsed rooms that are cached, at most: what is read again is read in the next moments."""
WITH_A_ROUND = {RoomState.COUNTDOWN, RoomState.RUNNING, RoomState.FINISHED}


class InvalidRecord(Exception):  # noqa: N818  # a state of the record
    """A stored document is no room, or one that this release cannot serve."""


@lru_cache(maxsize=PARSED)
def parse_record(code: str, doc: str) -> Room:
    """Return the room of a stored document; cached, since each version is read several times.

    Raises:
        InvalidRecord: the document is no room, or one that this release cannot serve.
    """
    try:
        room = Room.model_validate_json(doc)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidRecord(f"{where or 'document'}: {first['msg']}") from None
    for why in _defects(code, room):
        raise InvalidRecord(why)
    return room


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
    people = (*room.seats, *room.waiting)
    if any(one.connection is Presence.GRACE and one.left_at is None for one in people):
        yield "seats.left_at: missing of a seat that was lost"


def _round_defects(played: Round) -> Iterator[str]:
    """Yield what is wrong with the record of a round."""
    if played.deal.seed is None and played.deal.number is None:
        yield "round.deal: neither a seed nor a number"
    try:
        check_rules(rules_of(played.settings))
        bytes.fromhex((played.deal.seed or "") + (played.deal.salt or ""))
    except BadRules as error:
        yield f"round.settings: {error}"
    except ValueError:
        yield "round.deal: a seed or salt that is no number"
