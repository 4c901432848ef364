"""The log of a seat, as far as its acts were acknowledged; no I/O.

A table shorter than it means that the store has lost acts, which can be offered again.
"""

from protocol.from_client import Act
from protocol.to_client import Acted
from spider_race_client.table import Table

MAX_REMEMBERED = 256
"""Acknowledged acts that can be offered again: a server that loses acts loses seconds of them."""


class ActLog:
    """The confirmed table of a seat, and the acts that have led to it."""

    def __init__(self) -> None:
        self.table: Table | None = None
        """The latest confirmed table; None before the deal."""
        self._acknowledged: dict[int, str] = {}  # the latest acts, by their place in the log
        self._length = 0  # with all acknowledged acts

    @property
    def at(self) -> int:
        """The length of the log at the confirmed table."""
        return 0 if self.table is None else self.table.at

    def clear(self) -> None:
        """Forget the table: another round begins."""
        self.table, self._length = None, 0
        self._acknowledged.clear()

    def take_table(self, table: Table) -> tuple[list[str], bool] | None:
        """Take the whole table; return the actions that the store has lost, or None.

        They end at a gap in what is remembered; the boolean says whether there is none.
        """
        known, self.table = self.table, table
        if known is None or table.at >= self._length:
            self._length = table.at
            return None
        lost: list[str] = []
        while (at := table.at + len(lost)) in self._acknowledged:
            lost.append(self._acknowledged[at])
        is_whole, self._length = at >= self._length, at
        return lost, is_whole

    def take_acted(self, message: Acted, act: Act | None) -> None:
        """Take the reply to an act, and remember the act if it is one of this client."""
        if self.table is not None:
            self.table = self.table.after(message)
        self._length = max(self._length, message.at)
        if act is not None:
            self._acknowledged.pop(act.at, None)
            self._acknowledged[act.at] = act.action
            if len(self._acknowledged) > MAX_REMEMBERED:
                del self._acknowledged[next(iter(self._acknowledged))]

    def forget_from(self, at: int) -> None:
        """Forget the acts from a place on: another connection of the seat has acted instead."""
        self._length = min(self._length, at)
        for place in [each for each in self._acknowledged if each >= at]:
            del self._acknowledged[place]
