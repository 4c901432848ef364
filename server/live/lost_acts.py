"""The acts that the store has lost, as far as this process can know.

A client marks an act that was acknowledged before as sent again, and the result counts it. Only a
failover takes acts back, or the death of a store with what was not on disk yet. So a client is
believed for a round during which this process has lost its connection to the store, or which it
has not seen from the beginning; and else for as many acts as this process has seen taken back.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from server.store import SeatProgress

NO_ACT = (0, 0)  # the round and the number of acts of a seat that has none
KEPT = 10_000  # seats whose latest act, or whose lost acts, are kept, at most

SeatName = tuple[str, int]


class LostActs:
    """The number of acts of each seat here, and how many of them the store has lost."""

    def __init__(
        self,
        known: Callable[[str, int], SeatProgress | None],
        interrupted_at: Callable[[], int] | None = None,
    ) -> None:
        """Compare with the progress that `known` returns of a seat of a room.

        `interrupted_at` returns when the store was last away, or when the process began (ms since
        the epoch); without it only acts count that this process has seen taken back.
        """
        self._known = known
        self._interrupted_at = interrupted_at
        self._left: OrderedDict[SeatName, tuple[int, int]] = OrderedDict()
        """The round of each seat that has left this process, and its number of acts."""
        self._lost: OrderedDict[SeatName, int] = OrderedDict()

    def keep(self, code: str, seat: int) -> None:
        """Keep the number of acts of a seat whose room may be forgotten here."""
        known = self._known(code, seat)
        if known is not None:
            _put(self._left, (code, seat), (known.n, known.acts))

    def compare(self, code: str, progress: SeatProgress) -> None:
        """Compare the progress of a seat as it was just read with that which is known here.

        Call it before it replaces the known one, for every read: the standings are read too.
        """
        name = (code, progress.seat)
        known = self._known(code, progress.seat)
        latest = max(
            self._left.pop(name, NO_ACT), NO_ACT if known is None else (known.n, known.acts)
        )
        lost = latest[1] - progress.acts
        if latest[0] == progress.n and lost > 0:
            _put(self._lost, name, self._lost.get(name, 0) + lost)

    def take(self, code: str, seat: int, t0: int) -> bool:
        """Return whether an act of the round from `t0` (ms) on may have been lost; count it."""
        if self._interrupted_at is not None and self._interrupted_at() >= t0:
            return True
        lost = self._lost.pop((code, seat), 0)
        if lost > 1:
            _put(self._lost, (code, seat), lost - 1)
        return lost > 0


def _put(values: OrderedDict[SeatName, Any], name: SeatName, value: Any) -> None:
    """Set a value; the least recently set ones are forgotten first."""
    values[name] = value
    values.move_to_end(name)
    while len(values) > KEPT:
        values.popitem(last=False)
