"""The translation of a client's action into the engine's."""

from protocol.vocabulary import ErrorCode
from server.games.actions import Action
from server.games.errors import IllegalAction, NotationError
from server.games.variant_spec import VariantSpec


def engine_action(variant: VariantSpec, text: str) -> Action:
    """Return the engine's action for a client's action, not judged yet.

    Raises:
        IllegalAction: the action names a pile that the game does not have.
    """
    try:
        return variant.action_texts.parse(text)
    except NotationError:
        raise IllegalAction(ErrorCode.NO_SUCH_PILE) from None
