"""The log of a game, and everything that depends on the log alone.

1. `legal_actions` is the only judge: an action is accepted exactly if it is listed there.
   The reason of a refusal is computed after the refusal and never decides.
2. The position is a function of the log; undo removes an entry from the *past*, not from the
   log.
3. A subclass generates the legal moves of a position, makes them, and takes them back. It keeps
   no state besides the position.
4. An action leaves an *undo record* of 48 bits: sixteen bits for the piles in which a card was
   turned up, sixteen for the piles from which a suit was removed, and the number of cards dealt.
5. A log has at most `MAX_LOG_ENTRIES` entries, since every replay of a log costs time; then the
   game can only be finished. Only `replay` accepts longer logs, stored before the limit existed.
"""

from abc import ABC, abstractmethod
from array import array
from typing import Self, cast

from protocol.vocabulary import ErrorCode, Outcome, StuckReason
from server.games.actions import (
    ACTION_MASK,
    DEAL,
    FINISH,
    NOT_A_MOVE,
    REDO,
    TARGET_SHIFT,
    UNDO,
    Action,
)
from server.games.cards import PileState
from server.games.errors import IllegalAction
from server.games.options import Rules
from server.games.outcomes import Counts, Effects
from server.games.variant_spec import VariantSpec

__all__ = ["Counts", "Effects", "Game", "Outcome", "PileState", "StuckReason"]

MAX_LOG_ENTRIES = 5_000
"""The number of log entries after which a game can only be finished.

A won game takes 100 to 500 entries, and the longest games of people, undos included, fewer than
1,500. A player reaches this limit by acting once a second for 83 minutes without a break, or by
undoing and redoing a whole game of 500 moves five times. The limit can be lowered safely, but not
raised while rooms are stored: a game that was finished for its length could not be replayed.
"""

PILES_MASK = 0xFFFF
REMOVED_SHIFT = 16
DEALT_SHIFT = 32
_UNDO_RECORD_SHIFT = 16
_REVEALED = PILES_MASK << _UNDO_RECORD_SHIFT

PILES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(pile for pile in range(10) if mask >> pile & 1) for mask in range(1 << 10)
)
"""The piles of each mask of ten bits: a table, since every act needs it."""
TARGETS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(pile << TARGET_SHIFT for pile in piles) for piles in PILES_OF
)
"""The piles of each mask, as the targets of moves."""


class Game(ABC):
    """One player's game: a position, the log that led to it, and the legal actions.

    A game must not be shared between threads. Games share `rules` and `variant`.
    """

    __slots__ = (
        "_cheats",
        "_deals",
        "_exceptions",
        "_legal",
        "_log",
        "_moves",
        "_outcome",
        "_past",
        "_redos",
        "_removals",
        "_score",
        "_stuck",
        "_undone",
        "_undos",
        "rules",
        "variant",
    )

    def __init__(self, variant: VariantSpec, rules: Rules) -> None:
        self.variant = variant
        self.rules = rules
        self._log = array("H")
        # The actions that can be taken back, oldest first: action | undo record << 16.
        self._past = array("Q")
        self._undone = array("H")
        self._moves = self._deals = self._removals = 0
        self._undos = self._redos = self._cheats = self._exceptions = 0
        self._score = 0
        self._outcome: Outcome | None = None
        self._legal: tuple[Action, ...] | None = None
        self._stuck: StuckReason | None = None

    def _begin(self) -> None:
        """Compute the outcome and the score; subclasses call this once the position is set."""
        self._outcome = Outcome.WON if self._is_cleared() else None
        self._score = self._rate()

    def copy(self) -> Self:
        """Return an independent copy of the game, log included."""
        twin = object.__new__(type(self))
        for name in Game.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, array) else value)
        twin._copy_position(self)
        return twin

    # State.

    @property
    def at(self) -> int:
        """The number of log entries applied."""
        return len(self._log)

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action applied, in order; a copy."""
        return cast("tuple[Action, ...]", tuple(self._log))

    def action_at(self, at: int) -> Action:
        """Return the action of log entry `at`, from 0, without a copy of the log."""
        return Action(self._log[at])

    @property
    def score(self) -> int:
        """The score by the room's rules; a function of position, counts and outcome."""
        return self._score

    @property
    def outcome(self) -> Outcome | None:
        """The outcome of the game, or None while it goes on."""
        return self._outcome

    @property
    def stuck(self) -> StuckReason | None:
        """The reason why no move, deal or removal is left, or None if one is left."""
        self.legal_actions()
        return self._stuck

    @property
    def counts(self) -> Counts:
        """The counts of the game."""
        return Counts(
            self._moves,
            self._deals,
            self._removals,
            self._undos,
            self._redos,
            self._cheats,
            self._exceptions,
            *self._tally(),
        )

    @property
    def suits_on_table(self) -> int:
        """The number of complete suits that lie in the columns, in games that remove suits."""
        return 0

    @abstractmethod
    def pile(self, index: int) -> PileState:
        """Return the cards of a pile of the variant; all cards of the stock lie face down."""

    @abstractmethod
    def key(self) -> bytes:
        """Return the position alone as bytes; keys are equal exactly if positions are."""

    # Actions.

    def legal_actions(self) -> tuple[Action, ...]:
        """Return every action that `apply` accepts; none once the game is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._list_legal()
        return legal

    def is_legal(self, action: Action) -> bool:
        """Return whether `apply` would accept the action."""
        return action in self.legal_actions()

    def check(self, action: Action) -> None:
        """Refuse an action as `apply` would, without applying it.

        Raises:
            IllegalAction: The action is not legal; the error holds the reason.
        """
        if action not in self.legal_actions():
            raise self._refusal(action)

    def apply(self, action: Action) -> Effects:
        """Apply an action and append it to the log.

        Raises:
            IllegalAction: The action is not legal; the game is unchanged.
        """
        if action not in (self._legal or self.legal_actions()):
            raise self._refusal(action)
        before = self._score
        undo_record = 0
        if action == UNDO:
            changed = self._take_back()
        elif action == FINISH:
            changed = ()
            self._outcome = Outcome.WON if self._is_won() else Outcome.FINISHED_STUCK
        else:
            if action == REDO:
                self._redos += 1
                done = Action(self._undone.pop())
            else:
                self._count(action)
                done = action
                if self._undone:
                    del self._undone[:]
            undo_record = self._play(done)
            self._past.append(done | undo_record << _UNDO_RECORD_SHIFT)
            changed = self._changed(done, undo_record)
            if self._is_cleared():
                self._outcome = Outcome.WON
        self._log.append(action)
        self._legal = () if self._outcome else None
        self._score = score = self._rate()
        return Effects(
            changed,
            PILES_OF[undo_record & PILES_MASK],
            (undo_record >> REMOVED_SHIFT & PILES_MASK).bit_count(),
            score > before,
        )

    def replay(self, action: Action) -> Effects:
        """Apply an action of a stored log, even beyond `MAX_LOG_ENTRIES`.

        Raises:
            IllegalAction: The log does not belong to this deal or these rules.
        """
        if len(self._log) >= MAX_LOG_ENTRIES and self._outcome is None:
            self._legal = (*self._list_moves(), FINISH)
        return self.apply(action)

    def _count(self, action: Action) -> None:
        """Count a new action before it is made; redone actions are not counted again."""
        if action < NOT_A_MOVE:
            self._moves += 1
        elif action == DEAL:
            self._deals += 1
        else:
            self._removals += 1

    def _take_back(self) -> tuple[int, ...]:
        entry = self._past.pop()
        done, undo_record = Action(entry & ACTION_MASK), entry >> _UNDO_RECORD_SHIFT
        changed = self._changed(done, undo_record)
        self._unplay(done, undo_record)
        self._undone.append(done)
        self._undos += 1
        # RULES, Undo: under `any` each undo of a turned card or a deal is a cheat (text 1);
        # text 2 has "no provision to detect cheating" (section 9), so `free` counts nothing.
        if self.rules.undo == "any" and (entry & _REVEALED or done == DEAL):
            self._cheats += 1
        return changed

    def _list_legal(self) -> tuple[Action, ...]:
        if self._outcome:
            return ()
        if len(self._log) < MAX_LOG_ENTRIES:
            return tuple(self._list_moves())
        self._stuck = None if self._is_won() else StuckReason.GAME_TOO_LONG
        return (FINISH,)

    def _list_moves(self) -> list[Action]:
        moves = self._generate_moves()
        self._stuck = None if moves else self._stuck_reason()
        if self._stuck or self._is_won():
            moves.append(FINISH)
        if self._undo_refusal() is None:
            moves.append(UNDO)
        if self._undone:
            moves.append(REDO)
        return moves

    def _undo_refusal(self) -> ErrorCode | None:
        undo = self.rules.undo
        if undo == "off":
            return ErrorCode.UNDO_IS_OFF
        if not self._past:
            return ErrorCode.NOTHING_TO_UNDO
        entry = self._past[-1]
        if undo == "no_reveal" and (entry & _REVEALED or entry & ACTION_MASK == DEAL):
            return ErrorCode.UNDO_REVEALS
        return None

    def _refusal(self, action: Action) -> IllegalAction:
        """Return the reason why an illegal action is refused."""
        if self._outcome:
            return IllegalAction(ErrorCode.GAME_OVER)
        if len(self._log) >= MAX_LOG_ENTRIES:
            return IllegalAction(ErrorCode.GAME_TOO_LONG)
        if action == UNDO:
            code = self._undo_refusal()
            assert code is not None, "an undo without a reason against it is legal"
            return IllegalAction(code)
        if action == REDO:
            return IllegalAction(ErrorCode.NOTHING_TO_REDO)
        if action == FINISH:
            return IllegalAction(ErrorCode.NOT_FINISHED)
        return self._explain(action)

    # Duties of a subclass.

    @abstractmethod
    def _generate_moves(self) -> list[Action]:
        """Return the legal moves, deals and removals of the position."""

    @abstractmethod
    def _play(self, action: Action) -> int:
        """Make a legal move, deal or removal and return its undo record."""

    @abstractmethod
    def _unplay(self, action: Action, undo_record: int) -> None:
        """Take back the latest action of `_play`."""

    @abstractmethod
    def _changed(self, action: Action, undo_record: int) -> tuple[int, ...]:
        """Return the piles that an action changed; must be called before it is taken back."""

    @abstractmethod
    def _explain(self, action: Action) -> IllegalAction:
        """Return the reason why this move, deal or removal is not legal."""

    @abstractmethod
    def _stuck_reason(self) -> StuckReason:
        """Return the reason why a position without moves cannot be dealt to either."""

    @abstractmethod
    def _is_cleared(self) -> bool:
        """Return whether no card is left to play, so that the game ends by itself."""

    @abstractmethod
    def _is_won(self) -> bool:
        """Return whether the player may end the game as won."""

    @abstractmethod
    def _rate(self) -> int:
        """Return the score of the position, the counts and the outcome."""

    @abstractmethod
    def _tally(self) -> tuple[int, int, int, int]:
        """Return the last four fields of `Counts`, which describe the position."""

    @abstractmethod
    def _copy_position(self, other: Self) -> None:
        """Copy the position of another game of this class."""
