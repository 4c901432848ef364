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
"""The games by id, in the order in which a menu shows them."""


def variant_of(game: str) -> Variant:
    """Return the variant with an id.

    Raises:
        BadRules: No game has this id.
    """
    if game not in GAMES:
        raise BadRules(UnknownCode.UNKNOWN_GAME, ("game",))
    return GAMES[game]


def check(rules: Rules) -> None:
    """Refuse settings that do not go together.

    Exceptions are allowed with every score, not only with the score that charges for them, since
    they are counted in the standings. Settings that a game does not support must keep their
    defaults.

    Raises:
        BadRules: Settings clash or are unknown; the error names the fields to change.
    """
    variant_of(rules.game).check(rules)


def new_game(rules: Rules, deck: Sequence[Card]) -> Game:
    """Return a new game, dealt from a deck whose first card is dealt first.

    Raises:
        BadRules: The settings do not go together.
    """
    variant = variant_of(rules.game)
    variant.check(rules)
    assert len(deck) == variant.cards, "a deck is dealt whole"
    return variant.set_up(rules, variant.deal(rules, deck))


def replay(rules: Rules, deck: Sequence[Card], actions: Iterable[Action]) -> Game:
    """Return the game that a log leads to.

    Raises:
        BadRules: The settings do not go together.
        IllegalAction: The log does not belong to this deal or these rules.
    """
    game = new_game(rules, deck)
    for action in actions:
        game.replay(action)
    return game
