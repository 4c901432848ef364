"""Reviews: the final line of a game, and the search for the last win on it."""

from collections.abc import Callable

import pytest

from protocol.vocabulary import Outcome
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, ActionKind, kind
from server.games.game import Game
from server.solver.reviews import Budgets, Reviewed, final_line, review
from server.solver.solve import Verdict, solve
from tests.games.positions import dealt
from tests.present import present

ONE_PASS = Budgets(passes=(10,), acts=10)


def game_of(acts: int, number: int = 1) -> tuple[Game, list[Action]]:
    """Return a deal, and a log of this many acts that turn up cards now and then."""
    deal = dealt("spider-1", number, undo="any")
    game = deal.copy()
    while game.at < acts:
        legal = game.legal_actions()
        moves = [each for each in legal if kind(each) is ActionKind.MOVE]
        turning = [each for each in moves if game.copy().apply(each).turned]
        game.apply((turning or [each for each in legal if each == DEAL] or moves)[0])
    return deal, list(game.log)


def after(deal: Game, log: list[Action]) -> Game:
    game = deal.copy()
    for action in log:
        game.replay(action)
    return game


def known_until(last: int, lost: int = 1_000) -> Callable[[Game, int], Verdict]:
    """Return a solver that knows a win up to entry `last`, and a proof from `lost` on."""

    def solve(game: Game, _budget: int) -> Verdict:
        if game.at <= last:
            return Verdict("won", (DEAL,), 1)
        return Verdict("unwinnable" if game.at >= lost else "unknown", (), 1)

    return solve


def test_undone_acts_are_not_on_the_final_line() -> None:
    deal, (one, two, three) = game_of(3)
    line = final_line(deal, [one, two, UNDO, UNDO, REDO, REDO, UNDO, two, three, UNDO])
    assert line.acts == (one, two)
    assert line.made_at == (4, 7, 10)
    line = final_line(deal, [one, two, three, UNDO, UNDO, REDO, REDO])
    assert (line.acts, line.made_at) == ((one, two, three), (0, 5, 6, 7))
    assert final_line(deal, []).acts == ()
    assert final_line(deal, []).made_at == (0,)


def test_turning_positions_come_after_a_turned_card_or_a_deal() -> None:
    deal, log = game_of(40)
    game, expected = deal.copy(), {0, 40}
    for at, action in enumerate(log, 1):
        if game.replay(action).turned or action == DEAL:
            expected.add(at)
    assert final_line(deal, log).turning_points == tuple(sorted(expected))
    assert DEAL in log


@pytest.mark.parametrize("last", [0, 1, 17, 29, 39])
def test_the_last_position_with_a_known_win_is_found(last: int) -> None:
    deal, log = game_of(40)
    found = review(deal, log, known_until(last), budgets=ONE_PASS)
    assert (found.known_at, found.is_known_to_the_end) == (last, False)
    assert (found.line, found.lost_at) == ((DEAL,), None)
    assert found.judged <= 16


def test_a_win_may_be_known_to_the_end_or_never() -> None:
    deal, log = game_of(20)
    found = review(deal, log, known_until(20), budgets=ONE_PASS)
    assert (found.known_at, found.is_known_to_the_end, found.lost_at) == (20, True, None)
    found = review(deal, log, known_until(-1), budgets=ONE_PASS)
    assert found == Reviewed(None, False, (), None, found.judged)
    found = review(deal, log, known_until(7, 8), budgets=ONE_PASS)
    assert (found.known_at, found.lost_at) == (7, 8)
    assert review(deal, log, known_until(-1, 0), budgets=ONE_PASS).lost_at == 0
    # A known line that does not win is no win, and a review without acts judges the deal.
    assert review(deal, log, known_until(-1), known_win=log[:2], budgets=ONE_PASS).known_at is None
    found = review(deal, [], known_until(0), budgets=ONE_PASS)
    assert (found.known_at, found.is_known_to_the_end) == (0, True)


def test_the_game_ends_before_its_last_entry() -> None:
    """A player who stops in a position with a win has not left that position."""
    deal, log = game_of(4)
    full = deal.copy()
    full.max_entries = 4
    for action in log:
        full.apply(action)
    full.apply(FINISH)
    assert full.outcome is Outcome.FINISHED_STUCK
    deal.max_entries = 4
    found = review(deal, list(full.log), known_until(4), budgets=ONE_PASS)
    assert (found.known_at, found.is_known_to_the_end) == (4, True)


def test_later_positions_without_a_verdict_get_larger_budgets() -> None:
    deal, log = game_of(40)
    asked: list[tuple[int, int]] = []

    def solve(game: Game, budget: int) -> Verdict:
        asked.append((game.at, budget))
        is_won = game.at <= (10 if budget < 100 else 30)
        return Verdict("won" if is_won else "unknown", (DEAL,) if is_won else (), budget)

    wide = Budgets(passes=(10, 100), acts=100)
    assert review(deal, log, solve, budgets=wide).known_at == 30
    assert [budget for _, budget in asked] == sorted(budget for _, budget in asked)
    few = Budgets(passes=(10, 100), all_passes=20, acts=10)
    found = review(deal, log, solve, budgets=few)
    assert found.known_at in range(11)
    assert found.judged <= 20 + 10 + 6 * 10


def test_a_win_lasts_as_long_as_the_player_follows_its_line() -> None:
    deal, log = game_of(40)
    way = solve(after(deal, log[:25]), budget=100_000)
    assert way.kind == "won"
    known = [*log[:25], *way.line]
    found = review(deal, log, known_until(-1), known_win=known, budgets=ONE_PASS)
    followed = next(at for at in range(99) if known[at : at + 1] != log[at : at + 1])
    assert found.known_at == followed
    assert found.line == tuple(known[followed:])


def test_the_line_of_a_review_wins_on_the_engine() -> None:
    deal, log = game_of(60, 5)
    undone = [*log[:30], UNDO, UNDO, REDO, REDO, *log[30:]]
    budgets = Budgets(passes=(20_000,), acts=20_000)
    found, again = (
        review(deal, undone, lambda game, most: solve(game, budget=most), budgets=budgets)
        for _ in range(2)
    )
    assert again == found
    game = after(deal, undone[: present(found.known_at)])
    for action in found.line:
        game.apply(action)
    assert game.outcome is Outcome.WON
