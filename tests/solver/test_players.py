"""Computer players choose only by the cards that they see, and stop in the end."""

import random
from collections.abc import Sequence
from typing import get_args

import pytest

from protocol.games import GameId
from protocol.vocabulary import BotLevel, Outcome
from server.games.actions import DEAL, FINISH, ActionKind, kind, move
from server.games.game import Game
from server.games.rules import Rules
from server.solver.endings import DeadEndSearch
from server.solver.plans import PlanSearch
from server.solver.players import BEGINNER_WEIGHTS, Planner, Strength, player_of
from tests.games.positions import position, twin
from tests.solver.test_dead_ends import DEAD
from tests.solver.visible_games import dealt, rules_of, visible

QUICK: tuple[BotLevel, ...] = ("beginner", "club")
LONGEST = 600
"""No game of a computer player has come close to this many acts."""


def acts_from(game: Game, level: BotLevel = "beginner") -> Game:
    """Return the game after all acts of a player; each choice must be legal."""
    player = player_of(level, game.variant.id)
    while game.outcome is None:
        legal = game.legal_actions()
        action = player.choose(visible(game), legal)
        if action is None:
            break
        assert action in legal
        game.apply(action)
        assert game.at < LONGEST
    return game


def play(level: BotLevel, rules: Rules, number: int) -> Game:
    """Return the game of a computer player at its end."""
    return acts_from(dealt(rules, number), level)


@pytest.mark.parametrize("level", QUICK)
@pytest.mark.parametrize("game", get_args(GameId))
def test_every_game_ends(game: GameId, level: BotLevel) -> None:
    for number in range(2):
        assert play(level, rules_of(game), number).at > 0


@pytest.mark.parametrize("level", QUICK)
def test_players_follow_the_rules_for_removals_and_deals(level: BotLevel) -> None:
    for number in range(2):
        for relaxed in (True, False):
            game = play(level, rules_of("spider-1", auto_remove=False, relaxed=relaxed), number)
            assert game.counts.stock == 0 or game.outcome is not None


@pytest.mark.parametrize("level", QUICK)
@pytest.mark.parametrize("game", ["spider-1", "spider-2", "spiderette-4", "little-spider"])
def test_a_player_stops_only_if_no_moves_gain_anything(game: GameId, level: BotLevel) -> None:
    """Regression: it gave up when it saw no good move, with most suits home and cards to turn."""
    for number in range(3):
        at_end = play(level, rules_of(game), number)
        search = DeadEndSearch(at_end, max_positions=20_000)
        for _ in search.steps():
            pass
        assert at_end.outcome is not None or (search.is_dead and not search.gain)


def test_pairs_are_made_before_a_player_stops_if_they_count() -> None:
    no_plans = PlanSearch(width=1, patience=0)
    for score, made in (("woods", move(1, 1, 3)), ("cards", None)):
        game = position(DEAD, undo="off", score=score)
        player = Planner(Strength(no_plans, no_plans, BEGINNER_WEIGHTS))
        assert player.choose(visible(game), game.legal_actions()) == made
        if made is not None:
            game.apply(made)
        assert player.choose(visible(game), game.legal_actions()) is None


def test_an_exception_is_made_only_if_nothing_else_turns_a_card_up() -> None:
    text = DEAD.replace("[9H] 2S", "[2H] TD 9S").replace("t2: JD 5D", "t2: 2D JD")
    for exceptions in ("easy", "hard"):
        game = acts_from(position(text, undo="off", score="dos", exceptions=exceptions))
        assert game.counts.exceptions == 1
        assert not game.counts.face_down
    assert acts_from(position(text, undo="off")).counts.face_down


@pytest.mark.night  # it plays 78 games
@pytest.mark.parametrize(
    ("game", "numbers", "least"),
    [("spider-1", range(42, 48), (2, 4, 6)), ("little-spider", range(20), (3, 5, 12))],
)
def test_a_stronger_player_wins_more_of_the_same_deals(
    game: GameId, numbers: Sequence[int], least: tuple[int, int, int]
) -> None:
    won = [
        sum(play(level, rules_of(game), number).outcome is Outcome.WON for number in numbers)
        for level in get_args(BotLevel)
    ]
    assert sorted(set(won)) == won
    assert all(n >= least_n for n, least_n in zip(won, least, strict=True)), won


@pytest.mark.parametrize("level", get_args(BotLevel))
def test_little_spider_goes_on_for_an_empty_foundation(level: BotLevel) -> None:
    """Regression: a ten on a knave uncovers the ace of diamonds, and the player gave up."""
    text = """
        u0: 2S 9D 9H JH AS 3D JC; u1: 4S JD KH 7C 6D QD KD AC; u3: 2D TH
        u2: 3H 5H 6H 6C 8D TD 6S 7H 8C 7D
        l0: 8H 4H QH 3S 4C 3C; l1: 7S 9C; l2: QC 8S 2C 5S AD TC; l3: 5D 4D 5C
        f0: AH 2H; f2: KS QS JS TS 9S; f3: KC
    """
    game = position(text, "little-spider", undo="off")
    assert acts_from(game, level).counts.home == 10


def test_an_expert_does_not_look_for_a_win_while_a_card_lies_face_down() -> None:
    """It plans: the king's run makes way for three cards. All cards face up would make a suit."""
    text = "t2: JS TS 9S 8S 3S 2S AS KS QS; t3: [9S] 7S 6S 5S 4S"
    game = position(text, "spider-1", undo="off")
    player = player_of("expert", "spider-1")
    assert player.choose(visible(game), game.legal_actions()) == move(2, 2, 0)


@pytest.mark.parametrize("level", get_args(BotLevel))
def test_hidden_cards_do_not_affect_the_choice(level: BotLevel) -> None:
    """Swap cards that nobody has seen, in the columns and in the stock."""
    chance = random.Random(1)
    for number in range(2):
        game = dealt(rules_of("spiderette-2"), number)
        player = player_of("club", game.variant.id)
        for _ in range(6):
            other, legal = twin(game, chance), game.legal_actions()
            assert visible(other) == visible(game)
            fresh = [player_of(level, game.variant.id) for _ in range(2)]
            one, same = (
                each.choose(visible(at), legal)
                for each, at in zip(fresh, (game, other), strict=True)
            )
            assert one == same
            action = player.choose(visible(game), legal)
            if action is None:
                break
            game.apply(action)


@pytest.mark.parametrize("number", [26, 37])
def test_no_plan_leaves_too_few_cards_to_deal(number: int) -> None:
    """Regression: five suits were home in these deals, and the stock could not be dealt."""
    game = play("club", rules_of("spider-1"), number)
    assert game.outcome is Outcome.WON or not game.counts.stock


def test_a_game_that_can_be_finished_is_finished() -> None:
    game = dealt(rules_of("spider-1"), 1)
    player = player_of("beginner", "spider-1")
    assert player.choose(visible(game), (DEAL, FINISH)) == FINISH
    assert all(kind(each) is not ActionKind.FINISH for each in game.legal_actions())


def test_an_expert_finishes_a_game_and_chooses_at_once_in_a_hurry() -> None:
    assert play("expert", rules_of("spiderette-1"), 3).at > 40
    game = dealt(rules_of("spider-4"), 3)
    expert = player_of("expert", "spider-4")
    for _ in range(10):
        action = expert.choose(visible(game), game.legal_actions(), hurry=True)
        assert action is not None
        game.apply(action)


def test_an_expert_wins_by_a_search_once_all_cards_are_seen() -> None:
    game = position("t0: KS JS QS TS 8S 9S 7S 5S 6S 4S 2S 3S AS", "spider-1", undo="off")
    assert acts_from(game, "expert").outcome is Outcome.WON
