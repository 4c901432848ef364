"""Spider and everything that is Spider on another number of columns.

Piles are numbered: the columns, the stock, then the places of removed suits. Legal actions and
scores are made from the figures that the tableau keeps of each column.
"""

from collections.abc import Sequence
from typing import Self, cast

from protocol.vocabulary import SUIT_SIZE, ErrorCode, Outcome, StuckReason
from server.games import scores
from server.games.actions import (
    COUNT_MASK,
    DEAL,
    EXCEPTION,
    NOT_A_MOVE,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
    Kind,
    count,
    kind,
    remove,
    source,
    target,
)
from server.games.cards import EMPTY, SUIT_RUNS, Card, PileState, suit_of
from server.games.errors import IllegalAction, NotationError
from server.games.game import (
    DEALT_SHIFT,
    PILES_MASK,
    PILES_OF,
    REMOVED_SHIFT,
    TARGETS_OF,
    Game,
)
from server.games.options import Rules
from server.games.refusals import explain_move
from server.games.tableau import Shape, Tableau, check_columns
from server.games.variant_spec import VariantSpec

_FULL_SUITS = tuple(PileState(0, cast("tuple[Card, ...]", tuple(run))) for run in SUIT_RUNS)


class Spider(Game):
    """A game of Spider or Spiderette."""

    __slots__ = ("_home", "_moves_at_exception", "_shape", "_stock", "_tableau")

    def __init__(
        self, variant: VariantSpec, shape: Shape, rules: Rules, piles: Sequence[PileState]
    ) -> None:
        super().__init__(variant, rules)
        check_columns(shape, piles)
        _check_home(piles[shape.columns + 1 :])
        size = shape.columns
        self._shape = shape
        self._tableau = Tableau(piles[:size], exceptions=rules.exceptions != "off")
        # The next card to deal is the last.
        self._stock = bytearray(piles[size].cards)
        self._home = bytearray(suit_of(pile.cards[0]) for pile in piles[size + 1 :] if pile.cards)
        self._moves_at_exception = 0
        self._begin()

    def _copy_position(self, other: Self) -> None:
        self._shape = other._shape
        self._moves_at_exception = other._moves_at_exception
        self._tableau = other._tableau.copy()
        self._stock, self._home = other._stock[:], other._home[:]

    def pile(self, index: int) -> PileState:
        """The cards of a pile of the game's kind; the stock is all face down."""
        size = self._shape.columns
        if index < size:
            cards = tuple(self._tableau.cards[index])
            return PileState(self._tableau.down[index], cast("tuple[Card, ...]", cards))
        if index == size:
            return PileState(len(self._stock), cast("tuple[Card, ...]", tuple(self._stock)))
        place = index - size - 1
        return _FULL_SUITS[self._home[place]] if place < len(self._home) else EMPTY

    @property
    def suits_on_table(self) -> int:
        """The number of complete suits that lie in the columns, other cards on them or not."""
        return self._tableau.complete_suits()

    def key(self) -> bytes:
        """The position alone as bytes: equal exactly if the same cards lie the same way."""
        # No card is 0, and what may be 0 has a length that is known before it comes.
        head = bytes((*self._tableau.down, len(self._home), *self._home))
        return head + b"\0".join((self._stock, *self._tableau.cards))

    # Legal actions.

    def _generate_moves(self) -> list[Action]:
        last, runs = self._tableau.last, self._tableau.run
        columns_at = [0] * 16
        bit = 1
        for rank in last:
            columns_at[rank] |= bit
            bit <<= 1
        spaces = columns_at[0]
        ways: list[int] = []
        base = 1
        for rank, run in zip(last, runs):  # noqa: B905  # of one length; strict costs time here
            # RULES 1: any part of a run, on the next higher rank or on a space.
            if run == 1:
                for to in TARGETS_OF[columns_at[rank + 1] | spaces]:
                    ways.append(base | to)  # noqa: PERF401  # a comprehension costs more here
            else:
                for n in range(run):
                    for to in TARGETS_OF[columns_at[rank + n + 1] | spaces]:
                        ways.append(base + n | to)  # noqa: PERF401  # the same
            base += 1 << SOURCE_SHIFT
        if self._tableau.exceptions:
            self._add_exceptions(ways, columns_at)
        if SUIT_SIZE in runs:
            ways += [remove(place) for place, run in enumerate(runs) if run == SUIT_SIZE]
        if self._deal_refusal() is None:
            ways.append(DEAL)
        return cast("list[Action]", ways)

    def _add_exceptions(self, ways: list[int], columns_at: list[int]) -> None:
        # RULES 5: at the easy level asking is as good as not asking, so both are legal.
        marks = (EXCEPTION,) if self.rules.exceptions == "hard" else (0, EXCEPTION)
        tableau = self._tableau
        for place, rank in enumerate(tableau.last):
            for n in range(tableau.run[place] + 1, tableau.mixed[place] + 1):
                for to in TARGETS_OF[columns_at[rank + n] | columns_at[0]]:
                    ways.extend(place << SOURCE_SHIFT | to | n | mark for mark in marks)

    def _deal_refusal(self) -> ErrorCode | None:
        if not self._stock:
            return ErrorCode.DEAL_STOCK_EMPTY
        # RULES 3: with `relaxed_deal` neither of the conditions below holds.
        if self.rules.relaxed_deal or 0 not in self._tableau.last:
            return None
        # RULES 3: too few cards cannot be mended by filling columns, so it is said first.
        if sum(map(len, self._tableau.cards)) < self._shape.columns:
            return ErrorCode.DEAL_TOO_FEW_CARDS
        return ErrorCode.DEAL_EMPTY_COLUMN

    # Doing and taking back.

    def _count(self, action: Action) -> None:
        super()._count(action)
        if action < NOT_A_MOVE and count(action) > self._tableau.run[source(action)]:
            self._exceptions += 1
            # RULES, `dos`: only moves after the first exception cost, and not that one itself.
            if self._exceptions == 1:
                self._moves_at_exception = self._moves

    def _play(self, action: Action) -> int:
        tableau = self._tableau
        if action < NOT_A_MOVE:
            here = action >> SOURCE_SHIFT & PILE_MASK
            to = action >> TARGET_SHIFT & PILE_MASK
            tableau.move(here, action & COUNT_MASK, to)
            undo_record = tableau.turn(here)
            tableau.measure(here)
            tableau.measure(to)
            return undo_record | self._sweep((here, to)) if self.rules.auto_remove else undo_record
        if action == DEAL:
            size = min(self._shape.columns, len(self._stock))
            for place in range(size):
                tableau.cards[place].append(self._stock.pop())
                tableau.measure(place)
            undo_record = size << DEALT_SHIFT
            return (
                undo_record | self._sweep(range(size)) if self.rules.auto_remove else undo_record
            )
        return self._collect(source(action))

    def _sweep(self, places: Sequence[int]) -> int:
        # RULES 4: after every kind of move, left to right.
        undo_record = 0
        for place in sorted(places):
            if self._tableau.run[place] == SUIT_SIZE:
                undo_record |= self._collect(place)
        return undo_record

    def _collect(self, place: int) -> int:
        self._home.append(self._tableau.take_suit(place))
        # RULES 2: a card turns up after a removal too.
        turned = self._tableau.turn(place)
        self._tableau.measure(place)
        return turned | 1 << place << REMOVED_SHIFT

    def _unplay(self, action: Action, undo_record: int) -> None:
        tableau = self._tableau
        for place in PILES_OF[undo_record & PILES_MASK]:
            tableau.down[place] += 1
        for place in reversed(PILES_OF[undo_record >> REMOVED_SHIFT & PILES_MASK]):
            tableau.cards[place] += SUIT_RUNS[self._home.pop()]
        if action < NOT_A_MOVE:
            tableau.move(target(action), count(action), source(action))
        else:
            for place in reversed(range(undo_record >> DEALT_SHIFT)):
                self._stock.append(tableau.cards[place].pop())
        for place in self._columns_of(action, undo_record):
            tableau.measure(place)

    def _changed(self, action: Action, undo_record: int) -> tuple[int, ...]:
        changed = self._columns_of(action, undo_record)
        if action == DEAL:
            changed += (self._shape.columns,)
        if removed := (undo_record >> REMOVED_SHIFT & PILES_MASK).bit_count():
            end = self._shape.columns + 1 + len(self._home)
            changed += tuple(range(end - removed, end))
        return changed

    @staticmethod
    def _columns_of(action: Action, undo_record: int) -> tuple[int, ...]:
        if action < NOT_A_MOVE:
            return (action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT & PILE_MASK)
        return tuple(range(undo_record >> DEALT_SHIFT)) if action == DEAL else (source(action),)

    # Ends.

    def _is_cleared(self) -> bool:
        return not any(self._tableau.last) and not self._stock

    def _is_won(self) -> bool:
        return not self._stock and self._tableau.is_complete()

    def _stuck_reason(self) -> StuckReason:
        # An empty column is no reason: any card could go there, unless there is none.
        return StuckReason.DEAL_TOO_FEW_CARDS if self._stock else StuckReason.STOCK_EMPTY

    # Scores.

    def _rate(self) -> int:
        rate: int = _RATES[self.rules.score](self)
        return rate

    def _rate_woods(self) -> int:
        shape, tableau = self._shape, self._tableau
        turned = shape.face_down - sum(tableau.down)
        # Only columns that began with face-down cards count: six of Spiderette's seven.
        opened = tableau.down.count(0) - shape.born_open
        if self._outcome is Outcome.WON:
            on_table = shape.columns - tableau.last.count(0)
            return scores.woods_won(turned, opened, shape.suits, on_table)
        return scores.woods(turned, opened, sum(tableau.pairs), len(self._home))

    def _rate_dos(self) -> int:
        if self._outcome is Outcome.WON:
            after = self._moves - self._moves_at_exception
            return scores.dos_won(self._exceptions, after, grand=self._is_grand())
        return scores.dos(self._exceptions, sum(self._tableau.pairs), len(self._home))

    def _is_grand(self) -> bool:
        # Undo is off, so the log is what was done: removals only, and all of them, at its end.
        suits = self._shape.suits
        return self._removals == suits and all(
            kind(action) is Kind.REMOVE for action in self._log[-suits:]
        )

    def _rate_cards(self) -> int:
        return scores.cards(SUIT_SIZE * len(self._home))

    def _rate_moves(self) -> int:
        acts = self._moves + self._deals + self._undos + self._redos
        return scores.moves(acts, len(self._home) + self.suits_on_table)

    def _tally(self) -> tuple[int, int, int, int]:
        suits = len(self._home)
        return suits, suits * SUIT_SIZE, sum(self._tableau.down), len(self._stock)

    # Refusals.

    def _explain(self, action: Action) -> IllegalAction:
        if action < NOT_A_MOVE:
            return explain_move(self._tableau, self.rules.exceptions, action)
        if action == DEAL:
            code = self._deal_refusal()
            assert code is not None  # else it were listed
            spaces = self._tableau.spaces() if self._stock else ()
            return IllegalAction(code, piles=spaces)
        here = source(action)
        if action != remove(here):
            return IllegalAction(ErrorCode.ACTION_UNKNOWN_TO_GAME)
        if here >= self._shape.columns:
            return IllegalAction(ErrorCode.NO_SUCH_PILE, piles=(here,))
        return IllegalAction(ErrorCode.NOT_A_COMPLETE_SUIT, piles=(here,))


_RATES = {
    "woods": Spider._rate_woods,  # noqa: SLF001  # a table instead of a chain of questions
    "dos": Spider._rate_dos,  # noqa: SLF001  # the same
    "cards": Spider._rate_cards,  # noqa: SLF001  # the same
    "moves": Spider._rate_moves,  # noqa: SLF001  # the same
}


def _check_home(piles: Sequence[PileState]) -> None:
    for pile in piles:
        if pile.cards and bytes(pile.cards) not in SUIT_RUNS:
            raise NotationError("a removed suit is thirteen cards from king to ace")
