"""The stats of players, from the stored records of their seats."""

from collections.abc import Mapping

from server.rooms.record import PlayerStats, Room, Round
from server.rooms.rounds import opening_stats
from server.rooms.stats_texts import read_stats
from server.store import SeatProgress, Unreadable


def stats_of_seats(room: Room, progress: Mapping[int, SeatProgress]) -> dict[int, PlayerStats]:
    """Return the stats of all seats whose games are on; none before the first round."""
    played = room.round
    if played is None:
        return {}
    seats = (seat.number for seat in room.players())
    return {seat: stats_in(progress.get(seat), played, seat) for seat in seats}


def stats_in(stored: SeatProgress | None, played: Round, seat: int) -> PlayerStats:
    """Return the stats of a seat in a round; stored stats of an earlier round do not count.

    Raises:
        Unreadable: this release cannot read the stored stats.
    """
    if stored is None:
        return opening_stats(played)
    hints = stored.hint_count if stored.hint_round == played.n else 0
    if stored.stats_json is None or stored.n != played.n:
        opening = opening_stats(played)
        return opening.model_copy(update={"hints": hints}) if hints else opening
    late_ms = played.late_ms.get(seat, 0)
    gained_ms = max(0, stored.gained_ms - late_ms)
    finished_ms = None if stored.over_ms is None else stored.over_ms - late_ms
    try:
        return read_stats(stored.stats_json, hints, gained_ms, finished_ms)
    except ValueError:
        raise Unreadable("a seat's stats") from None
