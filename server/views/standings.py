"""Views of the leaderboard, with the stats of each game but no cards."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from pydantic_core import to_json

from protocol import codec
from protocol.to_client import StandingsMessage
from protocol.views import Standing, TieBreak
from server.rooms.ranking import LeaderboardRow, final_ranking
from server.rooms.record import PlayerStats, Round

CHANGES: Final = "standings_changes"
Rows = Sequence[LeaderboardRow]


def standing_view(row: LeaderboardRow) -> Standing:
    """Return what clients see of a row of the leaderboard."""
    fields = row._asdict() | vars(row.stats)
    return Standing(**{name: fields[name] for name in Standing.model_fields})


def ranking_view(played: Round) -> tuple[Standing, ...]:
    """Return the ranking of a finished round."""
    return tuple(map(standing_view, final_ranking(played).rows))


def tie_breaks_view(played: Round) -> tuple[TieBreak, ...]:
    """Return the tie-breaks: what put players above others with the same main stats."""
    breaks = final_ranking(played).tie_breaks().items()
    return tuple(TieBreak(seat=seat, by=by) for seat, by in breaks)


def standings_text(rows: Iterable[LeaderboardRow], number: int, now_ms: int) -> str:
    """Return the `standings` message; `number` counts the changes of the standings so far."""
    views = tuple(map(standing_view, rows))
    return codec.dump(StandingsMessage(number=number, now=now_ms, standings=views))


def changes_text(before: Rows, after: Rows, number: int) -> str:
    """Return the `standings_changes` message between two leaderboards; '' if they are equal.

    All seats of `before` must be in `after`. `number` counts the changes, including this one.
    """
    if len(before) != len(after):
        return _reordered_text(before, after, number)
    changed = []
    for earlier, row in zip(before, after, strict=True):
        if earlier is not row:  # most rows have not changed, and are the same object
            if earlier.seat != row.seat or earlier.place != row.place:
                return _reordered_text(before, after, number)
            change = _change(earlier, row)
            if len(change) > 1:  # more than the seat
                changed.append(change)
    if not changed:
        return ""
    return to_json({"type": CHANGES, "number": number, "changed": changed}).decode()


def _reordered_text(before: Rows, after: Rows, number: int) -> str:
    """Return the `standings_changes` message between leaderboards whose order may differ."""
    old = {row.seat: row for row in before}
    changes = [_change(old.get(row.seat), row) for row in after if old.get(row.seat) is not row]
    changed = [change for change in changes if len(change) > 1]  # more than the seat
    message = {"type": CHANGES, "number": number, "order": _order(after), "changed": changed}
    return to_json(message).decode()


def _order(rows: Iterable[LeaderboardRow]) -> list[list[int]]:
    """Return the seats, best first, grouped by place; each unranked seat forms its own group."""
    order: list[list[int]] = []
    for place, group in groupby(rows, key=attrgetter("place")):
        seats = [row.seat for row in group]
        order += [[seat] for seat in seats] if place is None else [seats]
    return order


def _change(earlier: LeaderboardRow | None, row: LeaderboardRow) -> dict[str, object]:
    """Return a row's seat and the fields that differ from `earlier`; for a new row, all fields."""
    if earlier is None:
        return standing_view(row).model_dump()
    change: dict[str, object] = {"seat": row.seat}
    for name in ("name", "state", "late_ms", "stand_in"):
        value = getattr(row, name)
        if value != getattr(earlier, name):
            change[name] = value
    old, new = vars(earlier.stats), vars(row.stats)
    for name in _CHANGING_STATS:
        value = new[name]
        if value != old[name]:
            change[name] = value
    return change


# The stats in `standings_changes`. `on_table`, the complete suits that are not yet removed, is in
# no message: others may not know it (RULES, What a spectator or an opponent may know).
_CHANGING_STATS: Final = tuple(
    name for name in PlayerStats.model_fields if name not in {"on_table", "gained_ms"}
)
