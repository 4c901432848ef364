"""Positions and decks that many tests begin from, and short names for common actions."""

from collections.abc import Iterable
from random import Random

import pytest

from protocol.games import GAMES
from server.games.actions import Action, Effects, format_action, kind, parse_action
from server.games.cards import Card, PileState
from server.games.deals import new_game, numbered_deck, set_up
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.rules import Rules
from tests.games.texts import parse_position

ALL_ON_TABLE = """
    t0: KS-AS; t1: KS-AS; t2: KH-AH; t3: KH-AH
    t4: KD-AD; t5: KD-AD; t6: KC-AC; t7: KC-AC
"""
"""A position with eight complete suits on the table."""


def every_game_of(family: str) -> pytest.MarkDecorator:
    """Return a decorator: the test runs with each game of a family."""
    return pytest.mark.parametrize("game", [id_ for id_ in GAMES if GAMES[id_].family == family])


def position(text: str, game: str = "spider-4", **settings: object) -> Game:
    """Return a game that continues from a position; the settings are fields of `Rules`."""
    return parse_position(rules(game, **settings), text)


def rules(game: str = "spider-4", **settings: object) -> Rules:
    """Return rules with the usual score of a game, and without undo under the DOS score."""
    chosen: dict[str, object] = {"score": GAMES[game].scores[0], **settings}
    if chosen["score"] == "dos":
        chosen.setdefault("undo", "off")
    return Rules(game, **chosen)  # type: ignore[arg-type]  # `check_rules` checks them


def dealt(game: str = "spider-4", number: int = 1, **settings: object) -> Game:
    return new_game(rules(game, **settings), numbered_deck(game, number))


def parsed(game: Game, text: str) -> Action:
    return parse_action(text, game.variant.pile_names)


def act(game: Game, *texts: str) -> Effects:
    """Apply actions in turn and return the effects of the last one."""
    effects = Effects((), (), 0, has_gained=False)
    for text in texts:
        effects = game.apply(parsed(game, text))
    return effects


def legal_texts(game: Game) -> list[str]:
    return [format_action(action, game.variant.pile_names) for action in game.legal_actions()]


def forward(game: Game) -> list[Action]:
    """Return the legal moves, deals and removals."""
    return [action for action in game.legal_actions() if kind(action) <= 2]


def refused(game: Game, text: str) -> str:
    """Return the code of the refusal of an action."""
    return refusal(game, parsed(game, text)).code


def refusal(game: Game, action: Action) -> IllegalAction:
    """Return the refusal of an action, after checking that the game is unchanged."""
    before = game.key(), game.log, game.score, game.counts
    try:
        game.apply(action)
    except IllegalAction as illegal:
        assert (game.key(), game.log, game.score, game.counts) == before
        return illegal
    raise AssertionError(f"accepted: {action}")


def names(game: Game, piles: Iterable[int]) -> list[str]:
    """Return the names of piles by their indexes."""
    return [game.variant.pile_names[pile] for pile in piles]


def all_cards(game: Game) -> list[Card]:
    return sorted(card for pile in piles_of(game) for card in pile.cards)


def piles_of(game: Game) -> list[PileState]:
    return [game.pile(index) for index in range(len(game.variant.piles))]


def twin(game: Game, chance: Random) -> Game:
    """Return a game that looks the same, with other cards where they lie face down."""
    hidden = [card for pile in piles_of(game) for card in pile.cards[: pile.down]]
    chance.shuffle(hidden)
    mixed = [
        pile._replace(cards=(*(hidden.pop() for _ in range(pile.down)), *pile.cards[pile.down :]))
        for pile in piles_of(game)
    ]
    return set_up(game.rules, mixed)
