from server.games.catalogue import kind_of
from server.games.errors import BadRules, RulesCode
from server.games.options import Exceptions, Layout, Rules, Score, UndoPolicy

__all__ = [
    "BadRules",
    "Exceptions",
    "Layout",
    "Rules",
    "RulesCode",
    "Score",
    "UndoPolicy",
    "check",
]


def check(rules: Rules) -> None:
    """Refuse settings that do not go together.

    Exceptions go with every score, not only with the one that charges for them: they are
    counted for all to see. What a game does not know must be left at its default.

    Raises:
        BadRules: with the code and the fields to change.
    """
    kind_of(rules.game).check(rules)
