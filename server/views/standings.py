"""Views of the leaderboard, which contain the stats of each game and no card."""

from collections.abc import Mapping

from protocol import codec
from protocol.to_client import StandingsMessage
from protocol.views import Standing
from server.rooms.ranking import LeaderboardRow, rank, standings
from server.rooms.record import PlayerStats, Room, Round


def standing_view(row: LeaderboardRow) -> Standing:
    """Return the view of one row of a leaderboard."""
    shown = dict(vars(row.stats))
    # RULES, What a spectator or an opponent may know: removed suits only.
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
    """Return the ranking of a finished round."""
    return tuple(map(standing_view, rank(played, {}, played.states)))


def standings_text(room: Room, live: Mapping[int, PlayerStats], now: int) -> str:
    """Return the `standings` message; `live` holds the stats of games in progress, by seat."""
    rows = tuple(map(standing_view, standings(room, live)))
    return codec.dump(StandingsMessage(now=now, standings=rows))
