"""The settings of a game, and the check for clashes."""

from dataclasses import dataclass
from typing import get_args, get_type_hints

from protocol import vocabulary
from protocol.games import GAMES, OPTIONS, Variant
from server.games.errors import BadRules, UnknownCode


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings that decide legal actions and scores; a room's players share one object."""

    game: str  # the id of the game
    layout: vocabulary.Layout = "left4"  # which columns get Spider's four extra cards
    auto_remove: bool = False  # complete suits are removed at once, without an action
    relaxed_deal: bool = False  # the stock can be dealt despite empty columns or few cards
    undo: vocabulary.UndoPolicy = "no_reveal"  # which actions can be undone
    exceptions: vocabulary.Exceptions = "off"  # which moves of runs of mixed suits are allowed
    score: vocabulary.Score = "woods"


def variant_of(game: str) -> Variant:
    """Return the game with this id, or raise BadRules."""
    if game not in GAMES:
        raise BadRules(UnknownCode.UNKNOWN_GAME, ("game",))
    return GAMES[game]


def check_rules(rules: Rules) -> None:
    """Raise BadRules if settings clash or are unknown.

    Exceptions are allowed under every score, since the standings show how many were made. Settings
    that a game does not support must keep their defaults.
    """
    variant = variant_of(rules.game)
    fields = tuple(name for name, values in _VALUES.items() if getattr(rules, name) not in values)
    if fields:
        raise BadRules(UnknownCode.UNKNOWN_VALUE, fields)
    if rules.score not in variant.scores:
        raise BadRules(vocabulary.SettingsClash.SCORE_NOT_OF_GAME, ("score", "game"))
    default = Rules(rules.game)
    others = [name for name in OPTIONS if name not in variant.options]
    fields = tuple(name for name in others if getattr(rules, name) != getattr(default, name))
    fields += () if rules.layout in variant.layouts else ("layout",)
    if fields:
        raise BadRules(vocabulary.SettingsClash.OPTION_NOT_OF_GAME, (*fields, "game"))
    for exclusion in vocabulary.RULE_EXCLUSIONS:
        if exclusion.holds_for(rules):
            raise BadRules(exclusion.reason, tuple(exclusion.values))


_VALUES = {
    name: (False, True) if annotation is bool else get_args(annotation)
    for name, annotation in get_type_hints(Rules).items()
    if name != "game"
}
