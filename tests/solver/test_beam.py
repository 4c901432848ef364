"""One attempt, on positions that a reader can see through."""

import pytest

from server.games.actions import Action, format_action
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


@pytest.mark.parametrize(
    ("columns", "deals", "relaxed", "line"),
    [
        (["KS-5S", "4S-AS"], (), False, ["t1x4-t0"]),
        (["KS-AS", ""], (), False, []),
        (["KS-5S AS", "4S 2S", "3S 5H"], (), False, None),
        (["KS-2S", "KH-2H"], ("AS AH",), False, ["deal"]),
        # Spaces stay empty where the rules allow it.
        (["KS-2S", "KH-2H", ""], ("AS AH",), True, ["deal"]),
        # Too few cards cannot be dealt to.
        (["2S", "", ""], ("AS AS AS",), False, None),
        (["KS", "", ""], ("QS AS AS",), False, None),
    ],
)
def test_a_line_is_found_if_there_is_one(
    columns: list[str], deals: tuple[str, ...], relaxed: bool, line: list[str] | None
) -> None:
    assert search(*columns, deals=deals, relaxed=relaxed) == line


def test_spaces_are_filled_before_a_deal() -> None:
    found = search("KS-3S", "KH-2H", "", deals=("2S AH AS",))
    assert found is not None
    assert found.index("deal") > 0


@pytest.mark.parametrize("pruned", [True, False])
def test_cards_can_be_moved_out_of_the_way(pruned: bool) -> None:
    found = search("KS-5S KH-AH 2S", "4S 3S", "AS", "", pruned=pruned)
    assert found is not None


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
