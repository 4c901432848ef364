"""The leaderboard as the server sends it: whole, or as changes of what was received before."""

from collections.abc import Iterable

from protocol.to_client import StandingsChanges, StandingsMessage
from protocol.views import Standing


class Leaderboard:
    """The rows of the leaderboard, best first."""

    def __init__(self) -> None:
        self.rows: tuple[Standing, ...] = ()
        self.is_incomplete = False
        """Whether changes are missing, so that the whole has to be requested."""
        self._number = 0

    def clear(self) -> None:
        """Forget all rows: another round or another connection begins."""
        self.rows, self.is_incomplete, self._number = (), False, 0

    def take(self, message: StandingsMessage | StandingsChanges) -> bool:
        """Take the whole leaderboard or its next changes; return whether the rows were replaced.

        Changes that are older than the rows are ignored. After a gap all are ignored until the
        whole has come.
        """
        if isinstance(message, StandingsMessage):
            self.rows, self.is_incomplete = message.standings, False
            self._number = message.number
            return True
        if self.is_incomplete or message.number <= self._number:
            return False
        if not self._number or message.number > self._number + 1:
            self.is_incomplete = True
            return False
        self._number = message.number
        rows = {row.seat: row for row in self.rows}
        for change in message.changed:
            known = rows.get(change["seat"])
            rows[change["seat"]] = (
                Standing.model_validate({"place": None, **change})
                if known is None
                else known.model_copy(update=dict(change))
            )
        if message.order:
            self.rows = tuple(_placed(rows, message.order))
        else:
            self.rows = tuple(rows[row.seat] for row in self.rows)
        return True


def _placed(rows: dict[int, Standing], order: Iterable[tuple[int, ...]]) -> Iterable[Standing]:
    """Yield the rows in an order; equal ones are together, and unranked ones have no place."""
    place = 1
    for together in order:
        for seat in together:
            row = rows[seat]
            shown = place if row.late_ms is None and row.stand_in is None else None
            yield row if row.place == shown else row.model_copy(update={"place": shown})
        place += len(together)
