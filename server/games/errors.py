"""The errors of this package, and who is at fault.

GameError
├── IllegalAction   the player: the action is not legal in this position
├── BadRules        the host: these settings clash, or are unknown
├── BadDealNumber   the host: there is no deal with that number
└── NotationError   the writer: a text is not a card, an action, a position or a round
"""

from enum import StrEnum

from protocol.vocabulary import ErrorCode, SettingsClash


class UnknownCode(StrEnum):
    """Why rules in a stored room or a round's text are unknown; messages are refused earlier."""

    UNKNOWN_GAME = "unknown_game"  # no game has this name
    UNKNOWN_VALUE = "unknown_value"  # a setting has a value outside its range


class GameError(Exception):
    """The base class of this package's errors."""


class IllegalAction(GameError):  # noqa: N818  # reads better without "Error"
    """An action that is not legal in the position, with the cards and piles that explain why.

    All these cards lie face up. For `wrong_rank` they are the first moved card and the last card
    of the target.
    """

    def __init__(
        self, code: ErrorCode, cards: tuple[int, ...] = (), piles: tuple[int, ...] = ()
    ) -> None:
        super().__init__(code, cards, piles)
        self.code = code
        self.cards = cards
        self.piles = piles

    def __str__(self) -> str:
        return f"{self.code} (cards {list(self.cards)}, piles {list(self.piles)})"


def first_refusal(*checks: tuple[bool, ErrorCode, int]) -> IllegalAction | None:
    """Return the first refusal that applies; a check is a condition, a code and a pile."""
    for applies, code, pile in checks:
        if applies:
            return IllegalAction(code, piles=(pile,))
    return None


class BadRules(GameError):  # noqa: N818  # reads better without "Error"
    """Settings that clash or are unknown; `fields` names the fields to change."""

    def __init__(self, code: SettingsClash | UnknownCode, fields: tuple[str, ...]) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields = fields

    def __str__(self) -> str:
        return f"{self.code}: {', '.join(self.fields)}"


class BadDealNumber(GameError):  # noqa: N818  # reads better without "Error"
    """A deal number out of range."""

    def __str__(self) -> str:
        number, highest = self.args
        return f"deal numbers run from 1 to {highest}, not {number}"


class NotationError(GameError, ValueError):
    """A text that is not a card, an action, a position or a round."""
