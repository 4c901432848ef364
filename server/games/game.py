"""The log of a game, and everything that depends on the log alone.

1. `legal_actions` is the only judge: an action is accepted exactly if it is listed there. A
   replay may skip the list for a move that is plainly legal; the reason of a refusal is computed
   after the refusal and never decides.
2. The position is a function of the log; undo removes an entry from the *past*, not from the
   log.
3. A subclass generates the legal moves of a position, makes them, and takes them back. It keeps
   no state besides the position.
4. An action leaves an *undo record* (`actions.py`), with which it is taken back.
5. A log has at most `max_entries` entries, since every replay of a log costs time; then the
   game can only be finished. Only `replay` accepts longer logs: a process with
   a higher limit may have stored them.
"""

from abc import ABC, abstractmethod
from array import array
from typing import NamedTuple, Self, cast

from protocol.games import Variant
from protocol.vocabulary import ErrorCode, Outcome, StuckReason, UndoPolicy
from server.games.actions import (
    ACTION_MASK,
    ANYTHING,
    DEAL,
    FINISH,
    NOT_A_MOVE,
    PILES_MASK,
    RECORD_SHIFT,
    REDO,
    REVEALED,
    UNDO,
    Action,
    Effects,
    move_effects,
    removals,
    turned,
)
from server.games.cards import PileState, format_pile
from server.games.errors import IllegalAction
from server.games.rules import Rules

MAX_LOG_ENTRIES = 5_000
"""The number of log entries after which a game can only be finished.

The longest games of people have fewer than 1,500. The limit can be lowered, but not raised while
rooms are stored: a game that was finished for its length could not be replayed.
"""


class Counts(NamedTuple):
    """The counts of entries of a log, undone ones included; then those of the position."""

    moves: int  # the moves made
    deals: int  # the deals of the stock
    removals: int  # the suits removed by hand
    undos: int  # the undos
    redos: int  # the redos
    cheats: int  # the undos that count as cheats
    exceptions: int  # the moves of runs of mixed suits
    suits: int  # the suits removed, or the foundations filled
    home: int  # the cards in removed suits or on foundations
    face_down: int  # the face-down cards on the table, without the stock
    stock: int  # the cards in the stock


_UNDO: dict[UndoPolicy, tuple[int, int]] = {
    "off": (ANYTHING, 0),
    "no_reveal": (REVEALED, 0),
    "any": (0, REVEALED),
    "counted": (0, ANYTHING),
    "free": (0, 0),
}
"""The bits of an entry of the past that forbid its undo, and those that make it a cheat.

Under `counted` every undo is one, as in the original of text 2 (section 9). Its own program has
"no provision to detect cheating": `free`.
"""


class Game(ABC):
    """One player's game: a position, the log that led to it, and the legal actions.

    Threads must not share it. `max_entries` is set before the first action, if at all.
    """

    __slots__ = ("_cheating", "_cheats", "_deals", "_exceptions", "_irreversible", "_legal",
                 "_log", "_moves", "_outcome", "_past", "_redos", "_removals", "_score", "_stuck",
                 "_undone", "_undos", "max_entries", "rules", "variant")  # fmt: skip

    def __init__(self, variant: Variant, rules: Rules) -> None:
        self.variant = variant
        self.rules = rules
        self.max_entries = MAX_LOG_ENTRIES
        self._irreversible, self._cheating = _UNDO[rules.undo]
        self._log = array("H")
        # The entries of the actions that can be taken back, oldest first.
        self._past = array("Q")
        self._undone = array("H")
        self._moves = self._deals = self._removals = 0
        self._undos = self._redos = self._cheats = self._exceptions = 0
        self._score = 0
        self._outcome: Outcome | None = None
        self._legal: tuple[Action, ...] | None = None
        self._stuck: StuckReason | None = None

    def _begin(self) -> None:
        """Compute the outcome and the score of a new game, whose position is set."""
        if self._is_cleared():
            self._outcome, self._legal = Outcome.WON, ()
        self._score = self._rate()

    def copy(self) -> Self:
        """Return an independent copy of the game, log included."""
        twin: Self = self._copy_position()
        twin.max_entries = self.max_entries
        twin._log, twin._past, twin._undone = self._log[:], self._past[:], self._undone[:]
        twin._moves, twin._deals, twin._removals = self._moves, self._deals, self._removals
        twin._undos, twin._redos = self._undos, self._redos
        twin._cheats, twin._exceptions = self._cheats, self._exceptions
        twin._score, twin._outcome = self._score, self._outcome
        twin._legal, twin._stuck = self._legal, self._stuck
        return twin

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
        suits, home, face_down, stock = self._tally()
        counts = (self._moves, self._deals, self._removals, self._undos, self._redos, self._cheats,
                  self._exceptions, suits, home, face_down, stock)  # fmt: skip
        return tuple.__new__(Counts, counts)  # in half the time of the named tuple's constructor

    @property
    def suits_on_table(self) -> int:
        """The number of complete suits that lie in the columns, in games that remove suits."""
        return 0

    def legal_actions(self) -> tuple[Action, ...]:
        """Return every action that `apply` accepts; none once the game is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._list_legal(self.max_entries)
        return legal

    def apply(self, action: Action) -> Effects:
        """Apply an action and append it to the log.

        Raises:
            IllegalAction: The action is not legal; the game is unchanged.
        """
        if action not in (self._legal or self.legal_actions()):
            raise self._refusal(action)
        return self._advance(action)

    def replay(self, action: Action) -> Effects:
        """Apply an action of a stored log, even beyond `max_entries`.

        Raises:
            IllegalAction: The log does not belong to this deal or these rules.
        """
        plain = self._outcome is None and self._is_plainly_legal(action)
        if not plain and action not in self._list_replayed():
            raise self._refusal(action)
        return self._advance(action)

    def _list_replayed(self) -> tuple[Action, ...]:
        """Return the actions that a stored log may continue with, even beyond `max_entries`."""
        if self._outcome is not None or len(self._log) < self.max_entries:
            return self.legal_actions()
        return (*self._list_legal(len(self._log) + 1), FINISH)

    def _advance(self, action: Action) -> Effects:
        before, done, undo_record = self._score, action, 0
        changed: tuple[int, ...] = ()
        if action == UNDO:
            changed = self._take_back()
        elif action == FINISH:
            self._outcome = Outcome.WON if self._is_won() else Outcome.FINISHED_STUCK
        else:
            if action == REDO:
                self._redos += 1
                done = Action(self._undone.pop())
            else:
                self._count(action)
                if self._undone:
                    del self._undone[:]
            undo_record = self._play(done)
            self._past.append(done | undo_record << RECORD_SHIFT)
            if undo_record > PILES_MASK:  # a deal or a removal
                changed = self._changed(done, undo_record)
                if self._is_cleared():
                    self._outcome = Outcome.WON
        self._log.append(action)
        self._legal = () if self._outcome else None
        self._score = score = self._rate()
        if done < NOT_A_MOVE and undo_record <= PILES_MASK:
            return move_effects(done, undo_record, score - before)
        return Effects(changed, turned(undo_record), removals(undo_record), score > before)

    def _count(self, action: Action) -> None:
        """Count a new action before it is made; redone actions are not counted again."""
        if action < NOT_A_MOVE:
            self._moves += 1
        elif action == DEAL:
            self._deals += 1
        else:
            self._removals += 1

    def _take_back(self) -> tuple[int, ...]:
        """Undo the latest action; return the piles that change."""
        entry = self._past.pop()
        done, undo_record = Action(entry & ACTION_MASK), entry >> RECORD_SHIFT
        changed = self._changed(done, undo_record)
        self._unplay(done, undo_record)
        self._undone.append(done)
        self._undos += 1
        if entry & self._cheating:
            self._cheats += 1
        return changed

    def _list_legal(self, limit: int) -> tuple[Action, ...]:
        """Return the legal actions, and set why the game is stuck, if it is."""
        if len(self._log) >= limit:
            self._stuck = None if self._is_won() else StuckReason.GAME_TOO_LONG
            return (FINISH,)
        moves = self._generate_moves()
        self._stuck = None if moves else self._stuck_reason()
        if self._stuck or self._is_won():
            moves.append(FINISH)
        if self._past and not self._past[-1] & self._irreversible:
            moves.append(UNDO)
        if self._undone:
            moves.append(REDO)
        return tuple(moves)

    def _refusal(self, action: Action) -> IllegalAction:
        undo = ErrorCode.UNDO_REVEALS if self._past else ErrorCode.NOTHING_TO_UNDO
        for is_reason, code in (
            (self._outcome is not None, ErrorCode.GAME_OVER),
            (len(self._log) >= self.max_entries, ErrorCode.GAME_TOO_LONG),
            (action == UNDO and self.rules.undo == "off", ErrorCode.UNDO_IS_OFF),
            (action == UNDO, undo),
            (action == REDO, ErrorCode.NOTHING_TO_REDO),
            (action == FINISH, ErrorCode.NOT_FINISHED),
        ):
            if is_reason:
                return IllegalAction(code)
        return self._explain(action)

    @abstractmethod
    def pile(self, index: int) -> PileState:
        """Return the cards of a pile of the variant; all cards of the stock lie face down."""

    def pile_text(self, index: int) -> str:
        """Return a pile as its player sees it, in the notation that hides face-down cards."""
        down, cards = self.pile(index)
        return format_pile(down, cards[down:])

    @abstractmethod
    def key(self) -> bytes:
        """Return the position alone as bytes; keys are equal exactly if positions are."""

    @abstractmethod
    def _generate_moves(self) -> list[Action]:
        """Return the legal moves, deals and removals of the position."""

    @abstractmethod
    def _is_plainly_legal(self, action: Action) -> bool:
        """Return whether it is easily seen that a move or a deal is one of `_generate_moves`."""

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

    def _stuck_reason(self) -> StuckReason:
        """Return the reason why a position without moves cannot be dealt to either."""
        return StuckReason.STOCK_EMPTY

    @abstractmethod
    def _is_cleared(self) -> bool:
        """Return whether no card is left to play, so that the game ends by itself."""

    def _is_won(self) -> bool:
        """Return whether the player may end the game as won."""
        return False

    @abstractmethod
    def _rate(self) -> int:
        """Return the score of the position, the counts and the outcome."""

    @abstractmethod
    def _tally(self) -> tuple[int, int, int, int]:
        """Return the last four fields of `Counts`, which describe the position."""

    @abstractmethod
    def _copy_position(self) -> Self:
        """Return another game of this class in the same position, its log not copied yet."""
