from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from server.games.actions import Action
from server.games.cards import Card
from server.games.errors import BadRules, UnknownCode
from server.games.game import Game
from server.games.little_spider import LITTLE_SPIDER
from server.games.options import Rules
from server.games.spider_variants import SPIDER_VARIANTS
from server.games.variant import Variant

GAMES: Mapping[str, Variant] = MappingProxyType(
    {variant.id: variant for variant in (*SPIDER_VARIANTS, LITTLE_SPIDER)}
)
"""Every game by its id, in the order in which a menu should show them."""


def variant_of(game: str) -> Variant:
    """The variant of a game.

    Raises:
        BadRules: there is no such game.
    """
    if game not in GAMES:
        raise BadRules(UnknownCode.UNKNOWN_GAME, ("game",))
    return GAMES[game]


def check(rules: Rules) -> None:
    """Refuse settings that do not go together.

    Exceptions go with every score, not only with the one that charges for them: they are
    counted for all to see. What a game does not know must be left at its default.

    Raises:
        BadRules: with the code and the fields to change.
    """
    variant_of(rules.game).check(rules)


def new_game(rules: Rules, deck: Sequence[Card]) -> Game:
    """A game at its beginning, dealt from a deck whose first card is dealt first.

    Raises:
        BadRules: the settings do not go together.
    """
    variant = variant_of(rules.game)
    variant.check(rules)
    assert len(deck) == variant.cards  # our bug, not theirs
    return variant.set_up(rules, variant.deal(rules, deck))


def replay(rules: Rules, deck: Sequence[Card], actions: Iterable[Action]) -> Game:
    """A game brought to where its log leads.

    Raises:
        BadRules: the settings do not go together.
        IllegalAction: the log does not belong to this deal or these rules.
    """
    game = new_game(rules, deck)
    for action in actions:
        game.replay(action)
    return game
