"""Computer players: what they choose depends on what they see, and they come to an end."""

import random
from typing import get_args

import pytest

from protocol.games import GAMES, GameId
from protocol.vocabulary import BotLevel, Outcome
from server.games.actions import DEAL, FINISH, ActionKind, kind
from server.games.cards import PileState, parse_card
from server.games.catalogue import set_up
from server.games.game import Game
from server.games.rules import Rules
from server.solver.players import player_of
from tests.solver.visible_games import dealt, rules_of, visible

QUICK: tuple[BotLevel, ...] = ("beginner", "club")
LONGEST = 600
"""The most acts of a computer player's game, far above those of any seen."""


def play(level: BotLevel, rules: Rules, number: int) -> Game:
    """Return the game of a computer player at its end; each choice must be legal."""
    game = dealt(rules, number)
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


@pytest.mark.parametrize("level", QUICK)
@pytest.mark.parametrize("game", get_args(GameId))
def test_every_game_comes_to_an_end(game: GameId, level: BotLevel) -> None:
    for number in range(6):
        assert play(level, rules_of(game), number).at > 0


@pytest.mark.parametrize("level", QUICK)
def test_suits_are_removed_and_cards_are_dealt_as_the_rules_of_the_room_are(
    level: BotLevel,
) -> None:
    for number in range(4):
        for relaxed in (True, False):
            game = play(level, rules_of("spider-1", auto_remove=False, relaxed=relaxed), number)
            assert game.counts.stock == 0 or game.outcome is not None


@pytest.mark.unmeasured
def test_a_stronger_player_wins_more_of_the_same_deals() -> None:
    rules = rules_of("spider-1")
    beginner, club, expert = (
        sum(play(level, rules, number).outcome is Outcome.WON for number in range(42, 48))
        for level in get_args(BotLevel)
    )
    assert beginner < club < expert


def twin(game: Game, shuffling: random.Random) -> Game:
    """Return a game that looks the same to its player, with other cards where nobody has seen."""
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    stock = GAMES[game.variant.id].columns
    places = [
        (index, at)
        for index, pile in enumerate(piles)
        for at in range(len(pile.cards) if index == stock else pile.down)
    ]
    cards = [piles[index].cards[at] for index, at in places]
    shuffling.shuffle(cards)
    changed = [list(pile.cards) for pile in piles]
    for (index, at), card in zip(places, cards, strict=True):
        changed[index][at] = card
    states = [PileState(pile.down, tuple(c)) for pile, c in zip(piles, changed, strict=True)]
    return set_up(game.rules, states)


@pytest.mark.unmeasured
@pytest.mark.parametrize("level", ["club", "expert"])
def test_the_choice_is_the_same_whatever_lies_hidden(level: BotLevel) -> None:
    shuffling = random.Random(1)
    for number in range(2):
        game = dealt(rules_of("spiderette-2"), number)
        player = player_of("club", game.variant.id)
        for _ in range(6):
            other = twin(game, shuffling)
            legal = game.legal_actions()
            assert visible(other) == visible(game)
            choices = {
                player_of(level, game.variant.id).choose(visible(each), legal)
                for each in (game, other)
            }
            assert len(choices) == 1
            action = player.choose(visible(game), legal)
            if action is None:
                break
            game.apply(action)


def test_an_expert_in_a_hurry_chooses_at_once_and_legally() -> None:
    game = dealt(rules_of("spider-4"), 3)
    expert = player_of("expert", "spider-4")
    for _ in range(20):
        action = expert.choose(visible(game), game.legal_actions(), hurry=True)
        assert action is not None
        game.apply(action)


@pytest.mark.parametrize("number", [26, 37])
def test_no_plan_leaves_too_few_cards_to_deal(number: int) -> None:
    """Regression: five suits were home in these deals, and the stock could not be dealt."""
    game = play("club", rules_of("spider-1"), number)
    assert game.outcome is Outcome.WON or not game.counts.stock


def test_an_expert_wins_by_a_search_once_all_cards_are_seen() -> None:
    known = "KS JS QS TS 8S 9S 7S 5S 6S 4S 2S 3S AS"
    columns = [PileState(0, tuple(map(parse_card, known.split())))]
    columns += [PileState(0, ())] * 9
    rest = [PileState(0, ())] * (len(GAMES["spider-1"].piles) - 10)
    game = set_up(rules_of("spider-1"), [*columns, *rest])
    player = player_of("expert", "spider-1")
    while game.outcome is None:
        action = player.choose(visible(game), game.legal_actions())
        assert action is not None
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_an_expert_finishes_a_game() -> None:
    game = dealt(rules_of("spiderette-1"), 3)
    player = player_of("expert", "spiderette-1")
    while (action := player.choose(visible(game), game.legal_actions())) is not None:
        game.apply(action)
    assert game.at > 40


def test_a_game_that_can_be_finished_is_finished() -> None:
    game = dealt(rules_of("spider-1"), 1)
    player = player_of("beginner", "spider-1")
    assert player.choose(visible(game), (DEAL, FINISH)) == FINISH
    assert all(kind(each) is not ActionKind.FINISH for each in game.legal_actions())
