"""One attempt, on positions that a reader can see through."""

import pytest

from server.games.actions import DEAL, Action, format_action
from server.games.cards import PileState, parse_cards
from server.solver.beam import Attempt, Beam
from server.solver.budgets import ASKED_EVERY, Budget
from server.solver.verdicts import never
from server.solver.weights import WEIGHTS

NAMES = [f"t{place}" for place in range(10)]


def search(
    *texts: str, deals: tuple[str, ...] = (), relaxed: bool = False, pruned: bool = True
) -> list[str] | None:
    """Return the actions with which a beam wins from columns whose cards lie face up."""
    beam = Beam(
        WEIGHTS["spiderette-4"],
        Attempt(20, 0, pruned),
        Budget(50_000, never),
        seed=0,
        relaxed=relaxed,
    )
    piles = [PileState(0, parse_cards(text)) for text in texts]
    actions = beam.search(piles, [bytes(parse_cards(text)) for text in deals])
    if actions is None:
        return None
    return [format_action(Action(action), NAMES) for action in actions]


def test_a_run_that_completes_its_suit_wins() -> None:
    assert search("KS-5S", "4S-AS") == ["t1x4-t0"]


def test_an_empty_table_is_won_without_an_action() -> None:
    assert search("KS-AS", "") == []


def test_a_position_without_moves_is_not_won() -> None:
    assert search("KS-5S AS", "4S 2S", "3S 5H") is None


def test_a_deal_completes_suits() -> None:
    assert search("KS-2S", "KH-2H", deals=("AS AH",)) == ["deal"]


def test_spaces_are_filled_before_a_deal() -> None:
    found = search("KS-3S", "KH-2H", "", deals=("2S AH AS",))
    assert found is not None
    assert found.index("deal") > 0


def test_spaces_stay_empty_where_the_rules_allow_it() -> None:
    found = search("KS-2S", "KH-2H", "", deals=("AS AH",), relaxed=True)
    assert found == ["deal"]


def test_too_few_cards_cannot_be_dealt_to() -> None:
    assert search("2S", "", "", deals=("AS AS AS",)) is None
    assert search("KS", "", "", deals=("QS AS AS",)) is None


@pytest.mark.parametrize("pruned", [True, False])
def test_cards_can_be_moved_out_of_the_way(pruned: bool) -> None:
    found = search("KS-5S KH-AH 2S", "4S 3S", "AS", "", pruned=pruned)
    assert found is not None


def test_a_budget_ends_when_it_is_spent() -> None:
    budget = Budget(10, never)
    assert budget.is_left()
    budget.spent = 10
    assert not budget.is_left()


def test_a_budget_asks_whether_to_stop_now_and_then() -> None:
    answers = [False, True]
    budget = Budget(10**9, lambda: answers.pop(0))
    assert budget.is_left()
    budget.spent = ASKED_EVERY - 1
    assert budget.is_left()
    budget.spent = ASKED_EVERY
    assert not budget.is_left()
    budget.spent = 3 * ASKED_EVERY
    assert not budget.is_left()
    assert not answers


def test_a_deal_action_is_the_one_of_the_rules() -> None:
    assert format_action(DEAL, NAMES) == "deal"
