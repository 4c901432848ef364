"""A player's live game in this process: acts are judged at once, and replied to when stored.

1. One call judges an act with the engine and queues it for the store. The engine runs ahead of
   the store; the reply to an act is sent only once the store has the act.
2. When the store refuses an act or does not answer, the game that ran ahead is discarded. The
   seat is taken again, so that none of these acts can still be stored. Before any other reply,
   the game is read from the store: the log is the truth.
3. Each act gets exactly one reply, in the order of the acts. So an act that cannot be judged while
   earlier ones are in flight waits for them, and is then judged on the stored game.
4. A reply with the whole table counts as a command, since an act is cheap and a table is not.
5. A closed table takes no new act. It still replies to repeated acts of its log, since the reply
   to the act that ended the round may have been lost. Once another table has replaced it, it no
   longer reads its game from the store.
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
"""The largest step from one act's id to the next: refused acts use up ids too."""
REFUSALS: Final = {
    CommitFailure.STALE: ErrorCode.STALE,
    CommitFailure.GONE: ErrorCode.TOO_LATE,
    CommitFailure.AWAY: ErrorCode.TRY_AGAIN,
}  # how to refuse an act or hint that the store did not accept, while this socket has the seat


class LiveTable:
    """One seat's game of one round, for as long as this process holds the seat."""

    __slots__ = (
        *("_all_settled", "_clock", "_commits", "_hub", "_in_flight", "_is_dropped"),
        *("_is_replaced", "_is_store_away", "_is_valid", "_loading", "_owes_table", "_seat_game"),
        *("_services", "_unconfirmed", "_waiting"),
        *("is_closed", "played", "seat", "socket", "writer"),
    )

    def __init__(
        self, services: Services, socket: Socket, seat: TakenSeat, writer: LogWriter, played: Round
    ) -> None:
        """Play a round for the seat that this socket holds. No other table may use `writer`."""
        self.socket, self.seat, self.writer = socket, seat, writer
        self.played = played  # the round, as in the latest version of the room
        self.is_closed = False  # whether new acts are refused
        self._services = services
        # Each act needs these, so look them up only once.
        self._commits, self._clock = services.store.commits, services.clock
        self._hub = services.hub
        self._seat_game = SeatGame(writer, played, services.store.interrupted_at_ms)
        # Lists, though popped at the front: they are short, and an empty deque reserves 64 slots.
        self._in_flight: list[Applied | FoundHint] = []  # queued for the store, no result yet
        self._unconfirmed: list[tuple[Act | Hint, ErrorCode]] = []
        """Messages that the store may not have taken, and how to refuse those that it has not."""
        self._waiting: list[Act | Hint] = []  # for the game to load, or for earlier messages
        self._is_valid = False  # whether the game is as stored, or ahead by the acts in flight
        self._is_store_away = False  # whether the latest attempt to load the game has failed
        self._owes_table = True  # whether to send the table once the game is loaded
        self._is_dropped = False  # whether messages get no reply any more: the socket is closed
        self._is_replaced = False  # whether the seat has a newer table
        self._loading: asyncio.Task[None] | None = None  # reads the game from the store
        self._all_settled: asyncio.Event | None = None  # made on demand: it takes 750 bytes

    def load(self, record: SeatRecord | None) -> None:
        """Take the seat again and read its game from the store; messages wait until then.

        `record` is the seat's record if the seat has just been taken and no act was stored since.
        In that case it is not taken again.
        """
        if self._is_replaced:
            self._refuse_all(ErrorCode.TOO_LATE)
            return
        loading = load_game(self._services, self, record)
        self._loading = self._hub.spawn(loading, "load a game", on_failure=self.drop)

    def retire(self) -> None:
        """Make way for the seat's next table: stop loading, and refuse all pending messages."""
        self.is_closed = self._is_replaced = True
        if self._loading is not None:
            self._loading.cancel()
        if not self._in_flight:  # otherwise `load` refuses them once the store has replied
            self._refuse_all(ErrorCode.TOO_LATE)

    @property
    def all_settled(self) -> asyncio.Event | None:
        """An event that is set once nothing is in flight; None if nothing is in flight now."""
        if self._in_flight and self._all_settled is None:
            self._all_settled = asyncio.Event()
        return self._all_settled

    def act(self, act: Act) -> None:
        """Judge an act: refuse it, or reply once the store has it."""
        if not self._admit(act):
            return
        seat_game = self._seat_game
        last_id = seat_game.last_id
        if act.id <= last_id:
            self._repeat(act)
        elif act.id > last_id + MAX_ID_STEP:
            # Such an id would make all later acts look old, even in later rounds.
            self._refuse(act, ErrorCode.STALE)
        elif act.at == seat_game.game.at and not self.is_closed:
            self._judge(act)
        elif self._in_flight:
            self._waiting.append(act)
        elif self.is_closed:
            self._refuse(act, self._services.refusal_of_acts(self.seat))
        elif self._charge_table():  # the client does not know the game's present length
            self._refuse(act, ErrorCode.STALE, with_table=True)

    def hint(self, hint: Hint) -> None:
        """Find a hint once no act is in flight, and send it once the store has counted it."""
        if not self._admit(hint):
            return
        if self._in_flight:
            self._waiting.append(hint)
            return
        found = self._check_time(self._clock.now_ms()) or self._seat_game.find_hint(hint)
        if isinstance(found, ErrorCode):
            self._refuse(hint, found)
            return
        self._in_flight.append(found)
        self._commits.count_hint(found.request, self._handle_result)

    def settled_game(self) -> Game | None:
        """Return the stored game, which callers must not change; None while messages wait."""
        if not self._is_valid or self._in_flight or self._waiting:
            return None
        return self._seat_game.game

    def _charge_table(self) -> bool:
        """Charge a reply that contains the whole table as a command; return whether to send it.

        Beyond the limit, close the socket.
        """
        if self._services.charge_command(self.seat.address, self.seat):
            return True
        self.socket.close(CloseCode.TOO_FAST)
        return False

    def _report_end(self) -> None:
        report = report_game_ended(self._services, self.seat, self.played.n)
        self._hub.spawn(report, "done", on_failure=self.drop)

    def _admit(self, message: Act | Hint) -> bool:
        """Return whether to handle a message now. If not, refuse it, drop it or queue it."""
        if self._is_dropped:
            return False
        if self._is_store_away:
            self._refuse(message, ErrorCode.TRY_AGAIN)
        elif len(self._in_flight) + len(self._waiting) >= MAX_IN_FLIGHT:
            self._refuse(message, ErrorCode.TOO_MANY_IN_FLIGHT)
        elif not self._is_valid or self._waiting:
            self._waiting.append(message)
        else:
            return True
        return False

    def _judge(self, act: Act) -> None:
        """Apply an act and queue it for the store, or refuse it.

        If it must be refused while others are in flight, it waits and is judged again later.
        """
        begun_at, now_ms = perf_counter(), self._clock.now_ms()
        reason: ErrorCode | IllegalAction | None = self._check_time(now_ms)
        if reason is None:
            try:
                applied = self._seat_game.apply(act, now_ms - self.played.t0)
            except IllegalAction as error:
                reason = error
        if reason is None:
            applied.begun_at, applied.queued_at = begun_at, perf_counter()
            self._in_flight.append(applied)
            self._commits.commit(applied.commit, self._handle_result)
        elif self._in_flight:
            self._waiting.append(act)
        else:
            # The client's table may be out of date, unless the act is merely illegal.
            self._refuse(act, reason, with_table=not isinstance(reason, IllegalAction))

    def _check_time(self, now_ms: int) -> ErrorCode | None:
        """Return why acts are refused at this time (ms since the epoch), or None during the race.

        After the race, also read the room again, since this table should have been closed.
        """
        played = self.played
        if now_ms < played.t0:
            return ErrorCode.EARLY
        t_end = played.end_of(self.writer.seat)
        if t_end is None or now_ms < t_end:
            return None
        self._hub.reread(self.writer.code)  # the notification of the race's end may be lost
        return ErrorCode.TOO_LATE

    def _handle_result(self, result: CommitResult) -> None:
        """Handle the store's result for the oldest act or hint in flight.

        An integer means that the store has accepted it. For a hint, it is the new hint count.
        """
        pending = self._in_flight.pop(0)
        if not self._is_valid or not isinstance(result, int):
            # After a failure, no later act is confirmed either, even if the store has it.
            failure = CommitFailure.AWAY if isinstance(result, int) else result
            self._unconfirmed.append((pending.message, REFUSALS[failure]))
            self._is_valid = False
        elif isinstance(pending, Applied):
            self._seat_game.note_stored(pending)
            self.socket.send(pending.text)
            observe_act(pending.begun_at, pending.queued_at)
            self._hub.handle_progress(self.writer.code, self._seat_game.progress)
            if pending.is_over:
                self._report_end()
        else:
            self.socket.send(self._seat_game.count_hint(pending, result))
            self._hub.handle_progress(self.writer.code, self._seat_game.progress)
        if not self._in_flight:
            if self._all_settled is not None:
                self._all_settled.set()
                self._all_settled = None
            if not self._is_valid:
                self.load(None)
            elif self._waiting:
                self._handle_waiting()

    def _repeat(self, act: Act) -> None:
        """Reply to an act whose id is used already, by the same act or by another connection."""
        if self._in_flight:  # what the log will hold is not known yet
            if not any(is_same(pending.message, act) for pending in self._in_flight):
                self._waiting.append(act)  # the same act in flight gets its reply anyway
        elif self._seat_game.is_logged(act):
            if self._charge_table():
                self.socket.send(self._seat_game.full_reply(act))
        elif self.is_closed:
            self._refuse(act, ErrorCode.TOO_LATE)
        elif self._charge_table():
            self._refuse(act, ErrorCode.STALE, with_table=True)

    def handle_loaded(self, record: SeatRecord, replayed: ReplayedGame) -> None:
        """Continue from the stored game, and handle the messages that waited for it.

        Unconfirmed acts get their reply if they are in the log after all. The others are refused.
        """
        seat_game = self._seat_game
        seat_game.load(record, replayed)
        if self.socket.is_open:
            self._hub.handle_loaded_progress(self.writer.code, seat_game.progress)
        if seat_game.game.outcome is not None and self.writer.seat not in self.played.results:
            # The process that stored the last act may have died before it reported the end.
            self._report_end()
        self._is_store_away, self._is_valid = False, True
        unconfirmed, self._unconfirmed = self._unconfirmed, []
        # The client's table may be wrong. Refused acts get the right one, refused hints do not.
        owes_table = self._owes_table or any(isinstance(each, Hint) for each, _ in unconfirmed)
        self._owes_table = False
        if owes_table and not self.is_closed:
            self.socket.send(seat_game.table_text())
        for message, code in unconfirmed:
            if isinstance(message, Act) and message.id <= seat_game.last_id:
                self._repeat(message)
            else:
                self._refuse(message, code, with_table=isinstance(message, Act))
            if code is ErrorCode.TOO_LATE:  # the race is over: this table should be closed by now
                self._hub.reread(self.writer.code)
        self._handle_waiting()

    def handle_store_away(self) -> None:
        """Refuse all messages, now and until the game is loaded."""
        self._is_store_away = self._owes_table = True
        self._refuse_all(ErrorCode.TRY_AGAIN)

    def _refuse_all(self, code: ErrorCode) -> None:
        """Refuse all unconfirmed and all waiting messages."""
        for message in [message for message, _ in self._unconfirmed] + self._waiting:
            self._refuse(message, code)
        self._unconfirmed, self._waiting = [], []

    def drop(self, code: CloseCode) -> None:
        """Close the socket, so that the client reconnects, and drop all messages from now on."""
        self._is_dropped = True
        self._unconfirmed, self._waiting = [], []
        self.socket.close(code)

    def _handle_waiting(self) -> None:
        """Handle the messages that waited. Some may have to wait again."""
        waiting, self._waiting = self._waiting, []
        for message in waiting:
            if isinstance(message, Act):
                self.act(message)
            else:
                self.hint(message)

    def _refuse(
        self, message: Act | Hint, reason: ErrorCode | IllegalAction, *, with_table: bool = False
    ) -> None:
        code = reason.code if isinstance(reason, IllegalAction) else reason
        metrics.refusals.labels(code.value).inc()
        self.socket.send(self._seat_game.refused_text(message, reason, with_table=with_table))
