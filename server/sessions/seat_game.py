"""A seat's game of one round: as the store has it, or ahead of it by the acts in flight.

The engine runs ahead of the store, so a game that the store does not follow must be loaded again:
the log is the truth.
"""

from collections.abc import Callable
from typing import NamedTuple

from protocol.from_client import Act, Hint
from protocol.views import TableSnapshot
from protocol.vocabulary import ErrorCode
from server.games.actions import Action
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.hints import find_hint
from server.rooms.rounds import dealt_game
from server.rooms.stats_texts import stats_text
from server.sessions.acts import engine_action
from server.sessions.loading import StoredGame
from server.sessions.replies import Replies
from server.sessions.seat_context import SeatContext
from server.store import Commit, HeldSeat, HintCount, SeatFigures
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

    request: HintCount
    action: Action


class SeatGame:
    """The game of a seat, its replies and its figures."""

    __slots__ = (
        "_context",
        "_counts",
        "_elapsed",
        "_held",
        "_late",
        "_may_be_lost",
        "_restored",
        "figures",
        "game",
        "n",
        "replies",
    )

    def __init__(self, context: SeatContext, may_be_lost: Callable[[], bool]) -> None:
        """Play the game of a seat.

        `may_be_lost` returns whether the store may have lost an act that is sent again.
        """
        self._context = context
        self._may_be_lost = may_be_lost
        self._late = context.played.late.get(context.seat, 0)  # ms from t0; 0 of a racer
        self._elapsed = 0  # ms of the player's own time; a chaser's clock starts late
        self._restored = 0  # acts that the store had lost and the client has sent again
        self.n = context.played.n
        self._held = HeldSeat(context.code, context.seat, self.n, context.generation)
        self.game: Game = dealt_game(context.played)  # until the log is read
        self._counts = self.game.counts  # the latest, of which replies send what changes
        self.replies = Replies()
        # As they are stored.
        self.figures = SeatFigures(context.seat, 0, 0, None, 0, None, 0, 0)

    def load(self, stored: StoredGame) -> None:
        """Continue from the game that the store has."""
        record, position = stored.record, stored.position
        game = self.game = position.game
        self._counts = game.counts
        self._elapsed = position.ms - self._late if game.at else 0
        self._restored = stored.restored
        self.replies.load(record, self.n)
        if record is not None:
            self.figures = record.figures(self._context.seat)

    @property
    def over_unreported(self) -> bool:
        """Whether the game has ended by its rules and the room does not know of it."""
        context = self._context
        return self.game.outcome is not None and context.seat not in context.played.results

    def apply(self, act: Act) -> tuple[Commit, str]:
        """Apply an act that follows the latest one; return its commit, and its reply untimed.

        Raises:
            IllegalAction: the rules refuse it, and the game is unchanged.
        """
        game, act_id, at = self.game, act.id, act.at
        action = engine_action(game.variant, act.action)
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
            stats_text(game, self._restored, counts),
            effects.gained,
            game.outcome is not None,
        )
        self.replies.taken(act_id, at)
        reply = acted_text(act_id, game, effects.changed, counts, before)
        return tuple.__new__(Commit, commit), reply  # see `Game.counts`

    def stored(self, commit: Commit, reply: str, since_t0: int) -> str:
        """Take the time of an act that is stored (ms since t0); return the reply, timed."""
        self._elapsed = since_t0 - self._late
        text = timed(reply, self._elapsed)
        self.replies.keep(commit, text)
        self.figures = self._figures_after(commit, since_t0)
        return text

    def find_hint(self) -> FoundHint | ErrorCode:
        """Return a hint for the position, or the reason why there is none."""
        game, context = self.game, self._context
        if not context.played.settings.hints:
            return ErrorCode.HINTS_ARE_OFF
        if game.outcome is not None:
            return ErrorCode.GAME_OVER
        action = find_hint(game)
        if action is None:
            return ErrorCode.NO_HINT
        request = HintCount(self._held, game.at)
        return FoundHint(request, action)

    def counted(self, found: FoundHint, hints: int) -> str:
        """Take the number of hints that the store has counted; return the message of the hint."""
        self.figures = self.figures._replace(hint_count=hints, hint_round=self.n)
        return hinted_text(self.game.variant, found.request.at, found.action, hints)

    def table_text(self) -> str:
        """Return the `table` message."""
        return table_text(self.game, self._context.seat, self.replies.last_id, self._elapsed)

    def view(self) -> TableSnapshot:
        """Return the view of the table."""
        return table_view(self.game, self._context.seat, self.replies.last_id, self._elapsed)

    def refused_text(
        self,
        message: Act | Hint,
        code: ErrorCode,
        error: IllegalAction | None = None,
        *,
        table: bool = False,
    ) -> str:
        """Return the refusal of an act or a hint, with the whole table if `table` says so."""
        game = self.game
        details = None if error is None else refusal_details(error, game.variant)
        view = self.view() if table else None
        return refused_text(message, code, details, game.at, view)

    def full_reply(self, act: Act) -> str:
        """Return a reply with the whole table to an act that is stored already."""
        return timed(full_reply_text(act.id, self.game), self._elapsed)

    def _figures_after(self, commit: Commit, since_t0: int) -> SeatFigures:
        """Return the figures of the seat as commit.lua has stored them with an act."""
        seat, n, _, _, gained, over, hint_count, hint_round = self.figures
        if n != self.n:
            gained, over = 0, None
        if commit.gained:
            gained = since_t0
        if commit.over:
            over = since_t0
        figures = (
            seat,
            self.n,
            commit.id,
            commit.standing,
            gained,
            over,
            hint_count,
            hint_round,
        )
        return tuple.__new__(SeatFigures, figures)  # see `Game.counts`
