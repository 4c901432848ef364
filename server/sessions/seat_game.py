"""A seat's game of one round: as the store has it, or ahead of it by the acts in flight.

The engine runs ahead of the store, so a game that the store does not follow must be loaded again:
the log is the truth.
"""

from collections.abc import Callable
from typing import NamedTuple

from protocol.from_client import Act, Hint
from protocol.views import TableSnapshot
from protocol.vocabulary import ErrorCode, HintReason
from server.games.action_texts import ACTION_TEXTS
from server.games.actions import Action
from server.games.errors import IllegalAction, NotationError
from server.games.game import Game
from server.games.hint_reasons import reason_of
from server.games.hints import find_hint
from server.rooms.record import Round
from server.rooms.rounds import dealt_game
from server.rooms.stats_texts import write_stats
from server.sessions.game_loader import StoredGame
from server.sessions.kept_replies import KeptReplies
from server.sessions.taken_seat import TakenSeat
from server.store import Commit, FencedSeat, HintCount, SeatProgress
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


class FoundHint(NamedTuple):
    """A hint that the store has to count before it is sent."""

    request: HintCount  # the command that counts it
    action: Action  # the action that the player is shown
    reason: HintReason  # what that action changes


class SeatGame:
    """The game of a seat, its replies and its progress."""

    __slots__ = (
        "_action_texts",
        "_counts",
        "_elapsed_ms",
        "_held",
        "_late_ms",
        "_may_be_lost",
        "_played",
        "_restored",
        "_seat",
        "game",
        "n",
        "progress",
        "replies",
    )

    def __init__(self, seat: TakenSeat, played: Round, may_be_lost: Callable[[], bool]) -> None:
        """Play the game of a seat; `may_be_lost` returns whether the store may lack an act."""
        self._seat = seat.number
        self._played = played
        self._may_be_lost = may_be_lost
        self._late_ms = played.late_ms.get(seat.number, 0)  # from t0; 0 of a racer
        self._elapsed_ms = 0  # of the player's own time; a chaser's clock starts late
        self._restored = 0  # acts that the store had lost and the client has sent again
        self.n = played.n
        self._held = FencedSeat(seat.room_code, seat.number, self.n, seat.generation)
        self.game: Game = dealt_game(played)  # until the log is read
        self._action_texts = ACTION_TEXTS[self.game.variant.id]
        self._counts = self.game.counts  # the latest, of which replies send what changes
        self.replies = KeptReplies()
        # As it is stored.
        self.progress = SeatProgress(seat.number, 0, 0, None, 0, None, 0, 0)

    def load(self, stored: StoredGame) -> None:
        """Continue from the game that the store has."""
        record, replayed = stored.record, stored.replayed
        game = self.game = replayed.game
        self._counts = game.counts
        self._elapsed_ms = replayed.ms - self._late_ms if game.at else 0
        self._restored = stored.restored
        self.replies.load(record, self.n)
        if record is not None:
            self.progress = record.progress(self._seat)

    @property
    def is_end_unreported(self) -> bool:
        """Whether the game has ended by its rules and the room's record does not say so."""
        return self.game.outcome is not None and self._seat not in self._played.results

    def apply(self, act: Act) -> tuple[Commit, str]:
        """Apply an act that follows the latest one; return its commit, and its reply untimed.

        Raises:
            IllegalAction: the rules refuse it, and the game is unchanged.
        """
        game, act_id, at = self.game, act.id, act.at
        try:
            action = self._action_texts.parse(act.action)
        except NotationError:
            raise IllegalAction(ErrorCode.NO_SUCH_PILE) from None
        effects = game.apply(action)
        if act.again and self._may_be_lost():
            self._restored += 1
        before, counts = self._counts, game.counts
        self._counts = counts
        commit = (
            self._held,
            act_id,
            at,
            action,
            write_stats(game, self._restored, counts),
            effects.has_gained,
            game.outcome is not None,
        )
        self.replies.taken(act_id, at)
        reply = acted_text(act_id, game, effects.changed, counts, before)
        return tuple.__new__(Commit, commit), reply  # see `Game.counts`

    def stored(self, commit: Commit, reply: str, since_t0: int) -> str:
        """Take the time of an act that is stored (ms since t0); return the reply, timed."""
        self._elapsed_ms = since_t0 - self._late_ms
        text = timed(reply, self._elapsed_ms)
        self.replies.keep(commit, text)
        self.progress = self._progress_after(commit, since_t0)
        return text

    def find_reply(self, act: Act) -> str | None:
        """Return the reply to a repeated act, if it is kept."""
        return self.replies.find(act, self._action(act))

    def is_logged(self, act: Act) -> bool:
        """Return whether the log has this act, as far as its id can show."""
        return self.replies.is_logged(act, self._action(act), self.game)

    def find_hint(self) -> FoundHint | ErrorCode:
        """Return a hint for the position, or the reason why there is none."""
        game = self.game
        if not self._played.settings.hints:
            return ErrorCode.HINTS_ARE_OFF
        if game.outcome is not None:
            return ErrorCode.GAME_OVER
        action = find_hint(game)
        if action is None:
            return ErrorCode.NO_HINT
        request = HintCount(self._held, game.at)
        return FoundHint(request, action, reason_of(game, action))

    def counted(self, found: FoundHint, hints: int) -> str:
        """Take the number of hints that the store has counted; return the message of the hint."""
        self.progress = self.progress._replace(hint_count=hints, hint_round=self.n)
        variant, at = self.game.variant, found.request.at
        return hinted_text(variant, at, found.action, hints, found.reason)

    def table_text(self) -> str:
        """Return the `table` message."""
        return table_text(self.game, self._seat, self.replies.last_id, self._elapsed_ms)

    def view(self) -> TableSnapshot:
        """Return the view of the table."""
        return table_view(self.game, self._seat, self.replies.last_id, self._elapsed_ms)

    def refused_text(
        self,
        message: Act | Hint,
        error_code: ErrorCode,
        error: IllegalAction | None = None,
        *,
        table: bool = False,
    ) -> str:
        """Return the refusal of an act or a hint, with the whole table if `table` says so."""
        game = self.game
        details = None if error is None else refusal_details(error, game.variant)
        view = self.view() if table else None
        return refused_text(message, error_code, details, game.at, view)

    def full_reply(self, act: Act) -> str:
        """Return a reply with the whole table to an act that is stored already."""
        return timed(full_reply_text(act.id, self.game), self._elapsed_ms)

    def _action(self, act: Act) -> Action | None:
        """Return the engine's action for an act; None if the game has no such action."""
        try:
            return self._action_texts.parse(act.action)
        except NotationError:
            return None

    def _progress_after(self, commit: Commit, since_t0: int) -> SeatProgress:
        """Return the progress of the seat as commit.lua has stored it with an act."""
        seat, n, _, _, gained_ms, over_ms, hint_count, hint_round = self.progress
        if n != self.n:
            gained_ms, over_ms = 0, None
        if commit.has_gained:
            gained_ms = since_t0
        if commit.is_over:
            over_ms = since_t0
        progress = (
            seat,
            self.n,
            commit.id,
            commit.stats_json,
            gained_ms,
            over_ms,
            hint_count,
            hint_round,
        )
        return tuple.__new__(SeatProgress, progress)  # see `Game.counts`
