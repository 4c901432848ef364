"""Spider and Spiderette, which differ in their number of columns.

The piles are, by index: the columns, the stock, then the removed suits. Legal actions and scores
are computed from the measurements that the tableau keeps for each column.
"""

from collections.abc import Sequence
from typing import Self, cast

from protocol.games import GAMES
from protocol.vocabulary import SUIT_SIZE, ErrorCode, Outcome, StuckReason
from server.games import actions, scores
from server.games.actions import Action, ActionKind
from server.games.cards import EMPTY, KING, SUIT_RUNS, Card, PileState, format_pile, suit_of
from server.games.errors import IllegalAction, NotationError
from server.games.game import Game
from server.games.rules import Rules
from server.games.tableau import Tableau, explain_move, is_listed, list_exceptions, list_moves

_FULL_SUITS = tuple(PileState(0, cast("tuple[Card, ...]", tuple(run))) for run in SUIT_RUNS)


class Spider(Game):
    """A game of Spider or Spiderette without exceptions."""

    __slots__ = ("_dealt_down", "_dealt_open", "_home", "_moves_at_first_exception",
                 "_stock", "_tableau")  # fmt: skip

    def __init__(self, rules: Rules, tableau: Tableau, stock: bytearray, home: bytearray) -> None:
        super().__init__(rules)
        hidden = self.variant.dealt_down[rules.layout]
        self._dealt_down = sum(hidden)  # cards that are dealt face down
        self._dealt_open = hidden.count(0)  # columns that are dealt without such cards
        self._tableau = tableau
        self._stock = stock  # the last card is dealt next
        self._home = home  # the removed suits, in order
        self._moves_at_first_exception = 0  # how many moves there were, including that one

    @classmethod
    def from_piles(cls, rules: Rules, piles: Sequence[PileState]) -> Self:
        """Return a game that continues from the state of each pile, or raise NotationError."""
        hidden = GAMES[rules.game].dealt_down[rules.layout]
        size = len(hidden)
        for index, dealt_down in enumerate(hidden):
            down, cards = piles[index]
            if down > dealt_down:
                raise NotationError(f"column {index + 1} has never had {down} cards face down")
            if down and down == len(cards):
                raise NotationError(f"the last card of column {index + 1} must lie face up")
        suits = [bytes(pile.cards) for pile in piles[size + 1 :] if pile.cards]
        if not set(suits) <= set(SUIT_RUNS):
            raise NotationError("a removed suit is thirteen cards from king to ace")
        home = bytearray(suit_of(suit[0]) for suit in suits)
        stock = bytearray(piles[size].cards)
        game = cls(rules, Tableau(piles[:size]), stock, home)
        game._start()
        return game

    def _copy_position(self) -> Self:
        tableau, stock, home = self._tableau.copy(), self._stock[:], self._home[:]
        twin: Self = type(self)(self.rules, tableau, stock, home)
        twin._moves_at_first_exception = self._moves_at_first_exception
        return twin

    def pile(self, index: int) -> PileState:
        """Return the cards of a pile, by its index in the variant; the stock lies face down."""
        size = len(self._tableau.cards)
        if index < size:
            cards = tuple(self._tableau.cards[index])
            return PileState(self._tableau.down[index], cast("tuple[Card, ...]", cards))
        if index == size:
            return PileState(len(self._stock), cast("tuple[Card, ...]", tuple(self._stock)))
        slot = index - size - 1
        return _FULL_SUITS[self._home[slot]] if slot < len(self._home) else EMPTY

    def pile_text(self, index: int) -> str:
        """Return a pile as its player sees it, in the notation that hides face-down cards."""
        if index >= len(self._tableau.cards):
            return super().pile_text(index)
        # Don't call `pile`, which copies all cards: each act writes two piles.
        down = self._tableau.down[index]
        return format_pile(down, self._tableau.cards[index][down:])

    @property
    def suits_on_table(self) -> int:
        """The number of complete suits in the columns, even if other cards cover them."""
        return self._tableau.complete_suits()

    def key(self) -> bytes:
        """Return the position as bytes, without the log; only equal positions have equal keys."""
        # Zero separates piles, since no card is 0. The head needs none: it gives its own length.
        head = bytes((*self._tableau.down, len(self._home), *self._home))
        return head + b"\0".join((self._stock, *self._tableau.cards))

    def _generate_moves(self) -> list[Action]:
        tableau = self._tableau
        moves = list_moves(tableau)
        if SUIT_SIZE in tableau.run:
            suits = [index for index, run in enumerate(tableau.run) if run == SUIT_SIZE]
            moves += map(actions.remove, suits)
        # Only spaces take kings. Without spaces nothing forbids a deal, so skip the slow check.
        if self._stock and (not tableau.takers[KING] or self._deal_refusal() is None):
            moves.append(actions.DEAL)
        return moves

    def _is_plainly_legal(self, action: Action) -> bool:
        if action < actions.NOT_A_MOVE:
            return is_listed(self._tableau, action)
        return action == actions.DEAL and self._deal_refusal() is None

    def _deal_refusal(self) -> ErrorCode | None:
        """Return why the stock cannot be dealt, or None if it can."""
        if not self._stock:
            return ErrorCode.DEAL_STOCK_EMPTY
        tableau = self._tableau
        # RULES 3: `relaxed_deal` lifts both conditions.
        if self.rules.relaxed_deal or not tableau.spaces():
            return None
        # RULES 3: with too few cards, filling columns does not help, so this reason comes first.
        is_short = sum(map(len, tableau.cards)) < len(tableau.cards)
        return ErrorCode.DEAL_TOO_FEW_CARDS if is_short else ErrorCode.DEAL_EMPTY_COLUMN

    def _play(self, action: Action) -> int:
        tableau = self._tableau
        if action < actions.NOT_A_MOVE:
            here = action >> actions.SOURCE_SHIFT & actions.PILE_MASK  # saves a call of `source`
            to = action >> actions.TARGET_SHIFT & actions.PILE_MASK
            turns_up = tableau.move(here, action & actions.COUNT_MASK, to)
            undo_record = 1 << here if turns_up else 0
            return undo_record | self._sweep((here, to)) if self.rules.auto_remove else undo_record
        if action == actions.DEAL:
            size = min(len(tableau.cards), len(self._stock))
            for index in range(size):
                tableau.deal(index, self._stock.pop())
            swept = self._sweep(range(size)) if self.rules.auto_remove else 0
            return size << actions.DEALT_SHIFT | swept
        return self._collect(actions.source(action))

    def _sweep(self, columns: Sequence[int]) -> int:
        """Remove complete suits at the ends of these columns; return the undo record."""
        # RULES 4: suits are removed after moves and deals alike, from left to right.
        undo_record = 0
        for index in sorted(columns):
            if self._tableau.run[index] == SUIT_SIZE:
                undo_record |= self._collect(index)
        return undo_record

    def _collect(self, index: int) -> int:
        """Remove the complete suit at the end of a column; return the undo record."""
        suit, turned_up = self._tableau.remove_suit(index)
        self._home.append(suit)
        return turned_up << index | 1 << index << actions.REMOVED_SHIFT

    def _unplay(self, action: Action, undo_record: int) -> None:
        tableau = self._tableau
        for index in actions.turned(undo_record):
            tableau.turn_down(index)
        for index in reversed(actions.removed(undo_record)):
            tableau.put_back(index, self._home.pop())
        if action < actions.NOT_A_MOVE:
            tableau.move(actions.target(action), actions.count(action), actions.source(action))
        else:
            for index in reversed(range(actions.dealt(undo_record))):
                self._stock.append(tableau.take_back(index))

    def _changed_piles(self, action: Action, undo_record: int) -> tuple[int, ...]:
        stock = len(self._tableau.cards)  # its index, followed by the piles of the removed suits
        changed: tuple[int, ...] = (actions.source(action),)
        if action < actions.NOT_A_MOVE:
            changed += (actions.target(action),)
        elif action == actions.DEAL:
            changed = (*range(actions.dealt(undo_record)), stock)
        if suits := actions.removals(undo_record):
            end = stock + 1 + len(self._home)
            changed += tuple(range(end - suits, end))
        return changed

    def _is_cleared(self) -> bool:
        return not self._stock and not any(self._tableau.run)

    def _finish_wins(self) -> bool:
        return not self._stock and self._tableau.is_complete()

    def _stuck_reason(self) -> StuckReason:
        # An empty column is never the reason: any card that is left can go there.
        return StuckReason.DEAL_TOO_FEW_CARDS if self._stock else StuckReason.STOCK_EMPTY

    def _compute_score(self) -> int:
        return _RATES[self.rules.score](self)

    def _rate_woods(self) -> int:
        tableau = self._tableau
        turned_up = self._dealt_down - tableau.face_down
        # Only columns that started with face-down cards earn the points for an open column.
        opened = tableau.open_columns - self._dealt_open
        if self.outcome is Outcome.WON:
            # After a win each column is empty or one complete suit.
            on_table = len(tableau.cards) - len(tableau.spaces())
            return scores.rate_woods_win(turned_up, opened, self.variant.foundations, on_table)
        return scores.rate_woods(turned_up, opened, tableau.pairs, len(self._home))

    def _rate_dos(self) -> int:
        if self.outcome is Outcome.WON:
            moves_after = self._moves - self._moves_at_first_exception
            return scores.rate_dos_win(self._exceptions, moves_after, grand=self._is_grand())
        return scores.rate_dos(self._exceptions, self._tableau.pairs, len(self._home))

    def _is_grand(self) -> bool:
        """Return whether all suits were complete before the first was removed."""
        # If so, the log ends with the removals, since undo is off with this kind of score.
        suits = self.variant.foundations
        latest = {actions.kind(action) for action in self._log[-suits:]}
        return self._removals == suits and latest == {ActionKind.REMOVE}

    def _rate_cards(self) -> int:
        return SUIT_SIZE * len(self._home)

    def _rate_moves(self) -> int:
        acts = self._moves + self._deals + self._undos + self._redos
        return scores.rate_moves(acts, len(self._home) + self.suits_on_table)

    def _count_cards(self) -> tuple[int, int, int, int]:
        suits = len(self._home)
        return suits, suits * SUIT_SIZE, self._tableau.face_down, len(self._stock)

    def _explain(self, action: Action) -> IllegalAction:
        if action < actions.NOT_A_MOVE:
            return explain_move(self._tableau, self.rules.exceptions, action)
        if action == actions.DEAL:
            code = self._deal_refusal()
            assert code is not None, "a deal that nothing forbids is legal"
            # With an empty stock, filling the spaces would not help: do not point them out.
            spaces = self._tableau.spaces() if self._stock else ()
            return IllegalAction(code, piles=spaces)
        here = actions.source(action)
        if action != actions.remove(here):
            return IllegalAction(ErrorCode.ACTION_UNKNOWN_TO_GAME)
        if here >= len(self._tableau.cards):
            return IllegalAction(ErrorCode.NO_SUCH_PILE, piles=(here,))
        return IllegalAction(ErrorCode.NOT_A_COMPLETE_SUIT, piles=(here,))


class SpiderWithExceptions(Spider):
    """A game that allows moves of mixed runs, and counts them (RULES 5)."""

    __slots__ = ()

    def _generate_moves(self) -> list[Action]:
        easy = self.rules.exceptions == "easy"
        return super()._generate_moves() + list_exceptions(self._tableau, easy=easy)

    def _count(self, action: Action) -> None:
        super()._count(action)
        is_move = action < actions.NOT_A_MOVE
        if is_move and actions.count(action) > self._tableau.run[actions.source(action)]:
            self._exceptions += 1
            # RULES, `dos`: only moves after the first exception cost points.
            if self._exceptions == 1:
                self._moves_at_first_exception = self._moves


_RATES = {
    "woods": Spider._rate_woods,  # noqa: SLF001  # a table replaces a chain of conditions
    "dos": Spider._rate_dos,  # noqa: SLF001  # the same
    "cards": Spider._rate_cards,  # noqa: SLF001  # the same
    "moves": Spider._rate_moves,  # noqa: SLF001  # the same
}
