"""The hints: their moves, their independence of hidden cards, and the end of hinted games."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.vocabulary import HintReason, Outcome
from server.games.actions import DEAL, FINISH, ActionKind, format_action, kind
from server.games.deals import set_up
from server.games.game import Game
from server.games.hints import find_hint, reason_of
from tests.games.positions import ALL_ON_TABLE, dealt, piles_of, position, twin
from tests.games.walks import Start, starts, walk
from tests.present import present

CHOICES = st.lists(st.integers(0, 1 << 16), max_size=60)


def hint_text(game: Game) -> str:
    """Return the hint as text, empty if there is none."""
    action = find_hint(game)
    return "" if action is None else format_action(action, game.variant.pile_names)


@pytest.mark.parametrize(
    ("text", "settings", "hinted"),
    [
        # Better moves come first.
        ("t0: 2S KS-AS; t1: 4H; t2: 9C 3H", {}, "remove t0"),
        ("t0: KS-6S; t1: [2C] 5S-AS; t2: 4H; t3: [9C] 3H", {}, "t1x5-t0"),
        ("t0: KS-6S; t1: 2C 8S-AS; t2: 4H; t3: [9C] 3H", {}, "t1x5-t0"),
        ("t0: 9C 3H; t1: 4H; t2: [9D] 3H", {}, "t2x1-t1"),
        ("t0: 4S 3H; t1: 4H; t2: 9C 3H", {}, "t2x1-t1"),
        ("t0: 4S 3H; t1: 4H; t2: [9C] 3D", {}, "t0x1-t1"),
        ("t0: [9C] 3D; t1: 4H; t2: 9C 3S", {}, "t0x1-t1"),
        ("t0: [9D 8D] 3D; t1: 4H; t2: [9C] 3S", {}, "t2x1-t1"),
        ("t0: 3S; t1: 4H; t2: 9C 3D", {}, "t0x1-t1"),
        ("t0: 9C 3S; t1: 4H; t2: [9D] KD", {}, "t0x1-t1"),
        ("t0: 9C 3S; t1: [9D] QD; t2: [9D] QS", {}, "t1x1-t3"),
        ("t0: 9C 3S; t1: 9D KD", {}, "t1x1-t2"),
        # The longer run is the better target.
        ("t0: 9H 3S; t1: 4S; t2: 5S 4S", {}, "t0x1-t2"),
        # Some moves only look like progress.
        ("t0: 4S 3H; t1: 4D; t2: KH", {}, ""),
        ("t0: KH-9H; t1: 8C; t2: JD", {}, "t1x1-t0"),
        ("t0: TH", {}, ""),
        # Hints never use exceptions.
        ("t0: KC 5D 4S 3H; t1: 6C; t2: KH", {"exceptions": "easy"}, ""),
        # A deal is the last resort; columns are filled for it.
        ("t0: KS-4S; t1: 9H; stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("t0: KS; t1: 9H; stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("t0: KS-9S; t1: KH QS-TS; t2: KD; t3: KC; stock: [AS AH]", {}, "t1x3-t4"),
        ("t0: KS-9S; t1: KH-TH; t2: KD; t3: KC; stock: [AS AH]", {}, "t1x1-t4"),
        ("t0: KS-9S; t1: KH; stock: [AS AH]", {}, ""),
        # There are just enough cards to fill every column, or one too few.
        ("t0: KS-5S; t1: KH; stock: [AS AH]", {}, "t0x1-t2"),
        ("t0: KS-6S; t1: KH; stock: [AS AH]", {}, ""),
        ("t0: KS-5S; t1: KH; stock: [AS]", {}, "t0x1-t2"),
    ],
)
def test_a_hint_is_the_best_visible_move(text: str, settings: dict[str, Any], hinted: str) -> None:
    assert hint_text(position(text, **settings)) == hinted


@pytest.mark.parametrize(
    ("game", "text", "reason"),
    [
        ("spider-4", "t0: 2S KS-AS; t1: 4H; t2: 9C 3H", "removes_suit"),
        ("spider-4", "t0: KS-6S; t1: [2C] 5S-AS; t2: 4H", "completes_suit"),
        ("spider-4", "t0: 9C 3H; t1: 4H; t2: [9D] 3H", "turns_card"),
        ("spider-4", "t0: 9C 3S; t1: [9D] QD; t2: [9D] QS", "turns_card"),
        ("spider-4", "t0: 4S 3H; t1: 4H; t2: 9C 3H", "joins_suit"),
        ("spider-4", "t0: 3S; t1: 4H; t2: 9C 3D", "empties_column"),
        ("spider-4", "t0: 9C 3S; t1: 9D KD", "frees_card"),
        ("spider-4", "t0: KS-9S; t1: KH-TH; t2: KD; t3: KC; stock: [AS AH]", "fills_column"),
        ("spider-4", ALL_ON_TABLE, "wins"),
        ("little-spider", "u0: 9S; stock: [AS]", "deals"),
        ("little-spider", "u0: AS", "plays_to_foundation"),
        ("little-spider", "u0: AS 9H; u1: TD", "uncovers_next"),
    ],
)
def test_a_hint_gives_its_reason(game: str, text: str, reason: str) -> None:
    table = position(text, game)
    assert reason_of(table, present(find_hint(table))) is HintReason(reason)


FULL = "t3: KC; t4: KC; t5: KD; t6: KD; t7: KH; t8: KH; t9: KS; stock: [AS AS AS AS AS AS AS AS]"


def test_a_column_is_emptied_before_a_deal_only_if_the_space_is_useful() -> None:
    assert hint_text(position(f"t0: 3S; t1: 4H; t2: KC 7D; {FULL}")) == "t0x1-t1"
    assert hint_text(position(f"t0: 3S; t1: 4H; t2: KC QC; {FULL}")) == "deal"
    assert hint_text(position(f"t0: 3S; t1: 9C 4H; t2: KC QC; {FULL}")) == "deal"
    assert hint_text(position(f"t0: 3S; t1: 9C 4S; t2: KC QC; {FULL}")) == "t0x1-t1"
    relaxed = position(f"t0: 3S; t1: 4S; t2: KC QC; {FULL}", relaxed_deal=True)
    assert hint_text(relaxed) == "t0x1-t1"


def test_the_hint_of_a_won_game_is_to_finish() -> None:
    assert hint_text(position(ALL_ON_TABLE)) == "finish"
    assert hint_text(position(ALL_ON_TABLE, score="cards")) == "remove t0"


def test_no_hint_is_given_when_no_move_is_left() -> None:
    game = position("t0: KS-AS")
    assert hint_text(game) == "finish"
    game.apply(FINISH)
    assert game.outcome is Outcome.WON
    assert hint_text(game) == ""
    assert hint_text(position("t0: 9H; " + "; ".join(f"t{i}: 9H" for i in range(1, 10)))) == ""


@pytest.mark.parametrize(
    ("text", "hinted"),
    [
        ("u0: 9H AS; l1: KD; stock: [2S]", "u0x1-f0"),
        ("u0: 9H AS; l0: 2S; l1: 7D; f0: AS; stock: [2S]", "l0x1-f0"),
        ("u0: 9H; l0: 7D; f0: AS; stock: [2S]", "deal"),
        # With an empty stock the nearest card that a foundation accepts is uncovered.
        ("u0: 2S 9H; u1: TD; l0: 2H KC; l1: QC; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H 5D; u1: 4C 6C; u2: 2C TD; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H; u1: 2C TD; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H; u1: 6D; f0: AS; f1: AC", ""),
        ("u0: 2S 9H; u1: 2C TD; u2: TS; f0: AS; f1: AC", "u0x1-u2"),
    ],
)
def test_little_spider_hints_prefer_foundations_then_deals(text: str, hinted: str) -> None:
    assert hint_text(position(text, "little-spider")) == hinted


@given(starts(), CHOICES)
def test_hints_are_legal_and_cost_nothing(start: Start, choices: list[int]) -> None:
    game = start()
    for action in walk(game, choices):
        game.apply(action)
    hinted = find_hint(game)
    if hinted is None:
        assert DEAL not in game.legal_actions()
        return
    assert hinted in game.legal_actions()
    assert kind(hinted) not in {ActionKind.UNDO, ActionKind.REDO}
    before = game.counts.exceptions
    game.apply(hinted)
    assert game.counts.exceptions == before
    assert game.outcome is not Outcome.FINISHED_STUCK


@given(starts(), CHOICES)
def test_games_that_follow_hints_end(start: Start, choices: list[int]) -> None:
    """No position repeats, so the game ends."""
    game = start()
    for action in walk(game, choices):
        game.apply(action)
    seen = {game.key()}
    while (hinted := find_hint(game)) is not None:
        game.apply(hinted)
        assert game.key() not in seen or game.outcome
        seen.add(game.key())


@given(starts(), CHOICES, st.randoms(use_true_random=False))
def test_hidden_cards_do_not_change_the_hint(
    start: Start, choices: list[int], entropy: random.Random
) -> None:
    game = start()
    for action in walk(game, choices):
        game.apply(action)
    assert find_hint(twin(game, entropy)) == find_hint(set_up(game.rules, piles_of(game)))


def test_hints_alone_win_some_easy_games() -> None:
    won = 0
    for number in range(1, 11):
        game = dealt("spider-1", number)
        while (action := find_hint(game)) is not None:
            game.apply(action)
        won += game.outcome is Outcome.WON
    assert won >= 5
