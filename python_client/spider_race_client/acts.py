"""The acts of a seat in one round, from the program's call to the server's reply; no I/O.

1. Acts are sent in their order, at most `MAX_IN_FLIGHT` unanswered ones, each once a connection.
   An act has a place in the queue of the connection, and gets its id when its turn comes: until
   then cancelling withdraws it.
2. Acts that are unanswered when a connection is lost are sent again under the same id once the
   next connection has its table: the server applies each id once and repeats its reply.
3. A table shorter than the acknowledged acts means that the store has lost some. They are offered
   again first, under new ids, and marked `again`; acts made after them follow.
"""

import asyncio
from collections import deque
from dataclasses import dataclass

from protocol import to_client
from protocol.from_client import Act
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode
from spider_race_client.errors import ActLost, RaceError, Refused
from spider_race_client.table import Table

MAX_REMEMBERED = 256
"""Acknowledged acts that can be offered again: a server that loses acts loses seconds of them."""


@dataclass(eq=False, slots=True)
class PendingAct:
    """An act that the server has not answered yet."""

    action: str
    answer: asyncio.Future[Table] | None
    """The table after the act, for the program; None for an act that is offered again."""
    id: int = 0
    """The id under which it is sent; 0 before it is sent first."""
    at: int = 0
    """Entries of the log before it, acts in flight included."""
    is_sent: bool = False
    """Whether it was sent on the present connection."""

    @property
    def is_withdrawn(self) -> bool:
        """Whether the program has cancelled it, which withdraws it while it is not sent."""
        return self.answer is not None and self.answer.done()


class Acts:
    """The acts that are not answered, and the table as the server has confirmed it."""

    def __init__(self) -> None:
        self.table: Table | None = None
        """The latest confirmed table; None before the deal."""
        self._is_synced = False  # whether the table is that of the present connection
        self._next_id = 1
        self._in_flight: list[PendingAct] = []  # have an id, sent or not
        self._waiting: deque[PendingAct] = deque()
        self._withdrawn: set[int] = set()  # ids whose replies no longer matter
        self._places = 0  # in the queue of the connection, for acts that are to be sent
        self._doomed_up_to = 0  # acts in flight up to this id follow a refused one
        self._acknowledged: dict[int, str] = {}  # the latest ones, by their place in the log
        self._logged = 0  # the length of the log with all acknowledged acts

    def add(self, action: str, answer: asyncio.Future[Table]) -> None:
        """Add an act of the program; a cancelled `answer` withdraws it while it is not sent."""
        self._waiting.append(PendingAct(action, answer))

    def due(self) -> int:
        """Return for how many more acts places in the queue are needed, and count them.

        `take_next` is called for each place, once its turn has come.
        """
        if not self._is_synced:
            return 0
        unsent = sum(not each.is_sent for each in self._in_flight)
        if not self._is_doomed():
            wanted = sum(not each.is_withdrawn for each in self._waiting)
            unsent += min(wanted, self._free_in_flight())
        due = max(0, unsent - self._places)
        self._places += due
        return due

    def take_next(self) -> Act | None:
        """Return the act that is to be sent in this place, and take it as sent.

        None if the act of the place was withdrawn while it waited there.
        """
        self._places -= 1
        if not self._is_synced:
            return None
        pending = next((each for each in self._in_flight if not each.is_sent), None)
        pending = pending or self._put_in_flight()
        if pending is None:
            return None
        pending.is_sent = True
        again = pending.answer is None
        return Act(id=pending.id, at=pending.at, action=pending.action, again=again)

    def lose_connection(self) -> None:
        """Send the unanswered acts again once the next connection has its table."""
        self._is_synced = False
        self._places = 0
        self._withdrawn.clear()
        for pending in self._in_flight:
            pending.is_sent = False

    def expect_no_table(self) -> None:
        """Send the unanswered acts again: the round is over and repeats its replies only."""
        self._is_synced = True

    def take_table(self, table: Table) -> None:
        """Take the seat's whole table, which comes at the deal and after failures."""
        self._next_id = max(self._next_id, table.last_id + 1)
        self._is_synced = True
        known, self.table = self.table, table
        if known is None:
            self._logged = table.at
        elif table.at < self._logged:
            self._offer_again(table)
        self._logged = max(self._logged, table.at)

    def take_acted(self, message: to_client.Acted) -> bool:
        """Take the reply to an act; return whether the table has changed."""
        pending = self._answered(message.id)
        before = self.table
        if before is not None:
            self.table = before.after(message)
        if pending is not None:
            self._remember(pending)
            _resolve(pending, self.table)
        self._logged = max(self._logged, message.at)
        return self.table is not before

    def take_refused(self, message: to_client.Refused) -> None:
        """Take the refusal of an act, with the table if the known one is out of date."""
        pending = self._find(message.id)
        if message.code is ErrorCode.TRY_AGAIN and pending is not None:
            # The store is away, and the act may be stored. A table follows when it is back.
            pending.is_sent = False
            self._is_synced = False
        else:
            self._answered(message.id)
            if pending is not None:
                self._refuse(pending, message)
        if message.table is not None:
            self.take_table(Table.of(message.table))

    def begin_round(self) -> None:
        """Forget the table: another round begins, and its table will come."""
        self.table = None
        self._is_synced = False
        self._logged = 0
        self._acknowledged.clear()
        self.fail(ActLost("Its round has ended without a reply."))

    def fail(self, error: RaceError) -> None:
        """Fail all unanswered acts."""
        unanswered, self._in_flight = [*self._in_flight, *self._waiting], []
        self._waiting.clear()
        self._withdrawn.update(each.id for each in unanswered if each.is_sent)
        for pending in unanswered:
            _fail(pending, error)

    def _is_doomed(self) -> bool:
        """Return whether acts in flight are about to be refused, and with them all behind them."""
        return bool(self._in_flight) and self._in_flight[0].id <= self._doomed_up_to

    def _free_in_flight(self) -> int:
        """Return how many more acts may be unanswered."""
        return max(0, MAX_IN_FLIGHT - len(self._in_flight) - len(self._withdrawn))

    def _put_in_flight(self) -> PendingAct | None:
        """Give the first waiting act its id and return it; None if none may be sent now."""
        while self._waiting and self._waiting[0].is_withdrawn:
            self._waiting.popleft()
        if not self._waiting or not self._free_in_flight() or self._is_doomed():
            return None
        pending = self._waiting.popleft()
        log_end = 0 if self.table is None else self.table.at
        behind = self._in_flight[-1].at + 1 if self._in_flight else 0
        pending.id, pending.at = self._next_id, max(log_end, behind)
        self._next_id += 1
        self._in_flight.append(pending)
        return pending

    def _offer_again(self, table: Table) -> None:
        """Offer the acts again that the store has lost, before all others.

        Those behind a gap in what is remembered can't be offered; nor can acts that were made for
        a position after it.
        """
        missing: list[str] = []
        while (at := table.at + len(missing)) in self._acknowledged:
            missing.append(self._acknowledged[at])
        later = [each for each in (*self._in_flight, *self._waiting) if each.answer is not None]
        self._withdrawn.update(each.id for each in self._in_flight if each.is_sent)
        self._in_flight.clear()
        self._waiting.clear()
        self._waiting.extend(PendingAct(action, None) for action in missing)
        if table.at + len(missing) < self._logged:
            self._logged = table.at + len(missing)
            for pending in later:
                _fail(pending, ActLost("The store has lost the position before it."))
            return
        for pending in later:
            pending.is_sent = False
            self._waiting.append(pending)

    def _refuse(self, pending: PendingAct, message: to_client.Refused) -> None:
        """Drop an act that the server refuses, and with it all acts that follow it."""
        self._doomed_up_to = max((each.id for each in self._in_flight), default=0)
        if pending.answer is None:  # another connection of the seat has acted instead
            self._logged = min(self._logged, pending.at)
            self._forget_from(pending.at)
            offered = [each for each in self._waiting if each.answer is None]
            for each in offered:
                self._waiting.remove(each)
            return
        _fail(pending, Refused("act", message.code, message.details))

    def _remember(self, acknowledged: PendingAct) -> None:
        """Remember an act that the store may still lose, in place of one that it has lost."""
        self._acknowledged.pop(acknowledged.at, None)
        self._acknowledged[acknowledged.at] = acknowledged.action
        if len(self._acknowledged) > MAX_REMEMBERED:
            del self._acknowledged[next(iter(self._acknowledged))]

    def _forget_from(self, at: int) -> None:
        for place in [each for each in self._acknowledged if each >= at]:
            del self._acknowledged[place]

    def _find(self, act_id: int | None) -> PendingAct | None:
        return next((each for each in self._in_flight if each.id == act_id), None)

    def _answered(self, act_id: int | None) -> PendingAct | None:
        """Remove an act from those in flight and return it, if it is one of them."""
        pending = self._find(act_id)
        if pending is not None:
            self._in_flight.remove(pending)
        elif act_id is not None:
            self._withdrawn.discard(act_id)
        return pending


def _resolve(pending: PendingAct, table: Table | None) -> None:
    """Give the caller of an applied act the table after it."""
    if pending.answer is None or pending.answer.done():
        return
    if table is None:
        pending.answer.set_exception(ActLost("It was applied, and its round has ended."))
    else:
        pending.answer.set_result(table)


def _fail(pending: PendingAct, error: RaceError) -> None:
    if pending.answer is not None and not pending.answer.done():
        pending.answer.set_exception(error)
