"""A seat's game of one round: as stored, or ahead of the store by the acts in flight."""

from array import array
from collections.abc import Callable
from typing import NamedTuple

from protocol.from_client import Act, Hint
from protocol.vocabulary import ErrorCode, HintReason
from server.games.actions import ACTION_TEXTS, Action
from server.games.errors import IllegalAction, NotationError
from server.games.game import Game
from server.games.hints import find_hint, reason_of
from server.live.replays import ReplayedGame
from server.rooms.deals import dealt_game
from server.rooms.ranking import write_stats
from server.rooms.record import Round
from server.store import Commit, HintCount, LogWriter, SeatProgress, SeatRecord
from server.views import tables
from server.views.replies import refused_text


class FoundHint(NamedTuple):
    """A hint that is sent once the store has counted it."""

    message: Hint
    request: HintCount  # asks the store to count it
    action: Action
    reason: HintReason


class Applied:
    """An act that the engine has applied, with the reply and the stats for when it is stored."""

    __slots__ = (
        *("begun_at", "commit", "has_gained", "is_over", "message", "queued_at"),
        *("stats_json", "text"),
    )

    # One is made for each act, and this is faster than a NamedTuple.
    def __init__(self, message: Act, commit: Commit, text: str, stats_json: str) -> None:
        self.message, self.commit, self.stats_json = message, commit, stats_json
        self.text = text  # the reply
        self.has_gained = self.is_over = False  # whether the score rose; whether the game ended
        # When judging began and when the act was queued for the store, by `perf_counter`.
        self.begun_at = self.queued_at = 0.0


class SeatGame:
    """The game of a seat, with the ids of its acts and its progress."""

    __slots__ = (
        *("_action_texts", "_counts", "_elapsed_ms", "_ids", "_interrupted_at", "_last_ms"),
        *("_late_ms", "_played", "_restored", "_writer", "game", "last_id", "progress"),
    )

    def __init__(
        self, writer: LogWriter, played: Round, interrupted_at: Callable[[], int]
    ) -> None:
        """Start with the dealt game, which is replaced by `load` before the first act.

        `interrupted_at` returns when this process last lost the store, or started (ms since the
        epoch). The store still has every act that it has acknowledged since then.
        """
        self._writer, self._played = writer, played
        self._interrupted_at = interrupted_at
        self._late_ms = played.late_ms.get(writer.seat, 0)  # how long after t0 the player started
        self._elapsed_ms = 0  # from the player's own start to the latest stored act
        self._last_ms = 0  # from t0 to the latest act
        self._restored = 0  # acts that the store had lost and the client has sent again
        self.game: Game = dealt_game(played)
        self._action_texts = ACTION_TEXTS[self.game.variant.id]
        self._counts = self.game.counts  # the latest; a reply contains only the changed ones
        self.last_id = 0  # the id of the latest act, in flight or stored, of any round
        self._ids = array("I")  # of the acts of this game
        self.progress = SeatProgress(writer.seat, played.n)  # without the acts in flight

    def load(self, record: SeatRecord, replayed: ReplayedGame) -> None:
        """Continue from the stored game. The caller must not use `replayed` afterwards."""
        game = self.game = replayed.game
        self._counts = game.counts
        self._last_ms = replayed.ms
        self._elapsed_ms = replayed.ms - self._late_ms if game.at else 0
        self._restored = replayed.restored
        self._ids = ids = replayed.ids
        self.last_id = max(record.last_id, ids[-1] if ids else 0)
        progress, hints = replayed.progress(self._writer.seat, self._played.n), record.hint_count
        self.progress = progress._replace(hint_count=hints, hint_round=record.hint_round)

    def apply(self, act: Act, since_t0_ms: int) -> Applied:
        """Apply an act made `since_t0_ms` after the round's start, or raise IllegalAction."""
        game, act_id, at = self.game, act.id, act.at
        try:
            action = self._action_texts.parse(act.action)
        except NotationError:
            raise IllegalAction(ErrorCode.NO_SUCH_PILE) from None
        effects = game.apply(action)
        # `again` means that the client has had a reply to this act, so the store has lost it.
        # That is only possible if this process lost the store or started since t0.
        is_restored = act.again and self._interrupted_at() >= self._played.t0
        self._restored += is_restored
        before, counts = self._counts, game.counts
        self._counts = counts
        # Times in a log must not decrease, but the clock of the process that served the seat
        # before may be some milliseconds ahead.
        self._last_ms = ms = max(since_t0_ms, self._last_ms)
        self.last_id = act_id
        self._ids.append(act_id)
        # Twice as fast as calling `Commit`.
        commit = tuple.__new__(Commit, (self._writer, act_id, at, action, ms, is_restored))
        text = tables.acted_text(act_id, game, effects.changed, counts, before)
        stats_json = write_stats(game, self._restored, counts)
        applied = Applied(act, commit, tables.timed(text, ms - self._late_ms), stats_json)
        applied.has_gained, applied.is_over = effects.has_gained, game.outcome is not None
        return applied

    def note_stored(self, applied: Applied) -> None:
        """Add an act to the progress once the store has it."""
        commit, before = applied.commit, self.progress
        ms = commit.ms
        self._elapsed_ms = ms - self._late_ms
        gained_ms = ms if applied.has_gained else before.gained_ms
        over_ms = ms if applied.is_over else None
        act_values = (commit.at + 1, ms, applied.stats_json, gained_ms, over_ms)
        progress = (before.seat, before.n, *act_values, before.hint_count, before.hint_round)
        self.progress = tuple.__new__(SeatProgress, progress)  # twice as fast as calling it

    def is_logged(self, act: Act) -> bool:
        """Return whether the game contains this act, with its id and action, in the same place."""
        at = act.at
        if at >= len(self._ids) or self._ids[at] != act.id:
            return False
        try:
            return self.game.action_at(at) == self._action_texts.parse(act.action)
        except NotationError:
            return False

    def find_hint(self, message: Hint) -> FoundHint | ErrorCode:
        """Return a hint for the position, or the reason not to give one."""
        game = self.game
        if not self._played.settings.hints:
            return ErrorCode.HINTS_ARE_OFF
        if game.outcome is not None:
            return ErrorCode.GAME_OVER
        if (action := find_hint(game)) is None:
            return ErrorCode.NO_HINT
        request = HintCount(self._writer, game.at)
        return FoundHint(message, request, action, reason_of(game, action))

    def count_hint(self, found: FoundHint, hints: int) -> str:
        """Note that the store has counted `hints` so far; return the message with this hint."""
        self.progress = self.progress._replace(hint_count=hints, hint_round=self._played.n)
        variant, at = self.game.variant, found.request.at
        return tables.hinted_text(variant, at, found.action, hints, found.reason)

    def table_text(self) -> str:
        """Return the `table` message."""
        return tables.table_text(*self._shown())

    def refused_text(
        self, message: Act | Hint, reason: ErrorCode | IllegalAction, *, with_table: bool
    ) -> str:
        """Return the refusal of an act or a hint, with the whole table if asked for."""
        game = self.game
        shown = tables.table_view(*self._shown()) if with_table else None
        if isinstance(reason, ErrorCode):
            return refused_text(message, reason, None, game.at, shown)
        details = tables.refusal_details(reason, game.variant)
        return refused_text(message, reason.code, details, game.at, shown)

    def _shown(self) -> tuple[Game, int, int, int, int]:
        """Return the arguments of `table_view` and `table_text`."""
        return self.game, self._writer.seat, self.last_id, self._elapsed_ms, self._late_ms

    def full_reply(self, act: Act) -> str:
        """Return the reply to an act that was stored earlier, which contains the whole table."""
        return tables.timed(tables.full_reply_text(act.id, self.game), self._elapsed_ms)


def is_same(one: Act | Hint, other: Act) -> bool:
    """Return whether two messages are the same act, apart from `again`."""
    this = (one.id, one.at, one.action) if isinstance(one, Act) else None
    return this == (other.id, other.at, other.action)
