"""The search for Little Spider, by lines that the engine plays."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.vocabulary import Outcome
from server.games.actions import FINISH, REDO, UNDO
from server.games.cards import Card, PileState
from server.games.deals import new_game, set_up
from server.games.game import Game
from server.games.rules import Rules
from server.solver.beam import Budget
from server.solver.piles import (
    PILE_WEIGHTS,
    PilePosition,
    Piles,
    PileSearch,
    PileWeights,
    cost_of_pile,
    turns,
)
from server.solver.solve import Verdict, solve, split_piles
from tests.games.positions import dealt, piles_of, position
from tests.games.texts import cards_of
from tests.solver.test_solve import deck_of, won_by

RULES = Rules("little-spider", score="cards")
BUDGET = 100_000
BLACK_GOES_DOWN = "; ".join(
    f"u{place}: " + " ".join(rank + suit for rank in "A23456789TJQK")
    for place, suit in enumerate("SC")
)
NOTHING = dict.fromkeys(PileWeights.__dataclass_fields__, 0)


def solved(game: Game) -> Verdict:
    return solve(game, budget=BUDGET)


def starts_of(number: int, width: int) -> tuple[PileSearch, list[PilePosition]]:
    """Return a search of a deal with red building up, and its positions without a stock."""
    game = new_game(RULES, deck_of("little-spider", number))
    table = Piles(PILE_WEIGHTS, red_up=True, noise=0, seed=0)
    search = PileSearch(table, width, Budget(10**9))
    return search, search.starts(*split_piles(piles_of(game)))


@pytest.mark.parametrize("number", [2, 6])
def test_a_deal_is_proved_to_be_lost(number: int) -> None:
    game = new_game(RULES, deck_of("little-spider", number))
    assert solved(game).kind == "unwinnable"


def test_a_search_ends_soon_after_its_budget_is_spent() -> None:
    verdict = solve(new_game(RULES, deck_of("little-spider", 0)), budget=500)
    assert verdict.kind == "unknown"
    assert verdict.judged < 20_000


def test_equal_cards_share_a_pile_and_turns_count_the_way_home() -> None:
    all_piles = Piles(PILE_WEIGHTS, red_up=True, noise=0, seed=0)
    pile = all_piles.pile(bytes(cards_of("5H 9S")))
    assert all_piles.without(pile) is all_piles.pile(bytes(cards_of("5H")))
    assert all_piles.with_card(all_piles.without(pile), pile.last_card) is pile
    assert pile.above[cards_of("5H")[0]] == 1
    order = turns(red_up=True)
    assert [order[card] for card in cards_of("AH KH AS KS")] == [1, 13, 13, 1]


@pytest.mark.parametrize(
    ("text", "feature", "times"),
    [
        ("", "empty", 1),
        ("5H 9S", "card", 2),
        ("5H 9H", "blocking", 1),
        ("9H 5H", "blocking", 0),
        ("5H 9S 9D", "covering", 1),
        ("5H 9S", "deep", 9),
        ("5H 6S KD AC", "adjacent", -2),
        ("6H 5H", "ordered", -1),
        ("5H 6H", "ordered", 0),
    ],
)
def test_a_pile_costs_its_features(text: str, feature: str, times: int) -> None:
    weights = PileWeights(**NOTHING | {feature: 1})
    cards = bytes(cards_of(text))
    assert cost_of_pile(cards, turns(red_up=True), weights) == times


def test_an_incomplete_search_proves_nothing() -> None:
    wide, narrow = (starts_of(6, width) for width in (1000, 2))
    assert not wide[1]
    assert wide[0].is_lost
    assert not narrow[0].is_lost  # positions were left out
    search, starts = starts_of(83, 1000)
    assert search.exhaust(starts, 5) is None
    assert not search.is_lost  # it had no room
    assert search.exhaust(starts, 10_000) is None
    assert search.is_lost


@st.composite
def late_positions(draw: st.DrawFn) -> list[PileState]:
    """Draw the piles of a position with most cards home, and perhaps some in the stock."""
    black_up = draw(st.booleans())
    foundations: list[bytes] = []
    left: list[int] = []
    for black in (black_up, not black_up):  # the foundations that build up come first
        for suit in "SC" if black else "HD":
            goes_up = black is black_up
            cards = cards_of(f"K{suit}-A{suit}")[:: -1 if goes_up else 1]
            home = 13 - draw(st.integers(0, 3))
            foundations.append(bytes(cards[:home]))
            left += cards[home:]
    left = draw(st.permutations(left))
    in_stock = draw(st.sampled_from([0, 0, 0, 2, 9]))
    stock, left = left[:in_stock], left[in_stock:]
    piles = [bytearray() for _ in range(8)]
    most = draw(st.integers(0, 7))
    for card in left:
        piles[draw(st.integers(0, most))].append(card)
    states = [PileState(0, tuple(map(Card, cards))) for cards in (*piles, *foundations)]
    return [*states, PileState(len(stock), tuple(map(Card, stock)))]


def is_winnable(game: Game) -> bool:
    """Return whether any actions of the engine win."""
    known, left = {game.key()}, [game]
    while left:
        at = left.pop()
        if at.outcome is Outcome.WON:
            return True
        for action in at.legal_actions():
            if action not in {FINISH, UNDO, REDO}:
                twin = at.copy()
                twin.apply(action)
                if twin.key() not in known:
                    known.add(twin.key())
                    left.append(twin)
    return False


def test_verdicts_match_the_positions_that_the_engine_reaches() -> None:
    seen: Counter[str] = Counter()

    @given(late_positions())
    @settings(max_examples=100)
    def compare(piles: list[PileState]) -> None:
        # Hypothesis inspects its arguments, which a compiled game does not survive.
        game = set_up(RULES, piles)
        verdict = solved(game)
        seen[verdict.kind] += 1
        assert verdict.kind == ("won" if is_winnable(game) else "unwinnable")
        assert verdict.kind == "unwinnable" or won_by(game, verdict)

    compare()
    assert min(seen["won"], seen["unwinnable"]) > 10, seen


def test_full_foundations_decide_which_colour_builds_up() -> None:
    """Red is built down, so black must be built up, but these cards allow only down."""
    game = position(BLACK_GOES_DOWN + "; f2: KH-AH; f3: KD-AD", "little-spider", undo="off")
    assert solved(game).kind == "unwinnable"


@pytest.mark.interpreted
def test_dropped_positions_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one colour the game is lost at once; what the other one leaves out may still win."""
    game = position(BLACK_GOES_DOWN + "; u2: KH-AH; u3: KD-AD", "little-spider", undo="off")
    assert solve(game, budget=10_000).kind == "won"
    for search in ("win_from", "exhaust"):
        monkeypatch.setattr(PileSearch, search, lambda *_: None)
    assert solve(game, budget=10_000).kind == "unknown"


def test_a_narrow_search_of_the_plays_before_a_deal_proves_nothing() -> None:
    game = dealt("little-spider", 1, score="cards")
    piles = Piles(PILE_WEIGHTS, red_up=False, noise=0, seed=0)
    search = PileSearch(piles, 1, Budget(10**6))
    search.starts(*split_piles(piles_of(game)))
    assert search.exhaust([], 10) is None
    assert not search.is_lost
