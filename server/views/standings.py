"""Views of the leaderboard, which contain the stats of each game and no card."""

from collections.abc import Iterable, Sequence

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
        # Models are compared by identity, which is enough to skip most rows.
        if known is not None and known.stats is row.stats and known[:-1] == row[:-1]:
            continue
        fields = _fields(row)
        if known is not None:
            was = _fields(known)
            fields = {key: value for key, value in fields.items() if value != was[key]}
        if fields:  # `on_table` is not shown
            changed.append({"seat": row.seat, **fields})
    message: dict[str, object] = {"type": "standings_changes", "number": number}
    order = [row.seat for row in after]
    if order != [row.seat for row in before]:
        message["order"] = order
    elif not changed:
        return ""
    message["changed"] = changed
    return to_json(message).decode()


def _fields(row: LeaderboardRow) -> dict[str, object]:
    """Return the fields of a `Standing` besides its seat, in their order."""
    stats = row.stats
    return {
        "name": row.name,
        "state": row.state,
        "place": row.place,
        "score": stats.score,
        "moves": stats.moves,
        "suits": stats.suits,
        "home": stats.home,
        "face_down": stats.face_down,
        "cheats": stats.cheats,
        "exceptions": stats.exceptions,
        "hints": stats.hints,
        "restored": stats.restored,
        "won": stats.won,
        "late_ms": row.late_ms,
        "finished_ms": stats.finished_ms,
        "gained_ms": stats.gained_ms,
    }
