"""Views of the leaderboard, which contain the stats of each game and no card."""

from collections.abc import Iterable, Sequence
from operator import itemgetter

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

    The rows of `before` must be among those of `after`. Rows that are the same object are not
    compared.
    """
    message: dict[str, object] = {"type": "standings_changes", "number": number}
    pairs: Iterable[tuple[LeaderboardRow | None, LeaderboardRow]]
    if list(map(_PLACE_OF, after)) == list(map(_PLACE_OF, before)):
        pairs = zip(before, after, strict=True)
    else:
        message["order"] = _order(after)
        old = {row.seat: row for row in before}
        pairs = [(old.get(row.seat), row) for row in after]
    changes = [_change(known, row) for known, row in pairs if known is not row]
    changed = [change for change in changes if len(change) > 1]
    if not changed and "order" not in message:
        return ""
    message["changed"] = changed
    return to_json(message).decode()


def _order(rows: Iterable[LeaderboardRow]) -> list[list[int]]:
    """Return the seats, best first; those who share a place are together."""
    order: list[list[int]] = []
    latest = None
    for row in rows:
        if row.place is not None and row.place == latest:
            order[-1].append(row.seat)
        else:
            order.append([row.seat])
        latest = row.place
    return order


def _change(known: LeaderboardRow | None, row: LeaderboardRow) -> dict[str, object]:
    """Return the seat of a row and its changed fields, or all fields of a new row."""
    if known is None:
        return standing_view(row).model_dump()
    change: dict[str, object] = {"seat": row.seat}
    for name in ("name", "state", "late_ms"):
        value = getattr(row, name)
        if value != getattr(known, name):
            change[name] = value
    old = vars(known.stats)
    stats = vars(row.stats).items()
    return change | {
        name: value for name, value in stats if value != old[name] and name not in _NOT_LIVE
    }


_PLACE_OF = itemgetter(*map(LeaderboardRow._fields.index, ("seat", "place")))
_NOT_LIVE = {"on_table", "gained_ms"}
"""The stats that changes do not carry."""
