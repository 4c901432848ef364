from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import get_args, get_type_hints

from protocol.piles import PILES, PileSpec
from protocol.vocabulary import (
    OPTIONS,
    RULE_EXCLUSIONS,
    SUIT_SIZE,
    GameId,
    Layout,
    Score,
    SettingsClash,
)
from server.games.action_texts import ActionTexts
from server.games.errors import BadRules, UnknownCode
from server.games.options import Rules


@dataclass(frozen=True)
class VariantSpec:
    """The properties of a variant that all its games share: its piles and its settings.

    `family` is the same for variants that differ only in their number of suits, so that one deal
    gives them the same ranks in the same places. `scores` and `layouts` list the values that the
    variant supports, the usual one first.
    """

    id: GameId
    family: str
    decks: int
    suits: int
    scores: tuple[Score, ...]
    layouts: tuple[Layout, ...]

    @cached_property
    def piles(self) -> tuple[PileSpec, ...]:
        """The piles, which have their indexes in this order."""
        return PILES[self.id]

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """The piles' names in the order of their indexes."""
        return tuple(pile.id for pile in self.piles)

    @cached_property
    def pile_index(self) -> Mapping[str, int]:
        """Each pile's index by its name."""
        return {name: index for index, name in enumerate(self.pile_names)}

    @cached_property
    def action_texts(self) -> ActionTexts:
        """The notation of the actions, shared by all games of the variant."""
        return ActionTexts(self.pile_names)

    @cached_property
    def options(self) -> frozenset[str]:
        """The optional settings that this variant supports."""
        return frozenset(name for name, games in OPTIONS.items() if self.id in games)

    @property
    def cards(self) -> int:
        """The number of cards in the game."""
        return self.decks * 4 * SUIT_SIZE

    def check(self, rules: Rules) -> None:
        """Refuse settings that do not go together.

        Raises:
            BadRules: Settings clash or are unknown; the error names the fields to change.
        """
        if fields := _unknown_values(rules):
            raise BadRules(UnknownCode.UNKNOWN_VALUE, fields)
        if rules.score not in self.scores:
            raise BadRules(SettingsClash.SCORE_NOT_OF_GAME, ("score", "game"))
        if fields := self._unsupported_options(rules):
            raise BadRules(SettingsClash.OPTION_NOT_OF_GAME, (*fields, "game"))
        for exclusion in RULE_EXCLUSIONS:
            if exclusion.holds_for(rules):
                raise BadRules(exclusion.reason, tuple(exclusion.values))

    def _unsupported_options(self, rules: Rules) -> tuple[str, ...]:
        default = Rules(rules.game)
        fields = [
            field
            for field in OPTIONS
            if field not in self.options and getattr(rules, field) != getattr(default, field)
        ]
        if rules.layout not in self.layouts:
            fields.append("layout")
        return tuple(fields)


def _unknown_values(rules: Rules) -> tuple[str, ...]:
    return tuple(field for field, values in _VALUES.items() if getattr(rules, field) not in values)


_VALUES = {
    name: (False, True) if annotation is bool else get_args(annotation)
    for name, annotation in get_type_hints(Rules).items()
    if name != "game"
}
