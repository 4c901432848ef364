"""The log of a game, and what the log alone decides.

1. `legal_actions` is the only judge: an action is accepted exactly if it is listed there.
   Explaining a refusal comes after the refusal and never decides.
2. The position is a function of the log; undo takes an entry off the *past*, not off the log.
3. A subclass says what can be done in a position, does it, and takes it back. It keeps
   nothing that outlives the position.
4. An action leaves a *trace* of 48 bits, enough to take it back: sixteen bits for the piles
   in which a card was turned up, sixteen for those that a suit was removed from, and the
   number of cards dealt.
5. A game has `LONGEST_GAME` entries at most, and then its end: a log costs everybody who plays
   it again. Logs that are longer, from before there was a limit, are taken by `replay` alone.
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

LONGEST_GAME = 5_000
"""The number of log entries after which a game can only be finished.

A won game takes 100 to 500 entries, and the longest of people, with all they take back, fewer
than 1,500. At this limit a player has acted once a second for 83 minutes without a break, or has
taken back and made again a whole game of 500 moves five times. To lower it is safe, to raise it
is not while rooms are stored: a game that was finished for its length would not be replayed.
"""

PILES_MASK = 0xFFFF
REMOVED_SHIFT = 16
DEALT_SHIFT = 32
_TRACE_SHIFT = 16
_REVEALED = PILES_MASK << _TRACE_SHIFT

PILES_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(pile for pile in range(10) if mask >> pile & 1) for mask in range(1 << 10)
)
"""The piles of a mask of ten: a table, since this is asked for every act."""
TARGETS_OF: tuple[tuple[int, ...], ...] = tuple(
    tuple(pile << TARGET_SHIFT for pile in piles) for piles in PILES_OF
)
"""The same as targets of moves."""


class Game(ABC):
    """One player's game: a position, the log that led to it, and what may come next.

    Not safe to share between threads. `rules` and `kind` are shared between games.
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
        # What can be taken back, oldest first: action | trace << 16.
        self._past = array("Q")
        self._undone = array("H")
        self._moves = self._deals = self._removals = 0
        self._undos = self._redos = self._cheats = self._exceptions = 0
        self._score = 0
        self._outcome: Outcome | None = None
        self._legal: tuple[Action, ...] | None = None
        self._stuck: StuckReason | None = None

    def _begin(self) -> None:
        """To be called once the position stands."""
        self._outcome = Outcome.WON if self._is_cleared() else None
        self._score = self._rate()

    def copy(self) -> Self:
        """A game that goes its own way from here; its log comes along."""
        twin = object.__new__(type(self))
        for name in Game.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if isinstance(value, array) else value)
        twin._copy_position(self)
        return twin

    # What is so.

    @property
    def at(self) -> int:
        """The number of log entries applied."""
        return len(self._log)

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action applied, in order; a copy."""
        return cast("tuple[Action, ...]", tuple(self._log))

    def done(self, at: int) -> Action:
        """The action of log entry `at`, from 0; the whole log need not be copied for it."""
        return Action(self._log[at])

    @property
    def score(self) -> int:
        """The score by the room's setting; a function of position, counts and outcome."""
        return self._score

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self._outcome

    @property
    def stuck(self) -> StuckReason | None:
        """Why no way forward is left, or None; undo, redo and finish are none."""
        self.legal_actions()
        return self._stuck

    @property
    def counts(self) -> Counts:
        """The game in whole numbers."""
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
        """The cards of a pile of the game's kind; the stock is all face down."""

    @abstractmethod
    def key(self) -> bytes:
        """The position alone as bytes: equal exactly if the same cards lie the same way."""

    # What may be done, and doing it.

    def legal_actions(self) -> tuple[Action, ...]:
        """Every action that `apply` accepts; none once the game is over."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._list_legal()
        return legal

    def is_legal(self, action: Action) -> bool:
        """Whether `apply` would accept the action."""
        return action in self.legal_actions()

    def check(self, action: Action) -> None:
        """Refuse an action as `apply` would, without applying it.

        Raises:
            IllegalAction: with the code and what is in question.
        """
        if action not in self.legal_actions():
            raise self._refusal(action)

    def apply(self, action: Action) -> Effects:
        """Do an action.

        Raises:
            IllegalAction: the action is not legal, and nothing has changed.
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
            self._past.append(done | undo_record << _TRACE_SHIFT)
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
        """Do an action of a log that was accepted once, however long the log is.

        Raises:
            IllegalAction: the log does not belong to this deal or these rules.
        """
        if len(self._log) >= LONGEST_GAME and self._outcome is None:
            self._legal = (*self._list_moves(), FINISH)
        return self.apply(action)

    def _count(self, action: Action) -> None:
        """Count an action that is about to be played for the first time."""
        if action < NOT_A_MOVE:
            self._moves += 1
        elif action == DEAL:
            self._deals += 1
        else:
            self._removals += 1

    def _take_back(self) -> tuple[int, ...]:
        entry = self._past.pop()
        done, undo_record = Action(entry & ACTION_MASK), entry >> _TRACE_SHIFT
        changed = self._changed(done, undo_record)
        self._unplay(done, undo_record)
        self._undone.append(done)
        self._undos += 1
        # RULES, Undo: each take-back of a turned card or a deal is a cheat (text 1's program);
        # the program of text 2 has "no provision to detect cheating" (section 9).
        if self.rules.undo == "any" and (entry & _REVEALED or done == DEAL):
            self._cheats += 1
        return changed

    def _list_legal(self) -> tuple[Action, ...]:
        if self._outcome:
            return ()
        if len(self._log) < LONGEST_GAME:
            return tuple(self._list_moves())
        self._stuck = None if self._is_won() else StuckReason.GAME_TOO_LONG
        return (FINISH,)

    def _list_moves(self) -> list[Action]:
        ways = self._generate_moves()
        self._stuck = None if ways else self._stuck_reason()
        if self._stuck or self._is_won():
            ways.append(FINISH)
        if self._undo_refusal() is None:
            ways.append(UNDO)
        if self._undone:
            ways.append(REDO)
        return ways

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
        """Why an action that is not listed is refused."""
        if self._outcome:
            return IllegalAction(ErrorCode.GAME_OVER)
        if len(self._log) >= LONGEST_GAME:
            return IllegalAction(ErrorCode.GAME_TOO_LONG)
        if action == UNDO:
            code = self._undo_refusal()
            assert code is not None  # else it were listed
            return IllegalAction(code)
        if action == REDO:
            return IllegalAction(ErrorCode.NOTHING_TO_REDO)
        if action == FINISH:
            return IllegalAction(ErrorCode.NOT_FINISHED)
        return self._explain(action)

    # What a game says.

    @abstractmethod
    def _generate_moves(self) -> list[Action]:
        """The legal moves, deals and removals of the position."""

    @abstractmethod
    def _play(self, action: Action) -> int:
        """Do a legal move, deal or removal; return its trace."""

    @abstractmethod
    def _unplay(self, action: Action, undo_record: int) -> None:
        """Take back what `_play` did last."""

    @abstractmethod
    def _changed(self, action: Action, undo_record: int) -> tuple[int, ...]:
        """The piles that an action changed, asked while its changes stand."""

    @abstractmethod
    def _explain(self, action: Action) -> IllegalAction:
        """Why this move, deal or removal is not among the ways."""

    @abstractmethod
    def _stuck_reason(self) -> StuckReason:
        """Why a position without ways has no deal either."""

    @abstractmethod
    def _is_cleared(self) -> bool:
        """Whether all is home, so that the game ends by itself."""

    @abstractmethod
    def _is_won(self) -> bool:
        """Whether the player may end the game as won."""

    @abstractmethod
    def _rate(self) -> int:
        """The score of what stands."""

    @abstractmethod
    def _tally(self) -> tuple[int, int, int, int]:
        """Suits home, cards home, cards face down on the table, cards in the stock."""

    @abstractmethod
    def _copy_position(self, other: Self) -> None:
        """Take over the position of another game of this class."""
