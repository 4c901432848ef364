from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from protocol.vocabulary import (
    SUIT_SIZE,
    Direction,
    Exceptions,
    Fan,
    Layout,
    PileRole,
    Score,
    SettingsClash,
    UndoPolicy,
)
from server.games.errors import BadRules, UnknownCode
from server.games.options import Rules


@dataclass(frozen=True, slots=True)
class PileSpec:
    """One pile of a game, with all that a client without rules needs to draw it.

    `x` and `y` are places on a grid of cards, `fan` says whether the cards lie apart, and
    `direction` whether a foundation is built up or down, where its game has both.
    """

    id: str
    role: PileRole
    x: float
    y: float
    fan: Fan = "none"
    direction: Direction | None = None


@dataclass(frozen=True)
class GameKind:
    """What every game of one kind has in common: its piles and its settings.

    `family` is the same for kinds that differ only in their number of suits, so that one deal
    gives them the same ranks in the same places. `scores` are those the game knows, the usual
    one first; `layouts` likewise; `options` names the other settings that it knows.
    """

    id: str
    family: str
    decks: int
    suits: int
    piles: tuple[PileSpec, ...]
    scores: tuple[Score, ...]
    layouts: tuple[Layout, ...]
    options: frozenset[str]

    @cached_property
    def pile_names(self) -> tuple[str, ...]:
        """The piles' names in the order of their indexes."""
        return tuple(pile.id for pile in self.piles)

    @cached_property
    def pile_index(self) -> Mapping[str, int]:
        """Each pile's index by its name."""
        return {name: index for index, name in enumerate(self.pile_names)}

    @property
    def cards(self) -> int:
        """The number of cards in the game."""
        return self.decks * 4 * SUIT_SIZE

    def check(self, rules: Rules) -> None:
        """Refuse settings that do not go together.

        Raises:
            BadRules: with the code and the fields to change.
        """
        if fields := _unknown_values(rules):
            raise BadRules(UnknownCode.UNKNOWN_VALUE, fields)
        if rules.score not in self.scores:
            raise BadRules(SettingsClash.SCORE_NOT_OF_GAME, ("score", "game"))
        if fields := self._foreign_options(rules):
            raise BadRules(SettingsClash.OPTION_NOT_OF_GAME, (*fields, "game"))
        # RULES, Undo: "Under DOS scoring undo is off."
        if rules.score == "dos" and rules.undo != "off":
            raise BadRules(SettingsClash.DOS_WITHOUT_UNDO, ("undo", "score"))
        # RULES, `dos`: a Grand Spider keeps all suits on the table.
        if rules.score == "dos" and rules.auto_remove:
            raise BadRules(SettingsClash.DOS_BY_HAND, ("auto_remove", "score"))

    def _foreign_options(self, rules: Rules) -> tuple[str, ...]:
        default = Rules(rules.game)
        fields = [
            field
            for field in ("auto_remove", "relaxed_deal", "exceptions")
            if field not in self.options and getattr(rules, field) != getattr(default, field)
        ]
        if rules.layout not in self.layouts:
            fields.append("layout")
        return tuple(fields)


def _unknown_values(rules: Rules) -> tuple[str, ...]:
    values = {
        "layout": get_args(Layout),
        "auto_remove": (False, True),
        "relaxed_deal": (False, True),
        "undo": get_args(UndoPolicy),
        "exceptions": get_args(Exceptions),
        "score": get_args(Score),
    }
    return tuple(field for field, known in values.items() if getattr(rules, field) not in known)
