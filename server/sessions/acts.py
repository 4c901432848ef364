"""The translation of a client's action into the engine's, and of the store's refusals."""

from protocol.vocabulary import ErrorCode
from server.games.actions import Action
from server.games.errors import IllegalAction, NotationError
from server.games.variant_spec import VariantSpec
from server.store import CommitFailure

REFUSALS = {
    CommitFailure.REPEATED: ErrorCode.STALE,
    CommitFailure.STALE: ErrorCode.STALE,
    CommitFailure.EARLY: ErrorCode.EARLY,
    CommitFailure.TOO_LATE: ErrorCode.TOO_LATE,
    CommitFailure.NOT_RUNNING: ErrorCode.TOO_LATE,
    CommitFailure.AWAY: ErrorCode.TRY_AGAIN,
}
"""The refusals of acts and hints that the store has not taken."""


def engine_action(variant: VariantSpec, text: str) -> Action:
    """Return the engine's action for a client's action, not judged yet.

    Raises:
        IllegalAction: the action names a pile that the game does not have.
    """
    try:
        return variant.action_texts.parse(text)
    except NotationError:
        raise IllegalAction(ErrorCode.NO_SUCH_PILE) from None
