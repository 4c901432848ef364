"""The stats of players, from the stored records of their seats."""

from collections.abc import Mapping
from typing import Final

from pydantic import TypeAdapter

from server.rooms.record import PlayerStats, Room, Round
from server.rooms.rounds import opening_stats
from server.store import SeatFigures, SeatRecord, Unreadable

_PLAYER_STATS: Final = TypeAdapter(PlayerStats).validator


def stats_of_seats(room: Room, records: Mapping[int, SeatRecord | None]) -> dict[int, PlayerStats]:
    """Return the stats of seats in the room's round; none before the first round."""
    if room.round is None:
        return {}
    return {seat: stats_in(record, room.round, seat) for seat, record in records.items()}


def stats_in(record: SeatRecord | SeatFigures | None, played: Round, seat: int) -> PlayerStats:
    """Return the stats of a seat in a round; stored stats of an earlier round do not count.

    Raises:
        Unreadable: this release cannot read the stored stats.
    """
    if record is None:
        return opening_stats(played)
    hints = record.hint_count if record.hint_round == played.n else 0
    if record.standing is None or record.n != played.n:
        opening = opening_stats(played)
        return opening.model_copy(update={"hints": hints}) if hints else opening
    late = played.late.get(seat, 0)
    gained_ms = max(0, record.gained - late)
    finished_ms = "null" if record.over is None else record.over - late
    # The fields that the store counts go into the text: to parse it first and make a model of
    # all fields would take twice as long.
    text = (
        f'{record.standing[:-1]},"hints":{hints},"gained_ms":{gained_ms},'
        f'"finished_ms":{finished_ms}}}'
    )
    try:
        stats: PlayerStats = _PLAYER_STATS.validate_json(text)
    except ValueError:
        raise Unreadable("a seat's standing") from None
    return stats
