"""Views of the leaderboard, which contain the stats of each game and no card."""

from collections.abc import Iterable, Sequence
from itertools import compress
from operator import itemgetter, ne

from pydantic_core import to_json

from protocol import codec
from protocol.to_client import StandingsMessage
from protocol.views import Standing
from server.rooms.ranking import LeaderboardRow, rank
from server.rooms.record import Round


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


def standings_text(rows: Iterable[LeaderboardRow], number: int, now: int) -> str:
    """Return the `standings` message; `number` is that of the latest change of the rows."""
    views = tuple(map(standing_view, rows))
    return codec.dump(StandingsMessage(number=number, now=now, standings=views))


def changes_text(
    before: Sequence[LeaderboardRow], after: Sequence[LeaderboardRow], number: int
) -> str:
    """Return the `standings_changes` message between two leaderboards; '' if they are equal.

    The rows of `before` must be among those of `after`.
    """
    old = {row.seat: row for row in before}
    changed = []
    for row in after:
        known = old.get(row.seat)
        if known is row:
            continue
        values = _values(row)
        fields = dict(zip(_FIELDS, values, strict=True))
        if known is not None:
            fields = dict(compress(fields.items(), map(ne, values, _values(known))))
        if fields:  # `on_table` is not shown
            changed.append({"seat": row.seat, **fields})
    message: dict[str, object] = {"type": "standings_changes", "number": number}
    order = [row.seat for row in after]
    if order != list(old):
        message["order"] = order
    elif not changed:
        return ""
    message["changed"] = changed
    return to_json(message).decode()


_FIELDS = (
    *("name", "state", "place"),
    *("score", "moves", "suits", "home", "face_down", "cheats", "exceptions", "hints"),
    *("restored", "won", "late_ms", "finished_ms", "gained_ms"),
)
"""The fields of a `Standing` besides its seat, in their order."""
_OF_STATS = itemgetter(*_FIELDS[3:-3])


def _values(row: LeaderboardRow) -> tuple[object, ...]:
    """Return the values of `_FIELDS`."""
    stats = row.stats
    shown = _OF_STATS(vars(stats))
    ends = (row.late_ms, stats.finished_ms, stats.gained_ms)
    return (row.name, row.state, row.place, *shown, *ends)
