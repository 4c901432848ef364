"""Hints: what is advised, from how much knowledge, and that following them comes to an end."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.vocabulary import Outcome
from server.games.actions import DEAL, FINISH, Kind, format_action, kind
from server.games.cards import PileState
from server.games.catalogue import variant_of
from server.games.game import Game
from server.games.hints import find_hint
from tests.games.positions import ALL_ON_TABLE, dealt, position
from tests.games.test_properties import Start, _walk, starts

CHOICES = st.lists(st.integers(0, 1 << 16), max_size=60)


def told(game: Game) -> str:
    """What is advised, as text; nothing is the empty one."""
    action = find_hint(game)
    return "" if action is None else format_action(action, game.variant.pile_names)


@pytest.mark.parametrize(
    ("text", "settings", "advised"),
    [
        # What is better comes first.
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
        # Of two places the one in the longer run.
        ("t0: 9H 3S; t1: 4S; t2: 5S 4S", {}, "t0x1-t2"),
        # What only looks like progress.
        ("t0: 4S 3H; t1: 4D; t2: KH", {}, ""),
        ("t0: KH-9H; t1: 8C; t2: JD", {}, "t1x1-t0"),
        ("t0: TH", {}, ""),
        # Exceptions are never asked for.
        ("t0: KC 5D 4S 3H; t1: 6C; t2: KH", {"exceptions": "easy"}, ""),
        # A deal, once it is all that is left; a column is filled for it.
        ("t0: KS-4S; t1: 9H; stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("t0: KS; t1: 9H; stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("stock: [AS]", {"relaxed_deal": True}, "deal"),
        ("t0: KS-9S; t1: KH QS-TS; t2: KD; t3: KC; stock: [AS AH]", {}, "t1x3-t4"),
        ("t0: KS-9S; t1: KH-TH; t2: KD; t3: KC; stock: [AS AH]", {}, "t1x1-t4"),
        ("t0: KS-9S; t1: KH; stock: [AS AH]", {}, ""),
        # Just enough cards to fill every column, or one too few; a single card to deal.
        ("t0: KS-5S; t1: KH; stock: [AS AH]", {}, "t0x1-t2"),
        ("t0: KS-6S; t1: KH; stock: [AS AH]", {}, ""),
        ("t0: KS-5S; t1: KH; stock: [AS]", {}, "t0x1-t2"),
    ],
)
def test_the_best_that_is_in_sight_is_advised(
    text: str, settings: dict[str, Any], advised: str
) -> None:
    assert told(position(text, **settings)) == advised


FULL = "t3: KC; t4: KC; t5: KD; t6: KD; t7: KH; t8: KH; t9: KS; stock: [AS AS AS AS AS AS AS AS]"


def test_a_column_is_emptied_before_a_deal_only_if_the_space_is_of_use() -> None:
    assert told(position(f"t0: 3S; t1: 4H; t2: KC 7D; {FULL}")) == "t0x1-t1"
    assert told(position(f"t0: 3S; t1: 4H; t2: KC QC; {FULL}")) == "deal"
    assert told(position(f"t0: 3S; t1: 9C 4H; t2: KC QC; {FULL}")) == "deal"
    assert told(position(f"t0: 3S; t1: 9C 4S; t2: KC QC; {FULL}")) == "t0x1-t1"
    assert told(position(f"t0: 3S; t1: 4S; t2: KC QC; {FULL}", relaxed_deal=True)) == "t0x1-t1"


def test_a_game_that_is_won_is_finished() -> None:
    assert told(position(ALL_ON_TABLE)) == "finish"
    assert told(position(ALL_ON_TABLE, score="cards")) == "remove t0"


def test_where_nothing_is_left_nothing_is_advised() -> None:
    game = position("t0: KS-AS")
    assert told(game) == "finish"
    game.apply(FINISH)
    assert game.outcome is Outcome.WON
    assert told(game) == ""
    assert told(position("t0: 9H; " + "; ".join(f"t{i}: 9H" for i in range(1, 10)))) == ""


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        ("u0: 9H AS; l1: KD; stock: [2S]", "u0x1-f0"),
        ("u0: 9H AS; l0: 2S; l1: 7D; f0: AS; stock: [2S]", "l0x1-f0"),
        ("u0: 9H; l0: 7D; f0: AS; stock: [2S]", "deal"),
        # Nothing is hidden any more: the nearest of the cards that are wanted is dug out.
        ("u0: 2S 9H; u1: TD; l0: 2H KC; l1: QC; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H 5D; u1: 4C 6C; u2: 2C TD; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H; u1: 2C TD; f0: AS; f1: AC", "u0x1-u1"),
        ("u0: 2S 9H; u1: 6D; f0: AS; f1: AC", ""),
        ("u0: 2S 9H; u1: 2C TD; u2: TS; f0: AS; f1: AC", "u0x1-u2"),
    ],
)
def test_little_spider_plays_home_then_deals_then_digs(text: str, advised: str) -> None:
    assert told(position(text, "little-spider")) == advised


@given(starts(), CHOICES)
def test_advice_is_legal_and_costs_nothing(start: Start, choices: list[int]) -> None:
    game = start()
    for action in _walk(game, choices):
        game.apply(action)
    advised = find_hint(game)
    if advised is None:
        assert DEAL not in game.legal_actions()
        return
    assert game.is_legal(advised)
    assert kind(advised) not in {Kind.UNDO, Kind.REDO}
    before = game.counts.exceptions
    game.apply(advised)
    assert game.counts.exceptions == before
    assert game.outcome is not Outcome.FINISHED_STUCK


@given(starts(), CHOICES)
def test_following_hints_comes_to_an_end(start: Start, choices: list[int]) -> None:
    """Every position on the way is a new one, so the way has an end."""
    game = start()
    for action in _walk(game, choices):
        game.apply(action)
    seen = {game.key()}
    while (advised := find_hint(game)) is not None:
        game.apply(advised)
        assert game.key() not in seen or game.outcome
        seen.add(game.key())


@given(starts(), CHOICES, st.randoms(use_true_random=False))
def test_what_cannot_be_seen_makes_no_difference(
    start: Start, choices: list[int], chance: random.Random
) -> None:
    """The same table over other hidden cards gets the same advice."""
    game = start()
    for action in _walk(game, choices):
        game.apply(action)
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    hidden = [card for pile in piles for card in pile.cards[: pile.down]]
    chance.shuffle(hidden)
    mixed = [
        PileState(pile.down, (*(hidden.pop() for _ in range(pile.down)), *pile.cards[pile.down :]))
        for pile in piles
    ]
    other = variant_of(game.variant.id).set_up(game.rules, mixed)
    same = variant_of(game.variant.id).set_up(game.rules, piles)
    assert find_hint(other) == find_hint(same)


def test_hints_alone_win_some_easy_games() -> None:
    """They are no player, but they are of use."""
    won = 0
    for number in range(1, 11):
        game = dealt("spider-1", number)
        while (action := find_hint(game)) is not None:
            game.apply(action)
        won += game.outcome is Outcome.WON
    assert won >= 5
