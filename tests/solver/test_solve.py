import sys
from array import array
from itertools import product
from typing import get_args
from zlib import crc32

import pytest

from protocol.games import GAMES
from protocol.vocabulary import Layout, Outcome, UndoPolicy
from server.games.actions import FINISH, UNDO, Action, ActionKind, format_action, kind
from server.games.cards import Card, PileState
from server.games.deals import new_game, replay, secret_deck
from server.games.game import Game
from server.games.rules import Rules
from server.solver.beam import ASKED_EVERY, Attempt, Beam, Budget
from server.solver.columns import COLUMN_WEIGHTS
from server.solver.solve import Verdict, exhaust, solve
from tests.games.positions import piles_of, position
from tests.games.texts import cards_of
from tests.games.wins import SEED, one_suit_win

BUDGET = 100_000


def deck_of(game: str, number: int) -> tuple[Card, ...]:
    """Return the deck of a deal of the benchmark."""
    return secret_deck(game, number.to_bytes(16, "big"))


def spiderette(*columns: str) -> Game:
    """Return a game of Spiderette with these columns."""
    text = "; ".join(f"t{place}: {cards}" for place, cards in enumerate(columns))
    return position(text, "spiderette-4")


def won_by(game: Game, verdict: Verdict) -> bool:
    """Return whether the engine takes the line of a verdict and the game is won by it."""
    twin = game.copy()
    for action in verdict.line:
        twin.apply(action)
    return verdict.kind == "won" and twin.outcome is Outcome.WON


def test_a_game_that_is_won_has_an_empty_line() -> None:
    game = replay(Rules("spider-1"), secret_deck("spider-1", SEED), one_suit_win())
    assert solve(game, budget=1000) == Verdict("won", (), 0)


@pytest.mark.parametrize(
    ("auto_remove", "relaxed_deal", "undo", "layout"),
    [
        *product((False, True), (False, True), ["no_reveal"], ("left4", "spread")),
        *((True, False, undo, "left4") for undo in get_args(UndoPolicy)),
    ],
)
def test_a_line_wins_under_the_settings_of_its_room(
    auto_remove: bool, relaxed_deal: bool, undo: UndoPolicy, layout: Layout
) -> None:
    rules = Rules("spider-1", layout, auto_remove, relaxed_deal, undo)
    deck = deck_of("spider-1", 5)
    verdict = solve(new_game(rules, deck), budget=BUDGET)
    assert won_by(new_game(rules, deck), verdict)
    kinds = [kind(action) for action in verdict.line]
    assert kinds.count(ActionKind.REMOVE) == (0 if auto_remove else 8)
    assert FINISH not in verdict.line
    assert UNDO not in verdict.line


def test_one_line_serves_both_removal_settings_and_all_undo_policies() -> None:
    deck = deck_of("spiderette-2", 2)
    lines: set[tuple[Action, ...]] = set()
    for auto_remove, undo in product((False, True), get_args(UndoPolicy)):
        rules = Rules("spiderette-2", auto_remove=auto_remove, undo=undo)
        line = solve(new_game(rules, deck), budget=BUDGET).line
        lines.add(tuple(action for action in line if kind(action) is not ActionKind.REMOVE))
    assert len(lines) == 1


@pytest.mark.parametrize(
    ("game", "number", "expected"),
    [
        ("spider-1", 1, ("won", 9649, 2794605926)),
        ("spider-2", 1, ("won", 7022, 2119211696)),
        ("spider-4", 36, ("won", 11409, 3043531063)),
        ("spider-4", 0, ("unknown", 102348, 0)),
        ("spiderette-1", 2, ("won", 4922, 2928734403)),
        ("spiderette-2", 2, ("won", 4453, 100622285)),
        ("spiderette-4", 40, ("unwinnable", 51727, 0)),
        ("little-spider", 1, ("won", 22179, 121937464)),
        ("little-spider", 83, ("unwinnable", 195, 0)),
    ],
)
def test_verdicts_are_the_same_on_every_machine_and_when_compiled(
    game: str, number: int, expected: tuple[str, int, int]
) -> None:
    """Each verdict is pinned: its kind, how many positions it judged, and a checksum of its line.

    A change of the search changes these numbers. `tests/compiled.py` runs this test too.
    """
    rules = Rules(game, score=GAMES[game].scores[0])
    deck = deck_of(game, number)
    verdict = solve(new_game(rules, deck), budget=BUDGET, seed=7)
    assert won_by(new_game(rules, deck), verdict) is (verdict.kind == "won")
    line = array("H", verdict.line)
    if sys.byteorder == "big":
        line.byteswap()
    assert (verdict.kind, verdict.judged, crc32(line.tobytes())) == expected


@pytest.mark.parametrize("budget", [0, 1, 5_000])
def test_a_search_ends_soon_after_its_budget_is_spent(budget: int) -> None:
    verdict = solve(new_game(Rules("spider-4"), deck_of("spider-4", 0)), budget=budget)
    assert verdict.kind == "unknown"
    assert verdict.judged <= budget + 5_000  # it finishes its level or deal first


def test_a_search_stops_on_request() -> None:
    asked: list[bool] = []

    def should_stop() -> bool:
        asked.append(len(asked) == 2)
        return asked[-1]

    deck = deck_of("spider-4", 0)
    verdict = solve(new_game(Rules("spider-4"), deck), budget=10**9, should_stop=should_stop)
    assert verdict.kind == "unknown"
    assert asked == [False, False, True]
    assert verdict.judged < 20_000


def test_a_budget_checks_for_a_stop_now_and_then() -> None:
    answers = [False, True]
    budget = Budget(10**9, lambda: answers.pop(0))
    for spent, is_left in ((0, True), (ASKED_EVERY - 1, True), (ASKED_EVERY, False)):
        budget.spent = spent
        assert budget.is_left() is is_left
    budget.spent = 3 * ASKED_EVERY
    assert not budget.is_left()
    assert not answers


@pytest.mark.parametrize(
    ("columns", "stock", "relaxed", "line"),
    [
        (["KS-5S", "4S-AS"], "", False, ["t1x4-t0"]),
        # Where the rules allow it, spaces stay empty. Elsewhere they are filled before a deal.
        (["KS-2S", "KH-2H", "", "", "", "", ""], "AS AH", True, ["deal"]),
        # Nothing is dealt to fewer cards than columns.
        (["2S", "", ""], "AS AS AS", False, None),
        (["KS", "", ""], "QS AS AS", False, None),
    ],
)
def test_a_short_line_is_found(
    columns: list[str], stock: str, relaxed: bool, line: list[str] | None
) -> None:
    attempt = Attempt(20, 0, pruned=True)
    budget = Budget(50_000)
    beam = Beam(COLUMN_WEIGHTS, attempt, budget, seed=0, relaxed=relaxed)
    piles = [PileState(0, cards_of(text)) for text in columns]
    actions = beam.search(piles, [bytes(cards_of(stock))] if stock else [])
    names = GAMES["spiderette-4"].pile_names
    found = None if actions is None else [format_action(Action(one), names) for one in actions]
    assert found == line


def test_a_won_line_continues_from_the_middle_of_a_game() -> None:
    game = new_game(Rules("spider-1"), secret_deck("spider-1", SEED))
    for action in one_suit_win()[:100]:
        game.apply(action)
    key = game.key()
    verdict = solve(game, budget=BUDGET)
    assert won_by(game, verdict)
    assert game.key() == key


def test_a_game_that_was_given_up_is_judged_like_a_running_one() -> None:
    game = spiderette("KS-2S", "AS", "KH-AH")
    line = solve(game, budget=BUDGET).line
    game.max_entries = 0
    game.apply(FINISH)
    assert solve(game, budget=BUDGET).line == line


def test_a_line_that_does_not_fit_into_the_log_is_not_returned() -> None:
    game = spiderette("KS-3S", "2S", "AS")
    game.max_entries = 1
    assert solve(game, budget=BUDGET).kind == "unknown"
    assert exhaust(game, piles_of(game)[:7], (), Budget(BUDGET)).kind == "unknown"
    game.max_entries = 2
    assert won_by(game, solve(game, budget=BUDGET))


@pytest.mark.parametrize(
    ("columns", "removes_first", "acts"),
    [
        (["KS-AS", "KH-2H", "AH"], True, None),  # a suit that was left on the table
        (["KS-AS", "", "KH-AH"], True, 2),
        (["KS-AS KH", "QH-AH"], False, None),  # a suit under another card
    ],
)
def test_suits_on_the_table_are_removed(
    columns: list[str], removes_first: bool, acts: int | None
) -> None:
    game = spiderette(*columns)
    verdict = solve(game, budget=BUDGET)
    assert won_by(game, verdict)
    assert (kind(verdict.line[0]) is ActionKind.REMOVE) is removes_first
    assert acts in {None, len(verdict.line)}


@pytest.mark.parametrize(
    ("rules", "verdict"),
    [
        (Rules("spiderette-4"), "unwinnable"),
        (Rules("spiderette-4", auto_remove=True), "unwinnable"),
        (Rules("spiderette-4", exceptions="easy"), "unknown"),  # mixed runs are not looked at
    ],
)
def test_a_deal_without_a_win_is_proved_to_be_lost(rules: Rules, verdict: str) -> None:
    assert solve(new_game(rules, deck_of("spiderette-4", 40)), budget=BUDGET).kind == verdict


def test_an_exhaustive_search_finds_a_win() -> None:
    game = spiderette("KS-5S", "4S-2S", "KH-3H AS", "2H AH", "KC-AC", "KD-AD")
    assert won_by(game, exhaust(game, piles_of(game)[:7], (), Budget(BUDGET)))
