"""A player's live game on this process: acts are judged at once and answered when stored.

1. An act is judged by the engine and queued for the store within one call. The engine runs
   ahead of the store; the reply to an act is sent only when the store has it.
2. When the store refuses an act or does not answer, the game that ran ahead is discarded. The
   seat is taken once more, so that none of these acts can still be stored. The game is read from
   the store before anything else is answered: the log is the truth.
3. Replies come in the order of the acts, exactly one for each. So an act that cannot be judged
   while earlier ones are in flight waits for them, and is judged again on the stored game.
4. Whole tables that answer acts are counted, since an act is cheap and a table is not.
5. A closed table takes no new act. It still answers repeated acts of its log: the reply to the
   act that ended the round may be lost. Once another table has replaced it, it reads nothing.
"""

import asyncio
from time import perf_counter
from typing import Final

from protocol.from_client import Act, Hint
from protocol.vocabulary import MAX_IN_FLIGHT, CloseCode, ErrorCode
from server import metrics
from server.act_times import observe_act
from server.games.errors import IllegalAction
from server.games.game import Game
from server.live.replays import ReplayedGame
from server.rooms.record import Round
from server.sessions.seat_game import Applied, FoundHint, SeatGame, is_same
from server.sessions.services import Services, load_game, report_game_ended
from server.sessions.taken_seat import Socket, TakenSeat
from server.store import CommitFailure, CommitResult, LogWriter, SeatRecord

MAX_ID_STEP: Final = 100_000
"""Ids between two acts of a seat, at most: clients count them up, and refused acts use some."""
REFUSALS: Final = {
    CommitFailure.STALE: ErrorCode.STALE,
    CommitFailure.GONE: ErrorCode.TOO_LATE,
    CommitFailure.AWAY: ErrorCode.TRY_AGAIN,
}
"""The refusals of acts and hints that the store has not taken, while the seat is held."""


class LiveTable:
    """One seat's game of one round, for as long as this process holds the seat."""

    __slots__ = (
        *("_all_answered", "_clock", "_commits", "_held", "_hub", "_is_dropped"),
        *("_is_replaced", "_loading", "_pending", "_play", "_services", "_store_away", "_trusted"),
        *("_unconfirmed", "_unsent"),
        *("closed", "played", "seat", "socket", "writer"),
    )

    def __init__(
        self, services: Services, socket: Socket, seat: TakenSeat, writer: LogWriter, played: Round
    ) -> None:
        """Play the game of a round, which the owner of a seat has at this socket.

        No other table has the `writer`.
        """
        self.socket, self.seat, self.writer = socket, seat, writer
        self.played = played  # as the latest version of the room has it
        self.closed = False  # whether it refuses new acts and sends no table
        self._services = services
        # Those of the services that each act needs.
        self._commits, self._clock = services.store.commits, services.clock
        self._hub = services.hub
        self._play = SeatGame(writer, played, services.store.interrupted_at_ms)
        # Lists, though popped at the front: they are short, and an empty deque reserves 64 slots.
        self._pending: list[Applied | FoundHint] = []
        self._unconfirmed: list[tuple[Act | Hint, ErrorCode]] = []
        self._held: list[Act | Hint] = []
        self._trusted = False  # whether the game is what the store has, or ahead of it
        self._store_away = False
        self._unsent = True  # whether the client needs the table once the game is loaded
        self._is_dropped = False  # its socket is closed without answers
        self._is_replaced = False
        self._loading: asyncio.Task[None] | None = None
        # Created on demand: an event takes 750 bytes.
        self._all_answered: asyncio.Event | None = None

    def load(self, record: SeatRecord | None) -> None:
        """Take the seat once more and read the game; acts wait until then.

        With `record`, the seat's record since the holder took it, it need not be taken.
        """
        if self._is_replaced:
            self._refuse_waiting(ErrorCode.TOO_LATE)
            return
        loading = load_game(self._services, self, record)
        self._loading = self._hub.spawn(loading, "load a game", self.drop)

    def retire(self) -> None:
        """Make way for the next table of the seat: stop reading, and refuse what waits for it."""
        self.closed = self._is_replaced = True
        if self._loading is not None:
            self._loading.cancel()
        if not self._pending:
            self._refuse_waiting(ErrorCode.TOO_LATE)

    @property
    def all_answered(self) -> asyncio.Event | None:
        """The event that the store has answered all acts in flight; None if none is in flight."""
        if self._pending and self._all_answered is None:
            self._all_answered = asyncio.Event()
        return self._all_answered

    def act(self, act: Act) -> None:
        """Judge one act; refuse it now, or reply when the store has it."""
        if not self._admit(act):
            return
        play = self._play
        last_id = play.last_id
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
            self._refuse(act, self._services.refusal_of_acts(self.seat))
        elif self._may_send_table():
            self._refuse(act, ErrorCode.STALE, table=True)

    def hint(self, hint: Hint) -> None:
        """Find a hint once no act is in flight; send it when the store has counted it."""
        if not self._admit(hint):
            return
        if self._pending:
            self._held.append(hint)
            return
        found = self._untimely(self._clock.now_ms()) or self._play.find_hint(hint)
        if isinstance(found, ErrorCode):
            self._refuse(hint, found)
            return
        self._pending.append(found)
        self._commits.count_hint(found.request, self._answered)

    def settled_game(self) -> Game | None:
        """Return the game as the store has it, for its caller to copy; None if acts are open."""
        if not self._trusted or self._pending or self._held:
            return None
        return self._play.game

    def _may_send_table(self) -> bool:
        """Count a whole table that answers an act as a command; close if there are too many."""
        if self._services.may_command(self.seat.address, self.seat):
            return True
        self.socket.close(CloseCode.TOO_FAST)
        return False

    def _report_end(self) -> None:
        report = report_game_ended(self._services, self.seat, self.played.n)
        self._hub.spawn(report, "done", self.drop)

    def _admit(self, message: Act | Hint) -> bool:
        """Return whether a message can be handled now; hold, refuse or drop it otherwise."""
        if self._is_dropped:
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
        """Apply an act and queue it; hold back an illegal one until those before it are stored."""
        judged_at, now = perf_counter(), self._clock.now_ms()
        untimely = self._untimely(now)
        if untimely is not None:
            if self._pending:
                self._held.append(act)
            else:
                self._refuse(act, untimely, table=True)
            return
        try:
            applied = self._play.apply(act, now - self.played.t0)
        except IllegalAction as error:
            if self._pending:
                self._held.append(act)
            else:
                self._refuse(act, error)
            return
        applied.judged_at, applied.queued_at = judged_at, perf_counter()
        self._pending.append(applied)
        self._commits.commit(applied.commit, self._answered)

    def _untimely(self, now: int) -> ErrorCode | None:
        """Return why no act counts now; None during the race."""
        if now < self.played.t0:
            return ErrorCode.EARLY
        played = self.played
        t_end = played.end_of(self.writer.seat) if played.is_window else played.t_end
        if t_end is None or now < t_end:
            return None
        self._hub.reread(self.writer.code)  # its notification may be lost
        return ErrorCode.TOO_LATE

    def _answered(self, answer: CommitResult) -> None:
        """Take the answer to the oldest pending act or hint: the store answers in order."""
        pending = self._pending.pop(0)
        if not self._trusted or not isinstance(answer, int):
            # The store may have this act, but the result of an earlier one is unknown.
            failure = CommitFailure.AWAY if isinstance(answer, int) else answer
            self._unconfirmed.append((pending.message, REFUSALS[failure]))
            self._trusted = False
        elif isinstance(pending, Applied):
            self._play.stored(pending)
            self.socket.send(pending.text)
            observe_act(pending.judged_at, pending.queued_at)
            self._hub.handle_progress(self.writer.code, self._play.progress)
            if pending.is_over:
                self._report_end()
        else:
            self.socket.send(self._play.counted(pending, answer))
            self._hub.handle_progress(self.writer.code, self._play.progress)
        if not self._pending:
            if self._all_answered is not None:
                self._all_answered.set()
                self._all_answered = None
            if not self._trusted:
                self.load(None)
            elif self._held:
                self._judge_held()

    def _repeat(self, act: Act) -> None:
        """Answer an id that was used before, by another connection maybe for a different act."""
        if self._pending:
            if not any(is_same(pending.message, act) for pending in self._pending):
                self._held.append(act)  # else its reply is pending
        elif self._play.is_logged(act):
            if self._may_send_table():
                self.socket.send(self._play.full_reply(act))
        elif self.closed:
            self._refuse(act, ErrorCode.TOO_LATE)
        elif self._may_send_table():
            self._refuse(act, ErrorCode.STALE, table=True)

    def handle_loaded(self, record: SeatRecord, replayed: ReplayedGame) -> None:
        """Continue from the stored game, and answer the messages that waited for it.

        Unconfirmed acts in the log get a reply, the other ones are refused. Held ones come last.
        """
        play = self._play
        play.load(record, replayed)
        if self.socket.is_open:
            self._hub.handle_loaded_progress(self.writer.code, play.progress)
        if play.game.outcome is not None and self.writer.seat not in self.played.results:
            # The process that stored the last act may have died before reporting the end.
            self._report_end()
        self._store_away, self._trusted = False, True
        unconfirmed, self._unconfirmed = self._unconfirmed, []
        unsent, self._unsent = self._unsent, False
        if (unsent or any(isinstance(each, Hint) for each, _ in unconfirmed)) and not self.closed:
            self.socket.send(play.table_text())
        for message, code in unconfirmed:
            if isinstance(message, Act) and message.id <= play.last_id:
                self._repeat(message)
            else:
                self._refuse(message, code, table=isinstance(message, Act))
            if code is ErrorCode.TOO_LATE:
                self._hub.reread(self.writer.code)
        self._judge_held()

    def handle_store_away(self) -> None:
        """Refuse all messages until the game is loaded."""
        self._store_away = self._unsent = True
        self._refuse_waiting(ErrorCode.TRY_AGAIN)

    def _refuse_waiting(self, code: ErrorCode) -> None:
        for message in [message for message, _ in self._unconfirmed] + self._held:
            self._refuse(message, code)
        self._unconfirmed, self._held = [], []

    def drop(self, code: CloseCode) -> None:
        """Close the socket and drop all messages, now and later: the client must reconnect."""
        self._is_dropped = True
        self._unconfirmed, self._held = [], []
        self.socket.close(code)

    def _judge_held(self) -> None:
        """Judge the held messages; some of them may be held again."""
        held, self._held = self._held, []
        for message in held:
            if isinstance(message, Act):
                self.act(message)
            else:
                self.hint(message)

    def _refuse(
        self, message: Act | Hint, why: ErrorCode | IllegalAction, *, table: bool = False
    ) -> None:
        """Send the refusal of an act or a hint, and count it."""
        code, error = (why.code, why) if isinstance(why, IllegalAction) else (why, None)
        metrics.refusals.labels(code.value).inc()
        self.socket.send(self._play.refused_text(message, code, error, table=table))
