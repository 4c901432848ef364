"""The translation of a client's action into the engine's."""

from typing import assert_never

from protocol.actions import Action, Deal, Finish, Move, Redo, Remove, Undo
from protocol.vocabulary import ErrorCode
from server.games import actions
from server.games.errors import IllegalAction
from server.games.variant_spec import VariantSpec


def engine_action(variant: VariantSpec, action: Action) -> actions.Action:
    """Return the engine's action for a client's action, not judged yet.

    Raises:
        IllegalAction: the action names a pile that the game does not have.
    """
    index = variant.pile_index
    try:
        match action:
            case Move():
                source, target = index[action.source], index[action.target]
                return actions.move(source, action.count, target, exception=action.exception)
            case Remove():
                return actions.remove(index[action.source])
            case Deal():
                return actions.DEAL
            case Undo():
                return actions.UNDO
            case Redo():
                return actions.REDO
            case Finish():
                return actions.FINISH
            case other:
                assert_never(other)
    except KeyError:
        raise IllegalAction(ErrorCode.NO_SUCH_PILE) from None
