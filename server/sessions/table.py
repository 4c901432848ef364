"""A player's live game on this process: acts are judged at once and answered when stored.

1. An act is judged by the engine and queued for the store within one call. The engine runs
   ahead of the store; the reply to an act is sent only when the store has it.
2. When the store refuses an act or does not answer, the game that ran ahead is discarded and
   read from the store again before anything else is answered: the log is the truth.
3. Replies come in the order of the acts, exactly one for each. So an act that cannot be judged
   while earlier ones are in flight waits for them, and is judged again on the stored game.
4. Whole tables that answer acts are counted, since an act is cheap and a table is not.
5. A closed table takes no new act, and still answers repeated acts of its log, since a reply may
   have been lost: often that of the act that ended the round.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Final, NamedTuple

from protocol.from_client import Act, Hint
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode
from server import metrics
from server.act_times import observe_act
from server.games.errors import IllegalAction
from server.sessions.acts import REFUSALS
from server.sessions.loading import Loader, StoredGame
from server.sessions.positions import Positions
from server.sessions.replies import same
from server.sessions.seat_context import SeatContext, TableObserver
from server.sessions.seat_game import FoundHint, SeatGame
from server.store import (
    Commit,
    CommitAnswer,
    CommitFailure,
    SeatRecord,
    Store,
    Unreadable,
)

RETRY_S = 0.5
MAX_ID_STEP: Final = 100_000
"""Ids between two acts of a seat, at most: clients count them up, and refused acts use some."""


def _always() -> bool:
    """Allow each whole table, or believe each act that is sent again."""
    return True


class Pending:
    """An act that the engine has applied and the store has not answered yet."""

    __slots__ = ("commit", "judged_at", "message", "queued_at", "reply")

    # Made for each act, and quicker than a tuple with names.
    def __init__(
        self, message: Act, commit: Commit, reply: str, judged_at: float, queued_at: float
    ) -> None:
        self.message = message
        self.commit = commit
        self.reply = reply
        self.judged_at = judged_at
        self.queued_at = queued_at


class PendingHint(NamedTuple):
    """A hint that the store has not counted yet, requested while no act was in flight."""

    message: Hint
    found: FoundHint


class LiveTable:
    """One seat's game of one round, for as long as this process holds the seat."""

    def __init__(
        self,
        store: Store,
        context: SeatContext,
        observer: TableObserver,
        positions: Positions | None = None,
        retry_s: float = RETRY_S,
        may_send_table: Callable[[], bool] = _always,
        may_be_lost: Callable[[], bool] = _always,
    ) -> None:
        self._store = store
        self._code = context.code
        self.n = context.played.n  # the round that is played
        self._observer = observer
        # Held by the table too: each act needs both.
        self._send, self._figures_changed = observer.send, observer.figures_changed
        self._may_send_table = may_send_table
        self._loader = Loader(store, context, positions or Positions(store), retry_s)
        self._play = SeatGame(context, may_be_lost)
        # Lists, though popped at the front: they are short, and an empty deque reserves 64 slots.
        self._pending: list[Pending | PendingHint] = []
        self._unconfirmed: list[tuple[Act | Hint, CommitFailure]] = []
        self._held: list[Act | Hint] = []
        self._trusted = False  # whether the game is what the store has, or ahead of it
        self._store_away = False
        self._unsent = False  # whether the client needs the table once the game is loaded
        self.closed = False  # whether the table refuses new acts
        self._seat_lost = False  # another connection has the seat: this one closes without answers
        self._settled: asyncio.Event | None = None  # created on demand: an event takes 750 bytes

    def open(self, record: SeatRecord | None = None) -> None:
        """Load the game and send the table; acts wait until then.

        `record` is the seat's record if nothing was stored in it since the holder took the seat.
        """
        self._loader.taken(record)
        self._unsent = True
        self._observer.spawn(self._loader.load(self), "open table")

    def close(self) -> None:
        """Refuse new acts from now on, and do not send the table again.

        Acts in flight are still answered, and so are repeated acts.
        """
        self.closed = True

    @property
    def settled(self) -> asyncio.Event | None:
        """The event that no act is in flight any more; None if none is."""
        if self._pending and self._settled is None:
            self._settled = asyncio.Event()
        return self._settled

    def act(self, act: Act) -> None:
        """Judge one act; refuse it now, or reply when the store has it."""
        if not self._admit(act):
            return
        play = self._play
        last_id = play.replies.last_id
        if act.id <= last_id:
            self._repeat(act)
        elif act.id > last_id + MAX_ID_STEP:
            # It would bar the seat from all later acts, also those of later rounds.
            self._refuse(act, ErrorCode.STALE)
        elif act.at == play.game.at and not self.closed:
            self._judge(act)
        elif self._pending:
            self._held.append(act)
        elif self.closed:
            self._refuse(act, self._observer.refusal_when_closed())
        elif self._may_send_table():
            self._refuse(act, ErrorCode.STALE, table=True)

    def hint(self, hint: Hint) -> None:
        """Find a hint once no act is in flight; send it when the store has counted it."""
        if not self._admit(hint):
            return
        if self._pending:
            self._held.append(hint)
            return
        found = self._play.find_hint()
        if isinstance(found, ErrorCode):
            self._refuse(hint, found)
            return
        self._pending.append(PendingHint(hint, found))
        self._store.count_hint(found.request, self._answered)

    def _admit(self, message: Act | Hint) -> bool:
        """Return whether a message can be handled now; hold, refuse or drop it otherwise."""
        if self._seat_lost:
            return False
        if self._store_away:
            self._refuse(message, ErrorCode.TRY_AGAIN)
        elif len(self._pending) + len(self._held) >= MAX_IN_FLIGHT:
            self._refuse(message, ErrorCode.TOO_MANY_IN_FLIGHT)
        elif not self._trusted or self._held:
            self._held.append(message)
        else:
            return True
        return False

    def _judge(self, act: Act) -> None:
        judged_at = perf_counter()
        try:
            commit, reply = self._play.apply(act)
        except IllegalAction as error:
            if self._pending:
                self._held.append(act)
                return
            self._refuse(act, error.code, error)
            return
        self._pending.append(Pending(act, commit, reply, judged_at, perf_counter()))
        self._store.commit(commit, self._answered)

    def _answered(self, answer: CommitAnswer) -> None:
        """Take the answer to the oldest pending act or hint: the store answers in order."""
        pending = self._pending.pop(0)
        if not isinstance(answer, int):
            self._failed(pending, answer)
        elif not self._trusted:
            # The store has this act, but the result of an earlier one is unknown.
            self._unconfirmed.append((pending.message, CommitFailure.AWAY))
        elif isinstance(pending, Pending):
            self._stored(pending, answer)
        else:
            self._counted(pending, answer)
        if not self._pending:
            if self._settled is not None:
                self._settled.set()
                self._settled = None
            if self._seat_lost:
                self._clear()
            elif not self._trusted:
                self._observer.spawn(self._loader.load(self), "recover")
            elif self._held:
                self._judge_held()

    def _failed(self, pending: Pending | PendingHint, failure: CommitFailure) -> None:
        if failure is CommitFailure.REPLACED:
            self._seat_lost = True
            self._observer.handle_replaced()
        elif failure is CommitFailure.TAKEN_BACK:
            self._seat_lost = True
            self._observer.handle_seat_lost()
        else:
            self._trusted = False
            self._unconfirmed.append((pending.message, failure))

    def _stored(self, pending: Pending, since_t0: int) -> None:
        commit = pending.commit
        self._send(self._play.stored(commit, pending.reply, since_t0))
        observe_act(pending.judged_at, pending.queued_at)
        self._figures_changed(self._code, self._play.figures)
        if commit.over:
            self._observer.handle_game_ended(self.n)

    def _counted(self, pending: PendingHint, hints: int) -> None:
        self._send(self._play.counted(pending.found, hints))
        self._figures_changed(self._code, self._play.figures)

    def _repeat(self, act: Act) -> None:
        """Answer an id that was used before, with the same reply or with the whole table.

        Another connection of this seat may have used the id for a different act.
        """
        text = self._play.replies.find(act, self._play.game)
        if text is not None:
            self._send(text)
            return
        if any(
            isinstance(pending, Pending) and same(pending.message, act)
            for pending in self._pending
        ):
            return  # its reply is pending
        if self._pending:
            self._held.append(act)
        elif self._play.replies.is_logged(act, self._play.game):
            if self._may_send_table():
                self._send(self._play.full_reply(act))
        elif self.closed:
            self._refuse(act, ErrorCode.TOO_LATE)
        elif self._may_send_table():
            self._refuse(act, ErrorCode.STALE, table=True)

    def handle_loaded(self, stored: StoredGame) -> None:
        """Continue from the stored game, and answer unconfirmed and held messages."""
        play = self._play
        play.load(stored)
        if stored.record is not None:
            self._observer.handle_figures_read(play.figures)
        if play.over_unreported:
            # The process that stored the last act may have died before reporting the end.
            self._observer.handle_game_ended(self.n)
        self._store_away, self._trusted = False, True
        unconfirmed, self._unconfirmed = self._unconfirmed, []
        unsent, self._unsent = self._unsent, False
        if (unsent or any(isinstance(each, Hint) for each, _ in unconfirmed)) and not self.closed:
            self._send(play.table_text())
        for message, failure in unconfirmed:
            if isinstance(message, Hint):
                self._refuse(message, REFUSALS[failure])
            elif message.id <= play.replies.last_id:
                self._repeat(message)
            else:
                self._refuse(message, REFUSALS[failure], table=True)
            if REFUSALS[failure] is ErrorCode.TOO_LATE:
                self._observer.handle_too_late()
        self._judge_held()

    def handle_store_away(self) -> None:
        """Refuse all messages until the game is loaded."""
        self._store_away = self._unsent = True
        for message in [message for message, _ in self._unconfirmed] + self._held:
            self._refuse(message, ErrorCode.TRY_AGAIN)
        self._clear()

    def handle_unreadable(self, error: Unreadable) -> None:
        """Drop all messages: the client must reconnect."""
        self._seat_lost = True
        self._clear()
        self._observer.handle_unreadable_log(error)

    def _clear(self) -> None:
        """Drop all unconfirmed and held messages."""
        self._unconfirmed.clear()
        self._held.clear()

    def _judge_held(self) -> None:
        """Judge the held messages; some of them may be held again."""
        held, self._held = self._held, []
        for message in held:
            if isinstance(message, Hint):
                self.hint(message)
            else:
                self.act(message)

    def _refuse(
        self,
        message: Act | Hint,
        code: ErrorCode,
        error: IllegalAction | None = None,
        *,
        table: bool = False,
    ) -> None:
        metrics.refusals.labels(code.value).inc()
        self._send(self._play.refused_text(message, code, error, table=table))
