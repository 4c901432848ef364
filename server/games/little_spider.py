"""Little Spider: eight piles around four foundations that build both ways.

Piles are numbered: upper row, lower row, foundations, stock. Which colour builds up is read
from the foundations and kept nowhere (RULES, Little Spider, 1).

Source: seed 5 (Spider family), "Little Spider".
"""

from collections.abc import Sequence
from itertools import chain
from typing import Self, cast

from server.games import scores
from server.games.actions import (
    COUNT_MASK,
    DEAL,
    NOT_A_MOVE,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
    is_exception,
    move,
    source,
    target,
)
from server.games.cards import ACE, KING, SUIT_SIZE, Card, is_red, rank_of, suit_of
from server.games.errors import IllegalAction, NotationError, RefusalCode
from server.games.game import DEALT_SHIFT, REMOVED_SHIFT, Game
from server.games.kinds import GameKind, PileSpec
from server.games.options import Rules
from server.games.outcomes import StuckReason
from server.games.piles import EMPTY, PileState

_ROW = 4
_PILES = 2 * _ROW
_STOCK = 3 * _ROW
_UP_SLOTS = 2
_FIRST_SLOT = _PILES


class LittleSpider(Game):
    """A game of Little Spider."""

    __slots__ = ("_piles", "_stock")

    def __init__(self, kind: GameKind, rules: Rules, piles: Sequence[PileState]) -> None:
        super().__init__(kind, rules)
        # The piles, then the foundations.
        self._piles = [bytearray(pile.cards) for pile in piles[:_STOCK]]
        # The next card to deal is the last.
        self._stock = bytearray(piles[_STOCK].cards)
        _check_position(self._piles, piles)
        self._begin()

    def _copy_position(self, other: Self) -> None:
        self._piles = [pile[:] for pile in other._piles]
        self._stock = other._stock[:]

    def pile(self, index: int) -> PileState:
        """The cards of a pile of the game's kind; only the stock lies face down."""
        if index == _STOCK:
            return PileState(len(self._stock), cast("tuple[Card, ...]", tuple(self._stock)))
        return PileState(0, cast("tuple[Card, ...]", tuple(self._piles[index])))

    def key(self) -> bytes:
        """The position alone as bytes: equal exactly if the same cards lie the same way."""
        return b"\0".join((self._stock, *self._piles))

    # Legal actions.

    def _ways(self) -> list[Action]:
        wanted = self._wanted()
        ways: list[Action] = []
        tops = [pile[-1] if pile else 0 for pile in self._piles[:_PILES]]
        for here, card in enumerate(tops):
            if card:
                ways += [
                    move(here, 1, _FIRST_SLOT + slot)
                    for slot in self._slots_of(here)
                    if card in wanted[slot]
                ]
        if self._stock:
            ways.append(DEAL)
            return ways
        # RULES, 4: between piles only now, and never on an empty one.
        ways += [
            move(here, 1, to)
            for here, card in enumerate(tops)
            for to, onto in enumerate(tops)
            if card and onto and here != to and _adjacent(card, onto)
        ]
        return ways

    def _slots_of(self, here: int) -> Sequence[int]:
        # RULES, 2: while the stock lasts, a lower pile has only the foundation above it.
        return (here - _ROW,) if self._stock and here >= _ROW else range(_ROW)

    def _wanted(self) -> tuple[tuple[int, ...], ...]:
        """The cards that each foundation would take."""
        red_up = self._red_builds_up()
        return tuple(
            _next_card(foundation[-1], up=slot < _UP_SLOTS)
            if foundation
            else _first_cards(slot, red_up)
            for slot, foundation in enumerate(self._piles[_FIRST_SLOT:])
        )

    def _red_builds_up(self) -> bool | None:
        """Whether the red suits are those built up; None while no foundation is begun."""
        for slot, foundation in enumerate(self._piles[_FIRST_SLOT:]):
            if foundation:
                return is_red(foundation[-1]) is (slot < _UP_SLOTS)
        return None

    # Doing and taking back.

    def _play(self, action: Action) -> int:
        if action == DEAL:
            # RULES, 3: upper row, then lower row; the last four go on the upper row.
            size = min(_PILES, len(self._stock))
            for pile in self._piles[:size]:
                pile.append(self._stock.pop())
            return size << DEALT_SHIFT
        to = target(action)
        self._piles[to].append(self._piles[source(action)].pop())
        filled = to >= _FIRST_SLOT and len(self._piles[to]) == SUIT_SIZE
        return 1 << to << REMOVED_SHIFT if filled else 0

    def _unplay(self, action: Action, trace: int) -> None:
        if action == DEAL:
            for pile in reversed(self._piles[: trace >> DEALT_SHIFT]):
                self._stock.append(pile.pop())
        else:
            self._piles[source(action)].append(self._piles[target(action)].pop())

    def _changed(self, action: Action, trace: int) -> tuple[int, ...]:
        if action == DEAL:
            return (*range(trace >> DEALT_SHIFT), _STOCK)
        return (action >> SOURCE_SHIFT & PILE_MASK, action >> TARGET_SHIFT & PILE_MASK)

    # Ends and scores.

    def _is_cleared(self) -> bool:
        return not self._stock and not any(self._piles[:_PILES])

    def _is_won(self) -> bool:
        return False

    def _stuck_reason(self) -> StuckReason:
        return StuckReason.STOCK_EMPTY

    def _rate(self) -> int:
        return scores.cards(sum(map(len, self._piles[_FIRST_SLOT:])))

    def _tally(self) -> tuple[int, int, int, int]:
        sizes = [len(foundation) for foundation in self._piles[_FIRST_SLOT:]]
        return sizes.count(SUIT_SIZE), sum(sizes), 0, len(self._stock)

    # Refusals.

    def _explain(self, action: Action) -> IllegalAction:
        if action >= NOT_A_MOVE:
            known = action == DEAL
            return IllegalAction(
                RefusalCode.DEAL_STOCK_EMPTY if known else RefusalCode.ACTION_UNKNOWN_TO_GAME
            )
        here, to = source(action), target(action)
        if refusal := self._explain_source(here, to, action):
            return refusal
        card = self._piles[here][-1]
        if to >= _FIRST_SLOT:
            return self._explain_foundation(here, to, card)
        if self._stock:
            return IllegalAction(RefusalCode.NO_MOVES_BETWEEN_PILES_YET, (card,), (here, to))
        if not self._piles[to]:
            return IllegalAction(RefusalCode.PILE_STAYS_EMPTY, (card,), (to,))
        pair = (card, self._piles[to][-1])
        return IllegalAction(RefusalCode.NOT_RANK_ADJACENT, pair, (here, to))

    def _explain_source(self, here: int, to: int, action: Action) -> IllegalAction | None:
        n = action & COUNT_MASK
        size = 0 if here >= _STOCK else len(self._piles[here])
        questions = (
            (here >= _STOCK, RefusalCode.NO_SUCH_PILE, here),
            (to >= _STOCK, RefusalCode.NO_SUCH_PILE, to),
            (here == to, RefusalCode.SAME_PILE, here),
            (here >= _FIRST_SLOT, RefusalCode.FOUNDATION_IS_FINAL, here),
            (is_exception(action), RefusalCode.EXCEPTIONS_ARE_OFF, here),
            (not size, RefusalCode.PILE_EMPTY, here),
            (not 0 < n <= size, RefusalCode.NOT_ENOUGH_CARDS, here),
            (n > 1, RefusalCode.ONE_CARD_AT_A_TIME, here),
        )
        for wrong, code, pile in questions:
            if wrong:
                return IllegalAction(code, piles=(pile,))
        return None

    def _explain_foundation(self, here: int, to: int, card: int) -> IllegalAction:
        slot = to - _FIRST_SLOT
        foundation = self._piles[to]
        cards = (card, foundation[-1]) if foundation else (card,)
        code = RefusalCode.WRONG_FOUNDATION_RANK
        if slot not in self._slots_of(here):
            code, cards = RefusalCode.LOWER_PILE_WRONG_SLOT, (card,)
        elif foundation and suit_of(card) != suit_of(foundation[-1]):
            code = RefusalCode.WRONG_FOUNDATION_SUIT
        elif not foundation and card in _first_cards(slot, red_up=None):
            code = RefusalCode.WRONG_FOUNDATION_COLOUR
        return IllegalAction(code, cards, (here, to))


def _next_card(last: int, *, up: bool) -> tuple[int, ...]:
    if rank_of(last) == (KING if up else ACE):
        return ()
    return (last + 1,) if up else (last - 1,)


def _first_cards(slot: int, red_up: bool | None) -> tuple[int, ...]:  # noqa: FBT001  # of three
    """The cards that may begin an empty foundation."""
    up = slot < _UP_SLOTS
    rank = ACE if up else KING
    cards = [suit << 4 | rank for suit in range(4)]
    return tuple(card for card in cards if red_up is None or is_red(card) is (red_up is up))


def _adjacent(card: int, other: int) -> bool:
    # RULES, 4: ace and king are adjacent too.
    return abs(rank_of(card) - rank_of(other)) in {1, KING - ACE}


def _check_position(piles: Sequence[bytearray], states: Sequence[PileState]) -> None:
    if any(state.down for state in states[:_STOCK]):
        raise NotationError("every card of Little Spider lies face up")
    for slot, foundation in enumerate(piles[_FIRST_SLOT:]):
        step = 1 if slot < _UP_SLOTS else -1
        first = ACE if slot < _UP_SLOTS else KING
        run = [foundation[0] + step * i for i in range(len(foundation))] if foundation else []
        if foundation and (list(foundation) != run or rank_of(run[0]) != first):
            raise NotationError(f"foundation {slot + 1} is not built from its first card on")


class LittleSpiderKind(GameKind):
    """Little Spider: four cards above, four below, the foundations between them."""

    def deal(self, rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
        """The piles that a deck is dealt to; its first card is dealt first."""
        del rules
        stock = tuple(reversed(deck[_PILES:]))
        return (
            *(PileState(0, (card,)) for card in deck[:_PILES]),
            *(EMPTY for _ in range(_ROW)),
            PileState(len(stock), stock),
        )

    def set_up(self, rules: Rules, piles: Sequence[PileState]) -> Game:
        """A game that goes on from a position, one state for each of the kind's piles."""
        return LittleSpider(self, rules, piles)


LITTLE_SPIDER: GameKind = LittleSpiderKind(
    id="little-spider",
    family="little-spider",
    decks=1,
    suits=4,
    piles=tuple(
        chain(
            (PileSpec(f"u{i}", "tableau", 1 + i, 0) for i in range(_ROW)),
            (PileSpec(f"l{i}", "tableau", 1 + i, 2) for i in range(_ROW)),
            (
                PileSpec(
                    f"f{i}", "foundation", 1 + i, 1, direction="up" if i < _UP_SLOTS else "down"
                )
                for i in range(_ROW)
            ),
            (PileSpec("stock", "stock", 0, 1),),
        )
    ),
    scores=("cards",),
    layouts=("left4",),
    options=frozenset(),
)
