"""The exhaustive search reaches every position that the rules reach, and no other one.

A proof that a deal is lost rests on nothing else. The reference plays on two to four columns,
where all positions are few and many of them can be won.
"""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.games.actions import DEAL, Action, ActionKind, count, kind, source, target
from server.games.cards import SUIT_RUNS
from server.games.deals import new_game, secret_deck
from server.games.rules import Rules
from server.solver.beam import Budget
from server.solver.columns import COLUMN_WEIGHTS, Columns
from server.solver.exhaustive_search import ExhaustiveSearch
from server.solver.solve import Verdict, deals_of, exhaust
from tests.games.positions import piles_of, position
from tests.solver.small_reference import Small, SmallRules, Step, is_won, steps, swept

EXAMPLES = 30
MOST = 2_000
"""The positions of the largest game that is compared."""


@st.composite
def small_positions(draw: st.DrawFn) -> Small:
    """Draw a position with one or two suits, most of whose cards lie in order."""
    suits = draw(st.sampled_from([(0,), (0,), (0, 0), (0, 1), (0, 1)]))
    runs: list[tuple[int, ...]] = []
    loose: list[int] = []
    for suit in suits:
        cut = draw(st.integers(8, 13))
        runs.append(tuple(SUIT_RUNS[suit][:cut]))
        loose += SUIT_RUNS[suit][cut:]
    loose = draw(st.permutations(loose))
    size = draw(st.integers(2, 4))
    in_stock = draw(st.sampled_from([0, 0, 1, size, size + 1]))
    stock, loose = loose[:in_stock], loose[in_stock:]
    columns: list[tuple[int, ...]] = [()] * size
    for part in [*((card,) for card in loose), *runs]:
        place = draw(st.integers(0, size - 1))
        columns[place] += part
    down = [draw(st.integers(0, min(2, max(len(cards) - 1, 0)))) for cards in columns]
    deals = tuple(tuple(stock[at : at + size]) for at in range(0, len(stock), size))
    return Small(tuple(zip(down, columns, strict=True)), deals)


def reach(start: Small, rules: SmallRules, most: int = MOST) -> tuple[int, bool] | None:
    """Return the number of positions, and whether one is won; None if they are too many."""
    known, left = {start.name()}, [start]
    is_winnable = False
    while left:
        at = left.pop()
        is_winnable = is_winnable or is_won(at)
        for _, after in steps(at, rules):
            if after.name() not in known:
                known.add(after.name())
                left.append(after)
        if len(known) > most:
            return None
    return len(known), is_winnable


def search(
    start: Small, rules: SmallRules, *, most: int = 10**6, budget: Budget | None = None
) -> tuple[ExhaustiveSearch, list[int] | None]:
    all_columns = Columns(COLUMN_WEIGHTS, keeps_suits=not rules.auto_remove)
    exhaustive = ExhaustiveSearch(
        all_columns,
        [all_columns.column(bytes(cards), down) for down, cards in start.columns],
        most,
        [bytes(cards) for cards in start.deals],
        budget=budget,
        relaxed=rules.relaxed,
    )
    return exhaustive, exhaustive.search()


def step_of(action: Action) -> Step:
    if action == DEAL:
        return ("deal", 0, 0, 0)
    if kind(action) is ActionKind.REMOVE:
        return ("remove", source(action), 0, 0)
    return ("move", source(action), count(action), target(action))


def wins(start: Small, rules: SmallRules, line: list[int]) -> bool:
    """Return whether the actions are legal in turn and win."""
    at = start
    for action in line:
        at = dict(steps(at, rules))[step_of(Action(action))]
    return is_won(at)


ALL_RULES = pytest.mark.parametrize(
    "rules", [SmallRules(*each) for each in product((False, True), repeat=2)]
)


@ALL_RULES
def test_the_search_reaches_the_same_positions_as_the_rules(rules: SmallRules) -> None:
    seen: Counter[str] = Counter()

    @given(small_positions())
    @settings(max_examples=EXAMPLES)
    def compare(drawn: Small) -> None:
        start = swept(drawn, rules)
        reached = reach(start, rules)
        if reached is None:
            seen["large"] += 1
            return
        positions, is_winnable = reached
        exhaustive, line = search(start, rules)
        if is_winnable:
            assert line is not None
            assert wins(start, rules, line)
        else:
            assert line is None
            assert exhaustive.is_exhausted
            assert len(exhaustive._keys) == positions
        seen["winnable" if is_winnable else "lost"] += 1

    compare()
    assert min(seen["winnable"], seen["lost"]) > EXAMPLES // 20, seen


def columns_of(*cards: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return columns of one card each; they are empty where it is 0."""
    return tuple((0, (card,) if card else ()) for card in cards)


@pytest.mark.parametrize("cards", [(0, 0, 5, 9), (5, 0, 0, 9)])
@pytest.mark.parametrize("deal", [(13,), (13, 13)])
def test_a_whole_column_goes_to_a_space_that_the_next_deal_treats_differently(
    cards: tuple[int, ...], deal: tuple[int, ...]
) -> None:
    """The remaining stock only reaches the first columns."""
    start, rules = Small(columns_of(*cards), (deal,)), SmallRules(auto_remove=True, relaxed=True)
    exhaustive, line = search(start, rules)
    assert (line, exhaustive.is_exhausted) == (None, True)
    assert reach(start, rules) == (len(exhaustive._keys), False)


def test_a_whole_column_does_not_go_to_an_equivalent_space() -> None:
    budget, rules = Budget(10**9), SmallRules(auto_remove=True, relaxed=True)
    exhaustive, line = search(Small(columns_of(0, 0, 5, 9), ()), rules, most=99, budget=budget)
    assert line is None
    assert (exhaustive.is_exhausted, len(exhaustive._keys), budget.spent) == (True, 1, 0)


def lost_deal() -> Small:
    """Return the deal 40 of Spiderette with four suits, which is lost under all rules."""
    deck = secret_deck("spiderette-4", (40).to_bytes(16, "big"))
    game = new_game(Rules("spiderette-4"), deck)
    piles = [game.pile(index) for index in range(8)]
    columns = tuple((pile.down, tuple(map(int, pile.cards))) for pile in piles[:7])
    return Small(columns, tuple(tuple(cards) for cards in deals_of(piles[7], 7)))


@ALL_RULES
def test_a_whole_deal_that_is_proved_lost_has_no_win(rules: SmallRules) -> None:
    exhaustive, line = search(lost_deal(), rules)
    assert line is None
    assert exhaustive.is_exhausted
    assert reach(lost_deal(), rules, most=10_000) == (len(exhaustive._keys), False)


def test_complete_suits_do_not_win_while_the_stock_has_cards() -> None:
    """The hearts come one by one onto the first column, so the spades have to leave it."""
    spades, hearts = (tuple(map(int, SUIT_RUNS[suit])) for suit in (0, 1))
    start = Small(((0, spades), (0, ())), tuple((card,) for card in hearts))
    rules = SmallRules(auto_remove=False, relaxed=True)
    _, line = search(start, rules)
    assert line is not None
    assert wins(start, rules, line)


@pytest.mark.parametrize("apart", [0, 1])
def test_a_complete_suit_that_lies_on_other_cards_can_be_removed(apart: int) -> None:
    spades, hearts = (tuple(map(int, SUIT_RUNS[suit])) for suit in (0, 1))
    start = Small(((0, hearts[apart:] + spades), (0, hearts[:apart])), ())
    rules = SmallRules(auto_remove=False, relaxed=False)
    _, line = search(start, rules)
    assert line is not None
    assert step_of(Action(line[0])) == ("remove", 0, 0, 0)
    assert wins(start, rules, line)


@ALL_RULES
def test_a_proof_follows_the_rules_of_the_game(rules: SmallRules) -> None:
    """Regression: a proof let complete suits leave although players remove them."""
    text = "t0: KS-2S; t1: 8H AS; t2: KH; t3: KC; t4: KD; t5: JC; t6: 5D; stock: [9H 9C 9D]"
    settings = {"auto_remove": rules.auto_remove, "relaxed_deal": rules.relaxed}
    piles = piles_of(game := position(text, "spiderette-4", undo="off", **settings))
    columns = tuple((pile.down, tuple(map(int, pile.cards))) for pile in piles[:7])
    deals, budget = deals_of(piles[7], 7), Budget(10**6)
    exhaustive, _ = search(Small(columns, tuple(map(tuple, deals))), rules, budget=budget)
    assert exhaustive.is_exhausted
    assert exhaust(game, piles[:7], deals, Budget(10**6)) == Verdict(
        "unwinnable", (), budget.spent
    )


def test_a_search_without_memory_or_budget_left_proves_nothing() -> None:
    rules = SmallRules(auto_remove=False, relaxed=False)
    exhaustive, line = search(lost_deal(), rules, most=3)
    assert (line, exhaustive.is_exhausted) == (None, False)
    budget = Budget(5)
    exhaustive, line = search(lost_deal(), rules, budget=budget)
    assert (line, exhaustive.is_exhausted) == (None, False)
    assert budget.spent < 50
