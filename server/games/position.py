from abc import ABC, abstractmethod
from typing import Self

from protocol.vocabulary import StuckReason
from server.games.actions import Action
from server.games.cards import PileState
from server.games.errors import IllegalAction
from server.games.pile_texts import format_pile


class GamePosition(ABC):
    """The cards of a game and its rules: what a game of each family must know beyond the log."""

    __slots__ = ()

    @abstractmethod
    def pile(self, index: int) -> PileState:
        """Return the cards of a pile of the variant; all cards of the stock lie face down."""

    def pile_text(self, index: int) -> str:
        """Return a pile as its player sees it, in the notation that hides face-down cards."""
        return format_pile(self.pile(index), hidden=True)

    @abstractmethod
    def key(self) -> bytes:
        """Return the position alone as bytes; keys are equal exactly if positions are."""

    @abstractmethod
    def _generate_moves(self) -> list[Action]:
        """Return the legal moves, deals and removals of the position."""

    @abstractmethod
    def _is_plainly_legal(self, action: Action) -> bool:
        """Return whether a move or a deal is one of `_generate_moves`, if that is easily seen.

        The result is false, though the action may be legal, if only the list shows it.
        """

    @abstractmethod
    def _play(self, action: Action) -> int:
        """Make a legal move, deal or removal and return its undo record."""

    @abstractmethod
    def _unplay(self, action: Action, undo_record: int) -> None:
        """Take back the latest action of `_play`."""

    @abstractmethod
    def _changed(self, action: Action, undo_record: int) -> tuple[int, ...]:
        """Return the piles that an action changed; must be called before it is taken back."""

    @abstractmethod
    def _explain(self, action: Action) -> IllegalAction:
        """Return the reason why this move, deal or removal is not legal."""

    @abstractmethod
    def _stuck_reason(self) -> StuckReason:
        """Return the reason why a position without moves cannot be dealt to either."""

    @abstractmethod
    def _is_cleared(self) -> bool:
        """Return whether no card is left to play, so that the game ends by itself."""

    @abstractmethod
    def _is_won(self) -> bool:
        """Return whether the player may end the game as won."""

    @abstractmethod
    def _rate(self) -> int:
        """Return the score of the position, the counts and the outcome."""

    @abstractmethod
    def _tally(self) -> tuple[int, int, int, int]:
        """Return the last four fields of `Counts`, which describe the position."""

    @abstractmethod
    def _copy_position(self) -> Self:
        """Return another game of this class in the same position, its log not copied yet."""
