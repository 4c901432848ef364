"""What can be wrong, and whose fault it is.

GameError
├── IllegalAction   the player's: the action is not legal in this position
├── BadRules        the host's: these settings do not go together
├── BadDealNumber   the host's: there is no deal of that number
└── NotationError   the writer's: a text does not say a card, an action, a position or a round
"""

from enum import StrEnum


class RefusalCode(StrEnum):
    """Why an action is refused. One line of meaning each; sentences are the client's."""

    NO_SUCH_PILE = "no_such_pile"
    """The game has no pile of that index, or none that a move may touch (stock, removed suits)."""
    FOUNDATION_IS_FINAL = "foundation_is_final"
    """A card on a foundation never comes back."""
    SAME_PILE = "same_pile"
    """The move ends where it begins."""
    PILE_EMPTY = "pile_empty"
    """There is no card in the pile to take."""
    NOT_ENOUGH_CARDS = "not_enough_cards"
    """The pile holds fewer cards than are asked for, or none is asked for."""
    FACE_DOWN = "face_down"
    """Among the cards asked for one lies face down."""
    NOT_A_RUN = "not_a_run"
    """The cards asked for do not descend by one; shows the first two that break it."""
    MIXED_SUITS = "mixed_suits"
    """The cards asked for descend, but are not of one suit; shows the first two that differ."""
    EXCEPTION_NOT_ASKED = "exception_not_asked"
    """The run is of mixed suits, and at the hard level the player must ask for an exception."""
    EXCEPTIONS_ARE_OFF = "exceptions_are_off"
    """An exception is asked for, and this room allows none."""
    EXCEPTION_NOT_NEEDED = "exception_not_needed"
    """An exception is asked for, and the move is none: it would cost for nothing."""
    WRONG_RANK = "wrong_rank"
    """The target's last card is not one higher; shows the run's head and that card."""
    DEAL_STOCK_EMPTY = "deal_stock_empty"
    """No card is left to deal."""
    DEAL_EMPTY_COLUMN = "deal_empty_column"
    """Every column must hold a card before a deal; names the empty ones. Not if relaxed."""
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"
    """Fewer cards lie on the table than there are columns, so they cannot all be filled.

    Names the empty columns. Not if deals are relaxed.
    """
    NOT_A_COMPLETE_SUIT = "not_a_complete_suit"
    """The pile does not end in thirteen cards of one suit from king to ace."""
    NOTHING_TO_UNDO = "nothing_to_undo"
    """No action is left to take back."""
    UNDO_REVEALS = "undo_reveals"
    """The last action turned a card or was a deal, and this room takes back neither."""
    UNDO_IS_OFF = "undo_is_off"
    """This room takes nothing back."""
    NOTHING_TO_REDO = "nothing_to_redo"
    """Nothing was taken back since the last action."""
    NOT_FINISHED = "not_finished"
    """The game is neither won nor stuck, so there is nothing to finish."""
    GAME_OVER = "game_over"
    """The game has ended."""
    GAME_TOO_LONG = "game_too_long"
    """The log has as many entries as a game may have: the game can only be finished."""
    ACTION_UNKNOWN_TO_GAME = "action_unknown_to_game"
    """The game has no action of this kind."""
    ONE_CARD_AT_A_TIME = "one_card_at_a_time"
    """This game moves single cards only."""
    WRONG_FOUNDATION_SUIT = "wrong_foundation_suit"
    """The foundation goes on in another suit; shows the card and the foundation's last."""
    WRONG_FOUNDATION_COLOUR = "wrong_foundation_colour"
    """The foundations begun leave this slot to the other colour."""
    WRONG_FOUNDATION_RANK = "wrong_foundation_rank"
    """The foundation wants another rank; shows the card and the foundation's last, if any."""
    LOWER_PILE_WRONG_SLOT = "lower_pile_wrong_slot"
    """While the stock lasts, a lower pile plays only on the foundation above it."""
    NO_MOVES_BETWEEN_PILES_YET = "no_moves_between_piles_yet"
    """While the stock lasts, no card goes from pile to pile."""
    PILE_STAYS_EMPTY = "pile_stays_empty"
    """An empty pile is not filled again by hand."""
    NOT_RANK_ADJACENT = "not_rank_adjacent"
    """The target's last card is neither one higher nor one lower; shows both cards."""


class RulesCode(StrEnum):
    """Why settings do not go together."""

    UNKNOWN_GAME = "unknown_game"
    """There is no game of that name."""
    UNKNOWN_VALUE = "unknown_value"
    """A setting has a value that is none of its values."""
    SCORE_NOT_OF_GAME = "score_not_of_game"
    """The game does not know this score."""
    OPTION_NOT_OF_GAME = "option_not_of_game"
    """The game does not know these options."""
    DOS_WITHOUT_UNDO = "dos_without_undo"
    """The DOS score is played without undo."""
    DOS_BY_HAND = "dos_by_hand"
    """The DOS score is played without automatic removal: it would forbid a Grand Spider."""


class GameError(Exception):
    """The root of this package's errors."""


class IllegalAction(GameError):  # noqa: N818  # named for what it is
    """An action that is not legal in the position; the position is unchanged.

    `cards` are those in question (for `wrong_rank` the moved run's head and the target's last
    card), `piles` the indexes of the piles in question. All of them lie face up.
    """

    def __init__(
        self,
        code: RefusalCode,
        cards: tuple[int, ...] = (),
        piles: tuple[int, ...] = (),
    ) -> None:
        super().__init__(code, cards, piles)
        self.code = code
        self.cards = cards
        self.piles = piles

    def __str__(self) -> str:
        return f"{self.code} (cards {list(self.cards)}, piles {list(self.piles)})"


class BadRules(GameError):  # noqa: N818  # named for what it is
    """Settings that do not go together; `fields` names those to change."""

    def __init__(self, code: RulesCode, fields: tuple[str, ...]) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields = fields

    def __str__(self) -> str:
        return f"{self.code}: {', '.join(self.fields)}"


class BadDealNumber(GameError):  # noqa: N818  # named for what it is
    """A deal number out of range."""

    def __init__(self, number: int, highest: int) -> None:
        super().__init__(number, highest)
        self.number = number
        self.highest = highest

    def __str__(self) -> str:
        return f"deal numbers run from 1 to {self.highest}, not {self.number}"


class NotationError(GameError, ValueError):
    """A text that says no card, action, position or round."""
