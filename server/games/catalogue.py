"""From rules to a game: settings are checked, a deck is dealt, and a log is replayed."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import assert_never, get_args, get_type_hints

from protocol.games import GAMES, OPTIONS, Variant
from protocol.vocabulary import RULE_EXCLUSIONS, SettingsClash
from server.games.actions import Action
from server.games.cards import EMPTY, Card, PileState
from server.games.errors import BadRules, UnknownCode
from server.games.game import Game
from server.games.little_spider import LittleSpider
from server.games.rules import Rules
from server.games.spider import Spider, SpiderWithExceptions


def variant_of(game: str) -> Variant:
    """Return the game with an id.

    Raises:
        BadRules: No game has this id.
    """
    if game not in GAMES:
        raise BadRules(UnknownCode.UNKNOWN_GAME, ("game",))
    return GAMES[game]


def check_rules(rules: Rules) -> None:
    """Refuse settings that do not go together.

    Exceptions are allowed with every score, not only with the score that charges for them, since
    they are counted in the standings. Settings that a game does not support must keep their
    defaults.

    Raises:
        BadRules: Settings clash or are unknown; the error names the fields to change.
    """
    variant = variant_of(rules.game)
    fields = tuple(name for name, values in _VALUES.items() if getattr(rules, name) not in values)
    if fields:
        raise BadRules(UnknownCode.UNKNOWN_VALUE, fields)
    if rules.score not in variant.scores:
        raise BadRules(SettingsClash.SCORE_NOT_OF_GAME, ("score", "game"))
    if fields := _unsupported_options(variant, rules):
        raise BadRules(SettingsClash.OPTION_NOT_OF_GAME, (*fields, "game"))
    for exclusion in RULE_EXCLUSIONS:
        if exclusion.holds_for(rules):
            raise BadRules(exclusion.reason, tuple(exclusion.values))


def new_game(rules: Rules, deck: Sequence[Card]) -> Game:
    """Return a new game, dealt from a deck whose first card is dealt first.

    Raises:
        BadRules: The settings do not go together.
    """
    check_rules(rules)
    assert len(deck) == GAMES[rules.game].cards, "a deck is dealt whole"
    return set_up(rules, deal(rules, deck))


def deal(rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
    """Return the piles after a deck is dealt, one state for each pile of the game.

    The first card of the deck is dealt first: a row of face-down cards over all columns that get
    one, a row over those that get a second one, and so on; then a row of face-up cards.
    """
    variant = GAMES[rules.game]
    down = variant.dealt_down[rules.layout]
    rows = [[i for i, size in enumerate(down) if size > row] for row in range(max(down))]
    order = (*chain.from_iterable(rows), *range(variant.columns))
    columns: list[list[Card]] = [[] for _ in down]
    for column, card in zip(order, deck, strict=False):
        columns[column].append(card)
    stock = tuple(reversed(deck[len(order) :]))
    dealt = (PileState(len(cards) - 1, tuple(cards)) for cards in columns)
    others = {"stock": PileState(len(stock), stock), "foundation": EMPTY}
    return tuple(others.get(pile.role) or next(dealt) for pile in variant.piles)


def set_up(rules: Rules, piles: Sequence[PileState]) -> Game:
    """Return a game that continues from a position, one state for each pile of the game.

    The position need not hold all cards, so that a test can list only the cards it needs.

    Raises:
        NotationError: No game can reach this position.
    """
    variant = GAMES[rules.game]
    match variant.goal:
        case "suits":
            engine = Spider if rules.exceptions == "off" else SpiderWithExceptions
            return engine.from_piles(variant, rules, piles)
        case "cards":
            return LittleSpider.from_piles(variant, rules, piles)
        case _:
            assert_never(variant.goal)


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


def _unsupported_options(variant: Variant, rules: Rules) -> tuple[str, ...]:
    """Return the options with other values than the default that the game does not have."""
    default = Rules(rules.game)
    fields = [
        field
        for field in OPTIONS
        if field not in variant.options and getattr(rules, field) != getattr(default, field)
    ]
    if rules.layout not in variant.layouts:
        fields.append("layout")
    return tuple(fields)


_VALUES = {
    name: (False, True) if annotation is bool else get_args(annotation)
    for name, annotation in get_type_hints(Rules).items()
    if name != "game"
}
