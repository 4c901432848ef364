"""An act on its way in, as the engine's action, and on its way back, as the reply."""

from collections.abc import Iterable
from typing import assert_never

from protocol import written
from protocol.actions import Action, Deal, Finish, Move, Redo, Remove, Undo
from server.games import actions
from server.games.errors import IllegalAction, RefusalCode
from server.games.game import Game
from server.games.kinds import GameKind
from server.views.rooms import legal_texts, outcome_view, pile_text, stuck_view


def engine_action(kind: GameKind, action: Action) -> actions.Action:
    """What a client asks for, in the engine's terms; nothing is judged yet.

    Raises:
        IllegalAction: it names a pile that the game does not have.
    """
    index = kind.pile_index
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
        raise IllegalAction(RefusalCode.NO_SUCH_PILE) from None


def acted(act_id: int, game: Game, changed: Iterable[int]) -> str:
    """The reply as the game is now, to be `timed` when the store has told the time."""
    return written.acted(
        act_id,
        game.at,
        [pile_text(game, pile) for pile in changed],
        game.score,
        game.counts,
        legal_texts(game),
        outcome_view(game),
        stuck_view(game),
    )
