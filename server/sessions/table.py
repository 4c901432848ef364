"""A player's live game on this process: acts are judged at once and answered when stored.

1. An act is judged by the engine and queued for the store within one call. The engine runs
   ahead of the store; the reply to an act is sent only when the store has it.
2. When the store refuses an act or does not answer, the game that ran ahead is discarded and
   read from the store again before anything else is answered: the log is the truth.
3. Replies come in the order of the acts, exactly one for each. So an act that cannot be judged
   while earlier ones are in flight waits for them, and is judged again on the stored game.
4. A closed table takes no new act, and still answers repeated acts of its log, since a reply may
   have been lost: often that of the act that ended the round.
"""

import asyncio
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import NamedTuple

from protocol.from_client import Act, Hint
from protocol.views import TableSnapshot
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode
from server import metrics
from server.games import actions
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.hints import find_hint
from server.live.stats import stats_in
from server.rooms.rounds import dealt_game, stats_text
from server.sessions.acts import engine_action
from server.sessions.positions import Positions
from server.sessions.replies import Replies, same
from server.sessions.seat_context import SeatContext, TableObserver
from server.store import (
    Commit,
    CommitAnswer,
    CommitFailure,
    HintCount,
    SeatFigures,
    SeatRecord,
    Store,
    StoreAway,
    Unreadable,
)
from server.views.replies import refused_text
from server.views.tables import (
    acted_text,
    full_reply_text,
    hinted_text,
    refusal_details,
    table_text,
    table_view,
    timed,
)

RETRY_S = 0.5


# Made for each act: a tuple costs half of a dataclass, and half again without keywords.
class Pending(NamedTuple):
    """An act that the engine has applied and the store has not answered yet."""

    message: Act
    commit: Commit
    reply: str
    received_at: float
    sent_at: float


@dataclass(slots=True)
class PendingHint:
    """A hint that the store has not counted yet, requested while no act was in flight."""

    message: Hint
    action: actions.Action
    at: int


class LiveTable:
    """One seat's game of one round, for as long as this process holds the seat."""

    def __init__(
        self,
        store: Store,
        context: SeatContext,
        observer: TableObserver,
        positions: Positions | None = None,
        retry_s: float = RETRY_S,
    ) -> None:
        self._store = store
        self._positions = positions or Positions(store)
        self._context = context
        self._late = context.played.late.get(context.seat, 0)  # ms from t0; 0 of a racer
        self.n = context.played.n  # the round that is played
        self._observer = observer
        self._retry_s = retry_s  # while the store is away
        self._game: Game = dealt_game(context.played)  # until the log is read
        self._counts = self._game.counts  # the latest, of which replies send what changes
        self._record: SeatRecord | None = None  # the seat as it was taken, until the log is read
        self._replies = Replies()
        self._elapsed = 0  # ms of the player's own time; a chaser's clock starts late
        self._figures = SeatFigures(context.seat, 0, 0, None, 0, None, 0, 0)  # as they are stored
        self._restored = 0  # acts that the store had lost and the client has sent again
        # Lists, though popped at the front: they are short, and an empty deque reserves 64 slots.
        self._pending: list[Pending | PendingHint] = []
        self._unconfirmed: list[tuple[Act | Hint, CommitFailure]] = []
        self._held: list[Act | Hint] = []
        self._trusted = False  # whether the game is what the store has, or ahead of it
        self._store_away = False
        self._closed = False
        self._seat_lost = False  # another connection has the seat: this one closes without answers
        self._settled: asyncio.Event | None = None  # created on demand: an event takes 750 bytes

    def open(self, record: SeatRecord | None = None) -> None:
        """Load the game and send the table; acts wait until then.

        `record` is the seat's record if nothing was stored in it since the holder took the seat.
        """
        self._record = record
        self._observer.spawn(self._recover(show=True), "open table")

    async def load(self) -> None:
        """Read the game from the store by replaying its log.

        The replay yields to the event loop; until this returns the table is unchanged.

        Raises:
            StoreAway: the store does not answer; the table is as it was.
            Unreadable: this release cannot play what the store has.
        """
        context = self._context
        record, self._record = self._record, None
        record = record or await self._store.read_seat(context.code, context.seat)
        position = await self._positions.read(context.code, context.played, context.seat)
        game = self._game = position.game
        self._counts = game.counts
        self._replies.load(record, self.n)
        self._elapsed = position.ms - self._late if game.at else 0
        self._restored = stats_in(record, context.played, context.seat).restored
        if record is not None:
            self._figures = record.figures(context.seat)
            self._observer.handle_figures_read(self._figures)
        if game.outcome is not None and context.seat not in context.played.results:
            # The process that stored the last act may have died before reporting the end.
            self._observer.handle_game_ended(self.n)

    @property
    def closed(self) -> bool:
        """Return whether the table refuses new acts."""
        return self._closed

    def close(self) -> None:
        """Refuse new acts from now on, and do not send the table again.

        Acts in flight are still answered, and so are repeated acts.
        """
        self._closed = True

    def show(self) -> None:
        """Send the whole table."""
        self._observer.send(
            table_text(self._game, self._context.seat, self._replies.last_id, self._elapsed)
        )

    async def settle(self) -> None:
        """Return when no act is in flight; cancelling changes nothing."""
        while self._pending:
            self._settled = self._settled or asyncio.Event()
            await self._settled.wait()

    def act(self, act: Act) -> None:
        """Judge one act; refuse it now, or reply when the store has it."""
        if self._seat_lost:
            return
        if self._store_away:
            self._refuse(act, ErrorCode.TRY_AGAIN)
        elif len(self._pending) + len(self._held) >= MAX_IN_FLIGHT:
            self._refuse(act, ErrorCode.TOO_MANY_IN_FLIGHT)
        elif not self._trusted or self._held:
            self._held.append(act)
        elif act.id <= self._replies.last_id:
            self._repeat(act)
        elif act.at == self._game.at and not self._closed:
            self._judge(act)
        elif self._pending:
            self._held.append(act)
        elif self._closed:
            self._refuse(act, self._observer.refusal_when_closed())
        else:
            self._refuse(act, ErrorCode.STALE, table=True)

    def hint(self, hint: Hint) -> None:
        """Find a hint once no act is in flight; send it when the store has counted it."""
        if self._seat_lost:
            return
        if self._store_away:
            self._refuse(hint, ErrorCode.TRY_AGAIN)
        elif len(self._pending) + len(self._held) >= MAX_IN_FLIGHT:
            self._refuse(hint, ErrorCode.TOO_MANY_IN_FLIGHT)
        elif not self._trusted or self._held or self._pending:
            self._held.append(hint)
        elif not self._context.played.settings.hints:
            self._refuse(hint, ErrorCode.HINTS_ARE_OFF)
        elif self._game.outcome is not None:
            self._refuse(hint, ErrorCode.GAME_OVER)
        else:
            self._count_hint(hint)

    def _count_hint(self, hint: Hint) -> None:
        game, context = self._game, self._context
        action = find_hint(game)
        if action is None:
            self._refuse(hint, ErrorCode.NO_HINT)
            return
        pending = PendingHint(hint, action, game.at)
        self._pending.append(pending)
        hint_count = HintCount(context.code, context.seat, self.n, context.generation, game.at)
        self._store.count_hint(hint_count, partial(self._answered, pending))

    def _judge(self, act: Act) -> None:
        received_at = perf_counter()
        game, context = self._game, self._context
        try:
            action = engine_action(game.variant, act.action)
            effects = game.apply(action)
        except IllegalAction as error:
            if self._pending:
                self._held.append(act)
                return
            self._refuse(act, error.code, error)
            return
        self._restored += act.again
        before, counts = self._counts, game.counts
        self._counts = counts
        commit = Commit(
            context.code,
            context.seat,
            self.n,
            context.generation,
            act.id,
            act.at,
            action,
            stats_text(game, self._restored, counts),
            effects.gained,
            game.outcome is not None,
        )
        reply = acted_text(act.id, game, effects.changed, counts, before)
        pending = Pending(act, commit, reply, received_at, perf_counter())
        self._replies.taken(act)
        self._pending.append(pending)
        self._store.commit(commit, partial(self._answered, pending))

    def _answered(self, pending: Pending | PendingHint, answer: CommitAnswer) -> None:
        taken = self._pending.pop(0)
        assert taken is pending, "the store answers in order"
        if isinstance(answer, CommitFailure):
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
                self._observer.spawn(self._recover(show=False), "recover")
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
        self._elapsed = since_t0 - self._late
        text = timed(pending.reply, self._elapsed)
        self._replies.keep(pending.message, text)
        self._observer.send(text)
        now = perf_counter()
        metrics.acts.inc()
        metrics.act_seconds.observe(now - pending.received_at)
        metrics.commit_seconds.observe(now - pending.sent_at)
        self._observer.handle_figures_changed(self._figures_after(pending, since_t0))
        if pending.commit.over:
            self._observer.handle_game_ended(self.n)

    def _figures_after(self, pending: Pending, since_t0: int) -> SeatFigures:
        """Return the figures of the seat as commit.lua has stored them with this act."""
        commit = pending.commit
        seat, n, _, _, gained, over, hint_count, hint_round = self._figures
        if n != commit.n:
            gained, over = 0, None
        if commit.gained:
            gained = since_t0
        if commit.over:
            over = since_t0
        self._figures = SeatFigures(
            seat, commit.n, commit.id, commit.standing, gained, over, hint_count, hint_round
        )
        return self._figures

    def _counted(self, pending: PendingHint, hints: int) -> None:
        self._observer.send(hinted_text(self._game.variant, pending.at, pending.action, hints))
        self._figures = self._figures._replace(hint_count=hints, hint_round=self.n)
        self._observer.handle_figures_changed(self._figures)

    def _repeat(self, act: Act) -> None:
        """Answer an id that was used before, with the same reply or with the whole table.

        Another connection of this seat may have used the id for a different act.
        """
        text = self._replies.find(act)
        if text is not None:
            self._observer.send(text)
            return
        if any(
            isinstance(pending, Pending) and same(pending.message, act)
            for pending in self._pending
        ):
            return  # its reply is pending
        if self._pending:
            self._held.append(act)
        elif self._replies.is_logged(act, self._game):
            self._observer.send(self._full_reply(act))
        elif self._closed:
            self._refuse(act, ErrorCode.TOO_LATE)
        else:
            self._refuse(act, ErrorCode.STALE, table=True)

    def _full_reply(self, act: Act) -> str:
        return timed(full_reply_text(act.id, self._game), self._elapsed)

    async def _recover(self, *, show: bool) -> None:
        """Load the game again and answer unconfirmed and held messages; `show` sends the table."""
        while True:
            try:
                await self.load()
                break
            except Unreadable as error:
                self._seat_lost = True
                self._clear()
                self._observer.handle_unreadable_log(error)
                return
            except StoreAway:
                self._store_away = show = True
                for message in [message for message, _ in self._unconfirmed] + self._held:
                    self._refuse(message, ErrorCode.TRY_AGAIN)
                self._clear()
                await asyncio.sleep(self._retry_s)
        self._store_away, self._trusted = False, True
        unconfirmed, self._unconfirmed = self._unconfirmed, []
        if (show or any(isinstance(each, Hint) for each, _ in unconfirmed)) and not self._closed:
            self.show()
        for message, failure in unconfirmed:
            if isinstance(message, Hint):
                self._refuse(message, REFUSALS[failure])
            elif message.id <= self._replies.last_id:
                self._repeat(message)
            else:
                self._refuse(message, REFUSALS[failure], table=True)
            if REFUSALS[failure] is ErrorCode.TOO_LATE:
                self._observer.handle_too_late()
        self._judge_held()

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
        details = None if error is None else refusal_details(error, self._game.variant)
        view = self._view() if table else None
        self._observer.send(refused_text(message, code, details, self._game.at, view))

    def _view(self) -> TableSnapshot:
        return table_view(self._game, self._context.seat, self._replies.last_id, self._elapsed)


REFUSALS = {
    CommitFailure.REPEATED: ErrorCode.STALE,
    CommitFailure.STALE: ErrorCode.STALE,
    CommitFailure.EARLY: ErrorCode.EARLY,
    CommitFailure.TOO_LATE: ErrorCode.TOO_LATE,
    CommitFailure.NOT_RUNNING: ErrorCode.TOO_LATE,
    CommitFailure.AWAY: ErrorCode.TRY_AGAIN,
}
