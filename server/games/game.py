"""The log of a game, and everything that depends on the log alone.

1. An action is accepted if and only if `legal_actions` lists it. A replay may skip the list for a
   move that is plainly legal. The reason for a refusal is worked out only after the refusal.
2. The position is a function of the log. Undo removes an entry from the *past*, not from the log.
3. A subclass generates the legal moves of a position, makes them, and takes them back. Its only
   state is the position.
4. An action leaves an *undo record* (`actions.py`), which is used to take it back.
5. After `max_entries` log entries a game can only be finished, since every replay of a log costs
   time. Only `replay` accepts longer logs: a process with a higher limit may have stored them.
"""

from abc import ABC, abstractmethod
from array import array
from typing import NamedTuple, Self, cast

from protocol.games import GAMES
from protocol.vocabulary import ErrorCode, Outcome, StuckReason, UndoPolicy
from server.games import actions
from server.games.actions import Action, Effects
from server.games.cards import PileState, format_pile
from server.games.errors import IllegalAction
from server.games.rules import Rules

MAX_LOG_ENTRIES = 5_000
"""After this many log entries a game can only be finished.

People's longest games have fewer than 1,500. The limit can be lowered, but not raised while rooms
are stored: a game that was finished because of its length could not be replayed.
"""


class Counts(NamedTuple):
    """Counts of log entries, including undone ones; from `suits` on, counts of the position."""

    moves: int
    deals: int  # of the stock
    removals: int  # suits removed by hand
    undos: int
    redos: int
    cheats: int  # undos that count as cheats
    exceptions: int  # moves of runs of mixed suits
    suits: int  # suits removed, or foundations filled
    home: int  # cards in removed suits or on foundations
    face_down: int  # face-down cards on the table, without the stock
    stock: int  # cards in the stock


_UNDO_MASKS: dict[UndoPolicy, tuple[int, int]] = {
    "off": (actions.ANYTHING, 0),
    "no_reveal": (actions.REVEALED, 0),
    "any": (0, actions.REVEALED),
    "counted": (0, actions.ANYTHING),
    "free": (0, 0),
}
"""Two masks for an entry of the past: the bits that forbid undoing it, and the bits that make
undoing it a cheat.

`counted` follows the original game, where every undo was a cheat (Arachnid's help, section 9).
`free` follows Arachnid itself, which has "no provision to detect cheating".
"""


Options = tuple[tuple[Action, ...], StuckReason | None]  # legal actions; why the game is stuck


class Game(ABC):
    """One player's game: a position, the log that led to it, and the legal actions.

    Threads must not share it. Set `max_entries` before the first action, if at all.
    """

    __slots__ = ("_cheat_mask", "_cheats", "_deals", "_exceptions", "_log", "_moves",
                 "_no_undo_mask", "_options", "_past", "_redos", "_removals", "_undone", "_undos",
                 "max_entries", "outcome", "rules", "score", "variant")  # fmt: skip

    def __init__(self, rules: Rules) -> None:
        self.variant = GAMES[rules.game]
        self.rules = rules
        self.max_entries = MAX_LOG_ENTRIES
        # In an entry of `_past`: the bits that forbid undoing it, or make undoing it a cheat.
        self._no_undo_mask, self._cheat_mask = _UNDO_MASKS[rules.undo]
        self._log = array("H")  # all actions
        self._past = array("Q")  # the actions that can be taken back, and how to undo them
        self._undone = array("H")  # the actions that can be redone, the next one last
        self._moves = self._deals = self._removals = 0  # see `Counts`
        self._undos = self._redos = self._cheats = self._exceptions = 0
        self.score = 0  # by the room's rules, from the position, the counts and the outcome
        self.outcome: Outcome | None = None  # None while the game goes on
        self._options: Options | None = None  # None until they are needed

    def _start(self) -> None:
        """Compute the outcome and the score of a new game, once its position is set."""
        if self._is_cleared():
            self.outcome, self._options = Outcome.WON, ((), None)
        self.score = self._compute_score()

    def copy(self) -> Self:
        """Return an independent copy of the game, log included."""
        twin: Self = self._copy_position()
        twin.max_entries = self.max_entries
        twin._log, twin._past, twin._undone = self._log[:], self._past[:], self._undone[:]
        twin._moves, twin._deals, twin._removals = self._moves, self._deals, self._removals
        twin._undos, twin._redos = self._undos, self._redos
        twin._cheats, twin._exceptions = self._cheats, self._exceptions
        twin.score, twin.outcome = self.score, self.outcome
        twin._options = self._options
        return twin

    @property
    def at(self) -> int:
        """The number of entries in the log."""
        return len(self._log)

    @property
    def log(self) -> tuple[Action, ...]:
        """Every action applied, in order; a copy."""
        return cast("tuple[Action, ...]", tuple(self._log))

    def action_at(self, at: int) -> Action:
        """Return the action of log entry `at`, counted from 0, without copying the log."""
        return Action(self._log[at])

    @property
    def stuck(self) -> StuckReason | None:
        """Why no move, deal or removal is left; None if one is left."""
        return (self._options or self._find_options())[1]

    @property
    def counts(self) -> Counts:
        """The current counts."""
        suits, home, face_down, stock = self._count_cards()
        counts = (self._moves, self._deals, self._removals, self._undos, self._redos, self._cheats,
                  self._exceptions, suits, home, face_down, stock)  # fmt: skip
        return tuple.__new__(Counts, counts)  # in half the time of the named tuple's constructor

    @property
    def suits_on_table(self) -> int:
        """The number of complete suits in the columns; 0 unless a subclass counts them."""
        return 0

    def legal_actions(self) -> tuple[Action, ...]:
        """Return every action that `apply` accepts; none once the game is over."""
        return (self._options or self._find_options())[0]

    def _find_options(self) -> Options:
        """Find the options of the position, and keep them until the next action."""
        options = self._options = self._list_options(self.max_entries)
        return options

    def apply(self, action: Action) -> Effects:
        """Apply an action and log it, or raise IllegalAction and leave the game unchanged."""
        if action not in self.legal_actions():
            raise self._refusal(action)
        return self._advance(action)

    def replay(self, action: Action) -> Effects:
        """Apply an action of a stored log, even beyond `max_entries`, or raise IllegalAction."""
        # The first check is quick and accepts most actions; the second lists all that are legal.
        is_plain = self.outcome is None and self._is_plainly_legal(action)
        if not is_plain and action not in self._list_replayable():
            raise self._refusal(action)
        return self._advance(action)

    def _list_replayable(self) -> tuple[Action, ...]:
        """Return the actions that a stored log may continue with, even beyond `max_entries`."""
        if self.outcome is not None or len(self._log) < self.max_entries:
            return self.legal_actions()
        # The process that stored the log may have had a higher limit, and finished the game there.
        return (*self._list_options(len(self._log) + 1)[0], actions.FINISH)

    def _advance(self, action: Action) -> Effects:
        """Apply an action that is known to be legal, log it, and return its effects."""
        old_score, undo_record = self.score, 0
        done = action  # for a redo: the action that is made again
        stuck = self.stuck if action == actions.FINISH else None  # kept after the game is over
        changed: tuple[int, ...] = ()
        if action == actions.UNDO:
            changed = self._take_back()
        elif action == actions.FINISH:
            self.outcome = Outcome.WON if self._finish_wins() else Outcome.FINISHED_STUCK
        else:
            if action == actions.REDO:
                self._redos += 1
                done = Action(self._undone.pop())
            else:
                self._count(action)
                if self._undone:
                    del self._undone[:]
            undo_record = self._play(done)
            self._past.append(done | undo_record << actions.RECORD_SHIFT)
            if undo_record > actions.PILES_MASK:  # a deal, or a suit went home
                changed = self._changed_piles(done, undo_record)
                if self._is_cleared():
                    self.outcome = Outcome.WON
        self._log.append(action)
        self._options = ((), stuck) if self.outcome else None
        self.score = score = self._compute_score()
        is_plain_move = done < actions.NOT_A_MOVE and undo_record <= actions.PILES_MASK
        if is_plain_move:  # without a removed suit: its effects are cached
            turned_up, has_gained = undo_record > 0, score > old_score
            return actions.move_effects(done, turned_up=turned_up, has_gained=has_gained)
        suits = actions.removals(undo_record)
        return Effects(changed, actions.turned(undo_record), suits, score > old_score)

    def _count(self, action: Action) -> None:
        """Count a new action before it is made; redone actions are not counted again."""
        if action < actions.NOT_A_MOVE:
            self._moves += 1
        elif action == actions.DEAL:
            self._deals += 1
        else:
            self._removals += 1

    def _take_back(self) -> tuple[int, ...]:
        """Undo the latest action; return the piles that change."""
        entry = self._past.pop()
        done, undo_record = Action(entry & actions.ACTION_MASK), entry >> actions.RECORD_SHIFT
        changed = self._changed_piles(done, undo_record)
        self._unplay(done, undo_record)
        self._undone.append(done)
        self._undos += 1
        if entry & self._cheat_mask:
            self._cheats += 1
        return changed

    def _list_options(self, limit: int) -> Options:
        """Return the position's options; a log of `limit` entries leaves only FINISH."""
        if len(self._log) >= limit:
            stuck = None if self._finish_wins() else StuckReason.GAME_TOO_LONG
            return (actions.FINISH,), stuck
        moves = self._generate_moves()
        stuck = None if moves else self._stuck_reason()
        if stuck or self._finish_wins():
            moves.append(actions.FINISH)
        if self._past and not self._past[-1] & self._no_undo_mask:
            moves.append(actions.UNDO)
        if self._undone:
            moves.append(actions.REDO)
        return tuple(moves), stuck

    def _refusal(self, action: Action) -> IllegalAction:
        """Return why an illegal action is refused: the first reason that applies."""
        undo = ErrorCode.UNDO_REVEALS if self._past else ErrorCode.NOTHING_TO_UNDO
        for applies, code in (
            (self.outcome is not None, ErrorCode.GAME_OVER),
            (len(self._log) >= self.max_entries, ErrorCode.GAME_TOO_LONG),
            (action == actions.UNDO and self.rules.undo == "off", ErrorCode.UNDO_IS_OFF),
            (action == actions.UNDO, undo),
            (action == actions.REDO, ErrorCode.NOTHING_TO_REDO),
            (action == actions.FINISH, ErrorCode.NOT_FINISHED),
        ):
            if applies:
                return IllegalAction(code)
        return self._explain(action)

    @abstractmethod
    def pile(self, index: int) -> PileState:
        """Return the cards of a pile, by its index in the variant; the stock lies face down."""

    def pile_text(self, index: int) -> str:
        """Return a pile as its player sees it, in the notation that hides face-down cards."""
        down, cards = self.pile(index)
        return format_pile(down, cards[down:])

    @abstractmethod
    def key(self) -> bytes:
        """Return the position as bytes, without the log; only equal positions have equal keys."""

    @abstractmethod
    def _generate_moves(self) -> list[Action]:
        """Return the legal moves, deals and removals of the position."""

    @abstractmethod
    def _is_plainly_legal(self, action: Action) -> bool:
        """Return whether a quick check finds a move or deal legal; it may miss legal ones."""

    @abstractmethod
    def _play(self, action: Action) -> int:
        """Make a legal move, deal or removal and return its undo record."""

    @abstractmethod
    def _unplay(self, action: Action, undo_record: int) -> None:
        """Take back the action that `_play` made last."""

    @abstractmethod
    def _changed_piles(self, action: Action, undo_record: int) -> tuple[int, ...]:
        """Return the piles that an action changed. Call it before taking the action back."""

    @abstractmethod
    def _explain(self, action: Action) -> IllegalAction:
        """Return why this move, deal or removal is not legal."""

    def _stuck_reason(self) -> StuckReason:
        """Return why a position without moves allows no deal either."""
        return StuckReason.STOCK_EMPTY

    @abstractmethod
    def _is_cleared(self) -> bool:
        """Return whether no card is left to play, which ends the game at once."""

    def _finish_wins(self) -> bool:
        """Return whether FINISH would win now; False unless suits may stay in the columns."""
        return False

    @abstractmethod
    def _compute_score(self) -> int:
        """Compute the score from the position, the counts and the outcome."""

    @abstractmethod
    def _count_cards(self) -> tuple[int, int, int, int]:
        """Return four counts: suits home, cards home, face-down cards, cards in the stock."""

    @abstractmethod
    def _copy_position(self) -> Self:
        """Return another game of this class in the same position, with an empty log."""
