"""The leaderboard as it is shown: of each game its figures, and no card."""

from collections.abc import Mapping

from protocol import codec
from protocol.to_client import Standings
from protocol.views import Standing
from server.rooms.ranking import LeaderboardRow, rank, standings
from server.rooms.record import PlayerStats, Room, Round


def standing_view(row: LeaderboardRow) -> Standing:
    """One line of a leaderboard."""
    shown = dict(vars(row.stats))
    # RULES, What a spectator or an opponent may know: suits that were removed, and no others.
    del shown["on_table"]
    return Standing(
        seat=row.seat,
        name=row.name,
        state=row.state,
        place=row.place,
        late_ms=row.late_ms,
        **shown,
    )


def ranking_view(played: Round) -> tuple[Standing, ...]:
    """The result of a round that is over."""
    return tuple(map(standing_view, rank(played, {}, played.states)))


def standings_text(room: Room, live: Mapping[int, PlayerStats], now: int) -> str:
    """The `standings` message; `live` are the figures of those still at their tables."""
    rows = tuple(map(standing_view, standings(room, live)))
    return codec.dump(Standings(now=now, standings=rows))
